/*
 * same-profile: did two ways of loading a trace come to the same?
 *
 * Nodes may have other numbers.  What differs is told as a diagnostic where that helps.
 */
#ifndef SAME_PROFILE_H
#define SAME_PROFILE_H

#include "profile/fold.h"

bool same_sums(const struct fold *, const struct fold *);
bool same_relations(const struct fold *, const struct fold *);
bool same_damage(const struct damage *expected, const struct damage *);
/* Of random moments, how many have another call; of random ranges, other tables. */
int calls_differing(const struct profile *, const struct profile *);
int ranges_differing(const struct profile *, const struct profile *);
uint32_t paths_of(const struct profile *);
/* Children of one frame with one method, which would be one path twice. */
int twins(const struct tree *);

#endif
