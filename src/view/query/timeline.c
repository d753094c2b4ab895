// SPDX-License-Identifier: Apache-2.0
/* Cells of the timeline: threads, marks of a method, other rows. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "view/query/answering.h"

/* The timeline's window, "whole trace" resolved. */
static struct range
query_window(const struct query *q, const struct profile *p)
{
	if (q->window.from < q->window.to)
		return q->window;
	return (struct range){p->begin, p->end};
}

bool
answer_timeline(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	const struct profile *p = a->profile;
	struct engine_timeline *view = mem_zero(1, sizeof(*view));

	view->window = query_window(q, p);
	view->columns = q->columns;
	view->rows = q->row_count;
	view->threads = mem_alloc(view->rows * sizeof(*view->threads));
	for (uint32_t i = 0; i < view->rows; i++)
		view->threads[i] = q->rows[i].index;
	view->cells = mem_alloc((size_t)view->columns * view->rows * sizeof(*view->cells));
	if (!timeline_draw(p, a->overview, view->window.from, view->window.to, view->columns,
		view->threads, view->rows, view->cells, cancel)) {
		engine_timeline_free(view);
		return false;
	}
	answer->value = view;
	return true;
}

enum { RECORDS_FEW = 1 << 18 }; /* that may be decoded for marks at any time */

bool
answer_marks(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	const struct profile *p = a->profile;
	struct range window = query_window(q, p);
	/*
	 * Marks of the window may be cheap only with the method index, which is still to be filled.
	 * The rest comes with that: decoding it meanwhile would keep keys and loading waiting.
	 */
	bool rest = !timeline_wants_overview(p) ||
	    (a->overview != NULL && overview_whole(a->overview)) ||
	    blocks_cost(p->blocks, window.from, window.to, RECORDS_FEW) < RECORDS_FEW;
	bool whole;
	struct engine_marks *m =
	    mem_zero(1, sizeof(*m) + ((size_t)q->row_count + 1) * q->columns);

	m->columns = q->columns;
	m->rows = q->row_count;
	m->threads = mem_alloc((m->rows + 1) * sizeof(*m->threads));
	m->window = window;
	m->method = q->method;
	for (uint32_t i = 0; i < q->row_count; i++)
		m->threads[i] = q->rows[i].index;
	whole = timeline_marks(p, q->of.scope, window.from, window.to, m->columns, m->method, rest,
	    m->marks, cancel);
	if (whole && m->rows > 0)
		whole = timeline_marks_rows(p, m->threads, m->rows, window.from, window.to,
		    m->columns, m->method, rest, m->marks + m->columns, cancel);
	answer->value = whole ? m : NULL;
	if (!whole)
		engine_marks_free(m);
	return whole;
}

void
answering_tracks_stop(struct answering *a)
{
	chart_free(a->chart);
	engine_tracks_free(a->tracks);
	query_release(&a->drawn);
	a->chart = NULL;
	a->tracks = NULL;
}

static bool
has_calls(const struct track *t)
{
	return t->kind == TRACK_CALLS || t->kind == TRACK_ASYNC;
}

/* A row at the end; its cells are the caller's to fill. */
static struct track_cell *
row_add(struct engine_tracks *t, struct track track)
{
	size_t room = t->room;

	MEM_GROW(t->tracks, room, (size_t)t->count + 1);
	if (room != t->room)
		t->cells = mem_resize(t->cells, room * t->columns, sizeof(*t->cells));
	t->room = (uint32_t)room;
	t->tracks[t->count] = track;
	return t->cells + (size_t)t->count++ * t->columns;
}

static void
tracks_begin(struct answering *a, const struct query *q)
{
	struct engine_tracks *t = mem_zero(1, sizeof(*t));
	uint32_t *threads = mem_alloc((q->row_count + 1) * sizeof(*threads)), count = 0;

	answering_tracks_stop(a);
	t->window = query_window(q, a->profile);
	t->columns = q->columns;
	t->asked_count = q->row_count;
	t->asked = mem_alloc((q->row_count + 1) * sizeof(*t->asked));
	for (uint32_t i = 0; i < q->row_count; i++) {
		t->asked[i] = q->rows[i];
		if (has_calls(&q->rows[i]))
			threads[count++] = q->rows[i].index;
		else
			(void)row_add(t, q->rows[i]);
	}
	t->scales = mem_zero((size_t)t->count + 1, sizeof(*t->scales));
	t->scale_count = t->count;
	if (count > 0)
		a->chart = chart_new(a->profile, t->window.from, t->window.to, t->columns,
		    threads, count);
	mem_free(threads);
	a->tracks = t;
	a->drawn = query_copy(q);
	atomic_store(&a->tracks_done, 0);
}

/* Calls of all depths, after the other rows. */
static void
chart_take(struct engine_tracks *t, const struct chart *chart)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < t->asked_count; i++) {
		const struct track *asked = &t->asked[i];
		uint32_t depths;

		if (!has_calls(asked))
			continue;
		depths = chart_depth(chart, at);
		if (asked->kind == TRACK_ASYNC && depths > 1)
			depths = 1;
		for (uint32_t d = 1; d <= depths; d++) {
			struct track track = *asked;

			track.depth = asked->kind == TRACK_CALLS ? d : 0;
			memcpy(row_add(t, track), chart_cells(chart, at, d),
			    t->columns * sizeof(*t->cells));
		}
		at++;
	}
}

/* An unfinished chart is kept, and continued when the same is asked again. */
bool
answer_tracks(struct answering *a, const struct query *q, struct answer *answer,
    const atomic_bool *cancel)
{
	struct range window = query_window(q, a->profile);
	struct engine_tracks *t = a->tracks;

	if (window.from >= window.to)
		return true;
	if (t == NULL || !query_equal(&a->drawn, q)) {
		tracks_begin(a, q);
		t = a->tracks;
		if (!tracks_draw(a->profile, window.from, window.to, t->columns, t->tracks,
			t->count, t->cells, t->scales, cancel)) {
			answering_tracks_stop(a);
			return false;
		}
	}
	if (a->chart != NULL) {
		if (!chart_advance(a->chart, cancel, &a->tracks_done))
			return false;
		chart_take(t, a->chart);
	}
	a->tracks = NULL;
	answering_tracks_stop(a);
	answer->value = t;
	return true;
}

void
engine_tracks_free(void *value)
{
	struct engine_tracks *t = value;

	if (t == NULL)
		return;
	mem_free(t->asked);
	mem_free(t->tracks);
	mem_free(t->cells);
	mem_free(t->scales);
	mem_free(t);
}

void
engine_marks_free(void *value)
{
	struct engine_marks *m = value;

	if (m == NULL)
		return;
	mem_free(m->threads);
	mem_free(m);
}

void
engine_timeline_free(void *value)
{
	struct engine_timeline *view = value;

	if (view == NULL)
		return;
	mem_free(view->threads);
	mem_free(view->cells);
	mem_free(view);
}
