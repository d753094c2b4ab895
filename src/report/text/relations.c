#include <config.h>

#include "report/text/relations.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/text/labels.h"

const struct relation_words relation_words[RELATION_KINDS] = {
    [RELATION_PARENT] = {"parents", "parent", "<"},
    [RELATION_CHILD] = {"children", "child", ">"},
    [RELATION_PARENT_RECURSIVE] = {"parents_recursive", "parent_recursive", "<r"},
    [RELATION_CHILD_RECURSIVE] = {"children_recursive", "child_recursive", ">r"},
};

static const enum row_kind row_kinds[RELATION_KINDS] = {
    [RELATION_PARENT] = ROW_PARENT,
    [RELATION_CHILD] = ROW_CHILD,
    [RELATION_PARENT_RECURSIVE] = ROW_PARENT_RECURSIVE,
    [RELATION_CHILD_RECURSIVE] = ROW_CHILD_RECURSIVE,
};

struct item {
	nsec time;
	const struct report *report;
	struct relation relation;
};

static int
item_order(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return label_order(a->report, a->relation.method, b->relation.method);
}

struct row *
relation_rows(
    const struct report *r, uint32_t method, enum relation_kind kind, uint32_t *count)
{
	uint32_t n;
	const struct relation *list = fold_relations(r->fold, method, kind, &n);
	const struct method_sum *sum = &r->fold->methods[method];
	struct item *items;
	struct row *rows, *next;

	*count = 0;
	if (n == 0)
		return NULL;
	items = mem_alloc(n * sizeof(*items));
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct item){
		    list[i].inclusive[r->figures.clock], r, list[i]};
	qsort(items, n, sizeof(*items), item_order);

	next = rows = mem_zero((size_t)n + 1, sizeof(*rows));
	if (kind == RELATION_CHILD) {
		*next = (struct row){.kind = ROW_SELF, .method = method, .of = method};
		next->relation.method = method;
		memcpy(next->relation.inclusive, sum->self, sizeof(sum->self));
		next++;
	}
	for (uint32_t i = 0; i < n; i++)
		*next++ = (struct row){
		    row_kinds[kind], items[i].relation.method, method, items[i].relation};
	mem_free(items);
	*count = (uint32_t)(next - rows);
	return rows;
}
