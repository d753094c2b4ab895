/* Transforms that need more of the tree than the stack of a frame. */
#include <config.h>

#include "profile/transform-apply.h"

#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"

/* Groups: frames of one path --------------------------------------------------- */

/* By frame, of threads together or apart; FRAME_NONE: not asked for.  Owned by the caller. */
static bool
groups_make(struct applying *a, bool together, uint32_t *group, uint32_t *count)
{
	struct idmap ids = {0};
	uint32_t n = 0;
	bool whole = true;

	if (!together && !a->twins) {
		for (uint32_t i = 0; i < a->count; i++)
			group[i] = i;
		*count = a->count;
		return true;
	}
	memset(group, 0xff, a->count * sizeof(*group));
	for (uint32_t t = 0; t < a->source->thread_count; t++)
		if (a->roots[t] != FRAME_NONE && (!together || scope_has(a->source->scope, t)))
			group[a->roots[t]] = together ? 0 : n++;
	n += together;
	for (uint32_t i = 0; i < a->count && whole; i++) {
		const struct frame *f = &a->frames[i];
		uint64_t key;

		if (f->parent == FRAME_NONE || group[f->parent] == FRAME_NONE)
			continue;
		key = (uint64_t)group[f->parent] << 32 | f->method;
		group[i] = idmap_get(&ids, key);
		if (group[i] == IDMAP_NONE) {
			group[i] = n++;
			idmap_put(&ids, key, group[i]);
		}
		whole = !applying_cancelled(a, i);
	}
	idmap_release(&ids);
	*count = n;
	return whole;
}

/* Include ----------------------------------------------------------------- */

enum { INCLUDE_INSIDE = 1, INCLUDE_STAYS = 2 };

/* By group: is the stack one with a match, and does it stay for its own or others' sake? */
static uint8_t *
include_find(const struct applying *a, const uint32_t *group, uint32_t groups)
{
	uint8_t *found = mem_zero(groups, 1);

	for (uint32_t i = 0; i < a->count; i++) {
		const struct frame *f = &a->frames[i];

		if (group[i] != FRAME_NONE && f->parent != FRAME_NONE &&
		    (found[group[f->parent]] != 0 || a->matches[f->method] != 0))
			found[group[i]] = INCLUDE_INSIDE;
	}
	for (uint32_t i = a->count; i-- > 0;) {
		uint32_t parent = a->frames[i].parent;

		if (group[i] == FRAME_NONE)
			continue;
		if (found[group[i]] == INCLUDE_INSIDE && !count_is_empty(&a->counts[i]))
			found[group[i]] |= INCLUDE_STAYS;
		if ((found[group[i]] & INCLUDE_STAYS) != 0 && parent != FRAME_NONE)
			found[group[parent]] |= INCLUDE_STAYS;
	}
	return found;
}

bool
fates_include(struct applying *a)
{
	uint32_t *group = mem_alloc(((size_t)a->count + 1) * sizeof(*group)), groups;
	bool whole = groups_make(a, false, group, &groups);
	uint8_t *found = whole ? include_find(a, group, groups) : NULL;

	for (uint32_t i = 0; i < a->count && whole; i++) {
		uint8_t is = group[i] != FRAME_NONE ? found[group[i]] : 0;
		bool root = a->frames[i].parent == FRAME_NONE;

		a->fate[i] = root || (is & INCLUDE_STAYS) != 0 ? FATE_STAY : FATE_GO;
		/* What only leads to a stack that stays has no time of its own. */
		if ((is & INCLUDE_INSIDE) == 0)
			a->counts[i].time[CLOCK_CPU] = a->counts[i].time[CLOCK_WALL] = 0;
	}
	mem_free(found);
	mem_free(group);
	return whole;
}

/* Recursion --------------------------------------------------------------- */

struct level {
	uint32_t frame;
	uint32_t depth; /* of the stack before it */
	bool pushed;
	uint32_t was, place; /* what stood there on the stack, and in `place` */
};

/*
 * Goes down the tree with the stack as it becomes.  To come back from a frame puts back
 * what it wrote, so the parts of the stack that a joined frame hides are there again
 * afterwards.
 */
struct recursion {
	struct applying *a;
	uint32_t *child, *sibling; /* by frame */
	uint32_t *stack;           /* frames that stay */
	size_t stack_room;
	uint32_t depth;
	uint32_t *place; /* by method: where on the stack it was put last, + 1 */
	struct level *levels;
	size_t level_count, level_room;
};

static void
children_link(struct recursion *r)
{
	const struct applying *a = r->a;

	r->child = mem_alloc(((size_t)a->count + 1) * sizeof(*r->child));
	r->sibling = mem_alloc(((size_t)a->count + 1) * sizeof(*r->sibling));
	memset(r->child, 0xff, a->count * sizeof(*r->child));
	for (uint32_t i = a->count; i-- > 0;) {
		uint32_t parent = a->frames[i].parent;

		r->sibling[i] = parent != FRAME_NONE ? r->child[parent] : FRAME_NONE;
		if (parent != FRAME_NONE)
			r->child[parent] = i;
	}
}

/* The frame of the method that is on the stack, or FRAME_NONE. */
static uint32_t
stack_find(const struct recursion *r, uint32_t method)
{
	uint32_t place = r->place[method], frame;

	if (place == 0 || place > r->depth)
		return FRAME_NONE;
	frame = r->stack[place - 1];
	return r->a->frames[frame].method == method ? frame : FRAME_NONE;
}

static void
level_enter(struct recursion *r, uint32_t frame)
{
	struct applying *a = r->a;
	uint32_t method = a->frames[frame].method, outer = FRAME_NONE;
	struct level *level;

	MEM_GROW(r->levels, r->level_room, r->level_count + 1);
	level = &r->levels[r->level_count++];
	*level = (struct level){.frame = frame, .depth = r->depth};
	if (a->matches[method] != 0)
		outer = stack_find(r, method);
	if (outer != FRAME_NONE) {
		a->fate[frame] = FATE_JOIN;
		a->into[frame] = outer;
		r->depth = r->place[method];
		return;
	}
	a->fate[frame] = FATE_STAY;
	MEM_GROW(r->stack, r->stack_room, (size_t)r->depth + 1);
	level->pushed = true;
	level->was = r->stack[r->depth];
	level->place = r->place[method];
	r->stack[r->depth++] = frame;
	r->place[method] = r->depth;
}

static void
level_leave(struct recursion *r)
{
	const struct level *level = &r->levels[--r->level_count];

	r->depth = level->depth;
	if (!level->pushed)
		return;
	r->stack[r->depth] = level->was;
	r->place[r->a->frames[level->frame].method] = level->place;
}

bool
fates_recursion(struct applying *a)
{
	struct recursion r = {.a = a};
	uint32_t methods = trace_method_count(a->trace), visited = 0;
	bool whole = true;

	children_link(&r);
	MEM_GROW(r.stack, r.stack_room, 1024);
	memset(r.stack, 0xff, r.stack_room * sizeof(*r.stack));
	r.place = mem_zero(methods, sizeof(*r.place));
	for (uint32_t root = 0; root < a->count && whole; root++) {
		uint32_t next = root;

		if (a->frames[root].parent != FRAME_NONE)
			continue;
		while (next != FRAME_NONE && whole) {
			level_enter(&r, next);
			next = r.child[next];
			while (next == FRAME_NONE && r.level_count > 0) {
				next = r.sibling[r.levels[r.level_count - 1].frame];
				level_leave(&r);
			}
			whole = !applying_cancelled(a, ++visited);
		}
	}
	mem_free(r.child);
	mem_free(r.sibling);
	mem_free(r.stack);
	mem_free(r.place);
	mem_free(r.levels);
	return whole;
}

/* Below ------------------------------------------------------------------- */

/* hundredths of a percent of the total, rounded up: what is less is below. */
static nsec
share_of(nsec total, uint32_t hundredths)
{
	nsec whole = total / 10000, rest = total % 10000;

	return whole * hundredths + (rest * hundredths + 9999) / 10000;
}

static nsec *
groups_sum(const struct applying *a, const uint32_t *group, uint32_t groups)
{
	enum clock_id clock = trace_default_clock(a->trace);
	nsec *inclusive = mem_alloc(((size_t)a->count + 1) * sizeof(*inclusive));
	nsec *sums = mem_zero((size_t)groups + 1, sizeof(*sums));

	for (uint32_t i = 0; i < a->count; i++)
		inclusive[i] = a->counts[i].time[clock];
	for (uint32_t i = a->count; i-- > 0;) {
		uint32_t parent = a->frames[i].parent;

		if (parent != FRAME_NONE)
			inclusive[parent] += inclusive[i];
		if (group[i] != FRAME_NONE)
			sums[group[i]] += inclusive[i];
	}
	mem_free(inclusive);
	return sums;
}

/* State: the frame is part of one that stands for several. */
static void
below_judge(struct applying *a, const uint32_t *group, const nsec *sums)
{
	nsec least = share_of(sums[0], a->transform->hundredths);

	for (uint32_t i = 0; i < a->count; i++) {
		struct frame *f = &a->frames[i];

		a->fate[i] = FATE_STAY;
		a->state[i] = 0;
		if (f->parent == FRAME_NONE || group[i] == FRAME_NONE)
			continue;
		if (a->state[f->parent] != 0) {
			a->fate[i] = FATE_MERGE;
			a->state[i] = 1;
		} else if (sums[group[i]] < least) {
			f->method = a->made;
			a->state[i] = 1;
		}
	}
}

/* Threads that are out of scope stay as they are: nothing of them is shown. */
bool
fates_below(struct applying *a)
{
	uint32_t *group = mem_alloc(((size_t)a->count + 1) * sizeof(*group)), groups;
	bool whole = groups_make(a, true, group, &groups);
	nsec *sums = whole ? groups_sum(a, group, groups) : NULL;

	if (whole)
		below_judge(a, group, sums);
	mem_free(sums);
	mem_free(group);
	return whole;
}
