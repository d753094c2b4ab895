// SPDX-License-Identifier: Apache-2.0
/* export: a list as a sheet: its rows in their order, and its columns. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "view/list/list.h"

enum { WORD = -1, DEPTH = -2, FIELD = -3 }; /* what rows are, and how deep; fields, downwards */

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct list *l = s->model;
	const struct sheet_column *c = &s->columns[column];
	const struct list_row *row = &l->rows[at];
	char out[FMT_SIZE];
	const char *own;
	struct value v;

	if (c->of == WORD)
		return value_text(str_from(l->source->word_of(l->of, row)));
	if (c->of == DEPTH)
		return value_count(row->depth);
	if (c->of <= FIELD)
		return l->source->field(l->of, row, FIELD - c->of);
	if (l->source->put_name != NULL && (list_column(l, c->of)->flags & LIST_REST) != 0) {
		sbuf_clear(s->scratch);
		l->source->put_name(l->of, row, raw, s->scratch);
		return value_text(sbuf_view(s->scratch));
	}
	v = value_plain(raw && l->source->file != NULL ? l->source->file(l->of, row, c->of)
						       : list_value(l, row, c->of));
	if (raw && l->source->file == NULL && l->source->raw != NULL &&
	    (list_column(l, c->of)->flags & LIST_REST) != 0)
		v = value_text(l->source->raw(l->of, row));
	if (!raw && l->source->text != NULL && v.kind != VALUE_TEXT &&
	    (own = l->source->text(l->of, row, c->of, v, out)) != NULL) {
		sbuf_clear(s->scratch);
		sbuf_text(s->scratch, own);
		return value_text(sbuf_view(s->scratch));
	}
	if (raw && v.kind == VALUE_CALLS)
		return value_number(c->recursive ? v.b : v.a);
	if (raw && (list_column(l, c->of)->flags & LIST_WITH_ID) != 0 && v.kind == VALUE_TEXT)
		v.text = (struct str){v.text.p + v.b, v.text.n - (size_t)v.b};
	return value_if(!raw || v.kind != VALUE_PERCENT || v.b > 0, v);
}

static int
depth(const struct sheet *s, size_t at)
{
	const struct list *l = s->model;

	return (int)l->rows[at].depth;
}

static void
stack(const struct sheet *s, struct folded *folded, size_t at, struct sbuf *out)
{
	const struct list *l = s->model;

	l->source->stack(l, at, folded, out);
}

static void
members(const struct sheet *s, size_t row, struct json *j)
{
	const struct list *l = s->model;

	l->source->members(l->of, &l->rows[row], j);
}

static struct sheet_column *
add(struct sheet *s, const char *id, const char *title, enum value_kind kind, int of)
{
	sheet_add(s, id, title, kind);
	s->columns[s->column_count - 1].of = of;
	return &s->columns[s->column_count - 1];
}

/* True when there are rows below others. */
static bool
begin(struct sheet *s, const struct list *l)
{
	bool deep = l->source->tree;

	*s = (struct sheet){.view = l->source->word,
	    .rows = l->at.count,
	    .cursor = l->at.cursor,
	    .figures = l->figures,
	    .model = l,
	    .cell = cell,
	    .members = l->source->members != NULL ? members : NULL};
	for (size_t i = 0; i < l->at.count; i++)
		deep |= l->rows[i].depth > 0;
	if (l->source->stack != NULL)
		s->stacks = l->source->stacks != NULL ? l->source->stacks(l->of) : s->rows;
	if (s->stacks > 0)
		s->stack = stack;
	return deep;
}

/* For people ------------------------------------------------------------------------ */

static bool
is_written(const struct list *l, int column)
{
	const struct column *c = &l->source->columns[column];
	enum column_shown shown = l->columns->of[column].shown;

	if (l->source->scrolls)
		return list_visible(l, column);
	return list_has(l, column) && shown != SHOWN_NO &&
	    (c->from != COLUMN_ASKED || shown == SHOWN_YES);
}

static void
add_columns(struct sheet *s, const struct list *l, bool rest)
{
	for (int i = 0; i < l->count; i++) {
		int id = l->columns->order[i];
		const struct column *c = &l->source->columns[id];

		if (((c->flags & LIST_REST) != 0) == rest && is_written(l, id))
			add(s, c->id, list_name(l, id, FMT_BUF), c->kind, id);
	}
}

static void
for_people(struct sheet *s, const struct list *l)
{
	bool deep = begin(s, l);

	s->depth = deep ? depth : NULL;
	if (deep && l->source->word_of != NULL)
		add(s, "row", "", VALUE_TEXT, WORD);
	add_columns(s, l, false);
	add_columns(s, l, true);
}

/* For programs ---------------------------------------------------------------------- */

/* True if files have the column; of two that differ in their clock, one, which has both times. */
static bool
in_files(const struct list *l, int column)
{
	const struct column *c = list_column(l, column);
	unsigned only = l->source->in_files;

	return (c->flags & (LIST_FOR_PEOPLE | LIST_OTHER_CLOCK)) == 0 &&
	    (only == 0 || (c->flags & only) != 0) &&
	    (column_exists(c, l->figures->trace) || ((c->flags & LIST_COMPARED) != 0 && list_has(l, column))) &&
	    (l->source->has == NULL || l->source->has(l->of, column));
}

static bool
is_clocked(const struct list *l, int column)
{
	const struct column *c = list_column(l, column);

	return c->kind == VALUE_TIME &&
	    (c->flags & (LIST_CSV | LIST_BOTH_CLOCKS | LIST_AXIS)) == LIST_CSV;
}

/* The column of the same on the other clock. */
static int
other(const struct list *l, int column)
{
	int i = 0;

	while (i < l->count && (strncmp(list_column(l, i)->id, "other-", 6) != 0 ||
	    strcmp(list_column(l, i)->id + 6, list_column(l, column)->id) != 0))
		i++;
	return i;
}

static void
add_field(struct sheet *s, const struct list *l, int column, int clock)
{
	static const char *const units[] = {"_cpu_us", "_wall_us"};
	const struct column *c = list_column(l, column);
	const char *word = c->field != NULL ? c->field : c->id;
	struct sheet_column *f = add(s, word, "", c->kind,
	    clock < 0 || clock == (int)l->figures->clock ? column : other(l, column));

	if (clock >= 0)
		snprintf(f->key, FMT_SIZE, "?%s", output_key(word, c->kind, units[clock], FMT_BUF));
	f->zero = clock >= 0;
	if (c->kind != VALUE_CALLS)
		return;
	f = add(s, word, "", c->kind, column);
	snprintf(f->key, FMT_SIZE, "recursive_%.40s", word);
	f->recursive = true;
}

void
list_sheet_field(struct sheet *s, const struct list *l, int i, const char *title)
{
	snprintf(add(s, "", title, VALUE_COUNT, FIELD - i)->key, FMT_SIZE, "%s",
	    l->source->field_keys(l->of)[i]);
}

/*
 * Times on each clock that follow one another: first those on one clock.  The sheet's writer leaves
 * out those of a clock that the trace lacks.
 */
static void
add_fields(struct sheet *s, const struct list *l)
{
	int order[COLUMNSET_MAX], count = 0, end;

	for (int i = 0; i < l->count; i++) {
		int at = count;

		if (!in_files(l, i))
			continue;
		for (count++; at > 0 && list_column(l, order[at - 1])->place > list_column(l, i)->place;
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (int i = 0; i < count; i = end) {
		end = i + 1;
		if (!is_clocked(l, order[i])) {
			add_field(s, l, order[i], -1);
			continue;
		}
		while (end < count && is_clocked(l, order[end]))
			end++;
		for (int clock = 0; clock < CLOCKS; clock++)
			for (int k = i; k < end; k++)
				add_field(s, l, order[k], clock);
	}
}

static void
for_files(struct sheet *s, const struct list *l)
{
	struct list *own = NULL;

	/* Open rows are not in files, those that the screen leaves out are. */
	if ((l->source->parent != NULL ||
		(l->source->leaves_out != NULL && l->source->leaves_out(l->of))) && !l->files) {
		own = mem_alloc(sizeof(*own));
		list_copy(own, l);
		list_for_files(own);
		l = own;
	}
	if (begin(s, l))
		add(s, "depth", "", VALUE_COUNT, DEPTH);
	s->own = own;
	s->free_own = list_copy_free;
	for (int i = 0; l->source->field != NULL && l->source->field_keys(l->of)[i] != NULL; i++)
		list_sheet_field(s, l, i, "");
	add_fields(s, l);
}

void
list_sheet(struct sheet *s, const struct list *l, bool files)
{
	(files ? for_files : for_people)(s, l);
}
