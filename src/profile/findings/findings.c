// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/pattern.h"
#include "profile/findings/kinds.h"
#include "profile/index/replay.h"
#include "trace/log.h"

/* Longer than this a message is noticed, whatever else there is. */
enum { NOTICED = 100000000 };

const struct finding_info finding_kinds[FINDING_KINDS] = {
#define FINDING(id, word, least, function, help, methods, slices) {(word), (help), (least)},
#include "profile/findings/findings.def"
#undef FINDING
};

static find_kind *const functions[FINDING_KINDS] = {
#define FINDING(id, word, least, function, help, methods, slices) (function),
#include "profile/findings/findings.def"
#undef FINDING
};

const char *const finding_limits[FINDING_LIMITS] = {
    [LIMIT_TRACING] = "tracing",
    [LIMIT_SAMPLED] = "sampled",
    [LIMIT_ONE_MESSAGE] = "one-message",
    [LIMIT_CPU_ONLY] = "cpu-only",
    [LIMIT_NO_SCHED] = "no-sched",
    [LIMIT_NO_MAIN] = "no-main",
    [LIMIT_NO_APP] = "no-app",
    [LIMIT_UNFINISHED] = "unfinished",
    [LIMIT_DAMAGE] = "damage",
};

enum finding_kind
finding_kind_of(struct str word)
{
	int k = 0;

	while (k < FINDING_KINDS && !str_equal(word, str_from(finding_kinds[k].word)))
		k++;
	return (enum finding_kind)k;
}

bool
finding_is_work(enum finding_kind kind)
{
	return functions[kind] == find_work;
}

/* Changes by the user -------------------------------------------------------------- */

static uint32_t
mark_of(struct str name)
{
	enum finding_kind kind = finding_kind_of(name);

	if (str_equal(name, STR("app")))
		return MARK_OWN;
	if (str_equal(name, STR("glue")))
		return MARK_GLUE;
	return kind < FINDING_KINDS && finding_is_work(kind) ? 1u << kind : 0;
}

static bool
rule_pattern(struct finding_rules *r, uint32_t mark, struct str text, struct err *e)
{
	struct pattern *pattern;

	if (!pattern_compile(text, 0, &pattern, e))
		return false;
	pattern_free(pattern);
	*MEM_ADD(r->patterns, r->pattern_count, r->pattern_room) =
	    (struct finding_pattern){mark, mem_text(text)};
	return true;
}

bool
finding_rules_set(struct finding_rules *r, struct str name, struct str value, struct err *e)
{
	enum finding_kind kind = finding_kind_of(name);
	uint32_t mark = mark_of(name);
	struct finding_rule *rule;
	nsec least;

	if (kind == FINDING_KINDS && mark == 0)
		return err_set(e, ERR_MALFORMED, "there is no finding '%.*s'", STR_ARG(name));
	if (mark != 0 && value.n > 0 && (*value.p == '+' || mark == MARK_OWN))
		return rule_pattern(r, mark, *value.p == '+' ? (struct str){value.p + 1, value.n - 1} : value, e);
	if (kind == FINDING_KINDS)
		return err_set(e, ERR_MALFORMED, "expected + and a regular expression");
	rule = &r->kinds[kind];
	if (str_equal(value, STR("off")) || str_equal(value, STR("on"))) {
		rule->off = value.n == 3;
		return true;
	}
	if (!timetext_parse_in(value, STR("ms"), &least, e))
		return err_set(e, ERR_MALFORMED, "expected off, a time as 250ms%s",
		    mark != 0 ? ", or + and a regular expression" : "");
	*rule = (struct finding_rule){.given = true, .least = least};
	return true;
}

void
finding_rules_release(struct finding_rules *r)
{
	for (size_t i = 0; i < r->pattern_count; i++)
		mem_free(r->patterns[i].text);
	mem_free(r->patterns);
	*r = (struct finding_rules){0};
}

/* The judged thread --------------------------------------------------------------- */

/* Sums each thread's CPU time in a range over its nodes; callers come first (tree_next). */
static void
cpu_sum(struct judge *j, const struct range_sums *sums)
{
	const struct tree *tree = &j->profile->tree;
	uint32_t *threads = mem_zero(tree->count, sizeof(*threads)); /* + 1 */

	for (uint32_t t = 0; t < j->profile->stack_count; t++) {
		if (j->profile->stacks[t].started)
			threads[j->profile->stacks[t].root] = t + 1;
	}
	for (uint32_t i = NODE_NONE; (i = tree_next(tree, i)) != NODE_NONE;) {
		if (threads[i] == 0)
			threads[i] = threads[tree_parent(tree, i)];
		if (threads[i] > 0)
			j->cpu[threads[i] - 1] += sums->counts[i].time[CLOCK_CPU];
	}
	mem_free(threads);
}

struct cut_edge {
	struct judge *j;
	nsec at, sign;
};

/* A step that the range cuts counts in proportion here, as in messages. */
static bool
edge_step(void *context, const struct step *step)
{
	struct cut_edge *e = context;

	if (!step->first && step->from[CLOCK_WALL] < e->at && step->to[CLOCK_WALL] > e->at)
		e->j->sums.counts[step->before].time[CLOCK_CPU] +=
		    e->sign * (step_cpu_share(step, e->at) - step_cpu_at(step, e->at));
	return true;
}

/* The counts of the range, of all threads. */
static bool
range_take(struct judge *j)
{
	const struct range *r = &j->query->range;
	struct cut_edge edges[] = {{j, r->from, -1}, {j, r->to, 1}};

	if (!range_count(j->profile, NULL, r, &j->sums, NULL, j->cancel)) {
		j->sums = (struct range_sums){.counts = NULL};
		return false;
	}
	for (int i = 0; i < 2 && trace_has_both(j->profile->trace); i++) {
		if (edges[i].at > j->profile->begin && edges[i].at < j->profile->end &&
		    !replay_window(j->profile, NULL, edges[i].at, edges[i].at, edge_step, &edges[i], j->cancel))
			return false;
	}
	return true;
}

/* Notes how long each thread ran; without the CPU clock, its records; false when cancelled. */
static bool
cpu_take(struct judge *j)
{
	const struct profile *p = j->profile;
	j->cpu = mem_zero(p->stack_count + (size_t)1, sizeof(*j->cpu));
	j->cpu_known = p->trace->log != NULL ? p->trace->log->has_sched
					     : trace_has_clock(p->trace, CLOCK_CPU);
	for (uint32_t t = 0; t < p->stack_count && j->program; t++) {
		const struct thread *row = trace_thread(p->trace, t);

		if (p->stacks[t].started && row->kind != THREAD_ASYNC && !row->aside)
			j->cpu[t] = (nsec)p->stacks[t].records;
	}
	if (p->trace->log != NULL) {
		if (!p->trace->log->has_sched)
			return true;
		j->usage = usage_new(p, NULL, &j->f->range, NULL, j->cancel);
		for (uint32_t t = 0; j->usage != NULL && t < p->stack_count &&
		     t < j->usage->thread_count; t++)
			j->cpu[t] = j->usage->threads[t].ran;
		return j->usage != NULL;
	}
	if (range_is_whole(&j->query->range, p) || !trace_has_clock(p->trace, CLOCK_CPU)) {
		for (uint32_t t = 0; t < p->stack_count; t++) {
			if (p->stacks[t].started)
				j->cpu[t] = trace_has_clock(p->trace, CLOCK_CPU)
				    ? stack_span(&p->stacks[t], CLOCK_CPU) : (nsec)p->stacks[t].records;
		}
		return true;
	}
	if (!range_take(j))
		return false;
	cpu_sum(j, &j->sums);
	return true;
}

/* True if the process has frames, or an app's name while the thread serves no other process. */
static bool
is_app(const struct profile *p, uint32_t thread)
{
	const struct log_process *process =
	    seg_at(&p->trace->log->processes, trace_thread(p->trace, thread)->process - 1);
	static const struct str serving[] = {STR("binder reply"), STR("binder transaction"),
	    STR("AIDL::"), STR("HIDL::")};

	if (process->frames > 0)
		return true;
	if (process->name.n == 0 || memchr(process->name.p, '.', process->name.n) == NULL ||
	    memchr(process->name.p, '/', process->name.n) != NULL ||
	    memchr(process->name.p, '@', process->name.n) != NULL)
		return false;
	for (uint32_t n = tree_child(&p->tree, p->stacks[thread].root); n != NODE_NONE;
	     n = tree_sibling(&p->tree, n)) {
		struct str name = trace_method(p->trace, p->tree.nodes[n].method)->name;

		for (size_t i = 0; i < sizeof(serving) / sizeof(serving[0]); i++) {
			if (str_starts(name, serving[i]))
				return false;
		}
	}
	return true;
}

static bool
has_frames(const struct profile *p, uint32_t thread)
{
	uint32_t process = trace_thread(p->trace, thread)->process;

	return process != 0 && ((const struct log_process *)seg_at(&p->trace->log->processes, process - 1))->frames > 0;
}

static bool
is_process(const struct trace *t, uint32_t thread)
{
	const struct thread *row = trace_thread(t, thread);

	return row->process != 0 && row->kind == THREAD_TASK && row->id ==
	    ((const struct log_process *)seg_at(&t->log->processes, row->process - 1))->pid;
}

void
finding_scope(struct finding_query *q, const struct profile *p, const struct scope *scope,
    bool of_process)
{
	uint32_t app = trace_main_thread(p->trace), most = THREAD_NONE;
	bool main = false; /* most is a main thread */

	q->thread = THREAD_NONE;
	q->named = NAMED_NONE;
	if (scope == NULL)
		return;
	for (uint32_t t = 0; t < p->stack_count; t++) {
		bool is_main = t == app || is_process(p->trace, t);

		if (!scope_has(scope, t) || !profile_met(p, t) || (main && !is_main))
			continue;
		if (most == THREAD_NONE || (is_main && !main) || t == app ||
		    (most != app && p->stacks[t].records > p->stacks[most].records))
			most = t;
		main |= is_main;
	}
	q->thread = most;
	q->named = of_process ? NAMED_PROCESS : NAMED_THREAD;
}

/* The thread to judge; without a main thread the busiest one of a method trace. */
static void
thread_choose(struct judge *j)
{
	const struct profile *p = j->profile;
	struct findings *f = j->f;
	uint32_t app = trace_main_thread(p->trace), busiest = THREAD_NONE;

	for (uint32_t t = 0; t < p->stack_count; t++) {
		if (p->stacks[t].started && (busiest == THREAD_NONE || j->cpu[t] > j->cpu[busiest]))
			busiest = t;
	}
	f->limits.busiest = busiest;
	f->thread = j->query->named != NAMED_NONE ? j->query->thread : app;
	if (f->thread != THREAD_NONE && (!profile_met(p, f->thread) || (j->query->named == NAMED_NONE &&
		p->trace->log != NULL && !is_app(p, f->thread))))
		f->thread = THREAD_NONE;
	/* Frames make it an app, told by a system. */
	j->program &= busiest != THREAD_NONE && j->cpu[busiest] > 0 &&
	    (f->thread == THREAD_NONE || j->query->named != NAMED_NONE || !has_frames(p, f->thread));
	if (j->program && j->query->named == NAMED_NONE)
		f->thread = THREAD_NONE;
	f->is_main = f->thread != THREAD_NONE && !j->program &&
	    (f->thread == app || is_process(p->trace, f->thread));
	if (f->thread != THREAD_NONE || j->query->named != NAMED_NONE)
		return;
	f->limits.set[p->trace->log != NULL && !j->program ? LIMIT_NO_APP : LIMIT_NO_MAIN] = true;
	f->thread = p->trace->log != NULL && !j->program ? THREAD_NONE : busiest;
}

/* Late rows in order of time. */
static int
late_row_order(const void *left, const void *right)
{
	const struct late_row *a = left, *b = right;

	return order_then(ORDER(a->from, b->from), ORDER(a->to, b->to));
}

/*
 * Takes the frames of a log: those of the judged process.  Late are those by the app's fault,
 * where SurfaceFlinger tells it, and others that drew and ended late.  False when cancelled.
 */
static bool
rows_take(struct judge *j)
{
	const struct profile *p = j->profile;
	struct messages *m = &j->m;
	struct scope *scope;
	struct jank *jank;
	struct err e = {0};
	nsec over;

	if (p->trace->log == NULL)
		return true;
	scope = scope_of_thread(p, j->f->thread);
	jank = jank_find(p, &(struct jank_query){.range = j->f->range, .scope = scope,
	    .budget = j->query->budget}, j->cancel, &e);
	scope_free(scope);
	if (jank == NULL)
		return false;
	m->frame_budget = j->f->frame_budget = jank->budget;
	m->by_rows = true;
	m->late_rows = mem_alloc(jank->count * sizeof(*m->late_rows) + 1);
	for (uint32_t i = 0; i < jank->count; i++) {
		const struct jank_frame *f = &jank->frames[i];
		const bool told = f->source == JANK_TIMELINE;
		nsec end = f->start + f->time[CLOCK_WALL];

		m->row_count += f->source != JANK_DISPLAY;
		if (f->source == JANK_DISPLAY || f->drew == 0 || f->open || (told ? (f->janks & (LOG_JANK_APP_MISSED | LOG_JANK_APP_RESYNCED)) == 0
				     : !f->slow))
			continue;
		m->late_rows[m->late_row_count++] = (struct late_row){f->start,
		    jank_over(f, CLOCK_WALL, &over) && over > 0 ? f->deadline : end, end, told, f->janks,
		    f->cause};
	}
	mem_sort(m->late_rows, m->late_row_count, sizeof(*m->late_rows), late_row_order);
	jank_free(jank);
	return true;
}

/* Limits of the answer ------------------------------------------------------------- */

static void
limits_find(struct judge *j)
{
	static const enum damage_kind damages[] = {DAMAGE_BUFFER_OVERFLOW, DAMAGE_TRUNCATED_FILE,
	    DAMAGE_UNREADABLE_DATA, DAMAGE_SKIPPED_PACKET,
	    DAMAGE_LOST_RECORDS, DAMAGE_MERGED_CALL, DAMAGE_HIDDEN_WRAP, DAMAGE_BACKWARD_CLOCK};
	const struct profile *p = j->profile;
	struct finding_limits *l = &j->f->limits;
	const bool log = p->trace->log != NULL;

	if (j->judged) {
		l->of = j->cpu_known ? j->cpu[j->f->thread] : j->f->busy;
		l->tracing = j->overhead * (nsec)j->m.records;
		l->set[LIMIT_TRACING] = !log && 5 * l->tracing >= l->of && l->tracing >= 5000000;
		l->set[LIMIT_ONE_MESSAGE] = !log && j->f->is_main && !j->m.looped && j->m.count == 1;
		l->unfinished = log ? j->m.unfinished : 0;
		l->set[LIMIT_UNFINISHED] = l->unfinished > 0;
	}
	l->set[LIMIT_SAMPLED] = j->sampled;
	l->set[LIMIT_CPU_ONLY] = !log && !trace_has_clock(p->trace, CLOCK_WALL);
	l->set[LIMIT_NO_SCHED] = log && !j->program && p->trace->log->sched.switches == 0;
	for (size_t i = sizeof(damages) / sizeof(damages[0]); i-- > 0;) {
		uint64_t least = damages[i] == DAMAGE_BACKWARD_CLOCK && j->judged
		    ? p->stacks[j->f->thread].records / 100 : 0;

		if (p->damage.kind[damages[i]].count > least) {
			l->set[LIMIT_DAMAGE] = true;
			l->damage = damages[i];
		}
	}
}

/* All ------------------------------------------------------------------------------ */

static int
finding_order(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;

	return order_then(ORDER(b->late, a->late),
	    order_then((b->kind == FINDING_NONE) - (a->kind == FINDING_NONE),
		order_then(ORDER(b->time, a->time), ORDER(a->kind, b->kind))));
}

static void
kind_find(struct judge *j, enum finding_kind kind)
{
	struct findings *f = j->f;
	const struct finding_rule *rule = &j->query->rules->kinds[kind];
	struct finding one = {.kind = kind, .thread = f->thread, .method = METHOD_NONE,
	    .caller = METHOD_NONE, .length = -1, .blocker = THREAD_NONE,
	    .cause = {.kind = FINDING_KINDS, .method = METHOD_NONE, .caller = METHOD_NONE,
		.under = METHOD_NONE}};

	if (j->judged && f->thread != THREAD_NONE)
		one.process = trace_thread(j->profile->trace, f->thread)->process;
	if (rule->off || !functions[kind](j, kind, &one))
		return;
	f->list[f->count++] = one;
	j->fired |= 1u << kind & MARK_WORK;
	j->late |= one.late > 0;
}

static void
judge_messages(struct judge *j)
{
	struct findings *f = j->f;
	struct messages *m = &j->m;

	f->messages = m->count;
	f->late_messages = m->late_count;
	f->busy = m->busy;
	f->late = m->late;
	f->longest = m->longest.time;
	f->frames = m->frames.count;
	f->frames_late = m->frames.late;
	f->frames_over = m->frames.over;
	f->late_counts = m->late_count > 0 && (f->longest >= NOTICED ||
	    (m->late_time >= 3 * f->budget && 20 * m->late_time >= f->busy));
	f->judged = f->late_counts ? m->late_time : f->busy;
}

static bool
judge_all(struct judge *j, struct err *e)
{
	struct findings *f = j->f;
	struct messages *m = &j->m;

	if (!cpu_take(j))
		return false;
	thread_choose(j);
	j->judged = f->thread != THREAD_NONE;
	f->program = j->program;
	f->budget = j->query->budget > 0 ? j->query->budget : FINDING_BUDGET;
	f->frame_budget = f->budget;
	if (j->judged) {
		*m = (struct messages){.profile = j->profile, .thread = f->thread,
		    .range = j->query->range, .budget = f->budget,
		    .frame_budget = f->frame_budget};
		m->from[LENGTH_STALL] = judge_least(j, FINDING_STALL);
		m->from[LENGTH_ANR] = judge_least(j, FINDING_ANR);
		m->marks = marks_new(j->profile->trace, j->query->rules, e);
		if (m->marks == NULL)
			return false;
		/* Messages are of time. */
		m->looper = f->messages_known = (messages_look(m) || f->is_main) &&
		    !unit_counts(&j->profile->trace->unit);
		if (!rows_take(j) || !messages_find(m, j->cancel))
			return false;
		judge_messages(j);
	}
	f->list = mem_zero(FINDING_KINDS, sizeof(*f->list));
	for (int k = 0; k < FINDING_KINDS; k++) {
		if (k != FINDING_NONE)
			kind_find(j, (enum finding_kind)k);
	}
	kind_find(j, FINDING_NONE);
	limits_find(j);
	qsort(f->list, f->count, sizeof(*f->list), finding_order);
	return true;
}

struct findings *
findings_find(const struct profile *p, const struct finding_query *q, const atomic_bool *cancel,
    struct err *e)
{
	struct judge j = {.profile = p, .query = q, .cancel = cancel,
	    .f = mem_zero(1, sizeof(struct findings)), .sampled = p->sampled.yes};
	struct str overhead = trace_property(p->trace, "clock-call-overhead-nsec");
	uint64_t ns = 0;
	bool done;

	/* Its records are of no thread's lines: a program told them of itself. */
	j.program = p->trace->log != NULL && p->trace->log->sched.switches == 0 &&
	    p->trace->log->summary.threads == 0;
	if (overhead.n > 0 && !j.sampled)
		digits_take(overhead.p, overhead.p + overhead.n, 9, &ns);
	j.overhead = (nsec)ns;
	j.f->whole = range_is_whole(&q->range, p);
	j.f->range = range_within(&q->range, p->begin, p->end);
	done = judge_all(&j, e);
	marks_free(j.m.marks);
	messages_release(&j.m);
	mem_free(j.m.late_rows);
	if (j.sums.counts != NULL)
		range_release(&j.sums);
	usage_free(j.usage);
	mem_free(j.cpu);
	if (done)
		return j.f;
	findings_free(j.f);
	return NULL;
}

void
findings_free(struct findings *f)
{
	if (f == NULL)
		return;
	mem_free(f->list);
	mem_free(f);
}
