/*
 * v2: packets of names and of variable-length records; data versions 4 and 5.
 *
 * Written by ART since 2024 when asked for output version 2 (runtime/trace.cc,
 * TraceWriter; "v2a"), in another form since 2026 ("v2b": absolute counter ticks, exits
 * without method).  Layout: doc/formats.md.
 *
 * Opening steps over all packets by their sizes, so that names are known wherever they
 * stand; records are decoded as they are read.
 */
#ifndef SLOWTOP_FORMAT_METHOD_V2_H
#define SLOWTOP_FORMAT_METHOD_V2_H

#include "format/input.h"
#include "trace/trace.h"

bool v2_open(struct trace *, struct input *, struct err *);

#endif
