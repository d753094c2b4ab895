/*
 * presence: which methods are entered in which stretch of the file.
 *
 * A question about one method then leaves out the stretches without it, and may know the
 * answer for those with it.  At most some megabytes, whatever the number of records and
 * methods: of very many methods several share a bit, and then it is only known where they
 * are not.  Filled in the order of the file; reading does not change it.
 */
#ifndef SLOWTOP_PROFILE_PRESENCE_H
#define SLOWTOP_PROFILE_PRESENCE_H

#include "profile/replay.h"

struct presence;

/* What is entered in a stretch. */
struct entered {
	uint64_t *bits;
	uint32_t mask; /* of a method: which bit is its */
};

static inline void
entered_add(const struct entered *e, uint32_t method)
{
	uint32_t bit = method & e->mask;

	e->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

struct presence *presence_new(const struct profile *);
void presence_free(struct presence *);
/*
 * Records of one thread in a stretch, with the times of the first and the last on the axis.
 * What is entered in them is added to what this returns.
 */
struct entered presence_run(struct presence *, size_t number, nsec first);
void presence_run_end(struct presence *, size_t number, nsec last);
/* Takes what another one has of [from, to) of the file, which is empty then. */
void presence_take(struct presence *, struct presence *, uint64_t from, uint64_t to);
/* The file was read up to here. */
void presence_reach(struct presence *, uint64_t offset);

/* A stretch, and the times on the axis of its first and last record. */
struct stretch {
	uint64_t begin, end; /* file offsets */
	nsec first, last;
	bool known;   /* it was read; else the next three say nothing */
	bool empty;   /* no record begins in it: no times */
	bool may;     /* the method may be entered in it */
	bool does;    /* and it is, by some thread */
};

/* Stretches cover the file, in order. */
size_t presence_count(const struct presence *);
struct stretch presence_of(const struct presence *, size_t number, uint32_t method);
/*
 * Where records are read in place, stretches are whole batches; else what is entered in a
 * run is in the stretch where that begins, which is of the same part.
 */
uint64_t presence_end(const struct presence *, size_t number);
/* The stretch that holds a file offset. */
size_t presence_at(const struct presence *, uint64_t offset);
/* The first of those that a part (replay.h) has bytes of; `*end` is behind the last. */
size_t presence_part(const struct presence *, size_t part, size_t *end);
/* May the method be entered in a part? */
bool presence_may(const struct presence *, size_t part, uint32_t method);

#endif
