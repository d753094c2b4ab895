/*
 * ahead: what comes next in a streaming trace, found before it is read.
 *
 * Records have one size but packets stand between them, so where one begins is known
 * only by going through all before it.  That is done here for a stretch at a time, so that
 * several workers can read it then: where batches of records and packets begin.
 * Zero-initialise; costs 8 bytes for each, and about a nanosecond a record.
 */
#ifndef SLOWTOP_FORMAT_AHEAD_H
#define SLOWTOP_FORMAT_AHEAD_H

#include <stddef.h>
#include <stdint.h>

/* The records of a file, up to the offset `end`. */
struct stream {
	const uint8_t *bytes;
	uint64_t end;
	uint32_t record; /* bytes */
};

struct ahead {
	uint64_t *marks; /* file offsets of batches and packets, in order */
	size_t first, count, room; /* of marks: those before `first` are done with */
	uint64_t reached; /* where the next mark would be */
};

/* How many records follow each other from an offset on, at most `max`. */
uint32_t stream_run(const struct stream *, uint64_t offset, uint32_t max);

/*
 * Looks as far as `to`, on from `from`, which is where a batch or a packet begins.  Returns
 * where the last of them that ends before `to` does; `from` when there is none, or it
 * makes no sense.
 */
uint64_t ahead_look(struct ahead *, const struct stream *, uint64_t from, uint64_t to);
/* The batch that holds a place looked at, or one near it. */
uint64_t ahead_batch(const struct ahead *, const struct stream *, uint64_t offset);
/* What is before an offset is done with. */
void ahead_drop(struct ahead *, uint64_t offset);
void ahead_release(struct ahead *);

#endif
