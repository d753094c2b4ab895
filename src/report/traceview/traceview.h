/*
 * traceview: what Traceview's -r prints, in five blocks: totals, threads, single calls,
 * methods, calls again as the timeline has them.
 *
 * Differences from the original are listed in doc/traceview.md.  Threads are in the order
 * of their ids, calls in that of entry.
 */
#ifndef SLOWTOP_REPORT_TRACEVIEW_TRACEVIEW_H
#define SLOWTOP_REPORT_TRACEVIEW_TRACEVIEW_H

#include "report/sink.h"
#include "report/traceview/calls.h"

void traceview_write(struct sink *, const struct trace *, struct tvcalls *);

#endif
