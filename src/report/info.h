/*
 * info: what a trace is, without a method of it: `slowtop info`.
 *
 * The text is that of the terminal program's view (view/info.h).  The form of the JSON is
 * in slowtop(1) and stays.
 */
#ifndef SLOWTOP_REPORT_INFO_H
#define SLOWTOP_REPORT_INFO_H

#include "report/report.h"

/* Of a report on all threads and all of the time. */
void info_text(struct sink *, const struct report *);
void info_json(struct sink *, const struct report *);

#endif
