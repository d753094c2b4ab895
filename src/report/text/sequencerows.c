// SPDX-License-Identifier: Apache-2.0
/*
 * sequencerows: the view of what a thread did, in the order of time, as on the screen
 * (view/sequence_list.h): of the thread in scope, or the main one of several.
 */
#include <config.h>

#include "report/tables.h"
#include "report/text/views.h"

/* The main thread, or that with most records; THREAD_NONE: there is none in scope. */
static uint32_t
thread_choose(const struct report *r)
{
	const struct profile *p = r->profile;
	uint32_t main_thread = trace_main_thread(r->trace), most = THREAD_NONE;

	if (main_thread < p->stack_count && scope_has(r->scope, main_thread))
		return main_thread;
	for (uint32_t t = 0; t < p->stack_count; t++)
		if (scope_has(r->scope, t) &&
		    (most == THREAD_NONE || p->stacks[t].records > p->stacks[most].records))
			most = t;
	return most;
}

bool
sequencerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = r->options;
	struct sequence_list *s = &r->tables->sequence;
	struct sequence_query q = {.thread = thread_choose(r), .range = r->fold->range};
	struct thread_sequence *found;

	if (o->min_given)
		q.least = sequence_least(r->profile, &q.range,
		    (double)o->min_percent / (100.0 * REPORT_PERCENT_UNIT));
	sequence_list_init(s, &r->tables->display);
	found = sequence_find(r->profile, &q, cancel);
	if (found == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	sequence_list_set(s, found);
	list_for_files(&s->list);
	return table_take(r, &s->list, false, e);
}
