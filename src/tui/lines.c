// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/lines.h"

#include "base/utf8.h"
#include "tui/chooser.h"

static const struct tui_lines *
lines_of(const struct chooser *c)
{
	return c->context;
}

static bool
is_row(const struct chooser *c, size_t i)
{
	return lines_of(c)->lines[i].kind >= LINE_ROW;
}

static void
head_draw(struct chooser *c, struct canvas *canvas)
{
	canvas_fill(canvas, 0, 0, canvas->columns, ' ', ROLE_TITLE);
	canvas_text(canvas, 0, 1, canvas->columns, str_from(lines_of(c)->title), ROLE_TITLE);
}

static void
line_draw(struct chooser *c, struct canvas *canvas, int y, size_t i)
{
	static const look looks[] = {[LINE_TEXT] = ROLE_TEXT, [LINE_TITLE] = ROLE_HEADER,
	    [LINE_ROW] = ROLE_TEXT, [LINE_BAD] = ROLE_SLOWER};
	const struct tui_line *line = &lines_of(c)->lines[i];
	struct sbuf text = {0};

	clean_append(&text, line->text, 0);
	canvas_text(canvas, y, 0, canvas->columns, sbuf_view(&text), looks[line->kind]);
	sbuf_release(&text);
}

static void
choose(struct chooser *c)
{
	c->over = c->cursor < c->count && is_row(c, c->cursor);
}

/* Goes to the next, or the last title, and the row below it. */
static void
next_list(struct chooser *c)
{
	size_t at = c->cursor;

	do {
		at = at + 1 < c->count ? at + 1 : 0;
	} while (at != c->cursor && lines_of(c)->lines[at].kind != LINE_TITLE);
	for (; at < c->count && !is_row(c, at); at++)
		continue;
	if (at < c->count)
		c->cursor = at;
}

enum tui_lines_end
tui_lines(struct tui_lines *lines, const struct settings *settings)
{
	static const struct chooser_command commands[] = {
	    {"<Enter> l <Right>", choose, "Enter, l", "open the new trace at the method, compared with the base"},
	    {"<Tab>", next_list, "Tab", "the next list"},
	};
	struct chooser c = {.count = lines->count, .cursor = lines->cursor, .top = lines->top,
	    .head_rows = 1, .hint = lines->hint, .is_row = is_row, .draw_head = head_draw,
	    .draw_row = line_draw, .commands = commands,
	    .command_count = sizeof(commands) / sizeof(commands[0]), .context = lines};
	bool good = chooser_run(&c, settings);

	lines->cursor = c.cursor;
	lines->top = c.top;
	return !good ? LINES_TROUBLE : c.over ? LINES_CHOSEN : LINES_QUIT;
}
