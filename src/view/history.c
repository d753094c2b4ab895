#include <config.h>

#include "view/history.h"

#include <string.h>

#include "base/mem.h"

void
place_take(struct place *p, const struct table *t, const struct scope *scope,
    const struct range *window, nsec from, nsec to)
{
	*p = (struct place){
	    .selected = table_selected(t),
	    .line = scroll_line(&t->at),
	    .open = mem_alloc(t->open_count * sizeof *p->open),
	    .open_count = t->open_count,
	    .guest = t->guest,
	    .sort = t->sort,
	    .ascending = t->ascending,
	    .scope = scope_copy(scope),
	    .window = *window,
	    .from = from,
	    .to = to,
	};
	if (t->open_count > 0)
		memcpy(p->open, t->open, t->open_count * sizeof *p->open);
	selection_init(&p->selection);
	filters_init(&p->filters);
	filters_copy(&p->filters, &t->filters);
}

void
place_release(struct place *p)
{
	mem_free(p->open);
	filters_release(&p->filters);
	transforms_release(&p->transforms);
	scope_free(p->scope);
	selection_release(&p->selection);
	*p = (struct place){0};
}

void
place_restore(const struct place *p, struct table *t)
{
	if (!filters_equal(&t->filters, &p->filters)) {
		filters_copy(&t->filters, &p->filters);
		t->filter_changes++;
	}
	MEM_GROW(t->open, t->open_room, p->open_count);
	if (p->open_count > 0)
		memcpy(t->open, p->open, p->open_count * sizeof *p->open);
	t->open_count = p->open_count;
	t->guest = p->guest;
	table_sort(t, p->sort, p->ascending);
	table_restore(t, p->selected, p->line);
}

void
history_init(struct history *h)
{
	*h = (struct history){0};
}

static void
cut_behind(struct history *h, size_t count)
{
	while (h->count > count)
		place_release(&h->places[--h->count]);
}

void
history_release(struct history *h)
{
	cut_behind(h, 0);
	mem_free(h->places);
	history_init(h);
}

/* The user's present place gets its content. */
static void
keep(struct history *h, struct place *now)
{
	MEM_GROW(h->places, h->room, h->at + 1);
	if (h->at < h->count)
		place_release(&h->places[h->at]);
	else
		h->count++;
	h->places[h->at] = *now;
}

void
history_visit(struct history *h, struct place *now)
{
	cut_behind(h, h->at);
	if (h->count == HISTORY_MAX) {
		place_release(&h->places[0]);
		h->count--;
		h->at--;
		memmove(&h->places[0], &h->places[1], h->count * sizeof *h->places);
	}
	keep(h, now);
	h->at++;
}

const struct place *
history_step(struct history *h, int direction, struct place *now)
{
	if (direction < 0 ? h->at == 0 : h->at + 1 >= h->count)
		return NULL;
	keep(h, now);
	h->at = direction < 0 ? h->at - 1 : h->at + 1;
	return &h->places[h->at];
}
