// SPDX-License-Identifier: Apache-2.0
/*
 * tables: views written out as the lists of the screen: sorted, filtered and cut as the options
 * say, then written as text, CSV or JSON.  What a file holds is what the screen writes with
 * `:write` (view/list/list.h).
 */
#pragma once

#include "report/report.h"
#include "view/calls_list.h"
#include "view/display.h"
#include "view/findings_list.h"
#include "view/frames.h"
#include "view/log/tables.h"
#include "view/methods.h"
#include "view/packages.h"
#include "view/sequence_list.h"
#include "view/threads.h"
#include "view/tree/calltree.h"
#include "view/tree/rows.h"

/* Models for a report's list; the view says which one it uses. */
struct tables {
	struct display display;
	struct list *list; /* of those below; its rows are cut at the limit */
	struct findings_list findings;
	struct frames frames;
	struct threads threads;
	struct calls_list calls;
	struct sequence_list sequence;
	struct methods methods;
	struct calltree tree; /* only its order */
	struct packages packages;
	struct usage_tables log;
};

/*
 * The list as the report's: in the order of --sort, only rows whose texts pass the filters and,
 * where `methods`, match one of the methods, up to the limit; r->matched rows stay in memory.
 * False when there is no such column, or a pattern is too costly.
 */
bool table_take(struct report *, struct list *, bool methods, struct err *);
/* With figures and names of the report; the folds become theirs. */
struct tables *tables_new(const struct report *);
void tables_free(struct tables *);
/* Finds what came since the report before, and keeps what there is for the next. */
void past_take(struct report_past *, const struct report *);
/* The list of methods, or of their groups. */
struct list *table_methods(const struct report *);
/* In text only these columns, from left to right. */
void table_columns(struct list *, const char *const *words);
/* The first `count` rows are those that match: the list is cut at the limit. */
void table_cut(struct report *, struct list *, size_t count);
/* The list in the order of --sort, if that is given; else false, and what columns there are. */
bool table_sort(struct list *, const struct report_options *, struct err *);

/* The list's rows meet --where; false when it has no such columns. */
bool table_where(struct report *, struct list *, struct err *);

/* The rows with titles, those that the list has on the screen. */
void table_text(struct sink *, const struct report *);
/* As CSV with its heading, or the array of that name; `how`: members, goes_on; may be NULL. */
void table_write(struct sink *, struct json *, const struct list *, const char *name,
    const struct sheet *how);
/* Begins a sheet for people: these columns, up to COLUMNS, as far as the trace has them. */
void table_figures(struct sheet *, const struct report *, const enum column_id *, const char *name);
/* A sheet's rows; JSON: those of an array that is open in it. */
void table_rows(struct sink *, struct json *, struct sheet *, enum sheet_format);
/* CSV and JSON of a sheet, which is released. */
void table_sheet(struct sink *, struct json *, struct sheet *, const char *name);
/* Writes the report's own list, called as its view, as CSV or JSON. */
void table_report(struct sink *, struct json *, const struct report *);

/* The view of the threads in scope; false as report_make. */
bool threads_choose(struct report *, const atomic_bool *cancel, struct err *);
