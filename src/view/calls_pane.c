#include <config.h>

#include "view/calls_pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum {
	FIGURES = 2,      /* lines */
	SIDE_FROM = 140,  /* columns: the histogram beside the list */
	SIDE = 56,        /* columns of it */
	HISTOGRAM_MAX = 7,
	HISTOGRAM_FROM = 12, /* rows of the pane */
	BOUND = 7,           /* columns of a bound */
	COUNT = 12,          /* and of a count */
	NAME_MIN = 12,
	THREAD_WIDE_FROM = 100,
	THREAD_MORE = 10,
};

struct drawing {
	struct canvas *canvas;
	const struct calls_list *list;
	const struct calls_show *show;
};

struct calls_layout
calls_pane_layout(struct rect r)
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
		l.histogram.rows = room / 3 < HISTOGRAM_MAX ? room / 3 : HISTOGRAM_MAX;
		l.list.row += l.histogram.rows;
		l.list.rows -= l.histogram.rows;
	}
	return l;
}

/* Numbers ------------------------------------------------------------------------ */

/* Without zeros at either end: ".5", "16.7", "2". */
static const char *
short_ms(char out[static FMT_SIZE], nsec time)
{
	char *text = out;
	size_t n;

	fmt_ms(out, time);
	n = strlen(out);
	while (out[n - 1] == '0')
		out[--n] = '\0';
	if (out[n - 1] == '.')
		out[--n] = '\0';
	if (out[0] == '0' && out[1] == '.')
		text++;
	return text;
}

const char *
calls_budget_text(char out[static FMT_SIZE], nsec budget)
{
	const char *text = short_ms(out, budget);

	if (text == out)
		return out;
	/* In a sentence the zero stands. */
	return out;
}

/* ".310" or "9.870"; with a unit of its own where asked for. */
static const char *
figure(const struct drawing *d, char out[static FMT_SIZE], nsec time)
{
	if (d->show->auto_units)
		return fmt_auto(out, time, FMT_US);
	fmt_ms(out, time);
	return out[0] == '0' ? out + 1 : out;
}

static nsec
percentile(const struct drawing *d, unsigned permille)
{
	return calls_percentile(d->list->calls, d->list->clock, permille);
}

/* Figures ------------------------------------------------------------------------ */

/* "1152 calls sum 719.936 min .021 avg .625 max 48.112 ms"; shorter from form to form. */
static void
sums_text(const struct drawing *d, int form, char *out, size_t size)
{
	const struct calls *c = d->list->calls;
	const struct spread *s = &c->spread[d->list->clock];
	char sum[FMT_SIZE], least[FMT_SIZE], mean[FMT_SIZE], most[FMT_SIZE], more[32] = "";
	const char *unit = d->show->auto_units ? "" : " ms";
	const char *word = c->count == 1 ? "call" : "calls";

	if (c->recursive > 0)
		snprintf(more, sizeof(more), "+%" PRIu64, c->recursive);
	if (form == 0)
		snprintf(out, size, "%" PRIu64 "%s %s sum %s min %s avg %s max %s%s",
		    c->count - c->recursive, more, word,
		    figure(d, sum, c->inclusive[d->list->clock]), figure(d, least, s->min),
		    figure(d, mean, spread_mean(s)), figure(d, most, s->max), unit);
	else if (form == 1)
		snprintf(out, size, "%" PRIu64 "%s %s avg %s max %s", c->count - c->recursive,
		    more, word, figure(d, mean, spread_mean(s)), figure(d, most, s->max));
	else
		snprintf(out, size, "%" PRIu64 "%s %s", c->count - c->recursive, more, word);
}

static void
draw_sums(const struct drawing *d, struct rect r)
{
	char text[6 * FMT_SIZE] = "";
	struct name_fit name;
	int limit = r.column + r.columns, column;

	for (int form = 0; form < 3 && d->list->calls != NULL; form++) {
		sums_text(d, form, text, sizeof(text));
		if ((int)strlen(text) + 2 + NAME_MIN <= r.columns)
			break;
	}
	name = names_fit(d->list->names, d->show->method,
	    r.columns - (int)strlen(text) - (text[0] != '\0' ? 2 : 0), d->show->elision);
	column = canvas_text(d->canvas, r.row, r.column, limit, name.text, ROLE_TEXT | LOOK_BOLD);
	canvas_text(d->canvas, r.row, text[0] != '\0' ? column + 2 : column, limit,
	    str_from(text), ROLE_TEXT);
}

/* What is to be known about the list besides, most important first. */
static void
notes_text(const struct drawing *d, char *out, size_t size)
{
	const struct calls *c = d->list->calls;
	int n = 0;

	out[0] = '\0';
	if (!c->whole)
		n += snprintf(out + n, size - (size_t)n, "  %s at %d%%",
		    d->show->stopped ? "stopped" : "searching", (int)(c->progress * 100));
	if (!calls_all_kept(c))
		n += snprintf(out + n, size - (size_t)n, "  listed: the longest %" PRIu32,
		    c->row_count);
	if (c->cut > 0)
		snprintf(out + n, size - (size_t)n, "  + cut: %" PRIu64, c->cut);
}

/* "p50 .310  p90 1.102  p99 9.870 ms  over 16.7 ms: 3" */
static void
draw_percentiles(const struct drawing *d, struct rect r)
{
	const struct calls *c = d->list->calls;
	char text[8 * FMT_SIZE], half[FMT_SIZE], nine[FMT_SIZE], most[FMT_SIZE];
	char budget[FMT_SIZE], notes[2 * FMT_SIZE];
	int limit = r.column + r.columns, column;

	snprintf(text, sizeof(text), "p50 %s  p90 %s  p99 %s%s", figure(d, half, percentile(d, 500)),
	    figure(d, nine, percentile(d, 900)), figure(d, most, percentile(d, 990)),
	    d->show->auto_units ? "" : " ms");
	column = canvas_text(d->canvas, r.row, r.column, limit, str_from(text), ROLE_TEXT);
	if (c->budget > 0) {
		snprintf(text, sizeof(text), "  over %s ms: %" PRIu64,
		    calls_budget_text(budget, c->budget), c->over);
		column = canvas_text(d->canvas, r.row, column, limit, str_from(text),
		    c->over > 0 ? ROLE_WARNING : ROLE_TEXT);
	}
	notes_text(d, notes, sizeof(notes));
	canvas_text(d->canvas, r.row, column, limit, str_from(notes), ROLE_HEADER);
}

/* Histogram ---------------------------------------------------------------------- */

/* Buckets from the shortest call's to the longest's, so many as one. */
struct buckets {
	int first, last, step;
	uint64_t most; /* calls in one row */
};

static uint64_t
bucket_calls(const struct spread *s, int from, int step)
{
	uint64_t calls = 0;

	for (int i = from; i < from + step && i < SPREAD_BUCKETS; i++)
		calls += s->bucket[i];
	return calls;
}

static struct buckets
buckets_choose(const struct spread *s, int rows)
{
	struct buckets b = {.step = 1};

	while (b.first < SPREAD_BUCKETS - 1 && s->bucket[b.first] == 0)
		b.first++;
	for (int i = 0; i < SPREAD_BUCKETS; i++)
		b.last = s->bucket[i] > 0 ? i : b.last;
	while (b.last / b.step - b.first / b.step + 1 > rows)
		b.step *= 2;
	b.first = b.first / b.step * b.step;
	for (int i = b.first; i <= b.last; i += b.step) {
		uint64_t calls = bucket_calls(s, i, b.step);

		b.most = calls > b.most ? calls : b.most;
	}
	return b;
}

/* "   .125 ########               96", bound above which the next row begins. */
static void
draw_bucket(const struct drawing *d, struct rect r, const struct buckets *b, int from)
{
	const struct calls *c = d->list->calls;
	uint64_t calls = bucket_calls(&c->spread[d->list->clock], from, b->step);
	nsec low = from > 0 ? spread_bound(from - 1) : 0;
	nsec high = spread_bound(from + b->step - 1);
	bool over = c->budget > 0 && low >= c->budget;
	int width = r.columns - BOUND - COUNT - 2, full;
	int first = r.column + BOUND + 1, limit = r.column + r.columns;
	char text[FMT_SIZE];
	const char *bound = high == INT64_MAX ? "more" : short_ms(text, high);
	look style = over ? ROLE_WARNING : ROLE_MARK;

	canvas_text(d->canvas, r.row, first - 1 - (int)strlen(bound), first, str_from(bound),
	    ROLE_HEADER);
	if (over)
		canvas_put(d->canvas, r.row, first - 1, '!', style);
	full = (int)((double)calls * width / (double)b->most + 0.5);
	if (full == 0 && calls > 0)
		full = 1;
	canvas_fill(d->canvas, r.row, first, first + full, d->canvas->utf8 ? 0x2588 : '#', style);
	snprintf(text, sizeof(text), "%" PRIu64, calls);
	canvas_text(d->canvas, r.row, limit - 1 - (int)strlen(text), limit, str_from(text),
	    calls > 0 ? ROLE_TEXT : ROLE_DIM);
}

static void
draw_histogram(const struct drawing *d, struct rect r)
{
	const struct spread *s = &d->list->calls->spread[d->list->clock];
	struct buckets b;
	int row = r.row;

	if (s->count == 0 || r.columns < BOUND + COUNT + 4)
		return;
	b = buckets_choose(s, r.rows);
	for (int i = b.first; i <= b.last && row < r.row + r.rows; i += b.step) {
		draw_bucket(d, (struct rect){row, r.column, 1, r.columns}, &b, i);
		row++;
	}
}

/* List --------------------------------------------------------------------------- */

static enum clock_id
clock_of(const struct calls_list *l, enum calls_column_id id)
{
	if (!calls_column_table[id].is_other)
		return l->clock;
	return l->clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
}

/* "Dur msv" */
static void
title_text(const struct drawing *d, enum calls_column_id id, char *out, size_t size)
{
	const struct calls_column *c = &calls_column_table[id];

	snprintf(out, size, "%s%s%s%s", c->title,
	    !c->is_other                                ? ""
	    : clock_of(d->list, id) == CLOCK_CPU ? " cpu"
						 : " wall",
	    c->is_time && !d->show->auto_units ? " ms" : "",
	    id != d->list->sort  ? ""
	    : d->list->rising ? "^"
			      : "v");
}

static void
time_text(const struct drawing *d, char out[static FMT_SIZE], nsec time)
{
	if (d->show->auto_units)
		fmt_auto(out, time, FMT_US);
	else
		fmt_ms(out, time);
}

/* The value of a column of figures; `out` stays empty where there is none. */
static void
value_text(const struct drawing *d, const struct call_row *row, enum calls_column_id id,
    char out[static FMT_SIZE])
{
	const struct calls *c = d->list->calls;
	enum clock_id clock = clock_of(d->list, id);
	uint32_t number;

	out[0] = '\0';
	switch (id) {
	case CALLS_NUMBER:
		number = calls_list_number(d->list, row);
		if (number > 0)
			snprintf(out, FMT_SIZE, "%" PRIu32, number);
		break;
	case CALLS_START:
		fmt_time(out, row->start, FMT_S, 6);
		break;
	case CALLS_TIME:
	case CALLS_OTHER_TIME:
		time_text(d, out, row->time[clock]);
		break;
	case CALLS_EXCL:
	case CALLS_OTHER_EXCL:
		time_text(d, out, row->exclusive[clock]);
		break;
	case CALLS_DEPTH:
		snprintf(out, FMT_SIZE, "%" PRIu32, c->frames[row->frame].depth);
		break;
	default:
		break;
	}
}

static void
draw_thread(const struct drawing *d, int row, int column, int limit, uint32_t thread)
{
	struct str name = names_thread(d->list->names, thread);

	column = canvas_format(d->canvas, row, column, limit, ROLE_TEXT, "%" PRIu32 " ",
	    trace_thread(d->list->trace, thread)->id);
	canvas_text(d->canvas, row, column, limit,
	    names_head(d->list->names, name, limit - column), ROLE_TEXT);
}

static void
draw_caller(const struct drawing *d, int row, int column, int limit, const struct call_row *call)
{
	const struct calls *c = d->list->calls;
	uint32_t caller = c->frames[call->frame].caller;
	uint32_t method = caller != FRAME_NONE ? c->frames[caller].method : METHOD_TOPLEVEL;

	canvas_text(d->canvas, row, column, limit,
	    names_fit(d->list->names, method, limit - column, d->show->elision).text, ROLE_TEXT);
}

/* Marks behind a duration: cut by the range or the trace, over the budget. */
static void
draw_flags(const struct drawing *d, int row, int column, const struct call_row *call)
{
	const struct calls *c = d->list->calls;

	if ((call->flags & (CALL_BEFORE | CALL_BEYOND)) != 0)
		canvas_put(d->canvas, row, column++, '+', ROLE_TEXT);
	if (c->budget > 0 && call->time[d->list->clock] > c->budget)
		canvas_put(d->canvas, row, column, '!', ROLE_WARNING);
}

static void
draw_row(const struct drawing *d, struct rect r, const struct call_row *call, bool header)
{
	int at = r.column + 1, limit = r.column + r.columns;

	for (int i = 0; i < CALLS_COLUMNS; i++) {
		enum calls_column_id id = (enum calls_column_id)i;
		const struct calls_column *c = &calls_column_table[id];
		int wide = id == CALLS_THREAD && r.columns >= THREAD_WIDE_FROM ? THREAD_MORE : 0;
		int end = c->width > 0 ? at + c->width + wide : limit;
		char text[FMT_SIZE + 16];
		/* Room for the flags. */
		int right = id == CALLS_TIME ? end - 2 : end;

		if (!calls_column_shown(d->list, id, r.columns))
			continue;
		if (end > limit)
			end = right = limit;
		if (header)
			title_text(d, id, text, sizeof(text));
		else if (!c->is_text)
			value_text(d, call, id, text);
		if (header && c->is_text)
			canvas_text(d->canvas, r.row, at, end, str_from(text), ROLE_HEADER);
		else if (header)
			canvas_text(d->canvas, r.row, right - (int)strlen(text), end, str_from(text),
			    ROLE_HEADER);
		else if (id == CALLS_THREAD)
			draw_thread(d, r.row, at, end, call->thread);
		else if (id == CALLS_CALLER)
			draw_caller(d, r.row, at, end, call);
		else
			canvas_text(d->canvas, r.row, right - (int)strlen(text), right,
			    str_from(text), ROLE_TEXT);
		if (!header && id == CALLS_TIME)
			draw_flags(d, r.row, right, call);
		at = end + 1;
	}
}

static int
draw_list(const struct drawing *d, struct rect r)
{
	const struct calls_list *l = d->list;
	size_t count = calls_list_count(l);
	int eye = -1;

	canvas_fill(d->canvas, r.row, r.column, r.column + r.columns, ' ', ROLE_HEADER);
	draw_row(d, r, NULL, true);
	for (int i = 1; i < r.rows && l->top + (size_t)i - 1 < count; i++) {
		size_t place = l->top + (size_t)i - 1;
		struct rect row = {r.row + i, r.column, 1, r.columns};

		bool marked = calls_list_is_marked(l, calls_list_at(l, place));

		draw_row(d, row, calls_list_at(l, place), false);
		if (marked)
			canvas_put(d->canvas, row.row, row.column, '*', ROLE_MARK);
		if (place != l->cursor)
			continue;
		if (!marked)
			canvas_put(d->canvas, row.row, row.column, '>', ROLE_TEXT);
		canvas_add_look(d->canvas, row.row, row.column, row.column + row.columns,
		    LOOK_SELECTED);
		eye = row.row;
	}
	return eye;
}

static const char *
nothing(const struct drawing *d)
{
	if (d->show->method == METHOD_NONE)
		return "no method is selected: 1, then a row";
	if (d->show->loading)
		return "calls are looked for when the trace is loaded";
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
	struct drawing d = {canvas, list, show};
	struct calls_layout l = calls_pane_layout(r);
	const char *why = nothing(&d);

	for (int i = 0; i < r.rows; i++)
		canvas_fill(canvas, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	if (show->method != METHOD_NONE)
		draw_sums(&d, l.figures);
	if (why != NULL)
		canvas_text(canvas, r.row + (show->method != METHOD_NONE ? 1 : 0), r.column,
		    r.column + r.columns, str_from(why), ROLE_TEXT);
	if (list->calls == NULL || why != NULL)
		return -1;
	draw_percentiles(&d, (struct rect){l.figures.row + 1, r.column, 1, r.columns});
	if (l.histogram.rows > 0)
		draw_histogram(&d, l.histogram);
	return draw_list(&d, l.list);
}
