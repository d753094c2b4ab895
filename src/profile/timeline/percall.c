// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/percall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* Sums of calls while they are found. */
struct percall_sums {
	const struct profile *profile;
	const struct percall_query *query;
	struct percall *result;
	uint64_t *calls; /* by thread: those that are whole */
	/* Calls that blocks are made of, in the order in which they are found. */
	struct found_call {
		nsec start;
		uint32_t thread, block;
	} *found;
	size_t found_count, found_room, next;

	struct count **counts; /* by side, by node */
	uint32_t *call_of;  /* by node: the thread that calls of it are in, + 1; 0: it has none */
	/* When slow frames were under way, by thread and time. */
	struct slow_frame {
		uint32_t thread;
		struct range called;
	} *slow;
	size_t slow_count;
	uint64_t *last; /* by `as`: the call over the limit, from 1, that it was met in */
};

static int
slow_order(const void *left, const void *right)
{
	const struct slow_frame *a = left, *b = right;

	return order_then(ORDER(a->thread, b->thread), ORDER(a->called.from, b->called.from));
}

static void
slow_collect(struct percall_sums *s)
{
	const struct jank *j = s->query->frames;

	if (j == NULL)
		return;
	s->slow = mem_alloc(((size_t)j->count + 1) * sizeof(*s->slow));
	for (uint32_t i = 0; i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];
		struct range called = f->source == JANK_CALLS ? (struct range){f->start, f->start + 1} : f->called;

		if (f->slow && called.to > 0)
			s->slow[s->slow_count++] = (struct slow_frame){f->thread, called};
	}
	qsort(s->slow, s->slow_count, sizeof(*s->slow), slow_order);
}

/* True if the call begins in a slow frame. */
static bool
is_of_slow(const struct percall_sums *s, const struct jank_frame *f)
{
	const struct slow_frame after = {f->thread, {f->start + 1, f->start + 1}};
	/* The last that does not begin after it is before this one. */
	size_t at = mem_before(s->slow, s->slow_count, sizeof(after), &after, slow_order);

	return at > 0 && s->slow[at - 1].thread == f->thread &&
	    f->start < s->slow[at - 1].called.to;
}

static uint32_t
side_of(const struct percall_sums *s, const struct jank_frame *f)
{
	if (s->query->blocks)
		return s->found[s->next].block;
	if (s->query->frames != NULL)
		return is_of_slow(s, f) ? PERCALL_OVER : PERCALL_UNDER;
	return f->time[s->profile->axis] > s->query->over ? PERCALL_OVER : PERCALL_UNDER;
}

/* Counts calls by thread. */
static void
thread_take(void *context, const struct jank_frame *f, uint32_t node,
    const struct jank_part *parts, size_t count)
{
	struct percall_sums *s = context;

	s->result->cut += f->cut;
	s->calls[f->thread] += !f->cut;
	if (f->cut || !s->query->blocks)
		return;
	*MEM_ADD(s->found, s->found_count, s->found_room) =
	    (struct found_call){f->start, f->thread, 0};
}

/* Adds a call's parts to its side; what a part has is not its caller's own. */
static void
call_take(void *context, const struct jank_frame *f, uint32_t node, const struct jank_part *parts,
    size_t count)
{
	struct percall_sums *s = context;
	struct percall_side *side;
	struct count *counts;
	uint32_t at;

	s->result->cut += f->cut;
	if (f->cut)
		return;
	at = side_of(s, f);
	s->next++;
	side = &s->result->side[at];
	counts = s->counts[at];
	side->calls++;
	s->call_of[node] = f->thread + 1;
	clocks_add(side->time, f->time);
	for (size_t i = 0; i < count; i++) {
		const struct jank_part *part = &parts[i];
		uint32_t as;

		counts[part->node].calls += part->calls;
		for (int c = 0; c < CLOCKS; c++) {
			counts[part->node].time[c] += part->time[c];
			if (part->node != node)
				counts[tree_parent(&s->profile->tree, part->node)].time[c] -= part->time[c];
		}
		if (at != PERCALL_OVER || s->query->as == NULL)
			continue;
		as = s->query->as[s->profile->tree.nodes[part->node].method];
		if (s->last[as] != side->calls) {
			s->last[as] = side->calls;
			s->result->in[as]++;
		}
	}
}

static void
node_put(struct tree *t, uint32_t parent, uint32_t method, const struct count *count)
{
	uint32_t id = t->count++;

	t->nodes[id] = (struct node){.method = method, .parent = parent, .longest = -1};
	tree_count_add(t, id, count);
	if (parent != NODE_NONE) {
		t->nodes[id].sibling = t->nodes[parent].child;
		t->nodes[parent].child = id;
	}
}

/* Makes the tree of a side; callers have lower ids than what was entered from them. */
static struct transformed *
side_tree(const struct percall_sums *s, const struct count *counts)
{
	const struct profile *p = s->profile;
	const struct node *nodes = p->tree.nodes;
	struct transformed *x = mem_zero(1, sizeof(*x));
	uint32_t *made = mem_alloc(p->tree.count * sizeof(*made)); /* by node */
	uint32_t most = 1 + s->result->threads; /* NODE_NONE and the roots */

	for (uint32_t i = 1; i < p->tree.count; i++)
		most += counts[i].calls > 0;
	tree_init_room(&x->tree, most);
	x->tree.limit = most;
	x->thread_count = p->stack_count;
	x->method_count = trace_method_count(p->trace);
	x->roots = mem_zero((size_t)p->stack_count + 1, sizeof(*x->roots));
	x->open = mem_zero((size_t)p->stack_count + 1, sizeof(*x->open));
	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (s->calls[t] == 0 || (!s->query->blocks && t != s->result->thread))
			continue;
		x->roots[t] = x->tree.count;
		node_put(&x->tree, NODE_NONE, METHOD_TOPLEVEL, &(struct count){.calls = 1});
	}
	for (uint32_t i = 1; i < p->tree.count; i++) {
		uint32_t method = nodes[i].method;

		if (counts[i].calls == 0)
			continue;
		made[i] = x->tree.count;
		node_put(&x->tree,
		    s->call_of[i] > 0 ? x->roots[s->call_of[i] - 1] : made[nodes[i].parent],
		    s->query->folded ? trace_folded(p->trace, method) : method, &counts[i]);
	}
	mem_free(made);
	return x;
}

/* Adds what the thread did in the calls that are rows: all of them, where that is known. */
static void
states_take(struct percall_sums *s, const struct jank *j)
{
	struct percall *r = s->result;
	nsec sum = 0;

	for (uint32_t i = 0; i < j->count && !s->query->blocks; i++) {
		const struct jank_frame *f = &j->frames[i];

		for (int state = 0; state < JANK_STATES && !f->cut; state++) {
			r->side[side_of(s, f)].state[state] += f->state[state];
			sum += f->state[state];
		}
	}
	r->states = sum > 0 && j->count == j->total;
}

static struct jank *
calls_find(struct percall_sums *s, const struct scope *scope, jank_take take,
    const atomic_bool *cancel, struct err *e)
{
	struct jank_query q = {.scope = scope, .range = s->query->range, .pattern = s->query->pattern,
	    .method = s->query->method, .take = take, .context = s};
	struct jank *j;

	if (q.pattern.n == 0)
		q.pattern = str_from(jank_frames);
	s->result->cut = 0;
	j = jank_find(s->profile, &q, cancel, e);
	if (j == NULL)
		err_set(e, ERR_CANCELLED, "interrupted");
	if (j != NULL && e->kind == ERR_NONE)
		return j;
	jank_free(j);
	return NULL;
}

/* Ranks a thread: those of the app in front are before others, and these before asynchronous rows. */
static int
thread_rank(const struct percall_sums *s, const struct scope *front, uint32_t t)
{
	return trace_thread(s->profile->trace, t)->kind == THREAD_ASYNC ? 0 : scope_has(front, t) ? 2 : 1;
}

/* Chooses the thread with most calls of those that rank first. */
static bool
thread_choose(struct percall_sums *s, const atomic_bool *cancel, struct err *e)
{
	struct percall *r = s->result;
	struct scope *front = s->query->scope == NULL ? scope_front(s->profile->trace) : NULL;
	struct jank *j = calls_find(s, s->query->scope, thread_take, cancel, e);

	for (uint32_t t = 0; j != NULL && t < s->profile->stack_count; t++) {
		int rank = thread_rank(s, front, t), best = r->thread == THREAD_NONE ? -1 : thread_rank(s, front, r->thread);

		if (s->calls[t] == 0)
			continue;
		r->threads++;
		if (rank > best || (rank == best && s->calls[t] > s->calls[r->thread]))
			r->thread = t;
	}
	scope_free(front);
	jank_free(j);
	return j != NULL;
}

static int
start_order(const void *a, const void *b)
{
	const struct found_call *const *x = a, *const *y = b;

	return order_then(ORDER((*x)->start, (*y)->start), ORDER(*x, *y));
}

/* Divides the calls into blocks; returns how many. */
static uint32_t
blocks_divide(struct percall_sums *s)
{
	size_t n = s->found_count, count = n / PERCALL_BLOCK_LEAST;
	struct found_call **order = mem_alloc((n + 1) * sizeof(struct found_call *));

	count = count < 1 ? 1 : count < PERCALL_BLOCKS ? count : PERCALL_BLOCKS;
	for (size_t i = 0; i < n; i++)
		order[i] = &s->found[i];
	qsort(order, n, sizeof(*order), start_order);
	for (size_t i = 0, block = 0; i < n; i++) {
		while (i >= (block + 1) * n / count)
			block++;
		order[i]->block = (uint32_t)block;
	}
	mem_free(order);
	return (uint32_t)count;
}

/* Sums the calls of the thread, or of all in scope. */
static bool
calls_sum(struct percall_sums *s, const atomic_bool *cancel, struct err *e)
{
	struct percall *r = s->result;
	struct scope *one = s->query->blocks ? NULL : scope_of_thread(s->profile, r->thread);
	struct jank *j;

	r->count = s->query->blocks ? blocks_divide(s) : PERCALL_SIDES;
	r->side = mem_zero(r->count, sizeof(*r->side));
	s->counts = mem_alloc(r->count * sizeof(*s->counts));
	for (uint32_t side = 0; side < r->count; side++)
		s->counts[side] = mem_zero(s->profile->tree.count, sizeof(**s->counts));
	s->call_of = mem_zero(s->profile->tree.count, sizeof(*s->call_of));
	s->last = mem_zero((size_t)s->query->as_count + 1, sizeof(*s->last));
	j = calls_find(s, one != NULL ? one : s->query->scope, call_take, cancel, e);
	if (j != NULL)
		states_take(s, j);
	for (uint32_t side = 0; side < r->count && j != NULL; side++)
		r->side[side].tree = side_tree(s, s->counts[side]);
	jank_free(j);
	scope_free(one);
	for (uint32_t side = 0; side < r->count; side++)
		mem_free(s->counts[side]);
	mem_free(s->counts);
	mem_free(s->call_of);
	mem_free(s->last);
	return j != NULL;
}

struct percall *
percall_new(const struct profile *p, const struct percall_query *q, const atomic_bool *cancel,
    struct err *e)
{
	struct percall_sums s = {.profile = p, .query = q};
	bool good;

	if (!q->blocks && unit_counts(&p->trace->unit)) {
		err_set(e, ERR_UNSUPPORTED, "counts %s: calls have no times", unit_name(&p->trace->unit));
		return NULL;
	}
	s.result = mem_zero(1, sizeof(*s.result));
	s.result->thread = THREAD_NONE;
	s.result->in = mem_zero((size_t)q->as_count + 1, sizeof(*s.result->in));
	s.calls = mem_zero((size_t)p->stack_count + 1, sizeof(*s.calls));
	slow_collect(&s);
	good = thread_choose(&s, cancel, e) &&
	    (s.result->thread == THREAD_NONE || calls_sum(&s, cancel, e));
	mem_free(s.calls);
	mem_free(s.found);
	mem_free(s.slow);
	if (good)
		return s.result;
	percall_free(s.result);
	return NULL;
}

bool
percall_check(const uint64_t calls[PERCALL_SIDES], uint64_t cut, const char *pattern, struct str thread,
    nsec over, struct err *e)
{
	const char *per = pattern != NULL ? pattern : "frames";
	uint64_t under = calls[PERCALL_UNDER], above = calls[PERCALL_OVER];
	char limit[FMT_SIZE + 16] = "in a slow frame";

	if (under > 0 && above > 0)
		return true;
	if (over >= 0)
		snprintf(limit, sizeof(limit), "longer than %s ms", fmt_ms(FMT_BUF, over));
	if (under + above > 0)
		return err_set(e, ERR_UNSUPPORTED, "%s: %" PRIu64 " call%s in %.*s, %s %s", per, under + above,
		    under + above == 1 ? "" : "s", STR_ARG(thread), above > 0 ? "all" : "none", limit);
	if (cut == 0)
		return err_set(e, ERR_UNSUPPORTED, "%s: there is no such call", per);
	return err_set(e, ERR_UNSUPPORTED, "%s: the window or the trace cuts all calls (%" PRIu64 ")", per, cut);
}

void
percall_free(struct percall *r)
{
	if (r == NULL)
		return;
	for (uint32_t side = 0; side < r->count; side++)
		transformed_free(r->side[side].tree);
	mem_free(r->side);
	mem_free(r->in);
	mem_free(r);
}
