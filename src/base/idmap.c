#include <config.h>

#include "base/idmap.h"

#include "base/mem.h"

#define FREE_KEY UINT64_MAX

enum { SLOTS_LEAST = 16 };

/*
 * Ids come from the file, which may have chosen them to meet in one place: the seed keeps
 * it from knowing the place.  The first product spreads the key over the high bits, which
 * the second brings down again.
 */
static size_t
idmap_place(const struct idmap *m, uint64_t key)
{
	uint64_t mixed = (key ^ m->seed) * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
	return (size_t)(mixed >> 32) & (m->slot_count - 1);
}

/* Where memory lies differs from run to run. */
static uint64_t
idmap_seed(const struct idmap *m)
{
	uint64_t place = (uint64_t)(uintptr_t)m->slots >> 4;

	return (place ^ (uint64_t)(uintptr_t)&place << 28) * 0x9e3779b97f4a7c15u;
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
slots_make(struct idmap *m, size_t count)
{
	m->slot_count = count;
	m->slots = mem_zero_table(count, sizeof(*m->slots));
	m->seed = idmap_seed(m);
	for (size_t i = 0; i < count; i++)
		m->slots[i].key = FREE_KEY;
}

void
idmap_reserve(struct idmap *m, size_t count)
{
	size_t slots = SLOTS_LEAST;

	while (slots / 2 <= count)
		slots *= 2;
	if (m->slot_used == 0 && slots > m->slot_count) {
		mem_free(m->slots);
		slots_make(m, slots);
	}
}

static void
idmap_enlarge(struct idmap *m)
{
	struct idmap_slot *old = m->slots;
	size_t old_count = m->slot_count;

	slots_make(m, old_count > 0 ? old_count * 2 : SLOTS_LEAST);
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
