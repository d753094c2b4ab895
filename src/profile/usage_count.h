/*
 * usage_count: the state of counting a usage, for its own files only.
 */
#ifndef SLOWTOP_PROFILE_USAGE_COUNT_H
#define SLOWTOP_PROFILE_USAGE_COUNT_H

#include "base/idmap.h"
#include "profile/usage.h"

struct counting {
	const struct profile *profile;
	const struct log *log;
	const struct scope *scope;
	struct usage *usage;
	const struct usage_ask *ask;
	struct idmap shares;  /* thread << 16 | cpu -> row */
	struct idmap states;  /* thread << 16 | state << 8 | io -> row */
	struct idmap priorities; /* as unsigned -> row */
	struct idmap priority_threads; /* thread << 32 | row of priorities: met */
	struct idmap blocks;  /* caller << 32 | thread, io apart -> row */
	struct idmap frequencies, levels; /* cpu << 32 | value -> row */
	const atomic_bool *cancel;
};

enum { USAGE_CANCEL_ITEMS = SCHED_SPAN };

static inline bool
usage_cancelled(const struct counting *c, uint64_t item)
{
	return item % USAGE_CANCEL_ITEMS == 0 && c->cancel != NULL && atomic_load(c->cancel);
}

/* The part of [from, to) that is in the stretch; also one without length within it. */
static inline bool
usage_clip(const struct range *range, nsec from, nsec to, nsec *length)
{
	nsec a = from > range->from ? from : range->from, b = to < range->to ? to : range->to;

	*length = b - a;
	return b > a || (from == to && from >= range->from && from < range->to);
}

/* usage-steps.c: what cores were set to, and counters; false when cancelled. */
bool usage_steps_count(struct counting *);
bool usage_counters_count(struct counting *);
/* usage-list.c: chains, and what was asked for. */
bool usage_chains_count(struct counting *);
bool usage_list_count(struct counting *);
void usage_list_release(struct usage_list *);

#endif
