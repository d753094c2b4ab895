// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/str.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/keymap.h"
#include "tui/popups/popup.h"

/* Its place and its looks ---------------------------------------------------------- */

enum {
	EDGES = 4, BETWEEN = 2, SIDES_MAX = 3,
	BESIDE = 8, /* columns: less of the screen beside the frame is not shown */
};

static bool
has_cursor(const struct popup *p)
{
	return p->ops->least == 0;
}

/* How many rows are side by side: as few as show all of them. */
static int
sides(const struct app *app)
{
	const struct popup_ops *ops = app->popup.ops;
	int room = app->layout.columns - EDGES + BETWEEN, n = 1;
	int rows = app->layout.rows - app->layout.title - 4;

	if (ops->least == 0 || rows < 1)
		return 1;
	while (n < SIDES_MAX && (n + 1) * (ops->least + BETWEEN) <= room &&
	       app->popup.total > (size_t)(n * rows))
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

/* Frame included; between the title and the last line. */
static struct rect
popup_frame(const struct app *app)
{
	const struct popup *p = &app->popup;
	const struct layout *l = &app->layout;
	int extra = 2 + (p->ops->header != NULL), n = sides(app);
	int rows = ((int)(p->at.count < 1000 ? p->at.count : 1000) + n - 1) / n + extra;
	int columns = n * side_width(app, n) + (n - 1) * BETWEEN + EDGES;
	int top = l->title + 1, most = l->rows - 1 - top;

	/* The height does not follow the filter, or the frame would jump about. */
	if (p->pattern != NULL)
		rows = (int)p->at.height / n + extra;
	if (rows < 3 + extra)
		rows = 3 + extra;
	if (rows > most)
		rows = most;
	if (columns + 2 * BESIDE > l->columns)
		columns = l->columns;
	return (struct rect){
	    top + (most - rows) / 2, (l->columns - columns) / 2, rows, columns};
}

static size_t
popup_room(const struct app *app)
{
	int rows = popup_frame(app).rows - 2 - (app->popup.ops->header != NULL);

	return rows > 0 ? (size_t)(rows * sides(app)) : 0;
}

/* The popup's rows on the screen, without frame and header. */
static struct rect
popup_body(const struct app *app)
{
	struct rect r = popup_frame(app);
	int above = 1 + (app->popup.ops->header != NULL);

	return (struct rect){
	    r.row + above, r.column + 1, r.rows - above - 1, r.columns - 2};
}

static void
draw_frame(struct canvas *c, struct rect r)
{
	enum { ACROSS, DOWN, TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT };
	static const uint32_t ascii[] = {'-', '|', '+', '+', '+', '+'};
	static const uint32_t lines[] = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518};
	const uint32_t *k = c->utf8 ? lines : ascii;
	int bottom = r.row + r.rows - 1, right = r.column + r.columns - 1;

	for (int row = r.row; row <= bottom; row++) {
		canvas_fill(c, row, r.column, right + 1, ' ', ROLE_POPUP);
		canvas_put(c, row, r.column, k[DOWN], ROLE_POPUP);
		canvas_put(c, row, right, k[DOWN], ROLE_POPUP);
	}
	canvas_fill(c, r.row, r.column, right, k[ACROSS], ROLE_POPUP);
	canvas_fill(c, bottom, r.column, right, k[ACROSS], ROLE_POPUP);
	canvas_put(c, r.row, r.column, k[TOP_LEFT], ROLE_POPUP);
	canvas_put(c, r.row, right, k[TOP_RIGHT], ROLE_POPUP);
	canvas_put(c, bottom, r.column, k[BOTTOM_LEFT], ROLE_POPUP);
	canvas_put(c, bottom, right, k[BOTTOM_RIGHT], ROLE_POPUP);
}

/* The key that runs a command here, and a word for it; the column after them. */
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

	while (command->with != cmd_list_act || command->arg != (int)act)
		command++;
	return command;
}

/* " Space in/out  Enter only this one " on the lower edge. */
static void
draw_hints(const struct app *app, struct canvas *c, int row, int column, int limit)
{
	const struct popup_act *a = app->popup.ops->acts;

	for (; a->act != LIST_NOTHING; a++)
		if (a->hint != NULL)
			column = draw_hint(
			    app, c, row, column, limit, act_command(a->act), a->hint);
	for (const struct command *command = tui_commands;
	     command < tui_commands + tui_command_count; command++)
		if (command->contexts == IN_LIST && command->hint != NULL)
			column =
			    draw_hint(app, c, row, column, limit, command, command->hint);
}

void
popup_row_draw(
    const struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	int right = r.column + r.columns, column = r.column;

	if (row->text > row->sign + 1) {
		canvas_text(c, r.row, column, right, str_from(row->sign), app->popup.ops->signs);
		column += (int)strlen(row->sign) + 1;
	}
	canvas_text(c, r.row, column, right, str_from(row->text), ROLE_POPUP);
}

/* Draws rows from `row` on, one below another, then beside them. */
static void
draw_rows(struct app *app, struct canvas *c, struct rect row, int rows)
{
	const struct popup *p = &app->popup;
	int n = sides(app), top = row.row;

	row.columns = side_width(app, n);
	for (size_t i = p->at.top; i < p->at.count && n > 0; i++) {
		if (p->ops->draw != NULL)
			p->ops->draw(app, c, row, &p->rows[i]);
		else
			popup_row_draw(app, c, row, &p->rows[i]);
		if (has_cursor(p) && i == p->at.cursor)
			canvas_add_look(
			    c, row.row, row.column, row.column + row.columns, LOOK_SELECTED);
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
	    c, frame.row, frame.column + 2, right, ROLE_KEY, " %s%s ",
	    names_words(app->s->names, p->ops->title),
	    p->about != NULL ? p->about : "");
	if (p->filter[0] != '\0')
		column = canvas_format(
		    c, frame.row, column, right, ROLE_POPUP, "/%s ", p->filter);
	snprintf(place, sizeof(place), " %zu/%zu ",
	    p->at.count == 0   ? 0
	    : has_cursor(p)    ? p->at.cursor + 1
	    : p->at.top + p->at.height < p->at.count
		? p->at.top + p->at.height
		: p->at.count,
	    p->at.count);
	if (column + (int)strlen(place) < right)
		canvas_text(c, frame.row, right - (int)strlen(place), right,
		    str_from(place), ROLE_POPUP);
	draw_hints(app, c, bottom, frame.column + 2, right);
	if (p->ops->header != NULL) {
		p->ops->header(app, c, row);
		row.row++;
	}
	draw_rows(app, c, row, bottom - row.row);
	if (p->at.count == 0)
		canvas_text(c, row.row, row.column, row.column + row.columns,
		    str_from(p->pattern != NULL   ? "nothing matches"
			: p->ops->none != NULL ? names_words(app->s->names, p->ops->none)
					       : "nothing"),
		    ROLE_DIM);
}

/* Without a cursor it begins at the top. */
static void
settle(struct popup *p)
{
	struct scroll *at = &p->at;
	size_t last = at->count > at->height ? at->count - at->height : 0;

	if (has_cursor(p))
		scroll_keep(at);
	else
		at->cursor = at->top = at->cursor < last ? at->cursor : last;
}

/* The cursor's row is what the cursor stays on. */
static void
remember(struct popup *p)
{
	if (p->at.count == 0)
		return;
	p->on = p->rows[p->at.cursor].id;
	p->number = p->rows[p->at.cursor].number;
}

static void
rows_clear(struct popup *p)
{
	for (size_t i = 0; i < p->at.count; i++)
		mem_free(p->rows[i].sign);
	p->at.count = p->total = 0;
}

static void
row_add(struct popup *p, struct popup_row row)
{
	/* The cursor stays on its row; if that is gone, on one close to its place. */
	if (!p->found && (row.number <= p->number || row.id == p->on))
		p->at.cursor = p->at.count;
	p->found = p->found || row.id == p->on;
	MEM_GROW(p->rows, p->room, p->at.count + 1);
	p->rows[p->at.count++] = row;
}

static void
head_drop(struct popup *p)
{
	mem_free(p->head.sign);
	p->head.sign = NULL;
}

__attribute__((format(printf, 5, 0))) static void
add(struct app *app, uint64_t id, bool head, const char *sign, const char *format, va_list ap)
{
	struct popup *p = &app->popup;
	struct popup_row row = {.id = id, .number = p->total++};
	size_t sign_size = strlen(sign) + 1;
	char text[1100];
	bool matches;

	vsnprintf(text, sizeof(text), names_words(app->s->names, format), ap);
	matches = p->pattern == NULL ||
	    pattern_match(p->pattern, str_from(text), NULL, NULL) != PATTERN_NO;
	if (head)
		head_drop(p);
	if (!matches && !head)
		return;
	row.sign = mem_alloc(sign_size + strlen(text) + 1);
	row.text = memcpy(row.sign + sign_size, text, strlen(text) + 1);
	memcpy(row.sign, sign, sign_size);
	if (!matches) {
		p->head = row;
		return;
	}
	if (p->head.sign != NULL) {
		row_add(p, p->head);
		p->head.sign = NULL;
	}
	row_add(p, row);
}

void
popup_add(struct app *app, uint64_t id, const char *sign, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add(app, id, false, sign, format, ap);
	va_end(ap);
}

void
popup_add_head(struct app *app, uint64_t id, const char *sign, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add(app, id, true, sign, format, ap);
	va_end(ap);
}

void
popup_refresh(struct app *app)
{
	struct popup *p = &app->popup;

	if (p->ops == NULL)
		return;
	rows_clear(p);
	p->at.cursor = 0;
	p->found = false;
	p->ops->fill(app);
	head_drop(p);
	settle(p);
}

static void
filter_set(struct app *app, struct str text)
{
	struct popup *p = &app->popup;

	pattern_free(p->pattern);
	p->pattern = NULL;
	if (text.n > 0)
		pattern_compile(text, PATTERN_LITERAL, &p->pattern, NULL);
	snprintf(p->filter, sizeof(p->filter), "%.*s", STR_ARG(text));
	popup_refresh(app);
}

/* Moves the cursor by so many rows. */
static void
move(struct popup *p, int64_t by)
{
	(void)scroll_move(&p->at, by);
	settle(p);
	remember(p);
}

void
popup_open(struct app *app, const struct popup_ops *ops, uint64_t id)
{
	struct popup *p = &app->popup;

	popup_close(app);
	p->ops = ops;
	p->on = id;
	p->number = 0;
	p->at.height = p->at.top = 0;
	popup_refresh(app);
	popup_layout(app);
	remember(p);
}

void
popup_close(struct app *app)
{
	app->popup.ops = NULL;
	app->popup.about = NULL;
	filter_set(app, STR(""));
}

void
popup_release(struct popup *p)
{
	pattern_free(p->pattern);
	rows_clear(p);
	mem_free(p->rows);
	*p = (struct popup){0};
}

/* Its own keys ---------------------------------------------------------- */

void
cmd_list_move(struct app *app, int how)
{
	move(&app->popup, move_distance(how, app->popup.at.height));
}

static void
filter_changed(struct app *app)
{
	filter_set(app, prompt_text(&app->prompt));
}

static void
filter_cancelled(struct app *app)
{
	filter_set(app, STR(""));
}

static const struct ask ask_filter = {
    .label = "/", .changed = filter_changed, .cancelled = filter_cancelled};

void
cmd_list_find(struct app *app)
{
	app_ask(app, &ask_filter, str_from(app->popup.filter));
}

/* NULL: not in this list. */
static const struct popup_act *
find_act(const struct popup_ops *ops, int act)
{
	for (const struct popup_act *a = ops->acts; a->act != LIST_NOTHING; a++)
		if ((int)a->act == act)
			return a;
	return NULL;
}

void
cmd_list_act(struct app *app, int act)
{
	struct popup *p = &app->popup;
	const struct popup_act *a = find_act(p->ops, act);
	uint64_t id = p->at.count > 0 ? p->rows[p->at.cursor].id : 0;

	if (p->at.count == 0 && !a->any) {
		app_complain(app, "nothing to choose here");
		return;
	}
	p->act = a->act;
	if (a->closes)
		popup_close(app);
	if (a->run != NULL)
		a->run(app, id);
	popup_refresh(app);
}

bool
popup_key(struct app *app, const struct key *key, const struct command *command)
{
	const struct popup_ops *ops = app->popup.ops;

	if (ops->key != NULL && ops->key(app, key->name))
		return true;
	if (command == NULL ||
	    (command->with == cmd_list_act && find_act(ops, command->arg) == NULL))
		return false;
	command_do(app, command);
	return true;
}

bool
popup_click(struct app *app, int row, int column)
{
	struct popup *p = &app->popup;
	struct rect body = popup_body(app);
	size_t item = p->at.top + (size_t)(row - body.row);
	bool on = item == p->at.cursor;

	if (row < body.row || row >= body.row + body.rows || column < body.column ||
	    column >= body.column + body.columns || item >= p->at.count || !has_cursor(p))
		return false;
	move(p, (int64_t)item - (int64_t)p->at.cursor);
	return on;
}

void
popup_layout(struct app *app)
{
	struct popup *p = &app->popup;

	if (p->ops == NULL || app->layout.too_small)
		return;
	p->at.height = popup_room(app);
	settle(p);
}
