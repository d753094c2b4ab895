// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "fuzz/consume.h"

#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "fuzz/fuzz.h"
#include "profile/index/replay.h"
#include "profile/load/profile.h"
#include "profile/sum/diff.h"
#include "profile/timeline/timeline.h"
#include "tests/folded.h"

enum { COLUMNS = 37, ROWS_MAX = 8, STEP_RECORDS = 100, SCOPES_MAX = 4 };

/* Sums of a method's lists against its own figures. */
static void
check_relations(const struct fold *f, uint32_t method, enum clock_id clock)
{
	const struct method_sum *m = &f->methods[method];
	nsec sum[RELATION_KINDS] = {0};
	uint64_t calls[RELATION_KINDS] = {0};
	int kind;

	for (kind = 0; kind < RELATION_KINDS; kind++) {
		uint32_t n, i;
		const struct relation *r = fold_relations(f, method, kind, &n);

		for (i = 0; i < n; i++) {
			fuzz_check(r[i].method < f->method_count && r[i].calls > 0);
			fuzz_check(r[i].inclusive[clock] >= 0);
			sum[kind] += r[i].inclusive[clock];
			calls[kind] += r[i].calls;
		}
	}
	fuzz_check(m->exclusive[clock] >= m->self[clock] && m->self[clock] >= 0);
	fuzz_check(m->self[clock] + sum[RELATION_CHILD] == m->inclusive[clock]);
	if (method == METHOD_TOPLEVEL)
		return;
	fuzz_check(sum[RELATION_PARENT] == m->inclusive[clock]);
	fuzz_check(calls[RELATION_PARENT] == m->calls);
	fuzz_check(calls[RELATION_PARENT_RECURSIVE] == m->recursive_calls);
}

static void
check_fold(const struct fold *f, struct consumed *c)
{
	int clock;
	uint32_t i;

	for (clock = 0; clock < CLOCKS; clock++) {
		nsec own = 0;

		for (i = 0; i < f->method_count; i++) {
			own += f->methods[i].exclusive[clock];
			check_relations(f, i, clock);
		}
		fuzz_check(own == f->total[clock]);
		fuzz_check(
		    f->methods[METHOD_TOPLEVEL].inclusive[clock] == f->total[clock]);
	}
	for (c->methods = 0, i = 1; i < f->method_count; i++)
		c->methods += f->methods[i].present;
	fuzz_check(c->methods == f->present);
	for (c->threads = 0, c->records = 0, i = 0; i < f->thread_count; i++) {
		const struct fold_thread *t = &f->threads[i];

		c->threads += t->records > 0;
		c->records += t->records;
		for (clock = 0; clock < CLOCKS; clock++)
			fuzz_check(t->last[clock] >= t->first[clock]);
	}
	fuzz_check(c->records == f->records);
}

/* Is the thread in what all threads add up to?  Rows aside mostly are not. */
static bool
is_summed(const struct profile *p, uint32_t thread)
{
	return scope_counts(NULL, p->trace, thread, scope_is_aside(NULL, p));
}

/* The first threads alone: each is whole in itself, and none is more than all. */
static void
check_scopes(const struct profile *p, const struct fold *all)
{
	uint32_t thread, i;

	for (thread = 0; thread < all->thread_count && thread < SCOPES_MAX; thread++) {
		struct scope *scope = scope_new(all->thread_count, false);
		struct consumed unused;
		struct fold *f;

		scope->in[thread] = 1;
		f = fold_new(p, scope, NULL, NULL);
		check_fold(f, &unused);
		for (i = 0; i < f->method_count && is_summed(p, thread); i++) {
			fuzz_check(f->methods[i].inclusive[CLOCK_WALL] <=
				   all->methods[i].inclusive[CLOCK_WALL]);
			fuzz_check(
			    f->methods[i].calls + f->methods[i].recursive_calls <=
			    all->methods[i].calls + all->methods[i].recursive_calls);
		}
		fold_free(f);
		scope_free(scope);
	}
}

/* What a replay of everything adds up to. */
struct story {
	const struct profile *profile;
	uint64_t steps;
	nsec spent[CLOCKS];
};

static bool
tell(void *context, const struct step *step)
{
	struct story *s = context;
	/* Of a log, what is between slices is part of nothing. */
	bool counts = s->profile->trace->log == NULL ||
	    tree_parent(&s->profile->tree, step->before) != NODE_NONE;
	int clock;

	fuzz_check(step->thread < s->profile->stack_count);
	fuzz_check(step->before < s->profile->tree.count);
	fuzz_check(step->after < s->profile->tree.count);
	for (clock = 0; clock < CLOCKS; clock++) {
		fuzz_check(step->to[clock] >= step->from[clock]);
		if (!step->first && counts && is_summed(s->profile, step->thread))
			s->spent[clock] += step->to[clock] - step->from[clock];
	}
	s->steps++;
	return true;
}

static void
check_replay(const struct profile *p, const struct fold *all)
{
	struct story story = {.profile = p};

	fuzz_check(replay_window(p, NULL, p->begin, p->end, tell, &story, NULL));
	fuzz_check(story.steps == p->records);
	fuzz_check(story.spent[CLOCK_CPU] == all->total[CLOCK_CPU]);
	fuzz_check(story.spent[CLOCK_WALL] == all->total[CLOCK_WALL]);
}

/* Of ranges that follow each other times add up, and no call is lost. */
static void
check_ranges(const struct profile *p)
{
	nsec ninth = (p->end - p->begin) / 9;
	const struct range ranges[] = {{p->begin, p->begin + ninth},
	    {p->begin + ninth, p->end - ninth}, {p->end - ninth, p->end}};
	struct range_sums sums[3];

	if (ninth == 0)
		return;
	for (int i = 0; i < 3; i++)
		fuzz_check(range_count(p, NULL, &ranges[i], &sums[i], NULL, NULL));
	for (uint32_t n = 1; n < p->tree.count; n++) {
		const struct count whole = tree_count(&p->tree, n);
		uint64_t calls = 0;
		nsec time[CLOCKS] = {0};

		for (int i = 0; i < 3; i++) {
			fuzz_check(sums[i].counts[n].calls <= whole.calls);
			calls += sums[i].counts[n].calls;
			for (int c = 0; c < CLOCKS; c++)
				time[c] += sums[i].counts[n].time[c];
		}
		fuzz_check(calls >= whole.calls);
		fuzz_check(memcmp(time, whole.time, sizeof(time)) == 0);
	}
	for (int i = 0; i < 3; i++)
		range_release(&sums[i]);
}

static void
check_timeline(const struct profile *p, const struct fold *all)
{
	struct cell cells[ROWS_MAX * COLUMNS];
	uint32_t threads[ROWS_MAX], rows, i;
	uint8_t marks[COLUMNS];
	struct call call;
	nsec middle = p->begin + (p->end - p->begin) / 2;

	for (rows = 0; rows < ROWS_MAX && rows < all->thread_count; rows++)
		threads[rows] = rows;
	if (p->end <= p->begin)
		return;
	fuzz_check(
	    timeline_draw(p, NULL, p->begin, p->end, COLUMNS, threads, rows, cells, NULL));
	for (i = 0; i < rows * COLUMNS; i++) {
		fuzz_check(cells[i].method == METHOD_NONE ||
			   cells[i].method < all->method_count);
		fuzz_check(cells[i].busy + cells[i].asleep <= CELL_FULL);
	}
	fuzz_check(timeline_marks(p, NULL, p->begin, middle, COLUMNS,
	    all->method_count > 1 ? 1 : METHOD_TOPLEVEL, true, marks, NULL));
	for (i = 0; i < rows; i++) {
		fuzz_check(timeline_call(p, i, middle, 0, METHOD_NONE, &call, NULL));
		if (call.method == METHOD_NONE)
			continue;
		fuzz_check(call.method < all->method_count);
		fuzz_check(
		    call.enter[p->axis] <= middle && middle <= call.leave[p->axis]);
		fuzz_check(
		    call.exclusive[p->axis] <= call.leave[p->axis] - call.enter[p->axis]);
	}
}

/* To itself nothing changes, to nothing everything is new. */
static void
check_diff(const struct profile *p, const struct fold *all)
{
	struct diff_names names = {.count = 0};
	struct diff d;

	diff_names_update(&names, p->trace, p->trace);
	diff_make(&d, &names, all, all);
	fuzz_check(d.count == all->present);
	for (uint32_t i = 0; i < d.count; i++) {
		for (int v = 0; v < DIFF_VALUES; v++) {
			struct diff_by by = {.value = v, .clock = p->axis};
			struct diff_cause cause = diff_cause(&d.rows[i], &by);

			fuzz_check(diff_change(&d.rows[i], &by) == DIFF_UNCHANGED);
			fuzz_check(cause.calls == 0 && cause.by_calls == 0 && cause.by_time == 0);
		}
	}
	diff_release(&d);
	diff_names_release(&names);
}

static void
check_profile(const struct profile *p, struct consumed *c)
{
	struct fold *all = fold_new(p, NULL, NULL, NULL);

	check_fold(all, c);
	fuzz_check(c->records == p->records);
	check_scopes(p, all);
	check_replay(p, all);
	check_ranges(p);
	check_timeline(p, all);
	check_diff(p, all);
	c->damage = (unsigned)damage_count(&p->damage);
	fold_free(all);
}

bool
consume_trace(const uint8_t *bytes, size_t size, struct consumed *c, struct err *e)
{
	struct trace *t = format_open_memory(bytes, size, "fuzz", e);
	struct profile *p;
	enum load_state state;

	memset(c, 0, sizeof(*c));
	if (t == NULL) {
		fuzz_check(e->kind != ERR_NONE && e->what[0] != '\0');
		return false;
	}
	p = profile_new(t);
	blocks_choose(p->blocks, 1, BLOCK_BYTES); /* as short as may be */
	do
		state = profile_load(p, STEP_RECORDS, e);
	while (state == LOAD_MORE);
	fuzz_check(state == LOAD_DONE || state == LOAD_FAILED);
	check_profile(p, c);
	profile_free(p);
	trace_free(t);
	return state == LOAD_DONE;
}
