#include <config.h>

#include "view/table_rows.h"

#include <stdlib.h>

#include "base/mem.h"

struct item {
	int64_t key; /* smaller stands first */
	uint32_t method;
};

static int
item_compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = (x->key > y->key) - (x->key < y->key);

	return order != 0 ? order : (x->method > y->method) - (x->method < y->method);
}

/* Of those that have the same key. */
struct equal {
	struct str text;
	uint32_t method;
	bool descending;
};

static int
equal_compare(const void *a, const void *b)
{
	const struct equal *x = a, *y = b;
	int order = str_compare(x->text, y->text);

	if (order != 0)
		return x->descending ? -order : order;
	return (x->method > y->method) - (x->method < y->method);
}

static struct value
sort_value(const struct table *t, uint32_t method)
{
	struct row row = {.kind = ROW_METHOD, .method = method, .of = method};

	return column_get(&t->figures, t->sort, &row);
}

static struct item
item_make(const struct table *t, uint32_t method)
{
	struct value v = sort_value(t, method);
	struct item item = {.method = method};

	if (v.kind == VALUE_TEXT)
		item.key = 0;
	else if (t->ascending)
		item.key = value_key(v);
	else /* no overflow at INT64_MIN */
		item.key = -1 - value_key(v);
	return item;
}

/* Names are looked at only where they decide: they are all over memory. */
static void
sort_names(const struct table *t, struct item *items, size_t count)
{
	struct equal *equal = mem_alloc(count * sizeof(*equal));

	for (size_t i = 0; i < count; i++)
		equal[i] = (struct equal){
		    names_full(t->figures.names, items[i].method), items[i].method, false};
	qsort(equal, count, sizeof(*equal), equal_compare);
	for (size_t i = 0; i < count; i++)
		items[i].method = equal[i].method;
	mem_free(equal);
}

static void
sort_texts(const struct table *t, struct item *items, size_t count)
{
	struct equal *equal = mem_alloc(count * sizeof(*equal));

	for (size_t i = 0; i < count; i++)
		equal[i] = (struct equal){
		    sort_value(t, items[i].method).text, items[i].method, !t->ascending};
	qsort(equal, count, sizeof(*equal), equal_compare);
	/* From here on a text is a number, too: that of the first that has it. */
	for (size_t i = 0, first = 0; i < count; i++) {
		if (str_compare(equal[i].text, equal[first].text) != 0)
			first = i;
		items[i] = (struct item){(int64_t)first, equal[i].method};
	}
	mem_free(equal);
}

static void
sort_items(const struct table *t, struct item *items, size_t count)
{
	if (column_is_text(&column_table[t->sort]))
		sort_texts(t, items, count);
	else
		qsort(items, count, sizeof(*items), item_compare);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && items[end].key == items[i].key; end++)
			;
		if (end - i > 1)
			sort_names(t, items + i, end - i);
	}
}

static bool
passes(struct table *t, uint32_t method)
{
	return t->fold->methods[method].present &&
	       (method == t->guest ||
		   filters_pass(&t->filters, t->figures.names, method));
}

static size_t
count_costly(const struct filters *f)
{
	size_t costly = 0;

	for (size_t i = 0; i < f->count; i++)
		costly += f->list[i].costly;
	return costly;
}

/* The methods that are shown, in order; (toplevel) apart.  The caller frees. */
static struct item *
collect(struct table *t, size_t *count)
{
	uint32_t methods = t->fold->method_count;
	struct item *items = mem_alloc((size_t)methods * sizeof *items);
	size_t costly;

	/* A pattern that is given up on the way takes its verdicts with it. */
	do {
		costly = count_costly(&t->filters);
		*count = 0;
		for (uint32_t m = METHOD_TOPLEVEL + 1; m < methods; m++)
			if (passes(t, m))
				items[(*count)++] = item_make(t, m);
	} while (costly != count_costly(&t->filters));
	sort_items(t, items, *count);
	return items;
}

static void
row_add(struct table *t, struct row row)
{
	MEM_GROW(t->rows, t->row_room, t->at.count + 1);
	t->rows[t->at.count++] = row;
}

struct entry {
	struct relation relation;
	struct str name;
	nsec key;
};

static int
entry_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return str_compare(x->name, y->name);
}

static uint32_t
add_relations(
    struct table *t, uint32_t method, enum row_kind kind, enum relation_kind list)
{
	uint32_t count;
	const struct relation *relations = fold_relations(t->fold, method, list, &count);
	struct entry *entries = mem_alloc((size_t)count * sizeof *entries);

	for (uint32_t i = 0; i < count; i++)
		entries[i] = (struct entry){relations[i],
		    names_full(t->figures.names, relations[i].method),
		    relations[i].inclusive[t->figures.clock]};
	qsort(entries, count, sizeof *entries, entry_compare);
	for (uint32_t i = 0; i < count; i++)
		row_add(t, (struct row){kind, entries[i].relation.method, method,
			       entries[i].relation});
	mem_free(entries);
	return count;
}

static void
add_method(struct table *t, uint32_t method)
{
	size_t self;

	row_add(t, (struct row){.kind = ROW_METHOD, .method = method, .of = method});
	if (!table_is_open(t, method))
		return;
	add_relations(t, method, ROW_PARENT, RELATION_PARENT);
	self = t->at.count;
	row_add(t, (struct row){.kind = ROW_SELF, .method = method, .of = method});
	/* Without children all is self: no news. */
	if (add_relations(t, method, ROW_CHILD, RELATION_CHILD) == 0)
		t->at.count = self;
	add_relations(t, method, ROW_PARENT_RECURSIVE, RELATION_PARENT_RECURSIVE);
	add_relations(t, method, ROW_CHILD_RECURSIVE, RELATION_CHILD_RECURSIVE);
}

void
table_rows_build(struct table *t)
{
	size_t count;
	struct item *items = collect(t, &count);

	t->at.count = 0;
	t->methods = (uint32_t)count;
	if (passes(t, METHOD_TOPLEVEL))
		add_method(t, METHOD_TOPLEVEL);
	for (size_t i = 0; i < count; i++)
		add_method(t, items[i].method);
	mem_free(items);
}

bool
table_rows_find(const struct table *t, struct identity id, size_t *at)
{
	for (size_t i = 0; i < t->at.count; i++) {
		const struct row *row = &t->rows[i];

		if (row->kind == id.kind && row->method == id.method &&
		    row->of == id.of) {
			*at = i;
			return true;
		}
	}
	return false;
}

bool
table_rows_nearest(const struct table *t, struct identity id, size_t *at)
{
	return table_rows_find(t, id, at) ||
	       table_rows_find(t, (struct identity){ROW_METHOD, id.of, id.of}, at);
}

size_t
table_rows_first(const struct table *t)
{
	size_t at = 0;

	while (at + 1 < t->at.count && t->rows[at].of == METHOD_TOPLEVEL)
		at++;
	return at;
}
