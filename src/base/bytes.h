// SPDX-License-Identifier: Apache-2.0
/*
 * bytes: little-endian fields and LEB128 out of bounded memory, and Protocol Buffers.
 *
 * `struct bytes` is a reader: it knows its end and its place in the file, so a
 * short read becomes an error with an offset.  The get_* functions are for inner
 * loops that have checked their bounds already.  Nothing is aligned.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"

struct bytes {
	const uint8_t *p, *end;
	uint64_t offset; /* of p, from the start of the file */
};

static inline uint16_t
get_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
get_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t
get_u64(const uint8_t *p)
{
	return get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}

static inline size_t
bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->p);
}

/* Steps past so many bytes and returns where they are; NULL when there are not as many. */
const uint8_t *bytes_take(struct bytes *, size_t need, struct err *, const char *what);

/*
 * The next line without its line feed and without a carriage return before it;
 * false at the end.  A last line without a line feed counts.
 */
bool bytes_line(struct bytes *, struct str *line);

/*
 * Numbers of variable length (LEB128), modulo 2^64: seven bits a byte, low ones first, the
 * eighth says that more follow; the signed form extends the sign from bit 6 of the last byte.
 */
enum { LEB_MAX = 10 }; /* bytes */

/* False, and `*p` as it was, when the number does not end before `end` or is too long. */
static inline bool
leb_read(const uint8_t **p, const uint8_t *end, uint64_t *value, unsigned *bits)
{
	const uint8_t *at = *p;
	uint64_t v = 0;
	unsigned shift = 0;

	for (; at < end && shift < 7 * LEB_MAX; shift += 7) {
		v |= (uint64_t)(*at & 0x7f) << shift;
		if ((*at++ & 0x80) == 0) {
			*p = at;
			*value = v;
			*bits = shift + 7;
			return true;
		}
	}
	return false;
}

/* Numbers of up to eight bytes are read at once, if as many bytes are left. */
static inline bool
leb_unsigned(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	uint64_t v = end - *p >= 8 ? get_u64(*p) : UINT64_MAX, last = ~v & 0x8080808080808080;
	unsigned bits;

	if (last == 0)
		return leb_read(p, end, value, &bits);
	*p += __builtin_ctzll(last) / 8 + 1;
	v &= last ^ (last - 1);
	v = (v & 0x007f007f007f007f) | (v >> 1 & 0x3f803f803f803f80);
	v = (v & 0x00003fff00003fff) | (v >> 2 & 0x0fffc0000fffc000);
	*value = (v & 0x000000000fffffff) | (v >> 4 & 0x00fffffff0000000);
	return true;
}

static inline bool
leb_signed(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	unsigned bits;

	if (!leb_read(p, end, value, &bits))
		return false;
	if (bits < 64 && (*value >> (bits - 1) & 1) != 0)
		*value |= UINT64_MAX << bits;
	return true;
}

/*
 * Messages of Protocol Buffers, written field by field.
 *
 * A message is written while it is made, without a copy of it: its fields are what comes
 * between wire_begin and wire_end, messages within it likewise.  Numbers of fields are the
 * caller's; ascending, as other writers have them.  Source: Protocol Buffers' documentation,
 * "Encoding".
 */

/* A field that is a message, bytes or packed numbers.  wire_end takes what it returns. */
size_t wire_begin(struct sbuf *, unsigned field);
void wire_end(struct sbuf *, size_t begun);
/* A field that is a number; negative ones of any type as 64 bits. */
void wire_number(struct sbuf *, unsigned field, uint64_t);
/* Appends a field that is a double. */
void wire_real(struct sbuf *, unsigned field, double);
/* A packed number. */
void wire_packed(struct sbuf *, uint64_t);

/*
 * Messages of Protocol Buffers, read field by field where they are.
 *
 * wire_next moves past a field.  After it returned false, `p == end` tells that the message
 * was read to its end; else there is a field of no legal type there, or one that is longer
 * than the message.  Inlined everywhere: reading a trace is for a third this, and as a call
 * it writes every field to memory.
 */
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire {
	const uint8_t *p, *end;
};

struct wire_field {
	uint32_t number;
	uint32_t type;     /* WIRE_... */
	uint64_t value;    /* of a number; of bytes how many */
	struct wire bytes; /* of WIRE_BYTES: a message, a text or packed numbers; else empty */
};

static inline __attribute__((always_inline)) bool
wire_varint(struct wire *w, uint64_t *value)
{
	if (__builtin_expect(w->p < w->end && *w->p < 0x80, 1)) {
		*value = *w->p++;
		return true;
	}
	if (w->end - w->p >= 2 && w->p[1] < 0x80) {
		*value = (w->p[0] & 0x7f) | (uint64_t)w->p[1] << 7;
		w->p += 2;
		return true;
	}
	return leb_unsigned(&w->p, w->end, value);
}

static inline __attribute__((always_inline)) bool
wire_next(struct wire *w, struct wire_field *f)
{
	struct wire at = *w;
	uint64_t tag;

	if (!wire_varint(&at, &tag) || tag >> 3 == 0 || tag >> 32 != 0)
		return false;
	f->number = (uint32_t)(tag >> 3);
	f->type = tag & 7;
	f->bytes = (struct wire){NULL, NULL};
	if (f->type == WIRE_VARINT) {
		if (!wire_varint(&at, &f->value))
			return false;
	} else if (f->type == WIRE_BYTES) {
		if (!wire_varint(&at, &f->value) || f->value > (uint64_t)(at.end - at.p))
			return false;
		f->bytes = (struct wire){at.p, at.p + f->value};
		at.p += f->value;
	} else if (f->type == WIRE_FIXED64 || f->type == WIRE_FIXED32) {
		size_t size = f->type == WIRE_FIXED64 ? 8 : 4;

		if ((size_t)(at.end - at.p) < size)
			return false;
		f->value = size == 8 ? get_u64(at.p) : get_u32(at.p);
		at.p += size;
	} else {
		return false;
	}
	w->p = at.p;
	return true;
}

/* Reads the next field whose number is among these bits. */
static inline __attribute__((always_inline)) bool
wire_find(struct wire *w, struct wire_field *f, uint64_t numbers)
{
	while (wire_next(w, f)) {
		if (f->number < 64 && (numbers >> f->number & 1) != 0)
			return true;
	}
	return false;
}

/* The field's text; empty when it is a number. */
static inline struct str
wire_text(const struct wire_field *f)
{
	return f->type == WIRE_BYTES ? (struct str){(const char *)f->bytes.p, (size_t)f->value}
				     : (struct str){"", 0};
}

/*
 * Reads the numbers of a message's fields below `count`, of several of a field the last; absent
 * ones stay.  False when the message is damaged.
 */
static inline bool
wire_numbers(struct wire w, uint64_t *number, uint32_t count)
{
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.type == WIRE_VARINT && f.number < count)
			number[f.number] = f.value;
	}
	return w.p == w.end;
}

/* The last text of a field of a message; empty without one. */
struct str wire_last(struct wire, uint32_t field);

/* A text that is a message. */
static inline struct wire
wire_of(struct str text)
{
	const uint8_t *bytes = (const uint8_t *)text.p;

	return (struct wire){bytes, bytes != NULL ? bytes + text.n : NULL};
}

/* The field's message; empty when it is a number. */
static inline struct wire
wire_message(const struct wire_field *f)
{
	return f->bytes;
}
