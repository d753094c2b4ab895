// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/ids.h"

#include <string.h>

#include "base/mem.h"

enum { ROOM_LEAST = 16 };

static bool
is_free(const struct ids *s, size_t at)
{
	return s->slots[at].b == UINT64_MAX;
}

/* Where the id belongs, if that is free. */
static size_t
place_of(const struct ids *s, struct list_id id)
{
	uint64_t hash = (id.a + id.b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	return (hash ^ hash >> 32) & (s->room - 1);
}

/* The slot of the id, or the free one for it. */
static size_t
slot_of(const struct ids *s, struct list_id id)
{
	size_t at = place_of(s, id);

	while (!is_free(s, at) && !list_id_equal(s->slots[at], id))
		at = (at + 1) & (s->room - 1);
	return at;
}

static void
grow(struct ids *s)
{
	struct ids old = *s;
	const struct list_id *id;

	s->room = old.room > 0 ? old.room * 2 : ROOM_LEAST;
	s->slots = mem_alloc(s->room * sizeof(*s->slots));
	memset(s->slots, 0xff, s->room * sizeof(*s->slots));
	for (size_t at = 0; (id = ids_next(&old, &at)) != NULL;)
		s->slots[slot_of(s, *id)] = *id;
	mem_free(old.slots);
}

bool
ids_has(const struct ids *s, struct list_id id)
{
	return s->count > 0 && !is_free(s, slot_of(s, id));
}

bool
ids_add(struct ids *s, struct list_id id)
{
	if (ids_has(s, id))
		return false;
	if ((s->count + 1) * 2 > s->room)
		grow(s);
	s->slots[slot_of(s, id)] = id;
	s->count++;
	return true;
}

bool
ids_remove(struct ids *s, struct list_id id)
{
	size_t free, mask = s->room - 1;

	if (!ids_has(s, id))
		return false;
	free = slot_of(s, id);
	/* Later entries of the probe sequence move into the gap. */
	for (size_t at = (free + 1) & mask; !is_free(s, at); at = (at + 1) & mask) {
		size_t away = (at - place_of(s, s->slots[at])) & mask;

		if (away < ((at - free) & mask))
			continue;
		s->slots[free] = s->slots[at];
		free = at;
	}
	s->slots[free].b = UINT64_MAX;
	s->count--;
	return true;
}

bool
ids_clear(struct ids *s)
{
	bool any = s->count > 0;

	if (any)
		memset(s->slots, 0xff, s->room * sizeof(*s->slots));
	s->count = 0;
	return any;
}

const struct list_id *
ids_next(const struct ids *s, size_t *at)
{
	while (*at < s->room && is_free(s, *at))
		++*at;
	return *at < s->room ? &s->slots[(*at)++] : NULL;
}

void
ids_copy(struct ids *to, const struct ids *from)
{
	ids_release(to);
	*to = *from;
	to->slots = mem_dup(from->slots, from->room, sizeof(*from->slots));
}

void
ids_release(struct ids *s)
{
	mem_free(s->slots);
	*s = (struct ids){.count = 0};
}
