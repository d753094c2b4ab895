// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/range.h"

#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/load/walk.h"
#include "trace/log.h"

enum {
	WORKER_PARTS = 32, /* for each worker, thousands of records each */
	CHUNK_LEAST = 8192,  /* records */
	CHUNK_MOST = 1 << 19,
	DECODED_MOST = 1 << 17,
	CHUNKS = 8, /* of the records, at least: one worker waits for the first */
};

/*
 * A part of the records, a block, is wholly inside the range, wholly outside, or must be
 * clipped.  The counts of the range are those of the parts inside; or, where that is less
 * work, those of the whole trace less those of all other parts.  In both cases the parts that
 * are clipped are then gone through step by step, and what is theirs is added.
 */

/* Position of a part's records, for the threads in scope, relative to the range. */
enum part_use {
	PART_NONE, /* no records */
	PART_OUTSIDE,
	PART_INSIDE,
	PART_CLIPPED, /* some of both, or only decoding can tell */
};

/* How far a thread is on its way into the range. */
struct entering {
	bool known;      /* a step was seen */
	bool crossed;    /* it is past the beginning */
	uint32_t still;  /* frame on top of those open before the range and not left */
	uint64_t inside; /* calls within it, if it is (other), of which the same holds */
	nsec begin;      /* the other clock there */
};

struct counting {
	const struct profile *profile;
	const struct scope *scope;
	struct range range;
	bool closed; /* the range includes its end */
	bool dual;
	const atomic_bool *cancel;
	share_done *done;
	uint32_t part_count, visits; /* how many are gone through, maybe twice */
	uint8_t *uses;  /* by part: enum part_use */
	bool inverse;   /* what is outside is counted, to be taken from the whole */
	struct count *counts;
	struct entering *stacks;
};

/* True if the part is to be counted as a whole. */
static inline bool
counting_whole(const struct counting *c, uint32_t part)
{
	if (c->inverse)
		return c->uses[part] == PART_OUTSIDE || c->uses[part] == PART_CLIPPED;
	return c->uses[part] == PART_INSIDE;
}

static inline bool
counting_holds(const struct counting *c, nsec at)
{
	return at >= c->range.from && (at < c->range.to || c->closed);
}

/* A call and all that it was called from: they are open. */
static void
counting_stack(const struct counting *c, uint32_t node)
{
	const struct node *nodes = c->profile->tree.nodes;

	for (; nodes[node].parent != NODE_NONE; node = nodes[node].parent)
		c->counts[node].calls++;
}

static enum part_use
run_use(const struct counting *c, const struct block_run *run)
{
	if (run->from > c->range.to || run->to < c->range.from)
		return PART_OUTSIDE;
	if (run->from <= c->range.from || (run->to >= c->range.to && !c->closed))
		return PART_CLIPPED;
	return PART_INSIDE;
}

static void
uses_find(struct counting *c)
{
	struct block_list list = blocks_list(c->profile->blocks, c->scope, INT64_MIN, INT64_MAX);

	for (uint32_t i = 0; i < list.count; i++) {
		uint8_t *use = &c->uses[list.items[i].block];

		for (uint32_t k = 0; k < block_list_runs(&list, i) && *use != PART_CLIPPED; k++) {
			struct block_run run = block_list_run(&list, i, k);
			enum part_use now = run_use(c, &run);

			/* Threads need not be at the same time where they are at the same place. */
			*use = *use == PART_NONE || *use == now ? (uint8_t)now : PART_CLIPPED;
		}
	}
	block_list_release(&list);
}

static uint64_t
part_bytes(const struct counting *c, uint32_t part)
{
	return blocks_end(c->profile->blocks, part) - c->profile->blocks->items[part].at.offset;
}

/* True if all that was loaded is still there. */
static bool
file_whole(const struct profile *p)
{
	return source_left(p->trace->source, true) >= p->at.offset;
}

/* Decides what to do with each part, and whether inverting is less work. */
static void
parts_judge(struct counting *c)
{
	uint64_t bytes[PART_CLIPPED + 1] = {0};

	c->part_count = c->profile->blocks->count;
	c->uses = mem_zero((size_t)c->part_count + 1, 1);
	uses_find(c);
	for (uint32_t part = 0; part < c->part_count; part++)
		bytes[c->uses[part]] += part_bytes(c, part);
	c->inverse = bytes[PART_INSIDE] > bytes[PART_OUTSIDE] + bytes[PART_CLIPPED] &&
	    c->profile->blocks->gone == 0 && file_whole(c->profile);
}

/* Frames that were open before the trace began: calls from their thread's first event. */
static void
adopted_count(struct counting *c)
{
	for (uint32_t t = 0; t < c->profile->stack_count; t++) {
		const struct stack *stack = &c->profile->stacks[t];

		if (scope_has(c->scope, t) && stack->started &&
		    counting_holds(c, stack->first[c->profile->axis]) != c->inverse)
			counting_stack(c, stack->origin);
	}
}

/*
 * Subtracts the counts from those of the whole.  False when they cannot be a part of it,
 * because the file changed.
 */
static bool
counts_invert(struct counting *c)
{
	const struct tree *tree = &c->profile->tree;
	bool less = file_whole(c->profile);

	for (uint32_t n = 0; n < tree->count; n++) {
		struct count *count = &c->counts[n], whole = tree_count(tree, n);

		less &= count->calls <= whole.calls;
		count->calls = whole.calls - count->calls;
		for (int k = 0; k < CLOCKS; k++) {
			less &= count->time[k] <= whole.time[k];
			count->time[k] = whole.time[k] - count->time[k];
		}
	}
	return less;
}

static void
counting_release(struct counting *c)
{
	mem_free(c->uses);
	mem_free(c->counts);
	mem_free(c->stacks);
}

/* Parts that are clipped --------------------------------------------------------------- */

/* CPU time at a wall time within a step; on other axes there is nothing to split. */
static nsec
other_at(const struct counting *c, const struct step *s, nsec at)
{
	return c->dual ? step_cpu_at(s, at) : 0;
}

static void
time_count(const struct counting *c, const struct step *s)
{
	enum clock_id axis = c->profile->axis;
	nsec a = s->from[axis], b = s->to[axis];
	nsec from = a > c->range.from ? a : c->range.from;
	nsec to = b < c->range.to ? b : c->range.to;
	struct count *count = &c->counts[s->before];

	if (a == b) {
		if (c->dual && counting_holds(c, b))
			count->time[CLOCK_CPU] += s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
		return;
	}
	if (from >= to)
		return;
	count->time[axis] += to - from;
	if (c->dual)
		count->time[CLOCK_CPU] += other_at(c, s, to) - other_at(c, s, from);
}

/* A call that was open before the range and ends at its first instant is not in it. */
static void
still_left(const struct counting *c, struct entering *e, const struct step *s)
{
	const struct node *nodes = c->profile->tree.nodes;

	if (s->before == s->after && s->before == e->still && s->inside <= e->inside) {
		e->inside = s->inside - 1;
		return;
	}
	for (uint32_t n = s->before; n != s->after; n = nodes[n].parent) {
		if (n == e->still) {
			e->still = s->after;
			e->inside = 0;
		}
	}
}

/* Before the range, or at its first instant. */
static void
approach(struct counting *c, struct entering *e, const struct step *s)
{
	enum action action = (enum action)(s->word & 3);

	if (s->to[c->profile->axis] < c->range.from)
		return;
	time_count(c, s); /* CPU time without wall time has an instant, too */
	if (action == ACTION_ENTER)
		c->counts[s->after].calls++;
	else if (s->before != s->after || (s->inside > 0 && action != ACTION_RESERVED))
		still_left(c, e, s);
}

static void
cross(struct counting *c, struct entering *e, const struct step *s)
{
	e->crossed = true;
	e->begin = other_at(c, s, c->range.from);
	/* When the range ends before, what is open was still open in all of it. */
	counting_stack(c, e->still);
	c->counts[e->still].calls += e->inside;
}

static bool
clip_step(void *context, const struct step *s)
{
	struct counting *c = context;
	struct entering *e = &c->stacks[s->thread];
	enum clock_id axis = c->profile->axis;

	/* All that is open before the range, whatever the skipped parts hold. */
	if (!e->known || (!e->crossed && s->from[axis] < c->range.from)) {
		e->still = s->before;
		e->inside = s->inside;
	}
	if (!e->known) {
		e->known = true;
		/* Adopted frames begin with their thread: adopted_count. */
		e->crossed = s->first ? s->to[axis] >= c->range.from : s->from[axis] > c->range.from;
		e->begin = s->first ? s->to[!axis] : s->from[!axis];
	}
	if (!e->crossed && s->to[axis] <= c->range.from) {
		approach(c, e, s);
		return true;
	}
	if (!e->crossed)
		cross(c, e, s);
	if (!s->first)
		time_count(c, s);
	if ((enum action)(s->word & 3) == ACTION_ENTER && counting_holds(c, s->to[axis]))
		c->counts[s->after].calls++;
	return true;
}

/* Parts by several workers ------------------------------------------------------------- */

/* Threads have no path in common, so all workers add to the same counts. */
struct ranging {
	struct counting *counting;
	struct partition partition;
	bool clip;      /* parts that are clipped; else those that are counted as a whole */
	uint64_t chunk; /* records */
	struct stack *stacks;
	struct onstack *onstacks; /* by worker */
};

static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	const struct ranging *r = arg;
	struct counting *c = r->counting;
	const struct step_sink steps = {clip_step, c, 0, trace_method_count(c->profile->trace)};
	struct walk walk = {(struct profile *)(uintptr_t)c->profile, r->stacks, NULL, false,
	    &r->onstacks[worker]};
	struct runs runs;

	runs_begin(&runs, r->partition.now, task->run);
	if (r->clip)
		runs_visit(&runs, &walk, task->thread, &steps);
	else
		runs_count(&runs, &walk, task->thread, r->partition.now->count, c->counts);
}

/* Adds consecutive parts.  False when the file lost some of them, or when cancelled. */
static bool
parts_add(struct ranging *r, uint32_t part, uint32_t behind)
{
	const struct counting *c = r->counting;
	struct partition *d = &r->partition;
	const struct blocks *blocks = c->profile->blocks;
	struct extent next = {blocks->items[part].at, blocks_end(blocks, behind - 1), r->chunk};
	enum taken taken;

	for (uint32_t t = 0; t < c->profile->stack_count; t++)
		blocks_restore(blocks, part, t, &r->stacks[t]);
	while ((taken = partition_take(d, &next)) == TAKEN) {
		next.from = d->now->end;
		partition_tasks(d, c->profile, c->scope, NULL);
		partition_round(d, &next);
		if (is_cancelled(c->cancel) || chunk_torn(d->now))
			return false;
		source_behind(d->source, d->now->begin.offset, d->now->end.offset);
		for (; part < behind && blocks_end(blocks, part) <= d->now->end.offset; part++)
			if (c->done != NULL)
				atomic_fetch_add_explicit(c->done, SHARE_ALL / c->visits,
				    memory_order_relaxed);
	}
	return taken == TAKEN_NOTHING;
}

static bool
part_due(const struct ranging *r, uint32_t part)
{
	const struct counting *c = r->counting;

	return part < c->part_count &&
	    (r->clip ? c->uses[part] == PART_CLIPPED : counting_whole(c, part));
}

/* As parts_add, of all that are due. */
static bool
parts_add_all(struct ranging *r, bool clip)
{
	bool added = true;
	uint32_t behind;

	r->clip = clip;
	for (uint32_t part = 0; part < r->counting->part_count && added; part = behind + 1) {
		behind = part;
		while (part_due(r, behind))
			behind++;
		if (behind > part)
			added = parts_add(r, part, behind);
	}
	return added;
}

/* About how many records a chunk is to have. */
static uint64_t
chunk_records(const struct counting *c)
{
	const struct profile *p = c->profile;
	const struct source *s = p->trace->source;
	uint64_t all = p->at.offset - s->first.offset, bytes = 0, records;
	uint64_t most = source_in_place(s) ? CHUNK_MOST : DECODED_MOST;

	for (uint32_t part = 0; part < c->part_count; part++) {
		if (counting_whole(c, part))
			bytes += part_bytes(c, part);
	}
	records = (uint64_t)((double)p->records * (double)bytes / (double)(all > 0 ? all : 1)) / CHUNKS;
	return records < CHUNK_LEAST ? CHUNK_LEAST : records < most ? records : most;
}

/* Goes once through all parts.  False when it must be done again, or when cancelled. */
static bool
parts_count(struct ranging *r)
{
	struct counting *c = r->counting;
	bool added;

	mem_free(c->counts);
	mem_free(c->stacks);
	c->counts = mem_zero(c->profile->tree.count, sizeof(*c->counts));
	c->stacks = mem_zero(c->profile->stack_count, sizeof(*c->stacks));
	if (c->done != NULL)
		atomic_store(c->done, 0);
	added = parts_add_all(r, false);
	adopted_count(c);
	if (added && c->inverse)
		added = c->inverse = counts_invert(c);
	return added && parts_add_all(r, true);
}

/*
 * Counts what is in all parts.  When the file was cut meanwhile, zeros may have been counted:
 * what is left is counted again, and nothing that was read ahead is used.  False when cancelled.
 */
static bool
range_parts(struct counting *c)
{
	const struct profile *p = c->profile;
	const struct partition_how how = {.task = task_run, .cancel = c->cancel};
	struct ranging r = {.counting = c};
	bool added;

	parts_judge(c);
	r.chunk = chunk_records(c);
	r.stacks = mem_alloc(p->stack_count * sizeof(*r.stacks));
	do {
		c->visits = 0;
		for (uint32_t part = 0; part < c->part_count; part++)
			c->visits += counting_whole(c, part) + (c->uses[part] == PART_CLIPPED);
		partition_init(&r.partition, p->trace->source,
		    deal_workers(p, p->jobs > 0 ? c->visits : c->visits / WORKER_PARTS), &how, &r);
		r.onstacks = mem_zero(r.partition.count, sizeof(*r.onstacks));
		added = parts_count(&r);
		for (unsigned i = 0; i < r.partition.count; i++)
			onstack_release(&r.onstacks[i]);
		partition_release(&r.partition);
		mem_free(r.onstacks);
	} while (!added && !is_cancelled(c->cancel));
	mem_free(r.stacks);
	return added;
}

/* The range ---------------------------------------------------------------------------- */

struct range
range_readable(const struct profile *p, struct range range)
{
	if (p->blocks->gone > 0 && range.from <= p->blocks->kept)
		range.from = p->blocks->kept + 1;
	return range;
}

static void
stacks_describe(const struct counting *c, struct range_sums *sums)
{
	enum clock_id axis = c->profile->axis;

	sums->stacks = mem_zero(c->profile->stack_count, sizeof(*sums->stacks));
	for (uint32_t t = 0; t < c->profile->stack_count; t++) {
		const struct stack *stack = &c->profile->stacks[t];

		sums->stacks[t].present = stack->started && stack_time(stack, axis) >= c->range.from &&
		    (stack->first[axis] < c->range.to || counting_holds(c, stack->first[axis]));
		sums->stacks[t].begin = c->stacks[t].known && stack->first[axis] < c->range.from
		    ? c->stacks[t].begin
		    : stack->first[!axis];
		if (stack->started)
			c->counts[stack->root].calls = sums->stacks[t].present && scope_has(c->scope, t);
	}
}

bool
range_count(const struct profile *p, const struct scope *scope, const struct range *range,
    struct range_sums *sums, share_done *done, const atomic_bool *cancel)
{
	struct counting c = {.profile = p, .scope = scope, .range = *range,
	    .cancel = cancel, .done = done};

	if (done != NULL)
		atomic_store(done, 0);
	c.closed = range->to >= p->end;
	/* The end itself belongs to the range that comes up to it. */
	if (range->from >= p->end && p->begin < p->end)
		c.range.from = INT64_MAX;
	c.range = range_readable(p, c.range);
	c.dual = trace_has_both(p->trace);
	if (!range_parts(&c)) {
		counting_release(&c);
		return false;
	}
	stacks_describe(&c, sums);
	sums->range = c.range.from > range->from && range->from < p->end ? c.range : *range;
	sums->counts = c.counts;
	sums->all = scope == NULL;
	c.counts = NULL;
	counting_release(&c);
	return true;
}

struct range_look {
	const struct profile *profile;
	const struct range *range;
	bool found;
};

/* Stops at the first step that the range has something of. */
static bool
range_look_step(void *context, const struct step *step)
{
	struct range_look *look = context;
	const struct profile *p = look->profile;
	const struct range *r = look->range;
	nsec from = step->from[p->axis], to = step->to[p->axis];

	look->found = (to >= r->from && (to < r->to || r->to >= p->end)) ||
	    (!step->first && p->tree.nodes[step->before].parent != NODE_NONE &&
		from < r->to && to > r->from);
	return !look->found;
}

bool
range_has_events(const struct profile *p, const struct range *r, const atomic_bool *cancel)
{
	struct range_look look = {.profile = p, .range = r};
	const struct log *log = p->trace->log;

	if (r->from >= r->to || r->from > p->end || r->to < p->begin)
		return false;
	if (range_is_whole(r, p) || (log != NULL && (log->has_sched || log->samples.count > 0)))
		return true;
	for (uint64_t n = 0; log != NULL && n < log->instants.count && !look.found; n++) {
		nsec at = ((const struct log_instant *)spool_peek(&log->instants, n))->at;

		look.found = at >= r->from && at <= r->to;
	}
	if (!look.found)
		(void)replay_window(p, NULL, r->from, r->to, range_look_step, &look, cancel);
	return look.found || is_cancelled(cancel);
}

void
range_release(struct range_sums *sums)
{
	mem_free(sums->counts);
	mem_free(sums->stacks);
}

bool
longest_look(struct longest *l, const struct node *node, const struct range *range)
{
	nsec from = node->longest_at, to = from + node->longest, length;
	nsec bound = node->longest < 0 ? INT64_MAX : node->longest;

	if ((from < range->from || to > range->to) &&
	    (uint64_t)range->to - (uint64_t)range->from < (uint64_t)bound)
		bound = range->to - range->from;
	l->bound = nsec_max(l->bound, bound);
	if (node->longest < 0 || !range_clip(range, from, to, &length))
		return false;
	from = nsec_max(from, range->from);
	if (length < l->length || (length == l->length && from >= l->at))
		return false;
	l->length = length;
	l->at = from;
	return true;
}
