// SPDX-License-Identifier: Apache-2.0
/*
 * opened-log: a text log in memory, read and summed, for tests.
 */
#pragma once

#include "profile/sum/fold.h"
#include "trace/log.h"

/* Microseconds as the head of a line: thread a-1 of process 1 on core 0. */
#define LINE_AT(us) "a-1 (1) [000] .... 10.000" us ": tracing_mark_write: "

struct opened {
	struct profile *p; /* NULL: it was refused; then nothing else is set */
	struct fold *fold;
	const struct log_summary *s;
	struct err e;
};

struct opened open_bytes(const void *bytes, size_t size);
struct opened open_text(const char *text);
/* Of a trace that is not loaded yet; owns it. */
struct opened open_trace(struct trace *);
void done(struct opened *);

/* Sums of the method of a name; none: all 0. */
const struct method_sum *sum_of(const struct opened *, const char *name);
/* The last thread of a name, or THREAD_NONE. */
uint32_t thread_of(const struct opened *, const char *name);
/* The process of a thread; 0 without one. */
uint32_t pid_of(const struct opened *, uint32_t thread);
