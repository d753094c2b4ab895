// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/wide.h"
#include "view/list/where.h"

static void
filter_drop(struct list *l)
{
	pattern_free(l->filter);
	mem_free(l->filter_text);
	l->filter = NULL;
	l->filter_text = NULL;
	l->filter_out = false;
	l->err = (struct err){0};
}

void
list_init(struct list *l, const struct list_source *source, void *of,
    const struct figures *figures)
{
	*l = (struct list){.source = source, .of = of, .figures = figures};
	list_source_columns(source, &l->own);
	l->columns = &l->own;
	l->count = l->own.count;
	l->sort = source->sort;
	l->ascending = column_ascends(list_column(l, l->sort));
}

void
list_release(struct list *l)
{
	filter_drop(l);
	mem_free(l->rows);
	mem_free(l->level.items);
	mem_free(l->todo.items);
	ids_release(&l->open);
	ids_release(&l->marked);
}

/* Values -------------------------------------------------------------------------- */

struct value
list_value(const struct list *l, const struct list_row *row, int column)
{
	return l->source->get(l->of, row, column);
}

struct str
list_row_text(const struct list *l, const struct list_row *row, struct sbuf *out)
{
	sbuf_clear(out);
	for (int i = 0; i < l->count; i++) {
		struct value v = list_value(l, row, i);

		if (v.kind != VALUE_TEXT || (list_column(l, i)->flags & LIST_FOR_PROGRAMS) != 0)
			continue;
		if (out->n > 0)
			sbuf_char(out, ' ');
		sbuf_str(out, v.text);
	}
	return sbuf_view(out);
}

/* The absolute value; of percent as a share, whatever the base. */
static int64_t
magnitude(struct value v)
{
	int64_t a = v.a >= 0 ? v.a : v.a == INT64_MIN ? INT64_MAX : -v.a;
	uint64_t share;

	if (v.kind != VALUE_PERCENT || v.b <= 0)
		return a;
	share = wide_div(wide_mul((uint64_t)a, 1000000), (uint64_t)v.b);
	return share < INT64_MAX ? (int64_t)share : INT64_MAX;
}

int64_t
list_key(const struct column *c, struct value v)
{
	return (c->flags & LIST_MAGNITUDE) != 0 && v.kind != VALUE_EMPTY ? magnitude(v)
									 : value_key(v);
}

/* Rows ---------------------------------------------------------------------------- */

static struct list_row *
rows_add(struct list_rows *r)
{
	MEM_GROW(r->items, r->room, r->count + 1);
	return &r->items[r->count++];
}

struct list_row *
list_add(struct list *l, struct list_id id, uint32_t item)
{
	struct list_row *row = rows_add(&l->level);

	*row = (struct list_row){.id = id, .item = item};
	return row;
}

/* All rows of the top. */
static void
fill(struct list *l)
{
	l->level.count = 0;
	l->source->children(l->of, l, NULL);
	l->total = l->level.count;
}

/* What filter and search look at. */
static struct str
row_words(const struct list *l, const struct list_row *row, struct sbuf *out)
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
	result = pattern_match(l->filter, row_words(l, row, text), NULL, NULL);
	if (result == PATTERN_TOO_COSTLY)
		return err_set(&l->err, ERR_LIMIT, "the pattern is too costly: filter off");
	return (result == PATTERN_MATCH) != l->filter_out;
}

/* Of the rows of a level leaves those that pass; `where`: conditions that they have to meet, too. */
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

/* The conditions of its kind. */
static const struct where *
where_of(const struct list *l)
{
	return wheres_of(l->figures->wheres, l->source);
}

/* What a row is ordered by: numbers, then a text. */
struct sort_key {
	int64_t a;
	nsec began;
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
	if (order == 0 && source->began != NULL)
		order = (x->began > y->began) - (x->began < y->began);
	else if (order == 0 && source->by_name)
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
		return (struct sort_key){0, 0, (uint32_t)row, l->source->raw(l->of, &o->rows[row])};
	v = list_value(l, &o->rows[row], l->sort);
	if (o->text)
		return (struct sort_key){v.a, 0, (uint32_t)row, v.text};
	return (struct sort_key){list_key(c, v),
	    l->source->began != NULL ? l->source->began(l->of, &o->rows[row]) : 0, (uint32_t)row, {NULL, 0}};
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
	level->items = mem_alloc(level->room * sizeof(*level->items));
	memcpy(level->items, rows, level->count * sizeof(*rows));
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

/* Of rows that lead to others leaves those that pass the filter, and those above such. */
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
		/* What is below a row of a table tells of it: relations, members. */
		choose(l, l->source->tree || (row.flags & LIST_LAST) != 0 ? where_of(l) : NULL);
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

/* The first row after those that always come first. */
static size_t
first_row(const struct list *l)
{
	size_t at = 0;

	while (at + 1 < l->at.count &&
	       (l->rows[at].depth > 0 || (l->rows[at].flags & (LIST_FIRST | LIST_WHOLE)) != 0))
		at++;
	return at;
}

/* The cursor to its row, or the one where it `was`, on that line of the screen. */
static void
return_to_wanted(struct list *l, struct list_id was, size_t line)
{
	size_t at = first_row(l), first;
	struct list_id begin;

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

/* Makes the rows that pass the filters, in order, from the top-level rows. */
static void
make_rows(struct list *l)
{
	bool failed = l->err.kind != ERR_NONE;
	const struct where *where = where_of(l);

	l->where = where != NULL ? where->id : 0;
	choose(l, where);
	l->passed = l->level.count;
	order(l);
	(l->files || (l->open.count == 0 && !l->all) ? take_level : descend)(l);
	/* A filter gave up on the way: once more, with all rows. */
	if (!failed && l->err.kind != ERR_NONE) {
		fill(l);
		make_rows(l);
	}
}

static void
arrange(struct list *l)
{
	const struct list_row *row = list_row(l);
	struct list_id was = row != NULL ? row->id : l->wanted;
	size_t line = scroll_line(&l->at);

	make_rows(l);
	if (!l->files) /* files have no cursor */
		return_to_wanted(l, was, line);
}

void
list_refilter(struct list *l)
{
	fill(l);
	arrange(l);
}

void
list_update(struct list *l)
{
	fill(l);
	list_measure(l);
	arrange(l);
}

void
list_clear(struct list *l)
{
	l->at.count = l->at.cursor = l->at.top = l->total = 0;
	l->settled = l->chosen = false;
	(void)ids_clear(&l->open);
	(void)ids_clear(&l->marked);
}

bool
list_filter(struct list *l, struct str line, struct err *e)
{
	bool out = line.n > 0 && line.p[0] == '!';
	struct str text = {line.p + out, line.n - out};
	struct pattern *pattern = NULL;

	if (text.n > 0 && !pattern_compile(text, 0, &pattern, e)) {
		e->offset += out;
		return false;
	}
	filter_drop(l);
	l->filter = pattern;
	l->filter_out = out;
	if (pattern != NULL)
		l->filter_text = mem_text(line);
	list_refilter(l);
	return true;
}

/* Order ---------------------------------------------------------------------------- */

void
list_sort(struct list *l, int column, bool ascending)
{
	if (!l->chosen)
		l->settled = false;
	l->sorted = true;
	l->sort = column;
	l->ascending = ascending;
	if (list_is_measured(l))
		list_refilter(l);
	else
		list_update(l);
}

void
list_sort_auto(struct list *l)
{
	list_sort(l, l->source->sort, column_ascends(list_column(l, l->source->sort)));
	l->sorted = false;
	list_refilter(l);
}

void
list_sort_by(struct list *l, int column)
{
	list_sort(l, column,
	    column == l->sort ? !l->ascending : column_ascends(&l->source->columns[column]));
}

bool
list_sort_step(struct list *l, int direction)
{
	const struct columnset *set = l->columns;
	int at = 0;

	while (set->order[at] != l->sort)
		at++;
	do
		at += direction;
	while (at >= 0 && at < l->count && !list_visible(l, set->order[at]));
	if (at < 0 || at >= l->count)
		return false;
	list_sort(l, set->order[at], column_ascends(list_column(l, set->order[at])));
	return true;
}

/* Cursor -------------------------------------------------------------------------- */

const struct list_row *
list_row(const struct list *l)
{
	return l->at.cursor < l->at.count ? &l->rows[l->at.cursor] : NULL;
}

void
list_set_size(struct list *l, int rows, int screen)
{
	size_t height = rows > 0 ? (size_t)rows : 0;
	const struct where *where = where_of(l);

	l->screen = screen;
	if (!list_is_measured(l) && l->measured != 0) {
		/* The order stays: there may be many rows. */
		fill(l);
		list_measure(l);
	} else if (!list_is_measured(l)) {
		list_update(l);
	}
	if (l->where != (where != NULL ? where->id : 0))
		list_refilter(l);
	if (l->at.height != height) {
		l->at.height = height;
		if (l->at.count > 0)
			scroll_keep(&l->at);
	}
}

void
list_settle(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row != NULL && !l->settled) {
		l->wanted = row->id;
		l->settled = true;
	}
}

static void
settle(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row != NULL) {
		l->wanted = row->id;
		l->settled = l->chosen = true;
	}
}

bool
list_move(struct list *l, int64_t rows)
{
	bool moved = scroll_move(&l->at, rows);

	settle(l);
	return moved;
}

bool
list_centre(struct list *l)
{
	return scroll_centre(&l->at);
}

bool
list_reveal(struct list *l, struct list_id id)
{
	bool opened = false;

	while (l->source->parent != NULL && l->source->parent(l->of, id, &id))
		opened |= ids_add(&l->open, id);
	return opened;
}

bool
list_go(struct list *l, struct list_id id, size_t line)
{
	const struct list_row *row;

	l->wanted = id;
	l->settled = l->chosen = true;
	if (list_reveal(l, id))
		list_refilter(l);
	return_to_wanted(l, id, line);
	row = list_row(l);
	return row != NULL && (list_id_equal(row->id, id) ||
		    (l->source->holds != NULL && l->source->holds(l->of, row, id)));
}

/* Open rows ------------------------------------------------------------------------- */

bool
list_is_open(const struct list *l, struct list_id id)
{
	return !l->files && (l->all || ids_has(&l->open, id));
}

/* Rows below the cursor's should be seen, as far as it stays in view. */
static void
show_below(struct list *l)
{
	size_t at = l->at.cursor, end = at + 1;

	while (end < l->at.count && l->rows[end].depth > l->rows[at].depth)
		end++;
	if (l->at.height > 0 && end > l->at.top + l->at.height)
		l->at.top = end - l->at.height < at ? end - l->at.height : at;
	scroll_keep(&l->at);
}

void
list_reopen(struct list *l)
{
	fill(l);
	make_rows(l);
	scroll_keep(&l->at);
	settle(l);
	show_below(l);
}

bool
list_open(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row == NULL || (row->flags & LIST_LEADS) == 0 || !ids_add(&l->open, row->id))
		return false;
	list_reopen(l);
	return true;
}

bool
list_close(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row == NULL || !ids_remove(&l->open, row->id))
		return false;
	list_reopen(l);
	return true;
}

bool
list_to_parent(struct list *l)
{
	const struct list_row *row = list_row(l);
	size_t at = l->at.cursor;

	if (row == NULL || row->depth == 0)
		return false;
	while (at > 0 && l->rows[at].depth >= row->depth)
		at--;
	return list_move(l, (int64_t)at - (int64_t)l->at.cursor);
}

bool
list_to_child(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row == NULL || row + 1 == l->rows + l->at.count || row[1].depth <= row->depth)
		return false;
	return list_move(l, 1);
}

bool
list_to_sibling(struct list *l, int direction)
{
	const struct list_row *row = list_row(l);
	int64_t count = (int64_t)l->at.count, at = (int64_t)l->at.cursor;

	if (row == NULL)
		return false;
	do
		at += direction;
	while (at >= 0 && at < count && l->rows[at].depth > row->depth);
	if (at < 0 || at >= count || l->rows[at].depth < row->depth)
		return false;
	return list_move(l, at - (int64_t)l->at.cursor);
}

/* Search -------------------------------------------------------------------------- */

bool
list_is_hit(const struct list *l, const struct list_row *row)
{
	struct sbuf text = {0};
	bool hit;

	if (l->figures->search == NULL)
		return false;
	if (l->source->hit != NULL)
		return l->source->hit(l->of, row);
	hit = pattern_match(l->figures->search, row_words(l, row, &text), NULL, NULL) ==
	      PATTERN_MATCH;
	sbuf_release(&text);
	return hit;
}

static bool
is_hit(const void *list, size_t at)
{
	const struct list *l = list;

	return list_is_hit(l, &l->rows[at]);
}

void
list_copy(struct list *all, const struct list *l)
{
	*all = *l;
	all->rows = NULL;
	all->room = all->at.count = 0;
	all->level = all->todo = (struct list_rows){.count = 0};
}

void
list_for_files(struct list *l)
{
	l->files = true;
	if (!l->sorted && l->source->file_sort != 0) {
		l->sort = l->source->file_sort;
		l->ascending = column_ascends(list_column(l, l->sort));
	}
	list_update(l);
}

/* The same list with all rows open, the cursor where it is; list_forget. */
static void
list_unfold(struct list *all, const struct list *l)
{
	const struct list_row *row = list_row(l);

	list_copy(all, l);
	all->all = true;
	if (row != NULL) {
		all->wanted = row->id;
		all->settled = true;
	}
	list_refilter(all);
}

void
list_forget(struct list *all)
{
	mem_free(all->rows);
	mem_free(all->level.items);
	mem_free(all->todo.items);
}

enum hits_found
list_search_next(struct list *l, int direction)
{
	size_t to = l->at.cursor;
	enum hits_found found;
	struct list_id id = {0, 0};
	struct list all;

	if (l->source->next_hit != NULL || l->source->opens) {
		if (l->source->next_hit != NULL) {
			found = l->source->next_hit(l->of, direction, &id);
		} else {
			list_unfold(&all, l);
			found = hits_next(&all, is_hit, all.at.count, all.at.cursor, direction, &to);
			if (found != HITS_NONE)
				id = all.rows[to].id;
			list_forget(&all);
		}
		if (found != HITS_NONE)
			(void)list_go(l, id, scroll_line(&l->at));
		return found;
	}
	found = hits_next(l, is_hit, l->at.count, l->at.cursor, direction, &to);
	if (found != HITS_NONE)
		(void)list_move(l, (int64_t)to - (int64_t)l->at.cursor);
	return found;
}

void
list_search_position(struct list *l, size_t *n, size_t *of)
{
	struct list all;

	if (l->source->count_hits != NULL) {
		l->source->count_hits(l->of, n, of);
	} else if (l->source->opens) {
		list_unfold(&all, l);
		hits_position(&all, is_hit, all.at.count, all.at.cursor, n, of);
		list_forget(&all);
	} else {
		hits_position(l, is_hit, l->at.count, l->at.cursor, n, of);
	}
}

/* Marks --------------------------------------------------------------------------- */

bool
list_is_marked(const struct list *l, const struct list_row *row)
{
	return ids_has(&l->marked, row->id);
}

bool
list_mark(struct list *l)
{
	const struct list_row *row = list_row(l);

	if (row == NULL || row->depth > 0 || (row->flags & (LIST_FIRST | LIST_WHOLE)) != 0)
		return false;
	if (!ids_add(&l->marked, row->id))
		ids_remove(&l->marked, row->id);
	(void)list_move(l, 1);
	return true;
}

bool
list_unmark(struct list *l)
{
	return ids_clear(&l->marked);
}
