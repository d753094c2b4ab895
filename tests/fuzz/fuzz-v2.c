// SPDX-License-Identifier: Apache-2.0
/* Traces of output version 2, both forms, with headers that hold and lengths that fit. */
#include <config.h>

#include <string.h>

#include "base/bytes.h"
#include "fuzz/consume.h"
#include "fuzz/fuzz.h"
#include "fuzz/pieces.h"

static const uint8_t heads[] = {7, 11, 12, 3};

static void
head(uint8_t *file)
{
	memcpy(file, "SLOW", 4);
	file[4] = (uint8_t)(4 | (file[4] & 0xf1));
	if ((file[4] & 0xf0) != 0)
		file[4] |= 0xf0;
	file[5] = 0;
}

static size_t
measure(const uint8_t *file, const uint8_t *p, size_t left, size_t *fixed)
{
	size_t size;

	(void)file;
	*fixed = left;
	if (p[0] >= sizeof(heads) || left < heads[p[0]])
		return left;
	*fixed = heads[p[0]];
	size = *fixed + (p[0] == 2 ? get_u32(p + 8) : get_u16(p + *fixed - 2));
	return size < left ? size : left;
}

static void
mend(uint8_t *p, size_t size)
{
	size_t fixed = heads[p[0]], length = size - fixed;
	uint8_t *at = p[0] == 2 ? p + 8 : p + fixed - 2;

	at[0] = (uint8_t)length;
	at[1] = (uint8_t)(length >> 8);
	if (p[0] == 2) {
		at[2] = (uint8_t)(length >> 16);
		at[3] = 0;
	}
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed)
{
	static const struct piece_format format = {32, head, measure, mend};

	return pieces_mutate(&format, bytes, size, most, seed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct consumed c;
	struct err e = {0};

	consume_trace(bytes, size, &c, &e);
	return 0;
}
