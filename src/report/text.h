/*
 * text: the report for people: what the trace is, then the rows of the view; those of
 * methods are a table, or a block for each with its parents above and its children below.
 */
#ifndef SLOWTOP_REPORT_TEXT_H
#define SLOWTOP_REPORT_TEXT_H

#include "report/report.h"

void report_text(struct sink *, const struct report *);
/* Methods, or groups of them. */
void text_methods(struct sink *, const struct report *);

#endif
