/*
 * logrows: the tables of a text log (view/log/tables.h) as views of the report:
 * "log-latency" is the table "latency".
 *
 * Rows are those of the chosen threads and range, in the table's own order unless another
 * one is asked for.  Filters look at all texts of a row.
 */
#include <config.h>

#include "report/text/views.h"

#include <string.h>

#include "base/mem.h"
#include "view/list/export.h"
#include "view/log/tables.h"

struct logrows {
	struct usage_tables tables;
	struct sheet sheet; /* of the table that is shown */
	struct sbuf text;   /* of a cell */
};

static bool
table_find(const char *view, enum usage_table *table)
{
	for (int i = 0; i < USAGE_TABLES; i++) {
		*table = (enum usage_table)i;
		if (strcmp(view + strlen("log-"), usage_table_info[i]->source.word) == 0)
			return true;
	}
	return false;
}

struct usage_ask
logrows_ask(const struct report_options *o)
{
	struct usage_ask ask = USAGE_ASK_NONE;
	enum usage_table table;

	if (o->view->choose == logrows_choose && table_find(o->view->name, &table) &&
	    table == USAGE_INTERVALS)
		ask.what = USAGE_ASK_INTERVALS;
	return ask;
}

/* "core%" is core_percent for programs; times say their unit. */
static const char *
key_of(const char *id, enum value_kind kind, char out[static FMT_SIZE])
{
	size_t n = 0;

	for (const char *p = id; *p != '\0' && *p != '%' && n + 1 < FMT_SIZE; p++)
		out[n++] = *p == '-' ? '_' : *p;
	snprintf(out + n, FMT_SIZE - n, "%s",
	    kind == VALUE_TIME	      ? "_us"
		: kind == VALUE_PERCENT ? "_percent"
					: "");
	return out;
}

/* COLUMNSET_MAX: there is none. */
static int
column_find(enum usage_table table, const char *word)
{
	const struct column *columns = usage_table_info[table]->source.columns;
	char key[FMT_SIZE];

	for (int i = 0; columns[i].id != NULL; i++)
		if (strcmp(word, key_of(columns[i].id, columns[i].kind, key)) == 0)
			return i;
	return COLUMNSET_MAX;
}

bool
logrows_is_column(const char *word)
{
	for (int i = 0; i < USAGE_TABLES; i++)
		if (column_find((enum usage_table)i, word) < COLUMNSET_MAX)
			return true;
	return false;
}

bool
logrows_column(const char *view, int i, char word[static FMT_SIZE])
{
	const struct column *columns;
	enum usage_table table;

	if (!table_find(view, &table))
		return false;
	columns = usage_table_info[table]->source.columns;
	if (columns[i].id == NULL)
		return false;
	key_of(columns[i].id, columns[i].kind, word);
	return true;
}

static bool
sort(struct logrows *l, const struct report_options *o, struct err *e)
{
	struct list *list = usage_tables_list(&l->tables);
	int column = column_find(l->tables.now, o->sort_word);

	if (column == COLUMNSET_MAX)
		return err_set(e, ERR_UNSUPPORTED,
		    "'%s' has no column '%s'; --sort takes those that --format=csv names",
		    o->view->name, o->sort_word);
	list_sort(list, column,
	    o->sort_signed ? o->ascending : column_ascends(&list->source->columns[column]));
	return true;
}

/* What filters look at. */
static void
row_text(const struct sheet *s, size_t row, struct sbuf *out)
{
	sbuf_clear(out);
	for (int c = 0; c < s->column_count; c++) {
		struct value v = s->cell(s, row, c, false);

		if (v.kind != VALUE_TEXT)
			continue;
		if (out->n > 0)
			sbuf_char(out, ' ');
		sbuf_str(out, v.text);
	}
}

bool
logrows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct logrows *l = r->log = mem_zero(1, sizeof(*l));
	struct sbuf text = {0};
	enum usage_table table;
	bool good = true, passes;

	(void)cancel;
	usage_tables_init(&l->tables, &r->figures);
	if (!table_find(r->options->view->name, &table))
		return err_set(e, ERR_UNSUPPORTED, "no such table");
	l->tables.now = table;
	l->tables.ask = logrows_ask(r->options);
	usage_tables_fill(&l->tables, r->trace, r->usage);
	if (l->tables.missing != NULL)
		return err_set(e, ERR_UNSUPPORTED, "%s", l->tables.missing);
	if (r->options->sort_given && !sort(l, r->options, e))
		return false;
	list_sheet(&l->sheet, usage_tables_list(&l->tables));
	r->rows = mem_alloc((l->sheet.rows + 1) * sizeof(*r->rows));
	for (size_t i = 0; i < l->sheet.rows && i < UINT32_MAX && good; i++) {
		row_text(&l->sheet, i, &text);
		good = rows_pass(r, sbuf_view(&text), sbuf_view(&text), &passes, e);
		if (good && passes)
			r->rows[r->count++] = (uint32_t)i;
	}
	sbuf_release(&text);
	if (good)
		rows_cut(r);
	return good;
}

void
logrows_free(struct logrows *l)
{
	if (l == NULL)
		return;
	usage_tables_release(&l->tables);
	sbuf_release(&l->text);
	mem_free(l);
}

/* Text ---------------------------------------------------------------------------- */

/* Columns that only repeat a part of a text are for programs. */
static bool
for_people(const struct logrows *l, int column)
{
	const struct list_source *source = &usage_table_info[l->tables.now]->source;

	return (source->columns[l->sheet.columns[column].of].flags & LIST_FOR_PROGRAMS) == 0;
}

static struct str
log_cell(const void *of, int column, const void *row, char out[static FMT_SIZE])
{
	const struct report *r = of;
	struct logrows *l = r->log;

	(void)out;
	sbuf_clear(&l->text);
	if (!for_people(l, column))
		return (struct str){NULL, 0};
	if (row == NULL)
		return str_from(l->sheet.columns[column].title);
	sheet_text(&l->sheet, *(const uint32_t *)row, column, &l->text);
	return sbuf_view(&l->text);
}

void
logrows_text(struct sink *sink, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	struct columns t = {.of = r, .count = s->column_count, .whole = true, .cell = log_cell};
	struct sbuf *out = &sink->text;

	for (int c = 0; c < s->column_count; c++)
		t.left |= (unsigned)(s->columns[c].kind == VALUE_TEXT) << c;
	columns_init(&t);
	for (uint32_t i = 0; i < r->count; i++)
		columns_fit(&t, &r->rows[i]);
	columns_text(&t, out, NULL);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		columns_text(&t, out, &r->rows[i]);
}

/* For programs -------------------------------------------------------------------- */

void
logrows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	const char *list[SHEET_COLUMNS_MAX + 1] = {NULL};
	char keys[SHEET_COLUMNS_MAX][FMT_SIZE], name[FMT_SIZE];
	struct fields f;

	for (int c = 0; c < s->column_count; c++)
		list[c] = key_of(s->columns[c].id, s->columns[c].kind, keys[c]);
	if (j != NULL)
		member_array(j, key_of(r->options->view->name, VALUE_TEXT, name));
	fields_init(&f, sink, j, ~0u, list, NULL);
	for (uint32_t i = 0; i < r->count && fields_row(&f); i++) {
		for (int c = 0; c < s->column_count; c++)
			fields_put(&f, s->cell(s, r->rows[i], c, true));
		fields_end(&f);
	}
	if (j != NULL)
		json_end(j);
}
