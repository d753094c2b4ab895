// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/canvas.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { TEXT_MAX = sizeof(((struct glyph *)0)->text) / sizeof(uint32_t) };

static const struct glyph blank = {.text = {' '}, .width = 1, .look = ROLE_TEXT};

void
canvas_init(struct canvas *c, bool utf8)
{
	*c = (struct canvas){.utf8 = utf8};
}

void
canvas_release(struct canvas *c)
{
	mem_free(c->cells);
	canvas_init(c, c->utf8);
}

void
canvas_resize(struct canvas *c, int rows, int columns)
{
	c->rows = rows > 0 ? rows : 0;
	c->columns = columns > 0 ? columns : 0;
	c->cells =
	    mem_resize(c->cells, (size_t)c->rows * (size_t)c->columns, sizeof *c->cells);
	canvas_clear(c);
}

void
canvas_clear(struct canvas *c)
{
	size_t count = (size_t)c->rows * (size_t)c->columns;

	for (size_t i = 0; i < count; i++)
		c->cells[i] = blank;
}

struct glyph *
canvas_at(const struct canvas *c, int row, int column)
{
	if (row < 0 || row >= c->rows || column < 0 || column >= c->columns)
		return NULL;
	return &c->cells[(size_t)row * (size_t)c->columns + (size_t)column];
}

bool
glyph_is_blank(const struct glyph *g)
{
	return g->text[0] == ' ' && g->text[1] == 0;
}

/* A wide character that loses one of its halves leaves a space in the other. */
static void
halves_part(struct canvas *c, int row, int column)
{
	struct glyph *at = canvas_at(c, row, column), *other;

	if (at == NULL || at->width == 1)
		return;
	other = canvas_at(c, row, at->width == 2 ? column + 1 : column - 1);
	if (other != NULL) {
		look keep = other->look;

		*other = blank;
		other->look = keep;
	}
}

static void
cell_set(
    struct canvas *c, int row, int column, uint32_t code_point, uint8_t width, look style)
{
	struct glyph *at = canvas_at(c, row, column);

	if (at == NULL)
		return;
	halves_part(c, row, column);
	*at = (struct glyph){.text = {code_point}, .width = width, .look = style};
}

/* A character of one or two columns in [0, limit); what does not fit is spaces. */
static void
glyph_set(struct canvas *c, int row, int column, int limit, uint32_t code_point,
    int width, look style)
{
	if (limit > c->columns)
		limit = c->columns;
	if (width == 2 && (column < 0 || column + 1 >= limit)) {
		if (column + 1 < limit)
			cell_set(c, row, column + 1, ' ', 1, style);
		code_point = ' ';
		width = 1;
	}
	if (column >= limit)
		return;
	cell_set(c, row, column, code_point, (uint8_t)width, style);
	if (width == 2)
		cell_set(c, row, column + 1, 0, 0, style);
}

static void
mark_add(struct canvas *c, int row, int column, uint32_t code_point)
{
	struct glyph *at = canvas_at(c, row, column);

	if (at != NULL && at->width == 0)
		at = canvas_at(c, row, column - 1);
	if (at == NULL)
		return;
	for (int i = 1; i < TEXT_MAX; i++) {
		if (at->text[i] == 0) {
			at->text[i] = code_point;
			return;
		}
	}
}

int
canvas_text(struct canvas *c, int row, int column, int limit, struct str text, look style)
{
	int last = -1; /* where a combining mark goes */

	while (text.n > 0) {
		uint32_t code_point = utf8_next(&text);
		int width = utf8_char_width(code_point);

		if (width < 0) {
			/* Clean text has none; whatever comes, it does no harm. */
			code_point = '?';
			width = 1;
		}
		if (width == 0) {
			if (last >= 0)
				mark_add(c, row, last, code_point);
			continue;
		}
		if (column >= limit)
			break;
		if (column + width > limit) {
			glyph_set(c, row, column, limit, ' ', 1, style);
			return limit;
		}
		glyph_set(c, row, column, limit, code_point, width, style);
		last = column;
		column += width;
	}
	return column;
}

int
canvas_format(
    struct canvas *c, int row, int column, int limit, look style, const char *format, ...)
{
	char text[1024];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (n < 0)
		return column;
	if (n >= (int)sizeof text) {
		/* Ends before the last character, which may be cut. */
		n = sizeof text - 2;
		while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	return canvas_text(c, row, column, limit, (struct str){text, (size_t)n}, style);
}

void
canvas_put(struct canvas *c, int row, int column, uint32_t code_point, look style)
{
	glyph_set(c, row, column, c->columns, code_point, 1, style);
}

void
canvas_fill(struct canvas *c, int row, int from, int to, uint32_t code_point, look style)
{
	if (from < 0)
		from = 0;
	if (to > c->columns)
		to = c->columns;
	for (int column = from; column < to; column++)
		canvas_put(c, row, column, code_point, style);
}

void
canvas_add_look(struct canvas *c, int row, int from, int to, look bits)
{
	const struct glyph *first = canvas_at(c, row, from);

	/* Both halves of a wide character look alike. */
	if (first != NULL && first->width == 0)
		from--;
	if (from < 0)
		from = 0;
	if (to > c->columns)
		to = c->columns;
	for (int column = from; column < to; column++) {
		struct glyph *at = canvas_at(c, row, column);

		if (at == NULL)
			return;
		at->look |= bits;
		if (at->width == 2 && column + 1 == to && to < c->columns)
			to++;
	}
}

char *
canvas_row(const struct canvas *c, int row)
{
	char *text = mem_alloc((size_t)c->columns * TEXT_MAX * 4 + 1);
	size_t n = 0, end = 0;

	for (int column = 0; column < c->columns; column++) {
		const struct glyph *at = canvas_at(c, row, column);

		if (at == NULL)
			break;
		for (int i = 0; i < TEXT_MAX && at->text[i] != 0; i++)
			n += utf8_put(text + n, at->text[i]);
		if (at->text[0] != ' ' || at->text[1] != 0)
			end = n;
	}
	text[end] = '\0';
	return text;
}

void
canvas_lines(const struct canvas *c, int from, int to, struct sbuf *out)
{
	for (int i = from; i < to; i++) {
		char *row = canvas_row(c, i);

		sbuf_printf(out, "%s\n", row);
		mem_free(row);
	}
}
