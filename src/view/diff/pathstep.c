// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/pathstep.h"

const char *const pathstep_hue_words[PATHSTEP_HUES] = {
    [HUE_PROVED] = "proved", [HUE_ALL] = "all", [HUE_SELF] = "self"};

/* |b - a| / (a + b) from which on each step is: 1/41, 1/11, 1/5, 1. */
static const struct {
	int part;
	const char *slower, *faster;
	uint32_t more, less;
} steps[PATHSTEPS] = {
    [STEP_SAME] = {0, "", "", 0xe0e0e0, 0xe0e0e0},
    [STEP_SOME] = {41, "+", "-", 0xfdbe85, 0x9ecae1},
    [STEP_MORE] = {11, "++", "--", 0xe6550d, 0x4292c6},
    [STEP_MOST] = {5, "+++", "---", 0xa63603, 0x084594},
    [STEP_ALL] = {1, "new", "gone", 0xa63603, 0x084594},
};

/* Returns the step that the part has of the whole. */
static enum pathstep
step_of(double part, double whole)
{
	int step = PATHSTEPS - 1;

	part = part < 0 ? -part : part;
	while (step > STEP_SAME && (part == 0 || part * steps[step].part < whole))
		step--;
	return (enum pathstep)step;
}

enum pathstep
pathstep_of(nsec a, nsec b)
{
	return step_of((double)b - (double)a, (double)a + (double)b);
}

enum pathstep
pathstep_seen(enum pathstep_hue hue, nsec own_most, const struct pathjoin_figures *f, bool *more)
{
	const nsec *by = hue == HUE_SELF ? f->exclusive : f->inclusive;
	enum pathstep step;

	*more = by[DIFF_B] > by[DIFF_A];
	if (hue != HUE_SELF)
		return pathstep_of(by[DIFF_A], by[DIFF_B]);
	/* The largest difference of all is no new path. */
	step = step_of((double)diff_between(by[DIFF_A], by[DIFF_B]), (double)own_most);
	return step == STEP_ALL ? STEP_MOST : step;
}

const char *
pathstep_mark(enum pathstep_hue hue, nsec own_most, const struct pathjoin_figures *f)
{
	bool more;
	enum pathstep step = pathstep_seen(hue, own_most, f, &more);

	if (hue == HUE_SELF && pathstep_of(f->inclusive[DIFF_A], f->inclusive[DIFF_B]) == STEP_ALL) {
		step = STEP_ALL;
		more = f->inclusive[DIFF_A] == 0;
	}
	return more ? steps[step].slower : steps[step].faster;
}

uint32_t
pathstep_colour(enum pathstep step, bool more)
{
	return more ? steps[step].more : steps[step].less;
}
