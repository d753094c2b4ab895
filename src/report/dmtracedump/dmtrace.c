// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/dmtracedump/dmtrace.h"

enum { US = 1000 };

/* From the start of the line: tab N, or NULL p when field N is empty or the last. */
void
dm_names(struct dm_method *to, const struct method *m)
{
	struct str line = m->stated, at = line, field[4], rest = {NULL, 0};
	bool full[4] = {false};

	if (m->word != NULL) { /* as (unknown) */
		to->class_name = m->name;
		return;
	}
	if (line.p == NULL) { /* no key section */
		to->named = true;
		to->class_name = m->class_name;
		to->name = m->name;
		to->signature = m->signature;
		return;
	}
	for (int i = 0; i < 4; i++) {
		field[i] = str_cut(&at, '\t');
		full[i] = field[i].n > 0 && at.p != NULL;
		if (i == 1)
			rest = at;
		if (at.p == NULL)
			break;
	}
	to->named = full[0] && full[1];
	if (!to->named) {
		to->class_name = line;
		return;
	}
	to->class_name = field[0];
	to->name = field[1];
	to->signature = full[2] && full[3] ? field[2] : rest;
}

static int
order_names(const struct dm_method *a, const struct dm_method *b)
{
	int order = str_compare(a->class_name, b->class_name);

	return order_then(order, !a->named || !b->named ? ORDER(a->id, b->id)
	    : order_then(str_compare(a->name, b->name), str_compare(a->signature, b->signature)));
}

/* The longer time first. */
static int
order_times(uint64_t left, uint64_t right, const struct dm_method *a, const struct dm_method *b)
{
	return left != right ? (left < right) - (left > right) : order_names(a, b);
}

static int
by_inclusive(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;

	return order_times(a->inclusive, b->inclusive, a, b);
}

int
dm_by_exclusive(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;

	return order_times(a->exclusive, b->exclusive, a, b);
}

/* Orders by id, equal ids in file order: while the list is made `method` tells that. */
static int
by_id(const void *left, const void *right)
{
	const struct dm_method *a = left, *b = right;

	return order_then(ORDER(a->id, b->id), ORDER(a->method, b->method));
}

static int
relation_order(const void *left, const void *right, const void *context)
{
	const struct dm_relation *a = left, *b = right;

	return order_times(a->inclusive, b->inclusive, a->method, b->method);
}

/*
 * Where a search by halves finds the id: of several methods of one id it decides which
 * one the records mean.
 */
static uint32_t
find_id(const struct dm_list *list, int64_t id)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = (low + high - 1) / 2;

		if (list->methods[middle].id == id)
			return (uint32_t)middle;
		if (list->methods[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return DM_UNKNOWN;
}

/* The method's id; a pseudo-method gets one that no file has. */
static int64_t
method_id(const struct trace *t, uint32_t index)
{
	const struct method *m = trace_method(t, index);

	return m->word != NULL ? INT64_MAX - index : (int64_t)m->id;
}

void
dm_list_make(struct dm_list *list, const struct trace *t)
{
	uint32_t method_count = trace_method_count(t);
	struct dm_method *all = mem_zero((size_t)method_count + 2, sizeof(*all));
	size_t n = 0;

	all[n++] = (struct dm_method){.id = -2, .class_name = STR("(toplevel)")};
	all[n++] = (struct dm_method){.id = -1, .class_name = STR("(unknown)")};
	for (uint32_t m = 1; m < method_count; m++) {
		if (!trace_method(t, m)->known)
			continue;
		all[n].id = method_id(t, m);
		all[n].method = m;
		dm_names(&all[n++], trace_method(t, m));
	}
	qsort(all, n, sizeof(*all), by_id);
	for (size_t i = 0; i < n; i++)
		all[i].method = METHOD_NONE;
	*list = (struct dm_list){.methods = all, .count = n, .row_count = method_count};
	list->row = mem_alloc(method_count * sizeof(*list->row));
	list->row[METHOD_TOPLEVEL] = DM_TOPLEVEL;
	for (uint32_t m = 1; m < method_count; m++)
		list->row[m] = trace_method(t, m)->known ? find_id(list, method_id(t, m))
							 : DM_UNKNOWN;
}

void
dm_list_release(struct dm_list *list)
{
	mem_free(list->methods);
	mem_free(list->row);
	*list = (struct dm_list){0};
}

/* Methods without a name are counted as the first of them. */
static uint32_t *
unknown_same(const struct dm_list *list)
{
	uint32_t *same = mem_alloc(list->row_count * sizeof(*same));
	uint32_t first = METHOD_NONE;

	for (uint32_t m = 0; m < list->row_count; m++) {
		same[m] = m;
		if (list->row[m] != DM_UNKNOWN)
			continue;
		if (first == METHOD_NONE)
			first = m;
		same[m] = first;
	}
	return same;
}

static void
figures_take(struct dmtrace *d)
{
	for (uint32_t i = 0; i < d->list.row_count; i++) {
		struct dm_method *m = &d->list.methods[d->list.row[i]];
		const struct method_sum *sum = &d->fold->methods[i];

		if (!sum->present || m->method != METHOD_NONE)
			continue;
		m->method = i;
		m->exclusive = (uint64_t)sum->exclusive[d->clock] / US;
		m->inclusive = (uint64_t)sum->inclusive[d->clock] / US;
		m->self = (uint64_t)sum->self[d->clock] / US;
		m->calls = sum->calls;
		m->recursive_calls = sum->recursive_calls;
	}
	d->list.methods[DM_TOPLEVEL].calls = 0;
}

bool
dmtrace_make(struct dmtrace *d, const struct profile *p, const atomic_bool *cancel)
{
	uint32_t *same;

	*d = (struct dmtrace){.trace = p->trace};
	d->clock = trace_has_clock(p->trace, CLOCK_CPU) ? CLOCK_CPU : CLOCK_WALL;
	dm_list_make(&d->list, p->trace);
	same = unknown_same(&d->list);
	d->fold = fold_make(p,
	    &(struct fold_query){
		.same = same, .same_count = d->list.row_count, .relations = true},
	    cancel);
	mem_free(same);
	if (d->fold == NULL)
		return false;
	figures_take(d);
	d->total = (uint64_t)d->fold->total[d->clock] / US;
	d->inclusive = mem_alloc(d->list.count * sizeof(struct dm_method *));
	for (size_t i = 0; i < d->list.count; i++)
		d->inclusive[i] = &d->list.methods[i];
	msort((void **)d->inclusive, d->list.count, by_inclusive, NULL);
	for (size_t i = 0; i < d->list.count; i++)
		d->inclusive[i]->index = (uint32_t)i;
	return true;
}

void
dmtrace_release(struct dmtrace *d)
{
	fold_free(d->fold);
	dm_list_release(&d->list);
	mem_free(d->inclusive);
	*d = (struct dmtrace){0};
}

static struct dm_relation
relation_make(const struct dmtrace *d, const struct dm_method *m, enum relation_kind kind,
    const struct relation *from)
{
	struct dm_relation r = {.method = &d->list.methods[d->list.row[from->method]],
	    .calls = from->calls, .inclusive = (uint64_t)from->inclusive[d->clock] / US};
	bool parent = kind == RELATION_PARENT || kind == RELATION_PARENT_RECURSIVE;
	const struct dm_method *callee = parent ? m : r.method;

	r.total = callee->calls + callee->recursive_calls;
	if (kind == RELATION_PARENT || kind == RELATION_CHILD)
		snprintf(r.share, sizeof(r.share), "%5.1f%%",
		    100.0 * (double)r.inclusive / (double)m->inclusive);
	return r;
}

struct dm_relation *
dm_relations(const struct dmtrace *d, const struct dm_method *m, enum relation_kind kind,
    size_t *count)
{
	const struct relation *from;
	struct dm_relation *list;
	uint32_t n = 0;

	from = m->method != METHOD_NONE ? fold_relations(d->fold, m->method, kind, &n) : NULL;
	list = mem_alloc(n * sizeof(*list));
	for (uint32_t i = 0; i < n; i++)
		list[i] = relation_make(d, m, kind, &from[i]);
	msort_items(list, n, sizeof(*list), relation_order, NULL);
	*count = n;
	return list;
}

struct dm_method **
dm_exclusive(const struct dmtrace *d, size_t *count)
{
	struct dm_method **list = mem_alloc(d->list.count * sizeof(struct dm_method *));

	*count = 0;
	for (size_t i = 0; i < d->list.count; i++) {
		if (d->inclusive[i]->exclusive > 0)
			list[(*count)++] = d->inclusive[i];
	}
	msort((void **)list, *count, dm_by_exclusive, NULL);
	return list;
}

static int
by_class(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;

	return order_then(str_compare(a->class_name, b->class_name), ORDER(a->id, b->id));
}

static int
by_name(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;

	return order_then(a->named && b->named ? str_compare(a->name, b->name) : 0,
	    by_class(a, b, context));
}

static int
groups_order(const void *left, const void *right, const void *context)
{
	const struct dm_group *a = left, *b = right;

	return order_then(ORDER(b->exclusive, a->exclusive),
	    by_class(a->methods[0], b->methods[0], context));
}

void
dm_groups_make(struct dm_groups *out, const struct dmtrace *d, enum dm_grouping by)
{
	struct dm_method **all = mem_dup(d->inclusive, d->list.count, sizeof(struct dm_method *));
	struct dm_group *group = NULL;
	size_t named = 0;

	msort((void **)all, d->list.count, by_class, NULL);
	if (by == DM_BY_NAME)
		msort((void **)all, d->list.count, by_name, NULL);

	*out = (struct dm_groups){.methods = all};
	out->groups = mem_zero(d->list.count, sizeof(*out->groups));
	for (size_t i = 0; i < d->list.count; i++) {
		if (!all[i]->named)
			continue;
		all[named] = all[i];
		if (group == NULL || !(by == DM_BY_CLASS
			? str_equal(all[named - 1]->class_name, all[named]->class_name)
			: str_equal(all[named - 1]->name, all[named]->name))) {
			group = &out->groups[out->count++];
			group->methods = &all[named];
		}
		group->count++;
		group->exclusive += all[named]->exclusive;
		group->calls += all[named]->calls;
		group->recursive_calls += all[named]->recursive_calls;
		named++;
	}
	for (size_t i = 0; i < out->count; i++)
		msort((void **)out->groups[i].methods, out->groups[i].count, dm_by_exclusive, NULL);
	msort_items(out->groups, out->count, sizeof(*out->groups), groups_order, NULL);
}

void
dm_groups_release(struct dm_groups *g)
{
	mem_free(g->methods);
	mem_free(g->groups);
	*g = (struct dm_groups){0};
}
