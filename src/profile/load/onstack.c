#include <config.h>

#include "profile/load/onstack.h"

#include "base/mem.h"

static struct onstack_frames *
frames_of(struct onstack *s, uint32_t thread)
{
	uint32_t at = idmap_get(&s->of_thread, thread);

	if (at == IDMAP_NONE) {
		MEM_GROW(s->items, s->room, s->count + 1);
		at = (uint32_t)s->count++;
		s->items[at] = (struct onstack_frames){.top = NODE_NONE};
		idmap_put(&s->of_thread, thread, at);
	}
	return &s->items[at];
}

static uint32_t
frames_get(const struct onstack_frames *f, uint32_t method)
{
	uint32_t n = idmap_get(&f->frames, method);

	return n != IDMAP_NONE ? n : 0;
}

/* Counts the frame and goes to its caller. */
static uint32_t
frame_count(struct onstack_frames *f, const struct tree *t, uint32_t node, int by)
{
	uint32_t method = t->nodes[node].method;

	idmap_put(&f->frames, method, frames_get(f, method) + (uint32_t)by);
	return node_parent(&t->nodes[node]);
}

/*
 * From the stack that is counted to that of `node`, through the frame where they part:
 * callers have smaller ids than what they call, so the larger of two that differ is not
 * below the other.
 */
static void
frames_follow(struct onstack_frames *f, const struct tree *t, uint32_t node)
{
	uint32_t left = f->top, entered = node;

	while (left != entered) {
		bool left_bottom = tree_is_bottom(t, left);
		bool entered_bottom = tree_is_bottom(t, entered);

		if (left_bottom && entered_bottom)
			break;
		if (entered_bottom || (!left_bottom && left > entered))
			left = frame_count(f, t, left, -1);
		else
			entered = frame_count(f, t, entered, 1);
	}
	f->top = node;
}

bool
onstack_has(struct onstack *s, const struct tree *t, uint32_t thread, uint32_t node,
    uint32_t method)
{
	struct onstack_frames *f = frames_of(s, thread);

	frames_follow(f, t, node);
	return frames_get(f, method) > 0;
}

void
onstack_release(struct onstack *s)
{
	for (size_t i = 0; i < s->count; i++)
		idmap_release(&s->items[i].frames);
	mem_free(s->items);
	idmap_release(&s->of_thread);
	*s = (struct onstack){0};
}
