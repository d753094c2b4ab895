/* answer-calls: the calls of a method, which come while they are found, and the next one. */
#include <config.h>

#include "base/clock.h"
#include "view/answer.h"

/* From the question to the first part of the answer, and from one part to the next. */
enum { FIRST_MS = 80, NEXT_MS = 250 };

bool
wish_same_calls(const struct wish *a, const struct wish *b)
{
	return a->calls_method == b->calls_method &&
	       (a->calls_method == METHOD_NONE ||
		   (a->calls_clock == b->calls_clock &&
		       a->calls_budget == b->calls_budget &&
		       a->range.from == b->range.from && a->range.to == b->range.to &&
		       scope_equal(a->scope, b->scope)));
}

static struct calls_query
query_of(const struct wish *w, uint32_t method)
{
	return (struct calls_query){
	    .scope = w->scope,
	    .range = w->range,
	    .method = method,
	    .clock = w->calls_clock,
	    .budget = w->calls_budget,
	};
}

void
answer_calls_stop(struct answerer *a)
{
	calls_search_free(a->search);
	a->search = NULL;
	if (a->searched.records > 0)
		wish_release(&a->searched.wish);
	a->searched.records = 0;
}

/* The search for what is wished: the one that is under way, or a new one. */
static void
search_begin(struct answerer *a, const struct wish *wish)
{
	struct calls_query query;

	if (a->search != NULL && a->searched.records == a->profile->records + 1 &&
	    wish_same_calls(&a->searched.wish, wish))
		return;
	answer_calls_stop(a);
	a->searched.wish = wish_copy(wish);
	a->searched.records = a->profile->records + 1;
	query = query_of(&a->searched.wish, wish->calls_method);
	a->search = calls_search_new(a->profile, &query);
	a->search_due = clock_ms() + FIRST_MS;
}

bool
answer_calls(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	bool more;

	if (wish->calls_method == METHOD_NONE) {
		answer_calls_stop(a);
		return true;
	}
	search_begin(a, wish);
	calls_search_guide(a->search, a->overview);
	do {
		more = calls_search_step(a->search);
	} while (more && !atomic_load(cancel) && clock_ms() < a->search_due);
	if (more && clock_ms() < a->search_due)
		return false;
	news->calls = calls_search_result(a->search);
	a->search_due = clock_ms() + NEXT_MS;
	if (!more)
		answer_calls_stop(a);
	return !more;
}

bool
answer_next_call(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	struct calls_query query = query_of(wish, wish->near_method);

	if (wish->near_method == METHOD_NONE)
		return true;
	if (!calls_near(a->profile, &query, &wish->near_from, wish->near_direction,
		&news->near_place, &news->near_call, cancel))
		return false;
	news->near_serial = wish->near_serial;
	return true;
}
