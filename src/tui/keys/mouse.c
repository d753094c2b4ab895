// SPDX-License-Identifier: Apache-2.0
/* Effects of clicks and the wheel. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

enum { WHEEL_LINES = 3 };

static bool
inside(struct rect r, int row, int column)
{
	return row >= r.row && row < r.row + r.rows && column >= r.column &&
	       column < r.column + r.columns;
}

static void
press(struct app *app, const char *name)
{
	struct key key = {0};

	key_name_read(str_from(name), key.name, NULL);
	queue_do(app, &key);
}

static void
wheel(struct app *app, int direction)
{
	for (int i = 0; i < WHEEL_LINES; i++) {
		if (app->popup.ops != NULL)
			press(app, direction > 0 ? "<Down>" : "<Up>");
		else
			cmd_move(app, direction * MOVE_LINE);
	}
}

static void
click_timeline(struct app *app, int row, int column)
{
	struct timeline_pane *p = &app->s->timeline;
	struct rect r = app->layout.timeline;
	size_t line = p->top + (size_t)(row - r.row - 1);
	int cells = timeline_pane_cells(p);
	int cell = column - r.column - timeline_pane_label_width(p);

	app->focus = PANE_TIMELINE;
	if (row > r.row && row < r.row + r.rows - 1 && line < p->row_count)
		timeline_pane_select_row(p, line);
	if (cell >= 0 && cell < cells)
		axis_move_to(&p->axis,
		    axis_cell_start(p->axis.from, p->axis.to, cell, cells));
}

static void
click_header(struct app *app, int column)
{
	struct list *l = screens_list(app);
	struct list_layout layout;

	list_layout(&layout, l, app->layout.table.columns);
	for (int i = 0; i < layout.count; i++) {
		const struct list_slot *slot = &layout.slots[i];

		if (column >= slot->from && column < slot->to)
			list_sort_by(l, slot->column);
	}
}

static void
click(struct app *app, int row, int column)
{
	const struct layout *l = &app->layout;

	if (app->popup.ops != NULL) {
		if (popup_click(app, row, column))
			press(app, "<Enter>");
		return;
	}
	if (inside(l->timeline, row, column)) {
		click_timeline(app, row, column);
		return;
	}
	for (int i = 0; i < app->bar.count && row < l->title; i++) {
		const struct bar_view *v = &app->bar.views[i];

		if (column >= v->from && column < v->to && !v->now)
			command_do(app, commands_find(v->id));
	}
	if (row <= l->title || row >= l->rows - 1)
		return;
	if (inside(l->table, row, column)) {
		app->focus = PANE_TABLE;
		if (row == l->table.row) {
			click_header(app, column);
			return;
		}
	}
	if (app->eye_row < 0)
		return;
	if (row == app->eye_row)
		press(app, "<Enter>");
	else
		for (int line = app->eye_row; line != row; line += line < row ? 1 : -1)
			cmd_move(app, line < row ? MOVE_LINE : -MOVE_LINE);
}

void
mouse_event(struct app *app, const struct key *key)
{
	/* Reports may still be under way when it was switched off. */
	if (!app->settings->mouse || app->ask != NULL || app->layout.too_small)
		return;
	app->message[0] = '\0';
	if (key->mouse == MOUSE_CLICK)
		click(app, key->row, key->column);
	else
		wheel(app, key->mouse == MOUSE_WHEEL_DOWN ? 1 : -1);
}

void
cmd_mouse(struct app *app)
{
	bool on = !app->settings->mouse;
	struct str value = on ? STR("on") : STR("off");

	(void)settings_change(app->settings, STR(""), STR("mouse"), value, NULL);
	term_set_mouse(app->term, on);
	app_say(app, on ? "mouse on (with Shift most terminals still select text)"
			: "mouse off");
}
