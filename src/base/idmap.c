#include <config.h>

#include "base/idmap.h"

#include "base/mem.h"

#define FREE_KEY UINT64_MAX

/* Multiplication by 2^64 / golden ratio; the high bits are the well mixed ones. */
static size_t
idmap_place(const struct idmap *m, uint64_t key)
{
	uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;

	return (size_t)(mixed >> 32) & (m->slot_count - 1);
}

static struct idmap_slot *
idmap_slot(const struct idmap *m, uint64_t key)
{
	size_t at = idmap_place(m, key);

	while (m->slots[at].key != key && m->slots[at].key != FREE_KEY)
		at = (at + 1) & (m->slot_count - 1);
	return &m->slots[at];
}

static void
idmap_enlarge(struct idmap *m)
{
	struct idmap_slot *old = m->slots;
	size_t old_count = m->slot_count;

	m->slot_count = old_count > 0 ? old_count * 2 : 64;
	m->slots = mem_zero(m->slot_count, sizeof(*m->slots));
	for (size_t i = 0; i < m->slot_count; i++)
		m->slots[i].key = FREE_KEY;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].key != FREE_KEY)
			*idmap_slot(m, old[i].key) = old[i];
	}
	mem_free(old);
}

void
idmap_window(struct idmap *m, uint64_t base, uint64_t span)
{
	m->base = base;
	m->span = span;
	m->window = mem_zero(span, sizeof(*m->window));
}

void
idmap_put(struct idmap *m, uint64_t key, uint32_t value)
{
	struct idmap_slot *slot;

	if (key - m->base < m->span) {
		m->window[key - m->base] = value + 1;
		return;
	}
	if (m->slot_used * 2 >= m->slot_count)
		idmap_enlarge(m);
	slot = idmap_slot(m, key);
	if (slot->key == FREE_KEY)
		m->slot_used++;
	*slot = (struct idmap_slot){key, value};
}

uint32_t
idmap_find(const struct idmap *m, uint64_t key)
{
	const struct idmap_slot *slot;

	if (m->slot_used == 0)
		return IDMAP_NONE;
	slot = idmap_slot(m, key);
	return slot->key == key ? slot->value : IDMAP_NONE;
}

void
idmap_release(struct idmap *m)
{
	mem_free(m->window);
	mem_free(m->slots);
	*m = (struct idmap){0};
}
