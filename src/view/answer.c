#include <config.h>

#include "view/answer.h"

#include <string.h>

#include "base/mem.h"
#include "profile/replay.h"

void
wish_release(struct wish *w)
{
	scope_free(w->scope);
	transforms_release(&w->transforms);
	mem_free(w->threads);
	mem_free(w->tracks);
}

/* Takes copies of what a shallow one points to. */
static struct wish
wish_own(struct wish w, const struct scope *scope, const uint32_t *threads,
    const struct transforms *transforms, const struct track *tracks)
{
	w.scope = scope_copy(scope);
	w.transforms = (struct transforms){0};
	if (transforms != NULL)
		transforms_copy(&w.transforms, transforms);
	w.threads = mem_alloc(w.rows * sizeof(*w.threads));
	if (w.rows > 0)
		memcpy(w.threads, threads, w.rows * sizeof(*w.threads));
	w.tracks = mem_alloc(w.track_count * sizeof(*w.tracks));
	if (w.track_count > 0)
		memcpy(w.tracks, tracks, w.track_count * sizeof(*w.tracks));
	return w;
}

struct wish
wish_make(const struct engine_want *want)
{
	struct wish w = {
		.range = want->range.from < want->range.to ? want->range : RANGE_ALL,
		.trees = want->trees,
		.usage = want->usage != NULL,
		.usage_ask = want->usage != NULL ? *want->usage : USAGE_ASK_NONE,
		.from = want->from,
		.to = want->to,
		.columns = want->columns,
		.rows = want->rows,
		.marks_method = want->marks_method,
		.track_count = want->track_count,
		.call_wanted = want->call_wanted,
		.point = want->point,
		.call_at = want->call_at,
		.call_method = want->call_method,
		.calls_method = want->calls_method,
		.calls_clock = want->calls_clock,
		.calls_budget = want->calls_budget,
		.near_serial = want->near_serial,
		.near_method = want->near_method,
		.near_direction = want->near_direction,
		.near_from = want->near_from,
	};

	return wish_own(w, want->scope, want->threads, want->transforms, want->tracks);
}

struct wish
wish_copy(const struct wish *w)
{
	return wish_own(*w, w->scope, w->threads, &w->transforms, w->tracks);
}

bool
wish_same_window(const struct wish *a, const struct wish *b)
{
	return a->from == b->from && a->to == b->to && a->columns == b->columns;
}

bool
wish_same_rows(const struct wish *a, const struct wish *b)
{
	return a->rows == b->rows &&
	    (a->rows == 0 || memcmp(a->threads, b->threads, a->rows * sizeof(*a->threads)) == 0);
}

struct range
wish_window(const struct wish *w, const struct profile *p)
{
	if (w->from < w->to)
		return (struct range){w->from, w->to};
	return (struct range){p->begin, p->end};
}

/* What was summed as recorded stays. */
static void
transformed_forget(struct answerer *a)
{
	transforms_release(&a->transforms);
	transformed_free(a->transformed);
	a->transformed = NULL;
}

static void
recorded_forget(struct answerer *a)
{
	transformed_forget(a);
	fold_free(a->recorded);
	scope_free(a->scope);
	a->recorded = NULL;
	a->scope = NULL;
}

static void
counts_forget(struct answerer *a)
{
	if (a->known)
		range_release(&a->sums);
	a->known = false;
}

void
answerer_release(struct answerer *a)
{
	counts_forget(a);
	answer_calls_stop(a);
	answer_tracks_stop(a);
	recorded_forget(a);
}

bool
answer_counts(struct answerer *a, const struct wish *wish, const struct range_sums **sums,
    const atomic_bool *cancel)
{
	*sums = NULL;
	if (range_is_all(&wish->range))
		return true;
	if (!a->known || a->records != a->profile->records ||
	    a->range.from != wish->range.from || a->range.to != wish->range.to) {
		counts_forget(a);
		if (!range_count(a->profile, NULL, &wish->range, 0, &a->sums, &a->done, cancel))
			return false;
		a->known = true;
		a->range = wish->range;
		a->records = a->profile->records;
	}
	*sums = &a->sums;
	return true;
}

static bool
same_selection(const struct answerer *a, const struct wish *w)
{
	return a->transformed_records == a->profile->records &&
	    a->transformed_range.from == w->range.from &&
	    a->transformed_range.to == w->range.to && scope_equal(a->scope, w->scope);
}

bool
answer_transformed(struct answerer *a, const struct wish *wish, const struct range_sums *sums,
    const struct transformed **x, const atomic_bool *cancel)
{
	*x = NULL;
	if (!transforms_active(&wish->transforms))
		return true;
	if (!same_selection(a, wish)) {
		recorded_forget(a);
		a->scope = scope_copy(wish->scope);
		a->transformed_range = wish->range;
		a->transformed_records = a->profile->records;
	}
	if (a->transformed == NULL || !transforms_equal(&a->transforms, &wish->transforms)) {
		transformed_forget(a);
		a->transformed = transform_profile(
		    &wish->transforms, a->profile, wish->scope, sums, cancel);
		if (a->transformed == NULL)
			return false;
		transforms_copy(&a->transforms, &wish->transforms);
	}
	*x = a->transformed;
	return true;
}

static bool
find_timeline(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	const struct profile *p = a->profile;
	struct engine_timeline *view = mem_zero(1, sizeof(*view));
	struct range window = wish_window(wish, p);

	view->from = window.from;
	view->to = window.to;
	view->columns = wish->columns;
	view->rows = wish->rows;
	view->threads = mem_alloc(view->rows * sizeof(*view->threads));
	if (view->rows > 0)
		memcpy(view->threads, wish->threads, view->rows * sizeof(*view->threads));
	view->cells = mem_alloc((size_t)view->columns * view->rows * sizeof(*view->cells));
	if (!timeline_draw(p, a->overview, view->from, view->to, view->columns, view->threads,
		view->rows, view->cells, cancel)) {
		engine_timeline_free(view);
		return false;
	}
	news->timeline = view;
	return true;
}

static bool
find_fold(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	struct fold_query q = {.scope = wish->scope, .range = &wish->range};

	/* Of a range that is known nothing is counted. */
	atomic_store(&a->done, 0);
	if (!answer_counts(a, wish, &q.sums, cancel) ||
	    !answer_transformed(a, wish, q.sums, &q.of, cancel))
		return false;
	if (q.of != NULL) {
		/* Kept: the next want may be for other transforms of the same. */
		if (a->recorded == NULL)
			a->recorded = fold_make(a->profile,
			    &(struct fold_query){.scope = q.scope, .range = q.range, .sums = q.sums},
			    cancel);
		if (a->recorded == NULL)
			return false;
		q.recorded = a->recorded;
	}
	q.relations = true;
	news->fold = fold_make(a->profile, &q, cancel);
	if (news->fold != NULL && q.of != NULL)
		news->transform_err = q.of->err;
	return news->fold != NULL;
}

static bool
find_usage(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	if (!wish->usage || a->profile->trace->log == NULL)
		return true;
	news->usage = usage_new(a->profile, wish->scope, &wish->range, &wish->usage_ask, cancel);
	return news->usage != NULL;
}

static bool
find_paths(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	bool together = wish->trees == TREES_TOGETHER;
	const struct range_sums *sums;
	const struct transformed *of;
	struct engine_paths *made;
	struct paths *paths;

	if (wish->trees == TREES_NONE)
		return true;
	if (!answer_counts(a, wish, &sums, cancel) ||
	    !answer_transformed(a, wish, sums, &of, cancel))
		return false;
	paths = paths_counted(a->profile, wish->scope, sums, of, together, cancel);
	if (paths == NULL)
		return false;
	made = mem_zero(1, sizeof(*made));
	made->paths = paths;
	made->callers = callers_new(paths, METHOD_NONE);
	made->range = wish->range;
	made->together = together;
	news->paths = made;
	return true;
}

enum { PARTS_FEW = 2 }; /* that may be decoded for marks at any time */

/*
 * Are marks of the window cheap only with an overview, which is still to take something in?
 * The rest comes with that: to decode it meanwhile would keep both keys and loading waiting.
 */
static bool
marks_wait(const struct answerer *a, const struct range *window)
{
	return timeline_wants_overview(a->profile) &&
	    (a->overview == NULL || overview_waypoints(a->overview) == NULL) &&
	    replay_window_parts(a->profile, window->from, window->to, PARTS_FEW + 1) > PARTS_FEW;
}

static bool
find_marks(struct answerer *a, const struct wish *wish, struct engine_news *news,
    const atomic_bool *cancel)
{
	const struct profile *p = a->profile;
	struct range window = wish_window(wish, p);
	struct engine_marks *m;

	if (wish->marks_method == METHOD_NONE || wish->columns == 0)
		return true;
	m = mem_zero(1, sizeof(*m));
	m->from = window.from;
	m->to = window.to;
	m->columns = wish->columns;
	m->method = wish->marks_method;
	m->marks = mem_alloc(m->columns);
	if (marks_wait(a, &window)) {
		timeline_marks_known(
		    p, a->overview, wish->scope, m->from, m->to, m->columns, m->method, m->marks);
	} else if (!timeline_marks(p, a->overview, wish->scope, m->from, m->to, m->columns,
		       m->method, m->marks, cancel)) {
		engine_marks_free(m);
		return false;
	}
	news->marks = m;
	return true;
}

bool
answer_find(enum job job, struct answerer *a, const struct wish *wish,
    struct engine_news *news, const atomic_bool *cancel)
{
	static bool (*const find[JOBS])(struct answerer *, const struct wish *,
	    struct engine_news *, const atomic_bool *) = {
		[JOB_TIMELINE] = find_timeline,
		[JOB_FOLD] = find_fold,
		[JOB_USAGE] = find_usage,
		[JOB_PATHS] = find_paths,
		[JOB_MARKS] = find_marks,
		[JOB_CALL] = answer_point,
		[JOB_TRACKS] = answer_tracks,
		[JOB_NEAR] = answer_next_call,
		[JOB_CALLS] = answer_calls,
	};

	return find[job](a, wish, news, cancel);
}

void
engine_paths_free(struct engine_paths *p)
{
	if (p == NULL)
		return;
	callers_free(p->callers);
	paths_free(p->paths);
	mem_free(p);
}

void
engine_timeline_free(struct engine_timeline *view)
{
	if (view == NULL)
		return;
	mem_free(view->threads);
	mem_free(view->cells);
	mem_free(view);
}

void
engine_marks_free(struct engine_marks *m)
{
	if (m == NULL)
		return;
	mem_free(m->marks);
	mem_free(m);
}
