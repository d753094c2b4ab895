// SPDX-License-Identifier: Apache-2.0
/*
 * last_line: the last line of the timeline: marks, or what a row has at the time
 * cursor, in words.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/sbuf.h"
#include "view/names/looks.h"
#include "view/timeline/parts.h"

/* Content of a row ----------------------------------------------------------------------- */

/* "12.345 ms since 1.204113 s" */
static void
put_span(struct sbuf *out, const struct timeline_pane *p, nsec from, nsec to)
{
	sbuf_printf(out, "%s ms since %s%s", fmt_ms(FMT_BUF, to - from),
	    timescale_text(&p->scale, FMT_BUF, from, 6), timescale_unit(&p->scale));
}

static void
put_thread(struct sbuf *out, const struct timeline_pane *p, uint32_t thread)
{
	struct str name;

	if (thread >= trace_thread_count(p->trace)) {
		sbuf_text(out, "the idle task");
		return;
	}
	name = names_thread(p->names, thread);
	sbuf_printf(out, "%" PRIu32 " %.*s", trace_thread(p->trace, thread)->id, STR_ARG(name));
}

uint32_t
track_point_waker(const struct track_point *p, nsec *at)
{
	enum task_class class = task_states[p->state.state].class;

	if (class == TASK_CLASS_RUNNING)
		return SCHED_NONE;
	if (class == TASK_CLASS_RUNNABLE) {
		*at = p->from;
		return p->state.waker;
	}
	*at = p->to;
	return p->after.state != TASK_UNKNOWN ? p->after.waker : SCHED_NONE;
}

/* "Sleeping 12.345 ms since 1.204113 s, woken by 1187 main" */
static void
put_state(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	const struct interval *i = &at->state;
	nsec woken;
	uint32_t waker = track_point_waker(at, &woken);

	sbuf_text(out, task_states[i->state].name);
	if (i->state == TASK_RUNNING)
		sbuf_printf(out, " on cpu%u", i->cpu);
	if (i->io != IO_UNTOLD)
		sbuf_text(out, i->io == IO_YES ? " for I/O" : ", not for I/O");
	sbuf_char(out, ' ');
	put_span(out, p, at->from, at->to);
	if (i->caller > 0) {
		const struct str *caller = seg_at(&p->trace->log->texts, i->caller - 1);
		struct str clean = names_clean(p->names, *caller);

		sbuf_printf(out, ", in %.*s", STR_ARG(clean));
	}
	if (waker != SCHED_NONE) {
		sbuf_text(out, ", woken by ");
		put_thread(out, p, waker);
	}
	if (i->state == TASK_RUNNING) {
		if (i->next != TASK_UNKNOWN)
			sbuf_printf(out, ", then %s", task_states[i->next].name);
		sbuf_printf(out, ", priority %" PRId32, i->priority);
	}
	if (at->before.state != TASK_UNKNOWN)
		sbuf_printf(out, ", before %s", task_states[at->before.state].name);
}

static void
put_core(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	if (at->idle) {
		sbuf_text(out, at->lost ? "not known, for events are missing, " : "idle ");
		put_span(out, p, at->from, at->to);
		return;
	}
	put_thread(out, p, at->state.thread);
	sbuf_text(out, " ran ");
	put_span(out, p, at->from, at->to);
	if (at->state.next != TASK_UNKNOWN)
		sbuf_printf(out, ", then %s", task_states[at->state.next].name);
	sbuf_printf(out, ", priority %" PRId32, at->state.priority);
}

static void
put_counter(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	const struct log_counter *c =
	    seg_at(&p->trace->log->counters, p->point.row.index);
	struct str name = names_clean(p->names, c->name);
	char scale[SCALE_TEXT];

	sbuf_printf(out, "%.*s %s, ", STR_ARG(name), fmt_real(FMT_BUF, at->value));
	put_span(out, p, at->from, at->to);
	sbuf_printf(out, ", in all %s to %s", fmt_real(FMT_BUF, c->min), fmt_real(FMT_BUF, c->max));
	if (timeline_scale_text(scale, p, &p->point.row) && scale[0] != '=')
		sbuf_printf(out, ", drawn %s", scale);
}

/* "NAME on TRACK", as its line has it, after "; next " with its time. */
static void
put_instant(struct sbuf *out, const struct timeline_pane *p, const char *before,
    const struct log_detail *d, nsec at)
{
	struct str text = names_clean(p->names, d->name);

	sbuf_printf(out, "%s%.*s", before, STR_ARG(text));
	if (d->track.p != NULL) {
		text = names_clean(p->names, d->track);
		sbuf_printf(out, " on %.*s", STR_ARG(text));
	}
	if (*before != '\0')
		sbuf_printf(out, " at %s%s", timescale_text(&p->scale, FMT_BUF, at, 6),
		    timescale_unit(&p->scale));
}

/* "resume; next pause at 1.204113 s" at a mark, else the marks before and after. */
static void
put_instants(struct sbuf *out, const struct timeline_pane *p, const struct instants_near *near)
{
	bool here = near->has_last && near->last == p->point.at;

	if (here)
		put_instant(out, p, "", &near->last_detail, near->last);
	else
		sbuf_text(out, "none here");
	if (near->has_next)
		put_instant(out, p, "; next ", &near->next_detail, near->next);
	if (near->has_last && !here)
		put_instant(out, p, "; last ", &near->last_detail, near->last);
}

/* Appends the content at the time cursor, in words. */
static void
timeline_point_text(
    struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	const struct track *row = &p->point.row;

	switch (row->kind) {
	case TRACK_STATE:
		put_state(out, p, at);
		return;
	case TRACK_CORE:
		put_core(out, p, at);
		return;
	case TRACK_COUNTER:
		put_counter(out, p, at);
		return;
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		put_instants(out, p, &at->near);
		return;
	case TRACK_LOAD:
		sbuf_printf(out, "%.0f core%s ran, ", at->value, at->value == 1 ? "" : "s");
		break;
	case TRACK_PROCESS:
		sbuf_printf(out, "%.0f of its threads ran, ", at->value);
		break;
	case TRACK_FREQUENCY:
		sbuf_printf(out, "cpu%" PRIu32 " %.0f kHz ", row->index, at->value);
		break;
	case TRACK_IDLE:
		if (at->value > 0)
			sbuf_printf(out, "cpu%" PRIu32 " idle, level %.0f, ", row->index,
			    at->value - 1);
		else
			sbuf_printf(out, "cpu%" PRIu32 " not idle ", row->index);
		break;
	default:
		return;
	}
	put_span(out, p, at->from, at->to);
}

enum { NARROW = 50 };

/* "1152 calls of cursor method" at the right, short where it would hide marks. */
static void
draw_marks(const struct drawing *d, int row)
{
	const struct engine_marks *marks = d->pane->marks;
	const struct fold *fold = d->show->fold;
	int first = d->r.column + d->label, last = -1;
	bool highlight = d->pane->highlight != METHOD_NONE;
	uint32_t method = highlight ? d->pane->highlight : d->show->method;
	bool known = marks != NULL && marks->method == method &&
	    range_equal(&marks->window, &d->window) && marks->columns == (uint32_t)d->cells;
	uint64_t calls;
	char text[80];
	int at;

	for (int i = 0; known && i < d->cells; i++) {
		if (marks->marks[i] == 0 ||
		    (window_is_set(&d->show->window) && !timeline_cell_in(d, i, &d->show->window)))
			continue;
		/* Blanks between marks look like them: each change of looks costs bytes. */
		if (last >= 0)
			canvas_fill(d->canvas, row, first + last + 1, first + i, ' ', ROLE_MARK);
		canvas_put(d->canvas, row, first + i, '^', ROLE_MARK);
		last = i;
	}
	if (fold == NULL || method == METHOD_TOPLEVEL || method >= fold->method_count)
		return;
	calls = fold->methods[method].calls + fold->methods[method].recursive_calls;
	at =
	    d->cells - snprintf(text, sizeof text,
			   names_words(d->pane->names,
			       highlight ? " %" PRIu64 " call%s of the highlighted method"
					 : " %" PRIu64 " call%s of cursor method"),
			   calls, calls == 1 ? "" : "s");
	/* Short also as long as the marks are not known, which mostly leave no room. */
	if (!known || at <= last)
		at = d->cells - snprintf(text, sizeof text,
				    names_words(d->pane->names, " %" PRIu64 " call%s"), calls,
				    calls == 1 ? "" : "s");
	canvas_text(d->canvas, row, first + (at > 0 ? at : 0), first + d->cells,
	    str_from(text), ROLE_HEADER);
}

/* How the figures of a call are written, from the longest form to the shortest. */
static const struct {
	const char *depth, *gap, *incl, *excl, *unit;
	int clocks; /* so many, the trace's own first */
	int name;   /* columns that must be left for the method */
} forms[] = {
    {"  depth ", "  ", " incl ", " excl ", " ms", CLOCKS, 24},
    {"  depth ", "  ", " incl ", " excl ", "", CLOCKS, 24},
    {" d", " ", " ", "/", "", CLOCKS, 16},
    {" d", " ", " ", "/", "", 1, 8},
    {" d", "", "", "", "", 0, 0},
};

/* "  depth 12  wall incl 48.112 excl 2.010 ms" */
static int
call_figures(
    const struct drawing *d, const struct call *call, size_t form, char *out, size_t size)
{
	static const enum clock_id order[] = {CLOCK_WALL, CLOCK_CPU};
	static const char *const names[CLOCKS] = {
	    [CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};
	const char *open = call->unfinished || call->entered_before ? "+" : "";
	int n = snprintf(out, size, "%s%" PRIu32, forms[form].depth, call->depth);
	const struct trace_unit *unit = &d->pane->trace->unit;
	int left = forms[form].clocks;

	for (size_t i = 0; i < CLOCKS; i++) {
		enum clock_id clock = order[i];
		if (!trace_has_clock(d->pane->trace, clock) || left-- <= 0)
			continue;
		n += snprintf(out + n, size - (size_t)n, "%s%s%s%s%s%s%s%s",
		    forms[form].gap, unit_counts(unit) ? unit->name : names[clock], forms[form].incl,
		    unit_figure(unit, FMT_BUF, call->leave[clock] - call->enter[clock]), open,
		    forms[form].excl, unit_figure(unit, FMT_BUF, call->exclusive[clock]),
		    unit_counts(unit) ? "" : forms[form].unit);
	}
	return n;
}

/* "c.e.f.ImageCache.decode  depth 12  wall incl 48.112 excl 2.010 ms" */
static void
draw_call(const struct drawing *d, int row, int column, const struct call *call)
{
	const struct timeline_pane *p = d->pane;
	int limit = d->r.column + d->label + d->cells, width;
	char figures[4 * FMT_SIZE];
	struct name_fit name;
	size_t form = 0;

	while ((width = call_figures(d, call, form, figures, sizeof figures)) +
		       forms[form].name >
		   limit - column &&
	       form + 1 < sizeof forms / sizeof *forms)
		form++;
	name =
	    names_fit(p->names, call->method, limit - column - width, d->show->elision);
	column = canvas_text(d->canvas, row, column, limit, name.text,
	    looks_method(names_looks(p->names), call->method));
	canvas_text(d->canvas, row, column, limit, str_from(figures), ROLE_TEXT);
}

/* Draws the row's content at the time cursor, after the time. */
static void
draw_point(const struct drawing *d, int row, int column)
{
	const struct timeline_pane *p = d->pane;
	const struct track *track = timeline_pane_track(p);
	const struct call *call = timeline_pane_call(p);
	const struct track_point *point = timeline_pane_point(p);
	int limit = d->r.column + d->label + d->cells;
	struct sbuf text = {0};

	if (track == NULL)
		return;
	column = canvas_format(d->canvas, row, column, limit, ROLE_HEADER, "%s%s ",
	    axis_time(FMT_BUF, p->axis.cursor,
		d->cells > 0 ? (d->window.to - d->window.from) / d->cells : 1, &p->scale),
	    timescale_unit(&p->scale));
	if (!timeline_pane_point_known(p))
		return;
	if (call != NULL) {
		draw_call(d, row, column, call);
		return;
	}
	if (track->kind < TRACK_STATE)
		sbuf_text(&text, names_words(p->names, "no call open"));
	else if (point == NULL)
		sbuf_text(&text, "nothing is known");
	else
		timeline_point_text(&text, p, point);
	canvas_text(d->canvas, row, column, limit, sbuf_view(&text),
	    point != NULL ? ROLE_TEXT : ROLE_DIM);
	sbuf_release(&text);
}

void
timeline_last_line(const struct drawing *d, int row)
{
	size_t shown = (size_t)timeline_pane_rows(d->pane);
	int column = d->r.column + d->label;

	if (d->cells < NARROW && d->pane->row_count <= shown)
		column = d->r.column;
	if (d->pane->row_count > shown)
		canvas_format(d->canvas, row, d->r.column, d->r.column + d->label,
		    ROLE_HEADER, d->pane->row_count - shown < 100 ? " + %zu more" : "+%zu more",
		    d->pane->row_count - shown);
	if (d->show->focused)
		draw_point(d, row, column);
	else if (d->show->method != METHOD_NONE || d->pane->highlight != METHOD_NONE)
		draw_marks(d, row);
}
