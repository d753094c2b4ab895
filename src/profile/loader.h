/*
 * loader: reads a profile's records with several workers.
 *
 * The caller's thread reads in steps, so that queries between steps see the profile grow;
 * the first of them alone.  Then workers take threads of the trace, stretch by stretch
 * (sweep.h), where records are read as they stand.  The result is that of one pass.
 */
#ifndef SLOWTOP_PROFILE_LOADER_H
#define SLOWTOP_PROFILE_LOADER_H

#include <stdatomic.h>

#include "profile/profile.h"

struct loader;

/*
 * `jobs` 0: as many as pay: one for a small trace, a file that is not in the page cache
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
/* Stops the other threads, soon, and frees. */
void loader_free(struct loader *);

/* All of it; `cancel` may be NULL. */
enum load_state loader_run(struct profile *, unsigned jobs, const atomic_bool *cancel,
    struct err *);

#endif
