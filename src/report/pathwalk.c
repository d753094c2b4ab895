#include <config.h>

#include "report/pathwalk.h"

#include "base/mem.h"

static void
children_push(struct pathwalk *w, uint32_t id, uint32_t depth)
{
	const struct paths *p = w->paths;
	uint32_t count = id == PATH_NONE ? p->roots : p->items[id].children;

	if (count == 0)
		return;
	MEM_GROW(w->list, w->list_room, count);
	MEM_GROW(w->items, w->room, w->count + count);
	paths_children(p, id, &w->order, w->list);
	for (uint32_t i = count; i-- > 0;)
		w->items[w->count++] = (struct pathwalk_item){paths_id(p, w->list[i]), depth};
}

uint32_t
pathwalk_next(struct pathwalk *w, uint32_t *depth)
{
	if (!w->started)
		children_push(w, PATH_NONE, 0);
	else if (w->into)
		children_push(w, w->last, w->last_depth + 1);
	w->started = w->into = true;
	if (w->count == 0) {
		w->into = false;
		return PATH_NONE;
	}
	w->count--;
	w->last = w->items[w->count].id;
	*depth = w->last_depth = w->items[w->count].depth;
	return w->last;
}

void
pathwalk_skip(struct pathwalk *w)
{
	w->into = false;
}

void
pathwalk_release(struct pathwalk *w)
{
	mem_free(w->items);
	mem_free(w->list);
	*w = (struct pathwalk){.paths = NULL};
}
