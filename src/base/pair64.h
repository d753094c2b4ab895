// SPDX-License-Identifier: Apache-2.0
/*
 * pair64: two 64-bit numbers that are computed at once, as the times of two clocks are.
 *
 * Compilers that are left to find this by themselves put the pair together from two
 * registers by way of memory, which costs more than it saves.  Values; no memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

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

/* Is one of them below 0? */
static inline __attribute__((always_inline)) bool
pair64_is_negative(pair64 a)
{
	return (int64_t)(a[0] | a[1]) < 0;
}
