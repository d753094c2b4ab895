#include <config.h>

#include "profile/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/relations.h"

enum { CANCEL_NODES = 4096 }; /* a look at the flag after so many */

struct frame {
	uint32_t node;
	uint32_t next; /* child to visit, NODE_NONE: all done */
	bool recursive;
	nsec inclusive[CLOCKS];
	nsec whole; /* inclusive in the whole trace, on the clock of the ranks */
};

struct folding {
	const struct profile *profile;
	const struct count *counts; /* by node: of the whole trace, or of a range */
	const struct range_sums *sums; /* of a range; NULL: whole */
	struct fold *fold;
	struct edges *edges;
	uint32_t *open;     /* by method: frames of it on the stack */
	uint32_t *last;     /* by method: thread + 1 that called it last */
	enum clock_id rank_clock;
	nsec *rank_time;    /* by method: inclusive over all threads, default clock */
	bool *ranked;       /* by method: present in the whole trace */
	struct frame *stack;
	size_t depth, room;
	const uint32_t *same; /* by method: the one that it is counted as; may be NULL */
	uint32_t same_count;
	const atomic_bool *cancel;
	unsigned visited;
};

/* What the method is counted as. */
static uint32_t
counted_as(const struct folding *f, uint32_t method)
{
	return method < f->same_count ? f->same[method] : method;
}

static uint32_t
node_method(const struct folding *f, uint32_t node)
{
	return counted_as(f, f->profile->tree.nodes[node].method);
}

static void
frame_push(struct folding *f, uint32_t node)
{
	const struct tree *tree = &f->profile->tree;
	const struct node *n = &tree->nodes[node];
	struct frame *frame;

	MEM_GROW(f->stack, f->room, f->depth + 1);
	frame = &f->stack[f->depth++];
	frame->node = node;
	frame->next = tree_child(n);
	frame->recursive = f->open[node_method(f, node)]++ > 0;
	for (int c = 0; c < CLOCKS; c++)
		frame->inclusive[c] = f->counts[node].time[c];
	frame->whole = tree->counts[node].time[f->rank_clock];
}

static void
method_sum_add(struct folding *f, const struct frame *frame, uint32_t method, uint32_t thread)
{
	const struct count *count = &f->counts[frame->node];
	struct method_sum *sum = &f->fold->methods[method];

	if (count->calls == 0 && frame->inclusive[CLOCK_CPU] == 0 &&
	    frame->inclusive[CLOCK_WALL] == 0)
		return; /* not in the range */
	sum->present = true;
	if (f->last[method] != thread + 1) {
		f->last[method] = thread + 1;
		sum->threads++;
	}
	if (frame->recursive)
		sum->recursive_calls += count->calls;
	else
		sum->calls += count->calls;
	for (int c = 0; c < CLOCKS; c++) {
		sum->exclusive[c] += count->time[c];
		if (frame->recursive)
			continue;
		sum->inclusive[c] += frame->inclusive[c];
		sum->self[c] += count->time[c];
	}
}

static void
frame_pop(struct folding *f, uint32_t thread, bool in_scope)
{
	const struct frame *frame = &f->stack[--f->depth];
	uint32_t method = node_method(f, frame->node);
	uint64_t calls = f->counts[frame->node].calls;

	f->open[method]--;
	f->ranked[method] = true;
	if (!frame->recursive)
		f->rank_time[method] += frame->whole;
	if (in_scope) {
		method_sum_add(f, frame, method, thread);
		if (f->depth > 0)
			f->fold->whole_calls += f->profile->tree.counts[frame->node].calls;
	}
	if (f->depth > 0) {
		struct frame *caller = &f->stack[f->depth - 1];

		caller->inclusive[CLOCK_CPU] += frame->inclusive[CLOCK_CPU];
		caller->inclusive[CLOCK_WALL] += frame->inclusive[CLOCK_WALL];
		caller->whole += frame->whole;
		f->fold->threads[thread].calls += calls;
		if (in_scope && calls > 0 && f->edges != NULL)
			edges_add(f->edges, node_method(f, caller->node), method,
			    caller->recursive, frame->recursive, calls, frame->inclusive);
	}
}

/* Depth first, without recursion: a trace may be as deep as it has records. */
static bool
thread_fold(struct folding *f, uint32_t thread, bool in_scope, nsec inclusive[CLOCKS])
{
	const struct tree *tree = &f->profile->tree;

	frame_push(f, f->profile->lanes[thread].root);
	while (f->depth > 0) {
		struct frame *top = &f->stack[f->depth - 1];
		uint32_t child = top->next;

		if (child == NODE_NONE) {
			/* The last one is the root's: that of the thread. */
			memcpy(inclusive, top->inclusive, sizeof(top->inclusive));
			frame_pop(f, thread, in_scope);
			continue;
		}
		top->next = tree->nodes[child].sibling;
		frame_push(f, child);
		if (f->cancel != NULL && ++f->visited % CANCEL_NODES == 0 && atomic_load(f->cancel))
			return false;
	}
	return true;
}

/* First and last time of a thread that has something of the range. */
static void
thread_span(const struct folding *f, uint32_t thread, const nsec inclusive[CLOCKS],
    struct fold_thread *out)
{
	const struct profile *p = f->profile;
	const struct lane *lane = &p->lanes[thread];
	enum clock_id axis = p->axis;

	for (int c = 0; c < CLOCKS; c++) {
		out->first[c] = lane->first[c];
		out->last[c] = lane_time(lane, (enum clock_id)c);
	}
	if (f->sums == NULL)
		return;
	if (out->first[axis] < f->fold->range.from)
		out->first[axis] = f->fold->range.from;
	if (out->last[axis] > f->fold->range.to)
		out->last[axis] = f->fold->range.to;
	out->first[!axis] = f->sums->lanes[thread].begin;
	out->last[!axis] = out->first[!axis] + inclusive[!axis];
}

static void
thread_describe(struct folding *f, uint32_t thread, bool in_scope,
    const nsec inclusive[CLOCKS])
{
	const struct profile *p = f->profile;
	const struct lane *lane = &p->lanes[thread];
	struct fold_thread *out = &f->fold->threads[thread];

	out->in_scope = in_scope;
	out->records = lane->records;
	if (!lane->started)
		return;
	for (int c = 0; c < CLOCKS && in_scope; c++)
		f->fold->whole[c] += lane_span(lane, (enum clock_id)c);
	if (f->sums != NULL &&
	    (!(in_scope || f->sums->all) || !f->sums->lanes[thread].present))
		return;
	thread_span(f, thread, inclusive, out);
	out->covered = inclusive[p->axis] - f->counts[lane->root].time[p->axis];
	out->open = tree_depth(&p->tree, lane->node) + (uint32_t)lane->inside;
	if (!in_scope)
		return;
	f->fold->calls += out->calls;
	for (int c = 0; c < CLOCKS; c++)
		f->fold->total[c] += inclusive[c];
}

struct rank_item {
	nsec time;
	const struct method *method;
	uint32_t index;
};

static int
rank_order(const void *left, const void *right)
{
	const struct rank_item *a = left, *b = right;
	int order;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	order = method_compare(a->method, b->method);
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void
ranks_give(struct folding *f)
{
	struct fold *fold = f->fold;
	struct rank_item *items = mem_alloc(fold->method_count * sizeof(*items));
	uint32_t n = 0;

	for (uint32_t m = 0; m < fold->method_count; m++) {
		fold->methods[m].rank = RANK_NONE;
		if (m != METHOD_TOPLEVEL && f->ranked[m])
			items[n++] = (struct rank_item){f->rank_time[m],
			    trace_method(f->profile->trace, m), m};
	}
	qsort(items, n, sizeof(*items), rank_order);
	for (uint32_t i = 0; i < n; i++)
		fold->methods[items[i].index].rank = i;
	mem_free(items);
}

/* Methods that records name though no call of theirs is counted: a row of zeros. */
static void
seen_add(struct folding *f, bool everything)
{
	const struct profile *p = f->profile;

	for (uint32_t m = 1; m < f->fold->method_count && m < p->method_seen_room; m++) {
		if (p->method_seen[m] == 0)
			continue;
		f->ranked[counted_as(f, m)] = true;
		f->fold->methods[counted_as(f, m)].present |= everything;
	}
}

static bool
threads_fold(struct folding *f, const struct scope *scope)
{
	const struct profile *p = f->profile;

	for (uint32_t t = 0; t < p->lane_count; t++) {
		bool in_scope = scope_has(scope, t);
		nsec inclusive[CLOCKS] = {0};

		if (p->lanes[t].started && !thread_fold(f, t, in_scope, inclusive))
			return false;
		thread_describe(f, t, in_scope, inclusive);
	}
	return true;
}

static bool
everything_fold(struct folding *f, const struct fold_query *q)
{
	const struct profile *p = f->profile;
	struct fold *fold = f->fold;
	bool whole;

	f->edges = q->relations ? edges_new() : NULL;
	f->open = mem_zero(fold->method_count, sizeof(*f->open));
	f->last = mem_zero(fold->method_count, sizeof(*f->last));
	f->rank_time = mem_zero(fold->method_count, sizeof(*f->rank_time));
	f->ranked = mem_zero(fold->method_count, sizeof(*f->ranked));
	whole = threads_fold(f, q->scope);
	if (whole) {
		seen_add(f, q->scope == NULL && q->range == NULL);
		ranks_give(f);
		for (uint32_t m = 1; m < fold->method_count; m++)
			fold->present += fold->methods[m].present;
		if (q->relations)
			edges_relate(f->edges, p->trace, fold);
		else
			fold->first = mem_zero((size_t)fold->method_count * RELATION_KINDS + 1,
			    sizeof(*fold->first));
	}
	if (q->relations)
		edges_free(f->edges);
	mem_free(f->open);
	mem_free(f->last);
	mem_free(f->rank_time);
	mem_free(f->ranked);
	mem_free(f->stack);
	return whole;
}

struct fold *
fold_make(const struct profile *p, const struct fold_query *query,
    const atomic_bool *cancel)
{
	struct fold_query q = *query;
	struct folding f = {.profile = p, .counts = p->tree.counts, .same = q.same,
	    .same_count = q.same != NULL ? q.same_count : 0, .cancel = cancel};
	struct range_sums sums;
	bool whole;

	if (q.range != NULL && range_is_all(q.range))
		q.range = NULL;
	if (q.range != NULL) {
		if (q.sums == NULL && !range_count(p, q.scope, q.range, 0, &sums, NULL, cancel))
			return NULL;
		f.sums = q.sums != NULL ? q.sums : &sums;
		f.counts = f.sums->counts;
	}
	f.rank_clock = trace_default_clock(p->trace);
	f.fold = mem_zero(1, sizeof(*f.fold));
	f.fold->range = q.range != NULL ? *q.range : RANGE_ALL;
	f.fold->method_count = trace_method_count(p->trace);
	f.fold->methods = mem_zero(f.fold->method_count, sizeof(*f.fold->methods));
	f.fold->thread_count = p->lane_count;
	f.fold->threads = mem_zero(f.fold->thread_count, sizeof(*f.fold->threads));
	f.fold->records = p->records;
	whole = everything_fold(&f, &q);
	if (f.sums == &sums)
		range_release(&sums);
	if (whole)
		return f.fold;
	fold_free(f.fold);
	return NULL;
}

struct fold *
fold_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	return fold_make(p,
	    &(struct fold_query){.scope = scope, .range = range, .relations = true}, cancel);
}

struct fold *
fold_new_sums(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	return fold_make(
	    p, &(struct fold_query){.scope = scope, .range = range}, cancel);
}

void
fold_free(struct fold *fold)
{
	if (fold == NULL)
		return;
	mem_free(fold->methods);
	mem_free(fold->threads);
	mem_free(fold->first);
	mem_free(fold->relations);
	mem_free(fold);
}

const struct relation *
fold_relations(const struct fold *fold, uint32_t method, enum relation_kind kind,
    uint32_t *count)
{
	size_t at = (size_t)method * RELATION_KINDS + kind;

	*count = fold->first[at + 1] - fold->first[at];
	return fold->relations + fold->first[at];
}
