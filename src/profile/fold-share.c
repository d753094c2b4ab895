#include <config.h>

#include "profile/fold-share.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/flat.h"

enum {
	CANCEL_NODES = 4096,     /* a look at the flag after so many */
	WORKER_NODES = 1 << 17,  /* of the tree, for each worker: some milliseconds */
	SHARES_MAX = 16,
};

/* What is needed of a node when it is left is kept: its memory may be far by then. */
struct frame {
	uint32_t next; /* child to visit, NODE_NONE: all done */
	bool recursive;
	struct tally *tally;
	uint64_t calls;
	nsec own[CLOCKS]; /* in frames of the node itself */
	nsec inclusive[CLOCKS];
	uint64_t whole_calls; /* in the whole trace */
	nsec whole; /* inclusive in the whole trace, on the clock of the ranks */
};

/* Of a log's thread, the time between slices: it counts to nothing. */
static bool
is_idle(const struct share *s, const struct node *node)
{
	return s->folding->slices && node_parent(node) == NODE_NONE;
}

/* Spent in the node's own frames. */
static const nsec *
own_time(const struct share *s, uint32_t node)
{
	static const nsec none[CLOCKS];
	const struct tree *tree = s->folding->tree;

	return is_idle(s, &tree->nodes[node]) ? none
					      : tree_time_of(tree, s->folding->counts, node);
}

static inline __attribute__((always_inline)) void
node_fetch(const struct tree *tree, uint32_t node)
{
	__builtin_prefetch(&tree->nodes[node]);
	__builtin_prefetch(&tree->kin[node]);
}

static void
frame_push(struct share *s, uint32_t node)
{
	const struct folding *f = s->folding;
	const struct node *n = &f->tree->nodes[node];
	struct frame *frame;

	MEM_GROW(s->stack, s->room, s->depth + 1);
	frame = &s->stack[s->depth++];
	frame->next = tree_child(f->tree, node);
	node_fetch(f->tree, frame->next);
	node_fetch(f->tree, tree_sibling(f->tree, node));
	frame->tally = &s->tallies[folding_counted_as(f, n->method)];
	frame->recursive = frame->tally->open++ > 0;
	memcpy(frame->own, own_time(s, node), sizeof(frame->own));
	memcpy(frame->inclusive, frame->own, sizeof(frame->inclusive));
	frame->whole = n->time[s->rank_clock];
	frame->whole_calls = tree_calls(f->tree, node);
	frame->calls = f->counts != NULL ? f->counts[node].calls : frame->whole_calls;
}

static uint32_t
tally_method(const struct share *s, const struct tally *tally)
{
	return (uint32_t)(tally - s->tallies);
}

static void
tally_add(struct share *s, const struct frame *frame, uint32_t thread)
{
	struct tally *t = frame->tally;

	if (frame->calls == 0 && frame->inclusive[CLOCK_CPU] == 0 &&
	    frame->inclusive[CLOCK_WALL] == 0)
		return; /* not in the range */
	t->present = true;
	if (t->last != thread + 1) {
		t->last = thread + 1;
		t->threads++;
	}
	for (int c = 0; c < CLOCKS; c++)
		t->exclusive[c] += frame->own[c];
	if (!frame->recursive) {
		t->calls += frame->calls;
		for (int c = 0; c < CLOCKS; c++)
			t->inclusive[c] += frame->inclusive[c];
		return;
	}
	t->recursive_calls += frame->calls;
	for (int c = 0; c < CLOCKS; c++)
		s->rests[tally_method(s, t)].nested[c] += frame->own[c];
}

static void
frame_pop(struct share *s, uint32_t thread, bool in_scope)
{
	struct frame *frame = &s->stack[--s->depth], *caller;
	struct tally *tally = frame->tally;

	tally->open--;
	tally->ranked = true;
	if (s->part && !frame->recursive)
		s->rests[tally_method(s, tally)].rank += frame->whole;
	if (in_scope)
		tally_add(s, frame, thread);
	if (s->depth == 0)
		return;
	caller = frame - 1;
	if (in_scope)
		s->whole_calls += frame->whole_calls;
	for (int c = 0; c < CLOCKS; c++)
		caller->inclusive[c] += frame->inclusive[c];
	caller->whole += frame->whole;
	if (frame->calls == 0)
		return;
	s->thread_calls += frame->calls;
	if (s->depth > s->deepest)
		s->deepest = (uint32_t)s->depth;
	if (in_scope && s->edges != NULL)
		edges_add(s->edges, tally_method(s, caller->tally), tally_method(s, tally),
		    caller->recursive, frame->recursive, frame->calls, frame->inclusive);
}

/* Depth first, without recursion: a trace may be as deep as it has records. */
static bool
thread_fold(struct share *s, uint32_t thread, uint32_t root, bool in_scope,
    nsec inclusive[CLOCKS])
{
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
		top->next = tree_sibling(s->folding->tree, child);
		frame_push(s, child);
		if (s->folding->cancel != NULL && ++s->visited % CANCEL_NODES == 0 &&
		    atomic_load(s->folding->cancel))
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
	const nsec *bottom; /* with an empty stack */
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
	bottom = p->flat != NULL ? p->flat->lanes[thread].sums[0].self
				 : tree_time_of(s->folding->tree, s->folding->counts, lane->root);
	if (s->folding->slices)
		memset(counted, 0, sizeof(counted));
	else
		memcpy(counted, bottom, sizeof(counted));
	thread_span(s, thread, inclusive[!p->axis] - counted[!p->axis] + bottom[!p->axis], out);
	out->covered = inclusive[p->axis] - counted[p->axis];
	for (int c = 0; c < CLOCKS; c++)
		out->part[c] = s->folding->slices ? inclusive[c] : out->last[c] - out->first[c];
	out->open = (uint32_t)profile_open_calls(p, thread);
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
	s->memory = mem_zero_table((size_t)f->method_count + 1, sizeof(*s->tallies));
	s->tallies = (void *)(((uintptr_t)s->memory + sizeof(*s->tallies) - 1) &
	    ~(uintptr_t)(sizeof(*s->tallies) - 1));
	s->rests = mem_zero_table(f->method_count, sizeof(*s->rests));
	s->part = f->counts != NULL || f->scope != NULL;
	s->edges = f->relations ? edges_new() : NULL;
}

void
share_release(struct share *s)
{
	mem_free(s->memory);
	mem_free(s->rests);
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

		if (p->flat != NULL)
			share_flat(s, t, in_scope, inclusive);
		else if (root != NODE_NONE && !thread_fold(s, t, root, in_scope, inclusive)) {
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
tally_merge(struct tally *into, const struct tally *more)
{
	into->present |= more->present;
	into->ranked = true;
	into->threads += more->threads;
	into->calls += more->calls;
	into->recursive_calls += more->recursive_calls;
	for (int c = 0; c < CLOCKS; c++) {
		into->inclusive[c] += more->inclusive[c];
		into->exclusive[c] += more->exclusive[c];
	}
}

static void
share_merge(struct share *into, const struct share *more)
{
	for (uint32_t m = 0; m < into->folding->method_count; m++) {
		if (!more->tallies[m].ranked)
			continue;
		tally_merge(&into->tallies[m], &more->tallies[m]);
		into->rests[m].rank += more->rests[m].rank;
		for (int c = 0; c < CLOCKS; c++)
			into->rests[m].nested[c] += more->rests[m].nested[c];
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
