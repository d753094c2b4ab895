#include <config.h>

#include "view/list/ids.h"

#include <string.h>

#include "base/mem.h"

/* The slot of the id, or the empty one for it. */
static size_t
slot_of(const struct ids *s, struct list_id id)
{
	uint64_t hash = (id.a + id.b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
	size_t at = (hash ^ hash >> 32) & (s->slot_count - 1);

	while (s->slots[at] != 0 && !list_id_equal(s->items[s->slots[at] - 1], id))
		at = (at + 1) & (s->slot_count - 1);
	return at;
}

static void
place_all(struct ids *s)
{
	memset(s->slots, 0, s->slot_count * sizeof(*s->slots));
	for (size_t i = 0; i < s->count; i++)
		s->slots[slot_of(s, s->items[i])] = (uint32_t)i + 1;
}

bool
ids_has(const struct ids *s, struct list_id id)
{
	return s->count > 0 && s->slots[slot_of(s, id)] != 0;
}

bool
ids_add(struct ids *s, struct list_id id)
{
	if (ids_has(s, id))
		return false;
	MEM_GROW(s->items, s->room, s->count + 1);
	s->items[s->count++] = id;
	if (s->count * 2 > s->slot_count) {
		s->slot_count = s->slot_count > 0 ? s->slot_count * 2 : 16;
		s->slots = mem_resize(s->slots, s->slot_count, sizeof(*s->slots));
		place_all(s);
	} else {
		s->slots[slot_of(s, id)] = (uint32_t)s->count;
	}
	return true;
}

bool
ids_remove(struct ids *s, struct list_id id)
{
	if (!ids_has(s, id))
		return false;
	s->items[s->slots[slot_of(s, id)] - 1] = s->items[s->count - 1];
	s->count--;
	place_all(s);
	return true;
}

bool
ids_clear(struct ids *s)
{
	bool any = s->count > 0;

	s->count = 0;
	if (any)
		place_all(s);
	return any;
}

void
ids_release(struct ids *s)
{
	mem_free(s->items);
	mem_free(s->slots);
	*s = (struct ids){.count = 0};
}
