/*
 * reader: text logs of HiTrace, atrace, systrace and trace-cmd as a source of events.
 *
 * Lines are read in place.  Slices become calls: begin and end markers those of their
 * thread, asynchronous ones those of rows made for them.  Where threads begin and end to
 * run, they get events that only move their clocks, so that CPU time is exact anywhere.
 * The events are spooled (24 bytes each with CPU time, 16 without), for they cannot be read
 * in place a second time.
 *
 * Logs are mostly in order of time.  Lines that are a little late, within some hundred lines,
 * are put in their places as they come (scan.h); where one is later than that, reading
 * begins again with all lines sorted: 16 bytes of memory a line.
 */
#ifndef SLOWTOP_FORMAT_LOG_READER_H
#define SLOWTOP_FORMAT_LOG_READER_H

#include "format/input.h"
#include "trace/trace.h"

/* False with ERR_NONE when the data are no log; `folder` is for the spools. */
bool ftrace_open(struct trace *, struct input *, const char *folder, struct err *);

#endif
