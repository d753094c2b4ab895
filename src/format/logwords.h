/*
 * logwords: bytes of a log's lines looked at eight at a time, as a word whose lowest byte
 * comes first, on any machine.
 */
#ifndef SLOWTOP_FORMAT_LOGWORDS_H
#define SLOWTOP_FORMAT_LOGWORDS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WORD_LOW UINT64_C(0x0101010101010101)
#define WORD_HIGH UINT64_C(0x8080808080808080)

static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline uint64_t
word_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/* memcmp of a few bytes, as nearly all are. */
static inline bool
words_equal(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	if (n < 8)
		return n == 0 || memcmp(a, b, n) == 0;
	for (; i + 8 < n; i += 8) {
		if (word_load(a + i) != word_load(b + i))
			return false;
	}
	return word_load(a + n - 8) == word_load(b + n - 8);
}

/*
 * The high bits of the bytes that are `c`.  A byte borrows from the one above where it is
 * `c`: what is told of bytes above the first that is does not count.
 */
static inline uint64_t
word_find(uint64_t w, char c)
{
	uint64_t differs = w ^ WORD_LOW * (unsigned char)c;

	return (differs - WORD_LOW) & ~differs & WORD_HIGH;
}

/* The first of the bytes found. */
static inline unsigned
word_first(uint64_t found)
{
	return (unsigned)__builtin_ctzll(found) / 8;
}

/* How many digits the word begins with; only the first byte that is none is exact. */
static inline unsigned
word_digits(uint64_t w)
{
	uint64_t values = w ^ WORD_LOW * '0';
	uint64_t others = (values | (values + WORD_LOW * 0x76)) & WORD_HIGH;

	return others != 0 ? word_first(others) : 8;
}

/*
 * The number that the first n digits are, n from 1 to 8.  Pairs of digits are summed, then
 * pairs of pairs, then the two halves.
 */
static inline uint64_t
word_number(uint64_t w, unsigned n)
{
	uint64_t v = (w ^ WORD_LOW * '0') << (64 - 8 * n);

	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	return (v * 10000 + (v >> 32)) & 0xffffffff;
}

/* Six digits and a colon, which is what most fractions of seconds are. */
static inline bool
six_digits(const char *p, uint64_t *value)
{
	uint64_t w = word_load(p);

	if ((w >> 48 & 0xff) != ':' || word_digits(w) != 6)
		return false;
	*value = word_number(w, 6);
	return true;
}

#endif
