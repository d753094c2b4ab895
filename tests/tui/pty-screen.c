// SPDX-License-Identifier: Apache-2.0
/* What the screen of a program in a terminal shows. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/pty_state.h"

static size_t
put_char(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static bool
is_blank(const VTermScreenCell *cell)
{
	return cell->chars[0] == 0 || cell->chars[0] == ' ';
}

static bool
is_letter(const VTermScreenCell *cell)
{
	return !is_blank(cell) && (cell->chars[0] < 0x2580 || cell->chars[0] > 0x259f);
}

/* Is the blank there one of a text? */
static bool
between_letters(struct pty *p, VTermPos at)
{
	VTermScreenCell before, after;

	return at.col > 0 && at.col + 1 < p->columns &&
	    vterm_screen_get_cell(p->screen, (VTermPos){at.row, at.col - 1}, &before) &&
	    vterm_screen_get_cell(p->screen, (VTermPos){at.row, at.col + 1}, &after) &&
	    is_letter(&before) && is_letter(&after);
}

/* One row as text; returns the end.  `columns`, if wanted, maps bytes to columns. */
static char *
row_text(struct pty *p, int row, char *out, int *columns)
{
	char *end = out, *start = out;

	for (int column = 0; column < p->columns;) {
		VTermPos at = {row, column};
		VTermScreenCell cell;
		char *before = out;

		vterm_screen_get_cell(p->screen, at, &cell);
		/* A block, as it looks: colours make areas of blanks in reverse. */
		if (is_blank(&cell) && cell.attrs.reverse && !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) &&
		    !between_letters(p, at)) {
			cell.chars[0] = 0x2588;
			cell.chars[1] = 0;
		}
		if (cell.chars[0] == 0 || cell.chars[0] == (uint32_t)-1)
			*out++ = ' ';
		else
			for (int i = 0;
			     i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
				out += put_char(out, cell.chars[i]);
		if (columns != NULL)
			for (char *b = before; b < out; b++)
				columns[b - start] = column;
		if (cell.chars[0] != 0 && cell.chars[0] != ' ')
			end = out;
		column += cell.width > 1 ? cell.width : 1;
	}
	*end = '\0';
	return end;
}

static size_t
room(const struct pty *p)
{
	return (size_t)p->columns * VTERM_MAX_CHARS_PER_CELL * 4 + 2;
}

const char *
pty_screen(struct pty *p)
{
	char *out = realloc(p->text, room(p) * (size_t)p->rows + 1);

	if (out == NULL)
		pty_bail("realloc");
	p->text = out;
	for (int row = 0; row < p->rows; row++) {
		out = row_text(p, row, out, NULL);
		*out++ = '\n';
	}
	*out = '\0';
	return p->text;
}

const char *
pty_row(struct pty *p, int row)
{
	char *out = realloc(p->text, room(p));

	if (out == NULL)
		pty_bail("realloc");
	p->text = out;
	row_text(p, row, out, NULL);
	return out;
}

bool
pty_shows(struct pty *p, const char *text)
{
	return strstr(pty_screen(p), text) != NULL;
}

unsigned
pty_look_of(struct pty *p, const char *text)
{
	char *line = malloc(room(p));
	int *columns = calloc(room(p), sizeof(*columns));
	unsigned look = 0;
	bool found = false;

	if (line == NULL || columns == NULL)
		pty_bail("malloc");
	for (int row = 0; row < p->rows && !found; row++) {
		const char *hit;
		VTermScreenCell cell;

		row_text(p, row, line, columns);
		hit = strstr(line, text);
		if (hit == NULL)
			continue;
		found = true;
		look = PTY_BOLD | PTY_REVERSE | PTY_UNDERLINE | PTY_COLOUR;
		for (size_t i = 0; i < strlen(text); i++) {
			VTermPos at = {row, columns[hit - line + (ptrdiff_t)i]};

			vterm_screen_get_cell(p->screen, at, &cell);
			if (!cell.attrs.bold)
				look &= ~(unsigned)PTY_BOLD;
			if (!cell.attrs.reverse)
				look &= ~(unsigned)PTY_REVERSE;
			if (!cell.attrs.underline)
				look &= ~(unsigned)PTY_UNDERLINE;
			if (VTERM_COLOR_IS_DEFAULT_FG(&cell.fg))
				look &= ~(unsigned)PTY_COLOUR;
		}
	}
	free(line);
	free(columns);
	return look;
}

bool
pty_any_colour(struct pty *p)
{
	for (int row = 0; row < p->rows; row++) {
		for (int column = 0; column < p->columns; column++) {
			VTermPos at = {row, column};
			VTermScreenCell cell;

			vterm_screen_get_cell(p->screen, at, &cell);
			if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
			    !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg))
				return true;
		}
	}
	return false;
}

bool
pty_alternate(struct pty *p)
{
	return p->alternate;
}

bool
pty_cursor_visible(struct pty *p)
{
	return p->cursor_visible;
}

void
pty_cell(struct pty *p, int row, int column, struct pty_cell *out)
{
	VTermPos at = {row, column};
	VTermScreenCell cell;
	char *end = out->text;

	vterm_screen_get_cell(p->screen, at, &cell);
	*out = (struct pty_cell){.colour = -1};
	if (cell.chars[0] == 0)
		*end++ = ' ';
	else if (cell.chars[0] != (uint32_t)-1)
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
			end += put_char(end, cell.chars[i]);
	*end = '\0';
	out->look = (cell.attrs.bold ? PTY_BOLD : 0u) |
		    (cell.attrs.reverse ? PTY_REVERSE : 0u) |
		    (cell.attrs.underline ? PTY_UNDERLINE : 0u);
	if (VTERM_COLOR_IS_DEFAULT_FG(&cell.fg))
		return;
	vterm_screen_convert_color_to_rgb(p->screen, &cell.fg);
	out->look |= PTY_COLOUR;
	out->colour = cell.fg.rgb.red << 16 | cell.fg.rgb.green << 8 | cell.fg.rgb.blue;
}
