/*
 * join: two profiles of neighbouring parts of the records become one.
 *
 * A part is counted as if the trace began there: frames that were open show as exits
 * without entry and are adopted.  Joining lays these on the stacks that the part before
 * ended with; where they are the same frames the call paths grow together, and times,
 * checkpoints and damage add up to what one pass over both would have given, to the
 * nanosecond.
 */
#ifndef SLOWTOP_PROFILE_JOIN_H
#define SLOWTOP_PROFILE_JOIN_H

#include "profile/profile.h"

/*
 * Adds `next`, which begins where `p` ends.  False, with `p` unchanged, when that needs
 * what only one pass can know (a missing exit across the border, clocks that wrapped):
 * then read the records of `next` into `p`.  Costs the nodes of `next`.
 */
bool profile_join(struct profile *p, const struct profile *next);

#endif
