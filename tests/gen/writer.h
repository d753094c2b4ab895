// SPDX-License-Identifier: Apache-2.0
/*
 * writer: the on-disk formats that the generator knows, one write-NAME.c each.
 */
#pragma once

#include "abstract.h"
#include "out.h"

struct gen_writer {
	const char *name;
	const char *help;
	/* NULL when the trace can be expressed in this format, else why not. */
	const char *(*check)(const struct gen_trace *);
	void (*write)(const struct gen_trace *, struct gen_stream *, struct gen_out *);
};

extern const struct gen_writer writer_classic;
extern const struct gen_writer writer_streaming;
extern const struct gen_writer writer_streaming14;
extern const struct gen_writer writer_streaming_bare;
extern const struct gen_writer writer_streaming_late;
extern const struct gen_writer writer_v2a;
extern const struct gen_writer writer_v2a_us;
extern const struct gen_writer writer_v2a_stream;
extern const struct gen_writer writer_v2b;
extern const struct gen_writer writer_v2b_stream;

/* NULL-terminated. */
extern const struct gen_writer *const gen_writers[];

/* For writers that need events in another order, or twice: all of them; free() it. */
struct gen_event *gen_events_keep(struct gen_stream *, size_t *count);
/* Orders pointers into that array, of one thread as they came. */
int gen_by_thread(const void *left, const void *right);

/* NULL when there is none of that name. */
const struct gen_writer *writer_find(const char *name);
