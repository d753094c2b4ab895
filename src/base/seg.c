#include <config.h>

#include "base/seg.h"

#include "base/mem.h"

void *
seg_reserve(struct seg *s)
{
	uint64_t place = (uint64_t)s->count + (1u << SEG_FIRST_BITS);
	int part = 63 - __builtin_clzll(place) - SEG_FIRST_BITS;

	if (part >= SEG_MAX)
		return NULL;
	if (s->part[part] == NULL)
		s->part[part] = mem_zero_table((size_t)1 << (part + SEG_FIRST_BITS), s->item);
	return seg_at(s, s->count);
}

uint32_t
seg_commit(struct seg *s)
{
	uint32_t index = s->count;

	__atomic_store_n(&s->count, index + 1, __ATOMIC_RELEASE);
	return index;
}

void
seg_release(struct seg *s)
{
	for (int i = 0; i < SEG_MAX; i++)
		mem_free(s->part[i]);
	*s = (struct seg){.item = s->item};
}
