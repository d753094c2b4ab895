// SPDX-License-Identifier: Apache-2.0
/*
 * views: what report_views are made of: which rows each has, and how they are written; and
 * what the documents around them have in common.
 *
 * NAME_choose fills the report's rows, NAME_text writes them for people and NAME_write for
 * programs: as CSV with its heading, or as members of the JSON document.
 */
#pragma once

#include "profile/sum/paths.h"
#include "report/report.h"
#include "view/pages/info.h"
#include "view/sheet.h"
#include "view/tree/rows.h"

/* document.c */
/* The keys of the time between two events, on each clock. */
extern const char *const member_span_keys[CLOCKS];

/* Nothing for clocks that are not in the mask. */
void member_times(struct json *, unsigned clocks, const char *const keys[CLOCKS],
    const nsec times[CLOCKS]);

/* The arrays "damage" and "edges". */
void members_damage(struct json *, const struct damage *);

/* Begins a document: its outermost object is open. */
void members_begin(struct json *, struct sink *, const struct trace *);
/*
 * Ends the document.  When the sink takes no more, what was written stays without an end:
 * half a document must not look like a whole one.
 */
void members_end(struct json *, struct sink *);

/*
 * Facts as the head of a report, or as lists of an HTML page; of several with one name only the
 * first is named.
 */
void facts_text(struct sbuf *, const struct info *);
void facts_html(struct sbuf *, const struct info *);
/* Add the filters and transforms that were asked for, and the window. */
void facts_chosen(struct info *, const struct report *);
void facts_window(struct info *, const struct report *);

/* The functions of report_formats. */
void report_text(struct sink *, const struct report *);
void report_csv(struct sink *, const struct report *);
void report_json(struct sink *, const struct report *);
void report_lines(struct sink *, const struct report *);
/* Writes the facts about the trace; for a report on all threads and all of the time. */
void info_text(struct sink *, const struct report *);
void info_json(struct sink *, const struct report *);
void info_lines(struct sink *, const struct report *);

/* methods.c */
/*
 * Fills the report's rows: methods, or groups of them, with an event that pass all
 * filters and, if any were named, match one of the methods; sorted, ties by name with
 * (toplevel) first; then cut to the limit.  A pattern is tried on the full name in its
 * shown form and in the file's own bytes; either match counts.  False when a pattern is
 * too costly or it was cancelled.
 */
bool methods_choose(struct report *, const atomic_bool *cancel, struct err *e);

/*
 * Finds if a row of these two names, as shown and as in the file, passes all filters and
 * matches one of the methods.  False when a pattern is too costly.
 */
bool rows_pass(const struct report *, struct str shown, struct str raw, bool *passes,
    struct err *e);
/* Like rows_pass, for filters only. */
bool rows_pass_filters(const struct report *, struct str shown, struct str raw, bool *passes,
    struct err *e);
/* Like rows_pass, for a method's name, or its group's. */
bool method_passes(const struct report *, uint32_t method, bool *passes, struct err *e);
/*
 * Which methods the filters leave out: 1 for each, by index; the caller's to free, also on
 * failure.  Of the report only options, trace and names are looked at.
 */
bool methods_hidden(const struct report *, uint8_t **hidden, const atomic_bool *cancel,
    struct err *);

/* A method with its relations, as rows. */
struct text_block {
	const struct report *report;
	uint32_t method;
	struct row *rows; /* mem_free */
	size_t count, room;
	bool goes_on;      /* in CSV: the heading is written */
	struct sink *sink; /* of JSON */
};

/* For people: parents above the method, children below it. */
void block_make(struct text_block *, uint32_t method);
/* Its columns for people, of which the last one is the name. */
void block_sheet(struct sheet *, const struct text_block *);

void methods_text(struct sink *, const struct report *);
void methods_write(struct sink *, struct json *, const struct report *);

/* treerows.c */
/* Fills the report's `tree` and count; false as report_make. */
bool treerows_choose(struct report *, const atomic_bool *cancel, struct err *e);

void treerows_text(struct sink *, const struct report *);
void treerows_write(struct sink *, struct json *, const struct report *);

/* callrows.c */
/* The report's rows are the methods, those with the most inclusive time first. */
bool callrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
void callrows_text(struct sink *, const struct report *);
void callrows_write(struct sink *, struct json *, const struct report *);

/* framerows.c */
/* The frames that pass the filters, sorted, up to the limit; false as report_make. */
bool framerows_choose(struct report *, const atomic_bool *cancel, struct err *e);
void framerows_text(struct sink *, const struct report *);
void framerows_write(struct sink *, struct json *, const struct report *);

/* sequencerows.c */
/*
 * Makes the list of what a thread did, as table_text and table_report write it; false as
 * report_make.
 */
bool sequencerows_choose(struct report *, const atomic_bool *cancel, struct err *e);

/* logs.c */
/* False for method traces, and logs without what the table is about. */
bool logrows_choose(struct report *, const atomic_bool *cancel, struct err *e);
/* Returns what must be listed for the view, beside sums. */
struct usage_ask logrows_ask(const struct report *);

/* The object "log" of a text log, with its tables as arrays; nothing of a method trace. */
void logs_json(struct sink *, struct json *, const struct report *);
