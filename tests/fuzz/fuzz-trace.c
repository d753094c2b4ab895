// SPDX-License-Identifier: Apache-2.0
/*
 * A trace file from anywhere: read, counted, folded, replayed, drawn.
 */
#include <config.h>

#include "fuzz/consume.h"
#include "fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct consumed c;
	struct err e = {0};

	consume_trace(bytes, size, &c, &e);
	return 0;
}
