// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/traces.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/worker.h"
#include "tui/term/term.h"
#include "view/canvas.h"

enum {
	TITLE_ROWS = 2, /* and the columns' titles */
	LAST_ROWS = 2,  /* all of the cursor's row, and keys */
	WIDE = 100,     /* columns, for the format and longer names */
	FORMAT_COLUMNS = 11,
	TIME_COLUMNS = 11,
	NAME_LEAST = 16,
	NAME_MOST = 44,
};

struct traces_screen {
	struct tui_traces *list;
	struct term *term;
	struct canvas canvas;
	struct notify arrived;
	struct worker_pool *worker;
	atomic_bool cancel;
	enum tui_traces_end end;
	bool over, helps;
};

/* Looking ------------------------------------------------------------------------------ */

static void
look_all(unsigned index, void *arg)
{
	struct traces_screen *s = arg;

	(void)index;
	for (size_t i = 0; i < s->list->count && !is_cancelled(&s->cancel); i++) {
		struct tui_trace *row = &s->list->rows[i];

		if (atomic_load(&row->state) == TRACE_WAITS &&
		    s->list->look(s->list->context, row, &s->cancel))
			notify_post(&s->arrived);
	}
}

/* Rows ----------------------------------------------------------------------------------- */

static bool
is_row(const struct tui_traces *list, size_t i)
{
	return atomic_load(&list->rows[i].state) != TRACE_NONE;
}

/* The row so many after (or before) the cursor's. */
static void
move(struct tui_traces *list, long by)
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

/* The cursor's row is one, and on the screen. */
static void
follow(struct tui_traces *list, int rows)
{
	size_t before = 0;

	if (list->cursor < list->count && !is_row(list, list->cursor)) {
		size_t was = list->cursor;

		move(list, 1);
		if (list->cursor == was)
			move(list, -1);
	}
	if (list->cursor < list->top)
		list->top = list->cursor;
	for (size_t i = list->top; i < list->cursor; i++)
		before += is_row(list, i);
	for (; before >= (size_t)rows && list->top < list->cursor; list->top++)
		before -= is_row(list, list->top);
}

/* Drawing -------------------------------------------------------------------------------- */

static int
name_columns(const struct tui_traces *list, int columns)
{
	size_t most = NAME_LEAST;

	for (size_t i = 0; i < list->count; i++) {
		size_t width = utf8_width(str_from(list->rows[i].name));

		if (is_row(list, i) && width > most)
			most = width;
	}
	most = most < NAME_MOST ? most : NAME_MOST;
	return (int)most < columns / 3 ? (int)most : columns / 3;
}

static void
row_draw(struct traces_screen *s, int y, int names, size_t i)
{
	static const char *const states[] = {
	    [TRACE_WAITS] = "...", [TRACE_READ] = "", [TRACE_FAILED] = "", [TRACE_NONE] = ""};
	struct tui_traces *list = s->list;
	const struct tui_trace *row = &list->rows[i];
	enum tui_trace_state state = atomic_load(&row->state);
	int columns = s->canvas.columns, at = 2;
	struct sbuf name = {0};
	look how = state == TRACE_FAILED ? ROLE_WARNING : ROLE_TEXT;

	clean_append(&name, str_from(row->name), 0);
	canvas_text(&s->canvas, y, 0, 2, list->base == i + 1 ? STR("A") : STR(""), ROLE_MARK);
	canvas_text(&s->canvas, y, at, at + names, sbuf_view(&name), how);
	sbuf_release(&name);
	at += names + 1;
	if (state == TRACE_READ) {
		if (columns >= WIDE) {
			canvas_text(&s->canvas, y, at, at + FORMAT_COLUMNS - 1, str_from(row->format), ROLE_TEXT);
			at += FORMAT_COLUMNS;
		}
		canvas_format(&s->canvas, y, at, columns, ROLE_TEXT, "%*s", TIME_COLUMNS - 1,
		    unit_figure(&row->unit, FMT_BUF, row->length));
		at += TIME_COLUMNS;
		if (row->busy >= 0)
			canvas_format(&s->canvas, y, at, columns, ROLE_TEXT, "%*s", TIME_COLUMNS - 1,
			    unit_figure(&row->unit, FMT_BUF, row->busy));
		at += TIME_COLUMNS;
	} else {
		canvas_text(&s->canvas, y, at, columns, str_from(states[state]), ROLE_DIM);
	}
	if (state != TRACE_WAITS && row->text != NULL)
		canvas_text(&s->canvas, y, at, columns, str_from(row->text), how);
	if (i == list->cursor)
		canvas_add_look(&s->canvas, y, 0, columns, LOOK_SELECTED);
}

/* Draws all of the row at the cursor, which a narrow screen cuts off. */
static void
cursor_draw(struct traces_screen *s, int y)
{
	const struct tui_trace *row = &s->list->rows[s->list->cursor];
	enum tui_trace_state state = atomic_load(&row->state);
	struct sbuf text = {0};

	clean_append(&text, str_from(row->path), 0);
	if (state == TRACE_READ)
		sbuf_printf(&text, ", %s", row->format);
	if (state != TRACE_WAITS && row->text != NULL)
		sbuf_printf(&text, ": %s", row->text);
	canvas_text(&s->canvas, y, 0, s->canvas.columns, sbuf_view(&text), ROLE_DIM);
	sbuf_release(&text);
}

static void help_draw(struct traces_screen *);

static void
draw(struct traces_screen *s)
{
	struct tui_traces *list = s->list;
	struct canvas *c = &s->canvas;
	size_t waiting = 0, all = 0;
	int rows, columns, names, y = TITLE_ROWS;

	term_size(s->term, &rows, &columns);
	canvas_resize(c, rows, columns);
	for (size_t i = 0; i < list->count; i++) {
		all += is_row(list, i);
		waiting += atomic_load(&list->rows[i].state) == TRACE_WAITS;
	}
	names = name_columns(list, columns);
	canvas_fill(c, 0, 0, columns, ' ', ROLE_TITLE);
	canvas_format(c, 0, 1, columns, ROLE_TITLE, "%zu trace%s%s", all, all == 1 ? "" : "s",
	    s->helps ? ": keys" : waiting > 0 ? ", some are still being read" : "");
	canvas_fill(c, rows - 1, 0, columns, ' ', ROLE_FOOTER);
	canvas_text(c, rows - 1, 0, columns, s->helps ? STR("any key: back")
		: STR("Enter open  Space base of comparisons  d compare  ? keys  q quit"), ROLE_FOOTER);
	if (s->helps) {
		help_draw(s);
		return;
	}
	canvas_format(c, 1, 2, columns, ROLE_HEADER, "%-*s %-*s%*s %*s First finding", names, "Trace",
	    columns >= WIDE ? FORMAT_COLUMNS : 0, columns >= WIDE ? "Format" : "", TIME_COLUMNS - 1,
	    "Length ms", TIME_COLUMNS - 1, "Main ms");
	follow(list, rows - TITLE_ROWS - LAST_ROWS);
	for (size_t i = list->top; i < list->count && y < rows - LAST_ROWS; i++)
		if (is_row(list, i))
			row_draw(s, y++, names, i);
	if (list->cursor < list->count && all > 0)
		cursor_draw(s, rows - LAST_ROWS);
}

/* Keys ----------------------------------------------------------------------------------- */

static void
go_down(struct traces_screen *s)
{
	move(s->list, 1);
}

static void
go_up(struct traces_screen *s)
{
	move(s->list, -1);
}

static void
page_down(struct traces_screen *s)
{
	move(s->list, s->canvas.rows - TITLE_ROWS - LAST_ROWS - 1);
}

static void
page_up(struct traces_screen *s)
{
	move(s->list, -(s->canvas.rows - TITLE_ROWS - LAST_ROWS - 1));
}

static void
go_first(struct traces_screen *s)
{
	move(s->list, -(long)s->list->count);
}

static void
go_last(struct traces_screen *s)
{
	move(s->list, (long)s->list->count);
}

static bool
can_open(const struct traces_screen *s)
{
	return s->list->cursor < s->list->count &&
	    atomic_load(&s->list->rows[s->list->cursor].state) != TRACE_FAILED;
}

static void
open_trace(struct traces_screen *s)
{
	if (!can_open(s))
		return;
	s->end = TRACES_OPEN;
	s->over = true;
}

static void
mark_base(struct traces_screen *s)
{
	size_t row = s->list->cursor + 1;

	if (can_open(s))
		s->list->base = s->list->base == row ? 0 : row;
}

static void
compare(struct traces_screen *s)
{
	if (s->list->base == 0 || s->list->base == s->list->cursor + 1 || !can_open(s))
		return;
	s->end = TRACES_COMPARE;
	s->over = true;
}

static void
help(struct traces_screen *s)
{
	s->helps = true;
}

static void
suspend(struct traces_screen *s)
{
	term_suspend(s->term);
}

static void
quit(struct traces_screen *s)
{
	s->over = true;
}

static const struct {
	const char *keys; /* names, blanks between */
	void (*run)(struct traces_screen *);
	const char *shown, *help;
} commands[] = {
    {"j <Down> <C-n>", go_down, "j, Down", "next trace"},
    {"k <Up> <C-p>", go_up, "k, Up", "previous trace"},
    {"<C-f> <PageDown>", page_down, "^F, PageDown", "a page on"},
    {"<C-b> <PageUp>", page_up, "^B, PageUp", "a page back"},
    {"g <Home>", go_first, "g, Home", "first trace"},
    {"G <End>", go_last, "G, End", "last trace"},
    {"<Enter> l <Right>", open_trace, "Enter, l", "open the trace; q comes back to the list"},
    {"<Space>", mark_base, "Space", "the trace is A, the base of comparisons; again: no more"},
    {"d", compare, "d", "compare the trace with A"},
    {"? <F1>", help, "?, F1", "these keys"},
    {"<C-z>", suspend, "^Z", "stop the program; fg goes on"},
    {"q <Escape> <C-c>", quit, "q, Esc", "quit"},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void
help_draw(struct traces_screen *s)
{
	for (int i = 0; i < COMMANDS && TITLE_ROWS + i < s->canvas.rows - 1; i++) {
		canvas_text(&s->canvas, TITLE_ROWS + i, 2, 18, str_from(commands[i].shown), ROLE_KEY);
		canvas_text(&s->canvas, TITLE_ROWS + i, 18, s->canvas.columns, str_from(commands[i].help),
		    ROLE_TEXT);
	}
}

static void
keys_take(struct traces_screen *s)
{
	struct key key;

	while (!s->over && term_key(s->term, &key)) {
		if (s->helps) {
			s->helps = false;
			continue;
		}
		for (int i = 0; i < COMMANDS && !key.pasted; i++)
			if (keys_have(commands[i].keys, key.name))
				commands[i].run(s);
	}
}

/* The screen ------------------------------------------------------------------------------ */

static void
browse(struct traces_screen *s)
{
	for (;;) {
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
		if (s->over)
			return;
	}
}

enum tui_traces_end
tui_traces(struct tui_traces *list, const struct settings *settings)
{
	struct traces_screen s = {.list = list, .end = TRACES_QUIT};
	struct err e = {.kind = ERR_NONE};
	int ended_by = 0;
	char text[256];

	s.term = term_open(settings, &e);
	if (s.term != NULL && notify_open(&s.arrived, &e)) {
		canvas_init(&s.canvas, term_utf8(s.term) && !settings->ascii && !settings->lowbw);
		s.canvas.colours = term_colours(s.term);
		if (worker_start(&s.worker, 1, look_all, &s, NULL, &e))
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
	if (e.kind == ERR_NONE)
		return s.end;
	fprintf(stderr, "slowtop: %s\n", err_text(&e, text, sizeof(text)));
	return TRACES_TROUBLE;
}
