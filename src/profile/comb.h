/*
 * comb: records, stretch by stretch, each taken apart by threads that workers share.
 *
 * While workers do what is to be done with the threads of the stretch at hand, one after
 * another, they take the next one apart (strands.h), share by share.  Whoever is free
 * takes what is next; threads with most records come first, so that all are done at about
 * the same time.  Who works alone does one after the other, in the memory of one stretch.
 */
#ifndef SLOWTOP_PROFILE_COMB_H
#define SLOWTOP_PROFILE_COMB_H

#include <stdatomic.h>

#include "base/crew.h"
#include "profile/profile.h"
#include "profile/scope.h"
#include "profile/strands.h"

/* A thread with records in the stretch. */
struct task {
	uint32_t thread;
	const struct strand *strand;
	bool started; /* before */
};

/* To be filled before a round, and put in order. */
struct tasks {
	struct task *items;
	uint32_t count;
	size_t room;
};

struct comb_how {
	void (*task)(void *arg, unsigned worker, const struct task *);
	void (*also)(void *arg);   /* first thing of the caller's in a round; may be NULL */
	const atomic_bool *cancel; /* may be NULL */
};

/* Up to so many records from a place on, none behind a file offset. */
struct comb_span {
	struct cursor from;
	uint64_t until, records;
};

struct comb {
	struct source *source;
	const struct comb_how *how;
	void *arg;
	unsigned count; /* workers */
	struct tasks tasks;
	struct strands *now; /* the stretch at hand */

	/* Its own. */
	atomic_uint next; /* task, then share of what is ahead */
	struct strands stretches[2], *ahead;
	struct strand_scratch *scratches; /* by worker */
	struct crew *crew;
};

/* With a single worker when threads cannot be started.  Borrows the others. */
void comb_init(struct comb *, struct source *, unsigned workers, const struct comb_how *,
    void *arg);
void comb_release(struct comb *);

enum comb_taken {
	TAKEN_NOTHING, /* there are no records */
	TAKEN_LOST,    /* by a file that was cut, or makes no sense there; or cancelled */
	TAKEN,
};

/*
 * The stretch that was taken apart in the round before is at hand now.  When there is none,
 * `first`, which is else not looked at, is taken apart here.
 */
enum comb_taken comb_take(struct comb *, const struct comb_span *first);
/* The tasks, each by one worker; and takes apart what comes next. */
void comb_round(struct comb *, const struct comb_span *next);

/* Tasks are those of the stretch at hand that loading met and that are in scope; NULL: all. */
void comb_tasks_loaded(struct comb *, const struct profile *, const struct scope *);
/* Those with most records first. */
void tasks_order(struct tasks *);

#endif
