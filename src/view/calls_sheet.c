#include <config.h>

#include "view/calls_sheet.h"

#include <stdio.h>

#include "base/mem.h"

static const enum sheet_kind kinds[CALLS_COLUMNS] = {
    [CALLS_NUMBER] = SHEET_COUNT,
    [CALLS_START] = SHEET_TIME,
    [CALLS_TIME] = SHEET_TIME,
    [CALLS_EXCL] = SHEET_TIME,
    [CALLS_OTHER_TIME] = SHEET_TIME,
    [CALLS_OTHER_EXCL] = SHEET_TIME,
    [CALLS_DEPTH] = SHEET_COUNT,
    [CALLS_THREAD] = SHEET_TEXT,
    [CALLS_CALLER] = SHEET_TEXT,
};

static const struct calls_list *
list_of(const struct sheet *s)
{
	return s->model;
}

static struct value
time_value(nsec ns)
{
	return (struct value){.kind = VALUE_TIME, .a = ns};
}

static struct value
text_value(struct str text)
{
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

static struct value
thread_value(const struct sheet *s, uint32_t thread)
{
	const struct calls_list *l = list_of(s);

	sbuf_clear(s->scratch);
	sbuf_printf(s->scratch, "%u ", (unsigned)trace_thread(l->trace, thread)->id);
	sbuf_str(s->scratch, names_thread(l->names, thread));
	return text_value(sbuf_view(s->scratch));
}

static struct value
caller_value(const struct calls_list *l, const struct call_row *row, bool raw)
{
	uint32_t caller = l->calls->frames[row->frame].caller, method;

	if (caller == FRAME_NONE)
		return (struct value){.kind = VALUE_EMPTY};
	method = l->calls->frames[caller].method;
	return text_value(raw ? names_raw(l->names, method) : names_full(l->names, method));
}

static int
column_of(const struct sheet *s, int column)
{
	int i = 0;

	while (i < CALLS_COLUMNS - 1 &&
	       strcmp(calls_column_table[i].id, s->columns[column].id) != 0)
		i++;
	return i;
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct calls_list *l = list_of(s);
	const struct call_row *row = calls_list_at(l, at);
	enum clock_id other = l->clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	struct value count = {.kind = VALUE_COUNT};

	switch (column_of(s, column)) {
	case CALLS_NUMBER:
		count.a = calls_list_number(l, row);
		return count.a > 0 ? count : (struct value){.kind = VALUE_EMPTY};
	case CALLS_START:
		return time_value(row->start);
	case CALLS_TIME:
		return time_value(row->time[l->clock]);
	case CALLS_EXCL:
		return time_value(row->exclusive[l->clock]);
	case CALLS_OTHER_TIME:
		return time_value(row->time[other]);
	case CALLS_OTHER_EXCL:
		return time_value(row->exclusive[other]);
	case CALLS_DEPTH:
		count.a = l->calls->frames[row->frame].depth;
		return count;
	case CALLS_THREAD:
		return thread_value(s, row->thread);
	default:
		return caller_value(l, row, raw);
	}
}

/* The method's own time, by the stack that it was called on, the outermost frame first. */
static void
stack(const struct sheet *s, struct sheet_stacks *stacks, size_t i, struct sbuf *out)
{
	const struct calls_list *l = list_of(s);
	const struct call_row *row = calls_list_at(l, i);
	const struct call_frame *frames = l->calls->frames;
	size_t count = 0;

	for (uint32_t f = row->frame; f != FRAME_NONE; f = frames[f].caller) {
		MEM_GROW(stacks->ids, stacks->room, count + 1);
		stacks->ids[count++] = f;
	}
	while (count-- > 0) {
		sheet_stacks_method(stacks, s->figures, frames[stacks->ids[count]].method, out);
		if (count > 0)
			sbuf_char(out, ';');
	}
	sbuf_printf(out, " %lld\n", (long long)row->exclusive[l->clock]);
}

/* A list and the figures that its sheet speaks of, which stay. */
struct kept {
	struct calls_list list; /* first: the model */
	struct figures figures;
};

static void
keep(struct sheet *s)
{
	const struct calls_list *l = list_of(s);
	struct kept *kept = mem_zero(1, sizeof(*kept));

	kept->list = (struct calls_list){
	    .trace = l->trace,
	    .names = l->names,
	    .calls = calls_ref(l->calls),
	    .clock = l->clock,
	    .order = mem_dup(l->order, s->rows, sizeof(*l->order)),
	};
	kept->figures = *s->figures;
	kept->figures.fold = NULL; /* no cell asks for it */
	s->model = &kept->list;
	s->figures = &kept->figures;
}

static void
drop(struct sheet *s)
{
	struct kept *kept = (struct kept *)(uintptr_t)s->model;

	calls_free(kept->list.calls);
	mem_free(kept->list.order);
	mem_free(kept);
}

void
calls_sheet(struct sheet *s, const struct calls_list *l, const struct figures *figures)
{
	unsigned both = 1u << CLOCK_CPU | 1u << CLOCK_WALL;

	*s = (struct sheet){.view = "calls",
	    .rows = calls_list_count(l),
	    .cursor = l->cursor,
	    .figures = figures,
	    .model = l,
	    .cell = cell,
	    .stack = stack,
	    .stacks = calls_list_count(l),
	    .keep = keep,
	    .drop = drop};
	for (int k = 0; k < CALLS_COLUMNS; k++) {
		int i = l->columns.order[k];
		const struct calls_column *c = &calls_column_table[i];
		bool is_time = kinds[i] == SHEET_TIME;
		char title[FMT_SIZE];

		if ((c->is_other && (l->trace->clocks & both) != both) ||
		    l->columns.of[i].shown == SHOWN_NO)
			continue;
		snprintf(title, sizeof(title), "%s%s", c->title, is_time ? " ms" : "");
		sheet_add(s, c->id, title, kinds[i]);
	}
}
