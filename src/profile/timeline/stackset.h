/*
 * stackset: the stacks that a method has a frame on.
 *
 * A stack is searched when it is asked about, and the answer is kept for all its frames:
 * questions about a few stacks do not search the whole tree, and no frame is searched
 * twice.  A byte for each node, touched where it is asked about.  Borrows the tree, which
 * must not grow; one thread at a time.
 */
#ifndef SLOWTOP_PROFILE_TIMELINE_STACKSET_H
#define SLOWTOP_PROFILE_TIMELINE_STACKSET_H

#include "profile/sum/tree.h"

enum stack_known { STACK_UNKNOWN, STACK_WITHOUT, STACK_WITH };

struct stackset {
	const struct tree *tree;
	uint32_t method;
	uint8_t *known; /* enum stack_known, by node */
};

struct stackset stackset_new(const struct tree *, uint32_t method);
void stackset_release(struct stackset *);
/* Looks through the stack down to the first frame that is known. */
enum stack_known stackset_look(const struct stackset *, uint32_t node);

/* Is a call of the method open with this frame on top? */
static inline bool
stackset_has(const struct stackset *s, uint32_t node)
{
	uint8_t known = s->known[node];

	return (known != STACK_UNKNOWN ? known : stackset_look(s, node)) == STACK_WITH;
}

#endif
