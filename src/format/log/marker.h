// SPDX-License-Identifier: Apache-2.0
/*
 * marker: what a user-mode trace writer put into one record of a log.
 *
 * Android: `B|pid|name`; HiTrace: `B|pid|H:[chain]#name|LT|args`, where LT is a level and
 * tags ("I3062"); before API version 19 without LT, and id or value after a blank.  Each
 * marker tells its own form: logs mix them.
 *
 * Sources: OpenHarmony's HiTraceMeter guide (user-mode trace format) and hitrace_meter.cpp;
 * Android's libcutils trace.h and the atrace writers.  Borrows the payload.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum marker_kind {
	MARKER_BEGIN,       /* B */
	MARKER_END,         /* E */
	MARKER_ASYNC_BEGIN, /* S */
	MARKER_ASYNC_END,   /* F */
	MARKER_COUNTER,     /* C */
	MARKER_INSTANT,     /* I */
	MARKER_TRACK_INSTANT, /* N */
	MARKER_TRACK_BEGIN, /* G */
	MARKER_TRACK_END,   /* H */
	MARKER_OTHER,       /* free text */
	MARKER_KINDS
};

extern const char marker_letters[MARKER_KINDS + 1];

/* From this length on the writer may have cut the marker. */
enum { MARKER_CUT = 511 };

enum marker_api { MARKER_ANDROID, MARKER_HITRACE_OLD, MARKER_HITRACE_NEW };

struct marker {
	enum marker_kind kind;
	enum marker_api api;
	bool malformed; /* a kind that is known, with fields that are not */
	bool truncated; /* as long as a marker can be: its end may be missing */
	bool has_pid;
	bool kernel;    /* of one of the kernel's own events (spans.h): no program wrote it */
	bool exact;     /* an end of the slice of this name, not of the last one */
	uint32_t pid;
	struct str name;     /* without H: and the chain */
	struct str track;    /* N, G and H */
	int64_t value;       /* id of S and F, cookie of G and H, value of C; saturates */
	double real;         /* the value of C is this more */
	struct str level;    /* letter and tags, "I3062"; empty: not stated */
	struct str category;
	struct str args;     /* also what later versions put after them */
	struct str chain, span, parent; /* hexadecimal, as written; empty without */
	char flag;           /* of the chain: 'C', 'S' or 0 */
};

void marker_parse(struct marker *, struct str payload);

/* trace-cmd's print: an address, and the name of the writing function, may come first. */
struct str marker_unprint(struct str payload);

/* True for a level letter and one or more two-digit tags of 00 to 63. */
bool marker_is_level(struct str);
