// SPDX-License-Identifier: Apache-2.0
/*
 * htmlparts: parts of the report's page, and what they are written with.
 */
#pragma once

#include "report/flame/flame.h"
#include "report/report.h"
#include "report/text/html.h"
#include "view/findings.h"
#include "view/list/list.h"

struct page {
	struct sink *sink;
	struct sbuf *out;
	const struct report *report;
	const struct flame *flame;
	const struct findings *found; /* NULL when it was cancelled */
	struct report *frames;        /* those over the budget; NULL: the trace has no frames */
	bool timeline;         /* there is one, and so are the places of findings */
	const uint8_t *blocks; /* by method: it has a block of parents and children */
};

/* names_words */
const char *part_words(const struct page *, const char *text) __attribute__((format_arg(2)));
/* Begins a page that may have a flame graph, with a link to the element `skip_to` before all else. */
void page_begin(const struct page *, struct str title, const char *skip_to);
/* Ends its <main>, and the page. */
void page_end(const struct page *);
/* Begins a part; </section> ends it. */
void part_begin(const struct page *, const char *id, const char *title);

/* A table and its bounds; `methods`: names of methods that have a block link to it. */
struct part_table {
	const char *caption, *what; /* what: its rows are */
	size_t rows, bytes;
	bool methods;
};

void part_table(const struct page *, const struct list *, const struct part_table *);
/*
 * Writes the flame graph of a root, or with PATH_NONE of all, within about so many bytes; returns
 * those that it took.
 */
size_t part_graph(const struct page *, uint32_t root, size_t bytes);
extern const char report_style[];
/* True if the page has a block of the method's parents and children. */
bool part_has_block(const struct page *, uint32_t method);

/* htmlhead.c */
/* Writes the facts about the trace.  `busiest`: the thread with the most working time, `busy`, or
 * THREAD_NONE. */
void page_head(const struct page *, uint32_t busiest, nsec busy);

/* htmlfound.c */
/* Finds what is slow, and the frames that are late; false when it was cancelled. */
void found_make(struct page *);
void found_release(struct page *);
/* The longest of each late finding, as marks of the timeline; their texts; how many there are. */
uint32_t found_marks(const struct page *, struct flame_mark *, uint32_t most, struct sbuf *texts);
/* Writes the findings, each with its evidence, and the limits. */
void page_findings(const struct page *);
void page_frames(const struct page *);
/* Appends the methods that findings and late frames are about, once each or more often. */
void found_methods(const struct page *, uint32_t *methods, uint32_t *count, uint32_t most);
