/*
 * nested: which nodes of the tree have their own method above them, too.
 *
 * A bit for each node, set for calls that are recursive; frames adopted from before the
 * trace do not count.  Of a loaded profile; mem_free.
 */
#ifndef SLOWTOP_REPORT_NESTED_H
#define SLOWTOP_REPORT_NESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/* Costs the nodes. */
uint8_t *nested_find(const struct profile *);

static inline bool
nested_has(const uint8_t *nested, uint32_t node)
{
	return (nested[node >> 3] >> (node & 7) & 1) != 0;
}

#endif
