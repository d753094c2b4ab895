#include <config.h>

#include "profile/strand-tasks.h"

#include <stdlib.h>

#include "base/mem.h"

static int
task_order(const void *left, const void *right)
{
	const struct task *a = left, *b = right;

	if (a->strand->records != b->strand->records)
		return a->strand->records < b->strand->records ? 1 : -1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

void
tasks_order(struct tasks *t)
{
	if (t->count > 0) /* there may be names only */
		qsort(t->items, t->count, sizeof(*t->items), task_order);
}

void
tasks_loaded(struct tasks *t, const struct strands *now, const struct profile *p,
    const struct scope *scope)
{
	struct source *source = p->trace->source;

	MEM_GROW(t->items, t->room, now->count);
	t->count = 0;
	for (uint32_t i = 0; i < now->count; i++) {
		const struct strand *s = &now->all[i];
		uint32_t thread = idmap_get(&p->trace->thread_ids, s->id);

		if (thread == IDMAP_NONE)
			thread = source->ops->thread_unknown(source, s->id, 0, NULL, 0);
		/* What loading did not meet: the file is not what it was. */
		if (thread < p->lane_count && scope_has(scope, thread))
			t->items[t->count++] = (struct task){thread, s, true};
	}
	tasks_order(t);
}

void
tasks_begin(struct tasks *t)
{
	atomic_store(&t->next, 0);
}

bool
tasks_next(struct tasks *t, unsigned shares, unsigned *at)
{
	unsigned all = t->count + shares, next = atomic_fetch_add(&t->next, 1);

	if (next >= all)
		return false;
	*at = shares == 1 ? (next + t->count) % all : next;
	return true;
}
