// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/pages/details_pane.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"

/*
 * The layout depends on the pane's height only, never on the method: another method then
 * changes names and digits, and titles are not sent again.  For the same reason the lists
 * are short; the details (i) have all.
 */
enum { FIGURE_AT = 10, SHARE = 6, NAME_LINES = 4, NAME_LINES_LOW = 3, HIGH = 30, LIST_SHARE = 10 };

/* The next row to write in. */
struct pane_page {
	struct canvas *canvas;
	int row, bottom;
	int left, right;
};

static bool
full(const struct pane_page *p)
{
	return p->row >= p->bottom;
}

/* Broken wherever the pane ends: names have no better places. */
static void
put_name(struct pane_page *p, struct names *names, uint32_t method, int lines)
{
	struct str name = names_shown(names, method);
	int end = p->row + lines, columns = p->right > p->left ? p->right - p->left : 0;

	for (int i = 0; i < lines && name.n > 0 && !full(p); i++) {
		struct str line = utf8_head(name, (size_t)columns, NULL), rest = name;

		rest.p += line.n;
		rest.n -= line.n;
		if (i == lines - 1 && rest.n > 0)
			line = names_head(names, name, columns);
		if (line.n == 0)
			break;
		canvas_text(p->canvas, p->row++, p->left, p->right, line, ROLE_TEXT);
		name = rest;
	}
	p->row = end;
}

static void
put_figure(struct pane_page *p, const struct figures *f, const char *title, struct value v)
{
	char out[FMT_SIZE];
	struct str text = value_format(f, v, p->right - p->left - FIGURE_AT, out);

	if (full(p))
		return;
	canvas_text(p->canvas, p->row, p->left, p->right, str_from(title), ROLE_DIM);
	canvas_text(p->canvas, p->row++, p->right - (int)utf8_width(text), p->right, text,
	    ROLE_TEXT);
}

static void
put_figures(struct pane_page *p, const struct figures *f, uint32_t method)
{
	static const enum column_id ids[] = {COLUMN_CALLS, COLUMN_INCL_PERCENT, COLUMN_INCL,
		COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_PER_CALL, COLUMN_OTHER_INCL,
		COLUMN_OTHER_EXCL, COLUMN_WAIT, COLUMN_THREADS, COLUMN_RANK};
	struct row row = {.kind = ROW_METHOD, .method = method, .of = method};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (column_exists(&column_table[ids[i]], f->trace))
			put_figure(p, f, column_title(f, &column_table[ids[i]], FMT_BUF),
			    column_get(f, ids[i], &row));
}

/* The shortest of the calls, the longest, and between; blank until all were found. */
static void
put_calls(struct pane_page *p, const struct figures *f, const struct calls *calls)
{
	static const struct {
		const char *title;
		unsigned permille;
	} rows[] = {{"min", 0}, {"p50", 500}, {"p99", 990}, {"max", 1000}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value v = VALUE_NONE;
		char title[FMT_SIZE];

		if (calls != NULL && calls->whole && calls->count > 0)
			v = value_time(calls_percentile(calls, f->clock, rows[i].permille));
		snprintf(title, sizeof(title), "%s%s", rows[i].title, f->auto_units ? "" : " ms");
		put_figure(p, f, title, v);
	}
}

/* The heaviest of one list, at most so many. */
static void
put_relations(struct pane_page *p, const struct figures *f, uint32_t method,
    enum relation_kind kind, const char *heading, int most)
{
	uint32_t count;
	const struct relation *list = fold_relations(f->fold, method, kind, &count);
	nsec whole = f->fold->methods[method].inclusive[f->clock];
	const char *sign = kind == RELATION_PARENT ? "< " : "> ";
	int end = p->right - SHARE - 1, at = p->row;

	if (most < 1 || full(p))
		return;
	canvas_format(
	    p->canvas, p->row++, p->left, p->right, ROLE_HEADER, "%s %" PRIu32, heading, count);
	for (uint32_t i = 0; i < count && (int)i < most && !full(p); i++) {
		int column = canvas_text(
		    p->canvas, p->row, p->left, end, str_from(sign), ROLE_TEXT);
		char share[FMT_SIZE];

		canvas_text(p->canvas, p->row, column, end,
		    names_fit(f->names, list[i].method, end - column, ELISION_SHORT).text,
		    ROLE_TEXT);
		fmt_percent(share, list[i].inclusive[f->clock], whole);
		canvas_text(p->canvas, p->row++, p->right - (int)strlen(share), p->right,
		    str_from(share), ROLE_TEXT);
	}
	p->row = at + 1 + most;
}

void
details_pane_draw(struct canvas *c, struct rect r, const struct display *t, uint32_t method,
    const struct calls *calls)
{
	const struct fold *fold = t->figures.fold;
	struct pane_page p = {c, r.row, r.row + r.rows, r.column + 2, r.column + r.columns};
	int most, left;

	for (int row = r.row; row < r.row + r.rows; row++) {
		canvas_fill(c, row, r.column, p.right, ' ', ROLE_TEXT);
		canvas_put(c, row, r.column, c->utf8 ? 0x2502 : '|', ROLE_DIM);
	}
	if (fold == NULL || method >= fold->method_count || !fold->methods[method].present)
		return;
	put_name(&p, t->figures.names, method, r.rows < HIGH ? NAME_LINES_LOW : NAME_LINES);
	p.row++;
	put_figures(&p, &t->figures, method);
	if (r.rows >= HIGH)
		put_calls(&p, &t->figures, calls);
	p.row++;
	/* Two headings and a blank line. */
	left = p.bottom - p.row - 3;
	most = r.rows / LIST_SHARE;
	if (most > left / 2)
		most = left / 2;
	put_relations(&p, &t->figures, method, RELATION_PARENT, "PARENTS", most);
	p.row++;
	put_relations(&p, &t->figures, method, RELATION_CHILD, "CHILDREN", most + (left > 2 * most));
}
