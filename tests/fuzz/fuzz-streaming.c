/* Streaming traces, F2 and F3, with headers that hold and lengths that fit. */
#include <config.h>

#include <string.h>

#include "base/bytes.h"
#include "fuzz/consume.h"
#include "fuzz/fuzz.h"
#include "fuzz/pieces.h"

static void
head(uint8_t *file)
{
	memcpy(file, "SLOW", 4);
	file[4] = (file[4] & 1) != 0 ? 0xf3 : 0xf2;
	file[5] = file[7] = 0;
	file[6] = 32;
	file[16] = file[4] == 0xf3 ? 14 : 10;
	file[17] = 0;
}

static size_t
measure(const uint8_t *file, const uint8_t *p, size_t left, size_t *fixed)
{
	size_t record = file[4] == 0xf3 ? 14 : 10, size;

	*fixed = left;
	if (left < 7)
		return left;
	if (get_u16(p) != 0) {
		*fixed = record < left ? record : left;
		return *fixed;
	}
	*fixed = p[2] == 1 ? 5 : 7;
	size = *fixed + (p[2] == 3 ? get_u32(p + 3) : get_u16(p + *fixed - 2));
	return size < left ? size : left;
}

static void
mend(uint8_t *p, size_t size)
{
	size_t length = size - (p[2] == 1 ? 5 : 7);
	uint8_t *at = p[2] == 2 ? p + 5 : p + 3;

	at[0] = (uint8_t)length;
	at[1] = (uint8_t)(length >> 8);
	if (p[2] == 3)
		at[2] = at[3] = 0;
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
