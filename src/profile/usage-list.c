/* usage-list: single intervals, wakeups and slices of a chain, for who asks for them. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/mem.h"
#include "profile/usage_count.h"

bool
usage_ask_equal(const struct usage_ask *a, const struct usage_ask *b)
{
	return a->what == b->what && a->thread == b->thread && a->at == b->at &&
	    a->chain == b->chain && a->cpu == b->cpu && a->state == b->state && a->io == b->io &&
	    a->caller == b->caller && a->woken == b->woken;
}

void
usage_list_release(struct usage_list *l)
{
	mem_free(l->intervals);
	mem_free(l->wakes);
	mem_free(l->links);
}

/* Intervals ----------------------------------------------------------------------- */

static int
longest_first(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;
	nsec x = a->to - a->from, y = b->to - b->from;

	if (x != y)
		return x > y ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static void
longest_keep(struct usage_list *l)
{
	if (l->interval_count > 1)
		qsort(l->intervals, l->interval_count, sizeof(*l->intervals), longest_first);
	if (l->interval_count > USAGE_LISTED_MAX)
		l->interval_count = USAGE_LISTED_MAX;
}

static bool
asked_for(const struct counting *c, const struct interval *i)
{
	const struct usage_ask *a = c->ask;

	return (a->thread == THREAD_NONE ? scope_has(c->scope, i->thread) : i->thread == a->thread) &&
	    (a->cpu == UINT32_MAX || (i->state == TASK_RUNNING && i->cpu == a->cpu)) &&
	    (a->state < 0 || i->state == a->state) && (a->io < 0 || i->io == a->io) &&
	    (a->caller == 0 || i->caller == a->caller) && (!a->woken || i->waker != SCHED_NONE);
}

static bool
intervals_list(struct counting *c)
{
	const struct sched *s = &c->log->sched;
	struct usage_list *l = &c->usage->list;
	const struct interval *i;

	for (uint64_t n = 0;
	     (i = sched_within(s, &n, c->usage->range.from, c->usage->range.to)) != NULL; n++) {
		nsec length;

		if (usage_cancelled(c, n))
			return false;
		if (!asked_for(c, i) || !usage_clip(&c->usage->range, i->from, i->to, &length))
			continue;
		l->total++;
		if (l->interval_count == (size_t)2 * USAGE_LISTED_MAX)
			longest_keep(l);
		MEM_GROW(l->intervals, l->interval_room, l->interval_count + 1);
		l->intervals[l->interval_count++] = *i;
	}
	longest_keep(l);
	return true;
}

/* Chains -------------------------------------------------------------------------- */

bool
usage_chains_count(struct counting *c)
{
	struct usage *u = c->usage;

	u->chain_count = seg_count(&c->log->chains);
	u->chains = mem_zero((size_t)u->chain_count + 1, sizeof(*u->chains));
	for (uint64_t n = 0; n < c->log->links.count; n++) {
		const struct log_link *l = spool_peek(&c->log->links, n);
		struct usage_chain *chain = &u->chains[l->chain];
		nsec to = l->to != LOG_OPEN ? l->to : c->log->end;

		if (usage_cancelled(c, n))
			return false;
		if (!scope_has(c->scope, l->thread) || l->from < u->range.from ||
		    l->from > u->range.to)
			continue;
		if (chain->slices++ == 0) {
			chain->from = l->from;
			chain->to = to;
			chain->first = l->method;
		} else if (chain->thread != l->thread) {
			chain->changes++;
		}
		chain->thread = l->thread;
		if (to > chain->to)
			chain->to = to;
	}
	return true;
}

/* A slice and where it belongs. */
struct branch {
	struct usage_link link;
	uint32_t above; /* index + 1 of the slice whose span is its parent; 0: a root */
	uint32_t first, last, next; /* children and sibling, index + 1 */
};

/* Does `at` stand above itself once it is put below `above`? */
static bool
circular(const struct branch *all, uint32_t at, uint32_t above)
{
	for (uint32_t up = above; up != 0; up = all[up - 1].above)
		if (up - 1 == at)
			return true;
	return false;
}

/*
 * Of several slices with one span the first stands for it.  A span that is 0 is nobody's:
 * neither parent nor child.
 */
static void
branches_join(struct branch *all, uint32_t count)
{
	uint32_t *by_span = mem_zero((size_t)count + 1, sizeof(*by_span));
	uint32_t *at_span = mem_zero((size_t)count + 1, sizeof(*at_span));
	struct intern spans = {0};

	for (uint32_t i = 0; i < count; i++) {
		at_span[i] = intern_add(&spans, all[i].link.span, 0);
		if (by_span[at_span[i]] == 0)
			by_span[at_span[i]] = i + 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct str parent = all[i].link.parent;
		uint32_t span, above;

		if (parent.n == 0 || str_equal(parent, STR("0")))
			continue;
		span = intern_add(&spans, parent, 0);
		above = span <= count ? by_span[span] : 0;
		if (above != 0 && span != at_span[i] && !circular(all, i, above))
			all[i].above = above;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct branch *up = all[i].above != 0 ? &all[all[i].above - 1] : NULL;

		if (up == NULL)
			continue;
		if (up->last != 0)
			all[up->last - 1].next = i + 1;
		else
			up->first = i + 1;
		up->last = i + 1;
	}
	intern_release(&spans);
	mem_free(by_span);
	mem_free(at_span);
}

/* Parents before their children, without recursion. */
static void
branches_walk(const struct branch *all, uint32_t count, struct usage_list *l)
{
	for (uint32_t root = 0; root < count; root++) {
		uint32_t at = all[root].above == 0 ? root + 1 : 0, depth = 0;

		while (at != 0) {
			const struct branch *b = &all[at - 1];

			l->links[l->link_count] = b->link;
			l->links[l->link_count++].depth = depth;
			if (b->first != 0) {
				depth++;
				at = b->first;
				continue;
			}
			/* The next one of it, or of what it is below. */
			while (at != root + 1 && all[at - 1].next == 0) {
				at = all[at - 1].above;
				depth--;
			}
			at = at != root + 1 ? all[at - 1].next : 0;
		}
	}
}

static bool
chain_list(struct counting *c)
{
	const struct log *log = c->log;
	struct usage_list *l = &c->usage->list;
	struct branch *all = NULL;
	size_t room = 0;
	uint32_t count = 0;
	bool whole = true;

	for (uint64_t n = 0; n < log->links.count && whole; n++) {
		const struct log_link *link = spool_peek(&log->links, n);
		struct log_detail d;

		whole = !usage_cancelled(c, n);
		if (link->chain != c->ask->chain)
			continue;
		l->total++;
		if (count == USAGE_LISTED_MAX || !log->detail(log, link->offset, &d))
			continue;
		MEM_GROW(all, room, (size_t)count + 1);
		all[count++] = (struct branch){.link = {.link = *link, .span = d.span,
		    .parent = d.parent, .flag = d.flag}};
	}
	l->links = mem_alloc(((size_t)count + 1) * sizeof(*l->links));
	branches_join(all, count);
	branches_walk(all, count, l);
	mem_free(all);
	return whole;
}

bool
usage_list_count(struct counting *c)
{
	struct usage_list *l = &c->usage->list;

	l->ask = *c->ask;
	switch (l->ask.what) {
	case USAGE_ASK_INTERVALS:
		return intervals_list(c);
	case USAGE_ASK_CHAIN:
		return chain_list(c);
	case USAGE_ASK_WAKERS:
		l->wakes = mem_alloc(WAKERS_MAX * sizeof(*l->wakes));
		l->wake_count = wakers_chain(
		    c->log, l->ask.thread, l->ask.at, l->wakes, c->cancel);
		l->total = l->wake_count;
		return c->cancel == NULL || !atomic_load(c->cancel);
	case USAGE_ASK_NOTHING:
		break;
	}
	return true;
}
