#include <config.h>

#include "profile/flat.h"

#include "profile/count.h"
#include "profile/flat_lane.h"
#include "profile/item.h"

/* What is kept in registers; written back before what is odd is dealt with. */
struct place {
	struct flat_sum *sums;
	const struct flat_slots *slots;
	uint32_t slot_mask;
	uint32_t *frame;   /* on top */
	pair64 raw, shift; /* by clock: the time is their sum, also of a thread that stands */
};

static inline __attribute__((always_inline)) struct place
place_begin(const struct lane *lane, const struct flat_lane *f)
{
	return (struct place){f->sums, f->slots, f->slot_mask, f->frames + f->depth,
	    pair64_load(lane->raw), pair64_load(lane->shift)};
}

static inline __attribute__((always_inline)) void
place_end(const struct place *at, struct lane *lane, struct flat_lane *f)
{
	f->depth = (uint32_t)(at->frame - f->frames);
	pair64_store(lane->raw, at->raw);
}

/* Events have indexes of methods where records have ids: apart by the lowest bit. */
static inline __attribute__((always_inline)) uint32_t
entry_key(enum plain_form form, uint32_t word)
{
	return form == PLAIN_NONE ? word | 1 : word;
}

/* The sum that an entry's word leads to, when the slots do not tell. */
static __attribute__((noinline)) uint32_t
sum_find(struct walk *w, struct flat_lane *f, const struct chunk *c, enum plain_form form,
    const uint8_t *p, uint32_t word)
{
	struct flat *flat = w->profile->flat;
	uint32_t method = item_method(form, word, &w->profile->trace->method_ids), sum;

	/* Each record of one that is not named counts. */
	if (form != PLAIN_NONE && method == IDMAP_NONE)
		return lane_sum(flat, f, method_unknown(w, word, chunk_item(c, p)));
	sum = lane_sum(flat, f, method);
	lane_remember(f, entry_key(form, word), sum);
	if (form != PLAIN_NONE)
		f->sums[sum].word = word;
	return sum;
}

/* What is neither an entry nor the exit of the frame on top, as far as its id tells. */
static __attribute__((noinline)) void
exit_odd(struct walk *w, uint32_t thread, const struct chunk *c, enum plain_form form,
    const uint8_t *p, uint32_t word)
{
	bool pops = form == PLAIN_NONE && word >> 2 == METHOD_TOP &&
	    w->profile->flat->lanes[thread].depth > 0;
	uint64_t offset = pops ? 0 : chunk_item(c, p);
	uint32_t method = item_method(form, word, &w->profile->trace->method_ids);

	if (form != PLAIN_NONE && method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	if ((word & 3) == ACTION_RESERVED)
		damage_add(w->damage, DAMAGE_RESERVED_ACTION,
		    form != PLAIN_NONE || word != WORD_TICK, offset);
	else
		lane_exit_odd(w, thread, method, offset);
}

/* Is it the exit of a call of the sum's method, as far as its id tells? */
static inline __attribute__((always_inline)) bool
word_leaves(enum plain_form form, uint32_t word, const struct flat_lane *f, uint32_t sum)
{
	uint64_t entry = form == PLAIN_NONE ? (uint64_t)f->rests[sum].method << 2
					    : f->sums[sum].word;

	return (entry ^ word) - ACTION_EXIT <= ACTION_UNROLL - ACTION_EXIT;
}

static inline __attribute__((always_inline)) void
call_begin(struct place *at, struct flat_lane *f, uint32_t index)
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
    const uint8_t *p, const uint8_t *end, enum plain_form form)
{
	const uint32_t size = item_size(form);
	struct lane *lane = &w->lanes[thread];
	struct flat_lane *f = &w->profile->flat->lanes[thread];
	struct place at = *place;
	const uint8_t *base = NULL;

	for (; p < end; p += size) {
		const uint32_t word = item_word(form, p), frame = *at.frame;
		const pair64 times = item_times(form, p);
		pair64 step = pair64_subtract(times, at.raw);
		void *on_top = frame_time(at.sums, frame);

		/* A lane that has not started has raw times that make this negative. */
		if (__builtin_expect(pair64_is_negative(step), 0)) {
			place_end(&at, lane, f);
			step = clock_odd(w, lane, times, chunk_item(c, p));
			at = place_begin(lane, f);
		} else {
			at.raw = times;
		}
		pair64_store(on_top, pair64_add(pair64_load(on_top), step));
		if ((word & 3) == ACTION_ENTER) {
			const uint32_t key = entry_key(form, word);
			const struct flat_slots *slots =
			    &at.slots[slots_place(key, at.slot_mask)];
			uint32_t found = slots->sum[0];

			if (__builtin_expect(slots->key[0] != key, 0)) {
				found = slots->sum[1];
				if (slots->key[1] != key) {
					place_end(&at, lane, f);
					found = sum_find(w, f, c, form, p, word);
					at = place_begin(lane, f);
				}
			}
			if (__builtin_expect(frame == PAIR_SELF, 0))
				base = p;
			call_begin(&at, f, found);
		} else if (__builtin_expect(word_leaves(form, word, f, frame_sum(frame)), 1)) {
			call_end(&at, frame);
		} else {
			place_end(&at, lane, f);
			exit_odd(w, thread, c, form, p, word);
			at = place_begin(lane, f);
		}
	}
	*place = at;
	return base;
}

static inline __attribute__((always_inline)) void
runs_follow(struct runs *from, struct walk *w, uint32_t thread, enum plain_form form)
{
	struct runs runs = *from; /* of its own, so that it is seen not to change meanwhile */
	const struct chunk *c = runs.chunk;
	struct lane *lane = &w->lanes[thread];
	struct flat_lane *f = &w->profile->flat->lanes[thread];
	const uint8_t *p, *end, *base = NULL, *entry;
	struct place at;

	if (f->sums == NULL)
		lane_ready(f);
	at = place_begin(lane, f);
	while (runs_at(&runs, &p, &end, item_size(form))) {
		const size_t records = (size_t)(end - p) / item_size(form);

		lane->records += records;
		/* Each may be an entry. */
		if ((size_t)(at.frame - f->frames) + records >= f->frame_room) {
			place_end(&at, lane, f);
			lane_reserve(f, records);
			at = place_begin(lane, f);
		}
		entry = run_count(c, w, thread, &at, p, end, form);
		if (entry != NULL)
			base = entry;
	}
	place_end(&at, lane, f);
	if (base != NULL)
		lane->base_offset = chunk_item(c, base);
	if (lane_time(lane, CLOCK_WALL) > w->profile->latest)
		w->profile->latest = lane_time(lane, CLOCK_WALL);
	*from = runs;
}

/* One copy of the loops for each form. */
#define FOLLOWER(form)                                                                     \
	static void follow_##form(struct runs *runs, struct walk *w, uint32_t thread)      \
	{                                                                                  \
		runs_follow(runs, w, thread, form);                                        \
	}

#define FOLLOWER_ROW(form) [form] = follow_##form,

FORMS(FOLLOWER)

void
flat_runs(struct runs *runs, struct walk *w, uint32_t thread, uint32_t until)
{
	static void (*const follower[])(struct runs *, struct walk *, uint32_t) = {
	    FORMS(FOLLOWER_ROW)
	};

	runs_until(runs, until);
	follower[runs->chunk->form](runs, w, thread);
}
