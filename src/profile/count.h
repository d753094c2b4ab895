/*
 * count: adds records to the counts of a tree: the inner loop of loading, and of
 * counting a stretch again.
 *
 * About 10 ns a record, most of it the tree's memory.  Consecutive records of one thread
 * are a run, during which what is known of the thread stays in registers.
 */
#ifndef SLOWTOP_PROFILE_COUNT_H
#define SLOWTOP_PROFILE_COUNT_H

#include <stdbool.h>

#include "profile/strands.h"
#include "profile/walk.h"
#include "trace/plain.h"

/* What was read at once, as it stands or decoded. */
struct records {
	enum plain_form form; /* PLAIN_NONE: `batch` holds events */
	union {
		struct batch batch;
		struct {
			struct plain plain;
			uint8_t copy[BATCH_EVENTS * PLAIN_SIZE_MAX];
		};
	};
};

enum records_how {
	RECORDS_DECODED,  /* as events */
	RECORDS_COPIED,   /* as they stand, where the source can */
	RECORDS_IN_PLACE, /* the same, without a copy: see records_torn */
};

/*
 * Reads the next full batch and moves the cursor, as source_read_safe.  False when the file
 * was cut.
 */
bool records_read(struct records *, struct source *, struct cursor *, enum records_how,
    struct damage *, bool ask);

/*
 * Was the file cut while records were counted in place?  Then some of them may have been
 * zeros, and what was counted does not hold.
 */
bool records_torn(const struct records *, struct source *, bool ask);

/*
 * Counts them, in `counts` by node or, when the walk builds, in its tree (NULL then).
 * Returns how many there were.
 */
uint32_t records_count(const struct records *, struct walk *, struct count *counts);
/*
 * The same for the runs of one thread up to the record `until`, which begins a batch or is
 * the end.  The records are the whole stretch.
 */
void strand_count(const struct records *, struct walk *, struct lane *, struct runs *,
    uint32_t until, struct count *counts);

#endif
