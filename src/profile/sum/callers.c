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

static uint32_t
caller_add(struct callers *c, uint32_t method, uint32_t parent)
{
	uint32_t id = c->tree.count++;

	MEM_GROW(c->tree.items, c->room, c->tree.count);
	MEM_GROW(c->parts, c->part_room, c->tree.count);
	c->tree.items[id] = (struct path){.method = method, .parent = parent};
	c->parts[id] = (struct caller_part){0};
	return id;
}

static void
caller_count(struct callers *c, uint32_t id, uint32_t path)
{
	struct path *caller = &c->tree.items[id];
	const struct path *p = &c->paths->items[path];

	c->parts[id].count++;
	caller->calls += p->calls;
	for (int k = 0; k < CLOCKS; k++) {
		caller->exclusive[k] += p->exclusive[k];
		if ((p->flags & PATH_RECURSIVE) == 0)
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

struct callers *
callers_new(const struct paths *paths)
{
	struct callers *c = mem_zero(1, sizeof(*c));
	uint32_t *root_of = mem_alloc(((size_t)paths->method_count + 1) * sizeof(*root_of));
	uint32_t n = 0;

	memset(root_of, 0xff, paths->method_count * sizeof(*root_of));
	c->paths = paths;
	c->tree.method_count = paths->method_count;
	c->slot = root_of;
	for (uint32_t id = 0; id < paths->count; id++) {
		const struct path *p = &paths->items[id];

		if (p->method == METHOD_TOPLEVEL)
			continue;
		if (root_of[p->method] == PATH_NONE)
			root_of[p->method] = caller_add(c, p->method, PATH_NONE);
		caller_count(c, root_of[p->method], id);
		n++;
	}
	c->tree.roots = c->tree.count;
	c->places = mem_alloc(((size_t)n + 1) * sizeof(*c->places));
	parts_place(c, 0, 0);
	for (uint32_t id = 0; id < paths->count; id++) {
		const struct path *p = &paths->items[id];

		if (p->method != METHOD_TOPLEVEL)
			place_put(c, root_of[p->method], (struct caller_place){id, id});
	}
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
