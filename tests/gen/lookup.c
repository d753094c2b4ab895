// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "lookup.h"

#include <stdlib.h>

static struct lookup_slot *
slot(const struct lookup *l, uint64_t key)
{
	size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (l->count - 1);

	while (l->slots[at].value != LOOKUP_NONE && l->slots[at].key != key)
		at = (at + 1) & (l->count - 1);
	return &l->slots[at];
}

static void
make(struct lookup *l, size_t n)
{
	size_t i;

	l->count = 64;
	while (l->count < 2 * n)
		l->count *= 2;
	l->slots = gen_alloc(l->count, sizeof *l->slots);
	for (i = 0; i < l->count; i++)
		l->slots[i].value = LOOKUP_NONE;
}

void
lookup_methods(struct lookup *l, const struct gen_trace *t)
{
	size_t i;

	make(l, t->methods.n);
	for (i = 0; i < t->methods.n; i++)
		*slot(l, t->methods.p[i].id) =
		    (struct lookup_slot){t->methods.p[i].id, (uint32_t)i};
}

void
lookup_threads(struct lookup *l, const struct gen_trace *t)
{
	size_t i;

	make(l, t->threads.n);
	for (i = 0; i < t->threads.n; i++)
		*slot(l, t->threads.p[i].id) =
		    (struct lookup_slot){t->threads.p[i].id, (uint32_t)i};
}

uint32_t
lookup_find(const struct lookup *l, uint64_t key)
{
	return slot(l, key)->value;
}

void
lookup_free(struct lookup *l)
{
	free(l->slots);
}
