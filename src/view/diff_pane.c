#include <config.h>

#include "view/diff_pane.h"

#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/utf8.h"

enum { GUTTER = 1, MARK = 2, NAME_MIN = 16 };

static const enum role roles[DIFF_CHANGES] = {
    [DIFF_SLOWER] = ROLE_SLOWER,
    [DIFF_FASTER] = ROLE_FASTER,
    [DIFF_ONLY_B] = ROLE_SLOWER,
    [DIFF_ONLY_A] = ROLE_FASTER,
    [DIFF_UNCHANGED] = ROLE_TEXT,
};

/*
 * "[SLOWER 41]  faster 17   only in B 9": the one that is looked at in capitals.  Colours
 * are here only: all rows of a list would have the same, which costs bytes on each.
 */
static void
draw_lists(struct canvas *c, struct rect r, const struct diff_table *t)
{
	static const char *const words[DIFF_CHANGES] = {
	    "slower", "faster", "only in B", "only in A", "unchanged"};
	static const char *const now[DIFF_CHANGES] = {
	    "SLOWER", "FASTER", "ONLY IN B", "ONLY IN A", "UNCHANGED"};
	/* Without their blanks they fit into 60 columns, too. */
	const char *gap = r.columns < 76 ? " " : "  ";
	int end = r.column + r.columns, at = r.column;

	for (int i = 0; i < DIFF_CHANGES; i++) {
		size_t count = t->lists[i].at.count;
		bool here = i == (int)t->now;

		at = canvas_format(c, r.row, at, end, roles[i] | (here ? LOOK_BOLD : 0),
		    here ? "[%s %zu]" : " %s %zu ", here ? now[i] : words[i], count);
		if (i + 1 < DIFF_CHANGES)
			at = canvas_text(c, r.row, at, end, str_from(gap), ROLE_TEXT);
	}
}

struct place {
	enum diff_column column;
	int from, to;
};

/* Figures that fit beside a name; the name, last, has the rest. */
static int
lay_out(const struct diff_table *t, struct rect r, int columns, struct place places[DIFF_COLUMNS])
{
	const struct diff_list *l = diff_table_list(t);
	int at = r.column + GUTTER, end = r.column + r.columns, count = 0;
	int least = r.columns / 4 < NAME_MIN ? r.columns / 4 : NAME_MIN;

	for (int c = 0; c < DIFF_COLUMN_METHOD; c++) {
		int width = l->width[c];
		char title[FMT_SIZE];
		int titled = (int)strlen(diff_column_title((enum diff_column)c, &t->by,
				 t->table->figures.auto_units, title)) + 1;

		if (!diff_table_visible(t, (enum diff_column)c, columns))
			continue;
		if (titled > width)
			width = titled;
		if (at + width + 1 + least > end)
			break;
		places[count++] = (struct place){(enum diff_column)c, at, at + width};
		at += width + 1;
	}
	places[count++] = (struct place){DIFF_COLUMN_METHOD, at, end};
	return count;
}

static void
put_right(struct canvas *c, int row, const struct place *p, const char *text, look style)
{
	int at = p->to - (int)utf8_width(str_from(text));

	canvas_text(c, row, at > p->from ? at : p->from, p->to, str_from(text), style);
}

static void
draw_header(struct canvas *c, struct rect r, const struct diff_table *t,
    const struct place *places, int count)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(c, r.row, r.column, r.column + r.columns, ' ', style);
	for (int i = 0; i < count; i++) {
		char title[FMT_SIZE], text[FMT_SIZE + 2];

		snprintf(text, sizeof(text), "%s%s",
		    diff_column_title(
			places[i].column, &t->by, t->table->figures.auto_units, title),
		    places[i].column != t->sort ? "" : t->rising ? "^" : "v");
		if (places[i].column == DIFF_COLUMN_METHOD)
			canvas_text(c, r.row, places[i].from + MARK, places[i].to, str_from(text),
			    style);
		else
			put_right(c, r.row, &places[i], text, style);
	}
}

/* Names of A are of no table: what the search found of them is underlined whole. */
static void
draw_name(struct canvas *c, int row, const struct place *p, const struct diff_table *t,
    size_t at, const struct diff_row *r)
{
	look style = diff_table_is_hit(t, at) ? LOOK_HIT : 0;
	uint32_t method;
	struct names *names = diff_table_names(t, r, &method);
	int from = p->from + MARK;

	canvas_text(c, row, p->from, p->to, str_from(diff_changes[t->now].mark),
	    ROLE_TEXT);
	if (from < p->to)
		canvas_text(c, row, from, p->to,
		    names_fit(names, method, p->to - from, t->table->elision).text,
		    ROLE_TEXT | style);
}

static void
draw_row(struct canvas *c, struct rect r, const struct diff_table *t, size_t at,
    const struct place *places, int count)
{
	const struct diff_row *row = &t->diff.rows[diff_table_list(t)->rows[at]];

	for (int i = 0; i + 1 < count; i++) {
		char text[FMT_SIZE];

		put_right(c, r.row, &places[i],
		    diff_column_text(
			places[i].column, row, &t->by, t->table->figures.auto_units, text),
		    ROLE_TEXT);
	}
	draw_name(c, r.row, &places[count - 1], t, at, row);
	if (at == diff_table_list(t)->at.cursor) {
		canvas_put(c, r.row, r.column, '>', ROLE_TEXT);
		canvas_add_look(c, r.row, r.column, r.column + r.columns, LOOK_SELECTED);
	}
}

static void
draw_nothing(struct canvas *c, struct rect r, const struct diff_table *t)
{
	static const char *const none[DIFF_CHANGES] = {
	    [DIFF_SLOWER] = "no method got slower",
	    [DIFF_FASTER] = "no method got faster",
	    [DIFF_ONLY_B] = "no method is in B only",
	    [DIFF_ONLY_A] = "no method is in A only",
	    [DIFF_UNCHANGED] = "every method has changed",
	};
	int at = canvas_text(c, r.row, r.column + 1, r.column + r.columns,
	    str_from(none[t->now]), ROLE_TEXT);

	if (filters_active(&t->table->filters))
		canvas_text(c, r.row, at, r.column + r.columns,
		    STR(" that the filters leave (& edit, u undo)"), ROLE_TEXT);
}

int
diff_pane_draw(struct canvas *c, struct rect r, int columns, const struct diff_table *t)
{
	const struct diff_list *l = diff_table_list(t);
	struct place places[DIFF_COLUMNS];
	int count = lay_out(t, r, columns, places);
	int bottom = r.row + r.rows - 1;

	for (int row = r.row; row < r.row + r.rows; row++)
		canvas_fill(c, row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	draw_lists(c, r, t);
	if (r.rows < DIFF_PANE_FRAME + 1)
		return -1;
	draw_header(c, (struct rect){r.row + 1, r.column, 1, r.columns}, t, places, count);
	for (int i = 0; i < r.rows - DIFF_PANE_FRAME; i++) {
		struct rect line = {r.row + 2 + i, r.column, 1, r.columns};
		size_t at = l->at.top + (size_t)i;

		if (at < l->at.count)
			draw_row(c, line, t, at, places, count);
		else if (l->at.count == 0 && i == 0)
			draw_nothing(c, line, t);
	}
	if (diff_table_row(t) != NULL) {
		struct sbuf cause = {0};

		if (diff_table_row(t)->renamed) {
			sbuf_text(&cause, "in A ");
			sbuf_str(&cause, names_fit(t->names, diff_table_row(t)->sum[DIFF_A].method,
					     r.columns / 2, t->table->elision).text);
			sbuf_text(&cause, "; ");
		}
		diff_cause_text(&cause, diff_table_row(t), &t->by);
		canvas_text(c, bottom, r.column, r.column + r.columns, sbuf_view(&cause), ROLE_TEXT);
		sbuf_release(&cause);
	}
	return l->at.count > 0 ? r.row + 2 + (int)scroll_line(&l->at) : -1;
}
