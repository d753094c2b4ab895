/*
 * streaming: records with names between them, a summary at the end.
 *
 * Written by ART since 6.0 (runtime/trace.cc, Trace::LogMethodTraceEvent and
 * Trace::FinishTracing with streaming on).  Layout: doc/formats.md.  The options are
 * known from the summary, or a .sec file, before the first record is read; names come as
 * they are read.
 */
#ifndef SLOWTOP_FORMAT_METHOD_STREAMING_H
#define SLOWTOP_FORMAT_METHOD_STREAMING_H

#include "format/input.h"
#include "format/method/header.h"
#include "format/method/keytext.h"

bool streaming_open(struct trace *, struct input *, struct err *);
/*
 * The same from the first record on, with the header read and the text parsed, which is
 * NULL when there is none.
 */
bool streaming_open_records(struct trace *, struct input *, const struct header *,
    uint64_t first, const struct keytext *, struct err *);

#endif
