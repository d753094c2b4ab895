/*
 * strands: a stretch of records, copied and taken apart by their threads.
 *
 * A thread's records follow each other in runs, some 15 long.  Here the runs of each
 * thread are linked, as a strand, so that all records of one thread can be counted before
 * those of the next: what its paths need then stays in the cache.  The records stay in the
 * order of the file.
 *
 * A stretch is cut into slices, which several workers may take at once; then one ties them
 * together.  Where other things stand between the records it is one slice, and they are
 * left out: gaps.  For records that are read as they stand (plain.h).  Memory: the records,
 * 8 bytes a run, and 16 a gap.
 */
#ifndef SLOWTOP_PROFILE_STRANDS_H
#define SLOWTOP_PROFILE_STRANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vast.h"
#include "trace/plain.h"
#include "trace/source.h"

#define RUN_NONE UINT32_MAX

enum {
	STRANDS_ID_MAX = 0xffff, /* records have no larger thread ids */
	SLICES_MAX = 32,
};

/* Ends where the run behind it begins, which may be the first of no thread. */
struct run {
	uint32_t record; /* its first, counted from the stretch's */
	uint32_t next;   /* of the same thread; RUN_NONE: there is none */
};

struct strand {
	uint32_t id; /* the records' thread id */
	uint32_t first, last; /* runs */
	uint32_t records;
};

struct strand_list {
	struct strand *items; /* by their first records */
	uint32_t count;
	size_t room;
	bool lost; /* the file did not have all the records any more */
};

struct strands {
	struct source *source;
	enum plain_form form;
	struct plain plain; /* the records, copied; how many, with gaps, when they are tied */
	struct cursor end;  /* behind them */
	uint64_t until;     /* file offset that is not to be passed */
	struct vast copy;
	struct plain_gap *gaps;
	size_t gap_room;
	struct run *runs;
	size_t run_room;
	struct strand_list all, slices[SLICES_MAX];
	unsigned slice_count;
	uint32_t slice_records;
};

/* Where strands are found by their id while a slice is taken apart: one for each worker. */
struct strand_slots {
	uint32_t of[STRANDS_ID_MAX + 1]; /* place in the list + 1; 0: none */
};

/*
 * Zero-initialise.  Begins anew with up to `records` from the place on, in whole batches;
 * gaps count as the records that would fit there.  Up to the file offset `until`.
 */
void strands_begin(struct strands *, struct source *, struct cursor from, uint64_t until,
    uint64_t records);
/* Copies a slice and takes it apart.  Slots are all 0, before and afterwards. */
void strands_slice(struct strands *, unsigned slice, struct strand_slots *);
/*
 * When that was done with all slices: `all` has the strands of the stretch.  A run ends
 * where a batch does: after BATCH_EVENTS records, counted from the stretch's beginning or
 * the last gap.  False when records were lost, or nothing there makes sense.
 */
bool strands_tie(struct strands *, struct strand_slots *);
void strands_release(struct strands *);

/* The runs of one thread, one after another. */
struct runs {
	const struct run *items;
	uint32_t now, scout; /* the one at hand; one that comes soon */
	uint32_t until;      /* the record where they end */
	const uint8_t *bytes; /* of the stretch */
};

/* What is at the place of a run is needed soon: the lines that it begins in. */
static inline __attribute__((always_inline)) void
run_fetch(const uint8_t *p)
{
	enum { LINES = 4, LINE = 64 };

	for (int i = 0; i < LINES; i++)
		__builtin_prefetch(p + i * LINE);
}

static inline __attribute__((always_inline)) void
runs_begin(struct runs *runs)
{
	enum { AHEAD = 2 };

	for (int i = 0; i < AHEAD && runs->scout != RUN_NONE; i++)
		runs->scout = runs->items[runs->scout].next;
}

/* The records [*p, *end) of the run at hand, which is then the next; false when there is none. */
static inline __attribute__((always_inline)) bool
runs_at(struct runs *runs, const uint8_t **p, const uint8_t **end, uint32_t size)
{
	const struct run *at;

	if (runs->now == RUN_NONE || runs->items[runs->now].record >= runs->until)
		return false;
	at = &runs->items[runs->now];
	*p = runs->bytes + (size_t)at->record * size;
	*end = runs->bytes + (size_t)at[1].record * size;
	if (runs->scout != RUN_NONE) {
		run_fetch(runs->bytes + (size_t)runs->items[runs->scout].record * size);
		runs->scout = runs->items[runs->scout].next;
		/* Asked for now, it is there when the next run begins. */
		if (runs->scout != RUN_NONE)
			__builtin_prefetch(&runs->items[runs->scout]);
	}
	runs->now = at->next;
	return true;
}

#endif
