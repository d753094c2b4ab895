// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/list.h"

#include "base/mem.h"
#include "base/pattern.h"
#include "base/wide.h"
#include "view/list/rows.h"

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
	list_forget(l);
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
	const struct where *where = rows_where(l);

	l->screen = screen;
	if (!list_is_measured(l) && l->measured != 0) {
		/* The order stays: there may be many rows. */
		rows_fill(l);
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
list_go(struct list *l, struct list_id id, size_t line)
{
	const struct list_row *row;
	struct list_id up = id;
	bool opened = false;

	l->wanted = id;
	l->settled = l->chosen = true;
	while (l->source->parent != NULL && l->source->parent(l->of, up, &up))
		opened |= ids_add(&l->open, up);
	if (opened)
		list_refilter(l);
	rows_return(l, id, line);
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

void
list_reopen(struct list *l)
{
	size_t at, end;

	rows_fill(l);
	rows_make(l);
	scroll_keep(&l->at);
	settle(l);
	/* Rows below the cursor's should be seen, as far as it stays in view. */
	at = l->at.cursor;
	for (end = at + 1; end < l->at.count && l->rows[end].depth > l->rows[at].depth;)
		end++;
	if (l->at.height > 0 && end > l->at.top + l->at.height)
		l->at.top = end - l->at.height < at ? end - l->at.height : at;
	scroll_keep(&l->at);
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
	hit = pattern_match(l->figures->search, rows_words(l, row, &text), NULL, NULL) ==
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

/* Copies the list (list_copy) with all rows open, the cursor where it is; list_forget. */
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

void
list_copy_free(void *copy)
{
	list_forget(copy);
	mem_free(copy);
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
