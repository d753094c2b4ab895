// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/load/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/index/blocks.h"
#include "profile/load/walk.h"
#include "trace/log.h"

/* Was the trace made by a sampler? ------------------------------------------------- */

enum {
	RECORDS_LEAST = 32, /* fewer say nothing */
	GAPS_KEPT = 4096,
	EQUAL_PERCENT = 60, /* of the records */
	SHORT_PERCENT = 5,  /* of the gaps */
	LOW_PERCENT = 20,   /* gaps of the estimate: others span several samples */
};

#define GAP_SHORT ((nsec)100000)

struct last {
	bool seen;
	uint64_t time[CLOCKS];
};

struct sampling {
	struct last *last; /* by thread */
	size_t room;
	uint64_t records, equal, gaps, gaps_short;
	bool unrolls;
	nsec kept[GAPS_KEPT]; /* the first gaps */
};

void
sampling_free(struct sampling *s)
{
	if (s == NULL)
		return;
	mem_free(s->last);
	mem_free(s);
}

static void
event_watch(struct sampling *s, const struct event *ev)
{
	struct last *last = &s->last[ev->thread];
	/* The clock of a trace with one is 0 on the other. */
	nsec cpu = (nsec)(ev->time[CLOCK_CPU] - last->time[CLOCK_CPU]);
	nsec wall = (nsec)(ev->time[CLOCK_WALL] - last->time[CLOCK_WALL]);
	nsec gap = ev->time[CLOCK_WALL] != 0 ? wall : cpu;

	s->records++;
	s->unrolls |= event_action(ev) == ACTION_UNROLL;
	if (last->seen && cpu == 0 && wall == 0) {
		s->equal++;
	} else if (last->seen && gap > 0) {
		s->gaps_short += gap < GAP_SHORT;
		if (s->gaps < GAPS_KEPT)
			s->kept[s->gaps] = gap;
		s->gaps++;
	}
	last->seen = true;
	last->time[CLOCK_CPU] = ev->time[CLOCK_CPU];
	last->time[CLOCK_WALL] = ev->time[CLOCK_WALL];
}

/* The next events; false when enough were seen, also for the calls after. */
static bool
sampling_watch(struct sampling *s, const struct batch *b)
{
	for (uint32_t i = 0; i < b->count && s->records < SAMPLING_RECORDS; i++) {
		MEM_GROW_ZERO(s->last, s->room, (size_t)b->ev[i].thread + 1);
		event_watch(s, &b->ev[i]);
	}
	return s->records < SAMPLING_RECORDS;
}

static struct sampled
sampling_judge(struct sampling *s)
{
	size_t kept = s->gaps < GAPS_KEPT ? s->gaps : GAPS_KEPT;
	size_t low = (kept * LOW_PERCENT + 99) / 100;
	struct sampled result = {0};

	if (s->unrolls || s->records < RECORDS_LEAST ||
	    s->equal * 100 <= s->records * EQUAL_PERCENT ||
	    s->gaps_short * 100 > s->gaps * SHORT_PERCENT)
		return result;
	result.yes = true;
	qsort(s->kept, kept, sizeof(*s->kept), mem_order_leading);
	for (size_t i = 0; i < low; i++)
		result.interval += s->kept[i] / (nsec)low;
	return result;
}

/* Loading --------------------------------------------------------------------------- */

enum {
	BEHIND_BYTES = 4 * 1024 * 1024, /* pages are given back in pieces of this size */
	/*
	 * A file is judged by its actions at the end, if it has so many records, for a good
	 * one may begin badly; before that only what bytes of anything look like.
	 */
	RESERVED_JUDGE = 1000,
	RESERVED_SHARE = 100, /* one in so many is still good */
	HOPELESS_JUDGE = 100000,
	HOPELESS_SHARE = 8,
	STEP_RECORDS = 8192,            /* between two looks at them */
};

/* Records may be a little later than the stated end. */
#define CLOCK_LATE UINT64_C(1000000000)

/* `enough`: what follows is not asked any more. */
static void
sampling_decide(struct profile *p, bool enough)
{
	if (p->sampling == NULL)
		return;
	p->sampled = sampling_judge(p->sampling);
	if (!enough)
		return;
	sampling_free(p->sampling);
	p->sampling = NULL;
}

struct profile *
profile_new(struct trace *t)
{
	struct profile *p = mem_zero(1, sizeof(*p));

	p->trace = t;
	t->closed = false;
	p->at = t->source->first;
	p->behind = p->at.offset;
	p->axis = trace_default_clock(t);
	p->other = METHOD_NONE;
	p->damage = t->damage;
	tree_init(&p->tree);
	p->blocks = blocks_new(p);
	if (t->log == NULL && !t->sampled && !t->sampler.stated)
		p->sampling = mem_zero(1, sizeof(*p->sampling));
	p->sampled.yes = t->sampled || t->sampler.yes || (t->log != NULL && t->log->sampled);
	p->sampled.interval = t->sampler.interval;
	return p;
}

static void
stacks_clear(struct profile *p)
{
	for (uint32_t i = 0; i < p->stack_count; i++)
		mem_free(p->stacks[i].entered);
	p->stack_count = 0;
}

void
profile_free(struct profile *p)
{
	if (p == NULL)
		return;
	blocks_free(p->blocks);
	tree_release(&p->tree);
	onstack_release(&p->onstack);
	sampling_free(p->sampling);
	stacks_clear(p);
	mem_free(p->stacks);
	mem_free(p->method_seen);
	mem_free(p);
}

void
profile_seen_add(struct profile *p, const struct profile *from)
{
	MEM_GROW_ZERO(p->method_seen, p->method_seen_room, from->method_seen_room);
	for (size_t m = 0; m < from->method_seen_room; m++)
		p->method_seen[m] |= from->method_seen[m];
}

/*
 * The calls that are open last to their thread's last record, so far: should reading go on,
 * they are left later, which is then the longer call.  What (other) holds is no call, and sums have
 * no single calls.
 */
static void
longest_end(struct profile *p)
{
	struct node *nodes = p->tree.nodes;

	for (uint32_t i = 0; i < p->stack_count; i++) {
		const struct stack *stack = &p->stacks[i];
		uint32_t node = stack->node;

		for (size_t depth = stack->depth + 1; stack->started && depth-- > 0;) {
			node_end_call(&nodes[node], stack->entered[depth],
			    stack_time(stack, p->axis));
			node = nodes[node].parent;
		}
	}
	for (uint32_t n = 1; (p->other != METHOD_NONE || p->trace->summed) && n < p->tree.count; n++) {
		if (p->trace->summed || nodes[n].method == p->other)
			nodes[n].longest = -1;
	}
}

/*
 * A clock that starts again while nothing is recorded does so unseen, also before the
 * first record; only the stated length tells.  What is cut ends earlier anyway.
 */
static void
hidden_wraps_count(struct profile *p)
{
	const struct trace *t = p->trace;
	const struct source *s = t->source;
	nsec left = t->elapsed - p->end;

	if (s->clock_modulus == 0 || s->by_thread || p->axis != CLOCK_WALL || p->records == 0 ||
	    t->overflow || p->damage.kind[DAMAGE_TRUNCATED_FILE].count > 0 || left <= 0)
		return;
	damage_add(&p->damage, DAMAGE_HIDDEN_WRAP,
	    ((uint64_t)left + CLOCK_LATE) / s->clock_modulus, p->at.offset);
}

static enum load_state
load_end(struct profile *p, enum load_state state)
{
	/* Calls that are open where reading ended. */
	for (uint32_t i = 0; i < p->stack_count; i++)
		if (p->stacks[i].started)
			damage_add(&p->damage, DAMAGE_UNFINISHED_CALL, profile_open_calls(p, i),
			    p->stacks[i].base_offset);
	longest_end(p);
	if (state == LOAD_DONE)
		hidden_wraps_count(p);
	if (trace_file_now(p->trace) == FILEMARK_CHANGED)
		damage_add(&p->damage, DAMAGE_CHANGED_FILE, 1, 0);
	sampling_decide(p, p->trace->source->ops->grow == NULL);
	p->trace->closed = true;
	p->state = state;
	return state;
}

static bool
actions_plausible(const struct profile *p, bool end, struct err *e)
{
	const struct damage_entry *reserved = &p->damage.kind[DAMAGE_RESERVED_ACTION];

	if (p->records < (end ? RESERVED_JUDGE : HOPELESS_JUDGE) ||
	    reserved->count <= p->records / (end ? RESERVED_SHARE : HOPELESS_SHARE))
		return true;
	return err_at(e, ERR_MALFORMED, reserved->offset,
	    "%" PRIu64 " of %" PRIu64 " records have the unused action 3: not a method trace, "
	    "or damaged", reserved->count, p->records);
}

/*
 * The file was cut while it is read: what it lost is missing.  The rest of the page where
 * it ends reads as zeros, which may have been counted before: once, all is counted again.
 */
static void
load_cut(struct profile *p)
{
	p->torn = p->records > 0 && p->restarts == 0;
	p->damage.kind[DAMAGE_TRUNCATED_FILE] =
	    (struct damage_entry){1, source_left(p->trace->source, true)};
	p->at.offset = p->trace->source->end;
}

void
profile_again(struct profile *p)
{
	struct source *source = p->trace->source;
	uint32_t limit = p->tree.limit;

	source->again = false;
	p->trace->closed = false;
	if (source->ops->anew != NULL)
		source->ops->anew(source);
	p->torn = false;
	blocks_clear(p->blocks);
	tree_release(&p->tree);
	tree_init(&p->tree);
	p->tree.limit = limit;
	onstack_release(&p->onstack);
	p->onstack = (struct onstack){0};
	stacks_clear(p);
	p->records = 0;
	p->begin = p->end = p->latest = 0;
	if (p->method_seen_room > 0)
		memset(p->method_seen, 0, p->method_seen_room);
	p->at = source->first;
	p->behind = p->at.offset;
	p->damage = p->trace->damage;
	p->restarts++;
}

void
profile_restart(struct profile *p)
{
	struct source *source = p->trace->source;

	source->ops->restart(source);
	profile_again(p);
	p->state = LOAD_MORE;
}

/* Counts the events by thread that only the end gave. */
static void
tail_count(const struct profile *p, uint32_t *by_thread)
{
	struct source *source = p->trace->source;
	struct cursor at = source->tail;
	struct batch_room room;
	struct batch batch = batch_in(&room);

	do {
		batch.count = 0;
		if (source->tail.offset > 0)
			source->ops->read(source, &at, &batch, BATCH_EVENTS, NULL);
		for (uint32_t i = 0; i < batch.count; i++)
			by_thread[batch.ev[i].thread]++;
	} while (batch.count > 0);
}

/* Takes back what the end's events did to a thread: they gave its innermost frame time. */
static void
tail_undo(struct profile *p, uint32_t thread, uint32_t records)
{
	struct stack *stack = &p->stacks[thread];
	uint64_t times[CLOCKS];
	bool begins = !p->trace->source->ops->before(p->trace->source, thread, times);

	for (int c = 0; c < CLOCKS; c++) {
		uint64_t before = begins ? (uint64_t)stack->first[c] : times[c];

		p->tree.nodes[stack->node].time[c] -= (nsec)(stack->raw[c] - before);
		stack->raw[c] = begins ? INT64_MAX : before;
	}
	if (begins) {
		stack->started = false;
		blocks_unbegin(p->blocks, thread);
	}
	stack->records -= records;
	p->records -= records;
}

bool
profile_grow(struct profile *p, uint64_t size)
{
	struct source *source = p->trace->source;
	uint32_t *by_thread;
	bool good;

	if (p->state != LOAD_DONE || source->ops->grow == NULL)
		return false;
	by_thread = mem_zero((size_t)p->stack_count + 1, sizeof(*by_thread));
	tail_count(p, by_thread);
	good = source->ops->grow(source, size, &p->at, &p->damage);
	for (uint32_t i = 0; i < p->stack_count && good; i++)
		if (by_thread[i] > 0)
			tail_undo(p, i, by_thread[i]);
	mem_free(by_thread);
	if (!good)
		return false;
	/* The end added these (load_end). */
	damage_set(&p->damage, DAMAGE_UNFINISHED_CALL, 0, 0);
	damage_set(&p->damage, DAMAGE_HIDDEN_WRAP, 0, 0);
	damage_set(&p->damage, DAMAGE_CHANGED_FILE, 0, 0);
	if (p->behind > p->at.offset)
		p->behind = p->at.offset;
	p->trace->closed = false;
	p->state = LOAD_MORE;
	return true;
}

uint64_t
profile_forget(struct profile *p, nsec before, uint64_t most)
{
	const struct cursor *at = blocks_forget(p->blocks, before, most);
	struct source *source = p->trace->source;

	if (at == NULL)
		return 0;
	source->forgotten = true;
	return source->ops->forget != NULL ? source->ops->forget(source, at) : at->offset;
}

/* Counts the next batch; how many records there were. */
static uint32_t
next_load(struct profile *p)
{
	struct source *source = p->trace->source;
	/*
	 * Near the end a cut may be too small to be run into: the system is asked.  And when
	 * counting began again because of one.
	 */
	bool ask = p->restarts > 0 || p->at.offset + BEHIND_BYTES >= source->end;
	struct batch_room room;
	struct batch batch = batch_in(&room);
	struct walk walk;

	if (!source_read_safe(source, &p->at, &batch, BATCH_EVENTS, &p->damage, ask))
		load_cut(p);
	if (p->torn || source->again)
		return 0;
	profile_stacks_extend(p, trace_thread_count(p->trace));
	walk = (struct walk){p, p->stacks, &p->damage, true, &p->onstack};
	batch_load(&batch, &walk);
	if (p->sampling != NULL && !sampling_watch(p->sampling, &batch))
		sampling_decide(p, true);
	p->records += batch.count;
	return batch.count;
}

/* False at the end. */
static bool
some_load(struct profile *p, uint64_t max_records)
{
	struct source *source = p->trace->source;
	uint64_t until = p->records + max_records;
	bool more = true;

	while (p->at.offset < source->end && p->records < until && more) {
		uint64_t from = p->at.offset;

		blocks_reach(p->blocks, &p->at, p->records);
		more = next_load(p) > 0 || p->at.offset > from;
		if (p->torn || source->again) {
			profile_again(p);
			more = true;
		}
		if (p->at.offset - p->behind >= BEHIND_BYTES) {
			source_behind(source, p->behind, p->at.offset);
			p->behind = p->at.offset;
		}
	}
	return more && p->at.offset < source->end;
}

enum load_state
profile_settle(struct profile *p, bool more, struct err *e)
{
	const struct source *source = p->trace->source;
	const struct err *failed = &source->failed;
	bool end = !more;

	profile_axis_update(p);
	if (failed->kind != ERR_NONE) {
		err_set(e, failed->kind, "%s", failed->what);
		return load_end(p, LOAD_FAILED);
	}
	if (!actions_plausible(p, end, e))
		return load_end(p, LOAD_FAILED);
	return end ? load_end(p, LOAD_DONE) : LOAD_MORE;
}

enum load_state
profile_load(struct profile *p, uint64_t max_records, struct err *e)
{
	/* In small steps, so that a file that is no trace is left early. */
	uint64_t until = p->records + max_records;
	bool more = true;

	if (p->state != LOAD_MORE)
		return p->state;
	while (more && p->records < until && actions_plausible(p, false, NULL))
		more = some_load(p, until - p->records < STEP_RECORDS ? until - p->records
									      : STEP_RECORDS);
	return profile_settle(p, more, e);
}

void
profile_stop(struct profile *p)
{
	if (p->state == LOAD_MORE)
		load_end(p, LOAD_STOPPED);
}

/* Threads ---------------------------------------------------------------------------- */

void
profile_stacks_extend(struct profile *p, uint32_t need)
{
	if (need <= p->stack_count)
		return;
	MEM_GROW(p->stacks, p->stack_room, need);
	for (; p->stack_count < need; p->stack_count++) {
		/* Later than every time, so that the first event is noticed as odd. */
		p->stacks[p->stack_count] = (struct stack){.raw = {INT64_MAX, INT64_MAX}};
	}
	blocks_extend(p->blocks, need);
}

void
profile_axis_update(struct profile *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->stack_count; i++) {
		const struct stack *stack = &p->stacks[i];

		if (!stack->started)
			continue;
		if (!any || stack->first[p->axis] < p->begin)
			p->begin = stack->first[p->axis];
		if (!any || stack_time(stack, p->axis) > p->end)
			p->end = stack_time(stack, p->axis);
		any = true;
	}
	/* A log lasts from its first line to its last, whatever is in between. */
	if (p->trace->log != NULL) {
		p->begin = 0;
		if (p->trace->log->end > p->end)
			p->end = p->trace->log->end; /* known when all was read */
	}
}

uint64_t
profile_open_calls(const struct profile *p, uint32_t thread)
{
	const struct stack *stack = &p->stacks[thread];

	return tree_depth(&p->tree, stack->node) + stack->inside;
}
