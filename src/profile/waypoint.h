/*
 * waypoint: where each thread stands, finely: what narrow windows are decoded from.
 *
 * The file is divided into blocks of some thousand records.  For each block in which a
 * thread has records there is a waypoint: how the thread stood before the first of them,
 * and when that came.  So a block is decoded for the threads that need it only, and what
 * a thread did between its blocks, mostly sleep, is known without any decoding.
 *
 * Checkpoints are fewer and hold all threads; they are there while a trace is loaded.
 * These are filled behind it, by whoever follows all records anyway (overview.h); several
 * may read at once.  When they take too much memory, blocks are joined in
 * pairs, so it is bounded whatever the number of records.
 */
#ifndef SLOWTOP_PROFILE_WAYPOINT_H
#define SLOWTOP_PROFILE_WAYPOINT_H

#include "profile/replay.h"

struct strip;
struct waypoints;

/* Borrows the profile.  Blocks of about `every` records at first; takes about `bytes` at most. */
struct waypoints *waypoints_new(const struct profile *, uint64_t every, size_t bytes);
void waypoints_free(struct waypoints *);

/* The next record to be read, and how many came before: a block may begin here. */
void waypoints_reach(struct waypoints *, const struct cursor *, uint64_t records);
/*
 * A thread's next record, of that block, as the stack stands before it: is it the thread's
 * first there?  Then waypoints_met tells when it came.  Threads are taken one after another,
 * or several at once, each by one worker.
 */
bool waypoints_meet(struct waypoints *, uint32_t block, uint32_t thread, const struct stack *);
/* The block of a record, and how many records come before its end; UINT64_MAX: it has none. */
uint32_t waypoints_find(const struct waypoints *, uint64_t record, uint64_t *end);
void waypoints_met(struct waypoints *, uint32_t thread, const nsec to[CLOCKS]);

/*
 * Draws what threads did within a window that is not empty, thread t into strips[t], if
 * that is not NULL, of `count`.  False when cancelled.
 */
bool waypoints_draw(const struct waypoints *, nsec from, nsec to, struct strip *const *strips,
    uint32_t count, const atomic_bool *cancel);
/* About how many records that decodes, for all threads; it stops counting at `most`. */
uint64_t waypoints_cost(const struct waypoints *, nsec from, nsec to, uint64_t most);
/* Records of a block. */
uint64_t waypoints_block(const struct waypoints *);

#endif
