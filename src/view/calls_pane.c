#include <config.h>

#include "view/calls_pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "view/calls_drawing.h"
#include "view/list/draw.h"

enum {
	FIGURES = 2,      /* lines */
	SIDE_FROM = 140,  /* columns: the histogram beside the list */
	SIDE = 56,        /* columns of it */
	HISTOGRAM_MAX = 7,
	HISTOGRAM_FROM = 12, /* rows of the pane */
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
	return list_draw(canvas, l.list, &list->list);
}
