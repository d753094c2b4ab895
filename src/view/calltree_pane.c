#include <config.h>

#include "view/calltree_pane.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/name_draw.h"

enum {
	CHAIN_SEEN = 8,  /* members of a chain that are named at most */
	LINK_WIDTH = 28, /* columns for one that is not the last */
};

/* Where a row is drawn. */
struct area {
	struct canvas *canvas;
	int row;
	int left, right;
};

static void
put_right(const struct area *a, int end, struct str text, look style)
{
	int at = end - (int)utf8_width(text);

	canvas_text(a->canvas, a->row, at > a->left ? at : a->left, a->right, text, style);
}

static void
draw_header(const struct area *a, const struct calltree *t, const struct table_layout *l)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(a->canvas, a->row, a->left, a->right, ' ', style);
	for (int i = 0; i < l->count; i++) {
		const struct column_place *place = &l->places[i];
		int at = a->left + place->at, end = at + place->width;
		char title[FMT_SIZE + 1];
		size_t n;

		column_title(&t->table->figures, place->id, title);
		if (place->id == COLUMN_METHOD)
			snprintf(title, FMT_SIZE, "%s",
			    t->callers != NULL ? "Method, called by" : "Call tree");
		n = strlen(title);
		if (place->id == t->sort) {
			title[n++] = t->ascending ? '^' : 'v';
			title[n] = '\0';
		}
		if (column_is_text(&column_table[place->id]))
			canvas_text(a->canvas, a->row, at, end, str_from(title), style);
		else
			put_right(a, end, str_from(title), style);
	}
	if (l->more_right)
		canvas_put(a->canvas, a->row, a->left + table_layout_name(l)->at - 1, '>', style);
}

/* "[1 main]", or "[12 threads]" of a tree that is of all of them. */
static void
draw_root(const struct area *a, const struct calltree *t, uint32_t path, int column)
{
	const struct paths *p = calltree_paths(t);
	uint32_t thread = p->root_thread != NULL ? p->root_thread[path] : THREAD_NONE;
	struct names *names = t->table->figures.names;

	if (thread == THREAD_NONE) {
		canvas_format(a->canvas, a->row, column, a->right, ROLE_TEXT, "[%u thread%s]",
		    p->items[path].threads, p->items[path].threads == 1 ? "" : "s");
		return;
	}
	column = canvas_format(a->canvas, a->row, column, a->right, ROLE_TEXT, "[%u ",
	    trace_thread(t->table->figures.trace, thread)->id);
	column = canvas_text(a->canvas, a->row, column, a->right - 1,
	    names_head(names, names_thread(names, thread), a->right - 1 - column), ROLE_TEXT);
	canvas_text(a->canvas, a->row, column, a->right, STR("]"), ROLE_TEXT);
}

/*
 * Members of a chain, those that matter most first: from the last call up, upside down
 * from the nearest caller on.  `*whole` when these are all.
 */
static int
chain_members(const struct calltree *t, const struct tree_row *row,
    uint32_t methods[CHAIN_SEEN], bool *whole)
{
	const struct path *items = calltree_paths(t)->items;
	bool up = t->callers == NULL;
	uint32_t id = up ? row->path : row->head, end = up ? row->head : row->path;
	int n = 0;

	methods[n++] = items[id].method;
	while (id != end && n < CHAIN_SEEN) {
		id = up ? items[id].parent : items[id].child;
		/* That the thread ends there is no news. */
		if (items[id].method == METHOD_TOPLEVEL)
			break;
		methods[n++] = items[id].method;
	}
	*whole = id == end || items[id].method == METHOD_TOPLEVEL;
	return n;
}

/* A member that is not the main one. */
static int
draw_link(const struct area *a, const struct calltree *t, uint32_t method, int column)
{
	struct name_fit fit =
	    names_fit(t->table->figures.names, method, LINK_WIDTH, ELISION_SHORT);
	int at = column;

	column = canvas_text(a->canvas, a->row, column, a->right, fit.text, ROLE_TEXT);
	if (table_is_hit(t->table, method))
		canvas_add_look(a->canvas, a->row, at, column, LOOK_HIT);
	return column;
}

/* "a / b / c": the main one with all the room that it wants, others as many as fit. */
static void
draw_chain(const struct area *a, const struct calltree *t, const struct tree_row *row,
    int column)
{
	struct names *names = t->table->figures.names;
	enum elision main = t->table->elision == ELISION_NONE ? ELISION_NONE : ELISION_SHORT;
	uint32_t methods[CHAIN_SEEN];
	bool whole, up = t->callers == NULL;
	int n = chain_members(t, row, methods, &whole), shown = 1;
	int room =
	    a->right - column - names_fit(names, methods[0], a->right - column, main).width;
	int mark = 4; /* of what is left out: "… / " */
	bool cut;

	while (shown < n) {
		int need = names_fit(names, methods[shown], LINK_WIDTH, ELISION_SHORT).width + 3;

		if (need + (shown + 1 < n || !whole ? mark : 0) > room)
			break;
		room -= need;
		shown++;
	}
	cut = (shown < n || !whole) && room >= mark;
	if (!up)
		column = name_draw(a->canvas, a->row, column, a->right, t->table, methods[0],
		    main, ROLE_TEXT);
	else if (cut)
		column = canvas_text(a->canvas, a->row, column, a->right,
		    a->canvas->utf8 ? STR("… / ") : STR("~ / "), ROLE_TEXT);
	for (int i = 1; i < shown; i++) {
		if (up) {
			column = draw_link(a, t, methods[shown - i], column);
			column = canvas_text(
			    a->canvas, a->row, column, a->right, STR(" / "), ROLE_TEXT);
			continue;
		}
		column =
		    canvas_text(a->canvas, a->row, column, a->right, STR(" / "), ROLE_TEXT);
		column = draw_link(a, t, methods[i], column);
	}
	if (up)
		name_draw(a->canvas, a->row, column, a->right, t->table, methods[0], main,
		    ROLE_TEXT);
	else if (cut)
		canvas_text(a->canvas, a->row, column, a->right,
		    a->canvas->utf8 ? STR(" / …") : STR(" / ~"), ROLE_TEXT);
}

static void
draw_folded(const struct area *a, const struct calltree *t, const struct tree_row *row,
    int column)
{
	const char *what = t->callers != NULL ? "callers" : "children";
	char percent[FMT_SIZE], text[3 * FMT_SIZE];

	fmt_percent(percent, row->folded_sum, t->total[t->table->figures.clock]);
	snprintf(text, sizeof(text), "(%u %s below 0.5 %% folded, together %s %%; + shows them)",
	    row->folded, what, percent);
	if ((int)strlen(text) > a->right - column)
		snprintf(text, sizeof(text), "(%u small %s: %s %%; + shows)", row->folded, what,
		    percent);
	if ((int)strlen(text) > a->right - column)
		snprintf(text, sizeof(text), "(%u small: %s %%)", row->folded, percent);
	if ((int)strlen(text) > a->right - column)
		snprintf(text, sizeof(text), "(%u small)", row->folded);
	canvas_text(a->canvas, a->row, column, a->right,
	    names_head(t->table->figures.names, str_from(text), a->right - column), ROLE_DIM);
}

/* Blanks for the depth; where they would take half of the room, the depth as a number. */
static int
draw_indent(const struct area *a, const struct tree_row *row, int column)
{
	int room = (a->right - column) / 2;

	if (row->depth <= (uint32_t)(room > 0 ? room : 0))
		return column + (int)row->depth;
	return canvas_format(
	    a->canvas, a->row, column, a->right, ROLE_DIM, "%*u ", room - 1, row->depth);
}

static void
draw_name(const struct area *a, const struct calltree *t, const struct tree_row *row,
    int column)
{
	column = draw_indent(a, row, column);
	if (row->folded != 0) {
		draw_folded(a, t, row, column + 2);
		return;
	}
	if (calltree_has_children(t, row))
		canvas_put(a->canvas, a->row, column, calltree_is_open(t, row) ? '-' : '+',
		    ROLE_TEXT);
	column += 2;
	if (calltree_paths(t)->items[row->path].method == METHOD_TOPLEVEL &&
	    calltree_paths(t)->items[row->path].parent == PATH_NONE)
		draw_root(a, t, row->path, column);
	else if (row->head != row->path)
		draw_chain(a, t, row, column);
	else
		name_draw(a->canvas, a->row, column, a->right, t->table,
		    calltree_paths(t)->items[row->path].method, t->table->elision, ROLE_TEXT);
}

static void
draw_figure(const struct area *a, const struct calltree *t, const struct tree_row *row,
    const struct column_place *place)
{
	const struct figures *f = &t->table->figures;
	struct value v = calltree_value(t, row, place->id);
	int at = a->left + place->at, end = at + place->width;
	char out[FMT_SIZE];

	if (v.kind == VALUE_EMPTY)
		return;
	if (v.kind == VALUE_TEXT)
		canvas_text(a->canvas, a->row, at, end,
		    names_head(f->names, v.text, place->width), ROLE_TEXT);
	else
		put_right(a, end, value_format(f, v, place->width, out), ROLE_TEXT);
}

static void
draw_row(const struct area *a, const struct calltree *t, const struct table_layout *l,
    size_t index)
{
	const struct tree_row *row = &t->rows[index];

	for (int i = 0; i < l->count - 1; i++)
		draw_figure(a, t, row, &l->places[i]);
	draw_name(a, t, row, a->left + table_layout_name(l)->at);
	if (index == t->at.cursor) {
		canvas_put(a->canvas, a->row, a->left, '>', ROLE_TEXT);
		canvas_add_look(a->canvas, a->row, a->left, a->right, LOOK_SELECTED);
	}
}

static void
draw_nothing(const struct area *a, const struct calltree *t, const struct calltree_show *show)
{
	struct names *names = t->table->figures.names;
	int column = a->left + 1;

	if (t->paths == NULL || show->loading)
		canvas_text(a->canvas, a->row, column, a->right, STR("summing up the calls..."),
		    ROLE_DIM);
	else if (t->paths->roots == 0)
		canvas_text(a->canvas, a->row, column, a->right, STR("no records"), ROLE_TEXT);
	else if (!filters_active(&t->table->filters))
		canvas_text(a->canvas, a->row, column, a->right, str_from(show->none), ROLE_TEXT);
	else {
		column = canvas_text(a->canvas, a->row, column, a->right,
		    STR("no method matches "), ROLE_TEXT);
		column = canvas_text(a->canvas, a->row, column, a->right,
		    filters_text(&t->table->filters, names), ROLE_TEXT);
		canvas_format(a->canvas, a->row, column, a->right, ROLE_TEXT, " (%s)",
		    show->no_match);
	}
}

/* Do filters, or transforms, leave no more than the threads? */
static bool
only_roots(const struct calltree *t)
{
	return t->paths != NULL && t->at.count > 0 && t->at.count <= t->paths->roots &&
	    !calltree_has_children(t, &t->rows[0]);
}

void
calltree_pane_draw(struct canvas *c, struct rect r, const struct calltree *t,
    const struct calltree_show *show)
{
	struct area a = {c, r.row, r.column, r.column + r.columns};
	struct table_layout layout;
	size_t index = t->at.top;

	if (r.rows <= 0 || r.columns <= 0)
		return;
	calltree_layout(&layout, t, r.columns);
	draw_header(&a, t, &layout);
	while (++a.row < r.row + r.rows) {
		canvas_fill(c, a.row, a.left, a.right, ' ', ROLE_TEXT);
		if (index < t->at.count)
			draw_row(&a, t, &layout, index);
		else if (index == t->at.count && (index == 0 || only_roots(t)))
			draw_nothing(&a, t, show);
		index++;
	}
}
