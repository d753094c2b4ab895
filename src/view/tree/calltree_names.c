// SPDX-License-Identifier: Apache-2.0
/* calltree_names: the texts in rows of a call tree, for the screen and for files. */
#include <config.h>

#include "view/tree/calltree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/display.h"

enum {
	CHAIN_SEEN = 8,  /* members of a chain that are named at most */
	LINK_WIDTH = 28, /* columns for one that is not the last */
};

/* On the screen --------------------------------------------------------------------- */

/* Where a row's name is drawn. */
struct names_area {
	const struct calltree *tree;
	struct canvas *canvas;
	int row, right;
	look style; /* of the names */
};

static int
put(const struct names_area *a, int column, struct str text, look style)
{
	return canvas_text(a->canvas, a->row, column, a->right, text, style);
}

struct str
tree_root_label(const struct calltree *t, uint32_t path, int width, char out[static ROOT_LABEL])
{
	const struct figures *f = &t->display->figures;
	const struct paths *p = calltree_paths(t);
	bool known = path != PATH_NONE && p->root_thread != NULL;
	uint32_t thread = known ? p->root_thread[path] : THREAD_NONE;

	if (t->callers != NULL) {
		snprintf(out, ROOT_LABEL, "[%u methods that match]", p->items[path].threads);
	} else if (t->pair != NULL && path != PATH_NONE && t->pair->roots[path].name.p != NULL) {
		const struct pathpair_root *root = &t->pair->roots[path];

		snprintf(out, ROOT_LABEL, "[%u %.*s]", root->id, STR_ARG(names_clean(f->names, root->name)));
	} else if (thread == THREAD_NONE) {
		uint32_t n = path != PATH_NONE ? p->items[path].threads : p->roots;

		snprintf(out, ROOT_LABEL, "[%u thread%s]", n, n == 1 ? "" : "s");
	} else {
		int n = snprintf(out, ROOT_LABEL, "[%u ", trace_thread(f->trace, thread)->id);
		struct str name = names_short(f->names, names_thread(f->names, thread), width - n - 1);

		snprintf(out + n, ROOT_LABEL - (size_t)n, "%.*s]", STR_ARG(name));
	}
	return str_from(out);
}

/* A call of a chain. */
struct chain_member {
	uint32_t method;
	uint32_t at; /* its place in the chain, from 0 for the outermost; in callers the topmost */
};

static void
member_add(struct chain_member list[CHAIN_SEEN], int *n, uint32_t method, uint32_t at)
{
	for (int i = 0; i < *n; i++)
		if (list[i].at == at)
			return;
	if (*n < CHAIN_SEEN)
		list[(*n)++] = (struct chain_member){method, at};
}

/* The calls of a chain that are worth a name, the worthiest first; `*count`: how many it has. */
static int
chain_members(const struct calltree *t, const struct list_row *row,
    struct chain_member list[CHAIN_SEEN], uint32_t *count)
{
	const struct path *items = calltree_paths(t)->items;
	uint32_t main = tree_main(t, row), head = tree_head(row), end = tree_path(row), at = 0, id;
	int n = 0;

	*count = 1;
	for (id = end; id != head; id = items[id].parent) {
		at += id == main || at > 0;
		++*count;
	}
	if (t->callers != NULL) {
		for (id = head, at = 0; n < CHAIN_SEEN; id = items[id].child) {
			/* Every stack ends there: not worth a name. */
			if (items[id].method == METHOD_TOPLEVEL)
				break;
			member_add(list, &n, items[id].method, at++);
			if (id == end)
				return n;
		}
		*count = items[id].method == METHOD_TOPLEVEL ? at : *count;
		return n;
	}
	member_add(list, &n, items[main].method, at);
	member_add(list, &n, items[end].method, *count - 1);
	member_add(list, &n, items[head].method, 0);
	for (id = end, at = *count; at-- > 0 && n < CHAIN_SEEN; id = items[id].parent)
		member_add(list, &n, items[id].method, at);
	return n;
}

static int
by_place(const void *left, const void *right)
{
	const struct chain_member *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

/* A member that is not the main one. */
static int
draw_link(const struct names_area *a, uint32_t method, int column)
{
	const struct display *display = a->tree->display;
	struct name_fit fit =
	    names_fit(display->figures.names, method, LINK_WIDTH, ELISION_SHORT);
	int at = column;

	column = put(a, column, fit.text, a->style);
	if (display_is_hit(display, method))
		canvas_add_look(a->canvas, a->row, at, column, LOOK_HIT);
	return column;
}

/* "a / b … d": the main one with as much room as it needs, then as many others as fit. */
static void
draw_chain(const struct names_area *a, const struct list_row *row, int column)
{
	const struct display *display = a->tree->display;
	struct names *names = display->figures.names;
	enum elision elision = display->elision == ELISION_NONE ? ELISION_NONE : ELISION_SHORT;
	const bool utf8 = a->canvas->utf8;
	struct str gap = utf8 ? STR(" … ") : STR(" ~ "), between = STR(" / ");
	struct chain_member list[CHAIN_SEEN];
	uint32_t count, main;
	int n = chain_members(a->tree, row, list, &count), shown = 1;
	int mark = 4; /* of what is left out at the ends: "… / " */
	int room = a->right - column -
	    names_fit(names, list[0].method, a->right - column, elision).width;

	while (shown < n) {
		int need = names_fit(names, list[shown].method, LINK_WIDTH, ELISION_SHORT).width + 3;

		if (need + ((uint32_t)shown + 1 < count ? mark : 0) > room)
			break;
		room -= need;
		shown++;
	}
	main = list[0].at;
	qsort(list, (size_t)shown, sizeof(*list), by_place);
	if (list[0].at > 0 && room >= mark)
		column = put(a, column, utf8 ? STR("… / ") : STR("~ / "), a->style);
	for (int i = 0; i < shown; i++) {
		if (i > 0)
			column = put(a, column, list[i].at == list[i - 1].at + 1 ? between : gap, a->style);
		column = list[i].at != main ? draw_link(a, list[i].method, column)
		    : name_draw(a->canvas, a->row, column, a->right, display, list[i].method, elision,
			a->style);
	}
	if (list[shown - 1].at + 1 < count && room >= mark)
		put(a, column, utf8 ? STR(" / …") : STR(" / ~"), a->style);
}

static void
draw_small(const struct names_area *a, const struct list_row *row, int column)
{
	const struct calltree *t = a->tree;
	const char *what = t->callers != NULL
	    ? names_words(t->display->figures.names, "callers") : "children";
	unsigned count = row->item;
	char percent[FMT_SIZE], text[3 * FMT_SIZE];
	bool one_thread = t->root != NULL && t->paths->root_thread[0] != THREAD_NONE;
	int room = a->right - column;

	fmt_percent(
	    percent, tree_small_sum(t, tree_path(row)), t->total[t->display->figures.clock]);
	snprintf(text, sizeof(text), "(%u %s below 0.5 %%%s folded, together %s %%; + shows them)",
	    count, what, one_thread ? " of the thread" : "", percent);
	if ((int)strlen(text) > room)
		snprintf(text, sizeof(text), "(%u small %s: %s %%; + shows)", count, what, percent);
	if ((int)strlen(text) > room)
		snprintf(text, sizeof(text), "(%u small: %s %%)", count, percent);
	if ((int)strlen(text) > room)
		snprintf(text, sizeof(text), "(%u small)", count);
	put(a, column, names_head(t->display->figures.names, str_from(text), room), ROLE_DIM);
}

bool
tree_draw_name(
    const void *tree, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct calltree *t = tree;
	struct names_area a = {t, c, r.row, r.column + r.columns,
	    tree_is_idle(t, row) ? ROLE_IDLE : ROLE_TEXT};
	const struct path *path = &calltree_paths(t)->items[tree_path(row)];
	char label[ROOT_LABEL];
	int at, room;

	if (column == COLUMN_CHANGE && !tree_is_folded(row)) {
		const struct pathjoin_figures *sides = tree_sides(t, tree_head(row));

		put(&a, r.column, str_from(tree_mark(t, sides)), tree_change_look(t, sides));
		return true;
	}
	if (column != COLUMN_METHOD)
		return false;
	/* Blanks for the depth; where they would take half of the room, the depth as a number. */
	room = (a.right - r.column) / 2;
	at = row->depth <= (uint32_t)(room > 0 ? room : 0) ? r.column + (int)row->depth
	    : canvas_format(c, r.row, r.column, a.right, ROLE_DIM, "%*u ", room - 1, row->depth);
	if (!tree_is_folded(row) && (row->flags & LIST_LEADS) != 0)
		put(&a, at, list_is_open(&t->list, row->id) ? STR("-") : STR("+"), a.style);
	at += 2;
	if (tree_is_folded(row))
		draw_small(&a, row, at);
	else if (path->method == METHOD_TOPLEVEL && path->parent == PATH_NONE)
		put(&a, at, tree_root_label(t, tree_path(row), a.right - at, label), a.style);
	else if (tree_head(row) != tree_path(row))
		draw_chain(&a, row, at);
	else
		name_draw(c, r.row,
		    name_swatch(c, r.row, at, a.right, t->display, path->method, a.style),
		    a.right, t->display, path->method, t->display->elision, a.style);
	return true;
}

void
tree_draw_empty(const void *tree, struct canvas *c, struct rect r)
{
	const struct calltree *t = tree;
	const struct filters *filters = &t->display->filters;
	struct names_area a = {t, c, r.row, r.column + r.columns, ROLE_TEXT};
	struct names *names = t->display->figures.names;
	int at = r.column + 1;

	if (t->paths == NULL || t->none == NULL) {
		put(&a, at, str_from(names_words(names, "summing up the calls...")), ROLE_DIM);
	} else if (t->paths->roots == 0) {
		put(&a, at, STR("no records"), ROLE_TEXT);
	} else if (!filters_active(filters)) {
		put(&a, at, str_from(t->none), ROLE_TEXT);
	} else {
		at = put(&a, at, str_from(names_words(names, "no method matches ")), ROLE_TEXT);
		at = put(&a, at, filters_text(filters, names), ROLE_TEXT);
		canvas_format(c, r.row, at, a.right, ROLE_TEXT, " (%s)", t->no_match);
	}
}

/* In files -------------------------------------------------------------------------- */

/* "main", or "12 threads". */
static void
put_root(const struct calltree *t, uint32_t root, struct sbuf *out)
{
	const struct paths *p = t->paths;
	uint32_t thread = p->root_thread != NULL ? p->root_thread[root] : THREAD_NONE;

	if (t->pair != NULL && t->pair->roots[root].name.p != NULL)
		sbuf_str(out, names_clean(t->display->figures.names, t->pair->roots[root].name));
	else if (thread == THREAD_NONE)
		sbuf_printf(out, "%u threads", p->items[root].threads);
	else
		sbuf_str(out, names_thread(t->display->figures.names, thread));
}

/* All calls of a chain, the outermost first; in callers the topmost method first. */
static void
put_chain(const struct calltree *t, const struct list_row *row, bool raw, struct sbuf *out)
{
	const struct path *items = calltree_paths(t)->items;
	struct names *names = t->display->figures.names;
	uint32_t count = 1, *ids;

	for (uint32_t id = tree_path(row); id != tree_head(row); id = items[id].parent)
		count++;
	ids = mem_zero(count, sizeof(*ids));
	for (uint32_t i = count, id = tree_path(row); i > 0; id = items[id].parent)
		ids[--i] = id;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t method = items[ids[i]].method;

		if (i > 0)
			sbuf_text(out, " / ");
		sbuf_str(out, raw ? names_raw(names, method) : names_shown(names, method));
	}
	mem_free(ids);
}

void
tree_put_name(const void *tree, const struct list_row *row, bool raw, struct sbuf *out)
{
	const struct calltree *t = tree;

	if (tree_is_folded(row))
		sbuf_printf(out, "(%u small ones)", row->item);
	else if (tree_is_set(t, tree_path(row)))
		sbuf_printf(out, "%u methods that match", calltree_paths(t)->items[tree_path(row)].threads);
	else if (t->callers == NULL && t->paths->items[tree_path(row)].parent == PATH_NONE)
		put_root(t, tree_path(row), out);
	else
		put_chain(t, row, raw, out);
}
