// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/log/unknown.h"
#include "profile/sum/fold.h"
#include "profile/sum/relations.h"
#include "profile/sum/transform.h"

/* The query. */
struct folding {
	const struct profile *profile;
	const struct transformed *of; /* NULL: the trace as recorded */
	const struct tree *tree;      /* the profile's, or that of `of` */
	const struct scope *scope;
	bool aside; /* it has no thread that works */
	const struct count *counts; /* by node, of a range; NULL: the tree's */
	const struct range_sums *sums; /* of a range; NULL: whole */
	struct range range; /* as asked */
	struct range cuts;  /* the same, RANGE_ALL where it holds the whole trace */
	const uint32_t *same; /* by method: the method that it is counted as; may be NULL */
	uint32_t same_count;
	uint32_t method_count;
	const uint8_t *idle; /* by method; may be NULL */
	uint32_t idle_count;
	bool relations, unranked;
	bool slices; /* of a log as recorded: what roots have of their own is no slice */
	struct fold_thread *threads;
	const atomic_bool *cancel;
};

struct frame;

/* Sums of one method. */
struct tally {
	struct method_sum sum; /* `self`: what is exclusive in recursive calls, as yet */
	uint32_t open; /* frames of it on the stack */
	uint32_t last; /* thread + 1 that called it last */
	bool ranked;   /* present in the whole trace */
	nsec rank;     /* inclusive over all threads, in the whole trace, default clock */
};

/* The sums while threads are added to them. */
struct summing {
	const struct folding *folding;
	struct tally *tallies; /* by method */
	enum clock_id rank_clock;
	struct edges edges; /* with relations */
	nsec total[CLOCKS], whole[CLOCKS];
	uint64_t calls, whole_calls;
	struct frame *stack;
	size_t depth, room;
	uint64_t thread_calls; /* of the present thread, as the next */
	uint32_t deepest;
	nsec idle;
	unsigned visited;
};

/*
 * Begins the sums of a method with its first call.  Before, all is 0: of a million methods those
 * that are not met cost no page.
 */
static inline void
sum_meet(struct method_sum *sum)
{
	if (!sum->present)
		sum->longest = LONGEST_NONE;
	sum->present = true;
}

/* Returns the method that `method` is counted as. */
static inline uint32_t
folding_counted_as(const struct folding *f, uint32_t method)
{
	return method < f->same_count ? f->same[method] : method;
}

/* The threads' trees summed -------------------------------------------------------- */

enum {
	CANCEL_NODES = 4096,     /* a look at the flag after so many */
};

/* Copies what leaving a node needs: the node may be out of the cache by then. */
struct frame {
	uint32_t node;
	uint32_t next; /* child to visit, NODE_NONE: all done */
	bool recursive;
	struct tally *tally;
	uint64_t calls;
	nsec own[CLOCKS]; /* in frames of the node itself */
	nsec inclusive[CLOCKS];
	uint64_t whole_calls; /* in the whole trace */
	nsec whole; /* inclusive in the whole trace, on the clock of the ranks */
};

/* Spent in the node's own frames. */
static const nsec *
own_time(const struct summing *s, uint32_t node)
{
	static const nsec none[CLOCKS];
	const struct tree *tree = s->folding->tree;

	/* The time between slices of a log's thread counts to nothing. */
	return s->folding->slices && tree_parent(tree, node) == NODE_NONE
	    ? none : tree_time_of(tree, s->folding->counts, node);
}

static inline __attribute__((always_inline)) void
node_fetch(const struct tree *tree, uint32_t node)
{
	__builtin_prefetch(&tree->nodes[node]);
}

static void
frame_push(struct summing *s, uint32_t node)
{
	const struct folding *f = s->folding;
	const struct node *n = &f->tree->nodes[node];
	struct frame *frame = MEM_ADD(s->stack, s->depth, s->room);

	frame->node = node;
	frame->next = tree_child(f->tree, node);
	node_fetch(f->tree, frame->next);
	node_fetch(f->tree, tree_sibling(f->tree, node));
	frame->tally = &s->tallies[folding_counted_as(f, n->method)];
	frame->recursive = frame->tally->open++ > 0;
	memcpy(frame->own, own_time(s, node), sizeof(frame->own));
	if (n->method < f->idle_count && f->idle[n->method] != 0)
		s->idle += frame->own[f->profile->axis];
	memcpy(frame->inclusive, frame->own, sizeof(frame->inclusive));
	frame->whole = n->time[s->rank_clock];
	frame->whole_calls = n->calls;
	frame->calls = f->counts != NULL ? f->counts[node].calls : frame->whole_calls;
}

static uint32_t
tally_method(const struct summing *s, const struct tally *tally)
{
	return (uint32_t)(tally - s->tallies);
}

static void
tally_add(const struct summing *s, const struct frame *frame, uint32_t thread)
{
	const struct folding *f = s->folding;
	struct tally *t = frame->tally, *own = &s->tallies[f->tree->nodes[frame->node].method];
	struct method_sum *sum = &t->sum;

	if (frame->calls == 0 && frame->inclusive[CLOCK_CPU] == 0 &&
	    frame->inclusive[CLOCK_WALL] == 0)
		return; /* not in the range */
	if (own != t) {
		own->sum.calls += frame->calls;
		clocks_add(own->sum.exclusive, frame->own);
	}
	sum_meet(sum);
	if (longest_add(&sum->longest, &f->tree->nodes[frame->node], &f->cuts))
		sum->longest_thread = thread;
	sum->threads += t->last != thread + 1;
	t->last = thread + 1;
	*(frame->recursive ? &sum->recursive_calls : &sum->calls) += frame->calls;
	clocks_add(sum->exclusive, frame->own);
	if (frame->recursive)
		clocks_add(sum->self, frame->own);
	else
		clocks_add(sum->inclusive, frame->inclusive);
}

static void
frame_pop(struct summing *s, uint32_t thread, bool in_scope)
{
	struct frame *frame = &s->stack[--s->depth], *caller;
	struct tally *tally = frame->tally;

	tally->open--;
	tally->ranked = true;
	if (!frame->recursive)
		tally->rank += frame->whole;
	if (in_scope)
		tally_add(s, frame, thread);
	if (s->depth == 0)
		return;
	caller = frame - 1;
	if (in_scope)
		s->whole_calls += frame->whole_calls;
	clocks_add(caller->inclusive, frame->inclusive);
	caller->whole += frame->whole;
	if (frame->calls == 0)
		return;
	s->thread_calls += frame->calls;
	if (s->depth > s->deepest)
		s->deepest = (uint32_t)s->depth;
	if (in_scope && s->folding->relations)
		edges_add(&s->edges, tally_method(s, caller->tally), tally_method(s, tally),
		    caller->recursive, frame->recursive, frame->calls, frame->inclusive);
}

/* Depth first, without recursion: a trace may be as deep as it has records. */
static bool
thread_fold(struct summing *s, uint32_t thread, uint32_t root, bool in_scope,
    nsec inclusive[CLOCKS])
{
	s->thread_calls = s->deepest = 0;
	s->idle = 0;
	frame_push(s, root);
	while (s->depth > 0) {
		struct frame *top = &s->stack[s->depth - 1];
		uint32_t child = top->next;

		if (child == NODE_NONE) {
			/* The last one is the root's: that of the thread. */
			memcpy(inclusive, top->inclusive, sizeof(top->inclusive));
			frame_pop(s, thread, in_scope);
			continue;
		}
		top->next = tree_sibling(s->folding->tree, child);
		frame_push(s, child);
		if (++s->visited % CANCEL_NODES == 0 && is_cancelled(s->folding->cancel))
			return false;
	}
	s->folding->threads[thread].calls = s->thread_calls;
	s->folding->threads[thread].deepest = s->deepest;
	s->folding->threads[thread].idle = s->idle;
	return true;
}

/* First and last time of a thread that has something of the range, which is so long. */
static void
thread_span(const struct summing *s, uint32_t thread, nsec length, struct fold_thread *out)
{
	const struct profile *p = s->folding->profile;
	const struct stack *stack = &p->stacks[thread];
	enum clock_id axis = p->axis;

	for (int c = 0; c < CLOCKS; c++) {
		out->first[c] = stack->first[c];
		out->last[c] = stack_time(stack, (enum clock_id)c);
	}
	if (s->folding->sums == NULL)
		return;
	out->first[axis] = nsec_max(out->first[axis], s->folding->range.from);
	out->last[axis] = nsec_min(out->last[axis], s->folding->range.to);
	out->first[!axis] = s->folding->sums->stacks[thread].begin;
	out->last[!axis] = out->first[!axis] + length;
}

static void
thread_sum(struct summing *s, uint32_t thread, const nsec inclusive[CLOCKS])
{
	s->calls += s->folding->threads[thread].calls;
	clocks_add(s->total, inclusive);
}

static void
thread_describe(struct summing *s, uint32_t thread, bool in_scope,
    const nsec inclusive[CLOCKS])
{
	const struct profile *p = s->folding->profile;
	const struct stack *stack = &p->stacks[thread];
	struct fold_thread *out = &s->folding->threads[thread];
	const nsec *bottom; /* with an empty stack */
	nsec counted[CLOCKS]; /* of that what is part of the total */

	out->in_scope = scope_has(s->folding->scope, thread);
	out->records = stack->records;
	if (!stack->started)
		return;
	for (int c = 0; c < CLOCKS && in_scope; c++)
		s->whole[c] += stack_span(stack, (enum clock_id)c) -
		    (p->trace->log != NULL ? p->tree.nodes[stack->root].time[c] : 0);
	if (s->folding->sums != NULL &&
	    (!(in_scope || s->folding->sums->all) || !s->folding->sums->stacks[thread].present))
		return;
	bottom = tree_time_of(s->folding->tree, s->folding->counts, stack->root);
	if (s->folding->slices)
		memset(counted, 0, sizeof(counted));
	else
		memcpy(counted, bottom, sizeof(counted));
	thread_span(s, thread, inclusive[!p->axis] - counted[!p->axis] + bottom[!p->axis], out);
	out->covered = inclusive[p->axis] - counted[p->axis];
	for (int c = 0; c < CLOCKS && (in_scope || !trace_thread(p->trace, thread)->aside); c++)
		out->part[c] = s->folding->slices ? inclusive[c] : out->last[c] - out->first[c];
	out->open = (uint32_t)profile_open_calls(p, thread);
	if (in_scope)
		thread_sum(s, thread, inclusive);
	else if (trace_thread(p->trace, thread)->aside)
		out->calls = 0;
}

/* NODE_NONE when there is nothing to sum. */
static uint32_t
thread_root(const struct folding *f, uint32_t thread)
{
	if (f->of != NULL)
		return f->of->roots[thread];
	return f->profile->stacks[thread].started ? f->profile->stacks[thread].root : NODE_NONE;
}

/* Sums all threads; false when cancelled. */
static bool
summing_fold(struct summing *s)
{
	const struct folding *f = s->folding;
	const struct profile *p = f->profile;

	for (uint32_t t = 0; t < p->stack_count; t++) {
		uint32_t root = thread_root(f, t);
		bool in_scope = scope_counts(f->scope, p->trace, t, f->aside);
		nsec inclusive[CLOCKS] = {0};

		if (root != NODE_NONE && !thread_fold(s, t, root, in_scope, inclusive))
			return false;
		if (f->of == NULL)
			thread_describe(s, t, in_scope, inclusive);
		else if (in_scope)
			thread_sum(s, t, inclusive);
	}
	return true;
}

/* The fold ------------------------------------------------------------------------ */

struct rank_item {
	nsec time;
	const struct method *method;
	uint32_t index;
};

static int
rank_order(const void *left, const void *right, const void *context)
{
	const struct rank_item *a = left, *b = right;
	const int order = ORDER(b->time, a->time);

	return order != 0 ? order
	    : order_then(method_compare(a->method, b->method), ORDER(a->index, b->index));
}

static void
ranks_give(struct fold *fold, const struct summing *s, const struct trace *t)
{
	struct rank_item *items = mem_alloc(fold->method_count * sizeof(*items));
	uint32_t n = 0;

	for (uint32_t i = 0; i < fold->met_count; i++)
		fold->methods[fold->met[i]].rank = RANK_NONE;
	for (uint32_t m = 0; m < fold->method_count; m++) {
		if (m != METHOD_TOPLEVEL && s->tallies[m].ranked)
			items[n++] = (struct rank_item){s->tallies[m].rank,
			    trace_method(t, m), m};
	}
	msort_items_until(items, n, sizeof(*items), rank_order, NULL, s->folding->cancel);
	for (uint32_t i = 0; i < n; i++)
		fold->methods[items[i].index].rank = i;
	mem_free(items);
}

/* Methods that records name though no call of theirs is counted: a row of zeros. */
static void
seen_add(struct summing *s, bool everything)
{
	const struct profile *p = s->folding->profile;

	for (uint32_t m = 1; m < s->folding->method_count && m < p->method_seen_room; m++) {
		uint32_t counted = folding_counted_as(s->folding, m);

		if (p->method_seen[m] == 0)
			continue;
		s->tallies[counted].ranked = true;
		if (everything)
			sum_meet(&s->tallies[counted].sum);
	}
}

static void
methods_give(struct fold *fold, const struct summing *s)
{
	fold->methods = mem_zero(fold->method_count, sizeof(*fold->methods));
	fold->met = mem_alloc(fold->method_count * sizeof(*fold->met));
	for (uint32_t m = 0; m < fold->method_count; m++) {
		struct method_sum *sum = &fold->methods[m];

		*sum = s->tallies[m].sum;
		if (!sum->present)
			continue;
		for (int c = 0; c < CLOCKS; c++)
			sum->self[c] = sum->exclusive[c] - sum->self[c];
		fold->met[fold->met_count++] = m;
		fold->present += m != METHOD_TOPLEVEL;
	}
}

/* Hands the sums out as a value, which is incomplete when cancelled. */
static void
summing_hand_out(struct summing *s, const struct folding *f, struct fold *fold)
{
	if (f->of == NULL)
		seen_add(s, f->scope == NULL && f->sums == NULL);
	methods_give(fold, s);
	fold->calls = fold->recorded_calls = s->calls;
	fold->recorded_present = fold->present;
	fold->whole_calls = s->whole_calls;
	memcpy(fold->total, s->total, sizeof(fold->total));
	memcpy(fold->whole, s->whole, sizeof(fold->whole));
	if (f->of == NULL && !f->unranked)
		ranks_give(fold, s, f->profile->trace);
	if (f->relations)
		edges_relate(&s->edges, f->profile->trace, fold, f->cancel);
}

/* Takes over what transforms do not change. */
static void
recorded_take(struct fold *fold, const struct fold *recorded)
{
	for (uint32_t i = 0; i < fold->met_count; i++) {
		uint32_t m = fold->met[i];

		fold->methods[m].rank = m < recorded->method_count && recorded->methods[m].present
		    ? recorded->methods[m].rank : RANK_NONE;
	}
	memcpy(fold->threads, recorded->threads, fold->thread_count * sizeof(*fold->threads));
	memcpy(fold->whole, recorded->whole, sizeof(fold->whole));
	fold->unknown = recorded->unknown;
	fold->whole_calls = recorded->whole_calls;
	fold->recorded_calls = recorded->calls;
	fold->recorded_present = recorded->present;
}

/* The query without transforms. */
static struct fold *
recorded_make(const struct profile *p, const struct fold_query *q,
    const struct range_sums *sums, const atomic_bool *cancel)
{
	struct fold_query plain = *q;

	plain.of = NULL;
	plain.sums = sums;
	plain.relations = false;
	return fold_make(p, &plain, cancel);
}

static struct fold *
fold_begin(const struct folding *f)
{
	struct fold *fold = mem_zero(1, sizeof(*fold));
	const struct profile *p = f->profile;
	const struct range within = range_within(&f->range, p->begin, p->end);

	fold->range = f->range;
	fold->length = within.to - within.from;
	fold->method_count = f->method_count;
	fold->thread_count = p->stack_count;
	fold->threads = mem_zero(fold->thread_count, sizeof(*fold->threads));
	fold->records = p->records;
	return fold;
}

/* False when cancelled. */
static bool
unknown_fill(struct fold *fold, const struct profile *p, const atomic_bool *cancel)
{
	const struct log *log = p->trace->log;
	const struct range range = range_within(&fold->range, p->begin, p->end);
	nsec *of;
	bool whole;

	if (log == NULL || !log->has_sched)
		return true;
	of = mem_zero((size_t)fold->thread_count + 1, sizeof(*of));
	whole = unknown_add(log, &range, of, fold->thread_count, cancel);
	for (uint32_t t = 0; t < fold->thread_count; t++) {
		fold->threads[t].unknown = of[t];
		fold->unknown |= of[t] > 0;
	}
	mem_free(of);
	return whole;
}

struct fold *
fold_make(const struct profile *p, const struct fold_query *q, const atomic_bool *cancel)
{
	struct folding f = {
		.profile = p,
		.tree = &p->tree,
		.scope = q->scope,
		.aside = scope_is_aside(q->scope, p),
		.range = q->range != NULL ? *q->range : RANGE_ALL,
		.same = q->same,
		.same_count = q->same != NULL ? q->same_count : 0,
		.method_count = trace_method_count(p->trace),
		.idle = q->idle,
		.idle_count = q->idle != NULL ? q->idle_count : 0,
		.relations = q->relations,
		.unranked = q->unranked,
		.slices = p->trace->log != NULL && q->of == NULL,
		.cancel = cancel,
	};
	struct range_sums sums;
	struct summing summing = {.folding = &f, .rank_clock = trace_default_clock(p->trace)};
	const struct fold *recorded = q->recorded;
	struct fold *fold, *made = NULL;
	bool whole;

	f.cuts = range_is_whole(&f.range, p) ? RANGE_ALL : f.range;
	if (!range_is_whole(&f.range, p)) {
		if (q->sums == NULL && !range_count(p, q->scope, &f.range, &sums, NULL, cancel))
			return NULL;
		f.sums = q->sums != NULL ? q->sums : &sums;
		f.counts = f.sums->counts;
	}
	if (q->of != NULL) {
		f.of = q->of;
		f.tree = &q->of->tree;
		f.counts = NULL;
		if (recorded == NULL)
			recorded = made = recorded_make(p, q, f.sums, cancel);
	}
	fold = fold_begin(&f);
	f.threads = fold->threads;
	summing.tallies = mem_zero(f.method_count, sizeof(*summing.tallies));
	whole = summing_fold(&summing) &&
	    (q->of == NULL ? unknown_fill(fold, p, cancel) : recorded != NULL);
	if (whole) {
		summing_hand_out(&summing, &f, fold);
		if (q->of != NULL)
			recorded_take(fold, recorded);
		whole = !is_cancelled(cancel);
	}
	mem_free(summing.tallies);
	mem_free(summing.stack);
	edges_release(&summing.edges);
	fold_free(made);
	if (f.sums == &sums)
		range_release(&sums);
	if (whole)
		return fold;
	fold_free(fold);
	return NULL;
}

void
fold_free(struct fold *fold)
{
	if (fold == NULL)
		return;
	mem_free(fold->methods);
	mem_free(fold->met);
	mem_free(fold->threads);
	mem_free(fold->first);
	mem_free(fold->relations);
	mem_free(fold);
}

nsec
fold_busy(const struct fold *fold, const struct trace *t, uint32_t thread)
{
	const struct fold_thread *sum = &fold->threads[thread];

	/* Threads that are only listed have no records. */
	if (thread >= fold->thread_count || trace_thread(t, thread)->kind == THREAD_ASYNC)
		return 0;
	return trace_has_clock(t, CLOCK_CPU) ? sum->last[CLOCK_CPU] - sum->first[CLOCK_CPU]
					     : sum->covered - sum->idle;
}

nsec
fold_known(const struct fold *fold, const struct trace *t, uint32_t thread)
{
	if (trace_thread(t, thread)->kind == THREAD_ASYNC)
		return 0;
	return fold->length - (thread < fold->thread_count ? fold->threads[thread].unknown : 0);
}

const struct relation *
fold_relations(const struct fold *fold, uint32_t method, enum relation_kind kind,
    uint32_t *count)
{
	size_t at = (size_t)method * RELATION_KINDS + kind;

	*count = 0;
	if (fold->first == NULL)
		return NULL;
	*count = fold->first[at + 1] - fold->first[at];
	return fold->relations + fold->first[at];
}
