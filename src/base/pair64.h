/*
 * pair64: two 64-bit numbers that are computed at once, as the times of two clocks are.
 *
 * Compilers that are left to find this by themselves put the pair together from two
 * registers by way of memory, which costs more than it saves.  Values; no memory.
 */
#ifndef SLOWTOP_BASE_PAIR64_H
#define SLOWTOP_BASE_PAIR64_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__) && defined(__x86_64__)

#include <emmintrin.h>

typedef __m128i pair64;

static inline __attribute__((always_inline)) pair64
pair64_of(uint64_t first, uint64_t second)
{
	return _mm_set_epi64x((int64_t)second, (int64_t)first);
}

static inline __attribute__((always_inline)) pair64
pair64_load(const void *two)
{
	return _mm_loadu_si128(two);
}

static inline __attribute__((always_inline)) void
pair64_store(void *two, pair64 a)
{
	_mm_storeu_si128(two, a);
}

/* Two numbers of 32 bits, as a little-endian file has them, times `by`. */
static inline __attribute__((always_inline)) pair64
pair64_load_u32(const uint8_t *p, uint32_t by)
{
	__m128i both = _mm_unpacklo_epi32(_mm_loadl_epi64((const void *)p), _mm_setzero_si128());

	return _mm_mul_epu32(both, _mm_set1_epi64x(by));
}

static inline __attribute__((always_inline)) pair64
pair64_add(pair64 a, pair64 b)
{
	return _mm_add_epi64(a, b);
}

static inline __attribute__((always_inline)) pair64
pair64_subtract(pair64 a, pair64 b)
{
	return _mm_sub_epi64(a, b);
}

static inline __attribute__((always_inline)) uint64_t
pair64_first(pair64 a)
{
	return (uint64_t)_mm_cvtsi128_si64(a);
}

static inline __attribute__((always_inline)) uint64_t
pair64_second(pair64 a)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(a, a));
}

/* Is one of them below 0? */
static inline __attribute__((always_inline)) bool
pair64_is_negative(pair64 a)
{
	return _mm_movemask_pd(_mm_castsi128_pd(a)) != 0;
}

#else

#include <string.h>

#include "base/bytes.h"

typedef struct {
	uint64_t n[2];
} pair64;

static inline pair64
pair64_of(uint64_t first, uint64_t second)
{
	return (pair64){{first, second}};
}

static inline pair64
pair64_load(const void *two)
{
	pair64 a;

	memcpy(&a, two, sizeof(a));
	return a;
}

static inline void
pair64_store(void *two, pair64 a)
{
	memcpy(two, &a, sizeof(a));
}

static inline pair64
pair64_load_u32(const uint8_t *p, uint32_t by)
{
	return pair64_of((uint64_t)get_u32(p) * by, (uint64_t)get_u32(p + 4) * by);
}

static inline pair64
pair64_add(pair64 a, pair64 b)
{
	return pair64_of(a.n[0] + b.n[0], a.n[1] + b.n[1]);
}

static inline pair64
pair64_subtract(pair64 a, pair64 b)
{
	return pair64_of(a.n[0] - b.n[0], a.n[1] - b.n[1]);
}

static inline uint64_t
pair64_first(pair64 a)
{
	return a.n[0];
}

static inline uint64_t
pair64_second(pair64 a)
{
	return a.n[1];
}

static inline bool
pair64_is_negative(pair64 a)
{
	return ((a.n[0] | a.n[1]) >> 63) != 0;
}

#endif

#endif
