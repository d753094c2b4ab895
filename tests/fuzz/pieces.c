// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "fuzz/pieces.h"

#include <string.h>

#include "fuzz/fuzz.h"

enum { PIECES_MAX = 4096 };

struct cut {
	const struct piece_format *format;
	uint8_t *bytes;
	size_t size, most;
	size_t at[PIECES_MAX + 1]; /* where each begins; the last is the end */
	size_t count;
	unsigned random;
};

static unsigned
below(struct cut *c, size_t n)
{
	c->random = c->random * 1664525 + 1013904223;
	return n > 0 ? (c->random >> 8) % (unsigned)n : 0;
}

static void
pieces_find(struct cut *c)
{
	size_t at = c->format->header, fixed;

	c->count = 0;
	while (at < c->size && c->count < PIECES_MAX) {
		c->at[c->count++] = at;
		at += c->format->measure(c->bytes, c->bytes + at, c->size - at, &fixed);
	}
	c->at[c->count] = at < c->size ? at : c->size;
}

/* Makes the bytes [at, at + old) `size` long; false when there is no room. */
static bool
resize(struct cut *c, size_t at, size_t old, size_t size)
{
	if (c->size - old + size > c->most)
		return false;
	memmove(c->bytes + at + size, c->bytes + at + old, c->size - at - old);
	c->size = c->size - old + size;
	return true;
}

static void
piece_change(struct cut *c)
{
	static uint8_t body[1 << 16];
	size_t i = below(c, c->count), at = c->at[i], size = c->at[i + 1] - at, fixed;
	size_t room, length;

	c->format->measure(c->bytes, c->bytes + at, c->size - at, &fixed);
	if (fixed >= size) { /* a record: in place */
		LLVMFuzzerMutate(c->bytes + at, size, size);
		return;
	}
	length = size - fixed < sizeof(body) / 2 ? size - fixed : sizeof(body) / 2;
	room = c->most - c->size + length;
	memcpy(body, c->bytes + at + fixed, length);
	length = LLVMFuzzerMutate(body, length, room < sizeof(body) ? room : sizeof(body));
	if (!resize(c, at + fixed, size - fixed, length))
		return;
	memcpy(c->bytes + at + fixed, body, length);
	c->format->mend(c->bytes + at, fixed + length);
}

static void
piece_repeat(struct cut *c)
{
	static uint8_t copy[1 << 16];
	size_t i = below(c, c->count), size = c->at[i + 1] - c->at[i];
	size_t to = c->at[below(c, c->count + 1)];

	if (size > sizeof(copy))
		return;
	memcpy(copy, c->bytes + c->at[i], size);
	if (resize(c, to, 0, size))
		memcpy(c->bytes + to, copy, size);
}

static void
piece_remove(struct cut *c)
{
	size_t i = below(c, c->count);

	(void)resize(c, c->at[i], c->at[i + 1] - c->at[i], 0);
}

size_t
pieces_mutate(const struct piece_format *format, uint8_t *bytes, size_t size, size_t most,
    unsigned seed)
{
	static struct cut c;

	if (size < format->header || most < format->header)
		return LLVMFuzzerMutate(bytes, size, most);
	c.format = format;
	c.bytes = bytes;
	c.size = size;
	c.most = most;
	c.random = seed;
	pieces_find(&c);
	switch (c.count > 0 ? below(&c, 8) : 7) {
	case 0:
	case 1:
		piece_repeat(&c);
		break;
	case 2:
		piece_remove(&c);
		break;
	case 7:
		c.size = format->header + LLVMFuzzerMutate(bytes + format->header,
						  size - format->header, most - format->header);
		break;
	default:
		piece_change(&c);
		break;
	}
	format->head(bytes);
	return c.size;
}
