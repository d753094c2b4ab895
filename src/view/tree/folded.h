// SPDX-License-Identifier: Apache-2.0
/*
 * folded: folded stacks, a line each, as flamegraph.pl, inferno and others read them: frames from
 * the outermost on with `;` between, a blank, and microseconds.
 *
 * The counts are whole and add up to the total, rounded: what rounding takes from a line is
 * carried to the next.  Time of a thread with no call open is on a line of its name alone.
 *
 * A method is package.Class.method; its signature is added where others of its class have
 * the same name.  A thread has its name, with its id where others have the same.  Names
 * suit the programs that read folded stacks: no `;`, no line end, no blank before a
 * number at the end of a method (they would take the number for a count), never empty.
 */
#pragma once

#include "base/mem.h"
#include "profile/sum/paths.h"
#include "view/figures.h"

/*
 * Stacks repeat their callers, so those of a recursion as deep as the trace is long would be
 * the square of it.  All of a file together have so many frames, or are cut at a depth, and
 * what is above it is one frame, FRAMES_CUT.
 */
#define STACK_FRAMES_MAX (32 << 20)
#define FRAMES_CUT STR("(deeper)")

struct depth_count {
	uint32_t stacks; /* that are so deep */
	uint32_t below;  /* frames there that call, and if cut have one stack more in place of that */
	bool counted;    /* the frame of the path that was visited last, among `below`; a caller's */
};

/* The depth to cut at, of those up to `deepest`. */
uint32_t frames_depth(const struct depth_count *, uint32_t deepest);

/* Stacks on their way into a file.  All is private but `ids`. */
struct folded {
	const struct figures *figures;
	nsec carry;
	struct sbuf stack;
	size_t *ends; /* of the stack's text, by depth */
	size_t ends_room;
	struct pathwalk walk;
	uint32_t depth_max; /* frames of a line, the root's not counted */
	struct str *methods; /* frames; p NULL: not made yet */
	uint8_t *ambiguous;  /* by method: another one has the same class and name */
	uint8_t *shared;     /* by thread: another one has the same name */
	struct arena arena;
	struct sbuf text;
	uint32_t *ids; /* scratch, of one stack */
	size_t room;
};

/* Borrows the figures. */
void folded_begin(struct folded *, const struct figures *);
void folded_release(struct folded *);

/* Puts a method on the outer `depth` frames of the last stack. */
void folded_method(struct folded *, size_t depth, uint32_t method);
/* Appends the line of the stack. */
void folded_line(struct folded *, nsec time, struct sbuf *out);
/*
 * Appends the line of the next of these paths, in the order of names, if it has time in itself and
 * is `top` or below it (PATH_NONE: all); and where it is cut, one for all that is above it.  False
 * after the last one.
 */
bool folded_next(struct folded *, const struct paths *, uint32_t top, struct sbuf *out);
