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

static bool
has_header(const struct popup *p)
{
	return p->ops->list != NULL;
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
	       app->popup.list->total > (size_t)(n * rows))
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
	const struct scroll *at = &p->list->at;
	const struct layout *l = &app->layout;
	int extra = 2 + has_header(p), n = sides(app);
	int rows = ((int)(at->count < 1000 ? at->count : 1000) + n - 1) / n + extra;
	int columns = n * side_width(app, n) + (n - 1) * BETWEEN + EDGES;
	int top = l->title + 1, most = l->rows - 1 - top;

	/* The height does not follow the filter, or the frame would jump about. */
	if (p->list->filter != NULL)
		rows = (int)at->height / n + extra;
	if (rows < 3 + extra)
		rows = 3 + extra;
	if (rows > most)
		rows = most;
	if (columns + 2 * BESIDE > l->columns)
		columns = l->columns;
	return (struct rect){
	    top + (most - rows) / 2, (l->columns - columns) / 2, rows, columns};
}

/* The popup's rows on the screen, without frame and header. */
static struct rect
popup_body(const struct app *app)
{
	struct rect r = popup_frame(app);
	int above = 1 + has_header(&app->popup);

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
    struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	struct str name = str_from(row->text), text = str_cut(&name, '\t');
	int right = r.column + r.columns, column = r.column;

	if (row->text > row->sign + 1) {
		canvas_text(c, r.row, column, right, str_from(row->sign), app->popup.ops->signs);
		column += (int)strlen(row->sign) + 1;
	}
	column = canvas_text(c, r.row, column, right, text, ROLE_POPUP);
	if (name.n > 0 && right > column)
		canvas_text(c, r.row, column, right,
		    names_fit_text(app->s->names, name, right - column, app->s->display.elision).text,
		    ROLE_POPUP);
}

/* Rows one below another, then beside them; the signs of the cursor are in the column before them. */
static void
draw_rows(struct app *app, struct canvas *c, struct rect body)
{
	struct list part = *app->popup.list;
	int n = sides(app);

	body.columns = n > 1 ? side_width(app, n) + 1 : body.columns - 1;
	if (!has_cursor(&app->popup))
		part.at.cursor = SIZE_MAX;
	for (; n > 0; n--) {
		list_draw_rows(c, body, &part);
		body.column += body.columns - 1 + BETWEEN;
		part.at.top += (size_t)body.rows;
	}
}

void
popup_draw(struct app *app, struct canvas *c)
{
	struct popup *p = &app->popup;
	const struct scroll *at = &p->list->at;
	struct rect frame = popup_frame(app), body = popup_body(app);
	int right = frame.column + frame.columns - 2, column;
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
	    at->count == 0   ? 0
	    : has_cursor(p)    ? at->cursor + 1
	    : at->top + at->height < at->count
		? at->top + at->height
		: at->count,
	    at->count);
	if (column + (int)strlen(place) < right)
		canvas_text(c, frame.row, right - (int)strlen(place), right,
		    str_from(place), ROLE_POPUP);
	draw_hints(app, c, frame.row + frame.rows - 1, frame.column + 2, right);
	if (has_header(p))
		list_draw_header(c, (struct rect){body.row - 1, body.column, 1, body.columns - 1},
		    p->list);
	draw_rows(app, c, body);
	if (at->count == 0)
		canvas_text(c, body.row, body.column + 1, right,
		    str_from(p->filter[0] != '\0' ? "nothing matches"
			: p->ops->none != NULL ? names_words(app->s->names, p->ops->none)
					       : "nothing"),
		    ROLE_DIM);
}

/* Its own list ----------------------------------------------------------------------- */

static void
rows_clear(struct popup *p)
{
	while (p->count > 0)
		mem_free(p->rows[--p->count].sign);
}

void
popup_add(struct app *app, uint64_t id, const char *sign, const char *format, ...)
{
	struct popup *p = &app->popup;
	size_t sign_size = strlen(sign) + 1;
	char text[1100], *both;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), names_words(app->s->names, format), ap);
	va_end(ap);
	both = mem_alloc(sign_size + strlen(text) + 1);
	memcpy(both, sign, sign_size);
	memcpy(both + sign_size, text, strlen(text) + 1);
	MEM_GROW(p->rows, p->room, p->count + 1);
	p->rows[p->count] = (struct popup_row){id, both, both + sign_size};
	list_add(&p->own, (struct list_id){id, 0}, (uint32_t)p->count++)->flags = LIST_AS_GIVEN;
}

static void
children(void *of, struct list *l, const struct list_row *above)
{
	struct app *app = of;

	rows_clear(&app->popup);
	app->popup.ops->fill(app);
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct app *app = of;

	return value_text(str_from(app->popup.rows[row->item].text));
}

static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	struct app *app = (struct app *)(uintptr_t)of;
	const struct popup *p = &app->popup;

	(p->ops->draw != NULL ? p->ops->draw : popup_row_draw)(app, c, r, &p->rows[row->item]);
	return true;
}

static const struct list_source source = {
    .columns = (const struct column[]){
	{"line", "Line", "a line", VALUE_TEXT, .flags = LIST_REST}, {.id = NULL}},
    .get = get,
    .children = children,
    .draw = draw,
};

/* Without a cursor it begins at the top. */
static void
settle(struct popup *p)
{
	struct scroll *at = &p->list->at;
	size_t last = at->count > at->height ? at->count - at->height : 0;

	if (!has_cursor(p))
		at->cursor = at->top = at->cursor < last ? at->cursor : last;
}

void
popup_refresh(struct app *app)
{
	struct popup *p = &app->popup;

	if (p->ops == NULL)
		return;
	if (p->ops->list != NULL)
		(void)p->ops->list(app);
	else
		list_update(&p->own);
	settle(p);
}

/* Rows above those that pass stay. */
static void
filter_set(struct app *app, struct str text)
{
	struct popup *p = &app->popup;
	struct sbuf quoted = {0};
	struct err e = {0};

	snprintf(p->filter, sizeof(p->filter), "%.*s", STR_ARG(text));
	pattern_quote(&quoted, str_from(p->filter));
	p->list->all = text.n > 0;
	(void)list_filter(p->list, sbuf_view(&quoted), &e);
	sbuf_release(&quoted);
	settle(p);
}

void
popup_open(struct app *app, const struct popup_ops *ops, uint64_t id)
{
	struct popup *p = &app->popup;

	popup_close(app);
	p->ops = ops;
	p->list = &p->own;
	if (ops->list != NULL) {
		p->list = ops->list(app);
	} else {
		list_release(&p->own);
		list_init(&p->own, &source, app, &app->s->display.figures);
	}
	p->list->at.height = 0;
	filter_set(app, STR(""));
	if (ops->list == NULL)
		(void)list_go(p->list, (struct list_id){id, 0}, 0);
	popup_layout(app);
}

void
popup_close(struct app *app)
{
	app->popup.ops = NULL;
	app->popup.about = NULL;
}

void
popup_release(struct popup *p)
{
	list_release(&p->own);
	rows_clear(p);
	mem_free(p->rows);
	*p = (struct popup){0};
}

/* Its own keys ---------------------------------------------------------- */

void
cmd_list_move(struct app *app, int how)
{
	struct list *l = app->popup.list;

	(void)list_move(l, move_distance(how, l->at.height));
	settle(&app->popup);
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
	const struct list_row *row = list_row(p->list);

	if (row == NULL && !a->any) {
		app_complain(app, "nothing to choose here");
		return;
	}
	p->act = a->act;
	if (a->closes)
		popup_close(app);
	if (a->run != NULL)
		a->run(app, row != NULL ? row->id.a : 0);
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
	size_t item = p->list->at.top + (size_t)(row - body.row);
	bool on = item == p->list->at.cursor;

	if (row < body.row || row >= body.row + body.rows || column < body.column ||
	    column >= body.column + body.columns || item >= p->list->at.count || !has_cursor(p))
		return false;
	(void)list_move(p->list, (int64_t)item - (int64_t)p->list->at.cursor);
	return on;
}

void
popup_layout(struct app *app)
{
	struct popup *p = &app->popup;
	int rows;

	if (p->ops == NULL || app->layout.too_small)
		return;
	rows = popup_frame(app).rows - 2 - has_header(p);
	list_set_size(p->list, rows > 0 ? rows * sides(app) : 0, app->layout.columns);
	settle(p);
}
