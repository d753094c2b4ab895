/*
 * fields: what a line of CSV is put together from.
 *
 * Each field ends in a comma; the last one's becomes the end of the line.
 */
#ifndef SLOWTOP_REPORT_TEXT_FIELDS_H
#define SLOWTOP_REPORT_TEXT_FIELDS_H

#include "report/report.h"

void field_put(struct sbuf *out, struct str value);
void field_count(struct sbuf *out, uint64_t value);
/* A time, in microseconds; nothing for a clock that the trace lacks. */
void field_time(struct sbuf *out, const struct report *, enum clock_id, nsec time);
/* Inclusive and exclusive time on each clock that the trace has; NULL: without. */
void field_times(struct sbuf *out, const struct report *, const nsec *inclusive,
    const nsec *exclusive);
/* The headings of it. */
void field_time_names(struct sbuf *out, const struct report *, bool exclusive);
void field_line_end(struct sbuf *out);

#endif
