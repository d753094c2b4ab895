/*
 * text: the report for people: what the trace is, then a table, or a block for each
 * method with its parents above and its children below it.
 */
#ifndef SLOWTOP_REPORT_TEXT_H
#define SLOWTOP_REPORT_TEXT_H

#include "report/report.h"

void report_text(struct sink *, const struct report *);

#endif
