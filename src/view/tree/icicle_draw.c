// SPDX-License-Identifier: Apache-2.0
/*
 * icicle_draw: draws a flame graph: the way to the zoomed frame and its figures, the frames,
 * and the cursor's in words.
 *
 * Each frame has a visible left edge, so frames are distinct without colours.  The colour
 * is that of the package, or of the change while two traces are compared; frames of a small share and idle ones are only outlined in it.
 * Frames too narrow each are hatched, with their number.
 */
#include <config.h>

#include "view/tree/icicle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/diff/columns.h"
#include "view/names/looks.h"
#include "view/tree/calltree.h"

enum {
	FILLED_SHARE = 50, /* frames of less than one part in so many are outlined */
	WORDS_FROM = 60, /* columns for all the words */
	NAME_LEAST = 4, /* columns; a name in less says nothing */
};

/* Returns the colour of a change; grey is what did not. */
static look
change_look(const struct icicle *f, uint32_t path)
{
	const struct calltree *t = f->tree;
	bool more;
	enum pathstep step = pathstep_seen(
	    t->hue, t->pair->sums[t->display->figures.clock].own_most, tree_sides(t, path), &more);

	if (step == STEP_SAME)
		return ROLE_DIM;
	step = step == STEP_ALL ? STEP_MOST : step;
	return (look)((more ? ROLE_MORE : ROLE_LESS) + step - STEP_SOME);
}

/* `method` METHOD_NONE: of threads, or of several frames. */
static look
frame_look(const struct icicle *f, const struct icicle_cell *cell, uint32_t method)
{
	look l = ROLE_DIM;

	if (f->tree->pair != NULL)
		return cell->several > 0 ? l : change_look(f, cell->path) | LOOK_BLOCK;
	if (method != METHOD_NONE)
		l = (f->tree->paths->items[cell->path].flags & PATH_IDLE) != 0 ? ROLE_IDLE
		    : looks_method(names_looks(f->tree->display->figures.names), method);
	if (l != ROLE_IDLE && cell->several == 0 &&
	    icicle_weight(f, cell->path) * FILLED_SHARE >= icicle_weight(f, f->zoom))
		l |= LOOK_BLOCK;
	return l;
}

/* Returns the column after the mark and a blank. */
static int
draw_mark(struct canvas *c, int row, int at, int end, const struct icicle *f, uint32_t path, look l)
{
	const char *mark = tree_mark(f->tree, tree_sides(f->tree, path));
	int to = mark[0] != '\0' ? canvas_text(c, row, at, end, str_from(mark), l) + 1 : at;

	return to < end ? to : end;
}

static void
draw_frame(struct canvas *c, struct rect r, const struct icicle *f,
    const struct icicle_cell *cell)
{
	const struct paths *p = f->tree->paths;
	int row = r.row + cell->row, at = r.column + cell->column, end = at + cell->width;
	uint32_t method = cell->path != PATH_NONE && cell->path >= p->roots && cell->several == 0
	    ? p->items[cell->path].method : METHOD_NONE;
	look l = frame_look(f, cell, method);
	int named = end; /* where the name ends */
	char text[ICICLE_NAME];

	if (cell->several > 0) {
		snprintf(text, sizeof(text), "+%" PRIu32, cell->several);
		canvas_fill(c, row, at, end, c->utf8 ? 0x2591 : ':', l);
		if ((size_t)cell->width > strlen(text))
			canvas_text(c, row, at + 1, end, str_from(text), l);
	} else {
		canvas_fill(c, row, at, end, ' ', l);
		canvas_put(c, row, at, c->utf8 ? 0x258f : '|', l);
		named = at + 1;
		/* Where there are no colours the mark tells the change. */
		if (f->tree->pair != NULL && cell->width > NAME_LEAST)
			named = draw_mark(c, row, named, end, f, cell->path, l);
		if (end - named > NAME_LEAST - 1)
			named = canvas_text(c, row, named, end, icicle_name(f, cell->path, end - named, text), l);
		else if (cell->width <= NAME_LEAST)
			named = end;
	}
	if (method != METHOD_NONE && display_is_hit(f->tree->display, method))
		canvas_add_look(c, row, at + (cell->width > 1), named, LOOK_HIT);
	else if (method != METHOD_NONE && method == f->marked)
		canvas_add_look(c, row, at + (cell->width > 1), end, LOOK_UNDERLINE);
	/*
	 * Only the name is marked, not the whole width, which each step would send again,
	 * twice.
	 */
	if (cell->path == f->cursor)
		canvas_add_look(c, row, at, named, LOOK_SELECTED);
}

/* The figure in words: with own time a frame's width is not one of its figures. */
static uint64_t
told(const struct icicle *f, uint32_t path)
{
	return f->by == ICICLE_OWN ? icicle_own(f, path) : icicle_weight(f, path);
}

/* "A 60.000 ms, B 200.000 ms, +140.000 ms, +233.33 %" */
static void
sides_text(const struct icicle *f, uint32_t path, char *out, size_t size)
{
	const struct trace_unit *unit = &f->tree->display->figures.trace->unit;
	const struct pathjoin_figures *of = tree_sides(f->tree, path);
	nsec a = of->inclusive[DIFF_A], b = of->inclusive[DIFF_B];
	const char *mark = tree_mark(f->tree, of);
	int n = snprintf(out, size, "A %s, B %s, %s %s", unit_text(unit, FMT_BUF, a), unit_text(unit, FMT_BUF, b),
	    diff_time_text(unit, diff_between(a, b), false, FMT_BUF), unit_name(unit));

	if (pathstep_of(a, b) == STEP_ALL)
		snprintf(out + n, size - (size_t)n, ", %s", mark);
	else if (a > 0)
		snprintf(out + n, size - (size_t)n, ", %s %%", diff_percent_text(a, b, FMT_BUF));
}

/* "1961.183 ms", "12.310 ms own" or "214 calls". */
static void
weight_text(const struct icicle *f, uint32_t path, char *out, size_t size)
{
	if (f->by == ICICLE_CALLS)
		snprintf(out, size, names_words(f->tree->display->figures.names, "%" PRIu64 " calls"),
		    told(f, path));
	else
		snprintf(out, size, "%s%s", unit_text(&f->tree->display->figures.trace->unit, FMT_BUF, (int64_t)told(f, path)),
		    f->by == ICICLE_OWN ? " own" : "");
}

static int
draw_path(struct canvas *c, int row, int column, int limit,
    const struct icicle *f, uint32_t path)
{
	char text[ROOT_LABEL];

	if (path == PATH_NONE || path < f->tree->paths->roots)
		return canvas_text(c, row, column, limit,
		    tree_root_label(f->tree, path, limit - column, text), ROLE_TEXT);
	return canvas_text(c, row, column, limit,
	    names_fit(f->tree->display->figures.names, f->tree->paths->items[path].method,
		limit - column, f->tree->display->elision).text,
	    ROLE_TEXT);
}

/* "main › Looper.loop › 1961.183 ms, 61.02 % of all": callers of the zoomed frame, its figures. */
static void
draw_zoom(struct canvas *c, struct rect r, const struct icicle *f)
{
	struct str gap = str_from(c->utf8 ? " › " : " > ");
	int at = r.column, limit = r.column + r.columns;
	char weight[80], share[FMT_SIZE], text[ICICLE_NAME];

	if (f->above_cut) {
		at = canvas_text(c, r.row, at, limit, str_from(c->utf8 ? "…" : "~"), ROLE_DIM);
		at = canvas_text(c, r.row, at, limit, gap, ROLE_DIM);
	}
	for (size_t i = 0; i < f->above; i++) {
		const struct icicle_cell *cell = &f->cells[i];
		int from = at;

		at = canvas_text(c, r.row, at, limit, icicle_name(f, cell->path, cell->width, text),
		    ROLE_DIM);
		if (cell->path == f->cursor)
			canvas_add_look(c, r.row, from, at, LOOK_SELECTED);
		at = canvas_text(c, r.row, at, limit, gap, ROLE_DIM);
	}
	if (f->tree->pair != NULL) {
		sides_text(f, f->zoom, text, sizeof(text));
		canvas_text(c, r.row, at, limit, str_from(text), ROLE_TEXT);
		return;
	}
	weight_text(f, f->zoom, weight, sizeof(weight));
	fmt_percent(share, (int64_t)told(f, f->zoom), (int64_t)told(f, PATH_NONE));
	snprintf(text, sizeof(text), "%s, %s %% of all", weight, share);
	canvas_text(c, r.row, at, limit, str_from(text), ROLE_TEXT);
}

/* "> c.e.f.ImageCache.decode 585.308 ms, 29.84 % of zoom, 18.21 % of all, 936 calls" */
static void
draw_cursor(struct canvas *c, struct rect r, int row, const struct icicle *f)
{
	char weight[80], of_zoom[FMT_SIZE], of_all[FMT_SIZE], text[320];
	int64_t here = (int64_t)told(f, f->cursor);
	const struct icicle_cell *cell = icicle_cell(f);
	uint64_t calls = 0;
	int at;

	if (f->cursor != PATH_NONE)
		calls = f->tree->paths->items[f->cursor].calls;
	weight_text(f, f->cursor, weight, sizeof(weight));
	fmt_percent(of_zoom, here, (int64_t)told(f, f->zoom));
	fmt_percent(of_all, here, (int64_t)told(f, PATH_NONE));
	if (f->tree->pair != NULL) {
		text[0] = ' ';
		sides_text(f, f->cursor, text + 1, sizeof(text) - 1);
	} else if (r.columns < WORDS_FROM)
		snprintf(text, sizeof(text), " %s, %s %%", weight, of_all);
	else
		/* A share of the zoomed frame's own time says nothing. */
		snprintf(text, sizeof(text), " %s, %s%s%s %% of all, %" PRIu64 " %s", weight,
		    f->by != ICICLE_OWN ? of_zoom : "", f->by != ICICLE_OWN ? " % of zoom, " : "",
		    of_all, calls, names_words(f->tree->display->figures.names,
			calls == 1 ? "call" : "calls"));
	at = canvas_text(c, row, r.column, r.column + r.columns, STR("> "), ROLE_KEY);
	if (cell != NULL && cell->several > 0)
		at = canvas_format(c, row, at, r.column + r.columns, ROLE_DIM,
		    "widest of %" PRIu32 ": ", cell->several);
	at = draw_path(c, row, at, r.column + r.columns - (int)strlen(text), f, f->cursor);
	canvas_text(c, row, at, r.column + r.columns, str_from(text), ROLE_TEXT);
}

int
icicle_draw(struct canvas *c, struct rect r, const struct icicle *f)
{
	const struct icicle_cell *at = icicle_cell(f);
	struct str more = str_from(c->utf8 ? " ↓ more below" : " more below");
	struct rect head = r;

	for (int row = r.row; row < r.row + r.rows; row++)
		canvas_fill(c, row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	if (f->tree->paths == NULL) {
		canvas_text(c, r.row + 1, r.column + 1, r.column + r.columns,
		    str_from(names_words(f->tree->display->figures.names,
			"summing up the calls...")), ROLE_DIM);
		return -1;
	}
	if (icicle_weight(f, PATH_NONE) == 0) {
		canvas_text(c, r.row + 1, r.column + 1, r.column + r.columns,
		    str_from(f->tree->paths->roots == 0 ? "no records"
			: names_words(f->tree->display->figures.names, "no time in these calls")),
		    ROLE_TEXT);
		return -1;
	}
	if (f->deeper && r.columns >= WORDS_FROM) {
		head.columns -= utf8_width(more);
		canvas_text(c, r.row, r.column + head.columns, r.column + r.columns, more, ROLE_DIM);
	}
	draw_zoom(c, head, f);
	for (size_t i = f->above; i < f->cell_count; i++) {
		if (f->cells[i].row < r.rows - ICICLE_TEXT_ROWS)
			draw_frame(c, r, f, &f->cells[i]);
	}
	draw_cursor(c, r, r.row + r.rows - 1, f);
	return at != NULL ? r.row + at->row : -1;
}
