// SPDX-License-Identifier: Apache-2.0
/*
 * frames: how long pictures of the timeline take, at random places of a trace.
 *
 *	tests/bench/frames TRACE [WINDOWS]
 *
 * For each width of the window it prints a line: the width, then median, 95 % and longest
 * of the elapsed times in milliseconds, the same of processor time, and a sum of all
 * cells, which is the same whenever the pictures are.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/opened.h"

enum { WINDOWS = 200, WINDOWS_MAX = 10000 };

struct bench {
	struct opened opened;
	uint64_t random;
	unsigned windows;
	double elapsed[WINDOWS_MAX], cpu[WINDOWS_MAX]; /* milliseconds */
};

/* A share of the trace, or a time. */
static const struct {
	const char *name;
	nsec share, time;
} widths[] = {
	{"whole", 1, 0},
	{"1/4", 4, 0},
	{"1/16", 16, 0},
	{"1/64", 64, 0},
	{"1/128", 128, 0},
	{"1/200", 200, 0},
	{"1/256", 256, 0},
	{"1/400", 400, 0},
	{"1/1000", 1000, 0},
	{"1/10000", 10000, 0},
	{"1ms", 0, 1000000},
	{"100us", 0, 100000},
	{"10us", 0, 10000},
	{"1us", 0, 1000},
};

/* The same places each time (splitmix64). */
static uint64_t
random_next(struct bench *b)
{
	uint64_t z = b->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
times_print(double *times, unsigned count)
{
	qsort(times, count, sizeof(*times), compare);
	printf(" %9.3f %9.3f %9.3f  ", times[count / 2], times[count - 1 - count / 20],
	    times[count - 1]);
}

/* Cell by cell: a structure may have padding with any value. */
static uint64_t
cells_sum(const struct bench *b, uint64_t sum)
{
	for (uint32_t i = 0; i < b->opened.rows * COLUMNS; i++) {
		const struct cell *c = &b->opened.cells[i];

		sum = (sum ^ c->method) * UINT64_C(0x100000001b3);
		sum = (sum ^ ((uint64_t)c->busy << 32 | (uint64_t)c->asleep << 16)) *
		    UINT64_C(0x100000001b3);
	}
	return sum;
}

static void
width_measure(struct bench *b, size_t number)
{
	nsec begin = b->opened.profile->begin, span = b->opened.profile->end - begin;
	nsec width = widths[number].share > 0 ? span / widths[number].share : widths[number].time;
	uint64_t sum = 0;

	if (width > span)
		return;
	b->random = number;
	for (unsigned i = 0; i < b->windows; i++) {
		nsec from = begin + (nsec)(random_next(b) % (uint64_t)(span - width + 1));
		double elapsed = seconds(CLOCK_MONOTONIC);
		double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

		opened_draw(&b->opened, from, from + width);
		b->cpu[i] = 1e3 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
		b->elapsed[i] = 1e3 * (seconds(CLOCK_MONOTONIC) - elapsed);
		sum = cells_sum(b, sum);
	}
	printf("%-8s", widths[number].name);
	times_print(b->elapsed, b->windows);
	times_print(b->cpu, b->windows);
	printf("%016" PRIx64 "\n", sum);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	static struct bench b;
	struct err err = {0};

	if (argc < 2) {
		fprintf(stderr, "usage: bench/frames TRACE [WINDOWS]\n");
		return 2;
	}
	b.windows = argc > 2 ? (unsigned)atoi(argv[2]) : WINDOWS;
	if (b.windows < 1 || b.windows > WINDOWS_MAX)
		b.windows = WINDOWS;
	if (!opened_trace(&b.opened, argv[1], &err) || !opened_load(&b.opened, 0, &err)) {
		fprintf(stderr, "bench/frames: %s: %s\n", argv[1], err.what);
		return 1;
	}
	opened_overview(&b.opened);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		width_measure(&b, i);
	opened_release(&b.opened);
	return 0;
}
