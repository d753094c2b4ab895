/*
 * logrows: the tables of a text log (view/usage_tables.h) as views of the report:
 * "log-latency" is the table "latency".
 *
 * Rows are those of the chosen threads and range, in the table's own order unless another
 * one is asked for.  Filters look at all texts of a row.
 */
#ifndef SLOWTOP_REPORT_TEXT_LOGROWS_H
#define SLOWTOP_REPORT_TEXT_LOGROWS_H

#include "report/report.h"

struct logrows;

/* False for method traces, and logs without what the table is about. */
bool logrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
void logrows_free(struct logrows *);
/* Has any of the tables a column that CSV and JSON call so? */
bool logrows_is_column(const char *word);
/* The i-th column of the view, as CSV and JSON call it; false behind the last. */
bool logrows_column(const char *view, int i, char word[static FMT_SIZE]);
/* What must be listed for the view, beside sums. */
struct usage_ask logrows_ask(const struct report_options *);

void logrows_text(struct sink *, const struct report *);
void logrows_write(struct sink *, struct json *, const struct report *);

#endif
