/*
 * leb: numbers of variable length (LEB128), at most 10 bytes, modulo 2^64.
 *
 * Seven bits a byte, low ones first, the eighth says that more follow; the signed form
 * extends the sign from bit 6 of the last byte.
 */
#ifndef SLOWTOP_FORMAT_LEB_H
#define SLOWTOP_FORMAT_LEB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

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

static inline bool
leb_unsigned(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	unsigned bits;

	return leb_read(p, end, value, &bits);
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

#endif
