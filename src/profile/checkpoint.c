#include <config.h>

#include "profile/checkpoint.h"

#include "base/mem.h"

enum {
	EVERY_FIRST = 8192,           /* records; decoded again in well under a millisecond */
	BYTES_MAX = 4 * 1024 * 1024,
};

uint32_t
checkpoint_lower(const struct tree *t, uint32_t a, uint32_t b)
{
	bool bottom_a = tree_is_bottom(t, a), bottom_b = tree_is_bottom(t, b);

	/* Frames are made after their callers, but adopted ones and roots before. */
	if (bottom_a != bottom_b)
		return bottom_a ? a : b;
	return (a < b) != bottom_a ? a : b;
}

/* Drops every other checkpoint; the one after takes over what it said of `low`. */
static void
checkpoint_thin(struct profile *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->checkpoint_count; i++) {
		struct checkpoint *c = &p->checkpoints[i];

		if (i % 2 == 0 || i + 1 == p->checkpoint_count) {
			p->checkpoints[kept++] = *c;
			continue;
		}
		for (uint32_t l = 0; l < c->lane_count; l++) {
			struct lane_mark *next = &c[1].lanes[l];

			if (c->lanes[l].node != NODE_NONE)
				next->low = checkpoint_lower(&p->tree, c->lanes[l].low, next->low);
		}
		p->checkpoint_bytes -= c->lane_count * sizeof(*c->lanes) + sizeof(*c);
		mem_free(c->lanes);
	}
	p->checkpoint_count = kept;
	p->checkpoint_every *= 2;
}

void
checkpoint_take(struct profile *p)
{
	struct checkpoint *c;

	if (p->records < p->checkpoint_next)
		return;
	if (p->checkpoint_every == 0)
		p->checkpoint_every = EVERY_FIRST;
	while (p->checkpoint_bytes > BYTES_MAX && p->checkpoint_count > 2)
		checkpoint_thin(p);
	MEM_GROW(p->checkpoints, p->checkpoint_room, p->checkpoint_count + 1);
	c = &p->checkpoints[p->checkpoint_count++];
	c->at = p->at;
	c->lane_count = p->lane_count;
	c->lanes = mem_alloc(p->lane_count * sizeof(*c->lanes));
	for (uint32_t i = 0; i < p->lane_count; i++) {
		struct lane *lane = &p->lanes[i];

		c->lanes[i] = (struct lane_mark){
			.node = lane->node,
			.low = lane->low,
			.raw = {lane->raw[CLOCK_CPU], lane->raw[CLOCK_WALL]},
			.time = {lane_time(lane, CLOCK_CPU), lane_time(lane, CLOCK_WALL)},
			.wraps = {(uint32_t)lane->wraps[CLOCK_CPU], (uint32_t)lane->wraps[CLOCK_WALL]},
			.records = (uint32_t)lane->records,
		};
		lane->low = lane->node;
	}
	p->checkpoint_bytes += p->lane_count * sizeof(*c->lanes) + sizeof(*c);
	p->checkpoint_next = p->records + p->checkpoint_every;
}

void
checkpoint_release(struct profile *p)
{
	for (size_t i = 0; i < p->checkpoint_count; i++)
		mem_free(p->checkpoints[i].lanes);
	mem_free(p->checkpoints);
}
