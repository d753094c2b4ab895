/* Where a popup stands and how it looks. */
#include <config.h>

#include "tui/popup.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/keymap.h"

enum { EDGES = 4, BETWEEN = 2, SIDES_MAX = 3 };

/* How many rows stand side by side: no more than it takes to show all of them. */
static int
sides(struct app *app)
{
	const struct popup_ops *ops = app->popup.ops;
	int room = app->layout.columns - EDGES + BETWEEN, rows = app->layout.rows - 4, n = 1;

	if (ops->least == 0 || rows < 1)
		return 1;
	while (n < SIDES_MAX && (n + 1) * (ops->least + BETWEEN) <= room &&
	       ops->count(app) > (size_t)(n * rows))
		n++;
	return n;
}

/* Columns of each of so many. */
static int
side_width(const struct app *app, int n)
{
	int room = (app->layout.columns - EDGES - (n - 1) * BETWEEN) / n;

	return room < app->popup.ops->width ? room : app->popup.ops->width;
}

/* Frame included; within what the last lines of the screen leave. */
static struct rect
popup_frame(struct app *app)
{
	const struct popup *p = &app->popup;
	const struct layout *l = &app->layout;
	int extra = 2 + (p->ops->header != NULL), n = sides(app);
	int rows = ((int)(p->count < 1000 ? p->count : 1000) + n - 1) / n + extra;
	int columns = n * side_width(app, n) + (n - 1) * BETWEEN + EDGES, most = l->rows - 2;

	/* The height does not follow the filter, or the frame would jump about. */
	if (p->pattern != NULL)
		rows = (int)p->height / n + extra;
	if (rows < 3 + extra)
		rows = 3 + extra;
	if (rows > most)
		rows = most;
	if (columns > l->columns)
		columns = l->columns;
	return (struct rect){
	    1 + (most - rows) / 2, (l->columns - columns) / 2, rows, columns};
}

size_t
popup_room(struct app *app)
{
	int rows = popup_frame(app).rows - 2 - (app->popup.ops->header != NULL);

	return rows > 0 ? (size_t)(rows * sides(app)) : 0;
}

struct rect
popup_body(struct app *app)
{
	struct rect r = popup_frame(app);
	int above = 1 + (app->popup.ops->header != NULL);

	return (struct rect){
	    r.row + above, r.column + 1, r.rows - above - 1, r.columns - 2};
}

struct corners {
	uint32_t across, down, top_left, top_right, bottom_left, bottom_right;
};

static void
draw_frame(struct canvas *c, struct rect r)
{
	static const struct corners ascii = {'-', '|', '+', '+', '+', '+'};
	static const struct corners lines = {
	    0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518};
	const struct corners *k = c->utf8 ? &lines : &ascii;
	int bottom = r.row + r.rows - 1, right = r.column + r.columns - 1;

	for (int row = r.row; row <= bottom; row++) {
		canvas_fill(c, row, r.column, right + 1, ' ', ROLE_POPUP);
		canvas_put(c, row, r.column, k->down, ROLE_POPUP);
		canvas_put(c, row, right, k->down, ROLE_POPUP);
	}
	canvas_fill(c, r.row, r.column, right, k->across, ROLE_POPUP);
	canvas_fill(c, bottom, r.column, right, k->across, ROLE_POPUP);
	canvas_put(c, r.row, r.column, k->top_left, ROLE_POPUP);
	canvas_put(c, r.row, right, k->top_right, ROLE_POPUP);
	canvas_put(c, bottom, r.column, k->bottom_left, ROLE_POPUP);
	canvas_put(c, bottom, right, k->bottom_right, ROLE_POPUP);
}

/* The key that runs a command here, and a word for it; the column behind them. */
static int
draw_hint(const struct app *app, struct canvas *c, int row, int column, int limit,
    const struct command *command, const char *hint)
{
	char name[32];
	int length;

	keymap_key(app->keymap, IN_LIST, command->name, false, name);
	length = (int)strlen(name) + (int)strlen(hint) + 3;
	if (name[0] == '\0' || column + length > limit)
		return column;
	canvas_put(c, row, column++, ' ', ROLE_POPUP);
	column = canvas_text(c, row, column, limit, str_from(name), ROLE_KEY);
	canvas_put(c, row, column++, ' ', ROLE_POPUP);
	column = canvas_text(c, row, column, limit, str_from(hint), ROLE_POPUP);
	canvas_put(c, row, column, ' ', ROLE_POPUP);
	return column;
}

static const struct command *
act_command(enum list_act act)
{
	const struct command *command = tui_commands;

	while (command->run != cmd_list_act || command->arg != (int)act)
		command++;
	return command;
}

/* " Space in/out  Enter only this one " on the lower edge. */
static void
draw_hints(const struct app *app, struct canvas *c, int row, int column, int limit)
{
	const struct popup_act *a = app->popup.ops->acts;

	for (; a != NULL && a->act != LIST_NOTHING; a++)
		if (a->hint != NULL)
			column = draw_hint(
			    app, c, row, column, limit, act_command(a->act), a->hint);
	for (const struct command *command = tui_commands;
	     command < tui_commands + tui_command_count; command++)
		if (command->group == GROUP_LIST && command->hint != NULL)
			column =
			    draw_hint(app, c, row, column, limit, command, command->hint);
}

/* From `row` on, one below another, then beside them. */
static void
draw_rows(struct app *app, struct canvas *c, struct rect row, int rows)
{
	struct popup *p = &app->popup;
	int n = sides(app), top = row.row;

	row.columns = side_width(app, n);
	for (size_t i = p->top; i < p->count && n > 0; i++) {
		bool selected = p->ops->has_cursor && i == p->cursor;

		p->ops->draw(app, c, row, p->items[i], selected);
		if (selected)
			canvas_add_look(c, row.row, row.column, row.column + row.columns,
			    LOOK_SELECTED);
		if (++row.row < top + rows)
			continue;
		row.row = top;
		row.column += row.columns + BETWEEN;
		n--;
	}
}

void
popup_draw(struct app *app, struct canvas *c)
{
	struct popup *p = &app->popup;
	struct rect frame = popup_frame(app);
	struct rect row = {frame.row + 1, frame.column + 2, 1, frame.columns - 4};
	int right = frame.column + frame.columns - 2, bottom = frame.row + frame.rows - 1,
	    column;
	char place[64];

	draw_frame(c, frame);
	column = canvas_format(
	    c, frame.row, frame.column + 2, right, ROLE_KEY, " %s%s ", p->ops->title,
	    p->about != NULL ? p->about : "");
	if (p->filter[0] != '\0')
		column = canvas_format(
		    c, frame.row, column, right, ROLE_POPUP, "/%s ", p->filter);
	snprintf(place, sizeof(place), " %zu/%zu ",
	    p->count == 0                   ? 0
	    : p->ops->has_cursor            ? p->cursor + 1
	    : p->top + p->height < p->count ? p->top + p->height
					    : p->count,
	    p->count);
	if (column + (int)strlen(place) < right)
		canvas_text(c, frame.row, right - (int)strlen(place), right,
		    str_from(place), ROLE_POPUP);
	draw_hints(app, c, bottom, frame.column + 2, right);
	if (p->ops->header != NULL) {
		p->ops->header(app, c, row);
		row.row++;
	}
	draw_rows(app, c, row, bottom - row.row);
	if (p->count == 0)
		canvas_text(c, row.row, row.column, row.column + row.columns,
		    str_from(p->pattern != NULL   ? "nothing has these letters"
			: p->ops->none != NULL ? p->ops->none
					       : "nothing"),
		    ROLE_DIM);
}
