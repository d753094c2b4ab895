/*
 * htmlparts: the parts of the page; private to htmlreport.
 */
#ifndef SLOWTOP_REPORT_HTMLPARTS_H
#define SLOWTOP_REPORT_HTMLPARTS_H

#include "report/report.h"

struct page {
	struct sink *sink;
	struct sbuf *out;
	const struct report *report;
	uint32_t blocks; /* rows whose methods have a block of parents and children */
};

/* Begins a part; </section> ends it. */
void page_section(const struct page *, const char *id, const char *title);
/* Says how much of a table is shown, when that is not all. */
void page_left_out(const struct page *, uint32_t shown, uint32_t all, const char *what);

/* The table of methods, with links to those that have a block. */
void page_profile(const struct page *);
/* The blocks, into a buffer of their own; tells the page how many there are. */
void page_relations(struct page *, struct sbuf *into);

#endif
