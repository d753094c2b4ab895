/*
 * callrows: the view of single calls: for each method asked for its figures, and its
 * calls a row each, the longest first.
 *
 * Methods are searched one by one while the report is written, so that memory is that of
 * one (profile/calls.h).  The limit is for the calls of each method.
 */
#ifndef SLOWTOP_REPORT_TEXT_CALLROWS_H
#define SLOWTOP_REPORT_TEXT_CALLROWS_H

#include "report/report.h"

/* The report's rows are the methods, those with the most inclusive time first. */
bool callrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
void callrows_text(struct sink *, const struct report *);
void callrows_write(struct sink *, struct json *, const struct report *);

#endif
