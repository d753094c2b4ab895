// SPDX-License-Identifier: Apache-2.0
/*
 * transform: a list of changes to the call tree, and the tree that they give.
 *
 * Think of each node as a stack, from (toplevel) down to a frame, with the time spent
 * there on each clock (exclusive) and the calls that made its last frame.  A transform
 * changes stacks; those of one list are applied one after the other, each to what the one
 * before left:
 *
 *   include, exclude, drop: whole stacks go, with their time.
 *   focus...: stacks that are not about it go; those that are lose frames above it.
 *   merge...: frames go; their time stays, with the frame above.
 *   idle: as merge, but for wall time, which goes: it was spent waiting.
 *   collapse..., recursion, below: several frames become one, which has their time.
 *
 * Always: (toplevel) stays, nothing matches it, and it takes the time of frames that have
 * no other above them.  A frame that stays keeps its calls, also when a part of its time
 * goes; the calls of a frame that goes or is made part of another go with it; a frame
 * that replaces several has the calls that come into it from outside.  Frames open at the
 * begin or the end of the trace are like others.  Exclusive time is thereby kept by
 * merge, collapse, recursion and below, to the nanosecond, and inclusive time is what
 * follows from it; the total is the sum of what is left.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "profile/sum/paths.h"
#include "trace/trace.h"

enum transform_id {
	TRANSFORM_INCLUDE,
	TRANSFORM_EXCLUDE,
	TRANSFORM_FOCUS,
	TRANSFORM_FOCUS_SUBTREE,
	TRANSFORM_FOCUS_SELF,
	TRANSFORM_FOCUS_PACKAGE,
	TRANSFORM_MERGE,
	TRANSFORM_MERGE_NODE,
	TRANSFORM_DROP,
	TRANSFORM_COLLAPSE,
	TRANSFORM_COLLAPSE_PACKAGE,
	TRANSFORM_COLLAPSE_MATCHES,
	TRANSFORM_RECURSION,
	TRANSFORM_DIRECT_RECURSION,
	TRANSFORM_BELOW,
	TRANSFORM_IDLE,
	TRANSFORMS
};

/* Wherever methods are meant, a pattern on full names may take the place of one method. */
enum transform_argument {
	ARGUMENT_PATTERN, /* asked for */
	ARGUMENT_METHOD,
	ARGUMENT_PATH,    /* methods from below (toplevel) down */
	ARGUMENT_PACKAGE, /* and the packages below it */
	ARGUMENT_RULES,   /* a pattern; none: the rules of idle.h */
	ARGUMENT_PERCENT, /* of the total on the trace's default clock, threads in scope */
};

struct transform_kind {
	const char *name;
	char key; /* after x */
	enum transform_argument argument;
	const char *operand; /* what the help calls it */
	const char *help;    /* one line, no full stop */
};

extern const struct transform_kind transform_kinds[TRANSFORMS];

/* One row of the list.  Owns what it points to. */
struct transform {
	enum transform_id id;
	bool off;          /* in the list, without effect */
	uint32_t *methods; /* methods, or the path, outermost first; NULL: `text` says */
	size_t depth;      /* how many */
	struct str text;   /* pattern (of a path: patterns between " / "), or package */
	uint32_t hundredths; /* of a percent */
};

struct transforms {
	struct transform *list;
	size_t count, room;
};

/* Zero is an empty list. */
void transforms_release(struct transforms *);
/* `to`, a list, becomes the same. */
void transforms_copy(struct transforms *to, const struct transforms *from);
bool transforms_equal(const struct transforms *, const struct transforms *);
/* True if there is one that is not off. */
bool transforms_active(const struct transforms *);
void transforms_remove(struct transforms *, size_t index);
/* The last one takes the place of that one, off as that was; its own: it stays as it is. */
void transforms_replace(struct transforms *, size_t index);

/*
 * Adds a transform of one method, or any of several, for kinds with ARGUMENT_METHOD; of a path
 * for those with ARGUMENT_PATH.  Copies the methods.
 */
void transforms_add_methods(struct transforms *, enum transform_id, const uint32_t *methods,
    size_t depth);
/*
 * Adds a transform of a pattern, a package, or a percentage as text.  False, and the list as
 * before, when it is none of these; offsets count from the start of the text.
 */
bool transforms_add_text(struct transforms *, enum transform_id, struct str text,
    struct err *);
/* "NAME:ARGUMENT". */
bool transforms_add_line(struct transforms *, struct str line, struct err *);

/* TRANSFORMS when there is none of that name, or key. */
enum transform_id transform_find(struct str name);
enum transform_id transform_find_key(char key);
/* Appends the text after the name: a method's full name, /PATTERN/, "java.util.*", "0.5 %". */
void transform_argument_text(struct sbuf *, const struct transform *, const struct trace *);

/* Takes the first of a path's patterns off. */
struct str transform_path_cut(struct str *rest);

/*
 * Which methods a pattern or package means, 1 by index, (toplevel) never.  The caller's
 * to free; NULL, with `e` filled, when the pattern is too costly, or cancelled.
 */
uint8_t *transform_matches(const struct transform *, const struct trace *, uint32_t count,
    struct str text, const atomic_bool *cancel, struct err *e);

/* The tree that they give ------------------------------------------------------------ */

/*
 * A tree as that of a profile, made on the same methods: sums over it are those of the
 * transformed stacks.  Siblings of one method are possible, as in any tree here.  Timeline,
 * marks and single calls are of the trace as recorded.  Immutable; its maker frees it.
 */
struct transformed {
	struct tree tree;
	uint32_t *roots, *open; /* by thread, as in struct paths_source */
	uint32_t thread_count;
	uint32_t method_count;  /* of the trace since: frames that replace several have names */
	struct err err; /* not ERR_NONE: of a transform that cannot be met and does nothing */
};

/*
 * Applies the list to the source; its `open` may be NULL.  Names that are needed are
 * added to the trace.  NULL only when `cancel` (may be NULL) became true.  Cost: linear
 * in the nodes, some 80 ns each for the tree and 10 to 50 ns for each transform (below,
 * and include after others, 300 ns); memory 100 bytes a node.
 */
struct transformed *transform_apply(const struct transforms *, struct trace *,
    const struct paths_source *, const atomic_bool *cancel);
/*
 * Applies the list to a profile, or to a range of it; `sums` NULL: the whole trace.  `folded`: to
 * its stacks of folded names.
 */
struct transformed *transform_profile(const struct transforms *, const struct profile *,
    const struct scope *, const struct range_sums *sums, bool folded, const atomic_bool *cancel);
void transformed_free(struct transformed *);
/* The source of that tree, for paths_make: with the threads of the one it came from. */
struct paths_source transformed_source(const struct transformed *,
    const struct paths_source *from);
