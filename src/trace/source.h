// SPDX-License-Identifier: Apache-2.0
/*
 * source: where events come from; what a file format implements.
 *
 * A cursor is a plain value: keep it, and reading goes on there later, as often as wanted
 * and from several threads at once, each with its own cursor and batch.  The source and
 * its bytes live as long as the trace.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/filemap.h"
#include "trace/damage.h"
#include "trace/event.h"
#include "trace/record.h"

enum {
	CURSOR_STATE = 5,
	SOURCE_REST_MS = 6000, /* without growth, after which records that are held are taken */
};

struct cursor {
	uint64_t offset; /* of the next byte to read, from the start of the file */
	uint64_t state[CURSOR_STATE]; /* the format's own: running values of its records */
};

struct source;

struct source_ops {
	/*
	 * Fills the batch with up to `max` events (at most BATCH_EVENTS) and moves the
	 * cursor past them; count 0 and a cursor that stays is the end.  Damage that only
	 * a decoder sees (unknown ids, a partial record) is added to `damage`.  NULL when
	 * records are read a second time, or only looked at: then nothing is counted, and
	 * no name taken.
	 */
	void (*read)(struct source *, struct cursor *, struct batch *, uint32_t max,
	    struct damage *damage);
	/*
	 * The records from the cursor on, in place, at most `max`.  Returns how many
	 * there are and moves the cursor past them.  NULL: they do not follow one another
	 * as the source's `layout` says.
	 */
	uint32_t (*in_place)(struct source *, struct cursor *, uint32_t max,
	    const uint8_t **records);
	/* Rows for ids that the trace's maps lack; with damage.  For records with a layout. */
	uint32_t (*method_unknown)(struct source *, uint32_t word, struct damage *,
	    uint64_t offset);
	/* `records`: how many the thread has, the first at `offset`. */
	uint32_t (*thread_unknown)(struct source *, uint32_t id, uint64_t records,
	    struct damage *, uint64_t offset);
	/* All is read again from `first`: what was counted so far does not hold.  May be NULL. */
	void (*anew)(struct source *);
	/*
	 * Reading may keep so many threads busy; before the first read.  For formats that
	 * are parsed ahead; may be NULL.
	 */
	void (*jobs)(struct source *, unsigned jobs);
	/*
	 * Reading begins again at `first`, by other choices (log.h); what was read is
	 * forgotten.  NULL: nothing can be chosen.
	 */
	void (*restart)(struct source *);
	/*
	 * The file has `size` bytes now, more than before, or as many where records are held, with those
	 * of before as they were.  After all was read from `at`, what follows can be read from there
	 * on then; what the end of before added to `damage` is taken back.  False: what was read does
	 * not hold with more after it, and the file is to be opened again.  NULL: always.
	 */
	bool (*grow)(struct source *, uint64_t size, struct cursor *at, struct damage *);
	/*
	 * The times of the last event of a thread before those that it has in the tail; false: there is
	 * none.
	 */
	bool (*before)(struct source *, uint32_t thread, uint64_t times[CLOCKS]);
	/*
	 * Records before `at` are not to be read again, and what they take elsewhere is given back.
	 * Returns up to where the file's bytes are not needed any more: names that came there are
	 * known.  NULL: up to at->offset.
	 */
	uint64_t (*forget)(struct source *, const struct cursor *at);
	/* In place of source_left; may be NULL. */
	uint64_t (*left)(struct source *, bool ask);
	void (*free)(struct source *);
};

struct source {
	const struct source_ops *ops;
	struct filemap *map;       /* where records are read, the format's; NULL: elsewhere */
	struct cursor first;    /* where reading starts */
	uint64_t begin, end;    /* the data part of the file, for progress */
	uint64_t past;          /* how far the end is past the data: offsets for more events */
	struct record_layout layout; /* of all records, if they have one */
	/*
	 * The clocks count modulo this many nanoseconds (0: never wrap); and wrap at
	 * most this often within the trace.
	 */
	uint64_t clock_modulus;
	uint64_t wraps_max;
	/*
	 * No time is later than this many nanoseconds; 0: no bound is needed.
	 * It bounds what a thread's time can add up to when clocks go back again and again.
	 */
	uint64_t time_most;
	/* Records are in order of time only within a thread: threads come one after another. */
	bool by_thread;
	/*
	 * Set by a read that returned no events: what was read so far was not in order, or
	 * rested on something that turned out false.  Reading begins again at `first`.
	 */
	bool again;
	/*
	 * Where the events begin that only the end gave, as of slices that are open; they are taken
	 * back when the source grows.  `offset` 0: there are none.
	 */
	struct cursor tail;
	/*
	 * Set by a read after it grew: something holds no more that was told before, and the file is to
	 * be opened again.
	 */
	bool stale;
	bool waits; /* the end of the data is cut, and left for its rest to come */
	/*
	 * Records from this time on are not read yet: earlier ones may come.  0: all are.  Growing by
	 * no byte takes them.
	 */
	nsec held;
	bool forgotten; /* its first records cannot be read again: it goes on as well as it can */
	/*
	 * Set by a read when the data that it must keep find no space: reading ends
	 * early, and what was read so far is not the trace.
	 */
	struct err failed;
};

/* Returns the size of the data in bytes. */
static inline uint64_t
source_bytes(const struct source *s)
{
	return s->end - s->begin - s->past;
}

/* True if its records can be read in place. */
static inline bool
source_in_place(const struct source *s)
{
	return s->ops->in_place != NULL;
}

/* How many bytes the file still has, from its beginning; `ask` the system, too (filemap_left). */
static inline uint64_t
source_left(struct source *s, bool ask)
{
	if (s->ops->left != NULL)
		return s->ops->left(s, ask);
	return s->map != NULL ? filemap_left(s->map, ask) : UINT64_MAX;
}

/* Drops the events of a batch that are not whole before file offset `left`. */
static inline void
batch_keep(struct batch *b, uint64_t left)
{
	while (b->count > 0 && batch_offset(b, b->count - 1) + b->stride > left)
		b->count--;
	/* Without a size an event may reach over the edge: the next one's place tells. */
	if (b->stride == 0 && b->count > 0)
		b->count--;
}

/*
 * Drops the events of a batch from a file offset on, and moves the cursor back there if it is past
 * that: batches of a file that grew while it was read first may end elsewhere now.
 */
static inline void
batch_cut(struct batch *b, struct cursor *at, uint64_t end)
{
	if (at->offset <= end)
		return;
	while (b->count > 0 && batch_offset(b, b->count - 1) >= end)
		b->count--;
	at->offset = end;
}

/*
 * Reads as the source does; when the file has become shorter than what was read, keeps what
 * the file still has and returns false.  `ask` as for source_left.
 */
static inline bool
source_read_safe(struct source *s, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage, bool ask)
{
	s->ops->read(s, at, b, max, damage);
	if (source_left(s, ask) >= at->offset)
		return true;
	batch_keep(b, source_left(s, true));
	return false;
}

/* [from, to) of the file will not be read again soon. */
static inline void
source_behind(struct source *s, uint64_t from, uint64_t to)
{
	if (s->map != NULL)
		filemap_behind(s->map, from, to);
}

/* Tells that so many bytes of the file may be read again soon. */
static inline void
source_again(struct source *s, uint64_t bytes)
{
	if (s->map != NULL)
		filemap_again(s->map, bytes);
}

/* True if the data are in memory already, by a sample. */
static inline bool
source_cached(const struct source *s)
{
	return s->map == NULL || filemap_cached(s->map, s->begin, s->end);
}
