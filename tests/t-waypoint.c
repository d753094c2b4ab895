/*
 * Waypoints: what a window shows is what decoding all of its parts gives, thread by thread
 * and to the nanosecond, however fine the blocks are and whenever they were filled.
 */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/replay.h"
#include "profile/waypoint.h"
#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 4 << 20, WINDOWS = 24, STEP = 3000 };

/* What a visit tells of a window. */
struct story {
	const struct profile *profile;
	nsec from, to;
	uint64_t *sums; /* by thread: of its steps, in their order */
	uint64_t steps; /* all that were visited */
	nsec *last;     /* by thread */
	bool ordered;
};

static uint64_t
mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static bool
story_step(void *context, const struct step *step)
{
	struct story *s = context;
	enum clock_id axis = s->profile->axis;
	nsec from = step->from[axis], to = step->to[axis];
	uint64_t *sum = &s->sums[step->thread];

	s->steps++;
	if (step->first || from == to || to <= s->from || from >= s->to)
		return true;
	s->ordered &= from >= s->last[step->thread];
	s->last[step->thread] = to;
	*sum = mix(mix(*sum, step->before), (uint64_t)from);
	*sum = mix(mix(*sum, (uint64_t)to), (uint64_t)(step->to[CLOCK_CPU] - step->from[CLOCK_CPU]));
	return true;
}

static struct story
story_new(const struct profile *p, nsec from, nsec to)
{
	struct story s = {.profile = p, .from = from, .to = to, .ordered = true};

	s.sums = mem_zero(p->lane_count, sizeof(*s.sums));
	s.last = mem_zero(p->lane_count, sizeof(*s.last));
	for (uint32_t t = 0; t < p->lane_count; t++)
		s.last[t] = INT64_MIN;
	return s;
}

static void
story_release(struct story *s)
{
	mem_free(s->sums);
	mem_free(s->last);
}

static struct scope *
scope_random(uint32_t count)
{
	struct scope *scope = scope_new(count, false);

	for (uint32_t i = 0; i < count; i++)
		scope->in[i] = random_below(2) == 0;
	return scope;
}

/* Is a window told as by decoding its parts? */
static bool
window_same(const struct profile *p, const struct waypoints *w, nsec from, nsec to)
{
	struct story wanted = story_new(p, from, to), got = story_new(p, from, to);
	struct scope *scope = random_below(3) > 0 ? NULL : scope_random(p->lane_count);
	bool same = replay_window(p, scope, from, to, story_step, &wanted, NULL) &&
	    waypoints_visit(w, scope, from, to, story_step, &got, NULL) && got.ordered;

	for (uint32_t t = 0; t < p->lane_count; t++)
		same &= got.sums[t] == wanted.sums[t];
	same &= got.steps <= waypoints_cost(w, from, to, UINT64_MAX) + p->lane_count;
	story_release(&wanted);
	story_release(&got);
	scope_free(scope);
	return same;
}

static void
windows_check(const struct profile *p, const struct waypoints *w, const char *name)
{
	nsec span = p->end - p->begin;
	int wrong = 0;

	for (int i = 0; i < WINDOWS; i++) {
		nsec width = span >> (i % 12);
		uint64_t place = (uint64_t)random_below(1u << 20);
		nsec from = p->begin - 10 + (nsec)((double)(span - width + 20) * (double)place / (1 << 20));

		/* Also narrower than what happens at once, and beyond the ends. */
		if (i % 6 == 5)
			width = 1 + (nsec)random_below(3000);
		wrong += !window_same(p, w, from, from + width);
	}
	wrong += !window_same(p, w, p->begin, p->end);
	wrong += !window_same(p, w, p->end, p->end + 1000);
	is_int(wrong, 0, "%s: windows", name);
}

static bool
count_step(void *context, const struct step *step)
{
	(void)step;
	++*(uint64_t *)context;
	return true;
}

static bool
stop_step(void *context, const struct step *step)
{
	(void)step;
	return --*(int *)context > 0;
}

static void
stops_check(const struct profile *p, const struct waypoints *w)
{
	atomic_bool cancel = true;
	uint64_t steps = 0;
	int left = 5;

	ok(!waypoints_visit(w, NULL, p->begin, p->end, stop_step, &left, NULL) && left == 0,
	    "the visitor stops it");
	ok(!waypoints_visit(w, NULL, p->begin, p->end, count_step, &steps, &cancel) && steps == 0,
	    "cancelled");
}

static void
trace_check(const uint8_t *bytes, size_t size, uint64_t every, size_t most, bool behind,
    const char *name)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, name, &e);
	struct waypoints *w;
	struct profile *p;
	struct replay *r;
	struct story told;

	if (!ok(t != NULL, "%s: opens (%s)", name, e.what))
		return;
	p = profile_new(t);
	w = waypoints_new(p, every, most);
	r = replay_new(p, NULL, NULL);
	replay_fills(r, w);
	while (profile_load(p, 2 * STEP, &e) == LOAD_MORE) {
		told = story_new(p, 0, 0);
		if (behind)
			(void)replay_follow(r, STEP, story_step, &told);
		story_release(&told);
	}
	told = story_new(p, 0, 0);
	while (replay_follow(r, STEP, story_step, &told)) {
	}
	story_release(&told);
	windows_check(p, w, name);
	stops_check(p, w);
	replay_free(r);
	waypoints_free(w);
	profile_free(p);
	trace_free(t);
}

static void
generated_check(const char *options)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (!ok(bytes != NULL, "%s: made", options))
		return;
	trace_check(bytes, size, 1, 1 << 20, true, options);
	trace_check(bytes, size, 2048, 1 << 20, false, options);
	/* So little that blocks are joined again and again. */
	trace_check(bytes, size, 1, 3000, true, options);
	free(bytes);
}

static void
random_check(uint64_t seed)
{
	uint8_t *bytes;
	size_t size;

	random_trace_make(seed, 2);
	bytes = random_trace_bytes(&size);
	trace_check(bytes, size, 1, 1 << 20, true, "random");
	trace_check(bytes, size, 1, 5000, false, "random, joined");
	free(bytes);
}

int
main(void)
{
	generated_check("--threads=9 --records=40k --seed=3");
	generated_check("--threads=20 --records=30k --seed=4 --data-version=1 --clock=wall");
	generated_check("--threads=5 --records=30k --seed=5 --clock=thread-cpu");
	generated_check("--threads=9 --records=30k --seed=6 --format=streaming");
	generated_check("--threads=9 --records=30k --seed=7 --format=v2a");
	for (uint64_t seed = 1; seed <= 4; seed++)
		random_check(seed);
	return tap_done();
}
