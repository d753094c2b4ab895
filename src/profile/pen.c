#include <config.h>

#include "profile/pen.h"

#include "profile/partition.h"

void
pens_draw(struct pens *pens, struct walk *w, const struct batch *b)
{
	struct batch_runs list;

	batch_runs(&list, b);
	for (uint32_t i = 0; i < list.count && pens->down > 0; i++) {
		struct runs runs = batch_run(&list, i);
		struct stack *stack = &w->stacks[list.threads[i]];
		struct pen *pen = &pens->items[list.threads[i]];

		/* What loading did not meet: the file is not what it was. */
		if (list.threads[i] >= pens->count || !pen->down)
			continue;
		runs_draw(&runs, w, stack, b->count, pen->strip, NULL);
		pen->down = stack_time(stack, w->profile->axis) < pen->until;
		pens->down -= !pen->down;
	}
}
