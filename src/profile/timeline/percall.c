// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/percall.h"

#include "base/mem.h"

/* Sums of calls while they are found. */
struct percall_sums {
	const struct profile *profile;
	const struct percall_query *query;
	struct percall *result;
	uint64_t *calls; /* by thread: those that are whole */

	/* Of the one thread. */
	struct count *counts[PERCALL_SIDES]; /* by node */
	uint8_t *is_call;   /* by node */
	uint64_t *last; /* by `as`: the call over the limit, from 1, that it was met in */
};

static int
side_of(const struct percall_sums *s, const struct jank_frame *f)
{
	return f->time[s->profile->axis] > s->query->over ? PERCALL_OVER : PERCALL_UNDER;
}

/* Counts calls by thread. */
static void
thread_take(void *context, const struct jank_frame *f, uint32_t node,
    const struct jank_part *parts, size_t count)
{
	struct percall_sums *s = context;

	(void)node, (void)parts, (void)count;
	s->result->cut += f->cut;
	s->calls[f->thread] += !f->cut;
}

/* Adds a call's parts to its side; what a part has is not its caller's own. */
static void
call_take(void *context, const struct jank_frame *f, uint32_t node, const struct jank_part *parts,
    size_t count)
{
	struct percall_sums *s = context;
	int at = side_of(s, f);
	struct percall_side *side = &s->result->side[at];
	struct count *counts = s->counts[at];

	s->result->cut += f->cut;
	if (f->cut)
		return;
	side->calls++;
	s->is_call[node] = 1;
	for (int c = 0; c < CLOCKS; c++)
		side->time[c] += f->time[c];
	for (size_t i = 0; i < count; i++) {
		const struct jank_part *part = &parts[i];
		uint32_t as = s->query->as[s->profile->tree.nodes[part->node].method];

		counts[part->node].calls += part->calls;
		for (int c = 0; c < CLOCKS; c++) {
			counts[part->node].time[c] += part->time[c];
			if (part->node != node)
				counts[tree_parent(&s->profile->tree, part->node)].time[c] -= part->time[c];
		}
		if (at == PERCALL_OVER && s->last[as] != side->calls) {
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
	uint32_t most = 2; /* NODE_NONE and the root */

	for (uint32_t i = 1; i < p->tree.count; i++)
		most += counts[i].calls > 0;
	tree_init_room(&x->tree, most);
	x->tree.limit = most;
	x->thread_count = p->stack_count;
	x->method_count = trace_method_count(p->trace);
	x->roots = mem_zero((size_t)p->stack_count + 1, sizeof(*x->roots));
	x->open = mem_zero((size_t)p->stack_count + 1, sizeof(*x->open));
	x->roots[s->result->thread] = x->tree.count;
	node_put(&x->tree, NODE_NONE, METHOD_TOPLEVEL, &(struct count){.calls = 1});
	for (uint32_t i = 1; i < p->tree.count; i++) {
		uint32_t method = nodes[i].method;

		if (counts[i].calls == 0)
			continue;
		made[i] = x->tree.count;
		node_put(&x->tree,
		    s->is_call[i] ? x->roots[s->result->thread] : made[nodes[i].parent],
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

	for (uint32_t i = 0; i < j->count; i++) {
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
	    .take = take, .context = s};
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

/* Chooses the thread with most calls. */
static bool
thread_choose(struct percall_sums *s, const atomic_bool *cancel, struct err *e)
{
	struct percall *r = s->result;
	struct jank *j = calls_find(s, s->query->scope, thread_take, cancel, e);

	for (uint32_t t = 0; j != NULL && t < s->profile->stack_count; t++) {
		r->threads += s->calls[t] > 0;
		if (s->calls[t] > (r->thread == THREAD_NONE ? 0 : s->calls[r->thread]))
			r->thread = t;
	}
	jank_free(j);
	return j != NULL;
}

/* Sums the calls of the thread. */
static bool
calls_sum(struct percall_sums *s, const atomic_bool *cancel, struct err *e)
{
	struct percall *r = s->result;
	struct scope *one = scope_new(s->profile->stack_count, false);
	struct jank *j;

	one->in[r->thread] = 1;
	for (int side = 0; side < PERCALL_SIDES; side++)
		s->counts[side] = mem_zero(s->profile->tree.count, sizeof(**s->counts));
	s->is_call = mem_zero(s->profile->tree.count, 1);
	s->last = mem_zero((size_t)s->query->as_count + 1, sizeof(*s->last));
	j = calls_find(s, one, call_take, cancel, e);
	if (j != NULL)
		states_take(s, j);
	for (int side = 0; side < PERCALL_SIDES && j != NULL; side++)
		r->side[side].tree = side_tree(s, s->counts[side]);
	jank_free(j);
	scope_free(one);
	for (int side = 0; side < PERCALL_SIDES; side++)
		mem_free(s->counts[side]);
	mem_free(s->is_call);
	mem_free(s->last);
	return j != NULL;
}

struct percall *
percall_new(const struct profile *p, const struct percall_query *q, const atomic_bool *cancel,
    struct err *e)
{
	struct percall_sums s = {.profile = p, .query = q};
	bool good;

	s.result = mem_zero(1, sizeof(*s.result));
	s.result->thread = THREAD_NONE;
	s.result->in = mem_zero((size_t)q->as_count + 1, sizeof(*s.result->in));
	s.calls = mem_zero((size_t)p->stack_count + 1, sizeof(*s.calls));
	good = thread_choose(&s, cancel, e) &&
	    (s.result->thread == THREAD_NONE || calls_sum(&s, cancel, e));
	mem_free(s.calls);
	if (good)
		return s.result;
	percall_free(s.result);
	return NULL;
}

void
percall_free(struct percall *r)
{
	if (r == NULL)
		return;
	for (int side = 0; side < PERCALL_SIDES; side++)
		transformed_free(r->side[side].tree);
	mem_free(r->in);
	mem_free(r);
}
