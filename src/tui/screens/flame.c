// SPDX-License-Identifier: Apache-2.0
/* The flame graph of the call tree. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/keymap.h"
#include "tui/screens/screens.h"
#include "view/tree/icicle.h"

static void
flame_layout(struct app *app, struct layout *l, struct rect body)
{
	l->body = body;
	compare_follow_paths(app);
	calltree_follow(&app->s->tree);
	icicle_layout(&app->s->flame, body.rows - ICICLE_TEXT_ROWS, body.columns);
}

/* The first picture is of one thread: of all, most frames would be too narrow.  Tells so. */
static void
draw_why(struct app *app, struct rect r)
{
	const struct icicle *f = &app->s->flame;
	char key[32], text[80];
	int from;

	if (f->tree->paths == NULL || f->zoom >= f->tree->paths->roots ||
	    f->tree->paths->roots < 2)
		return;
	if (keymap_key(app->keymap, IN_FLAME, "frame-out", false, key)[0] == '\0')
		return;
	snprintf(text, sizeof(text), "one of %" PRIu32 " threads, %s: all",
	    f->tree->paths->roots, key);
	from = r.column + r.columns - (int)strlen(text);
	if (from > r.column + 1 && glyph_is_blank(canvas_at(&app->canvas, r.row, from - 2)) &&
	    glyph_is_blank(canvas_at(&app->canvas, r.row, from)))
		canvas_text(&app->canvas, r.row, from, r.column + r.columns, str_from(text),
		    ROLE_KEY);
}

static int
flame_draw(struct app *app)
{
	int row = icicle_draw(&app->canvas, app->layout.body, &app->s->flame);

	draw_why(app, app->layout.body);
	return row;
}

/* Levels from the thread down. */
static size_t
flame_position(const struct app *app, size_t *rows)
{
	const struct icicle *f = &app->s->flame;
	size_t deepest = 0, at = 0;

	*rows = 0;
	if (f->tree->paths == NULL || f->cell_count == 0)
		return 0;
	if (f->cursor != PATH_NONE)
		at = paths_depth(f->tree->paths, f->cursor) + 1;
	if (f->zoom != PATH_NONE)
		deepest = paths_depth(f->tree->paths, f->zoom) + 1;
	deepest += (size_t)(f->cells[f->cell_count - 1].row - f->cells[f->above].row + f->hidden);
	*rows = deepest > at ? deepest : at;
	return at;
}

static void
flame_subject(const struct app *app, struct subject *to)
{
	to->method = icicle_method(&app->s->flame);
}

static void
flame_enter(struct app *app)
{
	const struct selection *s = &app->s->selected;
	struct icicle *f = &app->s->flame;
	bool chosen = !s->idle && s->method != METHOD_NONE, elsewhere;

	compare_follow_paths(app);
	calltree_follow(&app->s->tree);
	if (f->tree->paths == NULL)
		return;
	elsewhere = (chosen && (s->depth > 0 || s->method != icicle_method(f))) ||
	    (s->thread != THREAD_NONE &&
		(f->cursor == PATH_NONE || !calltree_is_of(f->tree, f->cursor, s->thread)));
	icicle_select(f, chosen ? s->method : METHOD_NONE,
	    elsewhere ? selection_find(s, f->tree->paths, app->s->display.figures.clock)
	    : PATH_NONE);
}

static void
flame_leave(struct app *app)
{
	struct icicle *f = &app->s->flame;

	/* Where the cursor was put is no choice of the user. */
	if (f->tree->paths == NULL || f->cursor == PATH_NONE || !f->moved)
		return;
	tree_select_path(f->tree, f->cursor, &app->s->selected);
	app_select_thread(app);
}

/* Commands ------------------------------------------------------------------------- */

static bool
flame_has_frames(struct app *app)
{
	return app->s->flame.cell_count > 0 || app_complain(app, "no frames yet");
}

static void
flame_move(struct app *app, int how)
{
	struct icicle *f = &app->s->flame;
	int64_t steps = move_distance(how, (size_t)(f->rows > 0 ? f->rows : 1));

	if (!flame_has_frames(app))
		return;
	if (steps > f->rows)
		icicle_heaviest(f);
	else if (steps < -f->rows)
		icicle_to_zoom(f);
	for (; steps > 0 && steps <= f->rows && icicle_down(f); steps--)
		;
	for (; steps < 0 && -steps <= f->rows && icicle_up(f); steps++)
		;
}

void
cmd_flame_sibling(struct app *app, int direction)
{
	if (flame_has_frames(app) && !icicle_move(&app->s->flame, direction))
		app_complain(app, "no frame further %s", direction < 0 ? "left" : "right");
}

void
cmd_flame_zoom(struct app *app)
{
	struct icicle *f = &app->s->flame;

	if (!flame_has_frames(app))
		return;
	if (f->cursor != f->zoom)
		app_visit(app);
	if (!icicle_zoom_in(f))
		app_complain(app, "already full width");
}

void
cmd_flame_heaviest(struct app *app)
{
	if (flame_has_frames(app) && !icicle_heaviest(&app->s->flame))
		app_complain(app, "no child has half of it");
}

void
cmd_flame_out(struct app *app)
{
	if (flame_has_frames(app) && !icicle_zoom_out(&app->s->flame))
		app_complain(app, "already all threads");
}

void
cmd_value(struct app *app)
{
	static const char *const words[ICICLE_VALUES] = {
	    [ICICLE_TIME] = "inclusive time",
	    [ICICLE_OWN] = "exclusive time, of the frame and those below it",
	    [ICICLE_CALLS] = "calls at and below the frame",
	};
	static const char *const sides[ICICLE_SIDES] = {
	    [ICICLE_BOTH] = "both, A and B",
	    [ICICLE_NEW] = "new, the time in B",
	    [ICICLE_BASE] = "base, the time in A",
	    [ICICLE_CHANGE] = "change, of exclusive times at and below the frame",
	};
	struct icicle *f = &app->s->flame;

	if (f->tree->pair != NULL) {
		icicle_set_sides(f, (enum icicle_sides)((f->sides + 1) % ICICLE_SIDES));
		app_say(app, "widths: %s", sides[f->sides]);
		return;
	}
	icicle_set_value(f, (enum icicle_value)((f->by + 1) % ICICLE_VALUES));
	app_say(app, "widths: %s", words[f->by]);
}

static enum hits_found
flame_next_hit(struct app *app, int direction)
{
	struct calltree *t = &app->s->tree;
	enum hits_found found;

	calltree_follow(t);
	if (t->paths == NULL)
		return HITS_NONE;
	/* The tree looks from where its own cursor is. */
	if (app->s->flame.cursor != PATH_NONE && t->hit != app->s->flame.cursor)
		calltree_go(t, app->s->flame.cursor);
	found = list_search_next(&t->list, direction);
	if (found != HITS_NONE)
		icicle_go(&app->s->flame, t->hit);
	return found;
}

static void
flame_count_hits(struct app *app, size_t *n, size_t *of)
{
	list_search_position(&app->s->tree.list, n, of);
}

static bool
flame_sheet(struct app *app, struct sheet *out, bool files)
{
	if (app->s->flame.tree->paths == NULL)
		return false;
	icicle_sheet(out, &app->s->flame, files);
	return true;
}

const struct screen screen_flame = {
	.sheet = flame_sheet,
    .title = screens_title_compared,
    .move = flame_move,
    .next_hit = flame_next_hit,
    .count_hits = flame_count_hits,
    .layout = flame_layout,
    .draw = flame_draw,
    .position = flame_position,
    .subject = flame_subject,
    .enter = flame_enter,
    .leave = flame_leave,
};
