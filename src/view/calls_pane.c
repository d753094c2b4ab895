// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/calls_pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sbuf.h"
#include "view/list/list.h"
#include "view/names/looks.h"

enum {
	FIGURES = 2,      /* lines */
	SIDE_FROM = 140,  /* columns: the histogram beside the list */
	SIDE = 56,        /* columns of it */
	HISTOGRAM_MAX = 7,
	HISTOGRAM_FROM = 12, /* rows of the pane */
	BOUND = 8,           /* columns of a bound */
	COUNT = 12,          /* and of a count */
	NAME_MIN = 12,
};

struct calls_drawing {
	struct canvas *canvas;
	const struct calls_list *list;
	const struct calls_show *show;
};

/* Numbers ------------------------------------------------------------------------ */

/* "16.7", "0.5": milliseconds with no more decimals than needed. */
static const char *
budget_text(char out[static FMT_SIZE], nsec budget)
{
	size_t n;

	fmt_ms(out, budget);
	n = strlen(out);
	while (out[n - 1] == '0')
		out[--n] = '\0';
	if (out[n - 1] == '.')
		out[--n] = '\0';
	return out;
}

/* ".310" or "9.870"; with a unit of its own where asked for. */
static const char *
figure(const struct calls_drawing *d, char out[static FMT_SIZE], nsec time)
{
	const struct figures *f = d->list->list.figures;

	if (unit_counts(&f->trace->unit))
		return unit_figure(&f->trace->unit, out, time);
	if (f->auto_units)
		return fmt_auto(out, time, FMT_US);
	fmt_ms(out, time);
	return out[0] == '0' ? out + 1 : out;
}

/* The unit after figures that have none of their own. */
static const char *
after(const struct calls_drawing *d)
{
	const struct figures *f = d->list->list.figures;

	return f->auto_units || unit_counts(&f->trace->unit) ? "" : " ms";
}

static nsec
percentile(const struct calls_drawing *d, unsigned permille)
{
	return calls_percentile(d->list->calls, calls_list_clock(d->list), permille);
}

/* Figures ------------------------------------------------------------------------ */

/* "1152 calls sum 719.936 min .021 avg .625 max 48.112 ms"; shorter from form to form. */
static void
sums_text(const struct calls_drawing *d, int form, struct sbuf *out)
{
	const struct calls *c = d->list->calls;
	const struct spread *s = &c->spread[calls_list_clock(d->list)];

	sbuf_clear(out);
	sbuf_printf(out, "%" PRIu64, c->count - c->recursive);
	if (c->recursive > 0)
		sbuf_printf(out, "+%" PRIu64, c->recursive);
	sbuf_text(out, names_words(d->list->list.figures->names, c->count == 1 ? " call" : " calls"));
	if (form == 0)
		sbuf_printf(out, " sum %s min %s",
		    figure(d, FMT_BUF, c->inclusive[calls_list_clock(d->list)]),
		    figure(d, FMT_BUF, s->min));
	if (form < 2)
		sbuf_printf(out, " avg %s max %s", figure(d, FMT_BUF, spread_mean(s)),
		    figure(d, FMT_BUF, s->max));
	if (form == 0)
		sbuf_text(out, after(d));
}

/* One line each, then the bars.  The last two need the calls. */
static void
draw_sums(const struct calls_drawing *d, struct rect r)
{
	struct sbuf text = {0};
	struct name_fit name;
	int limit = r.column + r.columns, column;

	for (int form = 0; form < 3 && d->list->calls != NULL; form++) {
		sums_text(d, form, &text);
		if ((int)text.n + 2 + NAME_MIN <= r.columns)
			break;
	}
	name = names_fit(d->list->names, d->show->method,
	    r.columns - (int)text.n - (text.n > 0 ? 2 : 0), d->list->search->elision);
	column = canvas_text(d->canvas, r.row, r.column, limit, name.text, ROLE_TEXT | LOOK_BOLD);
	canvas_text(d->canvas, r.row, column + 2, limit, sbuf_view(&text), ROLE_TEXT);
	sbuf_release(&text);
}

/* "p50 .310  p90 1.102  p99 9.870 ms  over 16.7 ms: 3", and notes on the list. */
static void
draw_percentiles(const struct calls_drawing *d, struct rect r)
{
	const struct calls *c = d->list->calls;
	int limit = r.column + r.columns, column;

	column = canvas_format(d->canvas, r.row, r.column, limit, ROLE_TEXT,
	    "p50 %s  p90 %s  p99 %s%s", figure(d, FMT_BUF, percentile(d, 500)),
	    figure(d, FMT_BUF, percentile(d, 900)), figure(d, FMT_BUF, percentile(d, 990)),
	    after(d));
	if (c->budget > 0)
		column = canvas_format(d->canvas, r.row, column, limit,
		    c->over > 0 ? ROLE_WARNING : ROLE_TEXT, "  over %s ms: %" PRIu64,
		    budget_text(FMT_BUF, c->budget), c->over);
	/* The most important first. */
	if (!c->whole)
		column = canvas_format(d->canvas, r.row, column, limit, ROLE_HEADER, "  %s at %d%%",
		    d->show->stopped ? "stopped" : "searching", (int)(c->progress * 100));
	if (!calls_all_kept(c))
		column = canvas_format(d->canvas, r.row, column, limit, ROLE_HEADER,
		    "  listed: the longest %" PRIu32, c->row_count);
	if (c->cut > 0)
		canvas_format(
		    d->canvas, r.row, column, limit, ROLE_HEADER, "  + cut: %" PRIu64, c->cut);
}

/* Histogram ---------------------------------------------------------------------- */

/*
 * Which bounds rows end at, finer first: 1 2 5 10, 1 5 10, powers of ten, of a hundred, of a
 * thousand.  Bound i is the (i modulo `each`)th of its power.
 */
static const struct scale {
	int each;
	unsigned ends; /* bits */
} scales[] = {
	{SPREAD_SERIES, 1u << 0 | 1u << 1 | 1u << 2},
	{SPREAD_SERIES, 1u << 0 | 1u << 2},
	{SPREAD_SERIES, 1u << 0},
	{2 * SPREAD_SERIES, 1u << 0},
	{3 * SPREAD_SERIES, 1u << 0},
};

/* Rows from the shortest call's bucket to the longest's. */
struct buckets {
	const struct scale *scale;
	int first, last;
	uint64_t most; /* calls in one row */
};

/* The bucket that the row of this one ends with. */
static int
row_end(const struct scale *scale, int bucket)
{
	while (bucket < SPREAD_BUCKETS - 1 && (scale->ends >> bucket % scale->each & 1) == 0)
		bucket++;
	return bucket;
}

static uint64_t
bucket_calls(const struct spread *s, int from, int to)
{
	uint64_t calls = 0;

	for (int i = from; i <= to; i++)
		calls += s->bucket[i];
	return calls;
}

static int
count_rows(const struct buckets *b)
{
	int rows = 0;

	for (int i = b->first; i <= b->last; i = row_end(b->scale, i) + 1)
		rows++;
	return rows;
}

static struct buckets
buckets_choose(const struct spread *s, int rows)
{
	const struct scale *coarsest = &scales[sizeof(scales) / sizeof(scales[0]) - 1];
	struct buckets b = {.scale = scales};

	while (b.first < SPREAD_BUCKETS - 1 && s->bucket[b.first] == 0)
		b.first++;
	for (int i = 0; i < SPREAD_BUCKETS; i++)
		b.last = s->bucket[i] > 0 ? i : b.last;
	while (b.scale < coarsest && count_rows(&b) > rows)
		b.scale++;
	/* The row's first column is the one after the end of the row before. */
	while (b.first > 0 && row_end(b.scale, b.first - 1) != b.first - 1)
		b.first--;
	for (int i = b.first; i <= b.last; i = row_end(b.scale, i) + 1) {
		uint64_t calls = bucket_calls(s, i, row_end(b.scale, i));

		b.most = calls > b.most ? calls : b.most;
	}
	return b;
}

/* "500us", "2ms", "10s": the bounds are whole numbers of some unit. */
static const char *
bound_text(const struct trace_unit *u, char out[static FMT_SIZE], nsec bound)
{
	static const struct {
		nsec unit;
		const char *name;
	} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};
	size_t i = 0;

	if (bound == INT64_MAX)
		return "more";
	if (unit_counts(u)) {
		static const char letters[] = " kMGT";

		for (bound /= 1000; bound >= 1000 && letters[i + 1] != '\0'; i++)
			bound /= 1000;
		snprintf(out, FMT_SIZE, "%lld%.*s", (long long)bound, i > 0, letters + i);
		return out;
	}
	while (bound < units[i].unit && i + 1 < sizeof(units) / sizeof(units[0]))
		i++;
	snprintf(out, FMT_SIZE, "%lld%s", (long long)(bound / units[i].unit), units[i].name);
	return out;
}

/* " <=200us ########               96": up to and with the bound, above that of the row before. */
static void
draw_bucket(const struct calls_drawing *d, struct rect r, const struct buckets *b, int from)
{
	const struct calls *c = d->list->calls;
	int to = row_end(b->scale, from);
	uint64_t calls = bucket_calls(&c->spread[calls_list_clock(d->list)], from, to);
	bool over = c->budget > 0 && from > 0 && spread_bound(from - 1) >= c->budget;
	int width = r.columns - BOUND - COUNT - 2, full;
	int first = r.column + BOUND + 1, limit = r.column + r.columns;
	char text[FMT_SIZE];
	const char *bound = bound_text(
	    &d->list->list.figures->trace->unit, text, spread_bound(to));
	look hue = looks_method(names_looks(d->list->names), d->show->method);
	bool utf8 = d->canvas->utf8, last = spread_bound(to) == INT64_MAX;

	canvas_format(d->canvas, r.row, first - 1 - (int)strlen(bound) - (last ? 0 : utf8 ? 1 : 2),
	    first, ROLE_HEADER, "%s%s", last ? "" : utf8 ? "≤" : "<=", bound);
	if (over)
		canvas_put(d->canvas, r.row, first - 1, '!', ROLE_WARNING);
	full = (int)((double)calls * width / (double)b->most + 0.5);
	if (full == 0 && calls > 0)
		full = 1;
	canvas_fill(d->canvas, r.row, first, first + full, utf8 ? 0x2588 : '#', hue);
	snprintf(text, sizeof(text), "%" PRIu64, calls);
	canvas_text(d->canvas, r.row, limit - 1 - (int)strlen(text), limit, str_from(text),
	    calls > 0 ? ROLE_TEXT : ROLE_DIM);
}

static void
draw_histogram(const struct calls_drawing *d, struct rect r)
{
	const struct spread *s = &d->list->calls->spread[calls_list_clock(d->list)];
	struct buckets b;
	int row = r.row;

	if (s->count == 0 || r.columns < BOUND + COUNT + 4)
		return;
	b = buckets_choose(s, r.rows);
	for (int i = b.first; i <= b.last && row < r.row + r.rows; i = row_end(b.scale, i) + 1) {
		draw_bucket(d, (struct rect){row, r.column, 1, r.columns}, &b, i);
		row++;
	}
}

/* The rows that it needs, of those that there is room for. */
static int
histogram_rows(const struct calls_list *list, int room)
{
	int most = room < HISTOGRAM_MAX ? room : HISTOGRAM_MAX, rows;
	const struct spread *s;
	struct buckets b;

	if (list->calls == NULL)
		return most;
	s = &list->calls->spread[calls_list_clock(list)];
	if (s->count == 0)
		return 0;
	b = buckets_choose(s, most);
	rows = count_rows(&b);
	return rows < most ? rows : most;
}

/* The pane ------------------------------------------------------------------------ */

struct calls_layout
calls_pane_layout(struct rect r, const struct calls_list *list)
{
	struct calls_layout l = {0};
	int room = r.rows - FIGURES;

	l.figures = (struct rect){r.row, r.column, FIGURES, r.columns};
	l.list = (struct rect){r.row + FIGURES, r.column, room, r.columns};
	if (r.rows < HISTOGRAM_FROM)
		return l;
	l.histogram = l.list;
	if (r.columns >= SIDE_FROM) {
		l.histogram.columns = SIDE;
		l.list.column += SIDE;
		l.list.columns -= SIDE;
	} else {
		l.histogram.rows = histogram_rows(list, room / 3);
		l.list.row += l.histogram.rows;
		l.list.rows -= l.histogram.rows;
	}
	return l;
}

static const char *
nothing(const struct calls_drawing *d)
{
	if (d->show->method == METHOD_NONE)
		return "no method is selected: 1, then a row";
	if (d->show->loading)
		return "calls are searched once the trace is loaded";
	if (d->list->calls == NULL)
		return d->show->stopped ? "stopped" : "searching";
	if (d->list->calls->count == 0 && d->list->calls->whole)
		return "no call in the chosen threads and time";
	return NULL;
}

int
calls_pane_draw(struct canvas *canvas, struct rect r, const struct calls_list *list,
    const struct calls_show *show)
{
	struct calls_drawing d = {canvas, list, show};
	struct calls_layout l = calls_pane_layout(r, list);
	const char *why = nothing(&d);

	for (int i = 0; i < r.rows; i++)
		canvas_fill(canvas, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	if (show->method != METHOD_NONE)
		draw_sums(&d, l.figures);
	if (why != NULL)
		canvas_text(canvas, r.row + (show->method != METHOD_NONE ? 1 : 0), r.column,
		    r.column + r.columns, str_from(names_words(list->list.figures->names, why)), ROLE_TEXT);
	if (list->calls == NULL || why != NULL)
		return -1;
	draw_percentiles(&d, (struct rect){l.figures.row + 1, r.column, 1, r.columns});
	if (l.histogram.rows > 0)
		draw_histogram(&d, l.histogram);
	return list_draw(canvas, l.list, &list->list);
}
