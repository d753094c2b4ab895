/*
 * threadrows: the view of the threads: a row each, those with the most time first.
 */
#ifndef SLOWTOP_REPORT_TEXT_THREADROWS_H
#define SLOWTOP_REPORT_TEXT_THREADROWS_H

#include "report/report.h"
#include "report/text/figuretext.h"

/*
 * Threads in scope whose name passes the filters, in order; the limit, too.  Sorted by
 * time (incl), calls or name (method).
 */
bool threadrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
/* What is shown of a thread before its name. */
extern const struct figure threadrows_figures[];
extern const int threadrows_figure_count;

void threadrows_text(struct sink *, const struct report *);
void threadrows_csv(struct sink *, const struct report *);
void threadrows_json(struct json *, struct sink *, const struct report *);

#endif
