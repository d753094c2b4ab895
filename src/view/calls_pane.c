#include <config.h>

#include "view/calls_pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "view/calls_drawing.h"

enum {
	FIGURES = 2,      /* lines */
	SIDE_FROM = 140,  /* columns: the histogram beside the list */
	SIDE = 56,        /* columns of it */
	HISTOGRAM_MAX = 7,
	HISTOGRAM_FROM = 12, /* rows of the pane */
	FLAGS = 2, /* columns behind a duration */
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

/* List --------------------------------------------------------------------------- */

static enum clock_id
clock_of(const struct calls_list *l, enum calls_column_id id)
{
	if (!calls_column_table[id].is_other)
		return l->clock;
	return l->clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
}

const char *
calls_column_title(const struct calls_list *l, enum calls_column_id id, bool auto_units,
    char out[static FMT_SIZE])
{
	const struct calls_column *c = &calls_column_table[id];

	snprintf(out, FMT_SIZE, "%s%s%s", id == CALLS_START ? "Start" : c->title,
	    !c->is_other		  ? ""
	    : clock_of(l, id) == CLOCK_CPU ? " cpu"
					  : " wall",
	    c->is_time && !auto_units ? " ms"
	    : id == CALLS_START	      ? timescale_unit(&l->scale)
				      : "");
	return out;
}

/* "Dur msv" */
static void
title_text(const struct calls_drawing *d, enum calls_column_id id, char *out, size_t size)
{
	char title[FMT_SIZE];

	snprintf(out, size, "%s%s",
	    calls_column_title(d->list, id, d->show->auto_units, title),
	    id != d->list->sort ? ""
	    : d->list->rising	? "^"
				: "v");
}

static void
time_text(const struct calls_drawing *d, char out[static FMT_SIZE], nsec time)
{
	if (d->show->auto_units)
		fmt_auto(out, time, FMT_US);
	else
		fmt_ms(out, time);
}

/* The value of a column of figures; `out` stays empty where there is none. */
static void
value_text(const struct calls_drawing *d, const struct call_row *row, enum calls_column_id id,
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
		timescale_text(&d->list->scale, out, row->start, 6);
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
draw_thread(const struct calls_drawing *d, int row, int column, int limit, uint32_t thread)
{
	struct str name = names_thread(d->list->names, thread);

	column = canvas_format(d->canvas, row, column, limit, ROLE_TEXT, "%" PRIu32 " ",
	    trace_thread(d->list->trace, thread)->id);
	canvas_text(d->canvas, row, column, limit,
	    names_head(d->list->names, name, limit - column),
	    ROLE_TEXT | (table_is_thread_hit(d->show->search, thread) ? LOOK_HIT : 0));
}

static void
draw_caller(const struct calls_drawing *d, int row, int column, int limit,
    const struct call_row *call)
{
	uint32_t method = calls_list_caller(d->list, call);

	canvas_text(d->canvas, row, column, limit,
	    names_fit(d->list->names, method, limit - column, d->show->elision).text,
	    ROLE_TEXT | (table_is_hit(d->show->search, method) ? LOOK_HIT : 0));
}

/* Marks behind a duration: cut by the range or the trace, over the budget. */
static void
draw_flags(const struct calls_drawing *d, int row, int column, const struct call_row *call)
{
	const struct calls *c = d->list->calls;

	if ((call->flags & (CALL_BEFORE | CALL_BEYOND)) != 0)
		canvas_put(d->canvas, row, column++, '+', ROLE_TEXT);
	if (c->budget > 0 && call->time[d->list->clock] > c->budget)
		canvas_put(d->canvas, row, column, '!', ROLE_WARNING);
}

static void
draw_title(const struct calls_drawing *d, struct rect r, const struct column_slot *slot)
{
	enum calls_column_id id = (enum calls_column_id)slot->column;
	int at = r.column + slot->at, end = at + slot->width;
	char text[FMT_SIZE + 16];

	title_text(d, id, text, sizeof(text));
	if (!calls_column_table[id].is_text)
		at = end - (id == CALLS_TIME ? FLAGS : 0) - (int)strlen(text);
	canvas_text(d->canvas, r.row, at > r.column ? at : r.column, end, str_from(text),
	    ROLE_HEADER | LOOK_BOLD);
}

static void
draw_cell(const struct calls_drawing *d, struct rect r, const struct column_slot *slot,
    const struct call_row *call)
{
	enum calls_column_id id = (enum calls_column_id)slot->column;
	int at = r.column + slot->at, end = at + slot->width;
	int right = id == CALLS_TIME ? end - FLAGS : end;
	char text[FMT_SIZE];

	if (id == CALLS_THREAD) {
		draw_thread(d, r.row, at, end, call->thread);
	} else if (id == CALLS_CALLER) {
		draw_caller(d, r.row, at, end, call);
	} else {
		value_text(d, call, id, text);
		canvas_text(d->canvas, r.row, right - (int)strlen(text), right, str_from(text),
		    ROLE_TEXT);
	}
	if (id == CALLS_TIME)
		draw_flags(d, r.row, right, call);
}

static int
draw_list(const struct calls_drawing *d, struct rect r)
{
	const struct calls_list *l = d->list;
	size_t count = calls_list_count(l);
	struct column_slot slots[COLUMNSET_MAX];
	bool more;
	int slot_count = calls_list_layout(l, r.columns, slots, &more), eye = -1;

	canvas_fill(d->canvas, r.row, r.column, r.column + r.columns, ' ',
	    ROLE_HEADER | LOOK_BOLD);
	for (int i = 0; i < slot_count; i++)
		draw_title(d, r, &slots[i]);
	if (more)
		canvas_put(d->canvas, r.row, r.column + r.columns - 1, '>',
		    ROLE_HEADER | LOOK_BOLD);
	for (int i = 1; i < r.rows && l->top + (size_t)i - 1 < count; i++) {
		size_t place = l->top + (size_t)i - 1;
		struct rect row = {r.row + i, r.column, 1, r.columns};

		bool marked = calls_list_is_marked(l, calls_list_at(l, place));

		for (int k = 0; k < slot_count; k++)
			draw_cell(d, row, &slots[k], calls_list_at(l, place));
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
nothing(const struct calls_drawing *d)
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
	struct calls_drawing d = {canvas, list, show};
	struct calls_layout l = calls_pane_layout(r);
	const char *why = nothing(&d);

	for (int i = 0; i < r.rows; i++)
		canvas_fill(canvas, r.row + i, r.column, r.column + r.columns, ' ', ROLE_TEXT);
	if (show->method != METHOD_NONE)
		calls_draw_sums(&d, l.figures);
	if (why != NULL)
		canvas_text(canvas, r.row + (show->method != METHOD_NONE ? 1 : 0), r.column,
		    r.column + r.columns, str_from(why), ROLE_TEXT);
	if (list->calls == NULL || why != NULL)
		return -1;
	calls_draw_percentiles(&d, (struct rect){l.figures.row + 1, r.column, 1, r.columns});
	if (l.histogram.rows > 0)
		calls_draw_histogram(&d, l.histogram);
	return draw_list(&d, l.list);
}
