#include <config.h>

#include "view/diff_pane.h"

#include "base/sbuf.h"
#include "view/list/draw.h"

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
		size_t count = t->lists[i].list.at.count;
		bool here = i == (int)t->now;

		at = canvas_format(c, r.row, at, end, roles[i] | (here ? LOOK_BOLD : 0),
		    here ? "[%s %zu]" : " %s %zu ", here ? now[i] : words[i], count);
		if (i + 1 < DIFF_CHANGES)
			at = canvas_text(c, r.row, at, end, str_from(gap), ROLE_TEXT);
	}
}

int
diff_pane_draw(struct canvas *c, struct rect r, const struct diff_table *t)
{
	struct rect list = {r.row + 1, r.column, r.rows - 2, r.columns};
	int eye = -1;

	for (int row = r.row; row < r.row + r.rows; row++)
		canvas_fill(c, row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	draw_lists(c, r, t);
	if (r.rows > DIFF_PANE_FRAME)
		eye = list_draw(c, list, &t->lists[t->now].list);
	if (eye >= 0) {
		const struct diff_row *row = diff_table_row(t);
		struct sbuf cause = {0};

		if (row->renamed) {
			sbuf_text(&cause, "in A ");
			sbuf_str(&cause, names_fit(t->names, row->sum[DIFF_A].method,
					     r.columns / 2, t->table->elision)
					     .text);
			sbuf_text(&cause, "; ");
		}
		diff_cause_text(&cause, row, &t->by);
		canvas_text(c, r.row + r.rows - 1, r.column, r.column + r.columns,
		    sbuf_view(&cause), ROLE_TEXT);
		sbuf_release(&cause);
	}
	return eye;
}
