#include <config.h>

#include "profile/comb.h"

#include <stdlib.h>

#include "base/mem.h"

/* Workers --------------------------------------------------------------------------- */

/*
 * What a worker is to do next: a task, or from their count on a share of what is ahead.  A
 * single share, which is as much as many threads, comes first.
 */
static bool
work_next(struct comb *c, unsigned *at)
{
	unsigned shares = c->ahead->share_count, all = c->tasks.count + shares;
	unsigned next = atomic_fetch_add(&c->next, 1);

	if (next >= all || (c->how->cancel != NULL &&
		atomic_load_explicit(c->how->cancel, memory_order_relaxed)))
		return false;
	*at = shares == 1 ? (next + c->tasks.count) % all : next;
	return true;
}

static void
comb_work(void *arg, unsigned worker)
{
	struct comb *c = arg;
	unsigned at;

	if (worker == 0 && c->how->also != NULL)
		c->how->also(c->arg);
	while (work_next(c, &at)) {
		if (at < c->tasks.count)
			c->how->task(c->arg, worker, &c->tasks.items[at]);
		else
			strands_share(c->ahead, at - c->tasks.count, &c->scratches[worker]);
	}
}

void
comb_init(struct comb *c, struct source *source, unsigned workers, const struct comb_how *how,
    void *arg)
{
	*c = (struct comb){.source = source, .how = how, .arg = arg, .count = workers};
	c->ahead = c->stretches;
	c->crew = crew_new(workers, comb_work, c);
	if (c->crew == NULL) {
		c->count = 1;
		c->crew = crew_new(1, comb_work, c); /* needs no thread */
	}
	c->scratches = mem_zero(c->count, sizeof(*c->scratches));
}

void
comb_release(struct comb *c)
{
	crew_free(c->crew);
	strands_release(&c->stretches[0]);
	strands_release(&c->stretches[1]);
	mem_free(c->scratches);
	mem_free(c->tasks.items);
}

/* Rounds ---------------------------------------------------------------------------- */

static void
ahead_begin(struct comb *c, const struct comb_span *s)
{
	if (s->records > 0 && s->from.offset < s->until)
		strands_begin(c->ahead, c->source, s->from, s->until, s->records);
}

static void
round_run(struct comb *c)
{
	atomic_store(&c->next, 0);
	crew_round(c->crew);
}

static bool
comb_cancelled(const struct comb *c)
{
	return c->how->cancel != NULL && atomic_load(c->how->cancel);
}

enum comb_taken
comb_take(struct comb *c, const struct comb_span *first)
{
	c->tasks.count = 0;
	if (c->ahead->share_count == 0) {
		ahead_begin(c, first);
		round_run(c);
	}
	c->now = c->ahead;
	if (c->now->share_count == 0)
		return TAKEN_NOTHING;
	/* Who is alone takes the next apart when this one was worked on, in the same memory. */
	if (c->count > 1)
		c->ahead = &c->stretches[c->now == c->stretches];
	return !comb_cancelled(c) && strands_tie(c->now, &c->scratches[0]) ? TAKEN : TAKEN_LOST;
}

void
comb_round(struct comb *c, const struct comb_span *next)
{
	c->ahead->share_count = 0;
	if (c->count > 1)
		ahead_begin(c, next);
	round_run(c);
}

/* Tasks ----------------------------------------------------------------------------- */

static int
task_order(const void *left, const void *right)
{
	const struct task *a = left, *b = right;

	if (a->strand->records != b->strand->records)
		return a->strand->records < b->strand->records ? 1 : -1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

void
tasks_order(struct tasks *t)
{
	if (t->count > 0) /* there may be names only */
		qsort(t->items, t->count, sizeof(*t->items), task_order);
}

void
comb_tasks_loaded(struct comb *c, const struct profile *p, const struct scope *scope)
{
	struct tasks *t = &c->tasks;

	MEM_GROW(t->items, t->room, c->now->count);
	t->count = 0;
	for (uint32_t i = 0; i < c->now->count; i++) {
		const struct strand *s = &c->now->all[i];
		uint32_t thread = idmap_get(&p->trace->thread_ids, s->id);

		if (thread == IDMAP_NONE)
			thread = c->source->ops->thread_unknown(c->source, s->id, 0, NULL, 0);
		/* What loading did not meet: the file is not what it was. */
		if (thread < p->lane_count && scope_has(scope, thread))
			t->items[t->count++] = (struct task){thread, s, true};
	}
	tasks_order(t);
}
