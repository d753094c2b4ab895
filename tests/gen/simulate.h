// SPDX-License-Identifier: Apache-2.0
/*
 * simulate: parameters -> a program that runs on some cores -> its trace.
 *
 * Threads are scheduled on `cores` cores, run until they sleep or their slice ends, and
 * are woken later; records are in the order of the wall clock, each with the CPU clock of
 * its thread.  The same parameters give the same trace everywhere.  Memory grows with
 * methods, threads and depth only, so that a trace may have any number of records.
 */
#pragma once

#include "abstract.h"

struct sim_params {
	uint64_t records;
	uint64_t seed;
	double span;       /* seconds of wall time; 0: as it comes */
	unsigned threads;  /* 1 ... 65535 */
	unsigned methods;  /* at least 1 */
	unsigned depth;    /* frames of a stack, at least 1 */
	unsigned cores;    /* 1 ... 64 */
	unsigned slowness; /* 1: a microsecond or so from event to event; N: so many times
			      that */
	unsigned entered;  /* frames of each thread that were entered before the trace */
	bool open;         /* leave calls open at the end */
	bool dalvik;       /* addresses as method ids, slashes in class names */
	bool small_threads; /* thread ids from 1, else Linux ids */
	bool rare; /* what roles do once in a while: frames that are slow */
	/* Of 10 000: */
	unsigned recursion;       /* methods that recurse */
	unsigned unroll;          /* exits that are exceptions */
	unsigned unknown_methods; /* methods without a line */
	unsigned unknown_threads; /* threads without a line */
};

/* Fills threads and methods of the trace; the stream borrows nothing from it.  Costs
 * a whole run, to know the time of the last record beforehand. */
struct gen_stream *simulate_new(
    const struct sim_params *, struct gen_trace *, int64_t *elapsed_ns);
