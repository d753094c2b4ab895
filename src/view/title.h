// SPDX-License-Identifier: Apache-2.0
/*
 * title: the lines around a view: the bar of views, the title (what is shown), and the last
 * one (keys or a message, position).
 *
 * All drop parts in a fixed order when the screen is narrow.
 */
#pragma once

#include "profile/load/profile.h"
#include "profile/sum/fold.h"
#include "view/canvas.h"
#include "view/figures.h"
#include "view/place.h"
#include "view/timeline/axis.h"

/* "1 Profile [2 Tree] 3 Callers      ? help" */

struct bar {
	struct bar_view {
		char key[32];
		const char *name, *brief; /* brief NULL: the name */
		const char *id;           /* the caller's */
		bool now;                 /* it is shown */
		int from, to;             /* columns, as drawn */
	} views[VIEWS];
	int count;
	char help[32]; /* its key; empty: none */
};

/* Where they do not fit, names are short, then those at the end are left out. */
void bar_draw(struct canvas *, int row, struct bar *);

struct title {
	struct names *names; /* NULL: a method trace */
	struct str path; /* clean */
	enum clock_id clock;
	const struct trace_unit *unit; /* of figures; NULL: times */
	struct range window; /* that the figures are of */
	struct range shown;  /* that the timeline shows; empty: none */
	nsec begin, end;     /* of the trace */
	const struct timescale *scale; /* of the window; NULL: seconds of the trace */
	enum percent_base percent;
	uint32_t threads_in, threads; /* with events */
	uint64_t calls, whole_calls; /* whole: without a window */
	bool uncounted;      /* they are not those of the threads */
	bool loading, stopped; /* the figures are of a part */
	double progress;
	bool counting; /* the figures are of what was asked for before */
	double counted; /* of those that are asked for; 0: not known */
	const char *follow; /* how the trace is followed; NULL: it is not */
	int damage;         /* kinds */
	bool sampled;       /* calls are what the samples saw */
	bool left;          /* transforms are in force: figures are of what they leave */
	bool recorded;      /* they are in force, but not in this view */
	struct str filters; /* and transforms; clean; shown here only on wide screens */
};

/* From this many columns on the title has room for the filters. */
enum { TITLE_WIDE = 140 };

/*
 * The parts of a title, from left to right.  Of each there is its text, or what is in its buffer
 * where that is NULL; and what comes between it and the one before, ", " where that is NULL.
 */
enum { TITLE_PARTS = 11, TITLE_PART = 160 };

struct title_parts {
	char buffer[TITLE_PARTS][TITLE_PART];
	struct str text[TITLE_PARTS];
	const char *before[TITLE_PARTS];
	int width[TITLE_PARTS]; /* with that, of what may be cut the least; 0: left out */
};

/* A part that can be spared, and the text that takes its place; NULL: nothing does. */
struct title_spare {
	int part;
	const char *shorter;
};

/* "3 of 22 threads", "1.200-1.260 s" */
void title_threads(const struct title *, char out[static TITLE_PART]);
void title_window(const struct title *, char out[static TITLE_PART]);

/* Returns a path's last part. */
struct str title_file(struct str path);
void title_measure(struct title_parts *);
/* Spares parts, the first first, as it must; returns the columns that nothing takes. */
int title_fit(struct title_parts *, const struct title_spare *, size_t count, int columns);
/* "partial 64%  !1" at the right of a row, which is cleared; returns where text has to end. */
int title_draw_state(struct canvas *, int row, const struct title *);
void title_draw_parts(struct canvas *, int row, int limit, const struct title_parts *);
/* `app.trace  22.35 s, wall clock, 3 of 22 threads, 2,204,117 calls, % of the trace   !1`. */
void title_draw(struct canvas *, int row, const struct title *);

struct hint {
	const char *key, *text; /* "Enter", "open" */
};

struct footer {
	const struct hint *hints; /* the most useful first; as many as fit */
	size_t hint_count;
	struct str message; /* clean; instead of the hints when not empty */
	look message_look;
	size_t position, rows; /* "3/1846 0%"; rows 0: nothing */
	struct str marks;      /* before it: what is marked; empty: nothing is */
};

void footer_draw(struct canvas *, int row, const struct footer *);
