// SPDX-License-Identifier: Apache-2.0
/* transform_apply: the tree that a list of transforms gives. */
#include <config.h>

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "profile/sum/transform.h"

#define FRAME_NONE UINT32_MAX

struct transform_frame {
	uint32_t method;
	uint32_t parent; /* FRAME_NONE for (toplevel) */
	nsec longest, longest_at; /* as in struct node: of the outermost frame that it was */
};

/* "Above" is the nearest frame above that stays. */
enum fate {
	FATE_STAY,  /* below the one above */
	FATE_LIFT,  /* stays below `into` */
	FATE_MERGE, /* its time is the one's above, its calls go */
	FATE_JOIN,  /* its time is that of `into`, its calls go */
	FATE_GO,    /* goes with time and calls */
};

/*
 * The tree while transforms are applied to it.
 *
 * In the array of frames, each comes after the one above it.  Frames from before the
 * trace, with their roots, come first (`bottoms`), as tree.h requires of the tree that is
 * made of them.  A transform decides the fate of each frame (enum fate), then all move up
 * in the array at once: what a frame becomes is never after it.
 */
struct applying {
	struct transform_frame *frames;
	struct count *counts;
	uint32_t count, bottoms;
	bool twins; /* a path may be several frames, in one thread */
	uint32_t *roots, *open; /* by thread: frames, or FRAME_NONE */
	const struct paths_source *source;
	struct trace *trace;
	const atomic_bool *cancel;

	/* By frame, for the present transform. */
	uint8_t *fate;
	uint32_t *state; /* what the transform knows of the stack down to the frame */
	uint32_t *into;  /* a frame before it that stays; made when first needed */

	/* The present transform and its argument. */
	const struct transform *transform;
	uint8_t *matches; /* by method */
	uint8_t **path;   /* of a path of patterns: by place, by method */
	size_t depth, path_room;
	uint32_t made;          /* the method of frames that replace several */
};

/* A look at the flag now and then; true when to stop. */
static inline bool
applying_cancelled(const struct applying *a, uint32_t i)
{
	return i % 4096 == 0 && is_cancelled(a->cancel);
}

static inline bool
count_is_empty(const struct count *c)
{
	return c->calls == 0 && c->time[CLOCK_CPU] == 0 && c->time[CLOCK_WALL] == 0;
}

static bool fates_include(struct applying *);
static bool fates_below(struct applying *);

/* The fate of a frame by the stack above it ---------------------------------------- */

enum {
	STATE_OFF = INT32_MAX, /* the stack is not on the path */
	MATCH_STAYS = 2,       /* a frame of the method that matches stays */
};

typedef enum fate judge_fn(struct applying *, uint32_t frame, uint32_t above);

static const struct rule {
	judge_fn *judge;
	enum fate fates[3]; /* that it chooses from, as told there */
	bool (*all)(struct applying *); /* in its place: judges all frames */
	bool leaves_root; /* the time of (toplevel) itself goes */
} rules[TRANSFORMS];

static bool
matches(const struct applying *a, uint32_t frame)
{
	return a->matches[a->frames[frame].method] != 0;
}

/* One of those that the present rule has. */
static enum fate
fate_of(const struct applying *a, int which)
{
	return rules[a->transform->id].fates[which];
}

/* State: the stack has a frame that matches.  Fates: before that, of the first one, below it. */
static enum fate
judge_stack(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = above != 0 || matches(a, frame);
	return fate_of(a, above != 0 ? 2 : (int)a->state[frame]);
}

/* Fates: of a frame that does not match, of one that does. */
static enum fate
judge_frame(struct applying *a, uint32_t frame, uint32_t above)
{
	return fate_of(a, matches(a, frame));
}

/* State: the stack's root, + 1. */
static enum fate
judge_focus_self(struct applying *a, uint32_t frame, uint32_t above)
{
	if (above == 0)
		above = a->frames[frame].parent + 1;
	a->state[frame] = above;
	if (!matches(a, frame))
		return FATE_GO;
	a->into[frame] = above - 1;
	return FATE_LIFT;
}

/* Waiting is wall time: what the call had of the CPU is its caller's, as what it calls is. */
static enum fate
judge_idle(struct applying *a, uint32_t frame, uint32_t above)
{
	if (!matches(a, frame))
		return FATE_STAY;
	a->counts[frame].time[CLOCK_WALL] = 0;
	return FATE_MERGE;
}

/* State: the frame replaces several. */
static enum fate
judge_collapse_matches(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = matches(a, frame);
	if (a->state[frame] == 0)
		return FATE_STAY;
	if (above != 0)
		return FATE_MERGE;
	a->frames[frame].method = a->made;
	return FATE_STAY;
}

/* State: the method of the frame above, (toplevel) being 0. */
static enum fate
judge_direct_recursion(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = a->frames[frame].method;
	return above == a->state[frame] && matches(a, frame) ? FATE_MERGE : FATE_STAY;
}

/*
 * State: the innermost frame that matches and stays, + 1; `into` of such a frame is the next
 * one above it.  So each method is there once at most.  A method of which no frame stays yet
 * is not looked for: deep stacks of different methods would cost the square of their depth.
 */
static enum fate
judge_recursion(struct applying *a, uint32_t frame, uint32_t above)
{
	uint8_t *match = &a->matches[a->frames[frame].method];
	uint32_t outer = *match == MATCH_STAYS ? above : 0;

	a->state[frame] = above;
	if (*match == 0)
		return FATE_STAY;
	while (outer != 0 && a->frames[outer - 1].method != a->frames[frame].method)
		outer = a->into[outer - 1];
	*match = MATCH_STAYS;
	a->state[frame] = outer != 0 ? outer : frame + 1;
	a->into[frame] = outer != 0 ? outer - 1 : above;
	return outer != 0 ? FATE_JOIN : FATE_STAY;
}

static bool
path_matches(const struct applying *a, uint32_t place, uint32_t method)
{
	return a->path != NULL ? a->path[place][method] != 0
			       : a->transform->methods[place] == method;
}

/*
 * State: so many frames of the path; one more than all below its end; STATE_OFF.  Fates: of a
 * frame beside the path or above its end, of its end, below it.
 */
static enum fate
judge_path(struct applying *a, uint32_t frame, uint32_t above)
{
	uint32_t state = STATE_OFF;

	if (above != STATE_OFF && above >= a->depth)
		state = (uint32_t)a->depth + 1;
	else if (above != STATE_OFF && path_matches(a, above, a->frames[frame].method))
		state = above + 1;
	a->state[frame] = state;
	return fate_of(a, state == STATE_OFF || state < a->depth ? 0 : state == a->depth ? 1 : 2);
}

static const struct rule rules[TRANSFORMS] = {
    [TRANSFORM_INCLUDE] = {.all = fates_include, .leaves_root = true},
    [TRANSFORM_EXCLUDE] = {.judge = judge_stack, .fates = {FATE_STAY, FATE_GO, FATE_GO}},
    [TRANSFORM_FOCUS] = {.judge = judge_stack, .fates = {FATE_GO, FATE_STAY, FATE_STAY},
	.leaves_root = true},
    [TRANSFORM_FOCUS_SUBTREE] = {.judge = judge_path, .fates = {FATE_GO, FATE_STAY, FATE_STAY},
	.leaves_root = true},
    [TRANSFORM_FOCUS_SELF] = {.judge = judge_focus_self, .leaves_root = true},
    [TRANSFORM_FOCUS_PACKAGE] = {.judge = judge_frame, .fates = {FATE_MERGE, FATE_STAY}},
    [TRANSFORM_MERGE] = {.judge = judge_frame, .fates = {FATE_STAY, FATE_MERGE}},
    [TRANSFORM_MERGE_NODE] = {.judge = judge_path, .fates = {FATE_STAY, FATE_MERGE, FATE_STAY}},
    [TRANSFORM_DROP] = {.judge = judge_stack, .fates = {FATE_STAY, FATE_GO, FATE_GO}},
    [TRANSFORM_COLLAPSE] = {.judge = judge_stack, .fates = {FATE_STAY, FATE_STAY, FATE_MERGE}},
    [TRANSFORM_COLLAPSE_PACKAGE] = {.judge = judge_collapse_matches},
    [TRANSFORM_COLLAPSE_MATCHES] = {.judge = judge_collapse_matches},
    [TRANSFORM_RECURSION] = {.judge = judge_recursion},
    [TRANSFORM_DIRECT_RECURSION] = {.judge = judge_direct_recursion},
    [TRANSFORM_BELOW] = {.all = fates_below},
    [TRANSFORM_IDLE] = {.judge = judge_idle},
};

/* Finds the fates of all frames for the present transform.  False when cancelled. */
static bool
fates_find(struct applying *a)
{
	judge_fn *judge = rules[a->transform->id].judge;

	if (judge == NULL)
		return rules[a->transform->id].all(a);
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t parent = a->frames[i].parent;

		if (parent == FRAME_NONE) {
			a->state[i] = 0;
			a->fate[i] = FATE_STAY;
		} else {
			a->fate[i] = (uint8_t)judge(a, i, a->state[parent]);
		}
		if (applying_cancelled(a, i))
			return false;
	}
	return true;
}

/* Fates that need more than the stack: groups, frames of one path ------------------ */

/*
 * By frame, of threads together or apart; FRAME_NONE: not asked for.  The caller's to free;
 * NULL when cancelled.
 */
static uint32_t *
groups_make(struct applying *a, bool together, uint32_t *count)
{
	uint32_t *group = mem_alloc(((size_t)a->count + 1) * sizeof(*group));
	struct idmap ids = {0};
	uint32_t n = 0;
	bool whole = true;

	if (!together && !a->twins) {
		for (uint32_t i = 0; i < a->count; i++)
			group[i] = i;
		*count = a->count;
		return group;
	}
	memset(group, 0xff, a->count * sizeof(*group));
	for (uint32_t t = 0; t < a->source->thread_count; t++)
		if (a->roots[t] != FRAME_NONE && (!together || scope_has(a->source->scope, t)))
			group[a->roots[t]] = together ? 0 : n++;
	n += together;
	for (uint32_t i = 0; i < a->count && whole; i++) {
		const struct transform_frame *f = &a->frames[i];
		uint64_t key;

		if (f->parent == FRAME_NONE || group[f->parent] == FRAME_NONE)
			continue;
		key = (uint64_t)group[f->parent] << 32 | f->method;
		group[i] = idmap_add(&ids, key, n);
		n += group[i] == n;
		whole = !applying_cancelled(a, i);
	}
	idmap_release(&ids);
	*count = n;
	if (whole)
		return group;
	mem_free(group);
	return NULL;
}

/* Include ------------------------------------------------------------------------- */

enum { INCLUDE_INSIDE = 1, INCLUDE_STAYS = 2 };

/* Finds, by group, if the stack is one with a match and stays for its own or others' sake. */
static uint8_t *
include_find(const struct applying *a, const uint32_t *group, uint32_t groups)
{
	uint8_t *found = mem_zero(groups, 1);

	for (uint32_t i = 0; i < a->count; i++) {
		const struct transform_frame *f = &a->frames[i];

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

static bool
fates_include(struct applying *a)
{
	uint32_t groups, *group = groups_make(a, false, &groups);
	uint8_t *found;

	if (group == NULL)
		return false;
	found = include_find(a, group, groups);
	for (uint32_t i = 0; i < a->count; i++) {
		uint8_t is = group[i] != FRAME_NONE ? found[group[i]] : 0;
		bool root = a->frames[i].parent == FRAME_NONE;

		a->fate[i] = root || (is & INCLUDE_STAYS) != 0 ? FATE_STAY : FATE_GO;
		/* A frame that only leads to a stack that stays has no time of its own. */
		if ((is & INCLUDE_INSIDE) == 0)
			a->counts[i].time[CLOCK_CPU] = a->counts[i].time[CLOCK_WALL] = 0;
	}
	mem_free(found);
	mem_free(group);
	return true;
}

/* Below --------------------------------------------------------------------------- */

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

/*
 * State: the frame is part of one that replaces several.  Threads that are out of scope stay
 * unchanged: nothing of them is shown.
 */
static bool
fates_below(struct applying *a)
{
	uint32_t groups, *group = groups_make(a, true, &groups);
	nsec *sums, least;

	if (group == NULL)
		return false;
	sums = groups_sum(a, group, groups);
	least = share_of(sums[0], a->transform->hundredths);
	for (uint32_t i = 0; i < a->count; i++) {
		struct transform_frame *f = &a->frames[i];

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
	mem_free(sums);
	mem_free(group);
	return true;
}

/* Frames become what they become -------------------------------------------------- */

/* `state` is by frame, from here on, the frame that it became or is below of. */
static void
fates_meet(struct applying *a)
{
	uint32_t *now = a->state, bottoms = a->bottoms, n = 0;
	bool leaves_root = rules[a->transform->id].leaves_root;

	for (uint32_t i = 0; i < a->count; i++) {
		struct transform_frame f = a->frames[i];
		struct count count = a->counts[i];
		enum fate fate = (enum fate)a->fate[i];

		if (i == bottoms)
			a->bottoms = n;
		if (f.parent == FRAME_NONE && leaves_root)
			count.time[CLOCK_CPU] = count.time[CLOCK_WALL] = 0;
		if (fate == FATE_LIFT || fate == FATE_JOIN)
			f.parent = now[a->into[i]];
		else if (f.parent != FRAME_NONE)
			f.parent = now[f.parent];
		if (fate == FATE_LIFT || fate == FATE_STAY) {
			a->frames[n] = f;
			a->counts[n] = count;
			now[i] = n++;
			continue;
		}
		if (fate != FATE_GO)
			clocks_add(a->counts[f.parent].time, count.time);
		now[i] = f.parent;
	}
	if (bottoms == a->count)
		a->bottoms = n;
	a->count = n;
	for (uint32_t t = 0; t < a->source->thread_count; t++) {
		if (a->roots[t] != FRAME_NONE)
			a->roots[t] = now[a->roots[t]];
		if (a->open[t] != FRAME_NONE)
			a->open[t] = now[a->open[t]];
	}
}

/* One transform ------------------------------------------------------------------- */

/* The methods that a transform is about. */
static bool
meant_find(struct applying *a, struct err *e)
{
	const struct transform *t = a->transform;
	uint32_t count = trace_method_count(a->trace);
	struct str rest = t->text;

	if (transform_kinds[t->id].argument == ARGUMENT_PERCENT)
		return true;
	if (transform_kinds[t->id].argument == ARGUMENT_PATH) {
		a->depth = t->methods != NULL ? t->depth : 0;
		while (t->methods == NULL && rest.n > 0) {
			uint8_t *part = transform_matches(
			    t, a->trace, count, transform_path_cut(&rest), a->cancel, e);

			if (part == NULL)
				return false;
			*MEM_ADD(a->path, a->depth, a->path_room) = part;
		}
		return true;
	}
	if (t->methods == NULL) {
		a->matches = transform_matches(t, a->trace, count, t->text, a->cancel, e);
		return a->matches != NULL;
	}
	a->matches = mem_zero(count, 1);
	for (size_t i = 0; i < t->depth; i++)
		if (t->methods[i] < count)
			a->matches[t->methods[i]] = t->methods[i] != METHOD_TOPLEVEL;
	return true;
}

/* The method of frames that replace several; METHOD_NONE when there can be none. */
static uint32_t
made_method(const struct applying *a)
{
	struct sbuf name = {0};
	uint32_t method;

	sbuf_char(&name, '(');
	if (a->transform->id == TRANSFORM_BELOW)
		sbuf_text(&name, "below ");
	transform_argument_text(&name, a->transform, a->trace);
	sbuf_char(&name, ')');
	method = trace_method_made(a->trace, sbuf_view(&name));
	sbuf_release(&name);
	return method;
}

static bool
needs_made(enum transform_id id)
{
	return id == TRANSFORM_BELOW || id == TRANSFORM_COLLAPSE_PACKAGE ||
	    id == TRANSFORM_COLLAPSE_MATCHES;
}

/* False when cancelled; what cannot be met is passed over, and said in `e`. */
static bool
apply_one(struct applying *a, const struct transform *t, struct err *e)
{
	struct err why = {0};
	bool whole = true;

	a->transform = t;
	if (!meant_find(a, &why)) {
		whole = why.kind != ERR_CANCELLED;
	} else if (needs_made(t->id) && (a->made = made_method(a)) == METHOD_NONE) {
		err_set(&why, ERR_LIMIT, "too many methods for one more name");
	} else {
		whole = fates_find(a);
		if (whole)
			fates_meet(a);
		a->twins = true;
	}
	if (why.kind != ERR_NONE && e->kind == ERR_NONE)
		*e = why;
	mem_free(a->matches);
	for (size_t i = 0; a->path != NULL && i < a->depth; i++)
		mem_free(a->path[i]);
	mem_free(a->path);
	a->matches = NULL;
	a->path = NULL;
	a->path_room = 0;
	return whole;
}

/* From a tree, and to one --------------------------------------------------------- */

static void
frame_take(struct applying *a, uint32_t *frame_of, uint32_t id)
{
	const struct paths_source *s = a->source;
	uint32_t parent = s->tree->nodes[id].parent, n = a->count++;

	frame_of[id] = n;
	a->frames[n].method = source_method(s, id);
	a->frames[n].parent = parent != NODE_NONE ? frame_of[parent] : FRAME_NONE;
	a->frames[n].longest = s->tree->nodes[id].longest;
	a->frames[n].longest_at = s->tree->nodes[id].longest_at;
	a->counts[n] = tree_count_of(s->tree, s->counts, id);
}

/* Ids ascend from parents to children, except bottoms, which are above older frames. */
static void
frames_take(struct applying *a)
{
	const struct paths_source *s = a->source;
	uint32_t *frame_of = mem_alloc(s->tree->count * sizeof(*frame_of));

	frame_of[NODE_NONE] = FRAME_NONE;
	for (uint32_t id = NODE_NONE; (id = tree_next(s->tree, id)) != NODE_NONE;) {
		frame_take(a, frame_of, id);
		a->bottoms += tree_is_bottom(s->tree, id);
	}
	/* As recorded, only a frame from before the trace can have another of its path. */
	for (uint32_t i = 0; i < a->bottoms; i++)
		a->twins |= a->frames[i].parent != FRAME_NONE;
	for (uint32_t t = 0; t < s->thread_count; t++) {
		a->roots[t] = frame_of[s->roots[t]];
		a->open[t] = s->open != NULL ? frame_of[s->open[t]] : FRAME_NONE;
		if (s->idle && a->roots[t] != FRAME_NONE)
			memset(a->counts[a->roots[t]].time, 0, sizeof(a->counts->time));
	}
	mem_free(frame_of);
}

/* Bottoms in reverse order, so that they are above their children again. */
static uint32_t
frame_id(const struct applying *a, uint32_t frame)
{
	if (frame == FRAME_NONE)
		return NODE_NONE;
	return frame < a->bottoms ? a->bottoms - frame : frame + 1;
}

static struct transformed *
frames_give(const struct applying *a)
{
	struct transformed *x = mem_zero(1, sizeof(*x));
	struct tree *t = &x->tree;

	tree_init_room(t, a->count + 1);
	t->count = t->limit = a->count + 1;
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t id = frame_id(a, i), parent = frame_id(a, a->frames[i].parent);

		t->nodes[id] =
		    (struct node){.method = a->frames[i].method, .parent = parent,
		    .longest = a->frames[i].longest, .longest_at = a->frames[i].longest_at};
		tree_count_add(t, id, &a->counts[i]);
		if (parent != NODE_NONE) {
			t->nodes[id].sibling = t->nodes[parent].child;
			t->nodes[parent].child = id;
		}
	}
	for (uint32_t i = 0; i < a->source->thread_count; i++) {
		a->roots[i] = frame_id(a, a->roots[i]);
		a->open[i] = frame_id(a, a->open[i]);
	}
	x->roots = a->roots;
	x->open = a->open;
	x->thread_count = a->source->thread_count;
	x->method_count = trace_method_count(a->trace);
	return x;
}

struct transformed *
transform_apply(const struct transforms *list, struct trace *trace,
    const struct paths_source *source, const atomic_bool *cancel)
{
	struct applying a = {.source = source, .trace = trace, .cancel = cancel};
	size_t nodes = source->tree->count, threads = (size_t)source->thread_count + 1;
	struct transformed *x = NULL;
	struct err err = {0};
	bool whole = true;

	a.frames = mem_alloc(nodes * sizeof(*a.frames));
	a.counts = mem_alloc(nodes * sizeof(*a.counts));
	a.fate = mem_alloc(nodes);
	a.state = mem_zero(nodes, sizeof(*a.state));
	a.into = mem_alloc(nodes * sizeof(*a.into));
	a.roots = mem_alloc(threads * sizeof(*a.roots));
	a.open = mem_alloc(threads * sizeof(*a.open));
	frames_take(&a);
	for (size_t i = 0; i < list->count && whole; i++)
		if (!list->list[i].off)
			whole = apply_one(&a, &list->list[i], &err);
	if (whole) {
		x = frames_give(&a);
		x->err = err;
	} else {
		mem_free(a.roots);
		mem_free(a.open);
	}
	mem_free(a.frames);
	mem_free(a.counts);
	mem_free(a.fate);
	mem_free(a.state);
	mem_free(a.into);
	return x;
}

struct transformed *
transform_profile(const struct transforms *list, const struct profile *p,
    const struct scope *scope, const struct range_sums *sums, bool folded,
    const atomic_bool *cancel)
{
	struct paths_source source = paths_source_of(p, scope, sums);
	struct transformed *x;

	source.folded = folded ? p->trace : NULL;
	x = transform_apply(list, p->trace, &source, cancel);
	paths_source_release(&source);
	return x;
}

void
transformed_free(struct transformed *x)
{
	if (x == NULL)
		return;
	tree_release(&x->tree);
	mem_free(x->roots);
	mem_free(x->open);
	mem_free(x);
}

struct paths_source
transformed_source(const struct transformed *x, const struct paths_source *from)
{
	struct paths_source s = *from;

	s.tree = &x->tree;
	s.counts = NULL;
	s.roots = x->roots;
	s.open = from->open != NULL ? x->open : NULL;
	s.method_count = x->method_count;
	s.folded = NULL; /* its methods are those already */
	s.idle = false; /* a root's own time is now that of removed frames of slices */
	return s;
}
