/*
 * same-profile: a trace loaded in several ways, and whether they come to the same.
 *
 * Nodes may have other numbers.  What differs is told as a diagnostic where that helps.
 */
#ifndef SAME_PROFILE_H
#define SAME_PROFILE_H

#include "profile/load/profile.h"

/* In one pass. */
struct profile *load_whole(struct trace *);
/* Threads one after another (partition.h), in rounds of random length. */
struct profile *load_swept(struct trace *, unsigned jobs, int *rounds);
/* The same for sums only (flat.h). */
struct profile *load_flat(struct trace *, unsigned jobs, int *rounds);

/* Tests for as many records, paths and damage. */
void counts_are(const struct profile *, const struct profile *whole);
/* Tests for as many records, the same damage and sums, of all threads and of some. */
void sums_are(const struct profile *, const struct profile *whole);
/* And for the same tables, lists, single calls and random ranges. */
void profile_is(const struct profile *, const struct profile *whole);
/* Children of one frame with one method, which would be one path twice. */
int twins(const struct tree *);

#endif
