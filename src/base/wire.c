#include <config.h>

#include "base/wire.h"

#include <string.h>

enum {
	VARINT_MAX = 10, /* bytes */
	WIRE_VARINT = 0,
	WIRE_LENGTH = 2,
};

/* Returns where it ends. */
static uint8_t *
varint(uint8_t *to, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (uint8_t)(n | 0x80);
	*to++ = (uint8_t)n;
	return to;
}

/* Leaves a byte for the length, which most need no more of. */
size_t
wire_begin(struct sbuf *out, unsigned field)
{
	uint8_t head[VARINT_MAX + 1], *end = varint(head, field << 3 | WIRE_LENGTH);

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
wire_packed(struct sbuf *out, uint64_t n)
{
	uint8_t bytes[VARINT_MAX];

	sbuf_bytes(out, bytes, (size_t)(varint(bytes, n) - bytes));
}
