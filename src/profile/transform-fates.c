/* What each transform makes of a frame. */
#include <config.h>

#include "profile/transform-apply.h"

enum { STATE_OFF = INT32_MAX }; /* the stack is not on the path */

/* What becomes of a frame, from what is known of the stack above it ------------------ */

typedef enum fate judge_fn(struct applying *, uint32_t frame, uint32_t above);

static bool
matches(const struct applying *a, uint32_t frame)
{
	return a->matches[a->frames[frame].method] != 0;
}

/* State: the stack has a frame that matches. */
static enum fate
judge_drop(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = above != 0 || matches(a, frame);
	return a->state[frame] != 0 ? FATE_GO : FATE_STAY;
}

static enum fate
judge_focus(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = above != 0 || matches(a, frame);
	return a->state[frame] != 0 ? FATE_STAY : FATE_GO;
}

static enum fate
judge_collapse(struct applying *a, uint32_t frame, uint32_t above)
{
	a->state[frame] = above != 0 || matches(a, frame);
	return above != 0 ? FATE_MERGE : FATE_STAY;
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

static enum fate
judge_merge(struct applying *a, uint32_t frame, uint32_t above)
{
	(void)above;
	return matches(a, frame) ? FATE_MERGE : FATE_STAY;
}

static enum fate
judge_focus_package(struct applying *a, uint32_t frame, uint32_t above)
{
	(void)above;
	return matches(a, frame) ? FATE_STAY : FATE_MERGE;
}

/* State: the frame stands for several. */
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

static bool
path_matches(const struct applying *a, uint32_t place, uint32_t method)
{
	return a->path != NULL ? a->path[place][method] != 0
			       : a->transform->methods[place] == method;
}

/* State: so many frames of the path; one more than all below its end; STATE_OFF. */
static uint32_t
path_state(struct applying *a, uint32_t frame, uint32_t above)
{
	uint32_t state = STATE_OFF;

	if (above != STATE_OFF && above >= a->depth)
		state = (uint32_t)a->depth + 1;
	else if (above != STATE_OFF && path_matches(a, above, a->frames[frame].method))
		state = above + 1;
	a->state[frame] = state;
	return state;
}

static enum fate
judge_focus_subtree(struct applying *a, uint32_t frame, uint32_t above)
{
	uint32_t state = path_state(a, frame, above);

	return state != STATE_OFF && state >= a->depth ? FATE_STAY : FATE_GO;
}

static enum fate
judge_merge_node(struct applying *a, uint32_t frame, uint32_t above)
{
	return path_state(a, frame, above) == a->depth ? FATE_MERGE : FATE_STAY;
}

static const struct {
	judge_fn *judge;
	bool (*all)(struct applying *); /* in its place: judges all frames */
	bool leaves_root; /* the time of (toplevel) itself goes */
} rules[TRANSFORMS] = {
    [TRANSFORM_INCLUDE] = {.all = fates_include, .leaves_root = true},
    [TRANSFORM_EXCLUDE] = {.judge = judge_drop},
    [TRANSFORM_FOCUS] = {.judge = judge_focus, .leaves_root = true},
    [TRANSFORM_FOCUS_SUBTREE] = {.judge = judge_focus_subtree, .leaves_root = true},
    [TRANSFORM_FOCUS_SELF] = {.judge = judge_focus_self, .leaves_root = true},
    [TRANSFORM_FOCUS_PACKAGE] = {.judge = judge_focus_package},
    [TRANSFORM_MERGE] = {.judge = judge_merge},
    [TRANSFORM_MERGE_NODE] = {.judge = judge_merge_node},
    [TRANSFORM_DROP] = {.judge = judge_drop},
    [TRANSFORM_COLLAPSE] = {.judge = judge_collapse},
    [TRANSFORM_COLLAPSE_PACKAGE] = {.judge = judge_collapse_matches},
    [TRANSFORM_COLLAPSE_MATCHES] = {.judge = judge_collapse_matches},
    [TRANSFORM_RECURSION] = {.all = fates_recursion},
    [TRANSFORM_DIRECT_RECURSION] = {.judge = judge_direct_recursion},
    [TRANSFORM_BELOW] = {.all = fates_below},
};

bool
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

bool
fates_leave_root(enum transform_id id)
{
	return rules[id].leaves_root;
}
