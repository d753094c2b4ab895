// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/traces.h"

#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "tui/chooser.h"

enum {
	WIDE = 100,     /* columns, for the format and longer names */
	FORMAT_COLUMNS = 11,
	TIME_COLUMNS = 11,
	NAME_LEAST = 16,
	NAME_MOST = 44,
};

struct traces_screen {
	struct tui_traces *list;
	enum tui_traces_end end;
	int names; /* columns of names */
};

static struct tui_traces *
list_of(const struct chooser *c)
{
	return ((struct traces_screen *)c->context)->list;
}

/* Looks at all, on a thread of its own. */
static void
look_all(struct chooser *c, const struct notify *arrived, const atomic_bool *cancel)
{
	struct tui_traces *list = list_of(c);

	for (size_t i = 0; i < list->count && !is_cancelled(cancel); i++) {
		struct tui_trace *row = &list->rows[i];

		if (atomic_load(&row->state) == TRACE_WAITS && list->look(list->context, row, cancel))
			notify_post(arrived);
	}
}

static bool
is_row(const struct chooser *c, size_t i)
{
	return atomic_load(&list_of(c)->rows[i].state) != TRACE_NONE;
}

/* Drawing -------------------------------------------------------------------------------- */

static int
name_columns(const struct chooser *c, int columns)
{
	size_t most = NAME_LEAST;

	for (size_t i = 0; i < c->count; i++) {
		size_t width = utf8_width(str_from(list_of(c)->rows[i].name));

		if (is_row(c, i) && width > most)
			most = width;
	}
	most = most < NAME_MOST ? most : NAME_MOST;
	return (int)most < columns / 3 ? (int)most : columns / 3;
}

static void
head_draw(struct chooser *c, struct canvas *canvas)
{
	struct traces_screen *s = c->context;
	size_t waiting = 0, all = 0;
	int columns = canvas->columns;

	for (size_t i = 0; i < c->count; i++) {
		all += is_row(c, i);
		waiting += atomic_load(&s->list->rows[i].state) == TRACE_WAITS;
	}
	s->names = name_columns(c, columns);
	canvas_fill(canvas, 0, 0, columns, ' ', ROLE_TITLE);
	canvas_format(canvas, 0, 1, columns, ROLE_TITLE, "%zu trace%s%s", all, all == 1 ? "" : "s",
	    c->helps ? ": keys" : waiting > 0 ? ", some are still being read" : "");
	if (!c->helps)
		canvas_format(canvas, 1, 2, columns, ROLE_HEADER, "%-*s %-*s%*s %*s First finding", s->names,
		    "Trace", columns >= WIDE ? FORMAT_COLUMNS : 0, columns >= WIDE ? "Format" : "",
		    TIME_COLUMNS - 1, "Length ms", TIME_COLUMNS - 1, "Main ms");
}

static void
row_draw(struct chooser *c, struct canvas *canvas, int y, size_t i)
{
	static const char *const states[] = {
	    [TRACE_WAITS] = "...", [TRACE_READ] = "", [TRACE_FAILED] = "", [TRACE_NONE] = ""};
	static const char *const marks[] = {[TRACE_UNMARKED] = "", [TRACE_A] = "A", [TRACE_B] = "B"};
	const struct traces_screen *s = c->context;
	const struct tui_trace *row = &s->list->rows[i];
	enum tui_trace_state state = atomic_load(&row->state);
	int columns = canvas->columns, at = 2;
	struct sbuf name = {0};
	look how = state == TRACE_FAILED ? ROLE_WARNING : ROLE_TEXT;

	clean_append(&name, str_from(row->name), 0);
	canvas_text(canvas, y, 0, 2, str_from(marks[row->mark]), ROLE_MARK);
	canvas_text(canvas, y, at, at + s->names, sbuf_view(&name), how);
	sbuf_release(&name);
	at += s->names + 1;
	if (state == TRACE_READ) {
		if (columns >= WIDE) {
			canvas_text(canvas, y, at, at + FORMAT_COLUMNS - 1, str_from(row->format), ROLE_TEXT);
			at += FORMAT_COLUMNS;
		}
		canvas_format(canvas, y, at, columns, ROLE_TEXT, "%*s", TIME_COLUMNS - 1,
		    unit_figure(&row->unit, FMT_BUF, row->length));
		at += TIME_COLUMNS;
		if (row->busy >= 0)
			canvas_format(canvas, y, at, columns, ROLE_TEXT, "%*s", TIME_COLUMNS - 1,
			    unit_figure(&row->unit, FMT_BUF, row->busy));
		at += TIME_COLUMNS;
	} else {
		canvas_text(canvas, y, at, columns, str_from(states[state]), ROLE_DIM);
	}
	if (state != TRACE_WAITS && row->text != NULL)
		canvas_text(canvas, y, at, columns, str_from(row->text), how);
}

/* Draws all of the row at the cursor, which a narrow screen cuts off. */
static void
foot_draw(struct chooser *c, struct canvas *canvas, int y)
{
	const struct tui_trace *row = &list_of(c)->rows[c->cursor];
	enum tui_trace_state state = atomic_load(&row->state);
	struct sbuf text = {0};

	clean_append(&text, str_from(row->path), 0);
	if (state == TRACE_READ)
		sbuf_printf(&text, ", %s", row->format);
	if (state != TRACE_WAITS && row->text != NULL)
		sbuf_printf(&text, ": %s", row->text);
	canvas_text(canvas, y, 0, canvas->columns, sbuf_view(&text), ROLE_DIM);
	sbuf_release(&text);
}

/* Keys ----------------------------------------------------------------------------------- */

static bool
can_open(const struct chooser *c)
{
	return c->cursor < c->count && atomic_load(&list_of(c)->rows[c->cursor].state) != TRACE_FAILED;
}

static void
ends(struct chooser *c, enum tui_traces_end end)
{
	((struct traces_screen *)c->context)->end = end;
	c->over = true;
}

static void
open_trace(struct chooser *c)
{
	if (can_open(c))
		ends(c, TRACES_OPEN);
}

static void
mark(struct chooser *c)
{
	struct tui_trace *row = &list_of(c)->rows[c->cursor];

	if (can_open(c))
		row->mark = row->mark == TRACE_B ? TRACE_UNMARKED : (enum tui_trace_mark)(row->mark + 1);
}

static size_t
marked(const struct chooser *c, enum tui_trace_mark mark)
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		count += list_of(c)->rows[i].mark == mark;
	return count;
}

/* Without a trace marked as B it is the one at the cursor. */
static void
compare(struct chooser *c)
{
	struct tui_trace *row = &list_of(c)->rows[c->cursor];

	if (marked(c, TRACE_A) == 0 || (marked(c, TRACE_B) == 0 && (row->mark != TRACE_UNMARKED || !can_open(c))))
		return;
	if (marked(c, TRACE_B) == 0)
		row->mark = TRACE_B;
	ends(c, TRACES_COMPARE);
}

static const struct chooser_command commands[] = {
    {"<Enter> l <Right>", open_trace, "Enter, l", "open the trace; q comes back to the list"},
    {"<Space>", mark, "Space", "the trace is of A, the base of comparisons; again: of B; no more"},
    {"d", compare, "d", "compare A with B, or with the trace at the cursor"},
};

enum tui_traces_end
tui_traces(struct tui_traces *list, const struct settings *settings)
{
	struct traces_screen s = {.list = list, .end = TRACES_QUIT};
	struct chooser c = {.count = list->count, .cursor = list->cursor, .top = list->top,
	    .head_rows = 2, .foot_rows = 1,
	    .hint = "Enter open  Space mark as A, B  d compare  ? keys  q quit",
	    .is_row = is_row, .hides = true, .draw_head = head_draw, .draw_row = row_draw,
	    .draw_foot = foot_draw, .commands = commands,
	    .command_count = sizeof(commands) / sizeof(commands[0]), .context = &s, .work = look_all};
	bool good = chooser_run(&c, settings);

	list->cursor = c.cursor;
	list->top = c.top;
	return good ? s.end : TRACES_TROUBLE;
}
