/* timeline_pane-engine: what the timeline asks of the engine, and takes from it. */
#include <config.h>

#include "base/mem.h"
#include "view/timeline_rows.h"

/* The rows on the screen: threads, and all else, of which calls are asked for once. */
static void
rows_wanted(struct timeline_pane *p, uint32_t *thread_count, uint32_t *track_count)
{
	size_t shown = (size_t)timeline_pane_rows(p);
	uint32_t threads = 0, tracks = 0;
	bool calls = !p->stopped || p->stopped_in.from != p->axis.from ||
	    p->stopped_in.to != p->axis.to;

	p->stopped = !calls;
	MEM_GROW(p->wanted_threads, p->wanted_thread_room, shown + 1);
	MEM_GROW(p->wanted, p->wanted_room, shown + 1);
	for (size_t i = 0; i < shown && p->top + i < p->row_count; i++) {
		struct track t = p->rows[p->top + i];
		bool below = t.kind == TRACK_THREAD && timeline_rows_has_calls(p, t.index);

		if (t.kind == TRACK_THREAD)
			p->wanted_threads[threads++] = t;
		if (!calls && (t.kind == TRACK_CALLS || t.kind == TRACK_ASYNC))
			continue;
		if (t.kind == TRACK_CALLS || (below && calls)) {
			t = (struct track){TRACK_CALLS, t.index, 0};
			below = tracks == 0 || !track_equal(&p->wanted[tracks - 1], &t);
			for (uint32_t k = 0; k < tracks; k++)
				below &= !track_equal(&p->wanted[k], &t);
			if (below)
				p->wanted[tracks++] = t;
		} else if (t.kind != TRACK_THREAD) {
			p->wanted[tracks++] = t;
		}
	}
	*thread_count = threads;
	*track_count = tracks;
}

/* A query about what the window has. */
static struct query *
ask_window(const struct timeline_pane *p, struct asked *asked, enum query_kind kind)
{
	struct query *q = query_ask(asked, kind);

	if (!p->axis.whole)
		q->window = (struct range){p->axis.from, p->axis.to};
	q->columns = (uint32_t)timeline_pane_cells(p);
	return q;
}

static void
ask_rows(const struct timeline_pane *p, struct asked *asked, enum query_kind kind,
    struct track *rows, uint32_t count)
{
	struct query *q = ask_window(p, asked, kind);

	q->rows = rows;
	q->row_count = count;
}

void
timeline_pane_ask(struct timeline_pane *p, struct asked *asked, uint32_t method, bool focused)
{
	const struct track *at = timeline_pane_track(p);
	uint32_t threads, tracks;

	rows_wanted(p, &threads, &tracks);
	if (threads + tracks > 0 && timeline_pane_cells(p) > 0) {
		ask_rows(p, asked, QUERY_TIMELINE, p->wanted_threads, threads);
		if (tracks > 0)
			ask_rows(p, asked, QUERY_TRACKS, p->wanted, tracks);
		if (!focused && method != METHOD_NONE && method != METHOD_TOPLEVEL)
			ask_window(p, asked, QUERY_MARKS)->method = method;
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
	p->stopped = true;
	p->stopped_in = (struct range){p->axis.from, p->axis.to};
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
	/* How deep calls are is known for those that were asked about only. */
	for (uint32_t i = 0; i < tracks->asked_count; i++) {
		const struct track *t = &tracks->asked[i];

		if (t->kind == TRACK_CALLS && t->index < p->fact_count) {
			p->facts[t->index].depth = 0;
			p->facts[t->index].depth_in = (struct range){tracks->from, tracks->to};
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

void
timeline_pane_take_point(struct timeline_pane *p, const struct track *track, nsec at,
    const struct call *call, const struct track_point *point)
{
	p->has_point = true;
	p->point_track = *track;
	p->point_at = at;
	p->call = *call;
	p->point = *point;
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

	return p->has_point && at != NULL && track_equal(&p->point_track, at) &&
	    p->point_at == p->axis.cursor;
}

const struct call *
timeline_pane_call(const struct timeline_pane *p)
{
	return timeline_pane_point_known(p) && p->call.method != METHOD_NONE ? &p->call : NULL;
}

const struct track_point *
timeline_pane_point(const struct timeline_pane *p)
{
	return timeline_pane_point_known(p) && p->point_track.kind >= TRACK_STATE &&
		p->point.known
	    ? &p->point
	    : NULL;
}
