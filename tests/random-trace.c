// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "random-trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 40 };

struct random_record random_records[RANDOM_RECORDS];
static uint64_t state;

uint32_t
random_below(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

/* Mostly proper nesting, with exits of other frames, of nothing, and twins in time. */
void
random_trace_make(uint64_t seed, int harm)
{
	int stack[RANDOM_THREADS][DEPTH], depth[RANDOM_THREADS] = {0};
	uint32_t wall = 1000, cpu[RANDOM_THREADS] = {0};

	state = seed;
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		struct random_record *r = &random_records[i];
		int t = (int)random_below(RANDOM_THREADS), *d = &depth[t];

		if (random_below(3) > 0) {
			wall += random_below(50) == 0 ? random_below(2000) : random_below(20);
			cpu[t] += random_below(15);
		}
		r->thread = t;
		r->wall = wall;
		r->cpu = cpu[t] < wall ? cpu[t] : wall;
		if (*d == 0 || (*d < DEPTH && random_below(100) < 52)) {
			r->action = 0;
			r->method = (int)random_below(RANDOM_METHODS);
			stack[t][(*d)++] = r->method;
			if (*d == 1 && random_below(20) == 0) {
				(*d)--; /* entered before: only its exit is there */
				r->action = 1;
			}
		} else {
			int levels = harm > 0 && random_below(200) == 0 ? 1 + (int)random_below((uint32_t)*d) : 1;

			r->action = random_below(10) == 0 ? 2 : 1;
			r->method = stack[t][*d - levels];
			*d -= levels;
			if (harm > 1 && random_below(300) == 0) {
				r->method = (int)random_below(RANDOM_METHODS);
				*d += levels;
			}
		}
	}
}

void
random_trace_make_late(uint64_t seed, int harm)
{
	enum { FROM = RANDOM_RECORDS - 200, LATE_FROM = RANDOM_RECORDS - 10 };

	random_trace_make(seed, harm);
	for (int i = FROM; i < RANDOM_RECORDS; i++) {
		struct random_record *r = &random_records[i];

		r->wall = (i == FROM ? 3000000000 : 100000000) + (uint32_t)i;
		r->thread = i < LATE_FROM ? random_records[FROM].thread : RANDOM_LATE;
	}
}

uint8_t *
random_trace_bytes(size_t *size)
{
	static const char head[] = "*version\n3\nclock=dual\n*threads\n";
	uint8_t *out = malloc(4096 + RANDOM_RECORDS * 14), *p = out;

	p += sprintf((char *)p, "%s", head);
	for (int t = 0; t < RANDOM_THREADS; t++)
		p += sprintf((char *)p, "%d\tt%d\n", t + 1, t);
	p += sprintf((char *)p, "*methods\n");
	for (int m = 0; m < RANDOM_METHODS; m++)
		p += sprintf((char *)p, "%#x\tC\tm%d\t()V\tC.java\n", m * 4, m);
	p += sprintf((char *)p, "*end\n");
	memcpy(p, "SLOW\3\0\22\0\0\0\0\0\0\0\0\0\16\0", 18);
	p += 18;
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		const struct random_record *r = &random_records[i];
		uint32_t word = (uint32_t)r->method * 4 + (uint32_t)r->action;

		*p++ = (uint8_t)(r->thread + 1);
		*p++ = 0;
		for (int b = 0; b < 32; b += 8)
			*p++ = (uint8_t)(word >> b);
		for (int b = 0; b < 32; b += 8)
			*p++ = (uint8_t)(r->cpu >> b);
		for (int b = 0; b < 32; b += 8)
			*p++ = (uint8_t)(r->wall >> b);
	}
	*size = (size_t)(p - out);
	return out;
}
