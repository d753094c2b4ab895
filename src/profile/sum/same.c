// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/same.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/folded.h"

struct str
same_package(struct str class_name)
{
	size_t n = class_name.n;

	while (n > 0 && class_name.p[n - 1] != '.' && class_name.p[n - 1] != '/')
		n--;
	return (struct str){class_name.p, n > 0 ? n - 1 : 0};
}

bool
same_key(const struct trace *t, enum same_by by, uint32_t method, struct str *key)
{
	const struct method *m = trace_method(t, method);

	if (method == METHOD_TOPLEVEL || !m->known || m->word != NULL)
		return false;
	switch (by) {
	case SAME_CLASS:
		*key = m->class_name;
		return m->class_name.n > 0;
	case SAME_PACKAGE:
		*key = same_package(m->class_name);
		return m->class_name.n > 0;
	case SAME_NAME:
		*key = m->name;
		return m->name.n > 0;
	case SAME_METHOD:
		break;
	}
	return false;
}

struct keyed {
	struct str key;
	uint32_t method;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	return order_then(str_compare(a->key, b->key), ORDER(a->method, b->method));
}

void
same_folded(struct same *g, struct trace *t, unsigned folding)
{
	trace_names_fold(t, folding);
	*g = (struct same){.count = trace_method_count(t)};
	g->as = mem_alloc(g->count * sizeof(*g->as));
	for (uint32_t m = 0; m < g->count; m++)
		g->as[m] = trace_folded(t, m);
}

void
same_make(struct same *g, const struct trace *t, enum same_by by)
{
	uint32_t count = trace_method_count(t), n = 0;
	struct keyed *keys = mem_alloc(count * sizeof(*keys));

	*g = (struct same){by, count, mem_alloc(count * sizeof(*g->as))};
	for (uint32_t m = 0; m < count; m++) {
		g->as[m] = m;
		if (same_key(t, by, m, &keys[n].key))
			keys[n++].method = m;
	}
	/* Sorted, not hashed: names that collide must not be taken for one. */
	qsort(keys, n, sizeof(*keys), keyed_order);
	for (uint32_t i = 1; i < n; i++)
		if (str_equal(keys[i].key, keys[i - 1].key))
			g->as[keys[i].method] = g->as[keys[i - 1].method];
	mem_free(keys);
}

void
same_release(struct same *g)
{
	mem_free(g->as);
	*g = (struct same){.by = SAME_METHOD};
}
