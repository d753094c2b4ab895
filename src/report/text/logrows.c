#include <config.h>

#include "report/text/logrows.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/text/fields.h"
#include "report/text/members.h"
#include "report/text/rows.h"
#include "view/list/export.h"
#include "view/usage_tables.h"

struct logrows {
	struct usage_tables tables;
	struct sheet sheet; /* of the table that is shown */
};

static bool
table_find(const char *view, enum usage_table *table)
{
	for (int i = 0; i < USAGE_TABLES; i++) {
		*table = (enum usage_table)i;
		if (strcmp(view + strlen("log-"), usage_table_info[i].word) == 0)
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
	const struct column *columns = usage_table_info[table].columns->columns;
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
	columns = usage_table_info[table].columns->columns;
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
	mem_free(l);
}

/* Text ---------------------------------------------------------------------------- */

/* Columns that only repeat a part of a text are for programs. */
static bool
for_people(const struct logrows *l, int column)
{
	const struct list_source *source = usage_table_info[l->tables.now].columns;

	return (source->columns[l->sheet.columns[column].of].flags & LIST_FOR_PROGRAMS) == 0;
}

static void
cell(struct sbuf *out, struct str text, int width, bool left)
{
	int gap = width - (int)utf8_width(text);

	for (int i = 0; i < gap && !left; i++)
		sbuf_char(out, ' ');
	sbuf_str(out, text);
	for (int i = 0; i < gap && left; i++)
		sbuf_char(out, ' ');
}

/* `row` UINT32_MAX: the titles. */
static void
line(struct sbuf *out, const struct logrows *l, uint32_t row, const int *widths,
    struct sbuf *text)
{
	const struct sheet *s = &l->sheet;
	int last = s->column_count - 1;

	for (int c = 0; c <= last; c++) {
		bool left = s->columns[c].kind == VALUE_TEXT;

		if (!for_people(l, c))
			continue;
		sbuf_clear(text);
		if (row == UINT32_MAX)
			sbuf_text(text, s->columns[c].title);
		else
			sheet_text(s, row, c, text);
		cell(out, sbuf_view(text), c == last && left ? 0 : widths[c], left);
		sbuf_text(out, c < last ? "  " : "\n");
	}
}

void
logrows_text(struct sink *sink, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	int widths[SHEET_COLUMNS_MAX];
	struct sbuf text = {0};

	for (int c = 0; c < s->column_count; c++) {
		widths[c] = (int)utf8_width(str_from(s->columns[c].title));
		for (uint32_t i = 0; i < r->count; i++) {
			int width;

			sbuf_clear(&text);
			sheet_text(s, r->rows[i], c, &text);
			width = (int)utf8_width(sbuf_view(&text));
			widths[c] = width > widths[c] ? width : widths[c];
		}
	}
	line(&sink->text, r->log, UINT32_MAX, widths, &text);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		line(&sink->text, r->log, r->rows[i], widths, &text);
	sbuf_release(&text);
}

/* For programs -------------------------------------------------------------------- */

static double
number_of(struct value v)
{
	if (v.kind == VALUE_PERCENT)
		return v.b > 0 ? 100 * (double)v.a / (double)v.b : 0;
	return (double)v.a + (double)v.b / 1000;
}

static void
json_value(struct json *j, struct value v)
{
	switch (v.kind) {
	case VALUE_TIME:
		json_us(j, v.a);
		break;
	case VALUE_PERCENT:
	case VALUE_DECIMAL:
		json_decimal(j, number_of(v));
		break;
	case VALUE_TEXT:
		json_str(j, v.text);
		break;
	case VALUE_EMPTY:
		json_null(j);
		break;
	default:
		json_int(j, v.a);
		break;
	}
}

void
logrows_csv(struct sink *sink, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	struct sbuf *out = &sink->text;
	char key[FMT_SIZE];

	for (int c = 0; c < s->column_count; c++)
		field_put(out, str_from(key_of(s->columns[c].id, s->columns[c].kind, key)));
	field_line_end(out);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		for (int c = 0; c < s->column_count; c++) {
			struct value v = s->cell(s, r->rows[i], c, true);
			struct json number;

			if (v.kind == VALUE_TEXT || v.kind == VALUE_EMPTY) {
				field_put(out, v.kind == VALUE_TEXT ? v.text : STR(""));
				continue;
			}
			json_init(&number, NULL, 0);
			json_value(&number, v);
			field_put(out, sbuf_view(&number.out));
			json_release(&number);
		}
		field_line_end(out);
	}
}

void
logrows_json(struct json *j, struct sink *sink, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	char key[FMT_SIZE], name[FMT_SIZE];

	snprintf(name, sizeof(name), "%s", r->options->view->name);
	for (char *p = name; *p != '\0'; p++)
		*p = *p == '-' ? '_' : *p;
	json_key(j, name);
	json_array(j);
	for (uint32_t i = 0; i < r->count && j->error == 0 && sink_wanted(sink); i++) {
		json_object(j);
		for (int c = 0; c < s->column_count; c++) {
			json_key(j, key_of(s->columns[c].id, s->columns[c].kind, key));
			json_value(j, s->cell(s, r->rows[i], c, true));
		}
		json_end(j);
	}
	json_end(j);
}
