/*
 * dmdiff: what changed from one trace to another: methods that got slower, that got
 * faster, and that are in one of them only.
 *
 * Methods are the same when class, name and signature are; of several with the same
 * names the first belongs to the first.  A method is in a trace when it was called or has
 * time there.
 */
#ifndef SLOWTOP_REPORT_DMDIFF_H
#define SLOWTOP_REPORT_DMDIFF_H

#include "report/dmtrace.h"
#include "report/sink.h"

struct dm_change {
	const struct dm_method *run[2]; /* one may be NULL */
};

struct dmdiff {
	const struct dmtrace *run[2];
	struct dm_change *changes; /* in both first, then in the first only, then the other */
	size_t both, first_only, second_only;
};

void dmdiff_make(struct dmdiff *, const struct dmtrace *run1, const struct dmtrace *run2);
void dmdiff_release(struct dmdiff *);

/* `script_base` as in htmlpage.h. */
void dmdiff_text(struct sink *, const struct dmdiff *);
void dmdiff_html(struct sink *, const struct dmdiff *, const char *script_base);

#endif
