// SPDX-License-Identifier: Apache-2.0
/*
 * methods: the views of methods, or of groups of them: a table, or a block for each with its
 * parents above and its children below.
 */
#include <config.h>

#include "report/text/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/tables.h"

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
label_shown(const struct report *r, uint32_t method)
{
	enum same_by by = r->options->view->by;
	struct names *names = r->figures.names;
	struct str key;

	if (!same_key(r->trace, by, method, &key))
		return names_shown(names, method);
	if (by == SAME_NAME)
		return names_method(names, method);
	if (by == SAME_PACKAGE && key.n == 0)
		return STR("(no package)");
	return by == SAME_PACKAGE ? same_package(names_class(names, method))
				  : names_class(names, method);
}

static void
label_raw(struct sbuf *out, const struct report *r, uint32_t method)
{
	struct str key;

	if (same_key(r->trace, r->options->view->by, method, &key))
		sbuf_str(out, key);
	else
		name_raw(out, r->trace, method);
}

static int
label_order(const struct report *r, uint32_t a, uint32_t b)
{
	enum same_by by = r->options->view->by;
	struct str left, right;
	bool a_in, b_in;
	int order = 0;

	if ((a == METHOD_TOPLEVEL) != (b == METHOD_TOPLEVEL))
		return a == METHOD_TOPLEVEL ? -1 : 1;
	a_in = same_key(r->trace, by, a, &left);
	b_in = same_key(r->trace, by, b, &right);
	if (a_in != b_in)
		return a_in ? -1 : 1;
	if (a_in)
		order = str_compare(left, right);
	if (order == 0)
		order = method_compare(trace_method(r->trace, a), trace_method(r->trace, b));
	return order != 0 ? order : (a > b) - (a < b);
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
methods_hidden(const struct report *r, uint8_t **hidden, const atomic_bool *cancel, struct err *e)
{
	uint32_t count = trace_method_count(r->trace);
	bool asked = r->options->filters.count + r->options->methods.count > 0;
	bool good = true, passes = false;
	struct sbuf raw = {0};

	*hidden = mem_zero(count + 1, 1);
	for (uint32_t i = 0; i < count && good; i++) {
		if (i % CANCEL_NAMES == 0)
			good = report_goes_on(cancel, e);
		if (!asked || (r->fold != NULL &&
			(i >= r->fold->method_count || !r->fold->methods[i].present)))
			continue;
		sbuf_clear(&raw);
		label_raw(&raw, r, i);
		if (good)
			good = rows_pass(r, label_shown(r, i), sbuf_view(&raw), &passes, e);
		(*hidden)[i] = !passes;
	}
	sbuf_release(&raw);
	return good;
}

/* In text: columns with LIST_REPORT, that of the order and the name. */
static void
columns_choose(struct list *l, const struct report_options *o)
{
	const char *words[COLUMNS + 2];
	int count = 0;

	for (int i = 0; i < COLUMN_METHOD; i++)
		if ((column_table[i].flags & LIST_REPORT) != 0)
			words[count++] = column_table[i].id;
	if (o->sort_given && o->sort != COLUMN_METHOD)
		words[count++] = column_table[o->sort].id;
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

	columns_choose(l, r->options);
	list_for_files(l);
	good = table_sort(l, r->options, e) && methods_hidden(r, &hidden, cancel, e);
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
	enum row_kind row;
	const char *list, *one;
	const char *mark; /* in text */
} relation_lists[RELATION_KINDS] = {
    [RELATION_PARENT] = {ROW_PARENT, "parents", "parent", "  <  "},
    [RELATION_CHILD] = {ROW_CHILD, "children", "child", "  >  "},
    [RELATION_PARENT_RECURSIVE] = {ROW_PARENT_RECURSIVE, "parents_recursive",
	"parent_recursive", "  <r "},
    [RELATION_CHILD_RECURSIVE] = {ROW_CHILD_RECURSIVE, "children_recursive",
	"child_recursive", "  >r "},
};

struct row *
relation_rows(
    const struct report *r, uint32_t method, enum relation_kind kind, uint32_t *count)
{
	const struct relation *list = fold_relations(r->fold, method, kind, count);
	bool self = kind == RELATION_CHILD;
	struct ranked *keys;
	struct row *rows;
	uint32_t *order;

	if (*count == 0)
		return NULL;
	keys = mem_alloc(*count * sizeof(*keys));
	order = mem_alloc(*count * sizeof(*order));
	for (uint32_t i = 0; i < *count; i++)
		keys[i] = (struct ranked){.key = list[i].inclusive[r->figures.clock],
		    .tie = label_order, .report = r, .id = list[i].method, .index = i};
	ranked_sort(keys, *count, false, order);
	rows = mem_zero((size_t)*count + self, sizeof(*rows));
	if (self) {
		rows[0] = (struct row){ROW_SELF, method, method, {.method = method}};
		memcpy(rows[0].relation.inclusive, r->fold->methods[method].self,
		    sizeof(rows[0].relation.inclusive));
	}
	for (uint32_t i = 0; i < *count; i++)
		rows[i + self] = (struct row){
		    relation_lists[kind].row, list[order[i]].method, method, list[order[i]]};
	mem_free(order);
	*count += self;
	return rows;
}

/* Text ---------------------------------------------------------------------------- */

/* Columns of a block of parents and children. */
static const enum column_id block_columns[] = {COLUMN_RANK, COLUMN_INCL_PERCENT, COLUMN_INCL,
    COLUMN_OTHER_INCL, COLUMN_CALLS, COLUMNS};

struct value
method_value(const struct report *r, enum column_id column, const void *row)
{
	return column_get(&r->figures, column, row);
}

static struct str
figure_cell(const void *of, int column, const void *row, char out[static FMT_SIZE])
{
	const struct figure_columns *t = of;
	const struct figures *f = &t->report->figures;
	enum column_id id = t->ids[column];

	if (row != NULL)
		return value_format(f, t->get(t->report, id, row), FMT_SIZE - 1, out);
	return str_from(column_title(f, &column_table[id], out));
}

void
figure_columns_add(struct figure_columns *t, enum column_id id)
{
	if (!column_exists(&column_table[id], t->report->trace->clocks))
		return;
	for (int i = 0; i < t->columns.count; i++)
		if (t->ids[i] == id)
			return;
	if (column_is_text(&column_table[id]))
		t->columns.left |= 1u << t->columns.count;
	t->ids[t->columns.count++] = id;
	columns_fit(&t->columns, NULL);
}

void
figure_columns_init(struct figure_columns *t, const struct report *r, const enum column_id *ids,
    struct value (*get)(const struct report *, enum column_id, const void *row))
{
	*t = (struct figure_columns){
	    .columns = {.of = t, .cell = figure_cell}, .report = r, .get = get};
	for (enum column_id id = 0; ids == NULL && id < COLUMNS; id++)
		if ((column_table[id].flags & LIST_REPORT) != 0)
			figure_columns_add(t, id);
	for (; ids != NULL && *ids != COLUMNS; ids++)
		figure_columns_add(t, *ids);
}

/* As wide as figures of any method may need; returns the width of a line. */
static int
columns_widen(struct figure_columns *t)
{
	int total = 0;

	for (int i = 0; i < t->columns.count; i++) {
		t->columns.width[i] = column_width(&t->report->figures, t->ids[i]);
		total += t->columns.width[i] + 2;
	}
	return total;
}

/* "n/total" takes more room than any N+R; returns by how much the column grew. */
static int
calls_widen(struct figure_columns *t)
{
	int need = 2 * (int)strlen(fmt_count(FMT_BUF, t->report->fold->calls, "")) + 1, by = 0;

	for (int i = 0; i < t->columns.count; i++) {
		int *width = &t->columns.width[i];

		if (t->ids[i] != COLUMN_CALLS || *width >= need)
			continue;
		by = need - *width;
		*width = need;
	}
	return by;
}

/* `mark` precedes the name; a row named "" has a mark that says it all. */
static void
line(const struct figure_columns *t, struct sbuf *out, const struct row *row, const char *mark)
{
	columns_text(&t->columns, out, row);
	sbuf_text(out, mark);
	if (row != NULL && row->kind != ROW_SELF)
		sbuf_str(out, label_shown(t->report, row->method));
	sbuf_char(out, '\n');
}

static void
list(const struct figure_columns *t, struct sbuf *out, uint32_t method, enum relation_kind kind)
{
	uint32_t count;
	struct row *rows = relation_rows(t->report, method, kind, &count);

	for (uint32_t i = 0; i < count; i++)
		line(t, out, &rows[i], rows[i].kind == ROW_SELF ? "  = self" : relation_lists[kind].mark);
	mem_free(rows);
}

static void
blocks(struct sink *sink, const struct report *r)
{
	struct figure_columns t;
	struct sbuf *out = &sink->text;
	int width = 40;

	figure_columns_init(&t, r, block_columns, method_value);
	width += columns_widen(&t);
	width += calls_widen(&t);
	sbuf_text(out, names_words(r->figures.names,
	    "Parents (<), self (=) and children (>), in percent of their method;\n"
	    "<r and >r: while it is recursive.\n\n"));
	line(&t, out, NULL, names_words(r->figures.names, labels[r->options->view->by].title));
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		uint32_t method = r->rows[i];

		for (int k = 0; k < width; k++)
			sbuf_char(out, '-');
		sbuf_char(out, '\n');
		list(&t, out, method, RELATION_PARENT);
		list(&t, out, method, RELATION_PARENT_RECURSIVE);
		line(&t, out, &(struct row){.method = method, .of = method}, "");
		list(&t, out, method, RELATION_CHILD);
		list(&t, out, method, RELATION_CHILD_RECURSIVE);
	}
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

static const char *const relation_fields[] = {",of", ",relation", "id", ",class", ",name",
    ",signature", "{name", "calls", "total", "incl_cpu_us", "incl_wall_us", NULL};
static const char *const group_relation_fields[] = {
    ",of", ",relation", "*", "calls", "total", "incl_cpu_us", "incl_wall_us", NULL};

void
fields_method(struct fields *f, const struct trace *t, uint32_t index)
{
	const struct method *m = trace_method(t, index);

	fields_put(f, value_text(NAME_ID(t, index)));
	fields_put(f, value_text(m->class_name));
	fields_put(f, value_text(m->name));
	fields_put(f, value_text(m->signature));
}

static void
fields_label(struct fields *f, const struct report *r, uint32_t index)
{
	struct sbuf raw = {0};

	label_raw(&raw, r, index);
	fields_put(f, value_text(sbuf_view(&raw)));
	sbuf_release(&raw);
}

/* `row`: of kind ROW_METHOD the method itself. */
static void
relation_write(struct fields *f, const struct report *r, uint32_t of, const char *word,
    const struct row *row)
{
	static const bool self_names[] = {true, false, true, false, true};
	bool self = row->kind == ROW_SELF, group = r->groups != NULL;
	struct value total = column_get(&r->figures, COLUMN_CALLS, row);

	fields_row(f);
	if (group)
		fields_label(f, r, of);
	else
		fields_put(f, value_text(NAME_ID(r->trace, of)));
	fields_put(f, value_text(self ? STR("self") : str_from(word)));
	for (int i = 0; self && i < (group ? 1 : 5); i++)
		fields_put(f, value_if(self_names[i], value_text(STR("self"))));
	if (!self && !group)
		fields_method(f, r->trace, row->method);
	if (!self)
		fields_label(f, r, row->method);
	fields_put(f, value_count(row->relation.calls));
	fields_put(f, value_number(total.kind == VALUE_OF ? total.b : total.a + total.b));
	fields_times(f, row->relation.inclusive, NULL, NULL);
	fields_end(f);
}

/* In CSV the method itself first, so that its own figures are there to compare with. */
static void
relations_write(struct fields *f, const struct report *r, uint32_t index)
{
	const struct method_sum *sum = &r->fold->methods[index];
	struct row own = {.method = index, .of = index};

	own.relation.calls = sum->calls;
	memcpy(own.relation.inclusive, sum->inclusive, sizeof(sum->inclusive));
	if (f->json == NULL)
		relation_write(f, r, index, labels[r->options->view->by].key, &own);
	for (int k = 0; k < RELATION_KINDS; k++) {
		uint32_t count;
		struct row *rows = relation_rows(r, index, (enum relation_kind)k, &count);

		if (f->json != NULL)
			member_array(f->json, relation_lists[k].list);
		for (uint32_t i = 0; i < count; i++)
			relation_write(f, r, index, relation_lists[k].one, &rows[i]);
		if (f->json != NULL)
			json_end(f->json);
		mem_free(rows);
	}
}

/* In JSON, where a method has lists of its own. */
static void
relations_members(const struct sheet *sheet, size_t row, struct json *j)
{
	const struct report *r = sheet->context;
	struct fields f;

	fields_init(&f, j->out, j, r->trace->clocks,
	    r->groups != NULL ? group_relation_fields : relation_fields,
	    labels[r->options->view->by].key);
	relations_write(&f, r, r->rows[row]);
}

void
methods_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct sheet how = {.members = r->relations ? relations_members : NULL, .context = r};
	struct fields relations;

	if (!r->relations || j != NULL) {
		table_write(sink, j, r->tables->list, r->options->view->name, &how);
		return;
	}
	/* CSV has a line for each, and no other. */
	fields_init(&relations, &sink->text, NULL, r->trace->clocks,
	    r->groups != NULL ? group_relation_fields : relation_fields,
	    labels[r->options->view->by].key);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		relations_write(&relations, r, r->rows[i]);
}
