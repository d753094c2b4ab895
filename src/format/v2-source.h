/*
 * v2-source: an open V2 trace as a source of events; for the files of v2 only.
 */
#ifndef SLOWTOP_FORMAT_V2_SOURCE_H
#define SLOWTOP_FORMAT_V2_SOURCE_H

#include "format/input.h"
#include "format/v2-record.h"
#include "trace/trace.h"

struct v2 {
	struct source source;
	struct trace *trace;
	struct input in;
	struct v2_coding coding;
};

extern const struct source_ops v2_ops;

#endif
