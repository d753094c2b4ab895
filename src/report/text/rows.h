/*
 * rows: which methods a report shows, and in which order.
 */
#ifndef SLOWTOP_REPORT_TEXT_ROWS_H
#define SLOWTOP_REPORT_TEXT_ROWS_H

#include "report/report.h"

/*
 * Fills the report's rows: methods, or groups of them, with an event that pass all filters and, if any were
 * named, match one of the methods; sorted, ties by name with (toplevel) first; then cut
 * to the limit.  A pattern is tried on the full name as it is shown and on that in the
 * file's own bytes; either match counts.  False when a pattern is too costly or it was
 * cancelled.
 */
bool rows_choose(struct report *, const atomic_bool *cancel, struct err *e);

/*
 * Does a row of these two names, as shown and as in the file, pass all filters and match
 * one of the methods?  False when a pattern is too costly.
 */
bool rows_pass(const struct report *, struct str shown, struct str raw, bool *passes,
    struct err *e);
/* Cuts the rows to the limit, once they are in order. */
void rows_cut(struct report *);
/*
 * Which methods the filters leave out: 1 for each, by index; the caller's to free, also on
 * failure.  Of the report only options, trace and names are looked at.
 */
bool rows_hidden(const struct report *, uint8_t **hidden, const atomic_bool *cancel, struct err *);

#endif
