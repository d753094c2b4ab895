// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/map.h"

#include "base/mem.h"
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

struct intern_slot {
	uint32_t hash;
	uint32_t index; /* + 1; 0: free */
};

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

static uint32_t
hash_of(const struct intern *in, struct str s, uint64_t kind)
{
	uint64_t h = mix(in->seed ^ s.n, kind ^ 0x9e3779b97f4a7c15u);
	const char *p = s.p;
	size_t n = s.n;

	for (; n > 8; p += 8, n -= 8)
		h = mix(h ^ word(p, 8), 0x9e3779b97f4a7c15u);
	if (n > 0)
		h ^= word(p, n);
	h = mix(h, 0xd6e8feb86659fd93u);
	return (uint32_t)(h ^ h >> 32);
}

static void
enlarge(struct intern *in)
{
	struct intern_slot *old = in->slots;
	size_t old_count = in->slot_count;

	in->slot_count = old_count > 0 ? old_count * 2 : 1024;
	in->slots = mem_zero(in->slot_count, sizeof(*in->slots));
	if (old_count == 0) /* where memory lies differs from run to run */
		in->seed = ((uint64_t)(uintptr_t)in->slots >> 4 ^
			       (uint64_t)(uintptr_t)&old << 28) * 0x9e3779b97f4a7c15u;
	for (size_t i = 0; i < old_count; i++) {
		size_t at = old[i].hash & (in->slot_count - 1);

		if (old[i].index == 0)
			continue;
		while (in->slots[at].index != 0)
			at = (at + 1) & (in->slot_count - 1);
		in->slots[at] = old[i];
	}
	mem_free(old);
}

/* The slot of the text, or the free one where it belongs. */
static size_t
slot_of(const struct intern *in, struct str text, uint64_t kind, uint32_t hash)
{
	size_t at = hash & (in->slot_count - 1);

	for (; in->slots[at].index != 0; at = (at + 1) & (in->slot_count - 1)) {
		const struct intern_item *item = &in->items[in->slots[at].index - 1];

		if (in->slots[at].hash == hash && item->kind == kind &&
		    str_equal(item->text, text))
			break;
	}
	return at;
}

uint32_t
intern_find(const struct intern *in, struct str text, uint64_t kind)
{
	if (in->slot_count == 0)
		return IDMAP_NONE;
	return in->slots[slot_of(in, text, kind, hash_of(in, text, kind))].index - 1;
}

uint32_t
intern_add(struct intern *in, struct str text, uint64_t kind)
{
	uint32_t hash;
	size_t at;

	if (in->count * 2 >= in->slot_count)
		enlarge(in);
	hash = hash_of(in, text, kind);
	at = slot_of(in, text, kind, hash);
	if (in->slots[at].index != 0)
		return in->slots[at].index - 1;
	MEM_GROW(in->items, in->room, in->count + 1);
	/* Texts that are met again and again, of places far apart, are kept near each other. */
	if (text.n <= NEAR_MOST)
		text = arena_str(&in->near, text);
	in->items[in->count++] = (struct intern_item){text, kind};
	in->slots[at] = (struct intern_slot){hash, (uint32_t)in->count};
	return (uint32_t)in->count - 1;
}

void
intern_release(struct intern *in)
{
	mem_free(in->slots);
	mem_free(in->items);
	arena_release(&in->near);
	*in = (struct intern){0};
}
