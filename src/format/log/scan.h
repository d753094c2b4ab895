// SPDX-License-Identifier: Apache-2.0
/*
 * scan: the lines of a log in the order of the file or nearly so, parsed ahead by a
 * second thread.
 *
 * What a line says does not depend on other lines, so another thread can parse it; what
 * it means does, and is left to the caller.  The text is cut into chunks at line starts;
 * the thread and the caller, whichever is free, parse the next one, and chunks are handed
 * out in order.  Lines that are a little late, in the same chunk or the next one, are put
 * where they belong by time; others are not.  The result is the same with and without the
 * thread.
 *
 * Borrows the ranges and the text.  Memory: some megabytes.  Only one thread may call
 * these functions.
 */
#pragma once

#include "format/log/kernel.h"
#include "format/log/line.h"
#include "format/log/marker.h"
#include "format/log/schedline.h"
#include "format/log/text.h"

enum scan_kind {
	SCAN_OTHER,    /* no record */
	SCAN_LEFT,     /* a record of an event that is not read */
	SCAN_RECORD,   /* one that has no meaning here */
	SCAN_MARKER,
	SCAN_SCHED,
	SCAN_VALUES,   /* an event of the kernel's that sets counters, or is of slices */
	SCAN_BROKEN,   /* an event of the kernel's that makes no sense */
	SCAN_EXCLUDED, /* a record that is none of the traced system */
};

/* Borrows the text. */
struct scanned {
	struct str text;     /* the line, without its end */
	struct logline line; /* of records */
	uint8_t kind;        /* enum scan_kind */
	uint8_t event;       /* enum sched_event */
	union {
		struct marker marker;
		struct schedline sched;
		struct kernel_values values;
	};
};

enum { LOGSCAN_JUMP_NS = 1000000000 };

struct scan_disorder {
	uint64_t late, jumps; /* jumps: by more than LOGSCAN_JUMP_NS */
};

struct logscan;

/* Records whose times are ticks, or are none, as `ticks` says; others are no records. */
struct logscan *logscan_new(const char *bytes, const struct log_ranges *, bool ticks);
/* Starts the second thread, if possible; before the first logscan_next. */
void logscan_help(struct logscan *);
/* The next line, valid until the next call; NULL at the end. */
const struct scanned *logscan_next(struct logscan *);
/* How many of the records handed out come after one of a later time. */
struct scan_disorder logscan_disorder(const struct logscan *);
/* After the end: the last range, which ended at `from`, has more now. */
void logscan_more(struct logscan *, uint64_t from);
/* Begins again. */
void logscan_rewind(struct logscan *);
void logscan_free(struct logscan *);

/* One line by itself; the memory may be NULL. */
void logscan_line(struct scanned *, struct str text, bool ticks, struct logline_memory *);
