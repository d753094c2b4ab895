#include <config.h>

#include "view/sheet.h"

#include <ctype.h>
#include <stdio.h>

#include "base/clean.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { NUMBER_WIDTH = 40, INDENT = 1 };

const struct sheet_format_row sheet_formats[SHEET_FORMATS] = {
    [SHEET_AS_TEXT] = {"text", ".txt", "columns as on the screen, all rows"},
    [SHEET_AS_CSV] = {"csv", ".csv", "comma-separated values, times in ns"},
    [SHEET_AS_JSON] = {"json", ".json", "for programs, times in ns"},
    [SHEET_AS_FOLDED] = {"folded", ".folded", "stacks for flame graphs, ns each"},
};

void
sheet_add(struct sheet *s, const char *id, const char *title, enum sheet_kind kind)
{
	struct sheet_column *c = &s->columns[s->column_count];

	if (s->column_count == SHEET_COLUMNS_MAX)
		return;
	s->column_count++;
	snprintf(c->id, sizeof(c->id), "%s", id);
	snprintf(c->title, sizeof(c->title), "%s", title);
	c->kind = kind;
}

void
sheet_add_column(struct sheet *s, enum column_id id)
{
	const struct column *c = &column_table[id];
	bool percent = c->id[strlen(c->id) - 1] == '%';
	char title[FMT_SIZE];

	column_title(s->figures, id, title);
	sheet_add(s, c->id, title,
	    c->is_text		  ? SHEET_TEXT
	    : c->is_time	  ? SHEET_TIME
	    : percent		  ? SHEET_PERCENT
	    : id == COLUMN_CALLS  ? SHEET_CALLS
				  : SHEET_COUNT);
}

/* Text ------------------------------------------------------------------------------ */

/* Of a cell, clean. */
static void
put_text(const struct sheet *s, size_t row, int column, struct sbuf *out)
{
	struct value v = s->cell(s, row, column, false);
	char buffer[FMT_SIZE];

	if (v.kind == VALUE_TEXT)
		clean_append(out, v.text, 0);
	else
		sbuf_str(out, value_format(s->figures, v, NUMBER_WIDTH, buffer));
}

static void
pad(struct sbuf *out, int columns)
{
	for (int i = 0; i < columns; i++)
		sbuf_char(out, ' ');
}

static void
put_cell(struct sbuf *out, struct str text, int width, bool left, bool last)
{
	int used = (int)utf8_width(text);

	if (!left)
		pad(out, width - used);
	sbuf_str(out, text);
	if (left && !last)
		pad(out, width - used);
	if (!last)
		sbuf_text(out, "  ");
}

static void
write_text(const struct sheet *s, struct sbuf *out)
{
	int widths[SHEET_COLUMNS_MAX];
	struct sbuf text = {0};

	for (int c = 0; c < s->column_count; c++) {
		widths[c] = (int)utf8_width(str_from(s->columns[c].title));
		for (size_t r = 0; r < s->rows && c + 1 < s->column_count; r++) {
			int width;

			sbuf_clear(&text);
			put_text(s, r, c, &text);
			width = (int)utf8_width(sbuf_view(&text));
			if (width > widths[c])
				widths[c] = width;
		}
	}
	for (int c = 0; c < s->column_count; c++)
		put_cell(out, str_from(s->columns[c].title), widths[c],
		    s->columns[c].kind == SHEET_TEXT, c + 1 == s->column_count);
	sbuf_char(out, '\n');
	for (size_t r = 0; r < s->rows; r++) {
		for (int c = 0; c < s->column_count; c++) {
			bool last = c + 1 == s->column_count;

			sbuf_clear(&text);
			if (last && s->depth != NULL)
				pad(&text, INDENT * s->depth(s, r));
			put_text(s, r, c, &text);
			put_cell(out, sbuf_view(&text), widths[c],
			    s->columns[c].kind == SHEET_TEXT, last);
		}
		sbuf_char(out, '\n');
	}
	sbuf_release(&text);
}

void
sheet_row(const struct sheet *s, size_t row, struct sbuf *out)
{
	for (int c = 0; c < s->column_count; c++) {
		if (c > 0)
			sbuf_text(out, "  ");
		sbuf_printf(out, "%s ", s->columns[c].title);
		put_text(s, row, c, out);
	}
}

/* For programs ------------------------------------------------------------------------ */

/* "incl%" is incl_percent, "incl" of a time incl_ns. */
static void
field_name(const struct sheet_column *c, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = c->id; *p != '\0' && *p != '%' && n + 12 < size; p++)
		out[n++] = isalnum((unsigned char)*p) ? *p : '_';
	snprintf(out + n, size - n, "%s",
	    c->kind == SHEET_TIME      ? "_ns"
	    : c->kind == SHEET_PERCENT ? "_percent"
				       : "");
}

/* Ten thousandths of a percent are finer than anything that is shown. */
static void
put_percent(struct sbuf *out, struct value v)
{
	if (v.b > 0)
		sbuf_printf(out, "%.4f", 100.0 * (double)v.a / (double)v.b);
}

static void
put_number(struct sbuf *out, struct value v)
{
	char text[FMT_SIZE];

	if (v.kind == VALUE_PERCENT)
		put_percent(out, v);
	else if (v.kind == VALUE_DECIMAL)
		sbuf_text(out, value_decimal(v, text));
	else if (v.kind != VALUE_EMPTY)
		sbuf_printf(out, "%lld", (long long)v.a);
}

static void
write_csv(const struct sheet *s, struct sbuf *out)
{
	for (int c = 0; c < s->column_count; c++) {
		char name[48];

		field_name(&s->columns[c], name, sizeof(name));
		sbuf_printf(out, "%s%s", c > 0 ? "," : "", name);
		if (s->columns[c].kind == SHEET_CALLS)
			sbuf_printf(out, ",recursive_%s", name);
	}
	sbuf_text(out, "\r\n");
	for (size_t r = 0; r < s->rows; r++) {
		for (int c = 0; c < s->column_count; c++) {
			struct value v = s->cell(s, r, c, true);

			if (c > 0)
				sbuf_char(out, ',');
			if (v.kind == VALUE_TEXT)
				csv_field(out, v.text);
			else
				put_number(out, v);
			if (s->columns[c].kind != SHEET_CALLS)
				continue;
			sbuf_char(out, ',');
			if (v.kind == VALUE_CALLS)
				sbuf_printf(out, "%lld", (long long)v.b);
		}
		sbuf_text(out, "\r\n");
	}
}

static void
json_cell(struct json *j, const char *name, struct value v)
{
	struct sbuf number = {0};

	put_number(&number, v);
	if (v.kind != VALUE_TEXT && number.n == 0)
		return; /* nothing is known: no member */
	json_key(j, name);
	if (v.kind == VALUE_TEXT)
		json_str(j, v.text);
	else if (v.kind == VALUE_PERCENT)
		json_us(j, v.b > 0 ? (int64_t)(100000.0 * (double)v.a / (double)v.b + 0.5)
				   : 0); /* thousandths, too */
	else
		json_int(j, v.a);
	sbuf_release(&number);
}

static void
write_json(const struct sheet *s, struct sbuf *out)
{
	struct json j;

	json_init(&j, NULL, 2);
	json_object(&j);
	json_key(&j, "view");
	json_str(&j, str_from(s->view));
	json_key(&j, "rows");
	json_array(&j);
	for (size_t r = 0; r < s->rows; r++) {
		json_object(&j);
		if (s->depth != NULL) {
			json_key(&j, "depth");
			json_int(&j, s->depth(s, r));
		}
		for (int c = 0; c < s->column_count; c++) {
			struct value v = s->cell(s, r, c, true);
			char name[48], recursive[64];

			field_name(&s->columns[c], name, sizeof(name));
			json_cell(&j, name, v);
			if (v.kind != VALUE_CALLS)
				continue;
			snprintf(recursive, sizeof(recursive), "recursive_%s", name);
			json_key(&j, recursive);
			json_int(&j, v.b);
		}
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	json_finish(&j, NULL);
	sbuf_str(out, sbuf_view(&j.out));
	json_release(&j);
}

void
sheet_frame(struct sbuf *out, struct str name)
{
	struct sbuf clean = {0};

	clean_append(&clean, name, 0);
	for (size_t i = 0; i < clean.n; i++)
		sbuf_char(out, clean.p[i] == ';' ? ':' : clean.p[i]);
	sbuf_release(&clean);
}

bool
sheet_can(const struct sheet *s, enum sheet_format format)
{
	return format != SHEET_AS_FOLDED || s->folded != NULL;
}

bool
sheet_write(const struct sheet *s, enum sheet_format format, struct sbuf *out)
{
	switch (format) {
	case SHEET_AS_CSV:
		write_csv(s, out);
		break;
	case SHEET_AS_JSON:
		write_json(s, out);
		break;
	case SHEET_AS_FOLDED:
		return s->folded != NULL && s->folded(s, out);
	default:
		write_text(s, out);
		break;
	}
	return true;
}
