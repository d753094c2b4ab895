#include <config.h>

#include "base/intern.h"

#include "base/mem.h"

enum {
	NEAR_MOST = 128, /* longer texts stay where they are */
	NEAR_BYTES = 1 << 14,
};

struct intern_slot {
	uint32_t hash;
	uint32_t index; /* + 1; 0: free */
};

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
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

/* Texts that are met again and again, of places far apart, are kept near each other. */
static struct str
text_keep(struct intern *in, struct str text)
{
	struct str kept = {in->near, text.n};

	if (text.n > NEAR_MOST)
		return text;
	if (in->near == NULL || in->near_left < text.n) {
		MEM_GROW(in->blocks, in->block_room, in->block_count + 1);
		in->blocks[in->block_count++] = in->near = mem_alloc(NEAR_BYTES);
		in->near_left = NEAR_BYTES;
		kept.p = in->near;
	}
	if (text.n > 0)
		memcpy(in->near, text.p, text.n);
	in->near += text.n;
	in->near_left -= text.n;
	return kept;
}

uint32_t
intern_add(struct intern *in, struct str text, uint64_t kind)
{
	uint32_t hash;
	size_t at;

	if (in->count * 2 >= in->slot_count)
		enlarge(in);
	hash = hash_of(in, text, kind);
	at = hash & (in->slot_count - 1);
	for (; in->slots[at].index != 0; at = (at + 1) & (in->slot_count - 1)) {
		const struct intern_item *item = &in->items[in->slots[at].index - 1];

		if (in->slots[at].hash == hash && item->kind == kind &&
		    str_equal(item->text, text))
			return in->slots[at].index - 1;
	}
	MEM_GROW(in->items, in->room, in->count + 1);
	in->items[in->count++] = (struct intern_item){text_keep(in, text), kind};
	in->slots[at] = (struct intern_slot){hash, (uint32_t)in->count};
	return (uint32_t)in->count - 1;
}

void
intern_release(struct intern *in)
{
	mem_free(in->slots);
	mem_free(in->items);
	for (size_t i = 0; i < in->block_count; i++)
		mem_free(in->blocks[i]);
	mem_free(in->blocks);
	*in = (struct intern){0};
}
