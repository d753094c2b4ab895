// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/history.h"

#include <string.h>

#include "base/mem.h"

void
place_take(struct place *p, const struct methods *m, const struct scope *scope,
    const struct range *window, nsec from, nsec to)
{
	const struct list *l = &m->list;
	const struct list_row *row = list_row(l);

	*p = (struct place){
	    .selected = row != NULL ? row->id : (struct list_id){0, 0},
	    .line = scroll_line(&l->at),
	    .guest = identity_method(m->display->figures.identities, m->guest),
	    .sort = l->sort,
	    .ascending = l->ascending,
	    .scope = scope_copy(scope),
	    .window = *window,
	    .from = from,
	    .to = to,
	};
	ids_copy(&p->open, &l->open);
	selection_init(&p->selection);
	filters_copy(&p->filters, &m->display->filters);
}

void
place_release(struct place *p)
{
	ids_release(&p->open);
	filters_release(&p->filters);
	transforms_release(&p->transforms);
	scope_free(p->scope);
	selection_release(&p->selection);
	*p = (struct place){0};
}

void
place_restore(const struct place *p, struct methods *m)
{
	struct list *l = &m->list;
	uint32_t guest = identity_to_method(m->display->figures.identities, p->guest);
	bool ordered = l->sort == p->sort && l->ascending == p->ascending && l->open.count == 0 &&
		    p->open.count == 0 && m->guest == guest;

	if (!filters_equal(&m->display->filters, &p->filters)) {
		filters_copy(&m->display->filters, &p->filters);
		m->display->refilters++;
	}
	ids_copy(&l->open, &p->open);
	methods_follow(m);
	m->guest = guest;
	if (!ordered)
		list_sort(l, p->sort, p->ascending);
	(void)list_go(l, p->selected, p->line);
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
	*h = (struct history){0};
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
