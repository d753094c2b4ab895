// SPDX-License-Identifier: Apache-2.0
/*
 * marks: what is known of methods and slices by their names: which class of work they are, which
 * are the app's own, in which a thread waits for messages.
 *
 * A method is looked at once, when it is first asked about.  Borrows the trace; for one thread.
 */
#pragma once

#include "profile/findings/findings.h"
#include "trace/trace.h"

/* Beside classes of work, which are 1 << enum finding_kind. */
enum {
	MARK_FRAMING = 1 << 22,  /* glue of frames */
	MARK_LOOP = 1 << 23,     /* the loop of a looper */
	MARK_DISPATCH = 1 << 24, /* one message */
	MARK_LOOPER = 1 << 25, /* its own time is waiting for a message */
	MARK_GLUE = 1 << 26,   /* mechanism, part of every message: it explains nothing */
	MARK_OWN = 1 << 27,    /* the app's */
	MARK_FRAME = 1 << 28,  /* a frame of the display */
	MARK_DRAW = 1 << 29,   /* waits in it are for the render thread */
	MARK_KNOWN = 1 << 30,
};
#define MARK_FIRST (1u << 31) /* of a node: no caller has the same method */
/* All classes of work: the kinds before it. */
#define MARK_WORK ((1u << FINDING_PATH) - 1)
_Static_assert(FINDING_PATH <= 22, "classes and marks share a word");

struct marks;

/* NULL, and why, when a pattern of the rules is none. */
struct marks *marks_new(const struct trace *, const struct finding_rules *, struct err *);
void marks_free(struct marks *);
uint32_t marks_of(struct marks *, uint32_t method);
