#include <config.h>

#include "profile/fold-share.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/worker.h"

enum {
	CANCEL_NODES = 4096,     /* a look at the flag after so many */
	WORKER_NODES = 1 << 17,  /* of the tree, for each worker: some milliseconds */
	SHARES_MAX = 16,
};

struct frame {
	uint32_t node;
	uint32_t next; /* child to visit, NODE_NONE: all done */
	bool recursive;
	nsec inclusive[CLOCKS];
	nsec whole; /* inclusive in the whole trace, on the clock of the ranks */
};

static uint32_t
node_method(const struct share *s, uint32_t node)
{
	return folding_counted_as(s->folding, s->folding->tree->nodes[node].method);
}

/* Of a log's thread, the time between slices: it counts to nothing. */
static bool
is_idle(const struct share *s, uint32_t node)
{
	return s->folding->slices && node_parent(&s->folding->tree->nodes[node]) == NODE_NONE;
}

/* Spent in the node's own frames. */
static const nsec *
own_time(const struct share *s, uint32_t node)
{
	static const nsec none[CLOCKS];

	return is_idle(s, node) ? none : tree_time_of(s->folding->tree, s->folding->counts, node);
}

static struct count
node_count(const struct share *s, uint32_t node)
{
	return tree_count_of(s->folding->tree, s->folding->counts, node);
}

static void
frame_push(struct share *s, uint32_t node)
{
	const struct tree *tree = s->folding->tree;
	struct frame *frame;

	MEM_GROW(s->stack, s->room, s->depth + 1);
	frame = &s->stack[s->depth++];
	frame->node = node;
	frame->next = tree_child(tree, node);
	frame->recursive = s->open[node_method(s, node)]++ > 0;
	memcpy(frame->inclusive, own_time(s, node), sizeof(frame->inclusive));
	frame->whole = tree->nodes[node].time[s->rank_clock];
}

static void
method_sum_add(struct share *s, const struct frame *frame, uint32_t method, uint32_t thread)
{
	const struct count count = node_count(s, frame->node);
	const nsec *own = own_time(s, frame->node);
	struct method_sum *sum = &s->methods[method];

	if (count.calls == 0 && frame->inclusive[CLOCK_CPU] == 0 &&
	    frame->inclusive[CLOCK_WALL] == 0)
		return; /* not in the range */
	sum->present = true;
	if (s->last[method] != thread + 1) {
		s->last[method] = thread + 1;
		sum->threads++;
	}
	if (frame->recursive)
		sum->recursive_calls += count.calls;
	else
		sum->calls += count.calls;
	for (int c = 0; c < CLOCKS; c++) {
		sum->exclusive[c] += own[c];
		if (frame->recursive)
			continue;
		sum->inclusive[c] += frame->inclusive[c];
		sum->self[c] += own[c];
	}
}

static void
frame_pop(struct share *s, uint32_t thread, bool in_scope)
{
	const struct frame *frame = &s->stack[--s->depth];
	uint32_t method = node_method(s, frame->node);
	uint64_t calls = node_count(s, frame->node).calls;

	s->open[method]--;
	s->ranked[method] = true;
	if (!frame->recursive)
		s->rank_time[method] += frame->whole;
	if (in_scope) {
		method_sum_add(s, frame, method, thread);
		if (s->depth > 0)
			s->whole_calls += tree_count(s->folding->tree, frame->node).calls;
	}
	if (s->depth > 0) {
		struct frame *caller = &s->stack[s->depth - 1];

		caller->inclusive[CLOCK_CPU] += frame->inclusive[CLOCK_CPU];
		caller->inclusive[CLOCK_WALL] += frame->inclusive[CLOCK_WALL];
		caller->whole += frame->whole;
		s->thread_calls += calls;
		if (calls > 0 && s->depth > s->deepest)
			s->deepest = (uint32_t)s->depth;
		if (in_scope && calls > 0 && s->edges != NULL)
			edges_add(s->edges, node_method(s, caller->node), method,
			    caller->recursive, frame->recursive, calls, frame->inclusive);
	}
}

/* Depth first, without recursion: a trace may be as deep as it has records. */
static bool
thread_fold(struct share *s, uint32_t thread, uint32_t root, bool in_scope,
    nsec inclusive[CLOCKS])
{
	const struct tree *tree = s->folding->tree;

	s->thread_calls = s->deepest = 0;
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
		top->next = tree_sibling(tree, child);
		frame_push(s, child);
		if (s->folding->cancel != NULL && ++s->visited % CANCEL_NODES == 0 && atomic_load(s->folding->cancel))
			return false;
	}
	s->folding->threads[thread].calls = s->thread_calls;
	s->folding->threads[thread].deepest = s->deepest;
	return true;
}

/* First and last time of a thread that has something of the range, which is so long. */
static void
thread_span(const struct share *s, uint32_t thread, nsec length, struct fold_thread *out)
{
	const struct profile *p = s->folding->profile;
	const struct lane *lane = &p->lanes[thread];
	enum clock_id axis = p->axis;

	for (int c = 0; c < CLOCKS; c++) {
		out->first[c] = lane->first[c];
		out->last[c] = lane_time(lane, (enum clock_id)c);
	}
	if (s->folding->sums == NULL)
		return;
	if (out->first[axis] < s->folding->range.from)
		out->first[axis] = s->folding->range.from;
	if (out->last[axis] > s->folding->range.to)
		out->last[axis] = s->folding->range.to;
	out->first[!axis] = s->folding->sums->lanes[thread].begin;
	out->last[!axis] = out->first[!axis] + length;
}

static void
thread_sum(struct share *s, uint32_t thread, const nsec inclusive[CLOCKS])
{
	s->calls += s->folding->threads[thread].calls;
	for (int c = 0; c < CLOCKS; c++)
		s->total[c] += inclusive[c];
}

static void
thread_describe(struct share *s, uint32_t thread, bool in_scope,
    const nsec inclusive[CLOCKS])
{
	const struct profile *p = s->folding->profile;
	const struct lane *lane = &p->lanes[thread];
	struct fold_thread *out = &s->folding->threads[thread];
	const nsec *bottom = /* with an empty stack */
	    tree_time_of(s->folding->tree, s->folding->counts, lane->root);
	nsec counted[CLOCKS]; /* of that what is part of the total */

	out->in_scope = in_scope;
	out->records = lane->records;
	if (!lane->started)
		return;
	for (int c = 0; c < CLOCKS && in_scope; c++)
		s->whole[c] += lane_span(lane, (enum clock_id)c) -
		    (p->trace->log != NULL ? p->tree.nodes[lane->root].time[c] : 0);
	if (s->folding->sums != NULL &&
	    (!(in_scope || s->folding->sums->all) || !s->folding->sums->lanes[thread].present))
		return;
	memcpy(counted, own_time(s, lane->root), sizeof(counted));
	thread_span(s, thread, inclusive[!p->axis] - counted[!p->axis] + bottom[!p->axis], out);
	out->covered = inclusive[p->axis] - counted[p->axis];
	for (int c = 0; c < CLOCKS; c++)
		out->part[c] = s->folding->slices ? inclusive[c] : out->last[c] - out->first[c];
	out->open = tree_depth(&p->tree, lane->node) + (uint32_t)lane->inside;
	if (in_scope)
		thread_sum(s, thread, inclusive);
}

/* NODE_NONE when there is nothing to sum. */
static uint32_t
thread_root(const struct folding *f, uint32_t thread)
{
	if (f->of != NULL)
		return f->of->roots[thread];
	return f->profile->lanes[thread].started ? f->profile->lanes[thread].root : NODE_NONE;
}

/* Threads wait for a worker, those with most records first: the last ones are short. */
struct queue {
	const struct folding *folding;
	uint32_t *threads;
	atomic_uint next;
	struct share *shares;
};

static int
queue_order(const void *left, const void *right, void *context)
{
	const struct lane *lanes = context;
	const uint32_t *a = left, *b = right;

	return (lanes[*a].records < lanes[*b].records) - (lanes[*a].records > lanes[*b].records);
}

static void
share_init(struct share *s, const struct folding *f)
{
	*s = (struct share){.folding = f};
	s->rank_clock = trace_default_clock(f->profile->trace);
	s->methods = mem_zero(f->method_count, sizeof(*s->methods));
	s->open = mem_zero(f->method_count, sizeof(*s->open));
	s->last = mem_zero(f->method_count, sizeof(*s->last));
	s->rank_time = mem_zero(f->method_count, sizeof(*s->rank_time));
	s->ranked = mem_zero(f->method_count, sizeof(*s->ranked));
	s->edges = f->relations ? edges_new() : NULL;
}

void
share_release(struct share *s)
{
	mem_free(s->methods);
	mem_free(s->open);
	mem_free(s->last);
	mem_free(s->rank_time);
	mem_free(s->ranked);
	mem_free(s->stack);
	edges_free(s->edges);
}

static void
queue_work(struct queue *q, struct share *s)
{
	const struct profile *p = q->folding->profile;
	unsigned at;

	while ((at = atomic_fetch_add(&q->next, 1)) < p->lane_count) {
		uint32_t t = q->threads[at], root = thread_root(q->folding, t);
		bool in_scope = scope_has(q->folding->scope, t);
		nsec inclusive[CLOCKS] = {0};

		if (root != NODE_NONE && !thread_fold(s, t, root, in_scope, inclusive)) {
			s->cancelled = true;
			return;
		}
		if (q->folding->of == NULL)
			thread_describe(s, t, in_scope, inclusive);
		else if (in_scope)
			thread_sum(s, t, inclusive);
	}
}

static void
queue_worker(struct worker_pool *pool, unsigned index, void *context)
{
	struct queue *q = context;

	(void)pool;
	queue_work(q, &q->shares[index + 1]);
}

static void
method_sum_merge(struct method_sum *into, const struct method_sum *more)
{
	into->present |= more->present;
	into->threads += more->threads;
	into->calls += more->calls;
	into->recursive_calls += more->recursive_calls;
	for (int c = 0; c < CLOCKS; c++) {
		into->inclusive[c] += more->inclusive[c];
		into->exclusive[c] += more->exclusive[c];
		into->self[c] += more->self[c];
	}
}

static void
share_merge(struct share *into, const struct share *more)
{
	for (uint32_t m = 0; m < into->folding->method_count; m++) {
		if (!more->ranked[m])
			continue;
		into->ranked[m] = true;
		into->rank_time[m] += more->rank_time[m];
		method_sum_merge(&into->methods[m], &more->methods[m]);
	}
	for (int c = 0; c < CLOCKS; c++) {
		into->total[c] += more->total[c];
		into->whole[c] += more->whole[c];
	}
	into->calls += more->calls;
	into->whole_calls += more->whole_calls;
	into->cancelled |= more->cancelled;
	if (into->edges != NULL)
		edges_merge(into->edges, more->edges);
}

static unsigned
workers_choose(const struct folding *f)
{
	const struct profile *p = f->profile;
	unsigned most = f->tree->count / WORKER_NODES;
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();

	if (most > SHARES_MAX)
		most = SHARES_MAX;
	return jobs < most ? jobs : most;
}

bool
share_fold(struct share *s, const struct folding *f)
{
	const struct profile *p = f->profile;
	struct share shares[SHARES_MAX];
	struct queue q = {.folding = f, .shares = shares};
	struct worker_pool *pool = NULL;
	unsigned jobs = workers_choose(f);

	q.threads = mem_alloc(p->lane_count * sizeof(*q.threads));
	for (uint32_t t = 0; t < p->lane_count; t++)
		q.threads[t] = t;
	qsort_r(q.threads, p->lane_count, sizeof(*q.threads), queue_order, p->lanes);
	for (unsigned i = 0; i == 0 || i < jobs; i++)
		share_init(&shares[i], f);
	if (jobs > 1 && !worker_start(&pool, jobs - 1, queue_worker, &q, NULL, NULL))
		pool = NULL; /* then all is done here */
	queue_work(&q, &shares[0]);
	worker_join(pool);
	for (unsigned i = 1; i < jobs; i++) {
		share_merge(&shares[0], &shares[i]);
		share_release(&shares[i]);
	}
	mem_free(q.threads);
	*s = shares[0];
	return !s->cancelled;
}
