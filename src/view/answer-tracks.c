/* Rows of the timeline beside the threads' own: begun, interrupted, gone on with. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "view/answer.h"

bool
wish_same_tracks(const struct wish *a, const struct wish *b)
{
	if (!wish_same_window(a, b) || a->track_count != b->track_count)
		return false;
	for (uint32_t i = 0; i < a->track_count; i++) {
		if (!track_equal(&a->tracks[i], &b->tracks[i]))
			return false;
	}
	return true;
}

void
answer_tracks_stop(struct answerer *a)
{
	chart_free(a->chart);
	engine_tracks_free(a->tracks);
	a->chart = NULL;
	a->tracks = NULL;
}

static bool
begun(const struct answerer *a, const struct wish *wish, const struct range *window)
{
	const struct engine_tracks *t = a->tracks;

	if (t == NULL || a->tracks_records != a->profile->records || t->from != window->from ||
	    t->to != window->to || t->columns != wish->columns ||
	    t->asked_count != wish->track_count)
		return false;
	for (uint32_t i = 0; i < t->asked_count; i++) {
		if (!track_equal(&t->asked[i], &wish->tracks[i]))
			return false;
	}
	return true;
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
tracks_begin(struct answerer *a, const struct wish *wish, const struct range *window)
{
	struct engine_tracks *t = mem_zero(1, sizeof(*t));
	uint32_t *threads = mem_alloc((wish->track_count + 1) * sizeof(*threads)), count = 0;

	answer_tracks_stop(a);
	t->from = window->from;
	t->to = window->to;
	t->columns = wish->columns;
	t->asked_count = wish->track_count;
	t->asked = mem_alloc((wish->track_count + 1) * sizeof(*t->asked));
	for (uint32_t i = 0; i < wish->track_count; i++) {
		t->asked[i] = wish->tracks[i];
		if (has_calls(&wish->tracks[i]))
			threads[count++] = wish->tracks[i].index;
		else
			(void)row_add(t, wish->tracks[i]);
	}
	if (count > 0)
		a->chart = chart_new(a->profile, t->from, t->to, t->columns, threads, count);
	mem_free(threads);
	a->tracks = t;
	a->tracks_records = a->profile->records;
	atomic_store(&a->tracks_done, 0);
}

/* Calls of all depths behind the other rows. */
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

bool
answer_tracks(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	struct range window = wish_window(wish, a->profile);
	struct engine_tracks *t;

	if (wish->track_count == 0 || wish->columns == 0 || window.from >= window.to)
		return true;
	if (!begun(a, wish, &window)) {
		tracks_begin(a, wish, &window);
		t = a->tracks;
		if (!tracks_draw(a->profile, t->from, t->to, t->columns, t->tracks, t->count,
			t->cells, cancel)) {
			answer_tracks_stop(a);
			return false;
		}
	}
	t = a->tracks;
	if (a->chart != NULL) {
		if (!chart_advance(a->chart, cancel, &a->tracks_done))
			return false;
		chart_take(t, a->chart);
	}
	a->tracks = NULL;
	answer_tracks_stop(a);
	news->tracks = t;
	return true;
}

void
engine_tracks_free(struct engine_tracks *t)
{
	if (t == NULL)
		return;
	mem_free(t->asked);
	mem_free(t->tracks);
	mem_free(t->cells);
	mem_free(t);
}
