/*
 * count: adds records to the counts of a tree: the inner loop of loading, and of
 * counting a range.
 *
 * About 10 ns a record, most of it the tree's memory.  During a thread's runs what is known
 * of it stays in registers.
 */
#ifndef SLOWTOP_PROFILE_COUNT_H
#define SLOWTOP_PROFILE_COUNT_H

#include "profile/partition.h"
#include "profile/walk.h"

/*
 * The runs of one thread: in the walk's tree or flat profile.  The index gets an entry for each
 * block that they are in.
 */
void runs_load(struct runs *, struct walk *, uint32_t thread);
/*
 * The same up to the record `until`, which begins a batch or is the end, in `counts`, by node;
 * the walk does not build.
 */
void runs_count(struct runs *, struct walk *, uint32_t thread, uint32_t until,
    struct count *counts);
/* As runs_load, of all threads in the order of the file. */
void batch_load(const struct batch *, struct walk *);

/*
 * What these and flat.c meet rarely, out of their way: what the trace makes of a method
 * that it has no row for.
 */
uint32_t method_unknown(struct walk *, uint32_t word, uint64_t offset);
/* As walk_clock_odd, for times that are in registers elsewhere. */
pair64 clock_odd(struct walk *, struct stack *, pair64 times, uint64_t offset);

#endif
