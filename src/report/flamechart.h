/*
 * flamechart: calls in the order of time as an SVG picture, a band of rows for each thread.
 *
 * Callers are above what they call.  Calls narrower than a pixel are drawn together with
 * those of the same thread and depth that begin in the same pixel; when
 * that is still more than a picture can hold, coarser, so the size is bounded whatever the
 * trace.  Decodes the window's records once.
 */
#ifndef SLOWTOP_REPORT_FLAMECHART_H
#define SLOWTOP_REPORT_FLAMECHART_H

#include "report/flame.h"

void flamechart_write(struct sink *, const struct flame *);

#endif
