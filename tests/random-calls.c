// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "random-calls.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/index/blocks.h"
#include "tap/tap.h"

struct ref_thread ref[RANDOM_THREADS];

static int
call_push(struct ref_thread *t, int method, const nsec now[CLOCKS])
{
	struct ref_call *c = &t->calls[t->call_count];

	*c = (struct ref_call){.method = method, .depth = t->depth + 1};
	memcpy(c->enter, now, sizeof(c->enter));
	t->stack[t->depth++] = t->call_count;
	return t->call_count++;
}

static void
call_pop(struct ref_thread *t)
{
	struct ref_call *c = &t->calls[t->stack[--t->depth]];

	memcpy(c->leave, t->now, sizeof(c->leave));
	if (t->depth < t->adopted)
		t->adopted = t->depth;
}

/* How an exit moves the stack: frames to pop, 0 to ignore, -1 entered before the trace. */
static int
exit_levels(const struct ref_thread *t, int method)
{
	if (t->depth > 0 && t->calls[t->stack[t->depth - 1]].method == method)
		return 1;
	for (int i = t->depth; i-- > t->adopted;) {
		if (t->calls[t->stack[i]].method == method)
			return t->depth - i;
	}
	return t->depth == 0 ? -1 : 0;
}

/* First without adopted frames, to learn which there are; then with them below. */
static void
reference_run(bool learn)
{
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		const struct random_record *r = &random_records[i];
		struct ref_thread *t = &ref[r->thread];
		nsec now[CLOCKS] = {(nsec)r->cpu * 1000, (nsec)r->wall * 1000};
		int levels;

		if (!t->started) {
			t->started = true;
			memcpy(t->now, now, sizeof(now));
			for (int k = t->entered_count; !learn && k-- > 0;) {
				t->calls[call_push(t, t->entered[k], now)].before = true;
				t->adopted = t->depth;
			}
		} else {
			struct stretch *s = &t->stretches[t->count];

			s->call = t->depth > 0 ? t->stack[t->depth - 1] : -1;
			memcpy(s->from, t->now, sizeof(now));
			memcpy(s->to, now, sizeof(now));
			for (int c = 0; s->call >= 0 && c < CLOCKS; c++)
				t->calls[s->call].own[c] += now[c] - t->now[c];
			memcpy(t->now, now, sizeof(now));
			t->count++;
		}
		if (r->action == 0) {
			call_push(t, r->method, now);
		} else {
			levels = exit_levels(t, r->method);
			if (levels < 0 && learn)
				t->entered[t->entered_count++] = r->method;
			for (; levels > 0; levels--)
				call_pop(t);
		}
		if (t->count > 0)
			t->top_after[t->count - 1] = t->depth > 0 ? t->stack[t->depth - 1] : -1;
	}
	for (int i = 0; i < RANDOM_THREADS; i++) {
		while (ref[i].depth > 0) {
			ref[i].calls[ref[i].stack[ref[i].depth - 1]].unfinished = true;
			call_pop(&ref[i]);
		}
	}
}

void
reference_make(void)
{
	for (int i = 0; i < RANDOM_THREADS; i++) {
		struct ref_thread *t = &ref[i];

		memset(t, 0, sizeof(*t));
		t->calls = calloc(2 * RANDOM_RECORDS, sizeof(*t->calls));
		t->stretches = calloc(RANDOM_RECORDS, sizeof(*t->stretches));
		t->top_after = calloc(RANDOM_RECORDS, sizeof(*t->top_after));
		t->entered = calloc(RANDOM_RECORDS, sizeof(*t->entered));
	}
	reference_run(true);
	for (int i = 0; i < RANDOM_THREADS; i++) {
		struct ref_thread *t = &ref[i];

		memset(t->calls, 0, (size_t)t->call_count * sizeof(*t->calls));
		t->call_count = t->count = t->depth = t->adopted = 0;
		t->started = false;
	}
	reference_run(false);
}

void
reference_free(void)
{
	for (int i = 0; i < RANDOM_THREADS; i++) {
		free(ref[i].calls);
		free(ref[i].stretches);
		free(ref[i].top_after);
		free(ref[i].entered);
	}
}

nsec
overlap(nsec a, nsec b, nsec from, nsec to)
{
	nsec begin = a > from ? a : from, end = b < to ? b : to;

	return end > begin ? end - begin : 0;
}

/* Threads far apart in time with records side by side, as with clocks of their own. */
static void
threads_part(uint32_t us)
{
	for (int i = 0; i < RANDOM_RECORDS; i++) {
		random_records[i].wall += (uint32_t)random_records[i].thread * us;
		random_records[i].cpu += (uint32_t)random_records[i].thread * us;
	}
}

void
reference_rounds(void (*check)(struct profile *))
{
	for (int round = 0; round < 8; round++) {
		struct err e = {0};
		struct profile *p;
		struct trace *t;
		uint8_t *bytes;
		size_t size;

		random_trace_make((uint64_t)round + 1, 2);
		if (round >= 6)
			threads_part(round == 6 ? 100000 : 10000000);
		reference_make();
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		ok(t != NULL, "round %d: opens (%s)", round, e.what);
		if (t == NULL)
			break;
		p = profile_new(t);
		while (profile_load(p, 5000, &e) == LOAD_MORE) {
		}
		ok(p->blocks->count > 2, "%u blocks", p->blocks->count);
		check(p);
		profile_free(p);
		trace_free(t);
		free(bytes);
		reference_free();
	}
}

nsec
reference_cpu(const struct stretch *s, nsec wall)
{
	nsec cpu = s->to[CLOCK_CPU] - s->from[CLOCK_CPU];
	nsec span = s->to[CLOCK_WALL] - s->from[CLOCK_WALL], in = wall - s->from[CLOCK_WALL];

	if (span - cpu <= SLEEP_US * 1000)
		return cpu * in / span;
	if (in <= cpu / 2)
		return in;
	return in >= span - (cpu - cpu / 2) ? cpu - (span - in) : cpu / 2;
}
