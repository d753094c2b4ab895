// SPDX-License-Identifier: Apache-2.0
/* Sums: methods, call tree, use of a log's threads and cores. */
#include <config.h>

#include "base/mem.h"
#include "profile/sum/transform.h"
#include "profile/timeline/percall.h"
#include "trace/folded.h"
#include "view/query/answering.h"

/* Sums of the recorded tree stay. */
static void
transformed_forget(struct answering *a)
{
	transforms_release(&a->of.transforms);
	transformed_free(a->transformed);
	a->transformed = NULL;
}

static void
recorded_forget(struct answering *a)
{
	transformed_forget(a);
	fold_free(a->recorded);
	scope_free(a->of.scope);
	a->recorded = NULL;
	a->of.scope = NULL;
}

static void
counts_forget(struct answering *a)
{
	if (a->known)
		range_release(&a->sums);
	a->known = false;
}

static void
idle_forget(struct answering *a)
{
	mem_free((char *)(uintptr_t)a->idle_pattern.p);
	mem_free(a->idle);
	a->idle_pattern = (struct str){0};
	a->idle = NULL;
}

void
answering_release(struct answering *a)
{
	same_release(&a->folded);
	idle_forget(a);
	counts_forget(a);
	answering_calls_stop(a);
	answering_tracks_stop(a);
	recorded_forget(a);
}

/* The counts within the query's range, by node, for all threads: NULL for the whole trace. */
static bool
counts_find(struct answering *a, const struct query *query, const struct range_sums **sums,
    const atomic_bool *cancel)
{
	*sums = NULL;
	if (range_is_whole(&query->of.range, a->profile))
		return true;
	if (!a->known || !range_equal(&a->range, &query->of.range)) {
		counts_forget(a);
		if (!range_count(a->profile, NULL, &query->of.range, &a->sums, &a->done, cancel))
			return false;
		a->known = true;
		a->range = query->of.range;
	}
	*sums = &a->sums;
	return true;
}

/* The tree that the query's transforms make of these counts: NULL without any. */
static bool
transformed_find(struct answering *a, const struct query *query, const struct range_sums *sums,
    const struct transformed **x, const atomic_bool *cancel)
{
	*x = NULL;
	if (!transforms_active(&query->of.transforms))
		return true;
	if (!range_equal(&a->of.range, &query->of.range) || a->of.folded != query->of.folded ||
	    !scope_equal(a->of.scope, query->of.scope)) {
		recorded_forget(a);
		a->of.scope = scope_copy(query->of.scope);
		a->of.range = query->of.range;
		a->of.folded = query->of.folded;
	}
	if (a->transformed == NULL || !transforms_equal(&a->of.transforms, &query->of.transforms)) {
		transformed_forget(a);
		a->transformed = transform_profile(
		    &query->of.transforms, a->profile, query->of.scope, sums,
		    query->of.folded, cancel);
		if (a->transformed == NULL)
			return false;
		transforms_copy(&a->of.transforms, &query->of.transforms);
	}
	*x = a->transformed;
	return true;
}

/* False when cancelled. */
static bool
idle_find(struct answering *a, const struct query *query, const atomic_bool *cancel)
{
	const struct trace *t = a->profile->trace;
	const struct transform idle = {.id = TRANSFORM_IDLE};
	struct err e = {0};

	if (str_equal(a->idle_pattern, query->pattern) &&
	    (a->idle == NULL || a->idle_count == trace_method_count(t)))
		return true;
	/* Kept answers have the idle time of the pattern before. */
	recorded_forget(a);
	idle_forget(a);
	a->idle_count = trace_method_count(t);
	if (query->pattern.n > 0)
		a->idle = transform_matches(&idle, t, a->idle_count, query->pattern, cancel, &e);
	if (e.kind == ERR_CANCELLED)
		return false;
	a->idle_pattern = (struct str){mem_text(query->pattern), query->pattern.n};
	return true;
}

/* Finds as what each method is counted by the query: by folded names, or NULL. */
static const uint32_t *
folded_find(struct answering *a, const struct query *query, uint32_t *count)
{
	*count = 0;
	if (!query->of.folded)
		return NULL;
	if (a->folded.as == NULL || a->folded.count < trace_method_count(a->profile->trace)) {
		same_release(&a->folded);
		same_folded(&a->folded, a->profile->trace, a->folding != 0 ? a->folding : FOLD_NAMES);
	}
	*count = a->folded.count;
	return a->folded.as;
}

bool
answering_source(struct answering *a, const struct query *query, struct fold_query *source,
    const atomic_bool *cancel)
{
	*source = (struct fold_query){.scope = query->of.scope, .range = &query->of.range};
	source->same = folded_find(a, query, &source->same_count);
	if (!idle_find(a, query, cancel))
		return false;
	source->idle = a->idle;
	source->idle_count = a->idle_count;
	/* A known range is not counted again. */
	atomic_store(&a->done, 0);
	return counts_find(a, query, &source->sums, cancel) &&
	    transformed_find(a, query, source->sums, &source->of, cancel);
}

/* Finds the fold as recorded, which the query's is beside; false when cancelled. */
static bool
recorded_find(struct answering *a, struct fold_query *q, const atomic_bool *cancel)
{
	struct fold_query recorded = *q;

	if (q->of == NULL)
		return true;
	recorded.of = NULL;
	recorded.relations = false;
	/* Kept: the next query may be for other transforms of the same. */
	if (a->recorded == NULL)
		a->recorded = fold_make(a->profile, &recorded, cancel);
	q->recorded = a->recorded;
	return a->recorded != NULL;
}

bool
answer_methods(struct answering *a, const struct query *query, struct answer *answer,
    const atomic_bool *cancel)
{
	struct fold_query q;

	if (!answering_source(a, query, &q, cancel))
		return false;
	q.relations = true;
	if (!recorded_find(a, &q, cancel))
		return false;
	answer->value = fold_make(a->profile, &q, cancel);
	if (answer->value != NULL && q.of != NULL)
		answer->err = q.of->err;
	return answer->value != NULL;
}

bool
answer_groups(struct answering *a, const struct query *query, struct answer *answer,
    const atomic_bool *cancel)
{
	struct engine_groups *made;
	struct fold_query q;

	if (!answering_source(a, query, &q, cancel))
		return false;
	made = mem_zero(1, sizeof(*made));
	same_make(&made->same, a->profile->trace, query->by);
	q.same = made->same.as;
	q.same_count = made->same.count;
	q.relations = query->relations;
	made->fold = fold_make(a->profile, &q, cancel);
	if (made->fold == NULL) {
		engine_groups_free(made);
		return false;
	}
	answer->value = made;
	if (q.of != NULL)
		answer->err = q.of->err;
	return true;
}

void
engine_groups_free(void *value)
{
	struct engine_groups *g = value;

	if (g == NULL)
		return;
	fold_free(g->fold);
	same_release(&g->same);
	mem_free(g);
}

bool
answer_usage(struct answering *a, const struct query *query, struct answer *answer,
    const atomic_bool *cancel)
{
	if (a->profile->trace->log == NULL)
		return true;
	answer->value =
	    usage_new(a->profile, query->of.scope, &query->of.range, &query->usage, cancel);
	return answer->value != NULL;
}

/* Joins the paths of slow calls with those of the others. */
static void
slow_join(struct answering *a, const struct query *query, const struct percall *calls,
    struct engine_paths *made, const atomic_bool *cancel, struct err *e)
{
	const struct profile *p = a->profile;
	struct paths *of[DIFF_SIDES] = {NULL};
	struct str thread = calls->thread != THREAD_NONE ? trace_thread(p->trace, calls->thread)->name : STR("");

	for (uint32_t side = 0; side < calls->count; side++)
		made->calls[side] = calls->side[side].calls;
	made->thread = calls->thread;
	if (!percall_check(made->calls, calls->cut, query->slow.of == SLOW_METHOD ? "the method" : NULL, thread,
		query->slow.over > 0 ? query->slow.over : -1, e))
		return;
	for (int side = 0; side < DIFF_SIDES; side++)
		of[side] = paths_counted(p, query->of.scope, NULL, calls->side[side].tree, query->together,
		    query->of.folded, cancel);
	if (of[DIFF_A] != NULL && of[DIFF_B] != NULL)
		made->pair = pathpair_new(p->trace, p->trace, (const struct paths *const *)of,
		    made->calls, cancel);
	for (int side = 0; side < DIFF_SIDES; side++)
		paths_free(of[side]);
}

/* Adds slow calls and the others, where they are asked for; false when cancelled. */
static bool
slow_add(struct answering *a, const struct query *query, struct engine_paths *made, struct err *e,
    const atomic_bool *cancel)
{
	struct percall_query q = {.scope = query->of.scope, .range = query->of.range, .pattern = query->frames,
	    .method = query->slow.method, .over = query->slow.over, .folded = query->of.folded};
	const struct jank_query judged = {.scope = query->of.scope, .range = query->of.range,
	    .pattern = query->frames, .budget = query->budget};
	struct scope *one = NULL;
	struct percall *calls = NULL;
	struct jank *frames = NULL;

	if (query->slow.of == SLOW_NONE)
		return true;
	if (query->slow.thread != THREAD_NONE) {
		q.scope = one = scope_new(a->profile->stack_count, false);
		if (query->slow.thread < a->profile->stack_count)
			one->in[query->slow.thread] = 1;
	}
	/* Frames are judged, where calls are not by their time. */
	if (query->slow.over <= 0)
		q.frames = frames = jank_find(a->profile, &judged, cancel, e);
	if (!is_cancelled(cancel) && e->kind == ERR_NONE)
		calls = percall_new(a->profile, &q, cancel, e);
	if (calls != NULL)
		slow_join(a, query, calls, made, cancel, e);
	percall_free(calls);
	jank_free(frames);
	scope_free(one);
	return !is_cancelled(cancel);
}

bool
answer_paths(struct answering *a, const struct query *query, struct answer *answer,
    const atomic_bool *cancel)
{
	struct engine_paths *made;
	struct fold_query q;
	struct paths *paths;

	if (!answering_source(a, query, &q, cancel))
		return false;
	paths = paths_counted(a->profile, q.scope, q.sums, q.of, query->together, query->of.folded,
	    cancel);
	if (paths == NULL)
		return false;
	paths_mark_idle(paths, a->profile->trace, q.idle, q.idle_count);
	made = mem_zero(1, sizeof(*made));
	made->paths = paths;
	made->callers = callers_new(paths, NULL);
	made->range = query->of.range;
	made->together = query->together;
	made->slow = query->slow;
	if (!slow_add(a, query, made, &answer->err, cancel)) {
		engine_paths_free(made);
		return false;
	}
	answer->value = made;
	return true;
}

void
engine_paths_free(void *value)
{
	struct engine_paths *p = value;

	if (p == NULL)
		return;
	callers_free(p->callers);
	paths_free(p->paths);
	pathpair_free(p->pair);
	mem_free(p);
}

