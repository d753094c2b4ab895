/*
 * flat: the sums of methods, thread by thread, without call paths: a flat profile.
 *
 * For tables that show neither callers nor paths.  A tree takes 48 bytes a path, and to
 * wait for the memory of every other one; this takes some 200 a method and thread, which
 * stay in the nearer caches.  A thread's stack is a list of methods here; time is added to
 * the one on top as it passes, inclusive time where the outermost call of a method begins
 * and ends.  Stacks and clocks follow walk.h, so every sum is the tree's, to the
 * nanosecond; only calls beyond the limit of paths, which a tree puts into (other), are
 * counted for what they are.
 *
 * A profile with one has no tree, and can be asked for nothing but folds of all records
 * without relations, groups and transforms (fold.h).  Several threads may count at once,
 * each other stacks.
 */
#ifndef SLOWTOP_PROFILE_FLAT_H
#define SLOWTOP_PROFILE_FLAT_H

#include <stdatomic.h>

#include "profile/profile.h"

struct runs;
struct walk;

/* What is added to at every record: 64 bytes. */
struct flat_sum {
	uint64_t word;  /* of entries in records; FLAT_NO_WORD: not met there */
	uint64_t calls; /* FLAT_CALL for each that is not recursive, and FLAT_OPEN in one */
	uint64_t inclusive[CLOCKS]; /* of these; while one is open, less the time of its entry */
	nsec self[CLOCKS];   /* exclusive in these */
	nsec nested[CLOCKS]; /* exclusive in recursive calls */
};

#define FLAT_NO_WORD UINT64_MAX /* none of 32 bits is like it */

enum { FLAT_OPEN = 1, FLAT_CALL = 2 };

/* The rest, by the same index. */
struct flat_rest {
	uint64_t recursive_calls;
	uint32_t method;
};

/* Sums that were needed before, by key; a key is in one of two slots. */
struct flat_slots {
	uint32_t key[2], sum[2];
};

struct flat_stack {
	struct flat_sum *sums; /* the first is (toplevel)'s; NULL before the first record */
	struct flat_rest *rests;
	uint32_t count;
	size_t sum_room, rest_room;
	struct idmap by_method; /* of the sums */
	struct flat_slots *slots;
	uint32_t slot_mask; /* of their number, a power of two */
	/* The stack; the first is (toplevel)'s.  0 where no frame was yet. */
	uint32_t *frames;
	size_t frame_room;
	uint32_t depth;   /* without the first */
	uint32_t deepest; /* before the last frame was adopted, with it */
};

struct flat {
	struct flat_stack *stacks;
	uint32_t count;
	size_t room;
	atomic_uint sums; /* of all stacks */
	uint32_t most;    /* of these */
};

/*
 * The profile is to count so, from its beginning.  Does nothing for logs.
 */
void flat_begin(struct profile *);
/* Nothing was counted yet, again. */
void flat_clear(struct flat *);
void flat_free(struct flat *);
void flat_extend(struct flat *, uint32_t stacks);
/*
 * True when there are so many methods in so many threads that it would take too much memory:
 * it is gone then, and counting is to begin again, with a tree.
 */
bool flat_gives_up(struct profile *);

/* Calls open in the stack; and at once, at most. */
uint32_t flat_depth(const struct flat *, uint32_t thread);
uint32_t flat_deepest(const struct flat *, uint32_t thread);

/* As runs_count (count.h). */
void flat_runs(struct runs *, struct walk *, uint32_t thread, uint32_t until);

#endif
