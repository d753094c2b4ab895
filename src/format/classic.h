/*
 * classic: key text, then fixed-size records; data versions 1, 2 and 3.
 *
 * Written by Dalvik (vm/Profile.c) and by ART (runtime/trace.cc, Trace::FinishTracing)
 * when not streaming.  Header offsets and record layouts: doc/formats.md.
 */
#ifndef SLOWTOP_FORMAT_CLASSIC_H
#define SLOWTOP_FORMAT_CLASSIC_H

#include "base/filemap.h"
#include "trace/trace.h"

/*
 * Parses the key section and the data header; the map becomes the source's on success
 * and stays the caller's on failure.
 */
bool classic_open(struct trace *, const struct filemap *, struct err *);

#endif
