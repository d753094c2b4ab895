// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/rows.h"

#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"

static struct list_row *
rows_add(struct list_rows *r)
{
	return MEM_ADD(r->items, r->count, r->room);
}

struct list_row *
list_add(struct list *l, struct list_id id, uint32_t item)
{
	struct list_row *row = rows_add(&l->level);

	*row = (struct list_row){.id = id, .item = item};
	return row;
}

void
rows_fill(struct list *l)
{
	l->level.count = 0;
	l->source->children(l->of, l, NULL);
	l->total = l->level.count;
}

struct str
rows_words(const struct list *l, const struct list_row *row, struct sbuf *out)
{
	if (l->source->words == NULL)
		return list_row_text(l, row, out);
	sbuf_clear(out);
	l->source->words(l->of, row, out);
	return sbuf_view(out);
}

static bool
passes(struct list *l, const struct list_row *row, struct sbuf *text)
{
	enum pattern_result result;

	if (l->source->passes != NULL && !l->source->passes(l->of, row))
		return false;
	if (l->filter == NULL || l->err.kind != ERR_NONE)
		return true;
	result = pattern_match(l->filter, rows_words(l, row, text), NULL, NULL);
	if (result == PATTERN_TOO_COSTLY)
		return err_set(&l->err, ERR_LIMIT, "the pattern is too costly: filter off");
	return (result == PATTERN_MATCH) != l->filter_out;
}

/* Drops the rows of a level that do not pass the filter, or the conditions `where` (or NULL). */
static void
choose(struct list *l, const struct where *where)
{
	struct list_rows *level = &l->level;
	struct sbuf text = {0};
	size_t count = 0;

	for (size_t i = 0; i < level->count; i++) {
		const struct list_row *row = &level->items[i];

		if (where != NULL && (row->flags & LIST_LAST) == 0 &&
		    (l->source->guest == NULL || !l->source->guest(l->of, row)) &&
		    !where_holds(where, l, row))
			continue;
		if ((l->all && l->filter != NULL && (row->flags & LIST_LEADS) != 0) ||
		    passes(l, row, &text))
			level->items[count++] = *row;
	}
	level->count = count;
	sbuf_release(&text);
}

const struct where *
rows_where(const struct list *l)
{
	return wheres_of(l->figures->wheres, l->source);
}

/* Sort key of a row: numbers, then a text. */
struct sort_key {
	int64_t a;
	uint32_t row;
	struct str text; /* of figures the name, when it was asked for */
};

struct ordering {
	const struct list *list;
	const struct list_row *rows;
	bool text; /* by a column of texts */
};

/* Only asked for where it decides: names are all over memory. */
static struct str
name_of(const struct ordering *o, const struct sort_key *key)
{
	struct sort_key *own = (struct sort_key *)(uintptr_t)key;
	struct str name = key->text;

	if (o->text || name.p == NULL)
		name = list_value(o->list, &o->rows[key->row], o->list->columns->last).text;
	if (!o->text)
		own->text = name;
	return name;
}

static int
compare_keys(const void *left, const void *right, const void *ordering)
{
	const struct ordering *o = ordering;
	const struct list_source *source = o->list->source;
	const struct sort_key *x = left, *y = right;
	int order = (x->a > y->a) - (x->a < y->a);

	if (!o->list->sorted && ((o->rows[x->row].flags ^ o->rows[y->row].flags) & LIST_AFTER) != 0)
		return (o->rows[x->row].flags & LIST_AFTER) != 0 ? 1 : -1;
	if (order == 0 && o->text)
		order = str_compare(x->text, y->text);
	if (order != 0)
		return o->list->ascending ? order : -order;
	if (source->by_name)
		order = (int)(o->rows[y->row].flags & LIST_AHEAD) - (int)(o->rows[x->row].flags & LIST_AHEAD);
	if (order == 0 && source->by_name)
		order = str_compare(name_of(o, x), name_of(o, y));
	return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* A text with a number is ordered by that first. */
static struct sort_key
make_key(const struct ordering *o, size_t row)
{
	const struct list *l = o->list;
	const struct column *c = list_column(l, l->sort);
	struct value v;

	if (o->text && l->source->raw != NULL && !l->source->by_name &&
	    (c->flags & LIST_REST) != 0)
		return (struct sort_key){0, (uint32_t)row, l->source->raw(l->of, &o->rows[row])};
	v = list_value(l, &o->rows[row], l->sort);
	if (o->text)
		return (struct sort_key){v.a, (uint32_t)row, v.text};
	return (struct sort_key){list_key(c, v), (uint32_t)row, {NULL, 0}};
}

static void
order_rows(const struct list *l, const struct list_row *rows, size_t count, struct list_row *out)
{
	struct ordering o = {l, rows, list_is_text(l, l->sort)};
	struct sort_key *keys = mem_alloc((count + 1) * sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = make_key(&o, i);
	msort_items(keys, count, sizeof(*keys), compare_keys, &o);
	for (size_t i = 0; i < count; i++)
		out[i] = rows[keys[i].row];
	mem_free(keys);
}

static void
order(struct list *l)
{
	struct list_rows *level = &l->level;
	struct list_row *rows = level->items;
	size_t first = 0, last = level->count;

	while (first < last &&
	       (rows[first].flags & (l->sorted ? LIST_FIRST : LIST_FIRST | LIST_AHEAD)) != 0)
		first++;
	while (last > first && (rows[last - 1].flags & LIST_LAST) != 0)
		last--;
	if (first == last || (rows[first].flags & LIST_AS_GIVEN) != 0)
		return;
	level->room = level->count;
	level->items = mem_dup(rows, level->count, sizeof(*rows));
	order_rows(l, rows + first, last - first, level->items + first);
	mem_free(rows);
}

/* The level is next, its first row on top. */
static void
push_level(struct list *l, uint32_t depth)
{
	for (size_t i = l->level.count; i-- > 0;) {
		struct list_row *row = rows_add(&l->todo);

		*row = l->level.items[i];
		row->depth += depth;
	}
}

/* Drops rows that lead to others, unless they pass the filter or a row below them stays. */
static void
drop_heads(struct list *l)
{
	size_t to = l->at.count;
	struct sbuf text = {0};

	for (size_t i = l->at.count; i-- > 0;) {
		const struct list_row *row = &l->rows[i];

		if ((row->flags & LIST_LEADS) == 0 || passes(l, row, &text) ||
		    (to < l->at.count && l->rows[to].depth > row->depth))
			l->rows[--to] = *row;
	}
	l->at.count -= to;
	if (to > 0)
		memmove(l->rows, l->rows + to, l->at.count * sizeof(*l->rows));
	sbuf_release(&text);
}

/* All rows, from those of the top. */
static void
descend(struct list *l)
{
	struct list_rows all = {l->rows, 0, l->room};

	push_level(l, 0);
	while (l->todo.count > 0) {
		struct list_row row = l->todo.items[--l->todo.count];

		*rows_add(&all) = row;
		if ((row.flags & LIST_LEADS) == 0 || !list_is_open(l, row.id))
			continue;
		l->level.count = 0;
		l->source->children(l->of, l, &row);
		/* Rows below one of a table are its relations or members: conditions spare them. */
		choose(l, l->source->tree || (row.flags & LIST_LAST) != 0 ? rows_where(l) : NULL);
		order(l);
		push_level(l, row.depth + 1);
	}
	l->rows = all.items;
	l->room = all.room;
	l->at.count = all.count;
	if (l->all && l->filter != NULL)
		drop_heads(l);
}

/* Nothing is open: these are all. */
static void
take_level(struct list *l)
{
	mem_free(l->rows);
	l->rows = l->level.items;
	l->room = l->level.room;
	l->at.count = l->level.count;
	l->level = (struct list_rows){.count = 0};
}

/* The row of the id, or one that holds it, or the same of the nearest above it that has one. */
static bool
find(const struct list *l, struct list_id id, size_t *at)
{
	const struct list_source *source = l->source;

	do {
		for (*at = 0; *at < l->at.count; ++*at)
			if (list_id_equal(l->rows[*at].id, id))
				return true;
		for (*at = 0; source->holds != NULL && *at < l->at.count; ++*at)
			if (source->holds(l->of, &l->rows[*at], id))
				return true;
	} while (source->parent != NULL && source->parent(l->of, id, &id));
	return false;
}

const struct list_row *
list_find(const struct list *l, struct list_id id)
{
	for (size_t i = 0; i < l->at.count; i++)
		if (list_id_equal(l->rows[i].id, id))
			return &l->rows[i];
	return NULL;
}

void
rows_return(struct list *l, struct list_id was, size_t line)
{
	size_t at = 0, first;
	struct list_id begin;

	/* The first row after those that always come first. */
	while (at + 1 < l->at.count &&
	       (l->rows[at].depth > 0 || (l->rows[at].flags & (LIST_FIRST | LIST_WHOLE)) != 0))
		at++;
	/* Rows that come again are to be where they were. */
	if (l->at.count == 0) {
		l->at.top = 0;
		l->at.cursor = line;
		return;
	}
	if (!l->settled && !l->sorted && l->source->begin != NULL &&
	    l->source->begin(l->of, &begin) && find(l, begin, &first))
		at = first;
	if (!l->settled)
		scroll_put(&l->at, at, at);
	else if (find(l, l->wanted, &at) || (l->source->settles && find(l, was, &at)))
		scroll_put(&l->at, at, line);
	else
		scroll_keep(&l->at);
}

void
rows_make(struct list *l)
{
	bool failed = l->err.kind != ERR_NONE;
	const struct where *where = rows_where(l);

	l->where = where != NULL ? where->id : 0;
	choose(l, where);
	l->passed = l->level.count;
	order(l);
	(l->files || (l->open.count == 0 && !l->all) ? take_level : descend)(l);
	/* A filter gave up on the way: once more, with all rows. */
	if (!failed && l->err.kind != ERR_NONE) {
		rows_fill(l);
		rows_make(l);
	}
}

static void
arrange(struct list *l)
{
	const struct list_row *row = list_row(l);
	struct list_id was = row != NULL ? row->id : l->wanted;
	size_t line = scroll_line(&l->at);

	rows_make(l);
	if (!l->files) /* files have no cursor */
		rows_return(l, was, line);
}

void
list_refilter(struct list *l)
{
	rows_fill(l);
	arrange(l);
}

void
list_update(struct list *l)
{
	rows_fill(l);
	list_measure(l);
	arrange(l);
}
