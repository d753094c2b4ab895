/* The columns of the list of calls: which there are, and how wide. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/calls_list.h"

enum {
	GUTTER = 1,
	FLAGS = 2, /* columns behind a duration */
	CALLER_LEAST = 8,
	/* Threads with long names take no more, on narrow and on wide lists. */
	THREAD_MOST = 14,
	THREAD_MOST_WIDE = 22,
	THREAD_WIDE_FROM = 100,
};

const struct calls_column calls_column_table[CALLS_COLUMNS] = {
    [CALLS_NUMBER] = {"number", "#", "place in time among all calls of the method", false,
	false, false, true, 5, 70},
    [CALLS_START] = {"start", "Start s", "when it began", false, false, false, true, 8, 0},
    [CALLS_TIME] = {"time", "Dur", "how long it took, what it called included", true,
	false, false, false, 8, 0},
    [CALLS_EXCL] = {"excl", "Excl", "time spent in itself", true, false, false, false, 8,
	60},
    [CALLS_OTHER_TIME] = {"other-time", "Dur", "how long it took, on the other clock", true,
	true, false, false, 12, 96},
    [CALLS_OTHER_EXCL] = {"other-excl", "Excl", "time in itself, on the other clock", true,
	true, false, false, 13, 112},
    [CALLS_DEPTH] = {"depth", "Depth", "how deep in the stack, 1 is the outermost", false,
	false, false, false, 5, 84},
    [CALLS_THREAD] = {"thread", "Thread", "thread that made it", false, false, true, true,
	7, 50},
    [CALLS_CALLER] = {"caller", "Caller", "method that called it", false, false, true, true,
	0, 0},
};

bool
calls_column_exists(const struct calls_list *l, enum calls_column_id id)
{
	enum clock_id other = l->clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;

	return !calls_column_table[id].is_other || trace_has_clock(l->trace, other);
}

bool
calls_column_shown(const struct calls_list *l, enum calls_column_id id, int columns)
{
	enum column_shown shown = l->columns.of[id].shown;

	if (!calls_column_exists(l, id) || shown == SHOWN_NO)
		return false;
	return shown == SHOWN_YES || columns >= calls_column_table[id].from || id == l->sort;
}

/* Widths ------------------------------------------------------------------------- */

static void
widen(struct calls_list *l, enum calls_column_id id, size_t width)
{
	if (width > COLUMN_WIDTH_MAX)
		width = COLUMN_WIDTH_MAX;
	if (l->widths[id] < (int)width)
		l->widths[id] = (int)width;
}

/* Ids are numbers of up to ten digits, and a blank stands behind them. */
static void
measure_threads(struct calls_list *l, const struct calls *c)
{
	uint32_t count = trace_thread_count(l->trace);
	uint8_t *seen = mem_zero((size_t)count + 1, 1);
	char id[FMT_SIZE];

	for (uint32_t i = 0; i < c->row_count; i++) {
		uint32_t thread = c->rows[i].thread;

		if (thread >= count || seen[thread] != 0)
			continue;
		seen[thread] = 1;
		snprintf(id, sizeof(id), "%u ", (unsigned)trace_thread(l->trace, thread)->id);
		widen(l, CALLS_THREAD,
		    strlen(id) + utf8_width(names_thread(l->names, thread)));
	}
	mem_free(seen);
}

void
calls_list_measure(struct calls_list *l)
{
	const struct calls *c = l->calls;
	nsec time = 0, start = 0;
	uint32_t depth = 0;
	char text[FMT_SIZE];

	for (int i = 0; i < CALLS_COLUMNS; i++)
		l->widths[i] = calls_column_table[i].width;
	if (c == NULL)
		return;
	for (uint32_t i = 0; i < c->row_count; i++) {
		const struct call_row *row = &c->rows[i];

		for (int k = 0; k < CLOCKS; k++)
			time = row->time[k] > time ? row->time[k] : time;
		start = row->start > start ? row->start : start;
		if (c->frames[row->frame].depth > depth)
			depth = c->frames[row->frame].depth;
	}
	for (int i = 0; i < CALLS_COLUMNS; i++)
		if (calls_column_table[i].is_time)
			widen(l, (enum calls_column_id)i, strlen(fmt_ms(text, time)));
	widen(l, CALLS_START, strlen(timescale_text(&l->scale, text, start, 6)));
	widen(l, CALLS_NUMBER, (size_t)snprintf(text, sizeof(text), "%u", (unsigned)c->row_count));
	widen(l, CALLS_DEPTH, (size_t)snprintf(text, sizeof(text), "%u", (unsigned)depth));
	measure_threads(l, c);
}

/* What a column takes in a list of that width; the caller has no end. */
static int
width_of(const struct calls_list *l, enum calls_column_id id, int columns)
{
	int width = l->widths[id], asked = l->columns.of[id].width;

	if (id == CALLS_CALLER)
		return columns;
	if (id == CALLS_THREAD) {
		int most = columns >= THREAD_WIDE_FROM ? THREAD_MOST_WIDE : THREAD_MOST;

		return asked > 0 ? asked : width < most ? width : most;
	}
	if (asked > width)
		width = asked;
	return id == CALLS_TIME ? width + FLAGS : width;
}

bool
calls_column_widen(struct calls_list *l, enum calls_column_id id, int by)
{
	int now = width_of(l, id, THREAD_WIDE_FROM), flags = id == CALLS_TIME ? FLAGS : 0;

	if (id == CALLS_CALLER)
		return false;
	return columnset_widen(&l->columns, id, now - flags,
	    id == CALLS_THREAD ? COLUMN_WIDTH_MIN : l->widths[id], by);
}

int
calls_list_layout(const struct calls_list *l, int columns,
    struct column_slot out[COLUMNSET_MAX], bool *more)
{
	int widths[COLUMNSET_MAX] = {0};

	for (int i = 0; i < CALLS_COLUMNS; i++)
		if (calls_column_shown(l, (enum calls_column_id)i, columns))
			widths[i] = width_of(l, (enum calls_column_id)i, columns);
	return columnset_layout(
	    &l->columns, widths, CALLS_CALLER, CALLER_LEAST, GUTTER, columns, out, more);
}
