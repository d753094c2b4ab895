// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "plain-transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
items_take(struct items *out, const struct tree *t, const uint32_t *roots, uint32_t threads)
{
	out->n = 0;
	for (uint32_t id = 1; id < t->count; id++) {
		struct item *item = &out->list[out->n++];
		uint32_t n = id;

		memset(item, 0, sizeof(*item));
		for (; t->nodes[n].parent != NODE_NONE; n = t->nodes[n].parent)
			item->depth++;
		while (item->thread < threads && roots[item->thread] != n)
			item->thread++;
		n = id;
		for (int d = item->depth; d-- > 0; n = t->nodes[n].parent)
			item->path[d] = t->nodes[n].method;
		item->count = tree_count(t, id);
	}
}

static bool
is_prefix(const struct item *a, const struct item *b)
{
	return a->depth <= b->depth &&
	    memcmp(a->path, b->path, (size_t)a->depth * sizeof(a->path[0])) == 0;
}

static void
time_clear(struct item *item)
{
	item->count.time[CLOCK_CPU] = item->count.time[CLOCK_WALL] = 0;
}

static bool
means(const uint8_t *matches, uint32_t method)
{
	return matches != NULL && matches[method] != 0;
}

static int
first_match(const struct item *item, const uint8_t *matches)
{
	int d = 0;

	while (d < item->depth && !means(matches, item->path[d]))
		d++;
	return d;
}

/* Frames from `from` on are left; those before go. */
static void
cut_front(struct item *item, int from)
{
	item->depth -= from;
	memmove(item->path, item->path + from, (size_t)item->depth * sizeof(item->path[0]));
}

static void
remove_frame(struct item *item, int at)
{
	if (at == item->depth - 1)
		item->count.calls = 0;
	item->depth--;
	memmove(item->path + at, item->path + at + 1,
	    (size_t)(item->depth - at) * sizeof(item->path[0]));
}

/* One that is not there any more. */
static void
gone(struct item *item)
{
	item->depth = 0;
	item->count = (struct count){0};
}

static void
include(struct items *all, const uint8_t *matches)
{
	static bool stays[ITEMS];

	for (int i = 0; i < all->n; i++) {
		stays[i] = false;
		for (int k = 0; k < all->n && !stays[i]; k++) {
			const struct item *b = &all->list[k];

			stays[i] = b->thread == all->list[i].thread &&
			    is_prefix(&all->list[i], b) && first_match(b, matches) < b->depth &&
			    (b->count.calls > 0 || b->count.time[0] > 0 || b->count.time[1] > 0);
		}
	}
	for (int i = 0; i < all->n; i++) {
		struct item *item = &all->list[i];

		if (first_match(item, matches) == item->depth)
			time_clear(item);
		if (!stays[i] && item->depth > 0)
			gone(item);
	}
}

static void
fold_below(struct items *all, uint32_t hundredths, uint32_t made, const struct scope *scope)
{
	static int cut[ITEMS];
	nsec total = 0;

	for (int i = 0; i < all->n; i++)
		if (scope_has(scope, all->list[i].thread))
			total += all->list[i].count.time[CLOCK_WALL];
	for (int i = 0; i < all->n; i++) {
		struct item prefix = all->list[i];

		cut[i] = prefix.depth;
		if (!scope_has(scope, prefix.thread))
			continue;
		for (prefix.depth = 1; prefix.depth <= all->list[i].depth; prefix.depth++) {
			nsec sum = 0;

			for (int k = 0; k < all->n; k++)
				if (scope_has(scope, all->list[k].thread) &&
				    is_prefix(&prefix, &all->list[k]))
					sum += all->list[k].count.time[CLOCK_WALL];
			if (sum * 10000 < total * hundredths) {
				cut[i] = -prefix.depth;
				break;
			}
		}
	}
	for (int i = 0; i < all->n; i++) {
		struct item *item = &all->list[i];

		if (cut[i] >= 0)
			continue;
		if (item->depth > -cut[i])
			item->count.calls = 0;
		item->depth = -cut[i];
		item->path[item->depth - 1] = made;
	}
}

/* Frames one by one onto a new stack, which a recursive one cuts. */
static void
join_recursion(struct item *item, const uint8_t *matches, bool direct)
{
	struct item was = *item;
	bool joined = false;

	item->depth = 0;
	for (int d = 0; d < was.depth; d++) {
		int at = item->depth - 1;

		joined = false;
		if (means(matches, was.path[d])) {
			while (at >= 0 && item->path[at] != was.path[d] && !direct)
				at--;
			joined = at >= 0 && item->path[at] == was.path[d];
		}
		if (joined)
			item->depth = at + 1;
		else
			item->path[item->depth++] = was.path[d];
	}
	if (joined)
		item->count.calls = 0;
}

static void
collapse_matches(struct item *item, const uint8_t *matches, uint32_t made)
{
	struct item was = *item;
	bool inside = false, joined = false;

	item->depth = 0;
	for (int d = 0; d < was.depth; d++) {
		bool match = means(matches, was.path[d]);

		joined = match && inside;
		if (!joined)
			item->path[item->depth++] = match ? made : was.path[d];
		inside = match;
	}
	if (joined)
		item->count.calls = 0;
}

static bool
starts_with(const struct item *item, const struct transform *t)
{
	return item->depth >= (int)t->depth &&
	    memcmp(item->path, t->methods, t->depth * sizeof(item->path[0])) == 0;
}

static void
item_apply(struct item *item, const struct transform *t, const uint8_t *matches, uint32_t made)
{
	int first = first_match(item, matches);
	bool has = first < item->depth;

	switch (t->id) {
	case TRANSFORM_EXCLUDE:
	case TRANSFORM_DROP:
		if (has)
			gone(item);
		break;
	case TRANSFORM_FOCUS:
	case TRANSFORM_FOCUS_SUBTREE:
		if (t->id == TRANSFORM_FOCUS_SUBTREE) {
			has = starts_with(item, t);
			first = (int)t->depth - 1;
		}
		if (item->depth == 0)
			time_clear(item);
		else if (has)
			cut_front(item, first);
		else
			gone(item);
		break;
	case TRANSFORM_FOCUS_SELF:
		if (item->depth == 0)
			time_clear(item);
		else if (means(matches, item->path[item->depth - 1]))
			cut_front(item, item->depth - 1);
		else
			gone(item);
		break;
	case TRANSFORM_FOCUS_PACKAGE:
	case TRANSFORM_MERGE:
	case TRANSFORM_IDLE:
		if (t->id == TRANSFORM_IDLE && item->depth > 0 &&
		    means(matches, item->path[item->depth - 1]))
			item->count.time[CLOCK_WALL] = 0;
		for (int d = item->depth; d-- > 0;)
			if (means(matches, item->path[d]) == (t->id != TRANSFORM_FOCUS_PACKAGE))
				remove_frame(item, d);
		break;
	case TRANSFORM_MERGE_NODE:
		if (starts_with(item, t))
			remove_frame(item, (int)t->depth - 1);
		break;
	case TRANSFORM_COLLAPSE:
		if (has && first + 1 < item->depth) {
			item->depth = first + 1;
			item->count.calls = 0;
		}
		break;
	case TRANSFORM_COLLAPSE_PACKAGE:
	case TRANSFORM_COLLAPSE_MATCHES:
		collapse_matches(item, matches, made);
		break;
	case TRANSFORM_RECURSION:
	case TRANSFORM_DIRECT_RECURSION:
		join_recursion(item, matches, t->id == TRANSFORM_DIRECT_RECURSION);
		break;
	default:
		break;
	}
}

/* The name that a frame for several must have. */
static uint32_t
made_for(struct trace *trace, const struct transform *t)
{
	char name[64];

	if (t->id == TRANSFORM_COLLAPSE_PACKAGE)
		snprintf(name, sizeof(name), "(%.*s.*)", STR_ARG(t->text));
	else if (t->id == TRANSFORM_COLLAPSE_MATCHES)
		snprintf(name, sizeof(name), "(/%.*s/)", STR_ARG(t->text));
	else if (t->id == TRANSFORM_BELOW && t->hundredths % 10 != 0)
		snprintf(name, sizeof(name), "(below %.2f %%)", t->hundredths / 100.0);
	else if (t->id == TRANSFORM_BELOW)
		snprintf(name, sizeof(name), "(below %.1f %%)", t->hundredths / 100.0);
	else
		return METHOD_NONE;
	return trace_method_made(trace, str_from(name));
}

void
items_apply(struct items *all, const struct transforms *list, struct trace *trace,
    const struct scope *scope)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct transform *t = &list->list[i];
		uint32_t count = trace_method_count(trace), made = made_for(trace, t);
		uint8_t *matches = NULL;

		if (t->off)
			continue;
		if (t->text.n > 0)
			matches = transform_matches(t, trace, count, t->text, NULL, NULL);
		else if (t->depth == 1) {
			matches = mem_zero(count, 1);
			matches[t->methods[0]] = 1;
		}
		if (t->id == TRANSFORM_INCLUDE)
			include(all, matches);
		else if (t->id == TRANSFORM_BELOW)
			fold_below(all, t->hundredths, made, scope);
		for (int k = 0; k < all->n; k++)
			item_apply(&all->list[k], t, matches, made);
		mem_free(matches);
	}
}

static int
item_order(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth - b->depth;
	return memcmp(a->path, b->path, (size_t)a->depth * sizeof(a->path[0]));
}

void
items_sum(struct items *all)
{
	int n = 0;

	qsort(all->list, (size_t)all->n, sizeof(all->list[0]), item_order);
	for (int i = 0; i < all->n; i++) {
		struct item *to = n > 0 ? &all->list[n - 1] : NULL;
		const struct item *item = &all->list[i];

		if (item->count.calls == 0 && item->count.time[0] == 0 && item->count.time[1] == 0)
			continue;
		if (to == NULL || item_order(to, item) != 0) {
			all->list[n++] = *item;
			continue;
		}
		to->count.calls += item->count.calls;
		to->count.time[0] += item->count.time[0];
		to->count.time[1] += item->count.time[1];
	}
	all->n = n;
}

bool
items_equal(const struct items *a, const struct items *b)
{
	bool same = a->n == b->n;

	for (int i = 0; i < a->n && same; i++)
		same = item_order(&a->list[i], &b->list[i]) == 0 &&
		    memcmp(&a->list[i].count, &b->list[i].count, sizeof(struct count)) == 0;
	return same;
}
