// SPDX-License-Identifier: Apache-2.0
/*
 * samplegen: one random list of call stacks, written as profiles of other tools.
 *
 * Weights are microseconds, whole ones or with a fraction.  What a format has none of, as threads,
 * times, empty stacks, gaps between samples, fractions or further events, it leaves out, and so do
 * the figures of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SAMPLE_FRAMES_MAX = 64 };

struct sample {
	uint64_t at, weight; /* us, or ns with fractions; the thread's next sample is at the end of this one, or later */
	unsigned thread, depth;
	unsigned frames[SAMPLE_FRAMES_MAX]; /* outermost first, methods */
};

struct sample_list {
	uint64_t count, seed;
	unsigned methods, threads, depth;
	bool odd, crlf, bom; /* names with odd characters; as text is written */
	bool gaps;           /* a thread may have no sample for a while */
	bool fractions;      /* times and weights are in thousandths */
	bool events;         /* there are weights of another event, which is not read */
	struct sample *samples;
	char (*names)[40];   /* of methods */
};

struct sample_format {
	const char *name, *help;
	void (*write)(FILE *, const struct sample_list *);
	bool one_thread; /* the file cannot tell threads apart, and its samples have no gaps */
	bool no_empty;   /* nor can it have a stack without frames */
	bool counted;    /* each sample weighs 1 */
	bool one_caller; /* each method has one, so that its calls tell the call paths */
	bool plain;      /* names are those of C's functions */
	bool binary;     /* it has no lines */
	bool gaps, fractions, events; /* it can have them */
};

/* sample-writers.c: in the order of the help; the last has no name. */
extern const struct sample_format sample_formats[];

/* Writes a time or weight: thousandths only if there are any. */
void sample_put(FILE *, const struct sample_list *, uint64_t value);
/* sample-figures.c: own and inclusive weight, by method; of each call path. */
void sample_figures(FILE *, const struct sample_list *);
void sample_paths(FILE *, const struct sample_list *);
