// SPDX-License-Identifier: Apache-2.0
/*
 * consume: does with a trace all that the program does, and checks what must hold for
 * any input, however damaged: the sums of lists add up, threads add up to the whole,
 * ranges do, time never runs backwards, a replay tells the same story as the load.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What came of it. */
struct consumed {
	uint64_t records;
	uint32_t methods, threads; /* with events */
	unsigned damage;           /* kinds */
};

/*
 * False and an error when the bytes were refused.  The bytes must stay until return.
 * Ends the process through fuzz_check when something does not hold.
 */
bool consume_trace(const uint8_t *bytes, size_t size, struct consumed *, struct err *);
