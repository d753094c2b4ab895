// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdarg.h>
#include <stdio.h>

#include "base/pattern.h"
#include "base/sbuf.h"
#include "base/utf8.h"
#include "view/pages/info.h"

enum {
	NAME_MAX_COLUMNS = 28,
	INDENT = 2, /* of names, notes and tables */
	GAP = 2,    /* between name and value */
	VALUE_MIN = 8,
	TEXT_MAX = 4096, /* bytes; only hostile files have longer texts */
};

/* Rows --------------------------------------------------------------------------- */

/* Returns the text cleaned, cut when it is absurdly long, and kept. */
static struct str
text_keep(struct info *info, struct str text)
{
	struct str head = {text.p, text.n < TEXT_MAX ? text.n : TEXT_MAX};
	struct sbuf out = {0};
	struct str kept;

	sbuf_str(&out, names_clean(info->names, head));
	if (text.n > head.n)
		sbuf_printf(&out, " ... (and %zu more bytes)", text.n - head.n);
	kept = arena_str(&info->arena, sbuf_view(&out));
	sbuf_release(&out);
	return kept;
}

void
info_row_add(struct info *info, enum info_kind kind, struct str name, struct str value)
{
	*MEM_ADD(info->rows, info->count, info->room) =
	    (struct info_row){kind, text_keep(info, name), text_keep(info, value)};
}

void
info_heading(struct info *info, const char *text)
{
	if (info->count > 0)
		info_row_add(info, INFO_BLANK, STR(""), STR(""));
	info_row_add(info, INFO_HEADING, str_from(names_words(info->names, text)), STR(""));
}

void
info_add(struct info *info, const char *name)
{
	info_row_add(info, INFO_PAIR, str_from(names_words(info->names, name)),
	    sbuf_view(&info->text));
	sbuf_clear(&info->text);
}

void
info_pair(struct info *info, const char *name, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	sbuf_vprintf(&info->text, names_words(info->names, format), ap);
	va_end(ap);
	info_add(info, name);
}

void
info_note(struct info *info, struct str text)
{
	info_row_add(info, INFO_NOTE, text, STR(""));
}

void
info_more(struct info *info, size_t all, size_t most)
{
	char text[64];

	if (all <= most)
		return;
	snprintf(text, sizeof text, "and %zu more", all - most);
	info_note(info, str_from(text));
}

void
info_begin(struct info *info, const struct trace *trace, struct names *names)
{
	info->trace = trace;
	info->names = names;
	info->count = info->line_count = 0;
	info->columns = 0;
	arena_release(&info->arena);
}

void
info_release(struct info *info)
{
	arena_release(&info->arena);
	sbuf_release(&info->text);
	mem_free(info->rows);
	mem_free(info->lines);
	*info = (struct info){0};
}

/* Lines -------------------------------------------------------------------------- */

/* The width of a text, or one more than `most`: what is longer is not looked at. */
static int
width_up_to(struct str text, int most)
{
	size_t used;
	struct str head = utf8_head(text, (size_t)most, &used);

	return head.n < text.n ? most + 1 : (int)used;
}

static bool
is_pair(enum info_kind kind)
{
	return kind == INFO_PAIR || kind == INFO_DAMAGE;
}

int
info_name_columns(const struct info *info)
{
	int columns = 0;

	for (size_t i = 0; i < info->count; i++) {
		const struct info_row *row = &info->rows[i];
		int width;

		if (!is_pair(row->kind))
			continue;
		width = width_up_to(row->name, NAME_MAX_COLUMNS);
		if (width > columns)
			columns = width;
	}
	return columns < NAME_MAX_COLUMNS ? columns : NAME_MAX_COLUMNS;
}

/* The part of a text that fits, up to a blank if there is one. */
static struct str
first_line(struct str text, int columns)
{
	struct str line = utf8_head(text, (size_t)columns, NULL);
	size_t n = line.n;

	if (n == 0 || n == text.n)
		return text;
	while (n > 0 && line.p[n - 1] != ' ')
		n--;
	return n > 0 ? (struct str){line.p, n} : line;
}

/*
 * Breaks a long text into lines; the next ones begin below the first, after a name or a note.
 * Rows of tables are not broken.
 */
static void
row_break(struct info *info, const struct info_row *row, int columns)
{
	bool note = row->kind == INFO_NOTE, broken = note || is_pair(row->kind);
	struct str name = row->name, rest = note ? row->name : row->value;

	do {
		struct str line = broken ? first_line(rest, columns) : rest;

		*MEM_ADD(info->lines, info->line_count, info->line_room) = (struct info_row){
		    row->kind, note ? line : name, note ? STR("") : line};
		name = STR("");
		rest = (struct str){rest.p + line.n, rest.n - line.n};
	} while (rest.n > 0);
}

void
info_lay_out(struct info *info, int columns)
{
	int note = columns - INDENT, value = note - info_name_columns(info) - GAP;

	if (info->columns == columns)
		return;
	info->columns = columns;
	info->line_count = 0;
	for (size_t i = 0; i < info->count; i++) {
		int room = info->rows[i].kind == INFO_NOTE ? note : value;

		row_break(info, &info->rows[i], room > VALUE_MIN ? room : VALUE_MIN);
	}
}

bool
info_is_hit(const struct info *info, size_t line, const struct pattern *pattern)
{
	const struct info_row *l = &info->lines[line];

	return pattern != NULL &&
	       (pattern_match(pattern, l->name, NULL, NULL) == PATTERN_MATCH ||
		   pattern_match(pattern, l->value, NULL, NULL) == PATTERN_MATCH);
}

/* Drawing ------------------------------------------------------------------------ */

static const look looks[] = {
    [INFO_HEADING] = ROLE_HEADER | LOOK_BOLD,
    [INFO_PAIR] = ROLE_TEXT,
    [INFO_DAMAGE] = ROLE_WARNING,
    [INFO_NOTE] = ROLE_TEXT,
    [INFO_TITLES] = ROLE_HEADER,
    [INFO_FIGURES] = ROLE_TEXT,
    [INFO_BLANK] = ROLE_TEXT,
};

/* A text, its last column a mark when it is cut.  Returns the column after it. */
static int
put_cut(struct canvas *c, int row, int column, int limit, struct str text, look style)
{
	int room = limit - column, width;

	if (room <= 0)
		return column;
	width = width_up_to(text, room);
	canvas_text(c, row, column, limit, text, style);
	if (width > room) {
		canvas_put(c, row, limit - 1, c->utf8 ? 0x2026 : '~', style);
		return limit;
	}
	return column + width;
}

static void
line_draw(
    struct canvas *c, int row, struct rect r, const struct info_row *line, int names)
{
	int limit = r.column + r.columns, at = r.column + INDENT - (line->kind == INFO_HEADING);
	int end = at + names + GAP;
	look style = looks[line->kind];

	if (is_pair(line->kind)) {
		put_cut(c, row, at, end - 1 < limit ? end - 1 : limit, line->name, style);
		put_cut(c, row, end, limit, line->value, ROLE_TEXT);
	} else {
		end = put_cut(c, row, at, limit, line->name, style);
		put_cut(c, row, end + GAP, limit, line->value, style);
	}
}

void
info_draw(struct canvas *c, struct rect r, const struct info *info, size_t top)
{
	int names = info_name_columns(info);

	for (int i = 0; i < r.rows; i++) {
		canvas_fill(c, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
		if (top + (size_t)i < info->line_count)
			line_draw(c, r.row + i, r, &info->lines[top + (size_t)i], names);
	}
}

enum { SECTION, NAME, VALUE };

static bool
is_value(const struct info_row *row)
{
	return row->kind != INFO_HEADING && row->kind != INFO_BLANK;
}

/* The row of the sheet as one of the info, and its section. */
static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct info *info = s->model;
	struct str section = STR("");

	for (size_t i = 0; i < info->count; i++) {
		const struct info_row *row = &info->rows[i];

		if (row->kind == INFO_HEADING)
			section = row->name;
		if (is_value(row) && at-- == 0)
			return value_text(column == SECTION ? section
					  : column == NAME  ? row->name
							    : row->value);
	}
	return value_text(STR(""));
}

void
info_sheet(struct sheet *s, const struct info *i, const struct figures *f, const char *view)
{
	*s = (struct sheet){.view = view, .figures = f, .model = i, .cell = cell};
	for (size_t row = 0; row < i->count; row++)
		s->rows += is_value(&i->rows[row]);
	s->cursor = s->rows;
	sheet_add(s, "section", "Section", VALUE_TEXT);
	sheet_add(s, "name", "Name", VALUE_TEXT);
	sheet_add(s, "value", "Value", VALUE_TEXT);
}
