/*
 * classic: key text, then fixed-size records; data versions 1, 2 and 3.
 *
 * Written by Dalvik (vm/Profile.c) and by ART (runtime/trace.cc, Trace::FinishTracing)
 * when not streaming.  Header offsets and record layouts: doc/formats.md.
 */
#ifndef SLOWTOP_FORMAT_METHOD_CLASSIC_H
#define SLOWTOP_FORMAT_METHOD_CLASSIC_H

#include "format/input.h"
#include "trace/trace.h"

/* The text stands before the data or, for files in two parts, in the input's key. */
bool classic_open(struct trace *, struct input *, struct err *);

#endif
