#include <config.h>

#include "report/dmgroups.h"

#include "base/mem.h"
#include "base/msort.h"

static int
by_class(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;
	int order = str_compare(a->class_name, b->class_name);

	(void)context;
	return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

static int
by_name(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;
	int order = 0;

	if (a->named && b->named)
		order = str_compare(a->name, b->name);
	return order != 0 ? order : by_class(a, b, context);
}

static int
groups_order(const void *left, const void *right, const void *context)
{
	const struct dm_group *a = left, *b = right;

	if (a->exclusive != b->exclusive)
		return a->exclusive < b->exclusive ? 1 : -1;
	return by_class(a->methods[0], b->methods[0], context);
}

static bool
same_group(const struct dm_method *a, const struct dm_method *b, enum dm_grouping by)
{
	return by == DM_BY_CLASS ? str_equal(a->class_name, b->class_name)
				 : str_equal(a->name, b->name);
}

static void
group_sum(struct dm_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		g->exclusive += g->methods[i]->exclusive;
		g->calls += g->methods[i]->calls;
		g->recursive_calls += g->methods[i]->recursive_calls;
	}
	msort((void **)g->methods, g->count, dm_by_exclusive, NULL);
}

void
dm_groups_make(struct dm_groups *out, const struct dmtrace *d, enum dm_grouping by)
{
	struct dm_method **all = mem_alloc(d->list.count * sizeof(struct dm_method *));
	struct dm_group *group = NULL;
	size_t named = 0;

	for (size_t i = 0; i < d->list.count; i++)
		all[i] = d->inclusive[i];
	msort((void **)all, d->list.count, by_class, NULL);
	if (by == DM_BY_NAME)
		msort((void **)all, d->list.count, by_name, NULL);

	*out = (struct dm_groups){.methods = all};
	out->groups = mem_zero(d->list.count, sizeof(*out->groups));
	for (size_t i = 0; i < d->list.count; i++) {
		if (!all[i]->named)
			continue;
		all[named] = all[i];
		if (group == NULL || !same_group(all[named - 1], all[named], by)) {
			group = &out->groups[out->count++];
			group->methods = &all[named];
		}
		group->count++;
		named++;
	}
	out->sorted = mem_alloc((out->count + 1) * sizeof(struct dm_group *));
	for (size_t i = 0; i < out->count; i++) {
		group_sum(&out->groups[i]);
		out->sorted[i] = &out->groups[i];
	}
	msort((void **)out->sorted, out->count, groups_order, NULL);
}

void
dm_groups_release(struct dm_groups *g)
{
	mem_free(g->methods);
	mem_free(g->groups);
	mem_free(g->sorted);
	*g = (struct dm_groups){0};
}
