/*
 * methods: the views of methods, or of groups of them: a table, or a block for each with its
 * parents above and its children below.
 */
#ifndef SLOWTOP_REPORT_TEXT_METHODS_H
#define SLOWTOP_REPORT_TEXT_METHODS_H

#include "report/text/tables.h"

/*
 * Fills the report's rows: methods, or groups of them, with an event that pass all filters and, if any were
 * named, match one of the methods; sorted, ties by name with (toplevel) first; then cut
 * to the limit.  A pattern is tried on the full name as it is shown and on that in the
 * file's own bytes; either match counts.  False when a pattern is too costly or it was
 * cancelled.
 */
bool methods_choose(struct report *, const atomic_bool *cancel, struct err *e);

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
bool methods_hidden(const struct report *, uint8_t **hidden, const atomic_bool *cancel,
    struct err *);

/*
 * The rows of one list, by inclusive time on the report's clock descending, then name.
 * Where there are children, the method's own time (ROW_SELF) comes before them.  A new
 * array (mem_free); NULL when there are none.
 */
struct row *relation_rows(
    const struct report *, uint32_t method, enum relation_kind, uint32_t *count);

/* Figures of a `struct row` before its name, those that the trace has. */
struct method_columns {
	struct columns columns;
	const struct report *report;
	enum column_id ids[COLUMNS + 1];
};

void method_columns_init(struct method_columns *, const struct report *, const enum column_id *,
    size_t count);

void methods_text(struct sink *, const struct report *);
void methods_write(struct sink *, struct json *, const struct report *);

#endif
