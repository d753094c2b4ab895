#include <config.h>

#include "view/timeline_sheet.h"

enum { TID, FROM, TO, BUSY, ASLEEP, THREAD, METHOD };

/* Where column `c` begins; no product of a time and a count. */
static nsec
column_start(const struct engine_timeline *t, uint32_t c)
{
	nsec span = t->to - t->from;

	return t->from + span / t->columns * c + span % t->columns * c / t->columns;
}

static struct value
time_value(nsec t)
{
	return (struct value){.kind = VALUE_TIME, .a = t};
}

static struct value
share_value(uint16_t part)
{
	return (struct value){.kind = VALUE_PERCENT, .a = part, .b = CELL_FULL};
}

static struct value
text_value(struct str text)
{
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct engine_timeline *t = s->model;
	const struct cell *c = &t->cells[at];
	uint32_t thread = t->threads[at / t->columns], i = (uint32_t)(at % t->columns);
	struct names *names = s->figures->names;

	switch (column) {
	case TID:
		return (struct value){
		    .kind = VALUE_COUNT, .a = trace_thread(s->figures->trace, thread)->id};
	case FROM:
		return time_value(column_start(t, i));
	case TO:
		return time_value(column_start(t, i + 1));
	case BUSY:
		return share_value(c->busy);
	case ASLEEP:
		return share_value(c->asleep);
	case THREAD:
		return text_value(names_thread(names, thread));
	default:
		if (c->method == METHOD_NONE)
			return (struct value){.kind = VALUE_EMPTY};
		return text_value(raw ? names_raw(names, c->method) : names_full(names, c->method));
	}
}

bool
timeline_sheet(struct sheet *s, const struct timeline_pane *p, const struct figures *f)
{
	const struct engine_timeline *t = p->cells;

	if (t == NULL || t->columns == 0)
		return false;
	*s = (struct sheet){.view = "timeline",
	    .rows = (size_t)t->rows * t->columns,
	    .cursor = (size_t)t->rows * t->columns,
	    .figures = f,
	    .model = t,
	    .cell = cell};
	sheet_add(s, "tid", "Tid", VALUE_COUNT);
	sheet_add(s, "from", "From ms", VALUE_TIME);
	sheet_add(s, "to", "To ms", VALUE_TIME);
	sheet_add(s, "busy%", "Busy%", VALUE_PERCENT);
	sheet_add(s, "asleep%", "Asleep%", VALUE_PERCENT);
	sheet_add(s, "thread", "Thread", VALUE_TEXT);
	sheet_add(s, "method", "Method", VALUE_TEXT);
	return true;
}
