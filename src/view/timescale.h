/*
 * timescale: how moments are written and read: in seconds since the trace began, or, where
 * the trace tells when that was, absolutely: as time of day (UTC) where it has a date, else
 * in seconds of the clock of the device, which logs have their times on.
 *
 * Moments are nanoseconds since the trace began.  A value; NULL in place of one means
 * TIMES_RELATIVE.
 */
#ifndef SLOWTOP_VIEW_TIMESCALE_H
#define SLOWTOP_VIEW_TIMESCALE_H

#include "base/err.h"
#include "base/number.h"
#include "trace/trace.h"

enum times { TIMES_RELATIVE, TIMES_CLOCK, TIMES_DAY };

struct timescale {
	enum times kind;
	nsec origin; /* what the clock showed when the trace began; since 1970 for TIMES_DAY */
};

/* TIMES_RELATIVE unless `absolute` and known. */
struct timescale timescale_of(const struct trace *, bool absolute);
/* "1.204113", "33199.420658", "14:03:05.204" */
const char *timescale_text(
    const struct timescale *, char out[static FMT_SIZE], nsec at, unsigned decimals);
/* What stands behind it: " s", or nothing. */
const char *timescale_unit(const struct timescale *);
/* What was typed, as such a text or with a unit (timetext.h), in the same form. */
bool timescale_parse(const struct timescale *, struct str text, nsec *at, struct err *);

static inline nsec
timescale_origin(const struct timescale *s)
{
	return s != NULL && s->kind != TIMES_RELATIVE ? s->origin : 0;
}

#endif
