// SPDX-License-Identifier: Apache-2.0
/* export: a list as a sheet: its rows in their order, and its columns. */
#include <config.h>

#include "view/list/list.h"

enum { WORD = -1 }; /* the column of what rows are */

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct list *l = s->model;
	int id = s->columns[column].of;
	const struct list_row *row = &l->rows[at];
	struct value v;

	if (id == WORD)
		return value_text(str_from(l->source->word_of(l->of, row, raw)));
	if (l->source->put_name != NULL && (l->source->columns[id].flags & LIST_REST) != 0) {
		sbuf_clear(s->scratch);
		l->source->put_name(l->of, row, raw, s->scratch);
		return value_text(sbuf_view(s->scratch));
	}
	v = list_value(l, row, id);
	if (raw && v.kind == VALUE_TEXT && l->source->raw != NULL &&
	    (l->source->columns[id].flags & LIST_REST) != 0)
		v.text = l->source->raw(l->of, row);
	return v;
}

static int
depth(const struct sheet *s, size_t at)
{
	const struct list *l = s->model;

	return (int)l->rows[at].depth;
}

static void
stack(const struct sheet *s, struct sheet_stacks *stacks, size_t at, struct sbuf *out)
{
	const struct list *l = s->model;

	l->source->stack(l, at, stacks, out);
}

static bool
is_written(const struct list *l, int column)
{
	const struct column *c = &l->source->columns[column];
	enum column_shown shown = l->columns->of[column].shown;

	if (l->source->scrolls)
		return list_visible(l, column);
	return (c->flags & LIST_FOR_PEOPLE) == 0 && shown != SHOWN_NO &&
	    (c->from != COLUMN_ASKED || shown == SHOWN_YES) &&
	    (l->source->has == NULL || l->source->has(l->of, column));
}

static void
add_columns(struct sheet *s, const struct list *l, bool rest)
{
	for (int i = 0; i < l->count; i++) {
		int id = l->columns->order[i];
		const struct column *c = &l->source->columns[id];

		if (((c->flags & LIST_REST) != 0) != rest || !is_written(l, id))
			continue;
		sheet_add(s, c->field != NULL ? c->field : c->id, list_name(l, id, FMT_BUF), c->kind);
		s->columns[s->column_count - 1].of = id;
	}
}

void
list_sheet(struct sheet *s, const struct list *l)
{
	bool deep = l->source->tree;

	*s = (struct sheet){.view = l->source->word,
	    .rows = l->at.count,
	    .cursor = l->at.cursor,
	    .figures = l->figures,
	    .model = l,
	    .cell = cell};
	for (size_t i = 0; i < l->at.count; i++)
		deep |= l->rows[i].depth > 0;
	s->depth = deep ? depth : NULL;
	if (deep && l->source->word_of != NULL) {
		sheet_add(s, "row", "", VALUE_TEXT);
		s->columns[0].of = WORD;
	}
	add_columns(s, l, false);
	add_columns(s, l, true);
	if (l->source->stack != NULL) {
		s->stack = stack;
		s->stacks = l->source->stacks != NULL ? l->source->stacks(l->of) : s->rows;
	}
}
