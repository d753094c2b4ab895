/* The table of threads in cells. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "view/threads.h"

const struct thread_column_row thread_column_table[THREAD_COLUMNS] = {
	[THREAD_ID] = {"id", "Tid", "id of the thread", 6, 0, true},
	[THREAD_NAME] = {"name", "Name", "name of the thread", 16, 0, true},
	[THREAD_CPU] = {"cpu", "CPU ms", "CPU time from its first event to its last", 10, 0, false},
	[THREAD_WALL] = {"wall", "Wall ms", "wall time from its first event to its last", 10, 60,
	    false},
	[THREAD_BUSY] = {"busy", "Busy%", "its CPU time, of the time of the whole trace", 6, 70,
	    false},
	[THREAD_CALLS] = {"calls", "Calls", "calls it made", 9, 50, false},
	[THREAD_DEPTH] = {"depth", "Depth", "calls open at once, at most", 5, 76, false},
	[THREAD_OPEN] = {"open", "Open", "calls that the end of the trace cuts", 5, 80, false},
};

enum { IN = 5, NAME_LEAST = 12 }; /* ">[x] " */

bool
threads_column_visible(const struct threads *t, enum thread_column c, int screen)
{
	enum column_shown shown = t->columns.of[c].shown;

	if (!threads_has(t, c) || shown == SHOWN_NO)
		return false;
	return shown == SHOWN_YES || screen >= thread_column_table[c].need || c == t->sort;
}

static int
width_of(const struct threads *t, enum thread_column c)
{
	int width = t->widths[c], asked = t->columns.of[c].width;

	return asked > width || (c == THREAD_NAME && asked > 0) ? asked : width;
}

bool
threads_column_widen(struct threads *t, enum thread_column c, int by)
{
	return columnset_widen(&t->columns, c, width_of(t, c),
	    c == THREAD_NAME ? COLUMN_WIDTH_MIN : t->widths[c], by);
}

static int
make_layout(const struct threads *t, int screen, struct column_slot out[COLUMNSET_MAX],
    bool *more)
{
	int widths[COLUMNSET_MAX] = {0};

	for (int i = 0; i < THREAD_COLUMNS; i++)
		if (threads_column_visible(t, (enum thread_column)i, screen))
			widths[i] = width_of(t, (enum thread_column)i);
	return columnset_layout(
	    &t->columns, widths, THREAD_NAME, NAME_LEAST, IN, screen, out, more);
}

/* Names to the left, figures to the right. */
static void
put(struct canvas *c, struct rect r, const struct column_slot *slot, struct str text, look style)
{
	int at = r.column + slot->at, end = at + slot->width;

	if (slot->column != THREAD_NAME && text.n < (size_t)slot->width)
		at = end - (int)text.n;
	canvas_text(c, r.row, at, end, text, style);
}

static void
draw_header(struct canvas *c, struct rect r, const struct threads *t,
    const struct column_slot *slots, int count, bool more)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(c, r.row, r.column, r.column + r.columns, ' ', style);
	canvas_text(c, r.row, r.column + 1, r.column + r.columns, STR("in"), style);
	for (int i = 0; i < count; i++) {
		char title[20];

		snprintf(title, sizeof(title), "%s%s", thread_column_table[slots[i].column].title,
		    slots[i].column != (int)t->sort ? ""
			: t->rising			? "^"
							: "v");
		put(c, r, &slots[i], str_from(title), style);
	}
	if (more)
		canvas_put(c, r.row, r.column + r.columns - 1, '>', style);
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

void
threads_measure(struct threads *t)
{
	nsec length = threads_length(t);
	char out[FMT_SIZE];

	for (int c = 0; c < THREAD_COLUMNS; c++)
		t->widths[c] = thread_column_table[c].width;
	for (size_t i = 0; i < t->at.count; i++) {
		for (int c = 0; c < THREAD_COLUMNS; c++) {
			size_t width = c == THREAD_NAME
			    ? utf8_width(names_thread(t->table->figures.names, t->items[i]))
			    : figure(t, t->items[i], (enum thread_column)c, length, out).n;

			if (width > COLUMN_WIDTH_MAX)
				width = COLUMN_WIDTH_MAX;
			if ((int)width > t->widths[c])
				t->widths[c] = (int)width;
		}
	}
}

static void
draw_row(struct canvas *c, struct rect r, const struct threads *t, size_t at,
    const struct column_slot *slots, int count, nsec length)
{
	uint32_t thread = t->items[at];
	struct names *names = t->table->figures.names;
	look hit = threads_is_hit(t, at) ? LOOK_HIT : 0;
	char out[FMT_SIZE];

	for (int i = 0; i < count; i++) {
		enum thread_column column = (enum thread_column)slots[i].column;

		if (column == THREAD_NAME)
			put(c, r, &slots[i],
			    names_head(names, names_thread(names, thread), slots[i].width),
			    ROLE_TEXT | hit);
		else
			put(c, r, &slots[i], figure(t, thread, column, length, out), ROLE_TEXT);
	}
}

int
threads_draw(struct canvas *c, struct rect r, const struct threads *t,
    const struct scope *scope)
{
	struct column_slot slots[COLUMNSET_MAX];
	bool more;
	int count = make_layout(t, r.columns, slots, &more);
	nsec length = threads_length(t);

	draw_header(c, r, t, slots, count, more);
	for (int i = 1; i < r.rows; i++) {
		struct rect line = {r.row + i, r.column, 1, r.columns};
		size_t at = t->at.top + (size_t)i - 1;

		canvas_fill(c, line.row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
		if (at < t->at.count) {
			canvas_format(c, line.row, r.column, r.column + r.columns, ROLE_TEXT,
			    "%c[%c]", at == t->at.cursor ? '>' : ' ',
			    scope_has(scope, t->items[at]) ? 'x' : ' ');
			draw_row(c, line, t, at, slots, count, length);
			if (at == t->at.cursor)
				canvas_add_look(c, line.row, r.column, r.column + r.columns,
				    LOOK_SELECTED);
		} else if (at == 0) {
			canvas_text(c, line.row, r.column + 1, r.column + r.columns,
			    STR("no threads with records"), ROLE_TEXT);
		}
	}
	return t->at.count > 0 ? r.row + 1 + (int)scroll_line(&t->at) : -1;
}
