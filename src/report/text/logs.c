// SPDX-License-Identifier: Apache-2.0
/*
 * logs: text logs in reports: their tables (view/log/tables.h) as views, "log-latency" is the
 * table "latency"; and what JSON says of a log beside its slices.
 *
 * Rows are those of the chosen threads and range, in the table's own order unless another
 * one is asked for.  Filters look at all texts of a row.
 */
#include <config.h>

#include "report/text/views.h"

#include "report/tables.h"

/* Tables --------------------------------------------------------------------------- */

struct usage_ask
logrows_ask(const struct report *r)
{
	const struct report_view *view = r->options->view;
	struct usage_ask ask = USAGE_ASK_NONE;

	if (view->choose == logrows_choose)
		ask.what = usage_table_info[view->table]->asks;
	if (ask.what == USAGE_ASK_PATH) {
		struct finding_query judged = {.thread = THREAD_NONE};

		/* The thread that was chosen, else main of the app in front. */
		finding_scope(&judged, r->profile, r->scope, true);
		ask.thread = r->scope != NULL ? judged.thread : trace_main_thread(r->trace);
		ask.at = r->options->range.from > r->profile->begin ? r->options->range.from : r->profile->begin;
		ask.to = r->options->range.to < r->profile->end ? r->options->range.to : r->profile->end;
	}
	return ask;
}

bool
logrows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct usage_tables *t = &r->tables->log;

	usage_tables_init(t, &r->tables->display.figures);
	t->now = (enum usage_table)r->options->view->table;
	t->ask = logrows_ask(r);
	usage_tables_fill(t, r->trace, r->usage);
	if (t->missing != NULL)
		return err_set(e, ERR_UNSUPPORTED, "%s", t->missing);
	if (t->now == USAGE_PATH && t->ask.thread == THREAD_NONE)
		return err_set(e, ERR_UNSUPPORTED,
		    "no app is in front: --thread=NAME says whose time it is (--view=threads lists them)");
	return table_take(r, usage_tables_list(t), true, e);
}

/* Beside slices -------------------------------------------------------------------- */

void
logs_json(struct sink *sink, struct json *j, const struct report *r)
{
	static const enum usage_table shown[] = {USAGE_PROCESSES, USAGE_CORES, USAGE_LEVELS,
	    USAGE_STATES, USAGE_LATENCY, USAGE_BLOCKED, USAGE_PRIORITIES, USAGE_COUNTERS,
	    USAGE_CHAINS, USAGE_STARTS, USAGE_SUMMARY};
	struct usage_tables t;

	if (r->trace->log == NULL)
		return;
	usage_tables_init(&t, &r->figures);
	member_object(j, "log");
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		t.now = shown[i];
		usage_tables_fill(&t, r->trace, r->usage);
		if (t.missing == NULL)
			table_write(sink, j, usage_tables_list(&t), usage_table_info[t.now]->source.word,
			    NULL);
	}
	json_end(j);
	usage_tables_release(&t);
}
