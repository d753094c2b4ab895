// SPDX-License-Identifier: Apache-2.0
/*
 * selection: what all views are about: a method, and where it was met.
 *
 * The stack, when it is known, is the methods from the first above (toplevel) down to
 * the selected one; it holds whatever tree, scope or window it is looked up in.  Owns its
 * array.  Zero is not empty: selection_init.
 */
#pragma once

#include "profile/sum/paths.h"

struct selection {
	uint32_t method; /* METHOD_NONE: nothing is selected */
	uint32_t thread; /* of the stack, or chosen itself; THREAD_NONE: no certain thread */
	uint32_t *stack; /* outermost first; the last is `method` */
	size_t depth;    /* 0: not known */
	bool idle; /* the method is where a cursor happened to be: the user did not move it */
};

void selection_init(struct selection *);
void selection_release(struct selection *);
void selection_copy(struct selection *to, const struct selection *from);
/* A method, wherever; keeps the stack when it ends in that method. */
void selection_set_method(struct selection *, uint32_t method);
/* A thread; keeps the method, and the stack if it is of that thread. */
void selection_set_thread(struct selection *, uint32_t thread);
/* A path of a call tree; a root selects only the thread. */
void selection_set_path(struct selection *, const struct paths *, uint32_t path);

/* A stack with its method last; takes over the array, which is not empty. */
void selection_set_stack(struct selection *, uint32_t thread, uint32_t *stack, size_t depth);

/*
 * The path of the stack, or the nearest frame above it that is there; without a stack the
 * method's path with the most inclusive time, in the thread if there is one, or that thread.
 * PATH_NONE when there is none of these.  Costs the siblings on the way, without a stack all
 * paths.
 */
uint32_t selection_find(const struct selection *, const struct paths *, enum clock_id);
