/*
 * threadrows: the view of the threads: a row each, those with the most time first.
 */
#ifndef SLOWTOP_REPORT_TEXT_THREADROWS_H
#define SLOWTOP_REPORT_TEXT_THREADROWS_H

#include "report/text/tables.h"

/*
 * Threads in scope whose name passes the filters, in order; the limit, too.  Sorted by
 * time (incl), calls or name (method).
 */
bool threadrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
/* What is shown of a thread before its name; a row is a thread's number. */
struct columns threadrows_columns(const struct report *);

void threadrows_text(struct sink *, const struct report *);
void threadrows_write(struct sink *, struct json *, const struct report *);

#endif
