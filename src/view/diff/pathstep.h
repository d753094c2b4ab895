// SPDX-License-Identifier: Apache-2.0
/*
 * pathstep: how much a call path changed from A to B, in four steps, with the marks and colours of
 * each.
 *
 * A step is by |b - a| / (a + b).  More time in B is orange, less is blue, both told apart with any colour
 * vision.  All functions only read.
 */
#pragma once

#include "profile/sum/pathjoin.h"

enum pathstep { STEP_SAME, STEP_SOME, STEP_MORE, STEP_MOST, STEP_ALL /* new, gone */, PATHSTEPS };

/*
 * Changes that colour and mark call paths: those of inclusive time, where several runs prove that there is
 * one, or whatever they prove; or those of exclusive time.
 */
enum pathstep_hue { HUE_PROVED, HUE_ALL, HUE_SELF, PATHSTEP_HUES };
extern const char *const pathstep_hue_words[PATHSTEP_HUES];

/* Returns the step between inclusive times. */
enum pathstep pathstep_of(nsec a, nsec b);
/*
 * Returns the step by the hue, and whether it is to more; of exclusive time by the largest difference of
 * all paths.
 */
enum pathstep pathstep_seen(enum pathstep_hue, nsec own_most, const struct pathjoin_figures *, bool *more);
/* Returns "+", "--", "new", by the hue; empty of what is the same. */
const char *pathstep_mark(enum pathstep_hue, nsec own_most, const struct pathjoin_figures *);
/* Returns 0xRRGGBB. */
uint32_t pathstep_colour(enum pathstep, bool more);
