// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/chooser.h"

#include <signal.h>
#include <stdio.h>

#include "tui/term/term.h"

struct chooser_screen {
	struct chooser *list;
	struct term *term;
	struct canvas canvas;
	struct notify arrived;
	struct worker_pool *worker;
	atomic_bool cancel;
	bool quits;
};

static void
work(unsigned index, void *arg)
{
	struct chooser_screen *s = arg;

	if (s->list->work != NULL)
		s->list->work(s->list, &s->arrived, &s->cancel);
}

/* Rows ----------------------------------------------------------------------------------- */

static bool
is_row(const struct chooser *list, size_t i)
{
	return list->is_row == NULL || list->is_row(list, i);
}

static bool
is_shown(const struct chooser *list, size_t i)
{
	return !list->hides || is_row(list, i);
}

/* Moves the cursor so many rows on, or back. */
static void
move(struct chooser *list, long by)
{
	size_t at = list->cursor;

	while (by != 0 && at < list->count) {
		if (by < 0 && at == 0)
			break;
		at = by > 0 ? at + 1 : at - 1;
		if (at == list->count)
			break;
		if (!is_row(list, at))
			continue;
		list->cursor = at;
		by += by > 0 ? -1 : 1;
	}
}

/* Sees to it that the cursor is on a row, which is on the screen. */
static void
follow(struct chooser *list, int rows)
{
	size_t before = 0, first = list->cursor;

	if (list->cursor < list->count && !is_row(list, list->cursor)) {
		size_t was = list->cursor;

		move(list, 1);
		if (list->cursor == was)
			move(list, -1);
	}
	/* Lines above the first row are shown with it. */
	for (first = list->cursor; first > 0 && !is_row(list, first - 1);)
		first--;
	if (first == 0 && !list->hides && list->cursor < (size_t)rows)
		list->top = 0;
	if (list->cursor < list->top)
		list->top = list->cursor;
	for (size_t i = list->top; i < list->cursor; i++)
		before += is_shown(list, i);
	for (; before >= (size_t)rows && list->top < list->cursor; list->top++)
		before -= is_shown(list, list->top);
}

/* Keys ----------------------------------------------------------------------------------- */

static int
page_rows(const struct chooser_screen *s)
{
	int rows = s->canvas.rows - s->list->head_rows - s->list->foot_rows - 1;

	return rows > 1 ? rows : 1;
}

static void
go_rows(struct chooser_screen *s, int by)
{
	move(s->list, by);
}

static void
go_pages(struct chooser_screen *s, int by)
{
	move(s->list, by * page_rows(s));
}

static void
go_end(struct chooser_screen *s, int by)
{
	move(s->list, by * (long)s->list->count);
}

static void
help(struct chooser_screen *s, int by)
{
	s->list->helps = true;
}

static void
suspend(struct chooser_screen *s, int by)
{
	term_suspend(s->term);
}

static void
quit(struct chooser_screen *s, int by)
{
	s->quits = true;
}

static const struct {
	const char *keys;
	void (*run)(struct chooser_screen *, int by);
	int by;
	const char *shown, *help;
} commands[] = {
    {"j <Down> <C-n>", go_rows, 1, "j, Down", "next row"},
    {"k <Up> <C-p>", go_rows, -1, "k, Up", "previous row"},
    {"<C-f> <PageDown>", go_pages, 1, "^F, PageDown", "a page on"},
    {"<C-b> <PageUp>", go_pages, -1, "^B, PageUp", "a page back"},
    {"g <Home>", go_end, -1, "g, Home", "first row"},
    {"G <End>", go_end, 1, "G, End", "last row"},
    {"? <F1>", help, 0, "?, F1", "these keys"},
    {"<C-z>", suspend, 0, "^Z", "stop the program; fg goes on"},
    {"q <Escape> <C-c>", quit, 0, "q, Esc", "quit"},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]), KEY_COLUMNS = 18 };

static void
keys_take(struct chooser_screen *s)
{
	struct chooser *list = s->list;
	struct key key;

	while (!list->over && !s->quits && term_key(s->term, &key)) {
		if (list->helps) {
			list->helps = false;
			continue;
		}
		for (int i = 0; i < list->command_count && !key.pasted; i++)
			if (keys_have(list->commands[i].keys, key.name))
				list->commands[i].run(list);
		for (int i = 0; i < COMMANDS && !key.pasted; i++)
			if (keys_have(commands[i].keys, key.name))
				commands[i].run(s, commands[i].by);
	}
}

/* Drawing -------------------------------------------------------------------------------- */

static void
help_row(struct canvas *c, int y, const char *shown, const char *text)
{
	canvas_text(c, y, 2, KEY_COLUMNS, str_from(shown), ROLE_KEY);
	canvas_text(c, y, KEY_COLUMNS, c->columns, str_from(text), ROLE_TEXT);
}

static void
draw(struct chooser_screen *s)
{
	struct chooser *list = s->list;
	struct canvas *c = &s->canvas;
	int rows, columns, y = list->head_rows, end;

	term_size(s->term, &rows, &columns);
	canvas_resize(c, rows, columns);
	list->draw_head(list, c);
	canvas_fill(c, rows - 1, 0, columns, ' ', ROLE_FOOTER);
	canvas_text(c, rows - 1, 0, columns, list->helps ? STR("any key: back") : str_from(list->hint),
	    ROLE_FOOTER);
	if (list->helps) {
		for (int i = 0; i < list->command_count && y < rows - 1; i++, y++)
			help_row(c, y, list->commands[i].shown, list->commands[i].help);
		for (int i = 0; i < COMMANDS && y < rows - 1; i++, y++)
			help_row(c, y, commands[i].shown, commands[i].help);
		return;
	}
	follow(list, page_rows(s));
	end = rows - list->foot_rows - 1;
	for (size_t i = list->top; i < list->count && y < end; i++) {
		if (!is_shown(list, i))
			continue;
		list->draw_row(list, c, y, i);
		if (i == list->cursor && is_row(list, i))
			canvas_add_look(c, y, 0, columns, LOOK_SELECTED);
		y++;
	}
	if (list->draw_foot != NULL && list->cursor < list->count && is_row(list, list->cursor))
		list->draw_foot(list, c, end);
}

/* The screen ------------------------------------------------------------------------------ */

static void
browse(struct chooser_screen *s)
{
	while (!s->list->over && !s->quits) {
		unsigned events;

		draw(s);
		term_draw(s->term, &s->canvas, s->canvas.rows - 1, 0, false);
		term_show(s->term);
		events = term_wait(s->term, s->arrived.fd, -1);
		if ((events & TERM_END) != 0)
			return;
		if ((events & TERM_FD) != 0)
			(void)notify_take(&s->arrived);
		if ((events & TERM_INPUT) != 0)
			keys_take(s);
	}
}

bool
chooser_run(struct chooser *list, const struct settings *settings)
{
	struct chooser_screen s = {.list = list};
	struct err e = {.kind = ERR_NONE};
	int ended_by = 0;

	list->over = false;
	s.term = term_open(settings, &e);
	if (s.term != NULL && notify_open(&s.arrived, &e)) {
		canvas_init(&s.canvas, term_utf8(s.term) && !settings->ascii && !settings->lowbw);
		s.canvas.colours = term_colours(s.term);
		if (worker_start(&s.worker, 1, work, &s, NULL, &e))
			browse(&s);
		atomic_store(&s.cancel, true);
		ended_by = term_ended_by(s.term);
		canvas_release(&s.canvas);
	}
	term_close(s.term);
	worker_join(s.worker);
	notify_close(&s.arrived);
	if (ended_by != 0)
		raise(ended_by);
	if (e.kind != ERR_NONE)
		fprintf(stderr, "slowtop: %s\n", err_text(&e, ERR_BUF));
	return e.kind == ERR_NONE;
}
