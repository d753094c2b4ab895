#include <config.h>

#include "view/diff_sheet.h"

#include <stdio.h>
#include <string.h>

/* In place of the column of both. */
static const struct {
	const char *id, *title;
} calls[DIFF_SIDES] = {{"calls-a", "Calls A"}, {"calls-b", "Calls B"}};

static struct value
count(const struct diff_sum *s)
{
	if (s->method == METHOD_NONE)
		return (struct value){.kind = VALUE_EMPTY};
	return (struct value){.kind = VALUE_COUNT,
	    .a = s->calls < INT64_MAX ? (int64_t)s->calls : INT64_MAX};
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct diff_table *t = s->model;
	const struct diff_row *r = &t->diff.rows[diff_table_list(t)->rows[at]];
	const char *id = s->columns[column].id;
	enum diff_column c = diff_column_find(str_from(id));

	for (int side = 0; side < DIFF_SIDES; side++)
		if (strcmp(id, calls[side].id) == 0)
			return count(&r->sum[side]);
	if (c == DIFF_COLUMN_METHOD)
		return (struct value){.kind = VALUE_TEXT,
		    .text = raw ? diff_table_raw(t, r) : diff_table_name(t, r)};
	return diff_columns[c].get(r, &t->by);
}

void
diff_sheet(struct sheet *s, const struct diff_table *t)
{
	*s = (struct sheet){.view = "diff",
	    .rows = diff_table_list(t)->at.count,
	    .cursor = diff_table_list(t)->at.cursor,
	    .figures = &t->table->figures,
	    .model = t,
	    .cell = cell};
	for (int c = 0; c < DIFF_COLUMNS; c++) {
		char title[FMT_SIZE];

		if (c == DIFF_COLUMN_CALLS) {
			for (int side = 0; side < DIFF_SIDES; side++)
				sheet_add(s, calls[side].id, calls[side].title, SHEET_COUNT);
			continue;
		}
		sheet_add(s, diff_columns[c].id,
		    diff_column_title(
			(enum diff_column)c, &t->by, t->table->figures.auto_units, title),
		    diff_columns[c].kind);
	}
}
