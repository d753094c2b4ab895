// SPDX-License-Identifier: Apache-2.0
/*
 * random-trace: classic traces with all that goes wrong in them, for property tests.
 *
 * Mostly proper nesting on a few threads, with exits of other frames, of nothing, of
 * what was entered before the trace, unrolls, sleep, and records at the same instant.
 * A seed makes the same trace everywhere.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RANDOM_THREADS = 3, RANDOM_LATE = RANDOM_THREADS, RANDOM_METHODS = 12, RANDOM_RECORDS = 30000 };

struct random_record {
	int thread, method, action;
	uint32_t cpu, wall; /* microseconds */
};

extern struct random_record random_records[RANDOM_RECORDS];

uint32_t random_below(uint32_t below);
/* `harm` 1: some exits are lost; 2: and some are of methods that may not be open. */
void random_trace_make(uint64_t seed, int harm);
/* The same, but the wall clock wraps near the end, and thread RANDOM_LATE starts after that. */
void random_trace_make_late(uint64_t seed, int harm);
/* They as a version 3 file, dual clock; free it. */
uint8_t *random_trace_bytes(size_t *size);
