// SPDX-License-Identifier: Apache-2.0
/*
 * html: HTML pages that need nothing else: what each begins and ends with, and the report.
 */
#pragma once

#include "base/sbuf.h"
#include "base/str.h"
#include "report/flame/flame.h"

/*
 * The head and foot of a self-contained HTML page.
 *
 * Style and script are in the page; nothing is fetched, so it opens from a file.  The
 * script sorts tables of class "sortable" (columns of class "n" by number, descending at
 * first), searches their names by the input of class "find" before them, and opens or closes
 * all <details>; without it the page is complete, but still.
 */

struct htmlpage {
	struct str title;
	const char *script_base; /* another sortable.js is loaded from below this URL; NULL: none */
	const char *style, *script; /* more of them; NULL: none */
	/* A link before all else leads to the element of this id; NULL: none. */
	const char *skip_to;
};

void htmlpage_begin(struct sbuf *, const struct htmlpage *);
void htmlpage_end(struct sbuf *, const struct htmlpage *);

/*
 * The report as one HTML page: what the trace is, what is slow, late frames, a flame graph, the
 * timeline, the profile, callers and callees, the threads, tables of a log, more of the trace
 * and what was lost.
 *
 * The page is complete without other files; its script, which only adds sorting, zoom and
 * search, may be off.  Parts are cut so that a usual trace's page stays under 2 MB; each
 * says what is missing.
 */

struct htmlreport {
	struct report_options options, working; /* working: without what waits */
	struct report report, graph; /* graph: what the flame graph is of */
	struct flame flame;
};

/*
 * All of it goes by one clock: the one asked for, else that of the CPU where it was recorded.
 * False as report_make; release in both cases.
 */
bool htmlreport_make(struct htmlreport *, const struct profile *, const struct report_options *,
    const struct flame_options *, const atomic_bool *cancel, struct err *e);
void htmlreport_write(struct sink *, const struct htmlreport *);
void htmlreport_release(struct htmlreport *);
