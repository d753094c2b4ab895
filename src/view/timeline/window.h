/*
 * window: the time window that all figures are of: how it is chosen, and how written.
 *
 * Windows chosen here are of whole microseconds, which no trace is finer than, so that
 * what is written of one is all of it.
 */
#ifndef SLOWTOP_VIEW_TIMELINE_WINDOW_H
#define SLOWTOP_VIEW_TIMELINE_WINDOW_H

#include "base/number.h"
#include "profile/sum/range.h"
#include "view/timeline/axis.h"

static inline bool
window_equal(const struct range *a, const struct range *b)
{
	return a->from == b->from && a->to == b->to;
}

/* Is it a part of the trace?  An empty one means the whole. */
static inline bool
window_is_set(const struct range *w)
{
	return w->from < w->to && !range_is_all(w);
}

/* The smallest that holds both; RANGE_ALL when that is the whole [begin, end]. */
struct range window_around(struct range a, struct range b, nsec begin, nsec end);

enum { WINDOW_TEXT = 2 * FMT_SIZE + 8 };

/* "1.200-1.260 s"; open ends are those of the whole. */
const char *window_text(char out[static WINDOW_TEXT], const struct range *, nsec begin,
    nsec end, const struct timescale *);

#endif
