// SPDX-License-Identifier: Apache-2.0
/*
 * flame: flame graphs of a selection, in the forms of flame_formats.
 *
 * A graph is the call tree, widths are time.  Scope, window, clock and names are those of a
 * report that was opened (report_open); widths add up to its total.
 */
#pragma once

#include <limits.h>

#include "profile/sum/paths.h"
#include "report/report.h"
#include "view/names/names.h"

struct flame;
struct pathdiff;

struct flame_format {
	const char *name;
	const char *help;
	void (*write)(struct sink *, const struct flame *);
};

extern const struct flame_format flame_formats[];
extern const int flame_format_count;

/* A tenth of a pixel. */
#define FLAME_MIN_WIDTH UINT_MAX

/* Zero-initialise, flame_options_init.  Strings are borrowed. */
struct flame_options {
	const struct flame_format *format;
	const char *title;      /* NULL: made from the trace's name */
	const char *count_name; /* of microseconds; NULL: times are in milliseconds */
	unsigned min_width;     /* of a frame, in thousandths of a pixel; FLAME_MIN_WIDTH */
	bool links; /* of a page: threads without a graph are links to its address with ?thread= */
};

void flame_options_init(struct flame_options *);

struct flame {
	const struct report *report;
	const struct flame_options *options;
	struct paths *paths; /* idle ones are marked */
	const struct pathdiff *sides; /* whose paths these are; borrowed; NULL: nothing is compared */
	struct sbuf title;
	const atomic_bool *cancel;
};

/* False, with the reason, when the format cannot do it or it was cancelled. */
bool flame_make(struct flame *, const struct report *, const struct flame_options *,
    const atomic_bool *cancel, struct err *e);
void flame_release(struct flame *);
/* `words` and the name of the trace's file, or the title that was asked for. */
void flame_title(struct sbuf *, const struct report *, const struct flame_options *,
    const char *words);

/* graph.c */
void flamegraph_write(struct sink *, const struct flame *);
/*
 * Writes the graph as a part of a page, roots first, with at most `frames` frames; of one root of
 * the paths only, or PATH_NONE: of all.  What every call is in is one frame.
 */
void flamegraph_inside(struct sink *, const struct flame *, uint32_t root, uint32_t frames);

/* rows.c */
/* A place in time to be marked above the rows, as the element "at" and its number. */
struct flame_mark {
	nsec from, to;
	uint32_t number;
	struct str text; /* told of it */
};

/* The timeline of these threads as a part of a page; nothing when it is cancelled. */
void flamerows_inside(struct sbuf *, const struct flame *, const uint32_t *threads,
    uint32_t count, const struct flame_mark *, uint32_t marks);

void folded_write(struct sink *, const struct flame *);
