// SPDX-License-Identifier: Apache-2.0
/*
 * wide: products of two 64-bit numbers, and such products divided, exact on any processor.
 *
 * pair64: two 64-bit numbers that are computed at once, as the times of two clocks are.
 * Compilers that are left to find this by themselves put the pair together from two
 * registers by way of memory, which costs more than it saves.  Values; no memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

struct wide {
	uint64_t high, low;
};

#if defined __SIZEOF_INT128__ && !defined WIDE_PORTABLE /* tests/t-wide.c tries both */
#define WIDE_NATIVE
__extension__ typedef unsigned __int128 wide_native;
#endif

static inline uint64_t
wide_abs(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static inline struct wide
wide_mul(uint64_t a, uint64_t b)
{
#ifdef WIDE_NATIVE
	wide_native product = (wide_native)a * b;

	return (struct wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t left = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t right = (a & UINT32_MAX) * (b >> 32) + (left & UINT32_MAX);

	return (struct wide){(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32),
	    right << 32 | (low & UINT32_MAX)};
#endif
}

static inline struct wide
wide_add(struct wide a, uint64_t b)
{
	uint64_t low = a.low + b;

	return (struct wide){a.high + (low < b), low};
}

static inline bool
wide_less(struct wide a, struct wide b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* Rounded down; UINT64_MAX if it is more.  `by` is not 0. */
static inline uint64_t
wide_div(struct wide a, uint64_t by)
{
	if (a.high == 0)
		return a.low / by;
	if (a.high >= by)
		return UINT64_MAX;
#ifdef WIDE_NATIVE
	return (uint64_t)(((wide_native)a.high << 64 | a.low) / by);
#else
	for (int bit = 0; bit < 64; bit++) {
		bool over = a.high >> 63 != 0;

		a.high = a.high << 1 | a.low >> 63;
		a.low <<= 1;
		if (over || a.high >= by) {
			a.high -= by;
			a.low |= 1;
		}
	}
	return a.low;
#endif
}

/* Added, subtracted and indexed with C's own operators. */
typedef uint64_t pair64 __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) pair64
pair64_load(const void *two)
{
	pair64 a;

	memcpy(&a, two, sizeof(a));
	return a;
}

static inline __attribute__((always_inline)) void
pair64_store(void *two, pair64 a)
{
	memcpy(two, &a, sizeof(a));
}

/* Two numbers of 32 bits, as a little-endian file has them, times `by`. */
static inline __attribute__((always_inline)) pair64
pair64_load_u32(const uint8_t *p, uint32_t by)
{
	return (pair64){(uint64_t)get_u32(p) * by, (uint64_t)get_u32(p + 4) * by};
}

/* True if one of them is below 0. */
static inline __attribute__((always_inline)) bool
pair64_is_negative(pair64 a)
{
	return (int64_t)(a[0] | a[1]) < 0;
}
