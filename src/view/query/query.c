// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/query/query.h"

#include "base/mem.h"
#include "view/query/answering.h"

#define QUERY(number, type, release, ...)                                                         \
	static void free_##number(void *value)                                                    \
	{                                                                                         \
		release((type *)value);                                                           \
	}
#include "view/query/query.def"
#undef QUERY

const struct query_way query_ways[QUERY_KINDS] = {
#define QUERY(number, type, release, run, flags) [QUERY_##number] = {run, free_##number, flags},
#include "view/query/query.def"
#undef QUERY
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
	copy.rows = mem_dup(q->rows, q->row_count, sizeof(*q->rows));
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

bool
query_equal(const struct query *a, const struct query *b)
{
	return subset_equal(&a->of, &b->of) && a->together == b->together &&
	    a->by == b->by && a->relations == b->relations &&
	    usage_ask_equal(&a->usage, &b->usage) && range_equal(&a->window, &b->window) &&
	    a->columns == b->columns && rows_equal(a, b) && a->method == b->method &&
	    track_equal(&a->point, &b->point) && a->at == b->at && a->clock == b->clock &&
	    a->budget == b->budget && str_equal(a->pattern, b->pattern) &&
	    a->slow.of == b->slow.of && a->slow.method == b->slow.method &&
	    a->slow.thread == b->slow.thread && a->slow.over == b->slow.over &&
	    str_equal(a->frames, b->frames) && a->serial == b->serial &&
	    a->direction == b->direction && a->from.start == b->from.start &&
	    a->from.thread == b->from.thread && a->from.order == b->from.order;
}

void
answer_release(struct answer *a, enum query_kind kind)
{
	if (a->value != NULL)
		query_ways[kind].free(a->value);
	query_release(&a->of);
	*a = (struct answer){0};
}
