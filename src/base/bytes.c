// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/bytes.h"

#include <string.h>

const uint8_t *
bytes_take(struct bytes *b, size_t need, struct err *e, const char *what)
{
	const uint8_t *at = b->p;

	if (bytes_left(b) < need) {
		err_at(e, ERR_TRUNCATED, b->offset, "truncated %s (need %zu bytes, have %zu)", what,
		    need, bytes_left(b));
		return NULL;
	}
	b->p += need;
	b->offset += need;
	return at;
}

bool
bytes_line(struct bytes *b, struct str *line)
{
	const uint8_t *feed;
	size_t left = bytes_left(b), taken;

	if (left == 0)
		return false;
	feed = memchr(b->p, '\n', left);
	taken = feed != NULL ? (size_t)(feed - b->p) + 1 : left;
	*line = (struct str){(const char *)b->p, feed != NULL ? taken - 1 : taken};
	if (line->n > 0 && line->p[line->n - 1] == '\r')
		line->n--;
	b->p += taken;
	b->offset += taken;
	return true;
}

/* Protocol Buffers ---------------------------------------------------------------- */

enum { VARINT_MAX = 10 }; /* bytes */

/* Returns where it ends. */
static uint8_t *
varint(uint8_t *to, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (uint8_t)(n | 0x80);
	*to++ = (uint8_t)n;
	return to;
}

/* Leaves one byte for the length: most lengths need only one. */
size_t
wire_begin(struct sbuf *out, unsigned field)
{
	uint8_t head[VARINT_MAX + 1], *end = varint(head, field << 3 | WIRE_BYTES);

	*end++ = 0;
	sbuf_bytes(out, head, (size_t)(end - head));
	return out->n;
}

void
wire_end(struct sbuf *out, size_t begun)
{
	uint8_t length[VARINT_MAX];
	size_t size = out->n - begun, more = (size_t)(varint(length, size) - length) - 1;

	if (more > 0) {
		sbuf_bytes(out, length, more);
		memmove(out->p + begun + more, out->p + begun, size);
	}
	memcpy(out->p + begun - 1, length, more + 1);
}

void
wire_number(struct sbuf *out, unsigned field, uint64_t n)
{
	uint8_t bytes[2 * VARINT_MAX], *end = varint(varint(bytes, field << 3 | WIRE_VARINT), n);

	sbuf_bytes(out, bytes, (size_t)(end - bytes));
}

void
wire_real(struct sbuf *out, unsigned field, double number)
{
	uint8_t bytes[VARINT_MAX + 8], *end = varint(bytes, field << 3 | WIRE_FIXED64);
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	for (int i = 0; i < 8; i++)
		*end++ = (uint8_t)(bits >> 8 * i);
	sbuf_bytes(out, bytes, (size_t)(end - bytes));
}

void
wire_packed(struct sbuf *out, uint64_t n)
{
	uint8_t bytes[VARINT_MAX];

	sbuf_bytes(out, bytes, (size_t)(varint(bytes, n) - bytes));
}

struct str
wire_last(struct wire w, uint32_t field)
{
	struct str text = {"", 0};
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.number == field)
			text = wire_text(&f);
	}
	return text;
}
