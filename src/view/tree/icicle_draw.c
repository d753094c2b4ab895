#include <config.h>

#include "view/tree/icicle_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/names/looks.h"
#include "view/tree/calltree_names.h"

enum {
	FILLED_SHARE = 50, /* frames of less than one part in so many are outlined */
	WORDS_FROM = 60, /* columns for all the words */
	NAME_LEAST = 4, /* columns; a name in less says nothing */
};

static look
frame_look(const struct icicle *f, const struct icicle_cell *cell)
{
	const struct paths *p = f->tree->paths;
	struct names *names = f->tree->display->figures.names;
	look l = ROLE_DIM;

	if (cell->path != PATH_NONE && cell->path >= p->roots)
		l = looks_method(names_looks(names), p->items[cell->path].method);
	if (icicle_weight(f, cell->path) * FILLED_SHARE >= icicle_weight(f, f->zoom))
		l |= LOOK_BLOCK;
	return l;
}

static void
draw_frame(struct canvas *c, struct rect r, const struct icicle *f,
    const struct icicle_cell *cell)
{
	const struct paths *p = f->tree->paths;
	struct names *names = f->tree->display->figures.names;
	int row = r.row + cell->row, at = r.column + cell->column, end = at + cell->width;
	bool thread = cell->path == PATH_NONE || cell->path < p->roots;
	look l = frame_look(f, cell);
	int named = end; /* where the name ends */
	char text[ROOT_LABEL];
	struct str name;

	canvas_fill(c, row, at, end, ' ', l);
	canvas_put(c, row, at, c->utf8 ? 0x258f : '|', l);
	if (cell->width > NAME_LEAST) {
		name = thread ? tree_root_label(f->tree, cell->path, cell->width - 1, text)
			      : name_short(names, p->items[cell->path].method, cell->width - 1,
				    text, sizeof(text));
		named = canvas_text(c, row, at + 1, end, name, l);
	}
	if (!thread && display_is_hit(f->tree->display, p->items[cell->path].method))
		canvas_add_look(c, row, at + (cell->width > 1), end, LOOK_HIT);
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

/* "1961.183 ms", "12.310 ms own" or "214 calls". */
static void
weight_text(const struct icicle *f, uint32_t path, char *out, size_t size)
{
	if (f->by == ICICLE_CALLS)
		snprintf(out, size, "%" PRIu64 " calls", told(f, path));
	else
		snprintf(out, size, "%s ms%s", fmt_ms(FMT_BUF, (int64_t)told(f, path)),
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

/* "zoom a.os.Handler.dispatchMessage 1961.183 ms, 61.02 % of base" */
static void
draw_zoom(struct canvas *c, struct rect r, const struct icicle *f)
{
	char weight[80], share[FMT_SIZE], text[240];
	int at, limit = r.column + r.columns;

	weight_text(f, f->zoom, weight, sizeof(weight));
	fmt_percent(share, (int64_t)told(f, f->zoom), (int64_t)told(f, PATH_NONE));
	at = snprintf(text, sizeof(text), " %s, %s %% of base", weight, share);
	limit -= at;
	at = canvas_text(c, r.row, r.column, limit, STR("zoom "), ROLE_KEY);
	at = draw_path(c, r.row, at, limit, f, f->zoom);
	canvas_text(c, r.row, at, r.column + r.columns, str_from(text), ROLE_TEXT);
}

/* "> c.e.f.ImageCache.decode 585.308 ms, 29.84 % of zoom, 18.21 % of base, 936 c." */
static void
draw_cursor(struct canvas *c, struct rect r, int row, const struct icicle *f)
{
	char weight[80], of_zoom[FMT_SIZE], of_all[FMT_SIZE], text[320];
	int64_t here = (int64_t)told(f, f->cursor);
	uint64_t calls = 0;
	int at;

	if (f->cursor != PATH_NONE)
		calls = f->tree->paths->items[f->cursor].calls;
	weight_text(f, f->cursor, weight, sizeof(weight));
	fmt_percent(of_zoom, here, (int64_t)told(f, f->zoom));
	fmt_percent(of_all, here, (int64_t)told(f, PATH_NONE));
	/* A share of the zoomed frame's own time says nothing. */
	if (r.columns >= WORDS_FROM && f->by == ICICLE_OWN)
		snprintf(text, sizeof(text), " %s, %s %% of base, %" PRIu64 " c.", weight, of_all,
		    calls);
	else if (r.columns < WORDS_FROM)
		snprintf(text, sizeof(text), " %s, %s %%", weight, of_all);
	else
		snprintf(text, sizeof(text), " %s, %s %% of zoom, %s %% of base, %" PRIu64 " c.",
		    weight, of_zoom, of_all, calls);
	at = canvas_text(c, row, r.column, r.column + r.columns, STR("> "), ROLE_KEY);
	at = draw_path(c, row, at, r.column + r.columns - (int)strlen(text), f, f->cursor);
	canvas_text(c, row, at, r.column + r.columns, str_from(text), ROLE_TEXT);
}

int
icicle_draw(struct canvas *c, struct rect r, const struct icicle *f)
{
	struct rect frames = {r.row + 1, r.column, r.rows - ICICLE_TEXT_ROWS, r.columns};
	const struct icicle_cell *at = icicle_cell(f);
	struct str more = str_from(c->utf8 ? " ↓ more below" : " more below");
	struct rect head = r;

	for (int row = r.row; row < r.row + r.rows; row++)
		canvas_fill(c, row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	if (f->tree->paths == NULL) {
		canvas_text(c, r.row + 1, r.column + 1, r.column + r.columns,
		    STR("summing up the calls..."), ROLE_DIM);
		return -1;
	}
	if (icicle_weight(f, PATH_NONE) == 0) {
		canvas_text(c, r.row + 1, r.column + 1, r.column + r.columns,
		    f->tree->paths->roots == 0 ? STR("no records") : STR("no time in these calls"),
		    ROLE_TEXT);
		return -1;
	}
	if (f->deeper && r.columns >= WORDS_FROM) {
		head.columns -= utf8_width(more);
		canvas_text(c, r.row, r.column + head.columns, r.column + r.columns, more, ROLE_DIM);
	}
	draw_zoom(c, head, f);
	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->cells[i].row < frames.rows)
			draw_frame(c, frames, f, &f->cells[i]);
	}
	draw_cursor(c, r, r.row + r.rows - 1, f);
	return at != NULL ? frames.row + at->row : -1;
}
