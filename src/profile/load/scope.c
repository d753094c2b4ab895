#include <config.h>

#include "profile/load/scope.h"

#include <string.h>

#include "base/mem.h"

struct scope *
scope_new(uint32_t count, bool in)
{
	struct scope *s = mem_alloc(sizeof(*s) + count);

	s->count = count;
	memset(s->in, in, count);
	return s;
}

struct scope *
scope_copy(const struct scope *s)
{
	struct scope *copy;

	if (s == NULL)
		return NULL;
	copy = scope_new(s->count, false);
	memcpy(copy->in, s->in, s->count);
	return copy;
}

void
scope_free(struct scope *s)
{
	mem_free(s);
}

bool
scope_equal(const struct scope *a, const struct scope *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->count == b->count && memcmp(a->in, b->in, a->count) == 0;
}

uint32_t
scope_size(const struct scope *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		n += s->in[i] != 0;
	return n;
}
