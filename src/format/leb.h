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

/*
 * Several numbers out of eight bytes at once, without a branch for each byte: `ends` has
 * the top bit of each last byte, numbers are cut out of `word & LEB_BITS`.
 */
#define LEB_BITS UINT64_C(0x7f7f7f7f7f7f7f7f)

static inline uint64_t
leb_ends(uint64_t word)
{
	return ~word & ~LEB_BITS;
}

/* Does a number of more than four bytes begin in it? */
static inline bool
leb_has_long(uint64_t word)
{
	uint64_t on = word & ~LEB_BITS;

	on &= on >> 8;
	return (on & on >> 16) != 0;
}

/* All bits up to the end that comes first; there must be one. */
static inline uint64_t
leb_first(uint64_t ends)
{
	return ends ^ (ends - 1);
}

/* How many these are. */
static inline unsigned
leb_bits(uint64_t ends)
{
	return (unsigned)__builtin_ctzll(ends) + 1;
}

/* Of a number of at most four bytes, their top bits cleared. */
static inline uint64_t
leb_value(uint32_t bytes)
{
	bytes -= (bytes & 0x7f007f00) >> 1;
	return (bytes & 0x3fff) | (bytes >> 2 & 0x0fffc000);
}

/* The same of a signed one, whose bytes have so many bits. */
static inline uint64_t
leb_value_signed(uint32_t bytes, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - bits / 8 - 1);

	return (leb_value(bytes) ^ sign) - sign;
}

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
