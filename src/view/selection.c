// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/selection.h"

#include "base/mem.h"

void
selection_init(struct selection *s)
{
	*s = (struct selection){.method = METHOD_NONE, .thread = THREAD_NONE};
}

void
selection_release(struct selection *s)
{
	mem_free(s->stack);
	selection_init(s);
}

void
selection_copy(struct selection *to, const struct selection *from)
{
	uint32_t *stack = mem_dup(from->stack, from->depth, sizeof(*stack));

	mem_free(to->stack);
	*to = *from;
	to->stack = stack;
}

void
selection_set_method(struct selection *s, uint32_t method)
{
	s->idle = false;
	if (s->method == method)
		return;
	s->method = method;
	s->thread = THREAD_NONE;
	s->depth = 0;
}

void
selection_set_thread(struct selection *s, uint32_t thread)
{
	if (s->thread == thread)
		return;
	s->thread = thread;
	s->depth = 0;
}

void
selection_set_path(struct selection *s, const struct paths *p, uint32_t path)
{
	uint32_t depth = paths_depth(p, path), id = path;

	s->stack = mem_resize(s->stack, depth + 1, sizeof(*s->stack));
	s->depth = depth;
	for (; depth > 0; id = p->items[id].parent)
		s->stack[--depth] = p->items[id].method;
	s->thread = p->root_thread[id];
	s->idle = false;
	s->method = s->depth > 0 ? p->items[path].method : METHOD_NONE;
}

void
selection_set_stack(struct selection *s, uint32_t thread, uint32_t *stack, size_t depth)
{
	mem_free(s->stack);
	*s = (struct selection){stack[depth - 1], thread, stack, depth, false};
}

/* Follows the stack down from a root as far as there are paths. */
static uint32_t
find_below(const struct selection *s, const struct paths *p, uint32_t root, size_t *depth)
{
	uint32_t id = root;

	for (*depth = 0; *depth < s->depth; ++*depth) {
		uint32_t child = paths_child(p, id, s->stack[*depth]);

		if (child == PATH_NONE)
			break;
		id = child;
	}
	return id;
}

static uint32_t
find_stack(const struct selection *s, const struct paths *p)
{
	uint32_t best = PATH_NONE;
	size_t most = 0;

	for (uint32_t r = 0; r < p->roots; r++) {
		size_t depth;
		uint32_t id = find_below(s, p, r, &depth);

		/* The thread itself before others that have the stack, too. */
		if (best == PATH_NONE || depth > most ||
		    (depth == most && p->root_thread[r] == s->thread)) {
			best = id;
			most = depth;
		}
	}
	return best;
}

static bool
is_below(const struct paths *p, uint32_t path, uint32_t root)
{
	while (path >= p->roots)
		path = p->items[path].parent;
	return path == root;
}

uint32_t
selection_find(const struct selection *s, const struct paths *p, enum clock_id clock)
{
	uint32_t best = PATH_NONE, root = PATH_NONE;

	if (s->depth > 0)
		return find_stack(s, p);
	/* None where no thread is selected, or it has no root of its own. */
	for (uint32_t r = p->roots; r-- > 0 && s->thread != THREAD_NONE;)
		if (p->root_thread[r] == s->thread)
			root = r;
	for (uint32_t id = p->roots; id < p->count && !s->idle && s->method != METHOD_NONE; id++) {
		const struct path *path = &p->items[id];

		if (path->method == s->method && (path->flags & PATH_RECURSIVE) == 0 &&
		    (best == PATH_NONE ||
			path->inclusive[clock] > p->items[best].inclusive[clock]) &&
		    (root == PATH_NONE || is_below(p, id, root)))
			best = id;
	}
	return best != PATH_NONE ? best : root;
}
