// SPDX-License-Identifier: Apache-2.0
/*
 * fuzz: what a fuzz target defines.
 *
 * tests/fuzz/fuzz-NAME.c is one target.  With --enable-fuzzing libFuzzer drives it;
 * in every build tests/t-fuzz-NAME (the same source and once.c) runs it over its
 * seeds, their prefixes and some fixed mutations.  A property that does not hold ends
 * the process: fuzz_check says which.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define fuzz_check(held)                                                                 \
	do {                                                                             \
		if (!(held)) {                                                           \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #held);       \
			abort();                                                         \
		}                                                                        \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
/* Optional. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);
/* libFuzzer's own, not there in other builds. */
extern size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most)
    __attribute__((weak));
