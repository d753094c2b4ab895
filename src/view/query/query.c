// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/query/query.h"

#include <string.h>

#include "base/mem.h"
#include "view/query/answering.h"

static void
free_fold(void *fold)
{
	fold_free(fold);
}

static void
free_usage(void *usage)
{
	usage_free(usage);
}

static void
free_calls(void *calls)
{
	calls_free(calls);
}

static void
free_jank(void *jank)
{
	jank_free(jank);
}

static void
free_findings(void *findings)
{
	findings_free(findings);
}

static void
free_sequence(void *sequence)
{
	sequence_free(sequence);
}

const struct query_way query_ways[QUERY_KINDS] = {
	[QUERY_TIMELINE] = {answer_timeline, engine_timeline_free, 0},
	[QUERY_METHODS] = {answer_methods, free_fold,
	    BY_SCOPE | BY_RANGE | BY_TRANSFORMS | BY_IDLE},
	[QUERY_GROUPS] = {answer_groups, engine_groups_free,
	    BY_SCOPE | BY_RANGE | BY_TRANSFORMS | BY_IDLE},
	[QUERY_USAGE] = {answer_usage, free_usage, BY_CHOICE | BY_RANGE},
	[QUERY_PATHS] = {answer_paths, engine_paths_free,
	    BY_SCOPE | BY_RANGE | BY_TRANSFORMS | BY_IDLE | QUERY_KEPT},
	[QUERY_MARKS] = {answer_marks, engine_marks_free, BY_SCOPE},
	[QUERY_POINT] = {answer_point, engine_point_free, 0},
	[QUERY_TRACKS] = {answer_tracks, engine_tracks_free, QUERY_LOADED},
	[QUERY_NEAR] = {answer_near, mem_free, BY_SCOPE | BY_RANGE | QUERY_LOADED},
	[QUERY_FRAMES] = {answer_frames, free_jank,
	    BY_CHOICE | BY_RANGE | QUERY_LOADED | QUERY_KEPT},
	[QUERY_FINDINGS] = {answer_findings, free_findings,
	    BY_CHOICE | BY_RANGE | QUERY_LOADED | QUERY_KEPT},
	[QUERY_SEQUENCE] = {answer_sequence, free_sequence, BY_RANGE | QUERY_LOADED | QUERY_KEPT},
	[QUERY_CALLS] = {answer_calls, free_calls, BY_SCOPE | BY_RANGE | QUERY_LOADED},
};

bool
query_is_chosen(enum query_kind kind)
{
	return (query_ways[kind].flags & BY_CHOICE) != 0;
}

struct query *
query_ask(struct asked *asked, enum query_kind kind)
{
	struct query *q = &asked->queries[kind];
	unsigned by = query_ways[kind].flags;
	bool part = (by & BY_RANGE) != 0 && asked->of.range.from < asked->of.range.to;

	*q = (struct query){
		.of.scope = (by & BY_SCOPE) != 0 ? asked->of.scope
		    : (by & BY_CHOICE) != 0 ? scope_chosen(asked->of.scope) : NULL,
		.of.range = part ? asked->of.range : RANGE_ALL,
		.usage = USAGE_ASK_NONE,
		.method = METHOD_NONE,
	};
	if ((by & BY_TRANSFORMS) != 0) {
		q->of.transforms = asked->of.transforms;
		q->of.folded = asked->of.folded;
	}
	if ((by & BY_IDLE) != 0)
		q->pattern = asked->idle;
	asked->kinds |= 1u << kind;
	return q;
}

struct subset
subset_copy(const struct subset *s)
{
	struct subset copy = {scope_copy(s->scope), s->range, {0}, s->folded};

	transforms_copy(&copy.transforms, &s->transforms);
	return copy;
}

void
subset_release(struct subset *s)
{
	scope_free(s->scope);
	transforms_release(&s->transforms);
	*s = (struct subset){0};
}

struct query
query_copy(const struct query *q)
{
	struct query copy = *q;

	copy.of = subset_copy(&q->of);
	copy.rows = mem_alloc(q->row_count * sizeof(*copy.rows));
	if (q->row_count > 0)
		memcpy(copy.rows, q->rows, q->row_count * sizeof(*copy.rows));
	copy.pattern.p = mem_text(q->pattern);
	copy.frames.p = mem_text(q->frames);
	return copy;
}

void
query_release(struct query *q)
{
	subset_release(&q->of);
	mem_free(q->rows);
	mem_free((char *)(uintptr_t)q->pattern.p);
	mem_free((char *)(uintptr_t)q->frames.p);
	*q = (struct query){0};
}

bool
subset_equal(const struct subset *a, const struct subset *b)
{
	return scope_equal(a->scope, b->scope) && range_equal(&a->range, &b->range) &&
	    a->folded == b->folded && transforms_equal(&a->transforms, &b->transforms);
}

static bool
rows_equal(const struct query *a, const struct query *b)
{
	if (a->row_count != b->row_count)
		return false;
	for (uint32_t i = 0; i < a->row_count; i++) {
		if (!track_equal(&a->rows[i], &b->rows[i]))
			return false;
	}
	return true;
}

static bool
slow_equal(const struct slow_calls *a, const struct slow_calls *b)
{
	return a->of == b->of && a->method == b->method && a->thread == b->thread && a->over == b->over;
}

bool
query_equal(const struct query *a, const struct query *b)
{
	return subset_equal(&a->of, &b->of) && a->together == b->together &&
	    a->by == b->by && a->relations == b->relations &&
	    usage_ask_equal(&a->usage, &b->usage) && range_equal(&a->window, &b->window) &&
	    a->columns == b->columns && rows_equal(a, b) && a->method == b->method &&
	    track_equal(&a->point, &b->point) && a->at == b->at && a->clock == b->clock &&
	    a->budget == b->budget && str_equal(a->pattern, b->pattern) &&
	    slow_equal(&a->slow, &b->slow) && str_equal(a->frames, b->frames) && a->serial == b->serial && a->direction == b->direction &&
	    a->from.start == b->from.start && a->from.thread == b->from.thread &&
	    a->from.order == b->from.order;
}

void
answer_release(struct answer *a, enum query_kind kind)
{
	if (a->value != NULL)
		query_ways[kind].free(a->value);
	query_release(&a->of);
	*a = (struct answer){0};
}
