/*
 * dmdump: dmtracedump's list of records (-o), byte for byte.
 *
 * Records as they stand in the file, in its order, with the first clock as it stands
 * and dots for the depth of the thread's stack.  Reads the trace once; memory does not
 * grow with it.
 */
#ifndef SLOWTOP_REPORT_DMDUMP_H
#define SLOWTOP_REPORT_DMDUMP_H

#include "report/sink.h"
#include "trace/trace.h"

void dmdump_write(struct sink *, struct trace *);

#endif
