#include <config.h>

#include "view/thread_list.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"

/* Columns from the right; the name has what is left of them. */
enum { IN = 3, TID = 6, TIME = 12, BUSY = 7, CALLS = 10, OPEN = 5, NAME_MIN = 8 };

struct figures_at {
	int cpu, wall, busy, calls, open; /* where they end; 0: not shown */
	int name_end;
};

static struct figures_at
lay_out(int column, int limit, const struct trace *t)
{
	struct figures_at at = {0};
	bool cpu = trace_has_clock(t, CLOCK_CPU), wall = trace_has_clock(t, CLOCK_WALL);
	int left = column + IN + 1 + TID + 1 + NAME_MIN;
	const struct {
		int *end, width;
		bool has;
	} columns[] = {
	    {&at.cpu, TIME, cpu},
	    {&at.wall, TIME, wall},
	    {&at.calls, CALLS, true},
	    {&at.busy, BUSY, cpu},
	    {&at.open, OPEN, true},
	};
	/* From left to right on the screen. */
	int *const order[] = {&at.cpu, &at.wall, &at.busy, &at.calls, &at.open};
	const int widths[] = {TIME, TIME, BUSY, CALLS, OPEN};
	int end = limit;

	/* Columns that fit, the most useful first. */
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		if (!columns[i].has || left + columns[i].width > limit)
			continue;
		left += columns[i].width;
		*columns[i].end = 1;
	}
	for (size_t i = sizeof order / sizeof *order; i-- > 0;) {
		if (*order[i] == 0)
			continue;
		*order[i] = end;
		end -= widths[i];
	}
	at.name_end = end;
	return at;
}

static void
put(struct canvas *c, int row, int end, const char *text, look style)
{
	if (end > 0)
		canvas_text(c, row, end - (int)strlen(text), end, str_from(text), style);
}

void
thread_header_draw(
    struct canvas *c, int row, int column, int limit, const struct trace *t)
{
	struct figures_at at = lay_out(column, limit, t);
	look style = ROLE_HEADER;

	canvas_fill(c, row, column, limit, ' ', style);
	canvas_format(c, row, column, limit, style, " in %*s Name", TID, "Tid");
	canvas_fill(c, row, at.name_end, limit, ' ', style);
	put(c, row, at.cpu, "CPU ms", style);
	put(c, row, at.wall, "Wall ms", style);
	put(c, row, at.busy, "Busy%", style);
	put(c, row, at.calls, "Calls", style);
	put(c, row, at.open, "Open", style);
}

/* From the first event of any thread to the last, on the clock they share. */
static nsec
trace_length(const struct trace *t, const struct fold *f)
{
	enum clock_id clock = trace_default_clock(t);
	nsec first = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 0; i < f->thread_count; i++) {
		const struct fold_thread *sum = &f->threads[i];

		/* Threads without events in the window have no times. */
		if (sum->records == 0 ||
		    (!range_is_all(&f->range) && sum->last[clock] == sum->first[clock]))
			continue;
		if (sum->first[clock] < first)
			first = sum->first[clock];
		if (sum->last[clock] > last)
			last = sum->last[clock];
	}
	return last > first ? last - first : 0;
}

void
thread_row_draw(struct canvas *c, int row, int column, int limit, const struct trace *t,
    struct names *names, const struct fold *fold, const struct thread_row *r,
    bool selected)
{
	static const struct fold_thread none;
	const struct fold_thread *sum =
	    r->thread < fold->thread_count ? &fold->threads[r->thread] : &none;
	struct figures_at at = lay_out(column, limit, t);
	nsec cpu = sum->last[CLOCK_CPU] - sum->first[CLOCK_CPU];
	nsec wall = sum->last[CLOCK_WALL] - sum->first[CLOCK_WALL];
	char text[FMT_SIZE];
	int name;

	canvas_fill(c, row, column, limit, ' ', ROLE_TEXT);
	name = canvas_format(c, row, column, limit, ROLE_TEXT, "%s %*" PRIu32 " ",
	    r->chosen ? "[x]" : "[ ]", TID, trace_thread(t, r->thread)->id);
	canvas_text(c, row, name, at.name_end,
	    names_head(names, names_thread(names, r->thread), at.name_end - name),
	    ROLE_TEXT);
	put(c, row, at.cpu, fmt_ms(text, cpu), ROLE_TEXT);
	put(c, row, at.wall, fmt_ms(text, wall), ROLE_TEXT);
	if (at.busy > 0)
		put(c, row, at.busy, fmt_percent(text, cpu, trace_length(t, fold)),
		    ROLE_TEXT);
	snprintf(text, sizeof text, "%" PRIu64, sum->calls);
	put(c, row, at.calls, text, ROLE_TEXT);
	if (sum->open > 0) {
		snprintf(text, sizeof text, "%" PRIu32, sum->open);
		put(c, row, at.open, text, ROLE_TEXT);
	}
	if (selected)
		canvas_add_look(c, row, column, limit, LOOK_SELECTED);
}
