/*
 * streaming-source: an open streaming trace as a source of events; for the files of
 * streaming only.
 */
#ifndef SLOWTOP_FORMAT_STREAMING_SOURCE_H
#define SLOWTOP_FORMAT_STREAMING_SOURCE_H

#include "format/input.h"
#include "format/unnamed.h"
#include "trace/trace.h"

struct streaming {
	struct source source;
	struct trace *trace;
	struct input in;
	uint32_t record; /* bytes */
	pthread_mutex_t lock; /* of the next two, as long as several workers read */
	struct unnamed methods, threads;
	uint64_t fresh; /* names that stand before this were taken */
	uint32_t (*decode)(struct streaming *, const uint8_t *, uint64_t, uint32_t,
	    struct batch *, struct damage *);
};

extern const struct source_ops streaming_ops;

/* How records are read; their size is known. */
void streaming_form_choose(struct streaming *, unsigned clocks);

#endif
