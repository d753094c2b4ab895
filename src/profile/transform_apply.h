/*
 * transform_apply: the tree that a list of transforms gives (transform.h).
 *
 * What comes out is a tree as that of a profile, made on the same methods: sums over it
 * are those of the transformed stacks.  Siblings of one method are possible, as in any
 * tree here.  Timeline, marks and single calls are of the trace as recorded.
 */
#ifndef SLOWTOP_PROFILE_TRANSFORM_APPLY_H
#define SLOWTOP_PROFILE_TRANSFORM_APPLY_H

#include "profile/paths.h"
#include "profile/transform.h"

/* The tree that a list gives.  Immutable; whoever made it frees it. */
struct transformed {
	struct tree tree;
	uint32_t *roots, *open; /* by thread, as in struct paths_source */
	uint32_t thread_count;
	uint32_t method_count;  /* of the trace since: frames that stand for several have names */
	struct err err; /* not ERR_NONE: of a transform that cannot be met and does nothing */
};

/*
 * Applies the list to what the source says, whose `open` may be NULL.  Names that are
 * needed are added to the trace.  NULL only when `cancel` (may be NULL) became true.
 * Cost: linear in the nodes, some 80 ns each for the tree and 10 to 50 ns for each
 * transform (below, and include behind others, 300 ns); memory 100 bytes a node.
 */
struct transformed *transform_apply(const struct transforms *, struct trace *,
    const struct paths_source *, const atomic_bool *cancel);
/* The same of a profile, or of a range of it; `sums` NULL: the whole trace. */
struct transformed *transform_profile(const struct transforms *, const struct profile *,
    const struct scope *, const struct range_sums *sums, const atomic_bool *cancel);
void transformed_free(struct transformed *);
/* The source of that tree, for paths_make: with the threads of the one it came from. */
struct paths_source transformed_source(const struct transformed *,
    const struct paths_source *from);

#endif
