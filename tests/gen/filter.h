// SPDX-License-Identifier: Apache-2.0
/*
 * filter: event streams made from other event streams.
 *
 * A filter owns the stream it reads from.
 */
#pragma once

#include "abstract.h"

/* Kinds of damage, each in so many of 10 000 events. */
struct harm {
	unsigned lost;     /* exits left out */
	unsigned stray;    /* inserted exits, of methods that are mostly not open */
	unsigned reserved; /* records put in with the unused action */
	unsigned backward; /* events with clocks that step back by up to 500 us */
	uint64_t seed;
};

/* The trace is asked for method ids to stray with; it must outlive the stream. */
struct gen_stream *filter_harm(
    struct gen_stream *, const struct harm *, const struct gen_trace *);

/* What a sampling profiler would have written: every `interval_ns` of wall time the
 * stack of each thread that had events is compared with the one seen before; exits
 * and entries for the difference share one time. */
struct gen_stream *filter_sample(struct gen_stream *, int64_t interval_ns);

/* Times without their nanoseconds below a microsecond, so that all formats agree. */
struct gen_stream *filter_exact(struct gen_stream *);
