/*
 * pathwalk: paths from top to bottom, children in an order, without recursion.
 *
 *	struct pathwalk w = {.paths = p, .order = {...}};
 *	uint32_t depth, id;
 *
 *	while ((id = pathwalk_next(&w, &depth)) != PATH_NONE) {
 *		...
 *		if (not into it)
 *			pathwalk_skip(&w);
 *	}
 *	pathwalk_release(&w);
 *
 * Children are asked for when the next path is, so they may be made meanwhile
 * (profile/sum/callers.h).  Borrows the paths; memory grows with the siblings on the way.
 */
#ifndef SLOWTOP_REPORT_PATHWALK_H
#define SLOWTOP_REPORT_PATHWALK_H

#include <stddef.h>

#include "profile/sum/paths.h"

struct pathwalk {
	const struct paths *paths;
	struct path_order order;
	/* Private from here. */
	bool started, into;
	uint32_t last, last_depth;
	struct pathwalk_item {
		uint32_t id, depth;
	} *items; /* still to visit, the next one last */
	size_t count, room;
	const struct path **list;
	size_t list_room;
};

/* PATH_NONE at the end.  `depth`: 0 for roots. */
uint32_t pathwalk_next(struct pathwalk *, uint32_t *depth);
/* Leaves out what is below the last one. */
void pathwalk_skip(struct pathwalk *);
void pathwalk_release(struct pathwalk *);

#endif
