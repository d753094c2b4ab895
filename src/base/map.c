// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/map.h"

#include "base/wide.h"

/* Ids ----------------------------------------------------------------------------- */

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
seed_of(const void *memory)
{
	uint64_t place = (uint64_t)(uintptr_t)memory >> 4;

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
	m->seed = seed_of(m->slots);
	for (size_t i = 0; i < count; i++)
		m->slots[i].key = FREE_KEY;
}

static void
idmap_enlarge(struct idmap *m, size_t count)
{
	struct idmap_slot *old = m->slots;
	size_t old_count = m->slot_count;

	slots_make(m, count);
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
idmap_expect(struct idmap *m, size_t count)
{
	size_t slots = m->slot_count > 0 ? m->slot_count : SLOTS_LEAST;

	while (slots / 2 < count)
		slots *= 2;
	if (slots > m->slot_count)
		idmap_enlarge(m, slots);
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
		idmap_enlarge(m, m->slot_count > 0 ? m->slot_count * 2 : SLOTS_LEAST);
	slot = idmap_slot(m, key);
	if (slot->key == FREE_KEY)
		m->slot_used++;
	*slot = (struct idmap_slot){key, value};
}

uint32_t
idmap_add(struct idmap *m, uint64_t key, size_t value)
{
	uint32_t known = idmap_get(m, key);

	if (known != IDMAP_NONE)
		return known;
	idmap_put(m, key, (uint32_t)value);
	return (uint32_t)value;
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

/* Texts --------------------------------------------------------------------------- */

enum { NEAR_MOST = 128 }; /* longer texts stay where they are */

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	struct wide product = wide_mul(a, b);

	return product.low ^ product.high;
}

static inline uint64_t
word(const char *p, size_t n)
{
	uint64_t w = 0;

	memcpy(&w, p, n);
	return w;
}

static uint64_t
hash_of(const struct intern *in, struct str s, uint64_t kind)
{
	uint64_t h = mix(in->seed ^ s.n, kind ^ 0x9e3779b97f4a7c15u);
	const char *p = s.p;
	size_t n = s.n;

	for (; n > 8; p += 8, n -= 8)
		h = mix(h ^ word(p, 8), 0x9e3779b97f4a7c15u);
	if (n > 0)
		h ^= word(p, n);
	return mix(h, 0xd6e8feb86659fd93u) >> 1;
}

/* The index of the text, or IDMAP_NONE and the key where it belongs. */
static uint32_t
place_of(const struct intern *in, struct str text, uint64_t kind, uint64_t *key)
{
	uint32_t index;

	for (*key = hash_of(in, text, kind); (index = idmap_find(&in->places, *key)) != IDMAP_NONE;
	     ++*key)
		if (in->items[index].kind == kind && str_equal(in->items[index].text, text))
			break;
	return index;
}

uint32_t
intern_find(const struct intern *in, struct str text, uint64_t kind)
{
	uint64_t key;

	return place_of(in, text, kind, &key);
}

uint32_t
intern_add(struct intern *in, struct str text, uint64_t kind)
{
	uint32_t index;
	uint64_t key;

	MEM_GROW(in->items, in->room, in->count + 1);
	if (in->count == 0)
		in->seed = seed_of(in->items);
	index = place_of(in, text, kind, &key);
	if (index != IDMAP_NONE)
		return index;
	/* Texts that are met again and again, of places far apart, are kept near each other. */
	if (text.n <= NEAR_MOST || in->owns)
		text = arena_str(&in->near, text);
	in->items[in->count] = (struct intern_item){text, kind};
	idmap_put(&in->places, key, (uint32_t)in->count);
	return (uint32_t)in->count++;
}

void
intern_release(struct intern *in)
{
	idmap_release(&in->places);
	mem_free(in->items);
	arena_release(&in->near);
	*in = (struct intern){0};
}
