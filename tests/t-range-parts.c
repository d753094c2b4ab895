/*
 * range-parts: whichever parts of a trace are counted for a range, and by however many
 * workers, each path has what its single calls and steps have within the range.
 */
#include <config.h>

#include "format/format.h"
#include "profile/index/replay.h"
#include "profile/sum/range.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 4 << 20, WINDOWS = 24, PART_RECORDS = 512 };

struct one_call {
	uint32_t node;
	nsec enter, leave;
};

/* All of a trace, call by call and step by step. */
struct told {
	const struct profile *p;
	struct step *steps;
	size_t step_count;
	struct one_call *calls;
	size_t call_count;
	uint32_t (*open)[RANDOM_RECORDS]; /* by thread: calls */
	uint32_t *depth;
	uint32_t *thread_of; /* by node */
};

static void
call_begin(struct told *told, uint32_t thread, uint32_t node, nsec at)
{
	told->open[thread][told->depth[thread]++] = (uint32_t)told->call_count;
	told->calls[told->call_count++] = (struct one_call){node, at, INT64_MAX};
}

static void
call_end(struct told *told, uint32_t thread, nsec at)
{
	told->calls[told->open[thread][--told->depth[thread]]].leave = at;
}

/* Frames from before the trace, the outermost first. */
static void
adopted_begin(struct told *told, const struct step *s)
{
	const struct node *nodes = told->p->tree.nodes;
	uint32_t stack[64], depth = 0;

	for (uint32_t n = s->before; node_parent(&nodes[n]) != NODE_NONE && depth < 64; n = node_parent(&nodes[n]))
		stack[depth++] = n;
	while (depth > 0)
		call_begin(told, s->thread, stack[--depth], s->to[told->p->axis]);
}

static bool
step_told(void *context, const struct step *s)
{
	struct told *told = context;
	nsec at = s->to[told->p->axis];
	int action = s->word & 3;

	if (s->first)
		adopted_begin(told, s);
	told->steps[told->step_count++] = *s;
	if (action == ACTION_ENTER)
		call_begin(told, s->thread, s->after, at);
	else if (s->before == s->after && s->inside > 0 && action != ACTION_RESERVED)
		call_end(told, s->thread, at);
	while (s->before != s->after && told->depth[s->thread] > 0 &&
	    told->calls[told->open[s->thread][told->depth[s->thread] - 1]].node != s->after)
		call_end(told, s->thread, at);
	return true;
}

static struct told
tell(const struct profile *p)
{
	struct told told = {.p = p};

	told.steps = calloc(p->records, sizeof(*told.steps));
	told.calls = calloc(2 * p->records, sizeof(*told.calls));
	told.open = calloc(p->stack_count, sizeof(*told.open));
	told.depth = calloc(p->stack_count, sizeof(*told.depth));
	told.thread_of = calloc(p->tree.count, sizeof(*told.thread_of));
	replay_window(p, NULL, INT64_MIN, INT64_MAX, step_told, &told, NULL);
	for (uint32_t t = 0; t < p->stack_count; t++) {
		while (told.depth[t] > 0)
			call_end(&told, t, stack_time(&p->stacks[t], p->axis));
	}
	for (size_t i = 0; i < told.step_count; i++) {
		for (uint32_t n = told.steps[i].after; n != NODE_NONE && told.thread_of[n] == 0;
		     n = node_parent(&p->tree.nodes[n]))
			told.thread_of[n] = told.steps[i].thread + 1;
	}
	return told;
}

static void
told_free(struct told *told)
{
	free(told->steps);
	free(told->calls);
	free(told->open);
	free(told->depth);
	free(told->thread_of);
}

static void
step_add(const struct told *told, const struct step *s, const struct range *r, bool closed,
    struct count *want)
{
	enum clock_id axis = told->p->axis;
	bool dual = trace_has_clock(told->p->trace, CLOCK_CPU) && axis == CLOCK_WALL;
	nsec from = s->from[axis] > r->from ? s->from[axis] : r->from;
	nsec to = s->to[axis] < r->to ? s->to[axis] : r->to;

	if (s->from[axis] == s->to[axis] && dual && s->to[axis] >= r->from &&
	    (s->to[axis] < r->to || closed))
		want->time[CLOCK_CPU] += step_cpu(s);
	if (from >= to)
		return;
	want->time[axis] += to - from;
	if (dual)
		want->time[CLOCK_CPU] += step_cpu_at(s, to) - step_cpu_at(s, from);
}

static struct count *
range_told(const struct told *told, struct range r)
{
	const struct profile *p = told->p;
	struct count *want = calloc(p->tree.count, sizeof(*want));
	bool closed = r.to >= p->end;

	if (r.from >= p->end)
		r.from = INT64_MAX;
	for (size_t i = 0; i < told->step_count; i++)
		step_add(told, &told->steps[i], &r, closed, &want[told->steps[i].before]);
	for (size_t i = 0; i < told->call_count; i++) {
		const struct one_call *c = &told->calls[i];

		want[c->node].calls += c->enter >= r.from ? c->enter < r.to || closed
							  : c->leave > r.from;
	}
	return want;
}

static int
range_differs(const struct told *told, const struct range *r, const struct count *want,
    const struct scope *scope)
{
	const struct profile *p = told->p;
	struct range_sums sums;
	share_done done;
	int wrong = 0;

	if (!range_count(p, scope, r, &sums, &done, NULL))
		return 1;
	for (uint32_t n = 1; n < p->tree.count; n++) {
		uint32_t thread = told->thread_of[n] - 1;

		if (told->thread_of[n] == 0 || !scope_has(scope, thread))
			continue;
		wrong += memcmp(sums.counts[n].time, want[n].time, sizeof(want->time)) != 0;
		if (node_parent(&p->tree.nodes[n]) == NODE_NONE)
			wrong += sums.counts[n].calls != (uint64_t)sums.stacks[thread].present;
		else
			wrong += sums.counts[n].calls != want[n].calls;
	}
	wrong += atomic_load(&done) > SHARE_ALL;
	range_release(&sums);
	return wrong;
}

/* It has no result and leaks nothing. */
static bool
range_cancelled(struct profile *p, unsigned jobs)
{
	nsec length = p->end - p->begin;
	const struct range part = {p->begin + length / 3, p->begin + length / 3 * 2};
	const struct range most = {p->begin + length / 9, p->end};
	const atomic_bool cancel = true;
	struct range_sums sums;

	p->jobs = jobs;
	return !range_count(p, NULL, &part, &sums, NULL, &cancel) &&
	    !range_count(p, NULL, &most, &sums, NULL, &cancel);
}

/* Beginning at an event or near one, often nearly as long as the trace. */
static struct range
range_random(const struct told *told)
{
	const struct profile *p = told->p;
	nsec at[2];

	for (int i = 0; i < 2; i++) {
		const struct step *s = &told->steps[random_below((uint32_t)told->step_count)];
		nsec near = (p->end - p->begin) >> (1 + random_below(10));
		nsec edge = i == 0 ? p->begin + near : p->end - near;

		at[i] = random_below(3) > 0 ? s->to[p->axis] : edge;
		at[i] += random_below(2) > 0 ? 0 : (nsec)random_below(2000) - 1000;
	}
	if (random_below(6) == 0)
		at[0] = p->begin - 1;
	else if (random_below(6) == 0)
		at[1] = p->end;
	return at[0] < at[1] ? (struct range){at[0], at[1]} : (struct range){at[1], at[0]};
}

static void
trace_check(const uint8_t *bytes, size_t size, uint32_t limit, const char *name)
{
	struct err e = {0};
	struct trace *t = bytes != NULL ? format_open_memory(bytes, size, name, &e) : NULL;
	struct profile *p;
	struct told told;
	struct scope *some;
	int wrong = 0, parts = 0;

	if (!ok(t != NULL, "%s: opens", name))
		return;
	p = profile_new(t);
	p->tree.limit = limit;
	blocks_choose(p->blocks, PART_RECORDS, BLOCK_BYTES);
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	told = tell(p);
	ok(told.step_count == p->records && blocks_count(p->blocks) > 20, "%u blocks, %zu calls",
	    blocks_count(p->blocks), told.call_count);
	some = scope_new(p->stack_count, true);
	for (uint32_t i = 0; i < p->stack_count; i += 2)
		some->in[i] = 0;
	for (int i = 0; i < WINDOWS; i++) {
		struct range r = range_random(&told);
		struct count *want = range_told(&told, r);

		p->jobs = 1 + random_below(3);
		wrong += range_differs(&told, &r, want, NULL);
		parts += range_differs(&told, &r, want, some);
		free(want);
	}
	is_int(wrong, 0, "ranges");
	is_int(parts, 0, "ranges of some threads");
	ok(range_cancelled(p, 1) && range_cancelled(p, 3), "cancelled");
	scope_free(some);
	told_free(&told);
	profile_free(p);
	trace_free(t);
}

static void
generated_check(const char *options, uint32_t limit)
{
	size_t size = 0;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	trace_check(bytes, size, limit, options);
	free(bytes);
}

/* Exits of other frames, of nothing; and a clock that wraps in the middle. */
static void
random_check(int harm, uint32_t wall)
{
	uint8_t *bytes;
	size_t size;

	random_trace_make((uint64_t)harm + 1, harm);
	for (int i = 0; i < RANDOM_RECORDS; i++)
		random_records[i].wall += wall;
	bytes = random_trace_bytes(&size);
	trace_check(bytes, size, TREE_LIMIT, wall > 0 ? "random, wrapping" : "random");
	free(bytes);
}

/* A text log: its slices are kept aside and read from there. */
static void
log_check(void)
{
	enum { LINES = 16000, THREADS = 3, LINE_MOST = 90, FRAMES = 9 };
	char *text = malloc(LINES * LINE_MOST);
	size_t size = 0;
	int depth[THREADS] = {0};
	unsigned us = 0;

	for (int i = 0; i < LINES; i++) {
		unsigned t = random_below(THREADS);
		bool enter = depth[t] == 0 || (depth[t] < FRAMES && random_below(2) > 0);
		char slice[8] = "";

		us += random_below(40);
		if (enter)
			snprintf(slice, sizeof(slice), "|m%u", random_below(20));
		size += (size_t)snprintf(text + size, LINE_MOST,
		    "a-%u (1) [000] .... 10.%06u: tracing_mark_write: %s|1%s\n", t + 1, us,
		    enter ? "B" : "E", slice);
		depth[t] += enter ? 1 : -1;
	}
	trace_check((const uint8_t *)text, size, TREE_LIMIT, "a log");
	free(text);
}

int
main(void)
{
#define HARM " --entered=3 --open --recursion=900 --unroll=300 --lost=30 --stray=20 "
	/* Enough records to be counted thread by thread. */
#define LONG "--records=60k" HARM
#define SHORT "--records=16k" HARM
	log_check();
	random_check(2, 0);
	random_check(1, UINT32_MAX - 200000);
	generated_check(LONG "--threads=7", TREE_LIMIT);
	generated_check(LONG "--threads=7 --depth=30", 50);
	generated_check(LONG "--threads=3 --depth=30 --seed=2", 700);
	generated_check(LONG "--data-version=1 --clock=wall --backward=40", TREE_LIMIT);
	generated_check(SHORT "--data-version=2 --clock=thread-cpu --reserved=20", TREE_LIMIT);
	generated_check(LONG "--backward=40 --unknown-methods=90 --unknown-threads=900", TREE_LIMIT);
	generated_check(SHORT "--span=9000 --threads=20", TREE_LIMIT);
	generated_check(SHORT "--format=streaming", TREE_LIMIT);
	generated_check(SHORT "--format=streaming14 --backward=40", TREE_LIMIT);
	generated_check(SHORT "--format=v2a", TREE_LIMIT);
	generated_check(SHORT "--format=v2b-stream", 200);
	return tap_done();
}
