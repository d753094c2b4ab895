// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdio.h>

#include "base/sbuf.h"
#include "base/utf8.h"
#include "view/diff/pane.h"
#include "view/list/list.h"
#include "view/timeline/axis.h"

static const enum role roles[DIFF_CHANGES] = {
    [DIFF_SLOWER] = ROLE_SLOWER,
    [DIFF_FASTER] = ROLE_FASTER,
    [DIFF_ONLY_B] = ROLE_SLOWER,
    [DIFF_ONLY_A] = ROLE_FASTER,
    [DIFF_UNCHANGED] = ROLE_TEXT,
};

/*
 * "[MORE TIME 41]  less time 17   only in B 9": the list that is shown in capitals.  Only this
 * line has colours: all rows of a list would have the same one, at a cost of bytes in
 * each.
 */
static void
draw_lists(struct canvas *c, struct rect r, const struct diff_table *t)
{
	static const char *const words[DIFF_CHANGES] = {
	    "more time", "less time", "only in B", "only in A", "unchanged"};
	static const char *const now[DIFF_CHANGES] = {
	    "MORE TIME", "LESS TIME", "ONLY IN B", "ONLY IN A", "UNCHANGED"};
	/* Without more than the blanks around them counts of four digits fit into 80 columns. */
	const char *gap = r.columns < 90 ? "" : "  ";
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

		if (row->why == DIFF_BY_FAMILY) {
			sbuf_text(&cause, "in A ");
			sbuf_str(&cause, names_fit(t->before->figures.names, row->sum[DIFF_A].method,
					     r.columns / 2, t->display->elision)
					     .text);
			sbuf_text(&cause, "; ");
		}
		sbuf_text(&cause, "cause: ");
		diff_cause_text(&cause, row, &t->by);
		if (row->why != DIFF_BY_FAMILY)
			diff_put_origin(&cause, row,
			    (const struct trace *[]){t->before->figures.trace, t->display->figures.trace},
			    (struct names *[]){t->before->figures.names, t->display->figures.names});
		canvas_text(c, r.row + r.rows - 1, r.column, r.column + r.columns,
		    sbuf_view(&cause), ROLE_TEXT);
		sbuf_release(&cause);
	}
	return eye;
}

/* The first line of the screen while two traces are compared. */

enum { PATH_LEAST = 10, LETTER = 2 };

/* From left to right. */
enum pane_part {
	PATH_A,
	TOTAL_A,
	PATH_B,
	TOTAL_B,
	DELTA,
	PERCENT,
	CLOCK,
	MIN,
	WINDOW,
	THREADS,
	FILTERS,
};

/* Cuts off common folders; equal paths become the file's name. */
static void
tell_apart(struct str *a, struct str *b)
{
	bool same = str_equal(*a, *b);
	size_t n = 0, slash = 0;

	for (; n < a->n && n < b->n && a->p[n] == b->p[n]; n++)
		if (a->p[n] == '/')
			slash = n + 1;
	*a = (struct str){a->p + slash, a->n - slash};
	*b = (struct str){b->p + slash, b->n - slash};
	/* Files of different names need no folders. */
	if (!same && !str_equal(title_file(*a), title_file(*b))) {
		*a = title_file(*a);
		*b = title_file(*b);
	}
}

/* "1.234 s" or "1,234 samples" */
static const char *
total(const struct diff_by *by, nsec time, char out[static FMT_SIZE])
{
	if (unit_counts(&by->unit))
		return unit_text(&by->unit, out, time);
	snprintf(out, FMT_SIZE, "%.40s s", fmt_time(FMT_BUF, time, FMT_S, 3));
	return out;
}

/* Returns what figures are of: "wall time", in short "wall", or what the traces count. */
static const char *
measure(const struct diff_by *by, bool whole)
{
	if (unit_counts(&by->unit))
		return unit_name(&by->unit);
	if (by->clock == CLOCK_WALL)
		return whole ? "wall time" : "wall";
	return whole ? "CPU time" : "CPU";
}

static void
make_figures(struct title_parts *p, const struct diff_table *t)
{
	char text[FMT_SIZE];
	nsec a = t->diff.total[DIFF_A][t->by.clock], b = t->diff.total[DIFF_B][t->by.clock];

	snprintf(p->buffer[TOTAL_A], TITLE_PART, "%s", total(&t->by, a, text));
	snprintf(p->buffer[TOTAL_B], TITLE_PART, "%s", total(&t->by, b, text));
	snprintf(p->buffer[DELTA], TITLE_PART, "%s", diff_time_text(&t->by.unit, diff_between(a, b), true, text));
	if (a > 0)
		snprintf(p->buffer[PERCENT], TITLE_PART, "%s %%", diff_percent_text(a, b, text));
	snprintf(p->buffer[CLOCK], TITLE_PART, "%s %s",
	    t->by.value == DIFF_INCLUSIVE ? "inclusive" : "exclusive", measure(&t->by, true));
	if (t->by.min > 0)
		snprintf(p->buffer[MIN], TITLE_PART, "min %s", unit_counts(&t->by.unit)
			? unit_text(&t->by.unit, text, t->by.min) : diff_min_text(t->by.min, text));
}

/* Makes what the figures of both are of beside the traces, where it is not all. */
static void
make_subset(struct title_parts *p, const struct title *t, bool wide)
{
	if (window_is_set(&t->window))
		title_window(t, p->buffer[WINDOW]);
	if (t->threads_in < t->threads)
		title_threads(t, p->buffer[THREADS]);
	p->text[FILTERS] = wide ? t->filters : STR("");
}

static void
make_parts(struct title_parts *p, const struct title *t, struct str other,
    const struct diff_table *diff, bool wide)
{
	p->text[PATH_A] = other;
	p->text[PATH_B] = t->path;
	tell_apart(&p->text[PATH_A], &p->text[PATH_B]);
	if (diff_table_known(diff))
		make_figures(p, diff);
	make_subset(p, t, wide);
	p->before[PATH_A] = "";
	p->before[TOTAL_A] = p->before[TOTAL_B] = p->before[PERCENT] = " ";
	title_measure(p);
}

/* "A " and the end of the path, in so many columns beside the letter: "A …main.trace". */
static void
fit_path(struct title_parts *p, int part, int columns, bool utf8)
{
	struct str path = p->text[part];
	const char *cut = "";

	if ((int)utf8_width(path) > columns) {
		path = utf8_tail(path, columns > 1 ? (size_t)columns - 1 : 0, NULL);
		cut = utf8 ? "…" : "~";
	}
	snprintf(p->buffer[part], TITLE_PART, "%s%s%.*s", part == PATH_A ? "A " : "B ", cut,
	    STR_ARG(path));
	p->text[part] = str_from(p->buffer[part]);
}

void
diff_title_draw(struct canvas *c, int row, const struct title *t, struct str other,
    const struct diff_table *diff)
{
	struct title_parts p = {0};
	char brief[TITLE_PART];
	const struct title_spare spares[] = {
	    {MIN, NULL}, {CLOCK, brief}, {TOTAL_A, NULL}, {TOTAL_B, NULL}, {PERCENT, NULL}};
	int limit = title_draw_state(c, row, t), room, width_a, width_b;

	snprintf(brief, sizeof(brief), "%s %s", measure(&diff->by, false), diff_value_words[diff->by.value]);
	make_parts(&p, t, other, diff, c->columns >= TITLE_WIDE);
	width_a = (int)utf8_width(p.text[PATH_A]);
	width_b = (int)utf8_width(p.text[PATH_B]);
	p.width[PATH_A] = LETTER + (width_a < PATH_LEAST ? width_a : PATH_LEAST);
	p.width[PATH_B] = LETTER + 2 + (width_b < PATH_LEAST ? width_b : PATH_LEAST);
	room = title_fit(&p, spares, sizeof(spares) / sizeof(spares[0]), limit);
	/* Each path half of what is left; one that needs less leaves it to the other. */
	room += p.width[PATH_A] + p.width[PATH_B] - 2 * LETTER - 2;
	room = room > 0 ? room : 0;
	if (width_a + width_b > room) {
		int half = room / 2;

		if (width_a <= half)
			width_b = room - width_a;
		else if (width_b <= half)
			width_a = room - width_b;
		else
			width_a = width_b = half;
	}
	fit_path(&p, PATH_A, width_a, c->utf8);
	fit_path(&p, PATH_B, width_b, c->utf8);
	title_draw_parts(c, row, limit, &p);
}

void
diff_title_draw_calls(struct canvas *c, int row, const struct title *t, const struct diff_calls *d)
{
	static const struct title_spare spares[] = {
	    {FILTERS, NULL}, {PERCENT, NULL}, {DELTA, NULL}, {WINDOW, NULL}, {CLOCK, "per call"}, {THREADS, NULL}};
	struct title_parts p = {0};
	const nsec *mean = d->mean->inclusive;
	char text[FMT_SIZE], limit[FMT_SIZE + 8] = "slow";
	int end = title_draw_state(c, row, t);

	if (d->over > 0)
		snprintf(limit, sizeof(limit), "over %s ms", fmt_ms(FMT_BUF, d->over));
	for (int side = 0; side < DIFF_SIDES; side++) {
		uint64_t n = d->calls[side];
		char *out = p.buffer[side == DIFF_A ? PATH_A : PATH_B];

		snprintf(out, TITLE_PART, side == DIFF_A ? "A %s call%s" : "B %s %s", fmt_count(FMT_BUF, n, ","),
		    side == DIFF_B ? limit : n == 1 ? "" : "s");
		snprintf(p.buffer[side == DIFF_A ? TOTAL_A : TOTAL_B], TITLE_PART, "%s ms", fmt_ms(FMT_BUF, mean[side]));
	}
	snprintf(p.buffer[DELTA], TITLE_PART, "%s",
	    diff_time_text(&(struct trace_unit){.name = NULL}, diff_between(mean[DIFF_A], mean[DIFF_B]), true, text));
	if (mean[DIFF_A] > 0)
		snprintf(p.buffer[PERCENT], TITLE_PART, "%s %%", diff_percent_text(mean[DIFF_A], mean[DIFF_B], text));
	snprintf(p.buffer[CLOCK], TITLE_PART, "%s time per call", t->clock == CLOCK_WALL ? "wall" : "CPU");
	make_subset(&p, t, c->columns >= TITLE_WIDE);
	snprintf(p.buffer[THREADS], TITLE_PART, "%.*s", STR_ARG(d->thread));
	p.before[TOTAL_A] = p.before[TOTAL_B] = ": ";
	p.before[PERCENT] = " ";
	title_measure(&p);
	(void)title_fit(&p, spares, sizeof(spares) / sizeof(spares[0]), end);
	title_draw_parts(c, row, end, &p);
}
