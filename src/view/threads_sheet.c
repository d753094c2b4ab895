#include <config.h>

#include "view/threads_sheet.h"

static const struct {
	const char *id, *title;
	enum sheet_kind kind;
} columns[THREAD_COLUMNS] = {
    [THREAD_ID] = {"tid", "Tid", SHEET_COUNT},
    [THREAD_CPU] = {"cpu", "CPU ms", SHEET_TIME},
    [THREAD_WALL] = {"wall", "Wall ms", SHEET_TIME},
    [THREAD_BUSY] = {"busy%", "Busy%", SHEET_PERCENT},
    [THREAD_CALLS] = {"calls", "Calls", SHEET_COUNT},
    [THREAD_DEPTH] = {"depth", "Depth", SHEET_COUNT},
    [THREAD_OPEN] = {"open", "Open", SHEET_COUNT},
    [THREAD_NAME] = {"name", "Name", SHEET_TEXT},
};

static enum thread_column
column_of(const struct sheet *s, int column)
{
	int i = 0;

	while (i < THREAD_COLUMNS - 1 &&
	       !str_equal(str_from(columns[i].id), str_from(s->columns[column].id)))
		i++;
	return (enum thread_column)i;
}

static struct value
count_value(uint64_t n)
{
	return (struct value){.kind = VALUE_COUNT, .a = (int64_t)n};
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct threads *t = s->model;
	uint32_t thread = t->items[at];
	const struct fold_thread *sum = threads_sum(t, thread);
	nsec cpu = threads_span(sum, CLOCK_CPU);

	(void)raw;
	switch (column_of(s, column)) {
	case THREAD_ID:
		return count_value(trace_thread(t->table->figures.trace, thread)->id);
	case THREAD_CPU:
		return (struct value){.kind = VALUE_TIME, .a = cpu};
	case THREAD_WALL:
		return (struct value){.kind = VALUE_TIME, .a = threads_span(sum, CLOCK_WALL)};
	case THREAD_BUSY:
		return (struct value){.kind = VALUE_PERCENT, .a = cpu, .b = threads_length(t)};
	case THREAD_CALLS:
		return count_value(sum->calls);
	case THREAD_DEPTH:
		return count_value(sum->deepest);
	case THREAD_OPEN:
		return count_value(sum->open);
	default:
		return (struct value){.kind = VALUE_TEXT,
		    .text = names_thread(t->table->figures.names, thread)};
	}
}

void
threads_sheet(struct sheet *s, const struct threads *t)
{
	static const enum thread_column order[THREAD_COLUMNS] = {THREAD_ID, THREAD_CPU, THREAD_WALL,
		THREAD_BUSY, THREAD_CALLS, THREAD_DEPTH, THREAD_OPEN, THREAD_NAME};

	*s = (struct sheet){.view = "threads",
	    .rows = t->at.count,
	    .cursor = t->at.cursor,
	    .figures = &t->table->figures,
	    .model = t,
	    .cell = cell};
	for (int i = 0; i < THREAD_COLUMNS; i++)
		if (threads_has(t, order[i]))
			sheet_add(s, columns[order[i]].id, columns[order[i]].title,
			    columns[order[i]].kind);
}
