// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/list/columns.h"
#include "view/timeline/pane.h"
#include "view/timeline/parts.h"

enum {
	LABEL_MIN = 11,   /* columns of names, with a blank after them */
	LABEL_USUAL = 16, /* they may have so many, or more where that is at most */
	LABEL_SHARE = 5,  /* this part of the width; on narrow screens they get a third */
	BUSY_FROM = 100,  /* columns of the pane with which it tells how busy threads are */
	BUSY_WIDTH = 6,
	LEGEND_FROM = 12, /* lines with which it has a legend: nine rows stay */
};

const char *const thread_order_names[THREAD_ORDERS] = {
    [ORDER_COVERAGE] = "coverage",
    [ORDER_CPU] = "cpu",
    [ORDER_NAME] = "name",
    [ORDER_ID] = "id",
};

void
timeline_pane_init(
    struct timeline_pane *p, const struct trace *trace, struct names *names)
{
	*p = (struct timeline_pane){.trace = trace, .names = names, .thread = THREAD_NONE,
	    .highlight = METHOD_NONE, .kinds = TRACKS_ALL, .axis.whole = true, .stopped = RANGE_ALL};
}

void
timeline_pane_release(struct timeline_pane *p)
{
	mem_free(p->threads);
	mem_free(p->facts);
	engine_timeline_free(p->cells);
	engine_marks_free(p->marks);
	mem_free(p->point.stack);
	engine_tracks_free(p->tracks);
	mem_free(p->rows);
	mem_free(p->wanted);
	mem_free(p->folds);
	processes_release(&p->processes);
}

/* Threads ------------------------------------------------------------------------ */

struct item {
	int class;       /* main, pinned, of its process and with slices, others */
	nsec key;        /* larger is first */
	struct str name; /* where names decide */
	uint32_t id, index;
};

static int
item_compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return order_then(x->class - y->class, order_then(ORDER(y->key, x->key),
	    order_then(str_compare(x->name, y->name), ORDER(x->id, y->id))));
}

/* Tells threads of one name apart by their ids, and measures the labels. */
static void
labels_measure(struct timeline_pane *p)
{
	uint32_t *first = mem_alloc((p->thread_count + 1) * sizeof(*first)); /* by name */
	struct intern labels = {0};

	p->longest = 0;
	for (size_t i = 0; i < p->thread_count; i++) {
		uint32_t thread = p->threads[i], count = (uint32_t)labels.count;
		uint32_t name = intern_add(&labels, names_thread(p->names, thread), 0);

		p->facts[thread].repeats = name < count;
		if (name < count)
			p->facts[first[name]].repeats = true;
		else
			first[name] = thread;
	}
	for (size_t i = 0; i < p->thread_count; i++) {
		uint32_t thread = p->threads[i];
		int width = (int)utf8_width(names_thread(p->names, thread));

		if (p->facts[thread].repeats)
			width += snprintf(NULL, 0, " %" PRIu32, trace_thread(p->trace, thread)->id);
		p->longest = width > p->longest ? width : p->longest;
	}
	intern_release(&labels);
	mem_free(first);
}

static void
order_threads(struct timeline_pane *p)
{
	const struct log *log = p->trace->log;
	struct item *items = mem_alloc(p->fact_count * sizeof *items);
	size_t count = 0;

	p->main_thread = trace_main_thread(p->trace);
	for (uint32_t i = 0; log != NULL && i < seg_count(&log->instant_threads); i++) {
		uint32_t thread = *(const uint32_t *)seg_at(&log->instant_threads, i);

		if (thread < p->fact_count)
			p->facts[thread].instants = true;
	}
	for (size_t i = 0; i < p->fact_count; i++) {
		const struct thread_facts *facts = &p->facts[i];

		if (facts->records == 0 && !facts->instants)
			continue;
		items[count++] = (struct item){
		    .class = i == p->main_thread ? 0
			     : facts->pinned     ? 1
			     : facts->covered > 0 &&
				    trace_is_beside(p->trace, p->main_thread, (uint32_t)i)
				 ? 2
				 : 3,
		    .key = p->by == ORDER_COVERAGE ? facts->covered
			   : p->by == ORDER_CPU    ? facts->busy
						   : 0,
		    .name = p->by == ORDER_NAME ? names_thread(p->names, (uint32_t)i)
						: STR(""),
		    .id = trace_thread(p->trace, (uint32_t)i)->id,
		    .index = (uint32_t)i,
		};
	}
	qsort(items, count, sizeof *items, item_compare);
	MEM_GROW(p->threads, p->thread_room, count);
	p->thread_count = count;
	for (size_t i = 0; i < count; i++)
		p->threads[i] = items[i].index;
	mem_free(items);
	labels_measure(p);
	if (count > 0 && !p->settled)
		p->thread = p->threads[0];
	timeline_rows_build(p);
}

void
timeline_pane_take(struct timeline_pane *p, const struct timeline_pane *before,
    struct identities *ids, struct identities *of_before)
{
	/* Which rows there are goes by the size, too. */
	p->lines = before->lines;
	p->columns = before->columns;
	p->legend = before->legend;
	p->by = before->by;
	p->kinds = before->kinds;
	p->cores_open = before->cores_open;
	p->steps_open = before->steps_open;
	p->idle_open = before->idle_open;
	p->entered = before->entered;
	p->highlight = identity_to_method(ids, identity_method(of_before, before->highlight));
	p->fact_count = trace_thread_count(p->trace);
	MEM_GROW(p->facts, p->fact_room, p->fact_count);
	for (uint32_t i = 0; i < p->fact_count; i++) {
		uint32_t was = identity_to_thread(of_before, identity_thread(ids, i));

		p->facts[i] = (struct thread_facts){.depth_in = RANGE_ALL};
		if (was >= before->fact_count)
			continue;
		p->facts[i].open = before->facts[was].open;
		p->facts[i].pinned = before->facts[was].pinned;
	}
	timeline_rows_build(p);
	for (uint32_t i = 0; i < p->fold_room; i++) {
		uint32_t was = identity_to_process(of_before, identity_process(ids, i));

		if (was < before->fold_room)
			p->folds[i] = before->folds[was];
	}
}

void
timeline_pane_set_fold(struct timeline_pane *p, const struct fold *fold)
{
	MEM_GROW(p->facts, p->fact_room, fold->thread_count);
	for (size_t i = 0; i < fold->thread_count; i++) {
		const struct fold_thread *t = &fold->threads[i];
		struct thread_facts *facts = &p->facts[i];
		bool known;

		if (i >= p->fact_count)
			*facts = (struct thread_facts){.depth_in = RANGE_ALL};
		known = facts->records > 0;
		facts->records = t->records;
		/* A window changes no order. */
		if (known && !range_is_all(&fold->range))
			continue;
		facts->covered = t->covered;
		facts->busy = fold_busy(fold, p->trace, (uint32_t)i);
		facts->instants = false;
	}
	p->fact_count = fold->thread_count;
	order_threads(p);
}

void
timeline_pane_set_order(struct timeline_pane *p, enum thread_order by)
{
	p->by = by;
	order_threads(p);
}

bool
timeline_pane_pin(struct timeline_pane *p)
{
	bool pinned;

	if (p->thread >= p->fact_count)
		return false;
	pinned = p->facts[p->thread].pinned = !p->facts[p->thread].pinned;
	p->settled = true;
	order_threads(p);
	return pinned;
}

/* Size and time ------------------------------------------------------------------ */

void
timeline_pane_set_size(struct timeline_pane *p, int lines, int columns)
{
	bool full = timeline_rows_grouped(p);

	p->lines = lines;
	p->columns = columns;
	if (full != timeline_rows_grouped(p)) {
		timeline_rows_build(p);
		p->top = 0;
	}
	timeline_rows_keep(p);
}

int
timeline_pane_rows(const struct timeline_pane *p)
{
	/* Axis above; the last line only when threads can be seen beside it. */
	return p->lines >= 3 ? p->lines - 2 - timeline_pane_has_legend(p)
	       : p->lines > 1 ? p->lines - 1
			      : 0;
}

bool
timeline_pane_has_legend(const struct timeline_pane *p)
{
	return p->legend && p->lines >= LEGEND_FROM;
}

int
timeline_pane_busy_width(const struct timeline_pane *p)
{
	return p->columns >= BUSY_FROM && trace_has_clock(p->trace, CLOCK_WALL) ? BUSY_WIDTH : 0;
}

int
timeline_pane_label_width(const struct timeline_pane *p)
{
	int most = p->columns / LABEL_SHARE;
	int wanted = p->longest + (timeline_rows_grouped(p) ? 2 : 1);

	if (most < LABEL_USUAL)
		most = LABEL_USUAL;
	if (most > p->columns / 3)
		most = p->columns / 3;
	if (wanted < LABEL_MIN)
		wanted = LABEL_MIN;
	return wanted < most ? wanted : most;
}

int
timeline_pane_cells(const struct timeline_pane *p)
{
	int cells = p->columns - timeline_pane_label_width(p) - timeline_pane_busy_width(p);

	return cells > 0 ? cells : 0;
}

bool
timeline_pane_cell(const struct timeline_pane *p, struct range *cell)
{
	const struct axis *a = &p->axis;
	int cells = timeline_pane_cells(p);
	int at = axis_cell(a->from, a->to, a->cursor, cells);

	if (at < 0)
		return false;
	cell->from = axis_cell_start(a->from, a->to, at, cells);
	cell->to = axis_cell_start(a->from, a->to, at + 1, cells);
	return true;
}

bool
timeline_pane_here(const struct timeline_pane *p, struct range *here)
{
	if (!timeline_pane_cell(p, here))
		return false;
	if (p->axis.exact)
		*here = (struct range){p->axis.cursor, p->axis.cursor};
	return true;
}

/* Queries and answers ------------------------------------------------------------------ */

/* The rows on the screen: threads, and others; calls of a thread are asked for once. */
static void
rows_wanted(struct timeline_pane *p, struct track *threads, uint32_t *thread_count,
    struct track *tracks, uint32_t *track_count)
{
	size_t shown = (size_t)timeline_pane_rows(p);
	bool calls = p->stopped.from != p->axis.from || p->stopped.to != p->axis.to;

	if (calls)
		p->stopped = RANGE_ALL;
	for (size_t i = 0; i < shown && p->top + i < p->row_count; i++) {
		struct track t = p->rows[p->top + i];
		bool of_calls = t.kind == TRACK_CALLS || t.kind == TRACK_ASYNC, asked = false;

		if (t.kind == TRACK_REST)
			continue;
		if (t.kind == TRACK_THREAD) {
			threads[(*thread_count)++] = t;
			of_calls = timeline_rows_has_calls(p, t.index);
			if (!of_calls)
				continue;
		}
		if (of_calls && !calls)
			continue;
		if (of_calls && t.kind != TRACK_ASYNC)
			t = (struct track){TRACK_CALLS, t.index, 0};
		for (uint32_t k = 0; k < *track_count; k++)
			asked |= track_equal(&tracks[k], &t);
		if (!asked)
			tracks[(*track_count)++] = t;
	}
}

/* A query about what the window has. */
static struct query *
ask_window(const struct timeline_pane *p, struct asked *asked, enum query_kind kind,
    struct track *rows, uint32_t count)
{
	struct query *q = query_ask(asked, kind);

	if (!p->axis.whole)
		q->window = (struct range){p->axis.from, p->axis.to};
	q->columns = (uint32_t)timeline_pane_cells(p);
	q->rows = rows;
	q->row_count = count;
	return q;
}

void
timeline_pane_ask(struct timeline_pane *p, struct asked *asked, uint32_t method, bool focused)
{
	const struct track *at = timeline_pane_track(p);
	size_t most = (size_t)timeline_pane_rows(p) + 1;
	uint32_t threads = 0, tracks = 0;
	bool highlight = p->highlight != METHOD_NONE;

	MEM_GROW(p->wanted, p->wanted_room, 2 * most);
	rows_wanted(p, p->wanted, &threads, p->wanted + most, &tracks);
	if (threads + tracks > 0 && timeline_pane_cells(p) > 0) {
		ask_window(p, asked, QUERY_TIMELINE, p->wanted, threads);
		if (tracks > 0)
			ask_window(p, asked, QUERY_TRACKS, p->wanted + most, tracks);
		if (highlight)
			ask_window(p, asked, QUERY_MARKS, p->wanted, threads)->method = p->highlight;
		else if (!focused && method != METHOD_NONE && method != METHOD_TOPLEVEL)
			ask_window(p, asked, QUERY_MARKS, NULL, 0)->method = method;
	}
	if (focused && at != NULL) {
		struct query *q = query_ask(asked, QUERY_POINT);

		q->point = *at;
		q->at = p->axis.cursor;
	}
}

void
timeline_pane_stop_calls(struct timeline_pane *p)
{
	p->stopped = (struct range){p->axis.from, p->axis.to};
}

void
timeline_pane_take_cells(struct timeline_pane *p, struct engine_timeline *cells)
{
	engine_timeline_free(p->cells);
	p->cells = cells;
}

void
timeline_pane_take_marks(struct timeline_pane *p, struct engine_marks *marks)
{
	engine_marks_free(p->marks);
	p->marks = marks;
}

void
timeline_pane_take_tracks(struct timeline_pane *p, struct engine_tracks *tracks)
{
	engine_tracks_free(p->tracks);
	p->tracks = tracks;
	/* The depth of calls is known only for threads that were asked about. */
	for (uint32_t i = 0; i < tracks->asked_count; i++) {
		const struct track *t = &tracks->asked[i];

		if (t->kind == TRACK_CALLS && t->index < p->fact_count) {
			p->facts[t->index].depth = 0;
			p->facts[t->index].depth_in = tracks->window;
		}
	}
	for (uint32_t i = 0; i < tracks->count; i++) {
		const struct track *t = &tracks->tracks[i];

		if (t->kind == TRACK_CALLS && t->index < p->fact_count &&
		    t->depth > p->facts[t->index].depth)
			p->facts[t->index].depth = t->depth;
	}
	timeline_rows_build(p);
}

/* The row of what the engine drew last; UINT32_MAX: it is not there. */
static uint32_t
drawn_at(const struct timeline_pane *p, const struct track *track, int cells)
{
	const struct engine_tracks *t = p->tracks;

	if (track == NULL || t == NULL || t->columns != (uint32_t)cells ||
	    t->window.from != p->axis.from || t->window.to != p->axis.to)
		return UINT32_MAX;
	for (uint32_t i = 0; i < t->count; i++) {
		struct track same = *track;

		if (track->kind == TRACK_STATE)
			same.depth = t->tracks[i].depth;
		if (track_equal(&t->tracks[i], &same))
			return i;
	}
	return UINT32_MAX;
}

const struct track_cell *
timeline_track_cells(
    const struct timeline_pane *p, const struct track *track, int cells)
{
	uint32_t at = drawn_at(p, track, cells);

	return at < UINT32_MAX ? p->tracks->cells + (size_t)at * p->tracks->columns : NULL;
}

bool
timeline_scale_text(char out[static SCALE_TEXT], const struct timeline_pane *p,
    const struct track *track)
{
	uint32_t at = drawn_at(p, track, timeline_pane_cells(p));
	const struct log_counter *c = seg_at(&p->trace->log->counters, track->index);
	const struct track_scale *s = p->tracks != NULL && at < p->tracks->scale_count
	    ? &p->tracks->scales[at] : &(struct track_scale){.known = false};
	struct value value = value_measure(s->from, -1, c->unit);
	struct str number;
	char room[FMT_SIZE];

	out[0] = '\0';
	if (!s->known || (s->from < s->to && !track_scale_begins(s)))
		return false;
	number = value_format(&(struct figures){.trace = p->trace}, value, FMT_SIZE, room);
	snprintf(out, SCALE_TEXT, "%s %.*s", s->from < s->to ? "from" : "=", STR_ARG(number));
	return true;
}

void
timeline_pane_take_point(struct timeline_pane *p, struct engine_point *point)
{
	p->has_point = true;
	mem_free(p->point.stack);
	p->point = *point;
	point->stack = NULL;
}

bool
timeline_pane_rows_known(const struct timeline_pane *p)
{
	size_t shown = (size_t)timeline_pane_rows(p);

	for (size_t i = p->top; i < p->row_count && i < p->top + shown; i++) {
		uint32_t thread = track_thread(&p->rows[i]);

		if (p->rows[i].kind == TRACK_ASYNC || !timeline_rows_has_calls(p, thread))
			continue;
		if (p->facts[thread].depth_in.from != p->axis.from ||
		    p->facts[thread].depth_in.to != p->axis.to)
			return false;
	}
	return true;
}

bool
timeline_pane_step_known(const struct timeline_pane *p)
{
	struct range span;

	return timeline_pane_point_known(p) &&
	    (timeline_pane_span(p, &span) ||
		timeline_track_cells(p, timeline_pane_track(p), timeline_pane_cells(p)) != NULL);
}

bool
timeline_pane_point_known(const struct timeline_pane *p)
{
	const struct track *at = timeline_pane_track(p);

	return p->has_point && at != NULL && track_equal(&p->point.row, at) &&
	    p->point.at == p->axis.cursor;
}

const struct call *
timeline_pane_call(const struct timeline_pane *p)
{
	const struct call *call = &p->point.call;

	return timeline_pane_point_known(p) && call->method != METHOD_NONE ? call : NULL;
}

const struct track_point *
timeline_pane_point(const struct timeline_pane *p)
{
	const struct track_point *point = &p->point.point;

	return timeline_pane_point_known(p) && p->point.row.kind >= TRACK_STATE && point->known
		   ? point
		   : NULL;
}

enum { TID, FROM, TO, BUSY, ASLEEP, THREAD, METHOD };

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct engine_timeline *t = s->model;
	const struct cell *c = &t->cells[at];
	uint32_t thread = t->threads[at / t->columns];
	struct names *names = s->figures->names;

	switch (column) {
	case TID:
		return value_count(trace_thread(s->figures->trace, thread)->id);
	case FROM:
	case TO:
		return value_time(axis_cell_start(t->window.from, t->window.to,
		    (int)(at % t->columns) + (column == TO), (int)t->columns));
	case BUSY:
		return value_percent(c->busy, CELL_FULL);
	case ASLEEP:
		return value_percent(c->asleep, CELL_FULL);
	case THREAD:
		return value_text(names_thread(names, thread));
	default:
		if (c->method == METHOD_NONE)
			return VALUE_NONE;
		return value_text(raw ? names_raw(names, c->method) : names_shown(names, c->method));
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
