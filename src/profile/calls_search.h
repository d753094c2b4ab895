/*
 * calls_search: the state of a search for calls; for the files of calls.h only.
 */
#ifndef SLOWTOP_PROFILE_CALLS_SEARCH_H
#define SLOWTOP_PROFILE_CALLS_SEARCH_H

#include "profile/calls.h"
#include "profile/stackset.h"

struct presence;
struct replay;

/* Is `a` less worth keeping?  Shorter, or as long and later. */
static inline bool
call_row_less(enum clock_id c, const struct call_row *a, const struct call_row *b)
{
	if (a->time[c] != b->time[c])
		return a->time[c] < b->time[c];
	if (a->start != b->start)
		return a->start > b->start;
	return a->order != b->order ? a->order > b->order : a->thread > b->thread;
}

/* A call that is open. */
struct open_call {
	uint32_t node;
	uint64_t order;
	nsec enter[CLOCKS]; /* where its time in the range begins */
	nsec exclusive[CLOCKS];
};

struct calls_lane {
	bool has;   /* the thread calls the method, and is in scope */
	bool known; /* a step was seen: `open` is right */
	bool begun; /* the thread is within the range */
	bool ended; /* and came to its end */
	bool done;  /* and past it */
	nsec begin[CLOCKS], end[CLOCKS]; /* of the range; as far as it came */
	struct open_call *open; /* outermost first */
	size_t count, room;
};

struct calls_search {
	const struct profile *profile;
	struct calls_query query;
	enum clock_id axis;
	bool dual, closed;
	nsec from, to;
	struct scope *scope; /* threads that have the method */
	const struct presence *presence; /* NULL: all parts of these are decoded */
	struct stackset on_stack; /* made when there is `presence` */
	struct replay *replay;
	size_t part, parts;
	struct calls_lane *lanes;
	uint32_t lane_count;

	struct call_row *rows; /* `frame` is a node as yet; a heap when full */
	size_t row_count, row_room, keep;
	struct calls found; /* figures */

	/* The rest of the threads, each searched by another worker. */
	struct calls_search **others;
	unsigned other_count;
};

/* Decodes some parts for the threads of its own; false when there was none left. */
bool calls_search_own(struct calls_search *);

#endif
