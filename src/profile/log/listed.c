// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/listed.h"

#include "base/map.h"
#include "base/mem.h"
#include "profile/timeline/jank.h"

struct listing {
	const struct profile *profile;
	const struct log *log;
	const struct scope *scope;
	const struct range *range;
	const struct usage_ask *ask;
	struct usage_list *list;
	const atomic_bool *cancel;
};

bool
usage_ask_equal(const struct usage_ask *a, const struct usage_ask *b)
{
	return a->what == b->what && a->thread == b->thread && a->at == b->at && a->to == b->to &&
	    a->chain == b->chain && a->cpu == b->cpu && a->state == b->state && a->io == b->io &&
	    a->caller == b->caller && a->woken == b->woken && a->client == b->client &&
	    a->server == b->server && a->method == b->method && a->one_way == b->one_way;
}

void
usage_list_release(struct usage_list *l)
{
	mem_free(l->intervals);
	waits_release(&l->waits);
	critical_release(&l->path);
	binder_calls_release(&l->binder);
	jank_free(l->locks);
	mem_free(l->links);
	mem_free(l->messages);
}

/* Intervals ----------------------------------------------------------------------- */

static int
longest_first(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;
	nsec x = a->to - a->from, y = b->to - b->from;

	return order_then(ORDER(y, x), ORDER(a->from, b->from));
}

static void
longest_keep(struct usage_list *l)
{
	mem_sort(l->intervals, l->interval_count, sizeof(*l->intervals), longest_first);
	if (l->interval_count > USAGE_LISTED_MAX)
		l->interval_count = USAGE_LISTED_MAX;
}

static bool
asked_for(const struct listing *c, const struct interval *i)
{
	const struct usage_ask *a = c->ask;

	return (a->thread == THREAD_NONE ? scope_has(c->scope, i->thread) : i->thread == a->thread) &&
	    (a->cpu == UINT32_MAX || (i->state == TASK_RUNNING && i->cpu == a->cpu)) &&
	    (a->state < 0 || i->state == a->state) && (a->io < 0 || i->io == a->io) &&
	    (a->caller == 0 || i->caller == a->caller) && (!a->woken || i->waker != SCHED_NONE);
}

static bool
intervals_list(const struct listing *c)
{
	const struct sched *s = &c->log->sched;
	struct usage_list *l = c->list;
	const struct interval *i;

	for (uint64_t n = 0;
	     (i = sched_within(s, &n, c->range->from, c->range->to)) != NULL; n++) {
		nsec length;

		if (sched_stopped(c->cancel, n))
			return false;
		if (!asked_for(c, i) || !range_clip(c->range, i->from, i->to, &length))
			continue;
		l->total++;
		if (l->interval_count == (size_t)2 * USAGE_LISTED_MAX)
			longest_keep(l);
		*MEM_ADD(l->intervals, l->interval_count, l->interval_room) = *i;
	}
	longest_keep(l);
	return true;
}

/* Chains -------------------------------------------------------------------------- */

/* A slice and where it belongs; the first of them is above all, 0 none. */
struct branch {
	struct usage_link link;
	uint32_t above, first, next; /* of its children, and sibling */
};

/* True if `at` would be above itself once it is put below `above`. */
static bool
circular(const struct branch *all, uint32_t at, uint32_t above)
{
	while (above != 0 && above != at)
		above = all[above].above;
	return above == at;
}

/*
 * Builds the tree of slices.  The first of several slices with one span represents it.  A span of
 * 0 belongs to no slice: it is neither parent nor child.
 */
static void
branches_join(struct branch *all, uint32_t count)
{
	uint32_t *by_span = mem_zero((size_t)count + 1, sizeof(*by_span));
	uint32_t *at_span = mem_zero((size_t)count + 1, sizeof(*at_span));
	struct intern spans = {0};

	for (uint32_t i = 1; i <= count; i++) {
		at_span[i] = intern_add(&spans, all[i].link.span, 0);
		if (by_span[at_span[i]] == 0)
			by_span[at_span[i]] = i;
	}
	for (uint32_t i = 1; i <= count; i++) {
		struct str parent = all[i].link.parent;
		uint32_t span, above;

		if (parent.n == 0 || str_equal(parent, STR("0")))
			continue;
		span = intern_add(&spans, parent, 0);
		above = span <= count ? by_span[span] : 0;
		if (above != 0 && span != at_span[i] && !circular(all, i, above))
			all[i].above = above;
	}
	for (uint32_t i = count; i > 0; i--) {
		struct branch *up = &all[all[i].above];

		all[i].next = up->first;
		up->first = i;
	}
	intern_release(&spans);
	mem_free(by_span);
	mem_free(at_span);
}

/* Parents before their children, without recursion. */
static void
branches_walk(const struct branch *all, struct usage_list *l)
{
	uint32_t depth = 0;

	for (uint32_t at = all[0].first; at != 0;) {
		l->links[l->link_count] = all[at].link;
		l->links[l->link_count++].depth = depth;
		if (all[at].first != 0) {
			depth++;
			at = all[at].first;
			continue;
		}
		/* The next one of it, or of what it is below. */
		for (; at != 0 && all[at].next == 0; depth--)
			at = all[at].above;
		at = all[at].next;
	}
}

static bool
chain_list(const struct listing *c)
{
	const struct log *log = c->log;
	struct usage_list *l = c->list;
	struct branch *all = mem_zero(1, sizeof(*all));
	size_t room = 1;
	uint32_t count = 0;
	bool whole = true;

	for (uint64_t n = 0; n < log->links.count && whole; n++) {
		const struct log_link *link = spool_peek(&log->links, n);
		struct log_detail d;

		whole = !sched_stopped(c->cancel, n);
		if (link->chain != c->ask->chain)
			continue;
		l->total++;
		if (count == USAGE_LISTED_MAX || !log->detail(log, link->offset, &d))
			continue;
		MEM_GROW(all, room, (size_t)count + 2);
		all[++count] = (struct branch){.link = {.link = *link, .span = d.span,
		    .parent = d.parent, .flag = d.flag}};
	}
	l->links = mem_alloc(((size_t)count + 1) * sizeof(*l->links));
	branches_join(all, count);
	branches_walk(all, l);
	mem_free(all);
	return whole;
}

static bool
messages_list(const struct listing *c)
{
	const struct log *log = c->log;
	struct usage_list *l = c->list;

	for (uint64_t n = 0; n < log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&log->instants, n);
		struct log_detail d;

		if (sched_stopped(c->cancel, n))
			return false;
		if (i->at < c->range->from || i->at >= c->range->to || i->thread == THREAD_NONE ||
		    !scope_has(c->scope, i->thread) || !log->detail(log, i->offset, &d) || d.priority == 0)
			continue;
		if (l->total++ >= USAGE_LISTED_MAX)
			continue;
		*MEM_ADD(l->messages, l->message_count, l->message_room) =
		    (struct usage_message){i->at, i->thread, d.priority,
		    d.category, d.name};
	}
	return true;
}

static bool
locks_list(const struct listing *c)
{
	const struct jank_query q = {.scope = c->scope, .range = *c->range, .pattern = STR(LOCK_SLICES),
	    .budget = JANK_NO_BUDGET};
	struct err e = {0};

	c->list->locks = jank_find(c->profile, &q, c->cancel, &e);
	return c->list->locks != NULL;
}

/* None is explained that is outside the range: a wait at its edge as far as it is within. */
static bool
waits_list(const struct listing *c)
{
	const struct usage_ask *ask = c->ask;
	struct waits *w = &c->list->waits;
	struct range within = range_within(c->range, ask->at, ask->to);

	if (ask->to < ask->at) {
		if (!waits_find(c->profile, ask->thread, ask->at, w, c->cancel))
			return false;
		within = range_within(c->range, w->range.from, w->range.to);
		if (w->count == 0 || range_equal(&within, &w->range))
			return true;
		if (within.to <= within.from)
			within = *c->range;
		waits_release(w);
	}
	return waits_longest(c->profile, ask->thread, &within, w, c->cancel);
}

bool
usage_list_make(struct usage_list *l, const struct profile *p, const struct scope *scope,
    const struct range *range, const struct usage_ask *ask, const atomic_bool *cancel)
{
	const struct listing c = {p, p->trace->log, scope, range, ask, l, cancel};

	l->ask = *ask;
	switch (ask->what) {
	case USAGE_ASK_INTERVALS:
		return intervals_list(&c);
	case USAGE_ASK_CHAIN:
		return chain_list(&c);
	case USAGE_ASK_WAITS:
		if (!waits_list(&c))
			return false;
		l->total = l->waits.count;
		return true;
	case USAGE_ASK_PATH: {
		const struct range within = range_within(range, ask->at, ask->to);

		return critical_find(p, ask->thread, &within, &l->path, cancel);
	}
	case USAGE_ASK_BINDER:
		return binder_calls_find(p, scope, range, &l->binder, cancel);
	case USAGE_ASK_LOCKS:
		return locks_list(&c);
	case USAGE_ASK_MESSAGES:
		return messages_list(&c);
	case USAGE_ASK_NOTHING:
		break;
	}
	return true;
}
