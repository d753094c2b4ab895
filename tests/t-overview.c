/*
 * The overview filled thread by thread, by one worker and by several, is what comes of all
 * records one by one: spans, waypoints, and what is entered where.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/overview_fill.h"
#include "profile/presence.h"
#include "profile/timeline.h"
#include "profile/waypoint_lists.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 8 << 20, LOAD_STEP = 7 * BATCH_EVENTS };

/* How one is filled. */
struct way {
	unsigned jobs;
	size_t bytes;         /* of spans */
	uint64_t step;        /* records at a time */
	bool behind;          /* while the trace is loaded */
	uint64_t point_every; /* 0: waypoints as they are made */
	size_t point_bytes;
};

static const struct way ways[] = {
	{1, OVERVIEW_BYTES, UINT64_MAX, false, 0, 0},
	{3, OVERVIEW_BYTES, 16 * BATCH_EVENTS, false, 0, 0},
	{3, OVERVIEW_BYTES, 3 * BATCH_EVENTS, true, 1, 1 << 20},
	/* So little that buckets and blocks are joined again and again. */
	{2, 20000, 5 * BATCH_EVENTS, false, 0, 0},
	{2, 5000, BATCH_EVENTS, true, 1, 4000},
};

static bool
spans_equal(const struct lane_spans *a, const struct lane_spans *b)
{
	bool equal = a->count == b->count;

	for (size_t i = 0; equal && i < a->count; i++) {
		const struct span *x = &a->spans[i], *y = &b->spans[i];

		equal = x->start == y->start && x->count == y->count && x->method == y->method &&
		    x->blend.run == y->blend.run && x->blend.ran == y->blend.ran &&
		    x->blend.busy == y->blend.busy && x->blend.asleep == y->blend.asleep;
	}
	return equal;
}

static bool
buckets_equal(const struct overview *a, const struct overview *b)
{
	bool equal = a->width == b->width && a->bytes == b->bytes;

	for (uint32_t t = 0; t < a->lane_count || t < b->lane_count; t++) {
		const struct lane_spans *x = t < a->lane_count ? a->lanes[t] : NULL;
		const struct lane_spans *y = t < b->lane_count ? b->lanes[t] : NULL;

		equal &= x != NULL && y != NULL ? spans_equal(x, y) : x == y;
	}
	return equal;
}

static bool
point_lists_equal(const struct lane_points *a, const struct lane_points *b)
{
	bool equal = a->count == b->count && a->habit_count == b->habit_count;

	for (size_t i = 0; equal && i < a->count; i++) {
		const struct waypoint *x = &a->items[i], *y = &b->items[i];

		equal = x->block == y->block && x->node == y->node &&
		    memcmp(x->from, y->from, sizeof(x->from)) == 0 &&
		    memcmp(x->to, y->to, sizeof(x->to)) == 0;
	}
	for (size_t i = 0; equal && i < a->habit_count; i++) {
		const struct habit *x = &a->habits[i], *y = &b->habits[i];

		equal = x->first == y->first && x->inside == y->inside &&
		    memcmp(x->shift, y->shift, sizeof(x->shift)) == 0 &&
		    memcmp(x->wraps, y->wraps, sizeof(x->wraps)) == 0;
	}
	return equal;
}

static bool
points_equal(const struct waypoints *a, const struct waypoints *b)
{
	bool equal = a->lane_count == b->lane_count && a->every == b->every &&
	    a->block_count == b->block_count;

	for (size_t i = 0; equal && i < a->block_count; i++)
		equal = a->blocks[i].records == b->blocks[i].records &&
		    a->blocks[i].at.offset == b->blocks[i].at.offset;
	for (uint32_t t = 0; equal && t < a->lane_count; t++)
		equal = point_lists_equal(&a->lanes[t], &b->lanes[t]);
	return equal;
}

static bool
presences_equal(const struct presence *a, const struct presence *b, uint32_t methods)
{
	bool equal = presence_count(a) == presence_count(b);

	for (size_t i = 0; equal && i < presence_count(a); i++) {
		for (uint32_t m = 0; m < methods; m++) {
			struct stretch x = presence_of(a, i, m), y = presence_of(b, i, m);

			equal &= x.known == y.known && x.empty == y.empty && x.may == y.may &&
			    x.does == y.does && x.first == y.first && x.last == y.last;
		}
	}
	return equal;
}

/*
 * Where there is something between records a run may be in two stretches, and is entered in
 * the first of them.
 */
static bool
presences_near(const struct presence *slow, const struct presence *fast, uint32_t methods)
{
	bool near = presence_count(slow) == presence_count(fast);
	size_t count = presence_count(slow);

	for (size_t i = 0; near && i < count; i++) {
		for (uint32_t m = 0; m < methods; m++) {
			bool x = presence_of(slow, i, m).may, y = presence_of(fast, i, m).may;

			near &= presence_of(slow, i, m).known == presence_of(fast, i, m).known;
			near &= !x || y || (i > 0 && presence_of(fast, i - 1, m).may);
			near &= !y || x || (i + 1 < count && presence_of(slow, i + 1, m).may);
		}
	}
	return near;
}

/* Do marks that the overview helps with stand where they do without it? */
static bool
marks_equal(const struct profile *p, const struct overview *o)
{
	enum { COLUMNS = 50, METHODS = 12 };
	uint8_t with[COLUMNS], without[COLUMNS];
	uint32_t methods = trace_method_count(p->trace);
	bool equal = true;

	for (uint32_t i = 0; i < METHODS && p->end > p->begin; i++) {
		nsec span = (p->end - p->begin) >> (i % 4 * 2);
		nsec from = p->begin + (p->end - p->begin - span) / METHODS * i;
		uint32_t method = 1 + i * 37 % methods;

		timeline_marks(p, o, NULL, from, from + span, COLUMNS, method, with, NULL);
		timeline_marks(p, NULL, NULL, from, from + span, COLUMNS, method, without, NULL);
		equal &= memcmp(with, without, sizeof(with)) == 0;
	}
	return equal;
}

/* One that stands at the beginning. */
static struct overview *
begin(const struct profile *p, const struct way *way)
{
	struct overview *o = overview_new(p, way->bytes);

	(void)overview_steps(o, 0);
	if (way->point_every > 0) {
		waypoints_free(o->points);
		o->points = waypoints_new(p, way->point_every, way->point_bytes);
		replay_fills(o->replay, o->points);
	}
	return o;
}

static void
way_check(const uint8_t *bytes, size_t size, uint32_t limit, const struct way *way,
    const char *name)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, name, &e);
	struct overview *slow = NULL, *fast = NULL;
	struct profile *p;
	enum load_state state;
	bool between;

	if (!ok(t != NULL, "%s: opens (%s)", name, e.what))
		return;
	p = profile_new(t);
	p->tree.limit = limit;
	p->jobs = way->jobs;
	do {
		state = profile_load(p, way->behind ? LOAD_STEP : UINT64_MAX, &e);
		if (slow == NULL) {
			slow = begin(p, way);
			fast = begin(p, way);
		}
		(void)overview_steps(slow, way->step);
		(void)overview_advance(fast, way->step);
	} while (state == LOAD_MORE);
	while (overview_steps(slow, way->step)) {
	}
	while (overview_advance(fast, way->step)) {
	}
	(void)overview_advance(slow, way->step); /* what is open is closed */
	/* When they are joined depends on the steps, which are others there. */
	between = t->source->ops->between != NULL;
	ok((between && way->bytes < OVERVIEW_BYTES) || buckets_equal(slow, fast), "%s: buckets", name);
	ok((between && way->point_bytes == 4000) || points_equal(slow->points, fast->points),
	    "%s: waypoints", name);
	ok(overview_waypoints(fast) == fast->points, "%s: waypoints are ready", name);
	ok((between ? presences_near : presences_equal)(
	       slow->presence, fast->presence, trace_method_count(t)),
	    "%s: entered", name);
	ok(marks_equal(p, fast), "%s: marks", name);
	overview_free(slow);
	overview_free(fast);
	profile_free(p);
	trace_free(t);
}

static void
trace_check(const uint8_t *bytes, size_t size, uint32_t limit, const char *name)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		way_check(bytes, size, limit, &ways[i], name);
}

static void
generated_check(const char *options, uint32_t limit)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (ok(bytes != NULL, "%s: made", options))
		trace_check(bytes, size, limit, options);
	free(bytes);
}

static void
random_check(uint64_t seed, int harm, uint32_t wall)
{
	uint8_t *bytes;
	size_t size;

	random_trace_make(seed, harm);
	for (int i = 0; i < RANDOM_RECORDS; i++)
		random_records[i].wall += wall;
	bytes = random_trace_bytes(&size);
	trace_check(bytes, size, TREE_LIMIT, wall > 0 ? "random, wrapping" : "random");
	free(bytes);
}

int
main(void)
{
#define HARM " --entered=3 --open --recursion=900 --unroll=300 --lost=30 --stray=20 "
	random_check(1, 0, 0);
	random_check(2, 2, 0);
	random_check(3, 2, UINT32_MAX - 100000);
	generated_check("--records=30k --threads=9" HARM, TREE_LIMIT);
	/* Calls that go to (other). */
	generated_check("--records=20k --threads=5 --depth=30" HARM, 60);
	generated_check("--records=20k --backward=40 --unknown-methods=500 --unknown-threads=3000"
	    HARM, TREE_LIMIT);
	generated_check("--records=20k --trailing=5 --data-version=1 --clock=wall" HARM, TREE_LIMIT);
	generated_check("--records=20k --data-version=2 --clock=thread-cpu --reserved=20" HARM,
	    TREE_LIMIT);
	/* Names between the records. */
	generated_check("--records=10k --format=streaming" HARM, TREE_LIMIT);
	generated_check("--records=20k --threads=9 --format=streaming --clock=wall", TREE_LIMIT);
	/* One by one in any case. */
	generated_check("--records=10k --format=v2a", TREE_LIMIT);
	return tap_done();
}
