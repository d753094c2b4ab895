// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/index/blocks.h"

#include <string.h>

#include "base/mem.h"
#include "profile/load/walk.h"
#include "trace/folded.h"

enum {
	EVERY_FIRST = 8192, /* records; decoded in well under a millisecond */
	BITS_MIN = 1024,
	BITS_MAX = 32768,
	BITS_BYTES = 4 * 1024 * 1024, /* of all groups */
};

/* More records than there are; so many times a few million are a number, too. */
#define NEVER (UINT64_C(1) << 40)

struct blocks *
blocks_new(struct profile *p)
{
	struct blocks *b = mem_zero(1, sizeof(*b));

	b->profile = p;
	b->kept = INT64_MIN;
	blocks_choose(b, EVERY_FIRST, BLOCK_BYTES);
	return b;
}

void
blocks_clear(struct blocks *b)
{
	for (uint32_t t = 0; t < b->thread_count; t++)
		mem_free(b->threads[t].items);
	b->thread_count = b->count = b->gone_count = 0;
	b->gone = 0;
	b->kept = INT64_MIN;
	b->bytes = 0;
	blocks_methods_clear(b);
}

void
blocks_free(struct blocks *b)
{
	if (b == NULL)
		return;
	blocks_clear(b);
	mem_free(b->threads);
	mem_free(b->items);
	mem_free(b->groups);
	mem_free(b);
}

void
blocks_choose(struct blocks *b, uint64_t every, size_t bytes)
{
	b->every = every;
	b->bytes_max = bytes;
}

void
blocks_single(struct blocks *b)
{
	b->every = NEVER;
}

/* Filling ---------------------------------------------------------------------------- */

/* The one nearer to the root of two frames on one stack. */
static uint32_t
frame_lower(const struct tree *t, uint32_t a, uint32_t b)
{
	bool bottom_a = tree_is_bottom(t, a), bottom_b = tree_is_bottom(t, b);

	/* Frames are made after their callers, but adopted ones and roots before. */
	if (bottom_a != bottom_b)
		return bottom_a ? a : b;
	return (a < b) != bottom_a ? a : b;
}

static void gone_settle(struct blocks *);

/* Keeps the first entry of each pair of blocks; the next one takes over its `low`. */
static void
entries_halve(const struct blocks *b, struct thread_entries *t, struct stack *stack)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct block_entry *e = &t->items[i];
		uint32_t *low = i + 1 < t->count ? &t->items[i + 1].low : &stack->low;

		if (kept > 0 && t->items[kept - 1].block == e->block / 2) {
			*low = frame_lower(&b->profile->tree, e->low, *low);
			continue;
		}
		t->items[kept] = *e;
		t->items[kept++].block /= 2;
	}
	t->count = kept;
	t->items = mem_resize(t->items, kept, sizeof(*t->items));
	t->room = kept;
}

/* Joins groups in pairs. */
static void
groups_halve(struct blocks *b)
{
	for (uint32_t i = 1; i < b->group_count; i += 2) {
		for (uint32_t k = 0; k < b->bit_count / 64; k++)
			b->groups[i - 1][k] |= b->groups[i][k];
		mem_free((void *)b->groups[i]);
		b->groups[i / 2] = b->groups[i - 1];
	}
	if (b->group_count % 2 == 1)
		b->groups[b->group_count / 2] = b->groups[b->group_count - 1];
	b->group_count = (b->group_count + 1) / 2;
}

static void
blocks_halve(struct blocks *b)
{
	uint32_t kept = 0;

	if (b->group_shift > 0)
		b->group_shift--;
	else
		groups_halve(b);
	for (uint32_t i = 0; i < b->count; i += 2)
		b->items[kept++] = b->items[i];
	b->count = kept;
	b->every *= 2;
	b->bytes = kept * sizeof(*b->items);
	for (uint32_t i = 0; i < b->thread_count; i++) {
		struct thread_entries *t = &b->threads[i];

		if (t->count > 0)
			entries_halve(b, t, &b->profile->stacks[i]);
		b->bytes += t->count * sizeof(*t->items);
	}
	gone_settle(b);
}

void
blocks_extend(struct blocks *b, uint32_t threads)
{
	MEM_GROW(b->threads, b->thread_room, threads);
	for (; b->thread_count < threads; b->thread_count++)
		b->threads[b->thread_count] = (struct thread_entries){0};
}

void
blocks_reach(struct blocks *b, const struct cursor *at, uint64_t records)
{
	const struct cursor *tail = &b->profile->trace->source->tail;

	while (b->bytes > b->bytes_max && b->count > 2)
		blocks_halve(b);
	/* None begins in what may be taken back. */
	if (tail->offset > 0 && at->offset > tail->offset)
		return;
	if (b->count > 0 && records < b->items[b->count - 1].records + b->every)
		return;
	*MEM_ADD(b->items, b->count, b->room) = (struct block){*at, records};
	b->bytes += sizeof(*b->items);
}

/* The stack's times after a record that is not taken in yet. */
static void
times_after(struct profile *p, const struct stack *stack, const uint64_t times[CLOCKS],
    nsec to[CLOCKS])
{
	struct walk walk = {.profile = p};
	struct stack after = *stack;
	nsec delta[CLOCKS];

	walk_clock(&walk, &after, times, 0, delta);
	for (int c = 0; c < CLOCKS; c++)
		to[c] = stack_time(&after, (enum clock_id)c);
}

void
blocks_enter(struct blocks *b, uint32_t block, uint32_t thread, struct stack *stack,
    const uint64_t times[CLOCKS])
{
	struct thread_entries *t = &b->threads[thread];
	struct block_entry *e;

	if (t->count > 0 && t->items[t->count - 1].block == block)
		return;
	e = MEM_ADD(t->items, t->count, t->room);
	*e = (struct block_entry){.block = block};
	atomic_fetch_add_explicit(&b->bytes, sizeof(*e), memory_order_relaxed);
	if (!stack->started)
		return;
	e->node = stack->node;
	e->low = stack->low;
	stack->low = stack->node;
	e->inside = stack->inside;
	memcpy(e->shift, stack->shift, sizeof(e->shift));
	memcpy(e->wraps, stack->wraps, sizeof(e->wraps));
	for (int c = 0; c < CLOCKS; c++)
		e->from[c] = stack_time(stack, (enum clock_id)c);
	times_after(b->profile, stack, times, e->to);
}

void
blocks_begun(struct blocks *b, uint32_t thread, const struct stack *stack)
{
	memcpy(b->threads[thread].items->to, stack->first, sizeof(stack->first));
}

void
blocks_unbegin(struct blocks *b, uint32_t thread)
{
	struct thread_entries *t = &b->threads[thread];

	b->bytes -= t->count * sizeof(*t->items);
	t->count = 0;
}

/* Reading ---------------------------------------------------------------------------- */

uint32_t
blocks_of_record(const struct blocks *b, uint64_t record, uint64_t *end)
{
	uint32_t low = 0, high = b->count;

	if (high > 0 && b->items[high - 1].records <= record)
		low = high - 1; /* while loading, mostly */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (b->items[middle].records <= record)
			low = middle;
		else
			high = middle;
	}
	*end = high < b->count ? b->items[high].records : UINT64_MAX;
	return low;
}

uint64_t
blocks_end(const struct blocks *b, uint32_t block)
{
	return block + 1 < b->count ? b->items[block + 1].at.offset : b->profile->at.offset;
}

/* The first entry of a thread in a block or after it, or their number. */
static size_t
entry_find(const struct thread_entries *t, uint32_t block)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->items[middle].block < block)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
blocks_restore(const struct blocks *b, uint32_t block, uint32_t thread, struct stack *stack)
{
	const struct thread_entries *t = &b->threads[thread];
	const struct stack *known = &b->profile->stacks[thread];
	size_t at = entry_find(t, block);
	const struct block_entry *e = at < t->count ? &t->items[at] : NULL;

	*stack = (struct stack){.raw = {INT64_MAX, INT64_MAX}, .origin = known->origin,
	    .root = known->root};
	if (e == NULL || e->node == NODE_NONE)
		return;
	stack->started = true;
	stack->node = stack->low = e->node;
	stack->guess = tree_place(e->node, 0);
	stack->inside = e->inside;
	memcpy(stack->shift, e->shift, sizeof(stack->shift));
	memcpy(stack->wraps, e->wraps, sizeof(stack->wraps));
	for (int c = 0; c < CLOCKS; c++)
		stack->raw[c] = (uint64_t)(e->from[c] - stack->shift[c]);
}

static struct block_run
run_of(const struct blocks *b, uint32_t thread, size_t entry)
{
	const struct thread_entries *t = &b->threads[thread];
	const struct block_entry *e = &t->items[entry];
	const struct stack *stack = &b->profile->stacks[thread];
	enum clock_id axis = b->profile->axis;
	bool last = entry + 1 == t->count;

	return (struct block_run){
		.thread = thread,
		.start = e->node != NODE_NONE ? e->node : stack->origin,
		.low = last ? stack->low : e[1].low,
		.from = e->node != NODE_NONE ? e->from[axis] : e->to[axis],
		.first = e->to[axis],
		.to = last ? stack_time(stack, axis) : e[1].from[axis],
	};
}

/* Finds which blocks have records that are gone, and when the last of these was. */
static void
gone_settle(struct blocks *b)
{
	if (b->gone == 0)
		return;
	while (b->gone_count > 0 &&
	    (b->gone_count >= b->count || b->items[b->gone_count - 1].records >= b->gone))
		b->gone_count--;
	while (b->gone_count < b->count && b->items[b->gone_count].records < b->gone)
		b->gone_count++;
	for (uint32_t t = 0; t < b->thread_count; t++) {
		size_t first = entry_find(&b->threads[t], b->gone_count);
		nsec last = first > 0 ? run_of(b, t, first - 1).to : INT64_MIN;

		b->kept = nsec_max(b->kept, last);
	}
}

/* How many entries of a thread end before a time or, with `begin`, begin not after it. */
static size_t
entries_before(const struct blocks *b, uint32_t thread, nsec at, bool begin)
{
	size_t low = 0, high = b->threads[thread].count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		struct block_run run = run_of(b, thread, middle);

		if (begin ? run.from <= at : run.to < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct cursor *
blocks_forget(struct blocks *b, nsec before, uint64_t most)
{
	uint32_t first = b->count > 0 ? b->count - 1 : 0;

	for (uint32_t t = 0; t < b->thread_count; t++) {
		size_t i = entries_before(b, t, before, false);

		if (i < b->threads[t].count && b->threads[t].items[i].block < first)
			first = b->threads[t].items[i].block;
	}
	while (first > 0 && b->items[first].records > most)
		first--;
	if (first <= b->gone_count)
		return NULL;
	b->gone = b->items[first].records;
	gone_settle(b);
	return &b->items[first].at;
}

struct block_list
blocks_list(const struct blocks *b, const struct scope *scope, nsec from, nsec to)
{
	struct block_list list = {.blocks = b};
	uint32_t *places = mem_zero((size_t)b->count + 1, sizeof(*places)), all = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t t = 0; t < b->thread_count; t++) {
			size_t i, end, kept = entry_find(&b->threads[t], b->gone_count);

			if (!scope_has(scope, t))
				continue;
			end = entries_before(b, t, to, true);
			i = entries_before(b, t, from, false);
			for (i = i > kept ? i : kept; i < end; i++) {
				uint32_t *place = &places[b->threads[t].items[i].block];

				if (pass == 1)
					list.refs[*place] = (struct block_ref){t, (uint32_t)i};
				(*place)++;
			}
		}
		if (pass == 1)
			break;
		list.items = mem_alloc(((size_t)b->count + 1) * sizeof(*list.items));
		for (uint32_t i = 0; i < b->count; i++) {
			uint32_t runs = places[i];

			places[i] = all;
			if (runs > 0)
				list.items[list.count++] = (struct block_item){i, all};
			all += runs;
		}
		list.items[list.count].first = all;
		list.refs = mem_alloc(((size_t)all + 1) * sizeof(*list.refs));
	}
	mem_free(places);
	return list;
}

void
block_list_release(struct block_list *list)
{
	mem_free(list->items);
	mem_free(list->refs);
}

uint32_t
block_list_runs(const struct block_list *list, uint32_t item)
{
	return list->items[item + 1].first - list->items[item].first;
}

struct block_run
block_list_run(const struct block_list *list, uint32_t item, uint32_t run)
{
	const struct block_ref *ref = &list->refs[list->items[item].first + run];

	return run_of(list->blocks, ref->thread, ref->entry);
}

const struct block_entry *
block_list_entry(const struct block_list *list, uint32_t item, uint32_t run)
{
	const struct block_ref *ref = &list->refs[list->items[item].first + run];

	return &list->blocks->threads[ref->thread].items[ref->entry];
}

uint64_t
blocks_cost(const struct blocks *b, nsec from, nsec to, uint64_t most)
{
	uint8_t *counted = mem_zero((size_t)b->count + 1, 1);
	uint64_t records = 0;

	for (uint32_t t = 0; t < b->thread_count && records < most; t++) {
		size_t i = entries_before(b, t, from, false), end = entries_before(b, t, to, true);

		for (; i < end && records < most && run_of(b, t, i).first < to; i++) {
			uint32_t block = b->threads[t].items[i].block;
			uint64_t until = block + 1 < b->count ? b->items[block + 1].records
							      : b->profile->records;

			if (block < b->gone_count)
				records = most;
			else if (counted[block] == 0)
				records += until - b->items[block].records;
			counted[block] = 1;
		}
	}
	mem_free(counted);
	return records;
}

/* The method index ------------------------------------------------------------------- */

void
blocks_methods_clear(struct blocks *b)
{
	for (uint32_t i = 0; i < b->group_count; i++)
		mem_free((void *)b->groups[i]);
	b->group_count = 0;
	b->group_shift = 0;
	b->known = 0;
	b->bit_count = BITS_MIN;
	while (b->bit_count < BITS_MAX && b->bit_count < trace_method_count(b->profile->trace))
		b->bit_count *= 2;
}

void
blocks_methods_extend(struct blocks *b, uint64_t records)
{
	uint64_t end;
	uint32_t last = blocks_of_record(b, b->known + records - 1, &end);

	while ((last >> b->group_shift) >= BITS_BYTES / (b->bit_count / 8)) {
		groups_halve(b);
		b->group_shift++;
	}
	MEM_GROW(b->groups, b->group_room, (size_t)(last >> b->group_shift) + 1);
	while (b->group_count <= last >> b->group_shift)
		b->groups[b->group_count++] = mem_zero(b->bit_count / 64, sizeof(uint64_t));
}

struct entered
blocks_entered(const struct blocks *b, uint64_t record, uint64_t *end)
{
	uint32_t group = blocks_of_record(b, record, end) >> b->group_shift;
	uint32_t next = (group + 1) << b->group_shift;

	*end = next < b->count ? b->items[next].records : UINT64_MAX;
	return (struct entered){b->groups[group], b->bit_count - 1};
}

void
blocks_methods_take(struct blocks *b, uint64_t records)
{
	b->known += records;
}

void
blocks_methods_back(struct blocks *b, uint64_t records)
{
	b->known = records;
}

/* True if all records of the group are known. */
static bool
group_known(const struct blocks *b, uint32_t group)
{
	uint32_t next = (group + 1) << b->group_shift;

	return (next < b->count ? b->items[next].records : b->profile->records) <= b->known;
}

static bool
group_may(const struct blocks *b, uint32_t group, uint32_t method)
{
	uint32_t bit = method & (b->bit_count - 1);

	return (b->groups[group][bit / 64] >> bit % 64 & 1) != 0;
}

bool
blocks_may(const struct blocks *b, uint32_t block, uint32_t method)
{
	uint32_t group = block >> b->group_shift;

	return !group_known(b, group) || group_may(b, group, method) ||
	    trace_stands(b->profile->trace, method);
}

struct block_span *
blocks_entering(const struct blocks *b, uint32_t method, uint32_t *count)
{
	struct block_span *spans = mem_alloc(((size_t)b->group_count + 1) * sizeof(*spans));

	*count = 0;
	if (trace_method_count(b->profile->trace) > b->bit_count ||
	    trace_stands(b->profile->trace, method))
		return spans;
	for (uint32_t i = 0; i < b->group_count; i++)
		spans[i] = (struct block_span){INT64_MAX, INT64_MIN};
	for (uint32_t t = 0; t < b->thread_count; t++) {
		for (size_t i = 0; i < b->threads[t].count; i++) {
			uint32_t group = b->threads[t].items[i].block >> b->group_shift;
			struct block_run run = run_of(b, t, i);

			if (group >= b->group_count)
				break;
			spans[group].first = nsec_min(spans[group].first, run.first);
			spans[group].last = nsec_max(spans[group].last, run.to);
		}
	}
	for (uint32_t i = 0; i < b->group_count; i++) {
		if (group_known(b, i) && group_may(b, i, method))
			spans[(*count)++] = spans[i];
	}
	return spans;
}
