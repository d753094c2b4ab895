// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/callers.h"

#include <string.h>

#include "base/mem.h"

/* A path that ends in the topmost method, and the frame of it that is the caller's. */
struct caller_place {
	uint32_t path, frame;
};

struct caller_part {
	uint32_t first, count; /* of places */
};

/* Where a path is that ends in a method of the set. */
enum path_inside {
	INSIDE_SET = 1 << 0,  /* a method of the set is somewhere above */
	FROM_SET = 1 << 1,    /* one calls it */
};

static uint32_t
caller_add(struct callers *c, uint32_t method, uint32_t parent)
{
	uint32_t id = c->tree.count++;

	MEM_GROW(c->tree.items, c->room, c->tree.count);
	MEM_GROW(c->parts, c->part_room, c->tree.count);
	c->tree.items[id] = (struct path){.method = method, .parent = parent,
	    .flags = parent != PATH_NONE ? c->tree.items[parent].flags & CALLER_SET : 0};
	c->parts[id] = (struct caller_part){0};
	return id;
}

static void
caller_count(struct callers *c, uint32_t id, uint32_t path)
{
	struct path *caller = &c->tree.items[id];
	const struct path *p = &c->paths->items[path];
	bool set = (caller->flags & CALLER_SET) != 0;

	/* One that is not known leaves it unknown. */
	if (c->parts[id].count++ == 0 || p->longest < 0 ||
	    (caller->longest >= 0 && p->longest > caller->longest)) {
		caller->longest = p->longest;
		caller->longest_at = p->longest_at;
	}
	if (!set || (c->inside[path] & FROM_SET) == 0)
		caller->calls += p->calls;
	for (int k = 0; k < CLOCKS; k++) {
		caller->exclusive[k] += p->exclusive[k];
		if (set ? c->inside[path] == 0 : (p->flags & PATH_RECURSIVE) == 0)
			caller->inclusive[k] += p->inclusive[k];
	}
}

/* Gives the callers from `from` on their parts of the places, which begin at `first`. */
static void
parts_place(struct callers *c, uint32_t from, uint32_t first)
{
	for (uint32_t id = from; id < c->tree.count; id++) {
		c->parts[id].first = first;
		first += c->parts[id].count;
		c->parts[id].count = 0; /* counted again as they come */
	}
}

static void
place_put(struct callers *c, uint32_t id, struct caller_place place)
{
	struct caller_part *part = &c->parts[id];

	c->places[part->first + part->count++] = place;
}

/* Begins with the callers of the set as one; returns by path the outermost frame of a run of it. */
static uint32_t *
set_begin(struct callers *c, const uint8_t *set)
{
	const struct path *items = c->paths->items;
	uint32_t *outermost = mem_alloc(((size_t)c->paths->count + 1) * sizeof(*outermost));
	uint32_t root = caller_add(c, METHOD_TOPLEVEL, PATH_NONE);

	c->tree.items[root].flags = CALLER_SET;
	c->inside = mem_zero((size_t)c->paths->count + 1, sizeof(*c->inside));
	for (uint32_t id = 0; id < c->paths->count; id++) {
		uint32_t above = items[id].parent;

		outermost[id] = id;
		if (above != PATH_NONE && set[items[above].method] != 0) {
			outermost[id] = outermost[above];
			c->inside[id] = INSIDE_SET | FROM_SET;
		} else if (above != PATH_NONE) {
			c->inside[id] = c->inside[above] & INSIDE_SET;
		}
		if (set[items[id].method] != 0)
			caller_count(c, root, id);
	}
	for (uint32_t m = 0; m < c->paths->method_count; m++)
		c->tree.items[root].threads += set[m];
	return outermost;
}

struct callers *
callers_new(const struct paths *paths, const uint8_t *set)
{
	struct callers *c = mem_zero(1, sizeof(*c));
	uint32_t *root_of = mem_alloc(((size_t)paths->method_count + 1) * sizeof(*root_of));
	uint32_t *outermost = NULL, n = 0;

	memset(root_of, 0xff, paths->method_count * sizeof(*root_of));
	c->paths = paths;
	c->tree.method_count = paths->method_count;
	c->slot = root_of;
	if (set != NULL)
		outermost = set_begin(c, set);
	for (uint32_t id = 0; id < paths->count; id++) {
		const struct path *p = &paths->items[id];

		if (p->method == METHOD_TOPLEVEL || (set != NULL && set[p->method] == 0))
			continue;
		if (root_of[p->method] == PATH_NONE)
			root_of[p->method] = caller_add(c, p->method, PATH_NONE);
		caller_count(c, root_of[p->method], id);
		n++;
	}
	c->tree.roots = c->tree.count;
	c->places = mem_alloc(((size_t)n * (set != NULL ? 2 : 1) + 1) * sizeof(*c->places));
	parts_place(c, 0, 0);
	for (uint32_t id = 0; id < paths->count; id++) {
		const struct path *p = &paths->items[id];

		if (p->method == METHOD_TOPLEVEL || (set != NULL && set[p->method] == 0))
			continue;
		place_put(c, root_of[p->method], (struct caller_place){id, id});
		if (set != NULL)
			place_put(c, 0, (struct caller_place){id, outermost[id]});
	}
	mem_free(outermost);
	return c;
}

void
callers_free(struct callers *c)
{
	if (c == NULL)
		return;
	mem_free(c->tree.items);
	mem_free(c->parts);
	mem_free(c->places);
	mem_free(c->slot);
	mem_free(c->inside);
	mem_free(c->moved);
	mem_free(c);
}

/* The caller of that method among those made since `from`, or a new one. */
static uint32_t
caller_get(struct callers *c, uint32_t method, uint32_t parent, uint32_t from)
{
	uint32_t id = c->slot[method];

	if (id < from || id >= c->tree.count)
		id = c->slot[method] = caller_add(c, method, parent);
	return id;
}

void
callers_expand(struct callers *c, uint32_t id)
{
	const struct path *paths = c->paths->items;
	struct caller_part part = c->parts[id];
	uint32_t from = c->tree.count, ended = 0;

	if ((c->tree.items[id].flags & CALLER_EXPANDED) != 0)
		return;
	MEM_GROW(c->moved, c->moved_room, part.count);
	for (uint32_t i = 0; i < part.count; i++) {
		struct caller_place place = c->places[part.first + i];
		uint32_t frame = paths[place.frame].parent;

		if (frame == PATH_NONE) {
			ended++;
			continue;
		}
		c->moved[i - ended] = (struct caller_place){place.path, frame};
		caller_count(c, caller_get(c, paths[frame].method, id, from), place.path);
	}
	/* A caller's own part is not asked for again: its callers divide it among them. */
	parts_place(c, from, part.first);
	for (uint32_t i = 0; i < part.count - ended; i++)
		place_put(c, c->slot[paths[c->moved[i].frame].method], c->moved[i]);
	for (uint32_t k = from; k < c->tree.count; k++) {
		if (c->tree.items[k].method == METHOD_TOPLEVEL)
			c->tree.items[k].flags |= CALLER_EXPANDED | CALLER_LAST;
	}
	c->tree.items[id].child = from;
	c->tree.items[id].children = c->tree.count - from;
	c->tree.items[id].flags |= CALLER_EXPANDED;
	if (from == c->tree.count)
		c->tree.items[id].flags |= CALLER_LAST;
}

uint32_t
callers_cost(const struct callers *c, uint32_t id)
{
	return (c->tree.items[id].flags & CALLER_EXPANDED) != 0 ? 0 : c->parts[id].count;
}

size_t
callers_below(const struct callers *c, uint32_t id, size_t most)
{
	const struct path *paths = c->paths->items;
	const struct caller_part *part = &c->parts[id];
	uint32_t above = paths_depth(&c->tree, id);
	size_t count = 0;

	for (uint32_t i = 0; i < part->count && count < most; i++) {
		uint32_t frame = c->places[part->first + i].path, levels = 0;

		while ((frame = paths[frame].parent) != PATH_NONE && count < most)
			count += ++levels > above;
	}
	return count;
}
