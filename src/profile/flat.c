#include <config.h>

#include "profile/flat.h"

#include <string.h>

#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/flat_lane.h"

enum {
	SUMS_MOST = 1 << 19, /* of all threads: 100 MB */
	SLOTS_FEWEST = 16,
	SLOTS_EACH = 2, /* pairs for each sum, at least: few are in each other's way */
	FRAMES_FEWEST = 32,
};

void
flat_begin(struct profile *p)
{
	if (p->trace->log != NULL || p->flat != NULL)
		return;
	p->flat = mem_zero(1, sizeof(*p->flat));
	p->flat->most = SUMS_MOST;
	/* They would have no stacks. */
	checkpoint_first_only(p);
	flat_extend(p->flat, p->lane_count);
}

void
flat_clear(struct flat *flat)
{
	for (uint32_t i = 0; i < flat->count; i++) {
		struct flat_lane *f = &flat->lanes[i];

		mem_free(f->sums);
		mem_free(f->rests);
		mem_free(f->slots);
		mem_free(f->frames);
		idmap_release(&f->by_method);
	}
	flat->count = 0;
	atomic_store(&flat->sums, 0);
}

void
flat_free(struct flat *flat)
{
	if (flat == NULL)
		return;
	flat_clear(flat);
	mem_free(flat->lanes);
	mem_free(flat);
}

void
flat_extend(struct flat *flat, uint32_t lanes)
{
	if (lanes <= flat->count)
		return;
	MEM_GROW(flat->lanes, flat->room, lanes);
	memset(flat->lanes + flat->count, 0, (lanes - flat->count) * sizeof(*flat->lanes));
	flat->count = lanes;
}

bool
flat_gives_up(struct profile *p)
{
	if (p->flat == NULL ||
	    atomic_load_explicit(&p->flat->sums, memory_order_relaxed) <= p->flat->most)
		return false;
	flat_free(p->flat);
	p->flat = NULL;
	return true;
}

uint32_t
flat_depth(const struct flat *flat, uint32_t thread)
{
	return flat->lanes[thread].depth;
}

/* Frames of which there is a trace. */
static uint32_t
lane_deepest(const struct flat_lane *f)
{
	uint32_t depth = f->depth;

	while (depth + 1 < f->frame_room && f->frames[depth + 1] != 0)
		depth++;
	return depth > f->deepest ? depth : f->deepest;
}

uint32_t
flat_deepest(const struct flat *flat, uint32_t thread)
{
	return lane_deepest(&flat->lanes[thread]);
}

/* Lanes ----------------------------------------------------------------------------- */

static void
slots_make(struct flat_lane *f, uint32_t count)
{
	const struct flat_slots none = {{KEY_NONE, KEY_NONE}, {0, 0}}, *old = f->slots;
	uint32_t old_count = old != NULL ? f->slot_mask + 1 : 0;

	f->slots = mem_alloc(count * sizeof(*f->slots));
	f->slot_mask = count - 1;
	for (uint32_t i = 0; i < count; i++)
		f->slots[i] = none;
	for (uint32_t i = 0; i < old_count; i++) {
		for (int k = 0; k < 2; k++)
			if (old[i].key[k] != KEY_NONE)
				lane_remember(f, old[i].key[k], old[i].sum[k]);
	}
	mem_free((void *)(uintptr_t)old);
}

static uint32_t
sum_add(struct flat_lane *f, uint32_t method)
{
	MEM_GROW(f->sums, f->sum_room, f->count + 1);
	MEM_GROW(f->rests, f->rest_room, f->count + 1);
	f->sums[f->count] = (struct flat_sum){.word = FLAT_NO_WORD};
	f->rests[f->count] = (struct flat_rest){.method = method};
	return f->count++;
}

void
lane_reserve(struct flat_lane *f, size_t frames)
{
	size_t room = f->frame_room;

	MEM_GROW(f->frames, f->frame_room, f->depth + frames + 1);
	if (f->frame_room > room)
		memset(f->frames + room, 0, (f->frame_room - room) * sizeof(*f->frames));
}

void
lane_ready(struct flat_lane *f)
{
	lane_reserve(f, FRAMES_FEWEST);
	f->frames[0] = sum_add(f, METHOD_TOPLEVEL) * SUM_PAIRS + PAIR_SELF;
	f->sums[0].calls = FLAT_CALL;
	slots_make(f, SLOTS_FEWEST);
}

void
lane_remember(struct flat_lane *f, uint32_t key, uint32_t sum)
{
	struct flat_slots *slots = &f->slots[slots_place(key, f->slot_mask)];

	/* What was there goes on in the other one. */
	if (slots->key[0] != key) {
		slots->key[1] = slots->key[0];
		slots->sum[1] = slots->sum[0];
	}
	slots->key[0] = key;
	slots->sum[0] = sum;
}

uint32_t
lane_sum(struct flat *flat, struct flat_lane *f, uint32_t method)
{
	uint32_t sum = idmap_get(&f->by_method, method);

	if (sum != IDMAP_NONE)
		return sum;
	atomic_fetch_add_explicit(&flat->sums, 1, memory_order_relaxed);
	sum = sum_add(f, method);
	idmap_put(&f->by_method, method, sum);
	if (f->count * SLOTS_EACH > f->slot_mask)
		slots_make(f, 2 * (f->slot_mask + 1));
	return sum;
}

static void
lane_pop(struct flat_lane *f, const struct lane *lane)
{
	uint32_t frame = f->frames[f->depth--];
	struct flat_sum *sum = &f->sums[frame_sum(frame)];

	if (frame_is_nested(frame))
		return;
	sum->calls -= FLAT_OPEN;
	for (int c = 0; c < CLOCKS; c++)
		sum->inclusive[c] += (uint64_t)lane_time(lane, (enum clock_id)c);
}

/* Exits ----------------------------------------------------------------------------- */

/*
 * A frame of before the trace ends: all that the thread did so far was in it.  Earlier calls
 * of its method, which is not open, were recursive then.
 */
static void
lane_adopt(struct flat *flat, struct flat_lane *f, const struct lane *lane, uint32_t method)
{
	uint32_t index = lane_sum(flat, f, method), deepest = lane_deepest(f);
	struct flat_sum *sum = &f->sums[index], *top = &f->sums[0];

	f->rests[index].recursive_calls += sum->calls / FLAT_CALL;
	sum->calls = FLAT_CALL;
	for (int c = 0; c < CLOCKS; c++) {
		sum->nested[c] += sum->self[c];
		sum->self[c] = top->self[c];
		top->self[c] = 0;
		sum->inclusive[c] = (uint64_t)lane_span(lane, (enum clock_id)c);
	}
	/* What comes is a frame less deep. */
	for (size_t i = 1; i < f->frame_room && f->frames[i] != 0; i++)
		f->frames[i] = 0;
	f->deepest = deepest + 1;
}

/* How many frames are above the innermost one of the sum, which is open. */
static uint32_t
frames_above(const struct flat_lane *f, uint32_t sum)
{
	uint32_t depth = f->depth;

	while (frame_sum(f->frames[depth]) != sum)
		depth--;
	return f->depth - depth;
}

void
lane_exit_odd(struct walk *w, uint32_t thread, uint32_t method, uint64_t offset)
{
	struct profile *p = w->profile;
	struct flat_lane *f = &p->flat->lanes[thread];
	struct lane *lane = &w->lanes[thread];
	uint32_t sum, above;

	if (method == METHOD_TOP) {
		if (f->depth > 0) {
			lane_pop(f, lane);
			return;
		}
		method = p->trace->method_before;
	}
	if (f->depth == 0) {
		lane_adopt(p->flat, f, lane, method);
		damage_add(w->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, offset);
		return;
	}
	sum = idmap_get(&f->by_method, method);
	if (sum == IDMAP_NONE || (f->sums[sum].calls & FLAT_OPEN) == 0) {
		walk_exit_unmatched(w, method, offset);
		return;
	}
	above = frames_above(f, sum);
	damage_add(w->damage, DAMAGE_LOST_EXIT, above, offset);
	for (uint32_t i = 0; i <= above; i++)
		lane_pop(f, lane);
}
