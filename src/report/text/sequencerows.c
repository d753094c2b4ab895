// SPDX-License-Identifier: Apache-2.0
/* sequencerows: the calls of one thread in the order of time (view/sequence_list.h). */
#include <config.h>

#include "report/tables.h"
#include "report/text/views.h"

bool
sequencerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = r->options;
	struct sequence_list *s = &r->tables->sequence;
	struct sequence_query q = {.range = r->fold->range};
	struct thread_sequence *found;

	sequence_list_init(s, &r->tables->display);
	while (q.thread < r->trace->threads.count && !(r->scope != NULL && scope_has(r->scope, q.thread)))
		q.thread++;
	if (r->scope == NULL || scope_size(r->scope) != 1) {
		table_cut(r, &s->list, 0);
		return true;
	}
	if (o->min_given)
		q.least = sequence_least(r->profile, &q.range,
		    (double)o->min_percent / (100.0 * REPORT_PERCENT_UNIT));
	found = sequence_find(r->profile, &q, cancel);
	if (found == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	sequence_list_set(s, found);
	list_for_files(&s->list);
	return table_take(r, &s->list, false, e);
}
