#include <config.h>

#include "profile/flat.h"

#include <string.h>

#include "base/mem.h"
#include "profile/count.h"
#include "profile/index/blocks.h"
#include "profile/walk.h"

enum {
	SUMS_MOST = 1 << 19, /* of all threads: 100 MB */
	SLOTS_FEWEST = 16,
	SLOTS_EACH = 2, /* pairs for each sum, at least: few are in each other's way */
	FRAMES_FEWEST = 32,
};

/*
 * A frame tells which of its sum's times is on top: a place among the pairs of which sums
 * are made.  So it tells recursive calls, too.
 */
enum { SUM_PAIRS = 4, PAIR_SELF = 2, PAIR_NESTED = 3 };

_Static_assert(sizeof(struct flat_sum) == SUM_PAIRS * sizeof(nsec[CLOCKS]) &&
	offsetof(struct flat_sum, self) == PAIR_SELF * sizeof(nsec[CLOCKS]) &&
	offsetof(struct flat_sum, nested) == PAIR_NESTED * sizeof(nsec[CLOCKS]),
    "the places of a frame");

static inline uint32_t
frame_sum(uint32_t frame)
{
	return frame / SUM_PAIRS;
}

static inline bool
frame_is_nested(uint32_t frame)
{
	return frame % SUM_PAIRS == PAIR_NESTED;
}

/* The pair of times that is on top. */
static inline void *
frame_time(struct flat_sum *sums, uint32_t frame)
{
	return (unsigned char *)sums + frame * sizeof(nsec[CLOCKS]);
}

/* Those in which a key may be.  Middle bits of the product: these depend on all below. */
static inline uint32_t
slots_place(uint32_t key, uint32_t mask)
{
	return (key * UINT32_C(0x9e3779b1)) >> 12 & mask;
}

/* No word of an entry, with which keys begin. */
#define KEY_NONE UINT32_MAX

void
flat_begin(struct profile *p)
{
	if (p->trace->log != NULL || p->flat != NULL)
		return;
	p->flat = mem_zero(1, sizeof(*p->flat));
	p->flat->most = SUMS_MOST;
	/* They would have no stacks. */
	blocks_single(p->blocks);
	flat_extend(p->flat, p->stack_count);
}

void
flat_clear(struct flat *flat)
{
	for (uint32_t i = 0; i < flat->count; i++) {
		struct flat_stack *f = &flat->stacks[i];

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
	mem_free(flat->stacks);
	mem_free(flat);
}

void
flat_extend(struct flat *flat, uint32_t stacks)
{
	if (stacks <= flat->count)
		return;
	MEM_GROW(flat->stacks, flat->room, stacks);
	memset(flat->stacks + flat->count, 0, (stacks - flat->count) * sizeof(*flat->stacks));
	flat->count = stacks;
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
	return flat->stacks[thread].depth;
}

/* Frames of which there is a trace. */
static uint32_t
stack_deepest(const struct flat_stack *f)
{
	uint32_t depth = f->depth;

	while (depth + 1 < f->frame_room && f->frames[depth + 1] != 0)
		depth++;
	return depth > f->deepest ? depth : f->deepest;
}

uint32_t
flat_deepest(const struct flat *flat, uint32_t thread)
{
	return stack_deepest(&flat->stacks[thread]);
}

/* Stacks ----------------------------------------------------------------------------- */

/* It is to be found by the key from now on. */
static void
stack_remember(struct flat_stack *f, uint32_t key, uint32_t sum)
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

static void
slots_make(struct flat_stack *f, uint32_t count)
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
				stack_remember(f, old[i].key[k], old[i].sum[k]);
	}
	mem_free((void *)(uintptr_t)old);
}

static uint32_t
sum_add(struct flat_stack *f, uint32_t method)
{
	MEM_GROW(f->sums, f->sum_room, f->count + 1);
	MEM_GROW(f->rests, f->rest_room, f->count + 1);
	f->sums[f->count] = (struct flat_sum){.word = FLAT_NO_WORD};
	f->rests[f->count] = (struct flat_rest){.method = method};
	return f->count++;
}

/* Room for so many frames more than are open. */
static void
stack_reserve(struct flat_stack *f, size_t frames)
{
	size_t room = f->frame_room;

	MEM_GROW(f->frames, f->frame_room, f->depth + frames + 1);
	if (f->frame_room > room)
		memset(f->frames + room, 0, (f->frame_room - room) * sizeof(*f->frames));
}

/* Makes it ready for its first record. */
static void
stack_ready(struct flat_stack *f)
{
	stack_reserve(f, FRAMES_FEWEST);
	f->frames[0] = sum_add(f, METHOD_TOPLEVEL) * SUM_PAIRS + PAIR_SELF;
	f->sums[0].calls = FLAT_CALL;
	slots_make(f, SLOTS_FEWEST);
}

/* The method's sum, made if need be. */
static uint32_t
stack_sum(struct flat *flat, struct flat_stack *f, uint32_t method)
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
stack_pop(struct flat_stack *f, const struct stack *stack)
{
	uint32_t frame = f->frames[f->depth--];
	struct flat_sum *sum = &f->sums[frame_sum(frame)];

	if (frame_is_nested(frame))
		return;
	sum->calls -= FLAT_OPEN;
	for (int c = 0; c < CLOCKS; c++)
		sum->inclusive[c] += (uint64_t)stack_time(stack, (enum clock_id)c);
}

/* Exits ----------------------------------------------------------------------------- */

/*
 * A frame of before the trace ends: all that the thread did so far was in it.  Earlier calls
 * of its method, which is not open, were recursive then.
 */
static void
stack_adopt(struct flat *flat, struct flat_stack *f, const struct stack *stack, uint32_t method)
{
	uint32_t index = stack_sum(flat, f, method), deepest = stack_deepest(f);
	struct flat_sum *sum = &f->sums[index], *top = &f->sums[0];

	f->rests[index].recursive_calls += sum->calls / FLAT_CALL;
	sum->calls = FLAT_CALL;
	for (int c = 0; c < CLOCKS; c++) {
		sum->nested[c] += sum->self[c];
		sum->self[c] = top->self[c];
		top->self[c] = 0;
		sum->inclusive[c] = (uint64_t)stack_span(stack, (enum clock_id)c);
	}
	/* What comes is a frame less deep. */
	for (size_t i = 1; i < f->frame_room && f->frames[i] != 0; i++)
		f->frames[i] = 0;
	f->deepest = deepest + 1;
}

/* How many frames are above the innermost one of the sum, which is open. */
static uint32_t
frames_above(const struct flat_stack *f, uint32_t sum)
{
	uint32_t depth = f->depth;

	while (frame_sum(f->frames[depth]) != sum)
		depth--;
	return f->depth - depth;
}

/* As walk_exit_odd. */
static void
stack_exit_odd(struct walk *w, uint32_t thread, uint32_t method, uint64_t offset)
{
	struct profile *p = w->profile;
	struct flat_stack *f = &p->flat->stacks[thread];
	struct stack *stack = &w->stacks[thread];
	uint32_t sum, above;

	if (method == METHOD_TOP) {
		if (f->depth > 0) {
			stack_pop(f, stack);
			return;
		}
		method = p->trace->method_before;
	}
	if (f->depth == 0) {
		stack_adopt(p->flat, f, stack, method);
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
		stack_pop(f, stack);
}

/* Counting --------------------------------------------------------------------------- */

/* What is kept in registers; written back before what is odd is dealt with. */
struct place {
	struct flat_sum *sums;
	const struct flat_slots *slots;
	uint32_t slot_mask;
	uint32_t *frame;   /* on top */
	pair64 raw, shift; /* by clock: the time is their sum, also of a thread that stands */
};

static inline __attribute__((always_inline)) struct place
place_begin(const struct stack *stack, const struct flat_stack *f)
{
	return (struct place){f->sums, f->slots, f->slot_mask, f->frames + f->depth,
	    pair64_load(stack->raw), pair64_load(stack->shift)};
}

static inline __attribute__((always_inline)) void
place_end(const struct place *at, struct stack *stack, struct flat_stack *f)
{
	f->depth = (uint32_t)(at->frame - f->frames);
	pair64_store(stack->raw, at->raw);
}

/* Events have indexes of methods where records have ids: apart by the lowest bit. */
static inline __attribute__((always_inline)) uint32_t
entry_key(const struct record_layout *l, uint32_t word)
{
	return record_is_event(l) ? word | 1 : word;
}

/* The sum that an entry's word leads to, when the slots do not tell. */
static __attribute__((noinline)) uint32_t
sum_find(struct walk *w, struct flat_stack *f, const struct chunk *c, const struct record_layout *l,
    const uint8_t *p, uint32_t word)
{
	struct flat *flat = w->profile->flat;
	uint32_t method = record_method(l, word, &w->profile->trace->method_ids), sum;

	/* Each record of one that is not named counts. */
	if (!record_is_event(l) && method == IDMAP_NONE)
		return stack_sum(flat, f, method_unknown(w, word, chunk_item(c, p)));
	sum = stack_sum(flat, f, method);
	stack_remember(f, entry_key(l, word), sum);
	if (!record_is_event(l))
		f->sums[sum].word = word;
	return sum;
}

/* What is neither an entry nor the exit of the frame on top, as far as its id tells. */
static __attribute__((noinline)) void
exit_odd(struct walk *w, uint32_t thread, const struct chunk *c, const struct record_layout *l,
    const uint8_t *p, uint32_t word)
{
	bool pops = record_is_event(l) && word >> 2 == METHOD_TOP &&
	    w->profile->flat->stacks[thread].depth > 0;
	uint64_t offset = pops ? 0 : chunk_item(c, p);
	uint32_t method = record_method(l, word, &w->profile->trace->method_ids);

	if (!record_is_event(l) && method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	if ((word & 3) == ACTION_RESERVED)
		damage_add(w->damage, DAMAGE_RESERVED_ACTION,
		    !record_is_event(l) || word != WORD_TICK, offset);
	else
		stack_exit_odd(w, thread, method, offset);
}

/* Is it the exit of a call of the sum's method, as far as its id tells? */
static inline __attribute__((always_inline)) bool
word_leaves(const struct record_layout *l, uint32_t word, const struct flat_stack *f, uint32_t sum)
{
	uint64_t entry = record_is_event(l) ? (uint64_t)f->rests[sum].method << 2
					    : f->sums[sum].word;

	return (entry ^ word) - ACTION_EXIT <= ACTION_UNROLL - ACTION_EXIT;
}

static inline __attribute__((always_inline)) void
call_begin(struct place *at, struct flat_stack *f, uint32_t index)
{
	struct flat_sum *sum = &at->sums[index];

	if (__builtin_expect((sum->calls & FLAT_OPEN) != 0, 0)) {
		f->rests[index].recursive_calls++;
		*++at->frame = index * SUM_PAIRS + PAIR_NESTED;
		return;
	}
	sum->calls += FLAT_CALL + FLAT_OPEN;
	pair64_store(sum->inclusive, pair64_subtract(pair64_load(sum->inclusive),
	    pair64_add(at->raw, at->shift)));
	*++at->frame = index * SUM_PAIRS + PAIR_SELF;
}

static inline __attribute__((always_inline)) void
call_end(struct place *at, uint32_t frame)
{
	struct flat_sum *sum = &at->sums[frame_sum(frame)];

	at->frame--;
	if (__builtin_expect(frame_is_nested(frame), 0))
		return;
	sum->calls -= FLAT_OPEN;
	pair64_store(sum->inclusive, pair64_add(pair64_load(sum->inclusive),
	    pair64_add(at->raw, at->shift)));
}

/* The records [p, end) of one thread; returns the last entry from an empty stack, or NULL. */
static inline __attribute__((always_inline)) const uint8_t *
run_count(const struct chunk *c, struct walk *w, uint32_t thread, struct place *place,
    const uint8_t *p, const uint8_t *end, const struct record_layout *l)
{
	const uint32_t size = l->size;
	struct stack *stack = &w->stacks[thread];
	struct flat_stack *f = &w->profile->flat->stacks[thread];
	struct place at = *place;
	const uint8_t *base = NULL;

	for (; p < end; p += size) {
		const uint32_t word = record_word(l, p), frame = *at.frame;
		const pair64 times = record_times(l, p);
		pair64 step = pair64_subtract(times, at.raw);
		void *on_top = frame_time(at.sums, frame);

		/* A stack that has not started has raw times that make this negative. */
		if (__builtin_expect(pair64_is_negative(step), 0)) {
			place_end(&at, stack, f);
			step = clock_odd(w, stack, times, chunk_item(c, p));
			at = place_begin(stack, f);
		} else {
			at.raw = times;
		}
		pair64_store(on_top, pair64_add(pair64_load(on_top), step));
		if ((word & 3) == ACTION_ENTER) {
			const uint32_t key = entry_key(l, word);
			const struct flat_slots *slots =
			    &at.slots[slots_place(key, at.slot_mask)];
			uint32_t found = slots->sum[0];

			if (__builtin_expect(slots->key[0] != key, 0)) {
				found = slots->sum[1];
				if (slots->key[1] != key) {
					place_end(&at, stack, f);
					found = sum_find(w, f, c, l, p, word);
					at = place_begin(stack, f);
				}
			}
			if (__builtin_expect(frame == PAIR_SELF, 0))
				base = p;
			call_begin(&at, f, found);
		} else if (__builtin_expect(word_leaves(l, word, f, frame_sum(frame)), 1)) {
			call_end(&at, frame);
		} else {
			place_end(&at, stack, f);
			exit_odd(w, thread, c, l, p, word);
			at = place_begin(stack, f);
		}
	}
	*place = at;
	return base;
}

static inline __attribute__((always_inline)) void
runs_follow(struct runs *from, struct walk *w, uint32_t thread, const struct record_layout *l)
{
	struct runs runs = *from; /* of its own, so that it is seen not to change meanwhile */
	const struct chunk *c = runs.chunk;
	struct stack *stack = &w->stacks[thread];
	struct flat_stack *f = &w->profile->flat->stacks[thread];
	const uint8_t *p, *end, *base = NULL, *entry;
	struct place at;

	if (f->sums == NULL)
		stack_ready(f);
	at = place_begin(stack, f);
	while (runs_at(&runs, &p, &end, l->size)) {
		const size_t records = (size_t)(end - p) / l->size;

		stack->records += records;
		/* Each may be an entry. */
		if ((size_t)(at.frame - f->frames) + records >= f->frame_room) {
			place_end(&at, stack, f);
			stack_reserve(f, records);
			at = place_begin(stack, f);
		}
		entry = run_count(c, w, thread, &at, p, end, l);
		if (entry != NULL)
			base = entry;
	}
	place_end(&at, stack, f);
	if (base != NULL)
		stack->base_offset = chunk_item(c, base);
	if (stack_time(stack, CLOCK_WALL) > w->profile->latest)
		w->profile->latest = stack_time(stack, CLOCK_WALL);
	*from = runs;
}

void
flat_runs(struct runs *runs, struct walk *w, uint32_t thread, uint32_t until)
{
	const struct record_layout l = *runs->chunk->layout;

	runs_until(runs, until);
	if (record_is_event(&l))
		runs_follow(runs, w, thread, &record_event);
	else if (record_is_dual(&l))
		runs_follow(runs, w, thread, &record_dual);
	else
		runs_follow(runs, w, thread, &l);
}
