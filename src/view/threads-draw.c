/* The table of threads in cells. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "view/threads.h"

const struct thread_column_row thread_column_table[THREAD_COLUMNS] = {
	[THREAD_ID] = {"id", "Tid", "id of the thread", 7, 0, true},
	[THREAD_NAME] = {"name", "Name", "name of the thread", 0, 0, true},
	[THREAD_CPU] = {"cpu", "CPU ms", "CPU time from its first event to its last", 11, 0, false},
	[THREAD_WALL] = {"wall", "Wall ms", "wall time from its first event to its last", 11, 60,
	    false},
	[THREAD_BUSY] = {"busy", "Busy%", "its CPU time, of the time of the whole trace", 7, 70,
	    false},
	[THREAD_CALLS] = {"calls", "Calls", "calls it made", 10, 50, false},
	[THREAD_DEPTH] = {"depth", "Depth", "calls open at once, at most", 6, 76, false},
	[THREAD_OPEN] = {"open", "Open", "calls that the end of the trace cuts", 6, 80, false},
};

enum { IN = 5 }; /* ">[x] " */

bool
threads_column_visible(const struct threads *t, enum thread_column c, int screen)
{
	if (!threads_has(t, c) || t->shown[c] == SHOWN_NO)
		return false;
	return t->shown[c] == SHOWN_YES || screen >= thread_column_table[c].need ||
	       c == t->sort;
}

/* Where a column ends, counted from the right edge; the name begins behind the id. */
static int
column_end(const struct threads *t, enum thread_column c, int screen)
{
	int end = screen;

	for (int i = THREAD_COLUMNS - 1; i > (int)c; i--) {
		if (i > THREAD_NAME && threads_column_visible(t, (enum thread_column)i, screen))
			end -= thread_column_table[i].width;
	}
	return c == THREAD_ID ? IN + thread_column_table[c].width - 1 : end;
}

static void
put(struct canvas *c, int row, int end, struct str text, look style)
{
	canvas_text(c, row, end - (int)text.n, end, text, style);
}

static void
draw_header(struct canvas *c, struct rect r, const struct threads *t)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(c, r.row, r.column, r.column + r.columns, ' ', style);
	canvas_text(c, r.row, r.column + 1, r.column + r.columns, STR("in"), style);
	for (int i = 0; i < THREAD_COLUMNS; i++) {
		char title[20];

		if (!threads_column_visible(t, (enum thread_column)i, r.columns))
			continue;
		snprintf(title, sizeof(title), "%s%s", thread_column_table[i].title,
		    i != (int)t->sort ? ""
			: t->rising   ? "^"
				      : "v");
		if (i == THREAD_NAME)
			canvas_text(c, r.row, r.column + IN + thread_column_table[THREAD_ID].width,
			    r.column + r.columns, str_from(title), style);
		else
			put(c, r.row, r.column + column_end(t, (enum thread_column)i, r.columns),
			    str_from(title), style);
	}
}

nsec
threads_length(const struct threads *t)
{
	enum clock_id clock = trace_default_clock(t->table->figures.trace);
	nsec first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < t->at.count; i++) {
		const struct fold_thread *sum = threads_sum(t, t->items[i]);

		if (threads_span(sum, clock) == 0)
			continue;
		if (sum->first[clock] < first)
			first = sum->first[clock];
		if (sum->last[clock] > last)
			last = sum->last[clock];
	}
	return last > first ? last - first : 0;
}

static struct str
figure(const struct threads *t, uint32_t thread, enum thread_column c, nsec length,
    char out[static FMT_SIZE])
{
	const struct fold_thread *sum = threads_sum(t, thread);

	out[0] = '\0';
	switch (c) {
	case THREAD_ID:
		snprintf(out, FMT_SIZE, "%" PRIu32,
		    trace_thread(t->table->figures.trace, thread)->id);
		break;
	case THREAD_CPU:
		fmt_ms(out, threads_span(sum, CLOCK_CPU));
		break;
	case THREAD_WALL:
		fmt_ms(out, threads_span(sum, CLOCK_WALL));
		break;
	case THREAD_BUSY:
		fmt_percent(out, threads_span(sum, CLOCK_CPU), length);
		break;
	case THREAD_CALLS:
		snprintf(out, FMT_SIZE, "%" PRIu64, sum->calls);
		break;
	case THREAD_DEPTH:
		snprintf(out, FMT_SIZE, "%" PRIu32, sum->deepest);
		break;
	case THREAD_OPEN:
		if (sum->open > 0)
			snprintf(out, FMT_SIZE, "%" PRIu32, sum->open);
		break;
	case THREAD_NAME:
	case THREAD_COLUMNS:
		break;
	}
	return str_from(out);
}

static void
draw_row(struct canvas *c, struct rect r, const struct threads *t, size_t at, nsec length,
    bool chosen)
{
	uint32_t thread = t->items[at];
	int name = r.column + IN + thread_column_table[THREAD_ID].width, right = r.column + r.columns;
	int name_end = r.column + column_end(t, THREAD_NAME, r.columns);
	char out[FMT_SIZE];
	struct str text;

	canvas_format(c, r.row, r.column, right, ROLE_TEXT, "%c[%c]",
	    at == t->at.cursor ? '>' : ' ', chosen ? 'x' : ' ');
	for (int i = 0; i < THREAD_COLUMNS; i++) {
		if (i != THREAD_NAME && threads_column_visible(t, (enum thread_column)i, r.columns))
			put(c, r.row, r.column + column_end(t, (enum thread_column)i, r.columns),
			    figure(t, thread, (enum thread_column)i, length, out), ROLE_TEXT);
	}
	text = names_thread(t->table->figures.names, thread);
	text = names_head(t->table->figures.names, text, name_end - name);
	canvas_text(c, r.row, name, name_end, text, ROLE_TEXT | (threads_is_hit(t, at) ? LOOK_HIT : 0));
	if (at == t->at.cursor)
		canvas_add_look(c, r.row, r.column, right, LOOK_SELECTED);
}

int
threads_draw(struct canvas *c, struct rect r, const struct threads *t,
    const struct scope *scope)
{
	nsec length = threads_length(t);

	draw_header(c, r, t);
	for (int i = 1; i < r.rows; i++) {
		struct rect line = {r.row + i, r.column, 1, r.columns};
		size_t at = t->at.top + (size_t)i - 1;

		canvas_fill(c, line.row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
		if (at < t->at.count)
			draw_row(c, line, t, at, length, scope_has(scope, t->items[at]));
		else if (at == 0)
			canvas_text(c, line.row, r.column + 1, r.column + r.columns,
			    STR("no threads with records"), ROLE_TEXT);
	}
	return t->at.count > 0 ? r.row + 1 + (int)scroll_line(&t->at) : -1;
}
