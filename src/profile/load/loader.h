// SPDX-License-Identifier: Apache-2.0
/*
 * loader: reads a profile's records with several workers.
 *
 * The caller's thread reads in steps, so that queries between steps see the profile grow;
 * the first of them alone.  Then workers count threads of the trace, chunk by chunk
 * (partition.h), on a tree that all share: threads have no path in common, so nothing is
 * counted twice and there is nothing to join.  The result is that of one pass, apart from the
 * numbers of nodes.  What depends on the order of all threads' records is left to one pass.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"

struct loader;

/*
 * `jobs` 0: as many as pay: one for a small trace or a file that is not in the page cache
 * (the disk is the limit then).  Borrows the profile.
 */
struct loader *loader_new(struct profile *, unsigned jobs);
/*
 * About `max_records` more; may return early, or be some more when workers take part.
 */
enum load_state loader_step(struct loader *, uint64_t max_records, struct err *);
/* Keeps what was counted. */
void loader_stop(struct loader *);
/* Share of the data that was read, 0 to 1. */
double loader_progress(const struct loader *);
void loader_free(struct loader *);

/* All of it; `cancel` may be NULL. */
enum load_state loader_run(struct profile *, unsigned jobs, const atomic_bool *cancel,
    struct err *);

/*
 * Parts of loader_step: divides the rest among so many workers, the caller's thread being
 * one, or as many as can be started; false when that is not possible.
 */
bool loader_divide(struct loader *, unsigned workers);
/*
 * Counts about `max_records` more, or as many as the round before was to.  False, with
 * nothing counted, when only one pass can go on from here.
 */
bool loader_round(struct loader *, uint64_t max_records);
