#include <config.h>

#include "view/table_sheet.h"

#include "base/mem.h"

/* What a row is, beside the method that it names: for programs, for people. */
static const char *const row_words[][2] = {
    [ROW_METHOD] = {"method", ""},
    [ROW_PARENT] = {"parent", "<"},
    [ROW_SELF] = {"self", "="},
    [ROW_CHILD] = {"child", ">"},
    [ROW_PARENT_RECURSIVE] = {"recursive-parent", "<r"},
    [ROW_CHILD_RECURSIVE] = {"recursive-child", ">r"},
};

static struct value
text_value(struct str s)
{
	return (struct value){.kind = VALUE_TEXT, .text = s};
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct table *t = s->model;
	const struct row *row = &t->rows[at];
	const char *id = s->columns[column].id;

	if (strcmp(id, "row") == 0)
		return text_value(str_from(row_words[row->kind][raw ? 0 : 1]));
	if (strcmp(id, column_table[COLUMN_METHOD].id) == 0 && row->kind != ROW_SELF && raw)
		return text_value(names_raw(t->figures.names, row->method));
	return column_get(&t->figures, columns_find(str_from(id)), row);
}

static int
depth(const struct sheet *s, size_t at)
{
	const struct table *t = s->model;

	return t->rows[at].kind != ROW_METHOD;
}

/* Each method is a stack of its own: without callers, but nothing is counted twice. */
static void
stack(const struct sheet *s, struct sheet_stacks *stacks, size_t i, struct sbuf *out)
{
	const struct table *t = s->model;
	struct value v = column_get(&t->figures, COLUMN_EXCL, &t->rows[i]);

	if (t->rows[i].kind != ROW_METHOD || v.kind != VALUE_TIME || v.a <= 0)
		return;
	sheet_stacks_method(stacks, &t->figures, t->rows[i].method, out);
	sbuf_printf(out, " %lld\n", (long long)v.a);
}

struct table *
table_kept(const struct table *t)
{
	struct table *kept = mem_alloc(sizeof(*kept));

	*kept = (struct table){
	    .figures = t->figures, .at.count = t->at.count, .elision = t->elision};
	if (t->fold != NULL)
		kept->figures.fold = kept->fold = fold_ref(t->fold);
	kept->rows = mem_dup(t->rows, t->at.count, sizeof(*t->rows));
	return kept;
}

void
table_kept_free(struct table *kept)
{
	fold_free(kept->fold);
	mem_free(kept->rows);
	mem_free(kept);
}

static void
keep(struct sheet *s)
{
	struct table *kept = table_kept(s->model);

	s->model = kept;
	s->figures = &kept->figures;
}

static void
drop(struct sheet *s)
{
	table_kept_free((struct table *)(uintptr_t)s->model);
}

void
table_sheet(struct sheet *s, const struct table *t, int screen)
{
	bool relations = false;

	*s = (struct sheet){.view = "profile",
	    .rows = t->at.count,
	    .cursor = t->at.cursor,
	    .figures = &t->figures,
	    .model = t,
	    .cell = cell,
	    .stack = stack,
	    .stacks = t->at.count,
	    .keep = keep,
	    .drop = drop};
	for (size_t i = 0; i < t->at.count; i++)
		relations = relations || t->rows[i].kind != ROW_METHOD;
	if (relations) {
		sheet_add(s, "row", "", VALUE_TEXT);
		s->depth = depth;
	}
	for (int i = 0; i < COLUMNS; i++)
		if (table_column_visible(t, t->columns.order[i], screen))
			sheet_add_column(s, t->columns.order[i]);
}
