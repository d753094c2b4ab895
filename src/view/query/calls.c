// SPDX-License-Identifier: Apache-2.0
/*
 * Queries about calls: those of a method, which come while they are found, and the next one;
 * frames; findings; calls in order.
 */
#include <config.h>

#include "base/worker.h"
#include "base/mem.h"
#include "view/query/answering.h"

/* Time from the query to the first part of the answer, and from one part to the next. */
enum { FIRST_MS = 80, NEXT_MS = 250 };

static struct calls_query
query_of(const struct query *q)
{
	return (struct calls_query){
	    .scope = q->of.scope,
	    .range = q->of.range,
	    .method = q->method,
	    .clock = q->clock,
	    .budget = q->budget,
	};
}

void
answering_calls_stop(struct answering *a)
{
	calls_search_free(a->search);
	query_release(&a->searched);
	a->search = NULL;
}

/* The search for the query: the running one, or a new one. */
static void
search_begin(struct answering *a, const struct query *q)
{
	struct calls_query query;

	if (a->search != NULL && query_equal(&a->searched, q))
		return;
	answering_calls_stop(a);
	a->searched = query_copy(q);
	query = query_of(&a->searched);
	a->search = calls_search_new(a->profile, &query);
	a->search_due = clock_ms() + FIRST_MS;
}

bool
answer_calls(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	bool more;

	search_begin(a, q);
	do {
		more = calls_search_step(a->search);
	} while (more && !atomic_load(cancel) && clock_ms() < a->search_due);
	if (more && clock_ms() < a->search_due)
		return false;
	answer->value = calls_search_result(a->search);
	a->search_due = clock_ms() + NEXT_MS;
	if (!more)
		answering_calls_stop(a);
	return !more;
}

bool
answer_near(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct calls_query query = query_of(q);
	struct engine_near *near = mem_zero(1, sizeof(*near));

	answer->value = near;
	if (calls_near(a->profile, &query, &q->from, q->direction, &near->place, &near->call,
		cancel))
		return true;
	answer->value = NULL;
	mem_free(near);
	return false;
}

bool
answer_frames(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct jank_query query = {.scope = q->of.scope, .range = q->of.range,
	    .pattern = q->pattern, .budget = q->budget};

	answer->value = jank_find(a->profile, &query, cancel, &answer->err);
	return answer->value != NULL;
}

bool
answer_findings(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct finding_rules rules = {.patterns = NULL};
	/* Everything is judged over one stretch of time. */
	struct finding_query query = {.rules = &rules, .range = range_readable(a->profile, q->of.range)};
	struct str lines = q->pattern;

	while (lines.n > 0) {
		struct str value = str_cut(&lines, '\n'), name = str_cut(&value, '=');

		/* settings_set has checked each. */
		(void)finding_rules_set(&rules, name, value, &answer->err);
	}
	finding_scope(&query, a->profile, q->of.scope, q->of.scope != NULL && scope_size(q->of.scope) > 1);
	answer->value = findings_find(a->profile, &query, cancel, &answer->err);
	finding_rules_release(&rules);
	return answer->value != NULL;
}

bool
answer_sequence(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct sequence_query query = {.thread = q->point.index, .range = q->of.range};

	answer->value = sequence_find(a->profile, &query, cancel);
	return answer->value != NULL;
}
