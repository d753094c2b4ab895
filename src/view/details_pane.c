#include <config.h>

#include "view/details_pane.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"

enum { NAME_LINES = 4, FIGURE_AT = 10, SHARE = 6 };

/* The next row to write in. */
struct page {
	struct canvas *canvas;
	int row, bottom;
	int left, right;
};

static bool
full(const struct page *p)
{
	return p->row >= p->bottom;
}

static void
put_line(struct page *p, struct str text, look l)
{
	if (!full(p))
		canvas_text(p->canvas, p->row++, p->left, p->right, text, l);
}

/* Broken wherever the pane ends: names have no better places. */
static void
put_name(struct page *p, struct names *names, uint32_t method)
{
	struct str name = names_full(names, method);

	for (int i = 0; i < NAME_LINES && name.n > 0 && !full(p); i++) {
		struct str rest = name, line;
		int width = 0;

		while (rest.n > 0) {
			struct str before = rest;
			int w = utf8_char_width(utf8_next(&rest));

			width += w < 0 ? 1 : w;
			if (width > p->right - p->left) {
				rest = before;
				break;
			}
		}
		line = (struct str){name.p, name.n - rest.n};
		if (i == NAME_LINES - 1 && rest.n > 0)
			line = names_head(names, name, p->right - p->left);
		if (line.n == 0)
			break;
		put_line(p, line, i == 0 ? LOOK_BOLD | ROLE_TEXT : ROLE_TEXT);
		name = rest;
	}
}

static void
put_pair(struct page *p, const char *title, struct str value)
{
	int at = p->right - (int)utf8_width(value);

	if (full(p) || value.n == 0)
		return;
	canvas_text(p->canvas, p->row, p->left, p->right, str_from(title), ROLE_DIM);
	canvas_text(p->canvas, p->row++, at, p->right, value, ROLE_TEXT);
}

static void
put_figures(struct page *p, const struct figures *f, uint32_t method)
{
	static const enum column_id ids[] = {COLUMN_CALLS, COLUMN_INCL_PERCENT, COLUMN_INCL,
		COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_PER_CALL, COLUMN_OTHER_INCL,
		COLUMN_OTHER_EXCL, COLUMN_WAIT, COLUMN_THREADS, COLUMN_RANK};
	struct row row = {.kind = ROW_METHOD, .method = method, .of = method};
	char title[FMT_SIZE], out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		if (column_exists(ids[i], f->trace->clocks))
			put_pair(p, column_title(f, ids[i], title),
			    value_format(f, column_get(f, ids[i], &row),
				p->right - p->left - FIGURE_AT, out));
	}
}

/* The heaviest of one list, as many as there is room up to row `limit`. */
static void
put_relations(struct page *p, const struct figures *f, uint32_t method,
    enum relation_kind kind, const char *heading, int limit)
{
	uint32_t count;
	const struct relation *list = fold_relations(f->fold, method, kind, &count);
	nsec whole = f->fold->methods[method].inclusive[f->clock];
	bool parent = kind == RELATION_PARENT;

	if (count == 0 || p->row + 1 >= limit)
		return;
	canvas_format(
	    p->canvas, p->row++, p->left, p->right, ROLE_HEADER, "%s %" PRIu32, heading, count);
	for (uint32_t i = 0; i < count && p->row < limit; i++) {
		int end = p->right - SHARE - 1, at;
		char share[FMT_SIZE];
		look l = parent ? ROLE_PARENT : ROLE_CHILD;

		at = canvas_text(
		    p->canvas, p->row, p->left, end, parent ? STR("< ") : STR("> "), l);
		canvas_text(p->canvas, p->row, at, end,
		    names_fit(f->names, list[i].method, end - at, ELISION_SHORT).text, l);
		fmt_percent(share, list[i].inclusive[f->clock], whole);
		canvas_text(p->canvas, p->row++, p->right - (int)strlen(share), p->right,
		    str_from(share), l);
	}
}

void
details_pane_draw(
    struct canvas *c, struct rect r, const struct table *t, uint32_t method)
{
	const struct fold *fold = t->figures.fold;
	struct page p = {c, r.row, r.row + r.rows, r.column + 2, r.column + r.columns};
	int half;

	for (int row = r.row; row < r.row + r.rows; row++) {
		canvas_fill(c, row, r.column, p.right, ' ', ROLE_TEXT);
		canvas_put(c, row, r.column, c->utf8 ? 0x2502 : '|', ROLE_DIM);
	}
	if (fold == NULL || method >= fold->method_count || !fold->methods[method].present)
		return;
	put_name(&p, t->figures.names, method);
	p.row++;
	put_figures(&p, &t->figures, method);
	p.row++;
	half = p.row + (p.bottom - p.row) / 2;
	put_relations(&p, &t->figures, method, RELATION_PARENT, "PARENTS", half - 1);
	p.row++;
	put_relations(&p, &t->figures, method, RELATION_CHILD, "CHILDREN", p.bottom);
}
