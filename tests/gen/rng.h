// SPDX-License-Identifier: Apache-2.0
/*
 * rng: the generator's random numbers, the same on every machine.
 *
 * splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014): one addition and a mixer, so each thread of a simulated
 * program can have its own.
 */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* 0 <= result < n; n > 0.  The bias is n / 2^32. */
static inline uint32_t
rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* True in `part` of 10 000 cases. */
static inline int
rng_chance(struct rng *r, uint32_t part)
{
	return part && rng_below(r, 10000) < part;
}
