// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/place.h"

#include <string.h>

#include "base/mem.h"

void
place_release(struct place *p)
{
	list_state_release(&p->list);
	list_state_release(&p->rows);
	filters_release(&p->filters);
	wheres_release(&p->wheres);
	subset_release(&p->subset);
	selection_release(&p->selection);
	*p = (struct place){0};
}

void
place_restore(const struct place *p, struct methods *m)
{
	uint32_t guest = identity_to_method(m->display->figures.identities, p->guest);

	if (!filters_equal(&m->display->filters, &p->filters) ||
	    !wheres_equal(&m->display->wheres, &p->wheres)) {
		filters_copy(&m->display->filters, &p->filters);
		wheres_copy(&m->display->wheres, &p->wheres);
		m->display->refilters++;
	}
	methods_follow(m);
	if (m->guest != guest) {
		m->guest = guest;
		list_refilter(&m->list);
	}
	list_return(&m->list, &p->list);
}

static void
cut_behind(struct places *h, size_t count)
{
	while (h->count > count)
		place_release(&h->items[--h->count]);
}

void
places_release(struct places *h)
{
	cut_behind(h, 0);
	mem_free(h->items);
	*h = (struct places){0};
}

/* The user's present place gets its content. */
static void
keep(struct places *h, struct place *now)
{
	MEM_GROW(h->items, h->room, h->at + 1);
	if (h->at < h->count)
		place_release(&h->items[h->at]);
	else
		h->count++;
	h->items[h->at] = *now;
}

void
places_visit(struct places *h, struct place *now)
{
	cut_behind(h, h->at);
	if (h->count == PLACES_MAX) {
		place_release(&h->items[0]);
		h->count--;
		h->at--;
		memmove(&h->items[0], &h->items[1], h->count * sizeof *h->items);
	}
	keep(h, now);
	h->at++;
}

const struct place *
places_step(struct places *h, int direction, struct place *now)
{
	if (direction < 0 ? h->at == 0 : h->at + 1 >= h->count)
		return NULL;
	keep(h, now);
	h->at = direction < 0 ? h->at - 1 : h->at + 1;
	return &h->items[h->at];
}
