/*
 * threads: which threads a report is about, from what was typed.
 */
#ifndef SLOWTOP_REPORT_THREADS_H
#define SLOWTOP_REPORT_THREADS_H

#include "report/report.h"

/*
 * Makes the report's scope from its options: each word is the id of a thread, or else the
 * whole name of one or several.  False, with the threads there are in `e`, when there is
 * none.
 */
bool threads_choose(struct report *, struct err *e);

#endif
