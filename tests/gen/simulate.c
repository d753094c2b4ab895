// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "rng.h"
#include "schedule.h"

/*
 * The simulation runs on a time of its own ("sim", nanoseconds), which is the trace's
 * wall clock times a factor.  A first run without output tells the factor and the length
 * of the trace, since the key comes before the records.
 */

enum {
	LOOK_EVERY = 64, /* records between two looks for threads that start */
	EXPONENTIALS = 1024,
};

struct frame {
	uint32_t body;
	uint16_t site;
	uint16_t repeat;
};

struct runner {
	struct task task; /* first: a schedule's task is a runner */
	struct rng rng;
	struct frame *frames; /* frames[0] is the role's loop below the stack */
	uint32_t depth;       /* frames of methods */
	uint32_t id;
	uint32_t unrolling; /* frames that the exception under way still passes */
	const struct role *role;
	uint32_t wait_us;
	int64_t cpu_ns, wall_ns; /* last record */
	int64_t ran;             /* sim time on a core since the last record */
	uint64_t start_at;       /* record number at which it appears */
	bool sleeping;
};

struct sim {
	struct gen_stream base;
	struct sim_params params;
	struct program program;
	uint64_t *method_id;
	struct runner *runners;
	struct schedule schedule;
	size_t started;                     /* runners below this have appeared */
	uint32_t exponential[EXPONENTIALS]; /* quantiles, 1024 is the mean */
	uint64_t done;
	uint64_t open_frames;
	bool closing;
	int64_t now;  /* sim time of the last record */
	double slope; /* wall time per sim time */
};

/* ---- time ---- */

static int64_t
draw_exponential(const struct sim *s, struct rng *r, int64_t mean)
{
	return mean * s->exponential[rng_next(r) >> 54] / 1024;
}

/* How long a runner sleeps, in sim time. */
static int64_t
draw_sleep(struct sim *s, struct runner *runner, int64_t now)
{
	const struct role *role = runner->role;
	int64_t period = role->period_us * INT64_C(1000);
	int busy = role->activity[s->done * ROLE_SLOTS / (s->params.records + 1)] - '0';

	if (s->closing)
		return 1000;
	if (period)
		return period *
			   (busy ? 1 + rng_below(&runner->rng, 10) / (unsigned)busy : 8) -
		       now % period;
	return draw_exponential(
	    s, &runner->rng, runner->wait_us * INT64_C(5000) / (busy + 1));
}

/* ---- the program ---- */

static void
enter(struct sim *s, struct runner *runner, uint32_t body)
{
	runner->frames[++runner->depth] = (struct frame){body, 0, 0};
	s->open_frames++;
}

enum step { STEP_ENTER, STEP_EXIT, STEP_SLEEP, STEP_END };

/*
 * Runs the innermost method up to its next call or its end.  After STEP_EXIT the frame
 * that was left is frames[depth + 1].
 */
static enum step
run(struct sim *s, struct runner *runner)
{
	struct frame *f = &runner->frames[runner->depth];
	const struct body *b = &s->program.bodies[f->body];
	const struct site *sites = &s->program.sites.p[b->first_site];

	if (s->closing) {
		if (!runner->depth)
			return STEP_END;
		runner->depth--;
		return STEP_EXIT;
	}
	if (runner->unrolling && runner->depth) {
		runner->unrolling--;
		runner->depth--;
		return STEP_EXIT;
	}
	if (runner->depth >= s->params.depth) {
		runner->depth--;
		return STEP_EXIT;
	}
	for (;;) {
		while (f->site < b->sites) {
			const struct site *site = &sites[f->site];

			if (f->repeat) {
				f->repeat--;
			} else if ((rng_next(&runner->rng) & 0xffff) < site->chance) {
				if (site->repeat)
					f->repeat = (uint16_t)rng_below(
					    &runner->rng, site->repeat + 1u);
			} else {
				f->site++;
				continue;
			}
			if (!f->repeat)
				f->site++;
			enter(s, runner, site->body);
			return STEP_ENTER;
		}
		if (b->kind != BODY_LOOP)
			break;
		f->site = 0;
		if (!runner->depth)
			return STEP_SLEEP;
	}
	runner->depth--;
	return STEP_EXIT;
}

/* Gets the stacks of the calls that began before the trace. */
static void
run_before(struct sim *s, struct runner *runner)
{
	unsigned steps;

	for (steps = 0; steps < 100000 && runner->depth < s->params.entered; steps++)
		if (run(s, runner) == STEP_EXIT)
			s->open_frames--;
}

static void
start_runners(struct sim *s, int64_t now)
{
	while (
	    s->started < s->params.threads && s->runners[s->started].start_at <= s->done) {
		struct runner *runner = &s->runners[s->started++];

		if (s->closing)
			continue;
		run_before(s, runner);
		schedule_add(&s->schedule, &runner->task, now);
	}
}

/* From here on there are only exits: as many records are left as calls are open (or
 * one more, when the number is odd). */
static bool
must_close(const struct sim *s)
{
	return !s->params.open && !s->closing &&
	       s->params.records - s->done <= s->open_frames;
}

static void
record(struct sim *s, struct runner *runner, enum step step, int64_t now, struct gen_event *e)
{
	const struct frame *f = &runner->frames[runner->depth + (step == STEP_EXIT)];
	int64_t wall = (int64_t)((double)now * s->slope), passed, ran;

	if (runner->wall_ns < 0) /* the first: both clocks of the thread begin */
		runner->wall_ns = wall;
	else if (wall > runner->wall_ns) {
		passed = wall - runner->wall_ns;
		ran = (int64_t)((double)runner->ran * s->slope);
		runner->cpu_ns += ran < passed ? ran : passed;
		runner->wall_ns = wall;
	}
	runner->ran = 0;
	*e = (struct gen_event){
	    .cpu_ns = runner->cpu_ns,
	    .wall_ns = runner->wall_ns,
	    .method = s->method_id[s->program.bodies[f->body].method],
	    .thread = runner->id,
	    .action = step == STEP_ENTER ? GEN_ENTER : GEN_EXIT,
	};
}

static bool
exit_is_exception(struct sim *s, struct runner *runner)
{
	if (runner->unrolling)
		return true;
	if (s->closing || !rng_chance(&runner->rng, s->params.unroll))
		return false;
	runner->unrolling = rng_below(&runner->rng, 4);
	return true;
}

/* One event; false at the end. */
static bool
next_event(struct sim *s, struct gen_event *e)
{
	if (s->done >= s->params.records)
		return false;
	for (;;) {
		struct core *c = schedule_next(&s->schedule);
		struct runner *runner = (struct runner *)c->task;
		const struct body *b;
		enum step step;
		int64_t gap;

		if (!runner) {
			/* Nothing runs: the next thread is due, or all is over. */
			if (s->closing || s->started == s->params.threads)
				return false;
			s->runners[s->started].start_at = s->done;
			start_runners(s, s->now);
			continue;
		}
		if (s->done % LOOK_EVERY == 0)
			start_runners(s, s->now);
		if (must_close(s)) {
			s->closing = true;
			schedule_wake_all(&s->schedule, s->now);
		}
		b = &s->program.bodies[runner->frames[runner->depth].body];
		gap = runner->sleeping ? 1000
				     : draw_exponential(s, &runner->rng,
					   (int64_t)b->cost_ns * s->params.slowness);
		runner->sleeping = false;
		step = run(s, runner);
		if (step == STEP_END) {
			schedule_end(&s->schedule, c);
			continue;
		}
		if (step == STEP_SLEEP) {
			schedule_yield(
			    &s->schedule, c, c->now + draw_sleep(s, runner, c->now));
			continue;
		}
		c->now += gap;
		runner->ran += gap;
		s->now = c->now;
		record(s, runner, step, c->now, e);
		if (step == STEP_EXIT) {
			s->open_frames--;
			if (exit_is_exception(s, runner))
				e->action = GEN_UNROLL;
		} else if (s->program.bodies[runner->frames[runner->depth].body].kind ==
			   BODY_SLEEP) {
			runner->sleeping = true;
			schedule_yield(
			    &s->schedule, c, c->now + draw_sleep(s, runner, c->now));
		}
		if (c->now >= c->slice_end && c->task == &runner->task)
			schedule_yield(&s->schedule, c, c->now);
		s->done++;
		return true;
	}
}

static size_t
sim_pull(struct gen_stream *stream, struct gen_event *out, size_t max)
{
	struct sim *s = (struct sim *)stream;
	size_t n = 0;

	while (n < max && next_event(s, &out[n]))
		n++;
	return n;
}

static void
sim_free(struct gen_stream *stream)
{
	struct sim *s = (struct sim *)stream;
	size_t i;

	for (i = 0; i < s->params.threads; i++)
		free(s->runners[i].frames);
	free(s->runners);
	schedule_release(&s->schedule);
	free(s->method_id);
	program_free(&s->program);
	free(s);
}

/* ---- set-up ---- */

static struct gen_bytes
lane_name(const struct role *role, unsigned number)
{
	char text[80];
	const char *mark = strstr(role->name, "%u");

	if (!mark)
		return gen_bytes_copy(role->name, strlen(role->name));
	snprintf(text, sizeof text, "%.*s%u%s", (int)(mark - role->name), role->name,
	    number, mark + 2);
	return gen_bytes_copy(text, strlen(text));
}

/* Main comes first and runs alone for a moment, as after a start; half of the others
 * are there soon, the rest appear over the first two thirds. */
static void
make_lanes(struct sim *s, struct gen_trace *t, struct rng *r)
{
	const struct sim_params *p = &s->params;
	unsigned *numbers = gen_alloc(role_count, sizeof *numbers);
	size_t role = 0, used = 0;
	uint64_t start = 0, late = p->records / p->threads + 1;
	unsigned i;

	if (late > UINT32_MAX / 4)
		late = UINT32_MAX / 4;
	s->runners = gen_alloc(p->threads, sizeof *s->runners);
	schedule_init(&s->schedule, p->cores, p->threads);
	for (i = 0; i < p->threads; i++) {
		struct runner *runner = &s->runners[i];

		if (used == roles[role].count) {
			used = 0;
			role = role + 1 < role_count ? role + 1 : 1;
		}
		used++;
		runner->role = &roles[role];
		/* A role's later threads have less to do. */
		runner->wait_us = runner->role->wait_us * (1 + numbers[role]);
		runner->rng.state = rng_next(r);
		runner->wall_ns = -1;
		runner->frames = gen_alloc(p->depth + 2, sizeof *runner->frames);
		runner->frames[0].body = s->program.role_body[role];
		runner->id = p->small_threads ? i + 1 : 4321 + i + (i > 3) * 4;
		if (runner->id > 65535)
			runner->id -= 65535;
		if (i)
			start += i > p->threads / 2
				     ? late / 3 + rng_below(r, (uint32_t)late * 2)
				     : 1;
		runner->start_at = start;
		*gen_grow(&t->threads) = (struct gen_thread){.id = runner->id,
		    .hidden = i && rng_chance(r, p->unknown_threads),
		    .name = lane_name(runner->role, ++numbers[role])};
	}
	free(numbers);
}

/* -ln x for 0 < x <= 1: by plain arithmetic, the same with every C library. */
static double
minus_log(double x)
{
	double halvings = 0, z, power, sum = 0;
	int k;

	for (; x < 0.5; x *= 2)
		halvings++;
	z = (1 - x) / (1 + x);
	for (k = 1, power = z; k < 40; k += 2, power *= z * z)
		sum += power / k;
	return 2 * sum + halvings * 0.69314718055994530942;
}

static struct sim *
sim_new(const struct sim_params *params, struct gen_trace *t)
{
	struct sim *s = gen_alloc(1, sizeof *s);
	struct rng r = {params->seed * 2 + 1};
	size_t i;

	s->base = (struct gen_stream){sim_pull, sim_free};
	s->params = *params;
	s->slope = 1;
	for (i = 0; i < EXPONENTIALS; i++)
		s->exponential[i] =
		    (uint32_t)(1024 * minus_log(((double)i + 0.5) / EXPONENTIALS));
	program_build(&s->program, t,
	    &(struct program_size){
		.methods = params->methods,
		.levels = params->depth > 12 ? params->depth - 8 : params->depth / 2 + 1,
		.recursion = params->recursion,
		.hidden = params->unknown_methods,
		.dalvik = params->dalvik,
		.rare = params->rare,
	    },
	    &r);
	s->method_id = gen_alloc(t->methods.n, sizeof *s->method_id);
	for (i = 0; i < t->methods.n; i++)
		s->method_id[i] = t->methods.p[i].id;
	make_lanes(s, t, &r);
	start_runners(s, 0);
	return s;
}

struct gen_stream *
simulate_new(const struct sim_params *params, struct gen_trace *t, int64_t *elapsed_ns)
{
	struct gen_event e;
	struct gen_trace unseen;
	struct sim *s;
	int64_t sim_ns;

	gen_trace_init(&unseen);
	s = sim_new(params, &unseen);
	while (next_event(s, &e))
		;
	sim_ns = s->now > 0 ? s->now : 1;
	sim_free(&s->base);
	gen_trace_free(&unseen);

	s = sim_new(params, t);
	if (params->span > 0)
		s->slope = params->span * 1e9 / (double)sim_ns;
	*elapsed_ns = (int64_t)((double)sim_ns * s->slope);
	return &s->base;
}
