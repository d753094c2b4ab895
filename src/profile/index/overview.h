// SPDX-License-Identifier: Apache-2.0
/*
 * overview: the whole timeline in small, so that wide windows need no decoding.
 *
 * Each thread has a list of spans: runs of equal buckets of time, in order, nothing
 * where no call was open.  When the spans take too much memory, buckets are joined in
 * pairs; so memory is bounded whatever the number of records, and grows with threads
 * that do something and with resolution only.
 *
 * It is filled after loading, in steps, thread by thread (partition.h), by as many
 * workers as the profile's queries may use.  Drawing only reads.
 */
#pragma once

#include <stddef.h>

#include "profile/load/profile.h"

struct raster;
struct cell_row;
struct overview;

enum { OVERVIEW_BYTES = 16 * 1024 * 1024 };

/* Borrows the profile.  Takes about `bytes` at most, and some 8 MB more while it is filled. */
struct overview *overview_new(const struct profile *, size_t bytes);
void overview_free(struct overview *);
/*
 * Takes in up to about `max_records` of what was loaded since, some 30 ns of processor time
 * each; no more than take some milliseconds.  False when there is nothing: then
 * it shows all that was loaded.
 */
bool overview_advance(struct overview *, uint64_t max_records);
/* Right after profile_grow: goes on where the profile does. */
void overview_grow(struct overview *);
/* True if it has taken in all that was loaded. */
bool overview_whole(const struct overview *);
/* How many records it has taken in. */
uint64_t overview_records(const struct overview *);
/* How wide its buckets are: ns. */
nsec overview_bucket(const struct overview *);
/* Adds what the raster shows of a thread to a row of cells over it. */
void overview_draw(const struct overview *, uint32_t thread, const struct raster *,
    struct cell_row *);
