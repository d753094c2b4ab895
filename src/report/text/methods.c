// SPDX-License-Identifier: Apache-2.0
/*
 * methods: the views of methods, or of groups of them: a table, or a block for each with its
 * parents above and its children below.
 */
#include <config.h>

#include "report/text/views.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "report/tables.h"
#include "trace/folded.h"

/* Names of rows -------------------------------------------------------------------- */

static const struct {
	const char *title, *key;
} labels[] = {
    [SAME_METHOD] = {"Method", "method"},
    [SAME_CLASS] = {"Class", "class"},
    [SAME_PACKAGE] = {"Package", "package"},
    [SAME_NAME] = {"Name", "name"},
};

static struct str
label(const struct report *r, uint32_t method, bool own)
{
	return (own ? group_own : group_name)(&r->figures, r->options->view->by, method);
}

/* Which rows, in which order -------------------------------------------------------- */

/* Names matched between two looks at the cancel flag. */
enum { CANCEL_NAMES = 256 };

/* False only with the error set. */
static bool
match(const struct pattern *pattern, struct str shown, struct str raw, bool *matches,
    struct err *e)
{
	enum pattern_result result = pattern_match(pattern, shown, NULL, NULL);

	if (result == PATTERN_NO)
		result = pattern_match(pattern, raw, NULL, NULL);
	*matches = result == PATTERN_MATCH;
	return result != PATTERN_TOO_COSTLY ||
	    err_set(e, ERR_LIMIT, "a pattern is too costly to match");
}

bool
rows_pass_filters(const struct report *r, struct str shown, struct str raw, bool *passes,
    struct err *e)
{
	const struct report_patterns *filters = &r->options->filters;
	bool matches;

	*passes = true;
	for (size_t i = 0; i < filters->count && *passes; i++) {
		if (!match(filters->list[i].pattern, shown, raw, &matches, e))
			return false;
		*passes = matches != filters->list[i].exclude;
	}
	return true;
}

bool
rows_pass(const struct report *r, struct str shown, struct str raw, bool *passes,
    struct err *e)
{
	const struct report_patterns *any = &r->options->methods;
	bool matches = any->count == 0;

	if (!rows_pass_filters(r, shown, raw, passes, e))
		return false;
	for (size_t i = 0; i < any->count && *passes && !matches; i++)
		if (!match(any->list[i].pattern, shown, raw, &matches, e))
			return false;
	*passes = *passes && matches;
	return true;
}

bool
method_passes(const struct report *r, uint32_t method, bool *passes, struct err *e)
{
	return rows_pass(r, label(r, method, false), label(r, method, true), passes, e);
}

bool
methods_hidden(const struct report *r, uint8_t **hidden, const atomic_bool *cancel, struct err *e)
{
	uint32_t count = trace_method_count(r->trace);
	bool asked = r->options->filters.count + r->options->methods.count > 0;
	bool good = true, passes = false;

	*hidden = mem_zero(count + 1, 1);
	for (uint32_t i = 0; i < count && good; i++) {
		if (i % CANCEL_NAMES == 0)
			good = report_goes_on(cancel, e);
		if (!asked || (r->fold != NULL &&
			(i >= r->fold->method_count || !r->fold->methods[i].present)))
			continue;
		if (good)
			good = method_passes(r, i, &passes, e);
		/* A name in the row is as good as its own. */
		for (uint32_t m = trace_stands(r->trace, i) ? trace_stands_next(r->trace, i) : METHOD_NONE;
		     good && !passes && m != METHOD_NONE; m = trace_stands_next(r->trace, m))
			good = method_passes(r, m, &passes, e);
		(*hidden)[i] = !passes;
	}
	return good;
}

/* In text: columns with LIST_REPORT, that of the order and the name. */
static void
columns_choose(struct list *l, const char *sort)
{
	const char *words[2 * COLUMNS + 2];
	int count = 0;

	for (int i = 0; i < COLUMN_METHOD; i++)
		if (list_has(l, i) && (column_table[i].flags & LIST_RATE) != 0)
			words[count++] = column_table[i].id;
	for (int i = 0; i < COLUMN_METHOD; i++)
		if ((column_table[i].flags & LIST_REPORT) != 0 &&
		    column_exists(&column_table[i], l->figures->trace))
			words[count++] = column_table[i].id;
	for (int i = 0; i < COLUMN_METHOD && sort != NULL; i++)
		if (column_is(&column_table[i], sort + strspn(sort, "+-")))
			words[count++] = column_table[i].id;
	words[count++] = column_table[COLUMN_METHOD].id;
	words[count] = NULL;
	table_columns(l, words);
}

bool
methods_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct list *l = table_methods(r);
	uint8_t *hidden = NULL;
	bool good;

	columns_choose(l, r->options->sort);
	list_for_files(l);
	if (l->figures->rates != NULL && l->figures->rates->length > 0)
		list_sort(l, COLUMN_NOW_EXCL, false);
	good = table_where(r, l, e) && table_sort(l, r->options, e) && methods_hidden(r, &hidden, cancel, e);
	r->rows = mem_alloc((l->at.count + 1) * sizeof(*r->rows));
	for (size_t i = 0; i < l->at.count && good; i++)
		if (!hidden[l->rows[i].item]) {
			r->rows[r->count] = l->rows[i].item;
			l->rows[r->count++] = l->rows[i];
		}
	mem_free(hidden);
	table_cut(r, l, r->count);
	return good;
}

/* Parents and children ------------------------------------------------------------- */

static const struct {
	const char *list, *one; /* of JSON and CSV */
	const char *mark;       /* in text */
} relations[] = {
    [ROW_METHOD] = {NULL, NULL, ""},
    [ROW_PARENT] = {"parents", "parent", "  <  "},
    [ROW_SELF] = {NULL, "self", "  = self"},
    [ROW_CHILD] = {"children", "child", "  >  "},
    [ROW_PARENT_RECURSIVE] = {"parents_recursive", "parent_recursive", "  <r "},
    [ROW_CHILD_RECURSIVE] = {"children_recursive", "child_recursive", "  >r "},
};

/* In the order of files. */
static const enum row_kind lists[RELATION_KINDS] = {
    ROW_PARENT, ROW_CHILD, ROW_PARENT_RECURSIVE, ROW_CHILD_RECURSIVE};

/* The method itself, or a list; where there are children, its own time comes before them. */
static void
block_add(struct text_block *b, enum row_kind kind)
{
	const struct method_sum *sum = &b->report->fold->methods[b->method];
	struct row own = {.kind = kind, .method = b->method, .of = b->method};
	struct row *rows;
	uint32_t count;

	if (kind == ROW_METHOD) {
		own.relation.calls = sum->calls;
		memcpy(own.relation.inclusive, sum->inclusive, sizeof(sum->inclusive));
		*MEM_ADD(b->rows, b->count, b->room) = own;
		return;
	}
	rows = relation_rows(
	    &b->report->figures, b->report->options->view->by, b->method, kind, &count);
	MEM_GROW(b->rows, b->room, b->count + count + 1);
	if (kind == ROW_CHILD && count > 0) {
		own.kind = ROW_SELF;
		memcpy(own.relation.inclusive, sum->self, sizeof(sum->self));
		b->rows[b->count++] = own;
	}
	if (count > 0)
		memcpy(b->rows + b->count, rows, count * sizeof(*rows));
	b->count += count;
	mem_free(rows);
}

void
block_make(struct text_block *b, uint32_t method)
{
	b->method = method;
	b->count = 0;
	block_add(b, ROW_PARENT);
	block_add(b, ROW_PARENT_RECURSIVE);
	block_add(b, ROW_METHOD);
	block_add(b, ROW_CHILD);
	block_add(b, ROW_CHILD_RECURSIVE);
}

enum { OF, RELATION, ID, METHOD_NAME = ID + 2, SIGNATURE, NAME, CALLS, TOTAL, TIMES,
	BLOCK_COLUMNS = TIMES + CLOCKS };

static struct value
block_value(const struct text_block *b, const struct row *row, int column)
{
	const struct report *r = b->report;
	bool self = row->kind == ROW_SELF, own = row->kind == ROW_METHOD;
	struct value calls;

	switch (column) {
	case OF:
		return value_text(r->groups != NULL ? label(r, b->method, true)
						    : names_id(r->figures.names, b->method));
	case RELATION:
		return value_text(str_from(own ? labels[r->options->view->by].key
					       : relations[row->kind].one));
	case CALLS:
		return value_count(row->relation.calls);
	case TOTAL:
		calls = column_get(&r->figures, COLUMN_CALLS, row);
		return value_number(calls.kind == VALUE_OF ? calls.b : calls.a + calls.b);
	case NAME:
		return value_text(self ? STR("self") : label(r, row->method, true));
	default:
		break;
	}
	if (column >= TIMES)
		return value_time(row->relation.inclusive[column - TIMES]);
	if (self)
		return value_if(column == ID || column == METHOD_NAME, value_text(STR("self")));
	return figures_field(&r->figures, row->method, column - ID);
}

static struct value
block_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct text_block *b = s->model;
	const struct row *row = &b->rows[at];

	column = s->columns[column].of;
	if (raw)
		return block_value(b, row, column);
	if (column != COLUMN_METHOD)
		return column_get(&b->report->figures, column, row);
	sbuf_clear(s->scratch);
	sbuf_text(s->scratch, relations[row->kind].mark);
	if (row->kind != ROW_SELF)
		sbuf_str(s->scratch, label(b->report, row->method, false));
	return value_text(sbuf_view(s->scratch));
}

void
block_sheet(struct sheet *s, const struct text_block *b)
{
	static const enum column_id shown[] = {COLUMN_RANK, COLUMN_INCL_PERCENT, COLUMN_INCL,
	    COLUMN_OTHER_INCL, COLUMN_CALLS, COLUMN_METHOD, COLUMNS};

	table_figures(s, b->report, shown, labels[b->report->options->view->by].title);
	s->model = b;
	s->cell = block_cell;
}

/* All columns for files; in JSON the method is around its lists. */
static void
block_fields(struct sheet *s, const struct text_block *b)
{
	static const char *const keys[BLOCK_COLUMNS] = {",of", ",relation", "id", ",class", ",name",
	    ",signature", "{name", "calls", "total", "incl_cpu_us", "incl_wall_us"};
	bool group = b->report->groups != NULL;

	*s = (struct sheet){.rows = b->count, .figures = &b->report->figures, .model = b,
	    .cell = block_cell, .goes_on = b->goes_on};
	for (int i = 0; i < BLOCK_COLUMNS; i++) {
		struct sheet_column *c = &s->columns[s->column_count];

		if (group && i >= ID && i < NAME)
			continue;
		snprintf(c->key, sizeof(c->key), "%s", group && i == NAME
			? labels[b->report->options->view->by].key : keys[i]);
		c->of = i;
		s->column_count++;
	}
}

/* Text ---------------------------------------------------------------------------- */

/* As wide as figures of any method may need, "n/total" of its calls, too; returns the line's. */
static int
block_widen(struct sheet *s, const struct report *r)
{
	int total = 0;

	for (int i = 0; i + 1 < s->column_count; i++) {
		struct sheet_column *c = &s->columns[i];
		int calls = 2 * (int)strlen(fmt_count(FMT_BUF, r->fold->calls, "")) + 1;

		c->width = column_width(&r->figures, (enum column_id)c->of);
		if (c->of == COLUMN_CALLS && c->width < calls)
			c->width = calls;
		total += c->width + 2;
	}
	return total;
}

static void
blocks(struct sink *sink, const struct report *r)
{
	struct text_block b = {.report = r};
	struct sheet sheet;
	int width;

	block_sheet(&sheet, &b);
	width = 40 + block_widen(&sheet, r);
	sbuf_text(&sink->text, names_words(r->figures.names,
	    "Parents (<), self (=) and children (>), in percent of their method;\n"
	    "<r and >r: while it is recursive.\n\n"));
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
	sheet.goes_on = true;
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		for (int k = 0; k < width; k++)
			sbuf_char(&sink->text, '-');
		sbuf_char(&sink->text, '\n');
		block_make(&b, r->rows[i]);
		sheet.rows = b.count;
		table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
	}
	mem_free(b.rows);
}

void
methods_text(struct sink *sink, const struct report *r)
{
	if (r->options->methods.count == 0)
		table_text(sink, r);
	if (r->relations && r->options->methods.count == 0)
		sbuf_char(&sink->text, '\n');
	if (r->relations)
		blocks(sink, r);
}

/* CSV and JSON -------------------------------------------------------------------- */

/* In JSON, where a method has lists of its own. */
static void
relations_members(const struct sheet *sheet, size_t row, struct json *j)
{
	struct text_block *b = sheet->context;
	struct sheet part;

	b->method = b->report->rows[row];
	for (int k = 0; k < RELATION_KINDS; k++) {
		b->count = 0;
		block_add(b, lists[k]);
		block_fields(&part, b);
		table_sheet(b->sink, j, &part, relations[lists[k]].list);
	}
}

/* Has a line for each relation and no other; the method's own figures come before them. */
static void
relations_csv(struct sink *sink, struct text_block *b)
{
	struct sheet sheet;

	block_fields(&sheet, b);
	table_sheet(sink, NULL, &sheet, NULL);
	b->goes_on = true;
	for (uint32_t i = 0; i < b->report->count && sink_row(sink); i++) {
		b->method = b->report->rows[i];
		b->count = 0;
		block_add(b, ROW_METHOD);
		for (int k = 0; k < RELATION_KINDS; k++)
			block_add(b, lists[k]);
		block_fields(&sheet, b);
		table_sheet(sink, NULL, &sheet, NULL);
	}
}

void
methods_write(struct sink *sink, struct json *j, const struct report *r)
{
	struct text_block b = {.report = r, .sink = sink};

	if (r->relations && j == NULL)
		relations_csv(sink, &b);
	else
		table_write(sink, j, r->tables->list, r->options->view->name,
		    &(struct sheet){.members = r->relations ? relations_members : NULL, .context = &b});
	mem_free(b.rows);
}
