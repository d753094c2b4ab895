// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/load/loader.h"

#include "base/mem.h"
#include "base/worker.h"
#include "profile/index/blocks.h"
#include "profile/load/partition.h"
#include "profile/load/walk.h"

enum {
	STEP_RECORDS = 65536, /* between two looks at the cancel flag: about a millisecond */
	WORKER_MIN = 4 * 1024 * 1024, /* bytes for each: less costs more than it saves */
	WORKERS_MAX = 16,             /* each has ids of its own */
	ROUND_LEAST = 65536,          /* records: fewer are not worth being divided */
	ROUND_RECORDS = 1 << 20,      /* when no partial result is shown */
	/*
	 * Records of a chunk.  A thread's paths stay in the cache for as long as its records in a
	 * chunk last.  But the mapped pages of two chunks count as resident, and there are most
	 * paths at the end: a chunk is a share of the records that are left.
	 */
	CHUNK_LEAST = 1 << 17,
	CHUNK_MOST = 1 << 20,
	CHUNK_SHARE = 16,
	CHUNK_DECODED = 1 << 16,
	ENTRIES_MOST = 4 << 20, /* bytes that a chunk may add to the index */
};

struct loader {
	struct profile *profile; /* between rounds it has everything */
	unsigned jobs;
	bool divided; /* among workers, or left to one pass */
	bool rounds;  /* workers count */

	/* By worker: the nodes that it adds, and what was wrong.  The first is that one. */
	struct profile **profiles;
	struct partition_how how;
	struct partition partition;
	struct damage damage; /* that reading met up to the last chunk that was counted */
};

/* Workers ---------------------------------------------------------------------------- */

static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	const struct loader *l = arg;
	struct profile *p = l->profiles[worker];
	struct walk walk = {p, l->profile->stacks, &p->damage, true, &p->onstack};
	struct runs runs;

	runs_begin(&runs, l->partition.now, task->run);
	runs_load(&runs, &walk, task->thread);
}

/* Gives back pages of records that were counted, while the others work. */
static void
pages_give_back(void *arg)
{
	const struct loader *l = arg;
	const struct profile *p = l->profile;

	source_behind(p->trace->source, p->behind, p->at.offset);
}

/* Before a round --------------------------------------------------------------------- */

/*
 * A thread that starts after the clock wrapped is moved to where all others are, which
 * only one pass can do: threads_moved.  It is left to that where it may come to it.
 */
static bool
clock_allows(const struct profile *p)
{
	const struct source *s = p->trace->source;

	return s->wraps_max == 0 || s->by_thread || (uint64_t)p->latest <= s->clock_modulus / 8 * 7;
}

/* Returns how many records a chunk has at most that begins at an offset. */
static uint64_t
chunk_most(const struct source *s, uint64_t offset)
{
	uint64_t share;

	if (!source_in_place(s))
		return CHUNK_DECODED;
	share = (s->end - offset) / s->layout.size / CHUNK_SHARE;
	return share < CHUNK_LEAST ? CHUNK_LEAST : share < CHUNK_MOST ? share : CHUNK_MOST;
}

/* Returns `max_records` records from a place on, or fewer; 0 if too few to be worth a round. */
static struct extent
extent_from(const struct loader *l, struct cursor from, uint64_t max_records)
{
	const struct profile *p = l->profile;
	const struct source *s = p->trace->source;
	uint64_t blocks = ENTRIES_MOST / (((uint64_t)p->stack_count + 1) * sizeof(struct block_entry));
	uint64_t most = chunk_most(s, from.offset);
	uint64_t records = max_records < most ? max_records : most;

	if (records > (blocks + 1) * p->blocks->every)
		records = (blocks + 1) * p->blocks->every;
	if (records < ROUND_LEAST && records < max_records)
		records = 0;
	return (struct extent){from, s->end, records};
}

/* The blocks that begin among the chunk's records, each with a batch. */
static void
blocks_make(struct loader *l)
{
	struct profile *p = l->profile;
	const struct chunk *now = l->partition.now;

	for (uint32_t i = 0; i < chunk_batches(now); i++) {
		struct cursor at;
		uint32_t record = chunk_batch(now, i, &at);

		blocks_reach(p->blocks, &at, p->records + record);
	}
}

/* Gives the others the profile's present state to go on from. */
static void
others_begin(struct loader *l)
{
	const struct profile *p = l->profile;

	for (unsigned i = 1; i < l->partition.count; i++) {
		l->profiles[i]->tree = p->tree;
		l->profiles[i]->blocks = p->blocks;
		l->profiles[i]->records = p->records;
		l->profiles[i]->latest = p->latest;
	}
}

/* Every record may need a node, threads a root; which are too late depends on the order. */
static bool
tree_allows(struct profile *p, uint32_t nodes)
{
	return p->other == METHOD_NONE && p->tree.count < p->tree.limit &&
	    nodes <= p->tree.limit - p->tree.count && tree_share_begin(&p->tree, nodes);
}

/* After a round ---------------------------------------------------------------------- */

/* True if one pass would have moved a thread that started in the round. */
static bool
threads_moved(const struct loader *l)
{
	const struct profile *p = l->profile;
	const struct source *s = p->trace->source;
	const struct tasks *t = &l->partition.tasks;
	bool moved = false;

	for (uint32_t i = 0; i < t->count && s->wraps_max > 0 && !s->by_thread; i++) {
		const struct task *task = &t->items[i];
		nsec first = p->stacks[task->thread].first[CLOCK_WALL];

		moved |= !task->started && p->latest > first &&
		    (uint64_t)(p->latest - first) >= s->clock_modulus / 2;
	}
	return moved;
}

static void
others_take(struct loader *l)
{
	struct profile *p = l->profile;
	struct tree copies[WORKER_MAX];

	for (unsigned i = 1; i < l->partition.count; i++) {
		struct profile *other = l->profiles[i];

		copies[i - 1] = other->tree;
		damage_merge(&p->damage, &other->damage);
		other->damage = (struct damage){0};
		profile_seen_add(p, other);
		p->latest = nsec_max(p->latest, other->latest);
	}
	tree_share_end(&p->tree, copies, l->partition.count - 1);
}

static void
others_free(struct loader *l)
{
	for (unsigned i = 1; i < l->partition.count; i++) {
		/* The profile owns what was counted. */
		l->profiles[i]->tree = (struct tree){0};
		l->profiles[i]->blocks = NULL;
		profile_free(l->profiles[i]);
	}
	mem_free(l->profiles);
	l->profiles = NULL;
}

static void
rounds_end(struct loader *l)
{
	struct profile *p = l->profile;

	if (!l->rounds)
		return;
	l->rounds = false;
	others_free(l);
	partition_release(&l->partition);
	source_behind(p->trace->source, p->behind, p->at.offset);
	p->behind = p->at.offset;
}

/*
 * A late thread (not in half an hour), or a file that was cut: one pass counts all again.
 * A source that wants it may be divided again.
 */
static void
round_take(struct loader *l)
{
	struct profile *p = l->profile;
	const struct chunk *now = l->partition.now;
	const bool anew = p->trace->source->again;
	bool again;

	others_take(l);
	p->behind = p->at.offset;
	p->at = now->end;
	p->records += now->count;
	again = anew || threads_moved(l) || chunk_torn(now);
	if (again || p->at.offset >= p->trace->source->end)
		rounds_end(l);
	if (again)
		profile_again(p);
	l->divided = !anew;
}

/* Rounds ----------------------------------------------------------------------------- */

/*
 * Records that were read but cannot be counted are read again, with all before them:
 * names were taken.
 */
static void
chunk_drop(struct loader *l, enum taken taken)
{
	bool again = taken != TAKEN_NOTHING && record_is_event(l->partition.now->layout);

	rounds_end(l);
	if (again)
		profile_again(l->profile);
}

bool
loader_round(struct loader *l, uint64_t max_records)
{
	struct profile *p = l->profile;
	struct partition *d = &l->partition;
	struct extent span = extent_from(l, p->at, max_records);
	enum taken taken;

	if (l->rounds && !partition_ahead(d) && !clock_allows(p))
		rounds_end(l);
	if (!l->rounds)
		return false;
	taken = partition_take(d, &span);
	if (taken != TAKEN || !clock_allows(p) ||
	    !tree_allows(p, d->now->count + d->now->thread_count)) {
		chunk_drop(l, taken);
		return false;
	}
	if (record_is_event(d->now->layout)) {
		damage_follow(&p->damage, &l->damage, &d->now->damage);
		l->damage = d->now->damage;
	}
	/* Threads get their rows in the order of the records. */
	partition_tasks(d, p, NULL, &p->damage);
	profile_stacks_extend(p, trace_thread_count(p->trace));
	for (uint32_t i = 0; i < d->tasks.count; i++)
		d->tasks.items[i].started = p->stacks[d->tasks.items[i].thread].started;
	blocks_make(l);
	span = extent_from(l, d->now->end, max_records);
	others_begin(l);
	p->apart = true;
	partition_round(d, &span);
	p->apart = false;
	round_take(l);
	return true;
}

bool
loader_divide(struct loader *l, unsigned workers)
{
	struct profile *p = l->profile;

	l->divided = true;
	if (p->other != METHOD_NONE || !clock_allows(p))
		return false;
	profile_stacks_extend(p, trace_thread_count(p->trace));
	l->damage = p->damage;
	l->how = (struct partition_how){task_run, pages_give_back, NULL, &p->damage};
	partition_init(&l->partition, p->trace->source, workers, &l->how, l);
	l->profiles = mem_zero(l->partition.count, sizeof(struct profile *));
	l->profiles[0] = p;
	for (unsigned i = 1; i < l->partition.count; i++)
		l->profiles[i] = mem_dup(&(struct profile){.trace = p->trace, .axis = p->axis,
		    .other = METHOD_NONE, .apart = true}, 1, sizeof(*p));
	l->rounds = true;
	return true;
}

/* Loading ---------------------------------------------------------------------------- */

/* Workers for the rest of the records. */
static unsigned
jobs_choose(const struct profile *p, unsigned jobs)
{
	struct source *s = p->trace->source;
	uint64_t most = (s->end - p->at.offset) / WORKER_MIN;

	if (jobs == 0)
		jobs = source_cached(s) ? worker_processors() : 1;
	if (jobs > WORKERS_MAX)
		jobs = WORKERS_MAX;
	return most < 1 ? 1 : jobs < most ? jobs : (unsigned)most;
}

struct loader *
loader_new(struct profile *p, unsigned jobs)
{
	struct loader *l = mem_zero(1, sizeof(*l));
	struct source *s = p->trace->source;

	l->profile = p;
	l->jobs = p->jobs = jobs;
	if (s->ops->jobs != NULL)
		s->ops->jobs(s, jobs > 0 ? jobs : worker_processors());
	return l;
}

enum load_state
loader_step(struct loader *l, uint64_t max_records, struct err *e)
{
	struct profile *p = l->profile;

	/* Not before it is known if a sampler made the trace, and not in a short first step. */
	if (!l->divided && p->records > 0 && p->sampling == NULL)
		(void)loader_divide(l, jobs_choose(p, l->jobs));
	if (p->state == LOAD_MORE &&
	    loader_round(l, max_records > ROUND_LEAST ? max_records : ROUND_LEAST))
		return profile_settle(p, true, e);
	return profile_load(p, max_records, e);
}

/* Counts what was read ahead, too: the trace has its names already. */
void
loader_stop(struct loader *l)
{
	if (l->rounds && partition_ahead(&l->partition) &&
	    !source_in_place(l->profile->trace->source))
		(void)loader_round(l, 0);
	rounds_end(l);
	profile_axis_update(l->profile);
	profile_stop(l->profile);
}

double
loader_progress(const struct loader *l)
{
	const struct profile *p = l->profile;
	const struct source *s = p->trace->source;

	if (p->state == LOAD_DONE || s->end <= s->begin)
		return 1;
	return (double)(p->at.offset - s->begin) / (double)(s->end - s->begin);
}

void
loader_free(struct loader *l)
{
	if (l == NULL)
		return;
	rounds_end(l);
	mem_free(l);
}

enum load_state
loader_run(struct profile *p, unsigned jobs, const atomic_bool *cancel, struct err *e)
{
	struct loader *l = loader_new(p, jobs);
	enum load_state state = LOAD_MORE;

	while (state == LOAD_MORE) {
		if (is_cancelled(cancel)) {
			loader_stop(l);
			state = p->state;
		} else {
			state = loader_step(l, l->rounds ? ROUND_RECORDS : STEP_RECORDS, e);
		}
	}
	loader_free(l);
	return state;
}
