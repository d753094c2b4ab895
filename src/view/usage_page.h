/*
 * usage_page: tables of what cores, processes, threads and counters of a text log did, as
 * rows of text.
 *
 * Which tables there are is one table (usage_tables); each is a page of its own, of the
 * same threads and stretch of time as everything else on the screen.
 */
#ifndef SLOWTOP_VIEW_USAGE_PAGE_H
#define SLOWTOP_VIEW_USAGE_PAGE_H

#include "profile/usage.h"
#include "view/info.h"

enum usage_table {
	USAGE_PROCESSES,
	USAGE_THREADS,
	USAGE_CORES,
	USAGE_STATES,
	USAGE_SWITCHES,
	USAGE_COUNTERS,
	USAGE_TABLES
};

extern const char *const usage_titles[USAGE_TABLES];

/* `usage` NULL: it is being counted. */
void usage_page_build(struct info *, const struct trace *, struct names *,
    const struct usage *, enum usage_table);

#endif
