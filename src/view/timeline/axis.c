// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "profile/timeline/cells.h"
#include "trace/log.h"
#include "view/timeline/axis.h"

#define SECOND INT64_C(1000000000)
#define DAY    (86400 * SECOND)

struct timescale
timescale_of(const struct trace *t, bool absolute)
{
	struct timescale s = {TIMES_RELATIVE, 0};
	uint64_t us = t->start_us;

	if (unit_counts(&t->unit))
		s.kind = TIMES_COUNTED;
	/* Threads have CPU time of their own; large numbers are no dates, nor could be added to. */
	if (!absolute || !trace_has_clock(t, CLOCK_WALL) || us == 0 || us > INT64_MAX / 2000)
		return s;
	s.kind = t->log == NULL && trace_start_is_date(t) ? TIMES_DAY : TIMES_CLOCK;
	s.origin = t->log != NULL ? (nsec)t->log->origin : (nsec)us * 1000;
	return s;
}

const char *
timescale_unit(const struct timescale *s)
{
	return s != NULL && (s->kind == TIMES_DAY || s->kind == TIMES_COUNTED) ? "" : " s";
}

const char *
timescale_text(
    const struct timescale *s, char out[static FMT_SIZE], nsec at, unsigned decimals)
{
	nsec of_day, unit = SECOND;
	char part[FMT_SIZE];

	if (s != NULL && s->kind == TIMES_COUNTED)
		return fmt_time(out, at, FMT_US, 0);
	if (s == NULL || s->kind != TIMES_DAY)
		return fmt_time(out, at + timescale_origin(s), FMT_S, decimals);
	for (unsigned i = 0; i < decimals && unit > 1; i++)
		unit /= 10;
	/* Rounded here, as seconds must not become 60. */
	of_day = (at + s->origin) % DAY;
	of_day = ((of_day < 0 ? of_day + DAY : of_day) + unit / 2) / unit * unit % DAY;
	fmt_time(part, of_day % (10 * SECOND), FMT_S, decimals);
	snprintf(out, FMT_SIZE, "%02d:%02d:%d%.20s", (int)(of_day / (3600 * SECOND)),
	    (int)(of_day / (60 * SECOND) % 60), (int)(of_day / (10 * SECOND) % 6), part);
	return out;
}

/* "14:03:05.204", "14:03"; false when it is no such text. */
static bool
read_day(struct str text, nsec *of_day)
{
	uint64_t hours, minutes;
	nsec seconds = 0;
	const char *end = text.p + text.n, *p = digits_take(text.p, end, 2, &hours), *q;

	if (p == text.p || p == end || *p != ':')
		return false;
	q = digits_take(p + 1, end, 2, &minutes);
	if (q == p + 1 || (q < end && *q++ != ':'))
		return false;
	/* After the minutes' colon, q is where the seconds begin. */
	if (q[-1] == ':' && !timetext_parse((struct str){q, (size_t)(end - q)}, &seconds, NULL))
		return false;
	*of_day = (nsec)(hours * 60 + minutes) * 60 * SECOND + seconds;
	return hours < 24 && minutes < 60 && seconds < 60 * SECOND;
}

bool
timescale_parse(
    const struct timescale *s, struct str text, struct str unit, nsec *at, struct err *e)
{
	nsec of_day, begin;

	if (s == NULL || s->kind != TIMES_DAY) {
		if (!timetext_parse_in(text, unit, at, e))
			return false;
		*at -= timescale_origin(s);
		return true;
	}
	if (text.n == 0 || memchr(text.p, ':', text.n) == NULL)
		return timetext_parse_in(text, unit, at, e);
	if (!read_day(text, &of_day))
		return err_set(e, ERR_MALFORMED, "expected a time of day: 14:03:05.204");
	/* The one nearest to the begin: a trace may run over midnight. */
	begin = s->origin % DAY;
	*at = of_day - begin;
	if (*at < -DAY / 2)
		*at += DAY;
	return true;
}

enum { LABEL_CELLS = 10, DECIMALS_MAX = 9 };

static nsec
clamp(nsec value, nsec low, nsec high)
{
	return value < low ? low : value > high ? high : value;
}

static nsec
span(const struct axis *a)
{
	return a->to - a->from;
}

/* A window of that span that starts near `from`, and the cursor in it. */
static bool
set_window(struct axis *a, nsec from, nsec wide, nsec cursor)
{
	struct axis before = *a;

	if (wide < AXIS_MIN_SPAN)
		wide = AXIS_MIN_SPAN;
	a->whole = wide >= a->end - a->begin;
	if (a->whole) {
		a->from = a->begin;
		a->to = a->end;
	} else {
		a->from = clamp(from, a->begin, a->end - wide);
		a->to = a->from + wide;
	}
	a->cursor = clamp(cursor, a->from, a->to > a->from ? a->to - 1 : a->from);
	if (a->cursor != before.cursor)
		a->exact = false;
	return a->from != before.from || a->to != before.to || a->cursor != before.cursor;
}

void
axis_set_whole(struct axis *a, nsec begin, nsec end)
{
	nsec from = a->whole ? begin : a->from, wide = a->whole ? end - begin : span(a);

	a->begin = begin;
	a->end = end > begin ? end : begin;
	set_window(a, from, wide, a->placed ? a->cursor : from + wide / 2);
}

bool
axis_zoom(struct axis *a, int direction)
{
	nsec ahead = a->cursor - a->from, wide = span(a);

	if (direction > 0) {
		if (wide / 2 < AXIS_MIN_SPAN)
			return false;
		return set_window(a, a->cursor - ahead / 2, wide / 2, a->cursor);
	}
	if (a->whole)
		return false;
	/* Twice as wide might not fit in a time. */
	if (wide >= (a->end - a->begin) / 2)
		return axis_show_all(a);
	return set_window(a, a->cursor - ahead * 2, wide * 2, a->cursor);
}

static bool
shift(struct axis *a, nsec by)
{
	nsec to = clamp(by, a->begin - a->from, a->end - a->to);

	return to != 0 && set_window(a, a->from + to, span(a), a->cursor + to);
}

bool
axis_pan(struct axis *a, int quarters)
{
	nsec quarter = span(a) / 4;

	return shift(a, (quarter > 0 ? quarter : 1) * quarters);
}

bool
axis_pan_end(struct axis *a, int direction)
{
	return shift(a, direction < 0 ? a->begin - a->from : a->end - a->to);
}

bool
axis_show_all(struct axis *a)
{
	return set_window(a, a->begin, a->end - a->begin, a->cursor);
}

bool
axis_zoom_to(struct axis *a, nsec from, nsec to)
{
	nsec wide;

	from = clamp(from, a->begin, a->end);
	to = clamp(to, from, a->end);
	wide = to - from;
	if (wide < AXIS_MIN_SPAN)
		from -= (AXIS_MIN_SPAN - wide) / 2;
	return set_window(a, from, wide, a->cursor);
}

struct range
axis_shown(const struct axis *a)
{
	return a->whole ? RANGE_ALL : (struct range){a->from, a->to};
}

bool
axis_fit(struct axis *a, nsec from, nsec to)
{
	if (to - from > span(a))
		return axis_zoom_to(a, from, to);
	if (from < a->from)
		return shift(a, from - a->from);
	if (to > a->to)
		return shift(a, to - a->to);
	return false;
}

nsec
axis_cell_start(nsec from, nsec to, int cell, int cells)
{
	return raster_edge(&(struct raster){from, to, (uint32_t)cells}, (uint32_t)cell);
}

int
axis_cell(nsec from, nsec to, nsec at, int cells)
{
	if (cells <= 0 || at < from || at >= to)
		return -1;
	return (int)raster_column(&(struct raster){from, to, (uint32_t)cells}, at);
}

bool
axis_move(struct axis *a, int64_t by, int cells)
{
	int cell = axis_cell(a->from, a->to, a->cursor, cells);
	nsec start, next, before = a->cursor, from = a->from;
	int64_t target;

	if (cell < 0)
		return false;
	a->placed = true;
	a->exact = false;
	target = cell + by;
	if (target < 0 || target >= cells) {
		int64_t over = target < 0 ? target : target - (cells - 1);
		nsec wide = span(a) / cells;

		/* A key moves by few cells; more than a screen is as good as to the end.
		 */
		over = clamp(over, -cells, cells);
		shift(a, (wide > 0 ? wide : 1) * over);
		target = target < 0 ? 0 : cells - 1;
	}
	start = axis_cell_start(a->from, a->to, (int)target, cells);
	next = axis_cell_start(a->from, a->to, (int)target + 1, cells);
	a->cursor = start + (next - start) / 2;
	return a->cursor != before || a->from != from;
}

bool
axis_move_to(struct axis *a, nsec at)
{
	nsec before = a->cursor;
	bool moved = at >= a->to    ? shift(a, at + 1 - a->to)
		     : at < a->from ? shift(a, at - a->from)
				    : false;

	a->placed = a->exact = true;
	a->cursor = clamp(at, a->from, a->to > a->from ? a->to - 1 : a->from);
	return moved || a->cursor != before;
}

/* Decimals of a second that tell times `step` apart. */
static unsigned
decimals_for(nsec step)
{
	nsec place = 1000000000;
	unsigned decimals = 0;

	while (decimals < DECIMALS_MAX && step < place) {
		place /= 10;
		decimals++;
	}
	return decimals;
}

const char *
axis_time(char out[static FMT_SIZE], nsec at, nsec step, const struct timescale *scale)
{
	return timescale_text(scale, out, at, decimals_for(step));
}

enum { LABEL_SIZE = FMT_SIZE + 4, BIG = 10000 };

/* The labels of an axis. */
struct labels {
	const struct timescale *scale;
	struct ticks ticks; /* the clock's */
	enum fmt_unit unit;
	bool utf8;
};

/* "0 s", "0.5 s", "100 us", "14:03:05". */
static struct str
label(char out[static LABEL_SIZE], const struct labels *l, uint32_t index)
{
	nsec at = l->ticks.first + (nsec)index * l->ticks.step;
	unsigned decimals = at == 0 ? 0 : l->ticks.decimals;

	if (l->scale != NULL && l->scale->kind == TIMES_DAY)
		timescale_text(l->scale, out, at - timescale_origin(l->scale), decimals);
	else if (l->scale != NULL && l->scale->kind == TIMES_COUNTED)
		fmt_time(out, at, FMT_US, at % 1000 != 0 ? decimals : 0);
	else
		snprintf(out, LABEL_SIZE, "%s %s", fmt_time(FMT_BUF, at, l->unit, decimals),
		    l->unit == FMT_US && l->utf8 ? "\302\265s" : fmt_unit_name(l->unit));
	return str_from(out);
}

/* The finest steps that leave `wanted` cells for a label; the columns of the last one. */
static int
fit_ticks(struct labels *l, nsec from, nsec to, int cells, int wanted)
{
	char out[LABEL_SIZE];

	/* ticks_make thinks in whole labels, which can be twice as far apart as needed. */
	for (int room = wanted / 2; room <= wanted; room++) {
		l->ticks = ticks_make(from, to, (unsigned)cells, (unsigned)room, l->unit);
		if ((double)l->ticks.step * cells >= (double)(to - from) * wanted)
			break;
	}
	return l->ticks.count > 0 ? (int)utf8_width(label(out, l, l->ticks.count - 1)) : 0;
}

/*
 * Labels for a window: in seconds, as titles have times, but for steps below a millisecond in the
 * unit that makes the shortest, of which there are less than BIG.
 */
static void
make_labels(struct labels *l, nsec from, nsec to, int cells)
{
	bool day = l->scale != NULL && l->scale->kind == TIMES_DAY;
	bool counted = l->scale != NULL && l->scale->kind == TIMES_COUNTED;
	struct labels best = *l;
	int least = INT_MAX;
	nsec big = BIG * SECOND;

	for (int unit = FMT_S; unit >= FMT_NS; unit--, big /= 1000) {
		int wanted = LABEL_CELLS, longest;

		if (counted && unit != FMT_US)
			continue;
		if (!counted && unit < FMT_S && (day || best.ticks.step >= SECOND / 1000))
			break;
		l->unit = (enum fmt_unit)unit;
		/* Short steps need long labels. */
		while ((longest = fit_ticks(l, from, to, cells, wanted) + 2) > wanted &&
		    wanted < cells)
			wanted = longest;
		if (unit == FMT_S || counted || (longest <= least && to < big)) {
			least = longest;
			best = *l;
		}
	}
	*l = best;
}

const char *
axis_unit(const struct axis *a, int cells, const struct timescale *scale)
{
	struct labels l = {.scale = scale, .unit = FMT_S};
	nsec origin = timescale_origin(scale);

	make_labels(&l, a->from + origin, a->to + origin, cells);
	return scale != NULL && scale->kind == TIMES_COUNTED ? "" : fmt_unit_name(l.unit);
}

void
axis_draw(struct canvas *c, int row, int column, int limit, nsec from, nsec to,
    const struct timescale *scale, look style)
{
	struct labels l = {.scale = scale, .unit = FMT_S, .utf8 = c->utf8};
	nsec origin = timescale_origin(scale);
	int cells = limit - column;
	nsec before = 0; /* less than a cell: traces rarely begin at 0 to the nanosecond */

	canvas_fill(c, row, column, limit, ' ', style);
	if (cells <= 0 || to <= from)
		return;
	if (from > 0 && from <= (to - from) / cells)
		before = from;
	make_labels(&l, from - before + origin, to + origin, cells);
	for (uint32_t i = 0; i < l.ticks.count; i++) {
		char out[LABEL_SIZE];
		struct str text = label(out, &l, i);
		nsec at = l.ticks.first + (nsec)i * l.ticks.step - origin;
		int cell = axis_cell(from, to, at < from ? from : at, cells);

		if (cell >= 0 && cell + (int)utf8_width(text) <= cells)
			canvas_text(c, row, column + cell, limit, text, style);
	}
}

/* Windows that are counted ------------------------------------------------------------- */

enum { US = 1000, WINDOW_DECIMALS_MIN = 3, WINDOW_DECIMALS = 6 };

/* Down to a whole microsecond. */
static nsec
us_floor(nsec at)
{
	nsec over = at % US;

	return over < 0 ? at - over - US : at - over;
}

struct range
window_around(struct range a, struct range b, nsec begin, nsec end)
{
	struct range w = {
	    .from = us_floor(nsec_min(a.from, b.from)),
	    .to = -us_floor(-nsec_max(a.to, b.to)), /* up to one */
	};

	if (w.to == w.from)
		w.to += US;
	return w.from <= begin && w.to >= end ? RANGE_ALL : w;
}

/* Decimals that show the time exactly, but at most microseconds. */
static unsigned
decimals_of(nsec at)
{
	unsigned decimals = WINDOW_DECIMALS;

	for (nsec place = 10 * US; decimals > WINDOW_DECIMALS_MIN && at % place == 0; place *= 10)
		decimals--;
	return decimals;
}

const char *
window_text(char out[static WINDOW_TEXT], const struct range *w, nsec begin, nsec end,
    const struct timescale *scale)
{
	nsec from = w->from == INT64_MIN ? begin : w->from;
	nsec to = w->to == INT64_MAX ? (end > from ? end : from) : w->to;
	unsigned a = decimals_of(from + timescale_origin(scale));
	unsigned b = decimals_of(to + timescale_origin(scale));
	unsigned decimals = a > b ? a : b;

	snprintf(out, WINDOW_TEXT, "%s-%s%s", timescale_text(scale, FMT_BUF, from, decimals),
	    timescale_text(scale, FMT_BUF, to, decimals), timescale_unit(scale));
	return out;
}
