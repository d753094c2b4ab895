/*
 * strands-slice: how a slice of a stretch is taken apart; for the files of strands only.
 */
#ifndef SLOWTOP_PROFILE_STRANDS_SLICE_H
#define SLOWTOP_PROFILE_STRANDS_SLICE_H

#include "profile/strands.h"

struct listing {
	struct strands *strands;
	struct slice *slice;
	struct strand_scratch *scratch;
	uint32_t noted; /* runs of the slice, in the file's order */
	bool between;   /* other things stand between the records */
};

/* The stretch has so many slices now. */
void slices_reach(struct strands *, unsigned count);
/* A slice, with nothing noted so far; at most SLICE_RECORDS runs are to come. */
void slice_begin(struct listing *, struct slice *);
/*
 * Notes the runs of the records [record, end), at most BATCH_EVENTS, which stand at `p`.
 * Returns where that ended: before the end where something else is between.
 */
uint32_t slice_note(struct listing *, const uint8_t *p, uint32_t record, uint32_t end);
/* That was all, up to a record: lists the runs of each thread from `run` on. */
void slice_list(struct listing *, uint32_t end, uint32_t run);
/* A whole stretch with other things between its records: takes `plain` and `end`, too. */
void slices_between(struct strands *, struct strand_scratch *);

#endif
