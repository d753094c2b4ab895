#include <config.h>

#include "profile/sweep.h"

#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/count.h"
#include "profile/flat.h"
#include "profile/sweep-state.h"

enum {
	STRETCH_LEAST = 65536,  /* records: fewer are not worth being taken apart */
	STRETCH_USUAL = 1 << 18,
	STRETCH_MOST = 1 << 21,
	/* For each worker, where one takes a stretch apart: longer ones only take memory. */
	STRETCH_EACH = 1 << 18,
	/*
	 * What two stretches have mapped counts as resident: in a small file they are to be
	 * small as well, which costs hardly any time.
	 */
	STRETCHES = 16,
	MARKS_MOST = 4 << 20,   /* bytes of checkpoints that a stretch may add */
};

/* Workers -------------------------------------------------------------------------- */

static void
strand_run(const struct records *records, struct walk *walk, uint32_t thread, struct runs *runs,
    uint32_t until)
{
	if (walk->profile->flat != NULL)
		flat_strand(records, walk, thread, runs, until);
	else
		strand_count(records, walk, &walk->lanes[thread], runs, until, NULL);
}

/* A thread's records, and how it stands at the checkpoints among them. */
static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	const struct sweep *sweep = arg;
	const struct strands *now = sweep->comb.now;
	const struct profile *all = sweep->profile;
	struct profile *p = sweep->profiles[worker];
	struct walk walk = {p, all->lanes, &p->damage, true, &p->onstack};
	struct records records = {.form = now->form, .plain = now->plain};
	struct runs runs;

	runs_begin(&runs, now, task->strand);
	for (size_t k = sweep->first_mark; k < all->checkpoint_count; k++) {
		strand_run(&records, &walk, task->thread, &runs,
		    sweep->marks[k - sweep->first_mark]);
		checkpoint_lane(&all->checkpoints[k], task->thread, &all->lanes[task->thread]);
	}
	strand_run(&records, &walk, task->thread, &runs, now->plain.count);
}

/* While the others work: what was counted before. */
static void
pages_give_back(void *arg)
{
	const struct sweep *sweep = arg;
	const struct profile *p = sweep->profile;

	source_behind(p->trace->source, p->behind, p->at.offset);
}

/* Before a round -------------------------------------------------------------------- */

/*
 * A thread that starts after the clock wrapped is moved to where all others are, which only
 * one pass can do: threads_moved.  It is left to that where it may come to it.
 */
static bool
clock_allows(const struct profile *p)
{
	const struct source *s = p->trace->source;
	bool begun = true;

	if (s->wraps_max == 0 || s->by_thread || (uint64_t)p->latest <= s->clock_modulus / 8 * 7)
		return true;
	for (uint32_t i = 0; i < p->lane_count; i++)
		begun &= p->lanes[i].started;
	return begun && p->lane_count == trace_thread_count(p->trace);
}

/* How many records a stretch of the file has at most. */
static uint64_t
stretch_most(const struct sweep *sweep)
{
	const struct profile *p = sweep->profile;
	const struct source *s = p->trace->source;
	uint64_t share = (s->end - s->first.offset) / plain_size(s->plain) / STRETCHES;
	uint64_t most = STRETCH_MOST;

	if (s->ops->between != NULL && STRETCH_EACH * (uint64_t)sweep->comb.count < most)
		most = STRETCH_EACH * (uint64_t)sweep->comb.count;
	if (share < STRETCH_USUAL)
		share = STRETCH_USUAL;
	return share < most ? share : most;
}

/* So many records from a place on; none when they are too few to be worth it. */
static struct comb_span
span_from(const struct sweep *sweep, struct cursor from, uint64_t max_records)
{
	const struct profile *p = sweep->profile;
	uint64_t marks = MARKS_MOST / (((uint64_t)p->lane_count + 1) * sizeof(struct lane_mark));
	uint64_t most = stretch_most(sweep), records = max_records < most ? max_records : most;

	if (p->checkpoint_every > 0 && records > (marks + 1) * p->checkpoint_every)
		records = (marks + 1) * p->checkpoint_every;
	if (records < STRETCH_LEAST && records < max_records)
		records = 0;
	return (struct comb_span){from, p->trace->source->end, records};
}

/* What the others go on from: the profile as it stands. */
static void
others_begin(struct sweep *sweep)
{
	const struct profile *p = sweep->profile;

	for (unsigned i = 1; i < sweep->comb.count; i++) {
		sweep->profiles[i]->tree = p->tree;
		sweep->profiles[i]->flat = p->flat;
		sweep->profiles[i]->latest = p->latest;
	}
}

/* After a round --------------------------------------------------------------------- */

/* Would one pass have moved a thread that started in the round? */
static bool
threads_moved(const struct sweep *sweep)
{
	const struct profile *p = sweep->profile;
	const struct source *s = p->trace->source;
	bool moved = false;

	for (uint32_t i = 0; i < sweep->comb.tasks.count && s->wraps_max > 0 && !s->by_thread; i++) {
		const struct task *task = &sweep->comb.tasks.items[i];
		nsec first = p->lanes[task->thread].first[CLOCK_WALL];

		moved |= !task->started && p->latest > first &&
		    (uint64_t)(p->latest - first) >= s->clock_modulus / 2;
	}
	return moved;
}

static void
others_take(struct sweep *sweep)
{
	struct profile *p = sweep->profile;
	struct tree copies[WORKER_MAX];

	for (unsigned i = 1; i < sweep->comb.count; i++) {
		struct profile *other = sweep->profiles[i];

		copies[i - 1] = other->tree;
		damage_merge(&p->damage, &other->damage);
		other->damage = (struct damage){0};
		profile_seen_add(p, other);
		if (other->latest > p->latest)
			p->latest = other->latest;
	}
	if (p->flat == NULL)
		tree_share_end(&p->tree, copies, sweep->comb.count - 1);
}

static void
round_take(struct sweep *sweep)
{
	struct profile *p = sweep->profile;

	others_take(sweep);
	checkpoint_bound(p);
	p->behind = p->at.offset;
	p->at = sweep->comb.now->end;
	p->records += sweep->comb.now->plain.count;
	/* A late thread (not in half an hour), or a file that was cut: one pass counts all again. */
	sweep->over = threads_moved(sweep) || strands_torn(sweep->comb.now) || flat_gives_up(p);
	if (sweep->over)
		profile_again(p);
}

/*
 * Names are read where the file is mapped.  If they are not there any more, all is counted
 * again, in one pass.
 */
static bool
names_lost(struct profile *p, const struct strands *now)
{
	struct source *s = p->trace->source;

	if (now->plain.gap_count == 0)
		return false;
	source_behind(s, now->plain.offset, now->end.offset);
	if (s->ops->left == NULL || s->ops->left(s, true) >= now->end.offset)
		return false;
	profile_again(p);
	return true;
}

static bool
stretch_take(struct sweep *sweep, uint64_t max_records)
{
	struct comb_span first = span_from(sweep, sweep->profile->at, max_records);

	return comb_take(&sweep->comb, &first) == TAKEN;
}

/* Every record may need a node, threads a root; which are too late depends on the order. */
static bool
tree_allows(struct profile *p, uint32_t nodes)
{
	if (p->flat != NULL)
		return true;
	return p->other == METHOD_NONE && p->tree.count < p->tree.limit &&
	    nodes <= p->tree.limit - p->tree.count && tree_share_begin(&p->tree, nodes);
}

bool
sweep_round(struct sweep *sweep, uint64_t max_records)
{
	struct profile *p = sweep->profile;
	struct comb *comb = &sweep->comb;
	struct comb_span next;

	/* When it is over nothing else is to be begun: the tree is one pass's by now. */
	sweep->over = sweep->over || !clock_allows(p) || !stretch_take(sweep, max_records) ||
	    !tree_allows(p, comb->now->plain.count + comb->now->count);
	if (sweep->over)
		return false;
	sweep_tasks(sweep);
	sweep->over = names_lost(p, comb->now);
	if (sweep->over)
		return true;
	sweep_marks(sweep);
	next = span_from(sweep, comb->now->end, max_records);
	others_begin(sweep);
	p->apart = true;
	comb_round(comb, &next);
	p->apart = false;
	round_take(sweep);
	return true;
}

static struct profile *
other_new(const struct profile *p)
{
	struct profile *other = mem_zero(1, sizeof(*other));

	other->trace = p->trace;
	other->axis = p->axis;
	other->other = METHOD_NONE;
	other->apart = true;
	return other;
}

struct sweep *
sweep_new(struct profile *p, unsigned jobs)
{
	static const struct comb_how how = {task_run, pages_give_back, NULL};
	struct source *s = p->trace->source;
	struct sweep *sweep;

	if (s->plain == PLAIN_NONE || s->ops->copy == NULL || p->other != METHOD_NONE ||
	    !clock_allows(p))
		return NULL;
	profile_lanes_extend(p, trace_thread_count(p->trace));
	checkpoint_take(p); /* how many fit into a stretch is known then */
	sweep = mem_zero(1, sizeof(*sweep));
	sweep->profile = p;
	comb_init(&sweep->comb, s, jobs, &how, sweep);
	sweep->profiles = mem_zero(sweep->comb.count, sizeof(struct profile *));
	sweep->profiles[0] = p;
	for (unsigned i = 1; i < sweep->comb.count; i++)
		sweep->profiles[i] = other_new(p);
	return sweep;
}

void
sweep_free(struct sweep *sweep)
{
	struct profile *p;

	if (sweep == NULL)
		return;
	p = sweep->profile;
	for (unsigned i = 1; i < sweep->comb.count; i++) {
		/* What was counted is the profile's. */
		sweep->profiles[i]->tree = (struct tree){0};
		sweep->profiles[i]->flat = NULL;
		profile_free(sweep->profiles[i]);
	}
	comb_release(&sweep->comb);
	source_behind(p->trace->source, p->behind, p->at.offset);
	p->behind = p->at.offset;
	mem_free(sweep->marks);
	mem_free(sweep->profiles);
	mem_free(sweep);
}
