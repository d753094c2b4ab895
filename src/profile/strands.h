/*
 * strands: a stretch of records, taken apart by their threads.
 *
 * A thread's records follow each other in runs, some 15 long.  Here the runs of each
 * thread are listed, as a strand, so that all records of one thread can be counted before
 * those of the next: what its paths need then stays in the cache.  The records stay where
 * the file is mapped.
 *
 * A stretch is cut into slices, which several workers may take at once; each lists the
 * runs of a thread in one piece.  Then one ties the pieces together.  Where other things
 * stand between the records one worker takes all slices, and the records are copied, the
 * others left out: gaps.  For records that are read as they stand (plain.h).  Memory: 8
 * bytes a run; with gaps the records, and 16 a gap.
 */
#ifndef SLOWTOP_PROFILE_STRANDS_H
#define SLOWTOP_PROFILE_STRANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vast.h"
#include "trace/plain.h"
#include "trace/source.h"

#define PIECE_NONE  UINT32_MAX
#define RECORD_NONE UINT32_MAX

enum {
	STRANDS_ID_MAX = 0xffff, /* records have no larger thread ids */
	SLICE_RECORDS = 128 * BATCH_EVENTS,
};

/* Consecutive records [record, end) of one thread, counted from the stretch's first. */
struct run {
	uint32_t record, end;
};

/* A thread's runs in one slice. */
struct piece {
	uint32_t id; /* the records' thread id */
	uint32_t run, end; /* its runs */
	uint32_t records;
	uint32_t next; /* of the same thread; PIECE_NONE: there is none */
};

struct strand {
	uint32_t id;
	uint32_t first, last; /* pieces */
	uint32_t records;
};

struct slice {
	struct piece *pieces; /* by their first records */
	uint32_t count;
	size_t room;
	bool lost; /* the file did not have all the records any more */
};

struct strands {
	struct source *source;
	enum plain_form form;
	struct plain plain; /* the records; how many, with gaps, when they are tied */
	struct cursor end;  /* behind them */
	uint64_t until;     /* file offset that is not to be passed */
	struct vast copy;   /* of those with gaps */
	struct plain_gap *gaps;
	size_t gap_room;
	struct run *runs; /* as many as records, and some behind the last */
	size_t run_room;
	struct slice *slices;
	unsigned slice_count, share_count; /* those with gaps are one worker's share */
	size_t slice_room;
	struct piece *pieces; /* of all slices */
	uint32_t piece_count;
	size_t piece_room;
	struct strand *all; /* by their first records */
	uint32_t count;
	size_t room;
};

/* What a worker needs while it takes a slice apart. */
struct strand_scratch {
	uint32_t slots[STRANDS_ID_MAX + 1]; /* by id: place in a list + 1; 0: none */
	struct {
		uint32_t record, piece;
	} runs[SLICE_RECORDS + 1];
};

/*
 * Zero-initialise.  Begins anew with up to `records` from the place on, in whole batches;
 * gaps count as the records that would fit there.  Up to the file offset `until`.
 */
void strands_begin(struct strands *, struct source *, struct cursor from, uint64_t until,
    uint64_t records);
/* Takes a share apart.  The scratch's slots are all 0, before and afterwards. */
void strands_share(struct strands *, unsigned share, struct strand_scratch *);
/*
 * When that was done with all shares: `all` has the strands of the stretch.  A run ends
 * where a batch does: after BATCH_EVENTS records, counted from the stretch's beginning or
 * the last gap.  False when records were lost, or nothing there makes sense.
 */
bool strands_tie(struct strands *, struct strand_scratch *);
/* Was the file cut since?  Then some of the records that were counted may have been zeros. */
bool strands_torn(const struct strands *);
/* A strand's first record. */
uint32_t strand_record(const struct strands *, const struct strand *);
void strands_release(struct strands *);

/* The runs of one thread, one after another. */
struct runs {
	const struct strands *strands;
	const struct run *now, *stop; /* of the piece at hand, as far as wanted */
	uint32_t piece; /* PIECE_NONE: behind the last */
	uint32_t until; /* the record where they end */
};

/* Those of the strand; none of them before runs_until. */
void runs_begin(struct runs *, const struct strands *, const struct strand *);
/* Those that begin before a record are to come. */
void runs_until(struct runs *, uint32_t record);
/* The record that the next one begins with, wanted or not; RECORD_NONE when there is none. */
uint32_t runs_record(const struct runs *);
/* Goes on to the next piece; false when no run is to come. */
bool runs_piece(struct runs *);

/* What is at the place is needed soon: the lines that a run begins in. */
static inline __attribute__((always_inline)) void
run_fetch(const uint8_t *p)
{
	enum { LINES = 4, LINE = 64 };

	for (int i = 0; i < LINES; i++)
		__builtin_prefetch(p + i * LINE);
}

enum { RUNS_AHEAD = 3 };

/* The records [*p, *end) of the next run; false when there is none. */
static inline __attribute__((always_inline)) bool
runs_at(struct runs *runs, const uint8_t **p, const uint8_t **end, uint32_t size)
{
	const uint8_t *bytes = runs->strands->plain.bytes;
	const struct run *run;

	if (__builtin_expect(runs->now == runs->stop, 0) && !runs_piece(runs))
		return false;
	run = runs->now++;
	*p = bytes + (size_t)run->record * size;
	*end = bytes + (size_t)run->end * size;
	run_fetch(bytes + (size_t)run[RUNS_AHEAD].record * size);
	return true;
}

#endif
