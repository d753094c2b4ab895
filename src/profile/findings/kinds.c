// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/findings/kinds.h"

#include <string.h>

#include "base/mem.h"
#include "profile/log/waits.h"
#include "profile/timeline/calls.h"
#include "trace/log.h"

nsec
judge_least(const struct judge *j, enum finding_kind kind)
{
	const struct finding_rule *rule = &j->query->rules->kinds[kind];

	if (rule->given)
		return rule->least;
	/* A program may be as short as it likes, and what is counted is no time. */
	if (j->program && (kind == FINDING_SLEEP || kind == FINDING_WAIT))
		return j->f->busy / 10;
	if (kind == FINDING_HOT && (j->program || unit_counts(&j->profile->trace->unit)))
		return 1;
	if (finding_kinds[kind].least > 0)
		return finding_kinds[kind].least * INT64_C(1000000);
	return kind == FINDING_FRAMES ? j->f->frame_budget : j->f->budget;
}

/* Returns late messages if they count, else all: what causes are a part of. */
static const struct loop_sums *
judged_sums(const struct judge *j)
{
	return j->f->late_counts ? &j->m.latest : &j->m.all;
}

/* Events -------------------------------------------------------------------------- */

/* True if late frames have a finding of their own. */
static bool
frames_fire(const struct judge *j)
{
	return j->f->messages_known && !j->query->rules->kinds[FINDING_FRAMES].off &&
	    j->m.frames_apart.late > 0 && j->m.frames_apart.over >= judge_least(j, FINDING_FRAMES);
}

/* The messages of a kind; late ones of late frames count as late where frames are not told of. */
static const struct message_group *
messages_of(struct judge *j, enum finding_kind kind, struct finding *f)
{
	struct message_group *groups = j->m.groups;
	const struct message_group *g = &groups[kind == FINDING_ANR ? LENGTH_ANR
	    : kind == FINDING_STALL                                 ? LENGTH_STALL
								    : LENGTH_LATE];
	const struct message_group *other = kind == FINDING_LATE && !frames_fire(j)
	    ? &groups[LENGTH_FRAMES] : NULL;

	for (int i = 0; i < (other != NULL ? 2 : 1); i++) {
		const struct message_group *of = i == 0 ? g : other;

		f->count += of->count;
		f->blocked += of->blocked;
		f->framed += kind != FINDING_LATE ? of->framed : 0; /* frames tells of those */
		f->time += of->time;
		f->late += of->over;
	}
	return other != NULL && other->longest.time > g->longest.time ? other : g;
}

bool
find_messages(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct message_group *g = messages_of(j, kind, f);
	const struct finding_rule *rule = &j->query->rules->kinds[kind];
	const struct message *m = &g->longest;
	nsec state[FINDING_KINDS] = {0};

	if (!j->f->messages_known || f->count == 0)
		return false;
	if (kind == FINDING_LATE && (f->time < 3 * j->f->budget || 20 * f->time < j->f->busy ||
	    !j->f->late_counts || (rule->given && m->time < rule->least)))
		return false;
	f->start = m->start;
	f->length = m->time;
	f->cpu = m->cpu;
	f->tracing = (nsec)m->records * j->overhead;
	memcpy(f->state, m->state, sizeof(f->state));
	state[FINDING_WAIT] = m->waited;
	state[FINDING_RUNNABLE] = m->state[JANK_RUNNABLE];
	state[FINDING_DISK] = m->state[JANK_BLOCKED];
	cause_find(j, &g->sums, m->time, state, &f->cause);
	f->method = f->cause.method;
	return true;
}

bool
find_frames(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct frame_sum *s = &j->m.frames_apart;
	static const nsec none[FINDING_KINDS];

	if (!frames_fire(j))
		return false;
	f->late = s->over;
	f->time = s->time;
	f->count = s->late;
	f->of = j->m.frames.count;
	f->framed = j->m.frames.late - s->late;
	f->start = s->worst_at;
	f->length = s->worst;
	f->worst_over = s->worst_over;
	f->janks = s->worst_janks;
	f->most = s->worst_cause;
	if (!j->m.by_rows)
		cause_find(j, &j->m.frame, s->worst, none, &f->cause);
	f->method = f->cause.method;
	return true;
}

bool
find_none(struct judge *j, enum finding_kind kind, struct finding *f)
{
	if (!j->f->messages_known || j->late)
		return false;
	f->count = j->m.frames.late;
	f->of = j->m.frames.count;
	if (j->m.count == 0)
		return true;
	f->time = f->length = j->m.longest.time;
	f->start = j->m.longest.start;
	f->cpu = j->m.longest.cpu;
	return true;
}

/* Causes -------------------------------------------------------------------------- */

/*
 * A method of no class that is off the CPU for most of its own time, if that is more than the
 * time of the class "wait" so far: it waits for a device, or in the kernel.
 */
static void
wait_unnamed(const struct judge *j, struct finding *f)
{
	const struct loop_sums *s = judged_sums(j);
	struct waited {
		nsec own, off, late;
	} *sums = mem_zero(j->m.method_count, sizeof(*sums));
	uint32_t most = METHOD_NONE;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct sum *item = &s->items[i];
		const struct node_marks *marks = &j->m.nodes[item->node];
		struct waited *w = &sums[method_at(j, item)];

		if ((marks->inside & MARK_WORK) != 0 || (marks->own & MARK_LOOPER) != 0 ||
		    method_at(j, item) == METHOD_TOPLEVEL)
			continue;
		w->own += item->own;
		w->off += item->own - item->cpu;
		w->late += item->own > 0
		    ? (nsec)((double)item->own_late * (double)(item->own - item->cpu) / (double)item->own) : 0;
	}
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count; m++) {
		if (10 * sums[m].off >= 8 * sums[m].own && sums[m].off > f->time &&
		    (most == METHOD_NONE || sums[m].off > sums[most].off))
			most = m;
	}
	if (most != METHOD_NONE) {
		f->method = most;
		f->caller = METHOD_NONE;
		f->time = f->method_time = sums[most].off;
		f->late = sums[most].late;
	}
	mem_free(sums);
}

/* The judged thread's calls of a method, so many of them; NULL when cancelled. */
static struct calls *
judged_calls(const struct judge *j, uint32_t method, uint32_t keep)
{
	struct scope *scope = scope_of_thread(j->profile, j->f->thread);
	struct calls_query q = {.scope = scope, .range = j->query->range, .method = method,
	    .clock = j->profile->axis, .keep = keep};
	struct calls *calls;

	calls = calls_find(j->profile, &q, NULL, j->cancel);
	scope_free(scope);
	return calls;
}

/* The longest call of the finding's method is its place. */
static void
longest_call(const struct judge *j, struct finding *f)
{
	struct calls *calls = judged_calls(j, f->method, 1);

	if (calls != NULL && calls->row_count > 0) {
		f->count = calls->count;
		f->start = calls->rows[0].start;
		f->length = calls->rows[0].time[j->profile->axis];
	}
	calls_free(calls);
}

/* Time and late ms of a class, and its method and caller; of a log some are states of the thread. */
static void
work_take(const struct judge *j, enum finding_kind kind, const struct work *work, struct finding *f)
{
	const struct loop_sums *s = judged_sums(j);
	struct tallied method = {METHOD_NONE, 0}, caller = method;
	const bool log = j->profile->trace->log != NULL;

	f->count = work->count;
	f->start = work->at;
	f->length = work->count > 0 ? work->longest : -1;
	if (kind == FINDING_RUNNABLE || kind == FINDING_DISK || (kind == FINDING_WAIT && log)) {
		f->time = work->time;
		f->late = work->late;
		if (kind == FINDING_WAIT)
			method = asleep_most(j, s);
	} else {
		f->time = work_time(j, s, kind, &f->late);
		work_methods(j, s, kind, &method, &caller);
	}
	f->method = method.method;
	f->method_time = method.time;
	f->caller = caller.method;
	f->caller_time = caller.time;
	if (kind == FINDING_WAIT && trace_has_both(j->profile->trace) && !log) {
		nsec named = f->time;

		wait_unnamed(j, f);
		if (f->time > named)
			longest_call(j, f);
	}
}

/* The thread that had the core for most of the longest wait for one. */
static void
blocker_find(const struct judge *j, struct finding *f)
{
	uint32_t count = trace_thread_count(j->profile->trace);
	nsec *held = mem_zero(count, sizeof(*held));
	struct waits waits = {.rows = NULL};

	if (!waits_find(j->profile, f->thread, f->start + f->length / 2, &waits, j->cancel))
		waits.count = 0;
	for (size_t i = 0; i < waits.count; i++) {
		const struct wait_row *row = &waits.rows[i];

		if (row->kind != WAIT_HELD || row->thread >= count)
			continue;
		held[row->thread] += row->to - row->from;
		if (held[row->thread] > f->blocker_time) {
			f->blocker = row->thread;
			f->blocker_time = held[row->thread];
		}
	}
	waits_release(&waits);
	mem_free(held);
}

bool
find_work(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const uint32_t waits = 1u << FINDING_SLEEP | 1u << FINDING_WAIT | 1u << FINDING_RENDER |
	    1u << FINDING_GC | 1u << FINDING_RUNNABLE | 1u << FINDING_DISK;
	const int share = kind == FINDING_RUNNABLE || kind == FINDING_DISK ? 15
	    : kind == FINDING_SLEEP || kind == FINDING_WAIT                ? 5
									   : 10;
	const bool alone = j->program || (j->query->named == NAMED_THREAD && !j->f->messages_known);

	if (!j->judged || ((waits >> kind & 1) != 0 && !j->f->late_counts && !alone))
		return false;
	work_take(j, kind, j->f->late_counts ? &j->m.works_late[kind] : &j->m.works_all[kind], f);
	if (!j->f->late_counts)
		f->late = 0;
	f->whole = j->f->judged;
	if (kind == FINDING_RUNNABLE && f->length > 0)
		blocker_find(j, f);
	return f->time > 0 && f->time >= judge_least(j, kind) && 100 * f->time >= share * j->f->judged;
}

/* True if another finding names this path already, with 90 % of its time. */
static bool
path_is_told(const struct judge *j, const struct finding_cause *path)
{
	for (uint32_t i = 0; i < j->f->count; i++) {
		const struct finding *f = &j->f->list[i];
		uint32_t named[4] = {f->method, f->cause.method}, count = 2;

		for (uint32_t k = 0; k < f->cause.part_count && f->cause.by == CAUSE_SPLIT; k++)
			named[count++] = f->cause.parts[k].method;
		for (uint32_t k = 0; k < count; k++) {
			if (named[k] != METHOD_NONE && (named[k] == path->method ||
				10 * shared_time(j, judged_sums(j), named[k], path->method) >= 9 * path->time))
				return true;
		}
	}
	return false;
}

bool
find_path(struct judge *j, enum finding_kind kind, struct finding *f)
{
	struct finding_cause *c = &f->cause;
	const uint64_t messages = j->f->late_counts ? j->m.late_count : j->m.count;

	if (!j->judged || !j->f->messages_known || messages < 2)
		return false;
	cause_path(j, judged_sums(j), j->f->judged, c, &f->late);
	if (c->method == METHOD_NONE || 2 * c->time < j->f->judged || c->time < judge_least(j, kind) ||
	    (marks_of(j->m.marks, c->method) & j->fired) != 0 || path_is_told(j, c))
		return false;
	f->time = c->time;
	f->whole = j->f->judged;
	f->method = c->method;
	if (!j->f->late_counts)
		f->late = 0;
	return true;
}

/* Costs --------------------------------------------------------------------------- */

/* A method on the judged thread, in all messages. */
struct kind_cost {
	nsec self, time; /* self: on the CPU, where that is known */
	uint64_t calls, made, below; /* made: by it itself */
	bool own; /* the app's, or called by it */
};

static struct kind_cost *
costs_new(const struct judge *j, bool cpu)
{
	const struct loop_sums *s = &j->m.all;
	struct kind_cost *costs = mem_zero(j->m.method_count, sizeof(*costs));

	for (uint32_t i = 0; i < s->count; i++) {
		const struct sum *item = &s->items[i];
		const struct node_marks *marks = &j->m.nodes[item->node];
		struct kind_cost *c = &costs[method_at(j, item)];

		c->self += cpu ? item->cpu : item->own;
		c->calls += item->calls;
		if (item->parent != 0)
			costs[method_at(j, &s->items[item->parent - 1])].made += item->calls;
		if ((marks->own & MARK_FIRST) != 0) {
			c->time += item->time;
			c->below += item->below;
		}
		c->own |= (marks->inside & MARK_OWN) != 0;
	}
	return costs;
}

bool
find_hot(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const bool cpu = trace_has_clock(j->profile->trace, CLOCK_CPU);
	const uint32_t not = MARK_LOOPER | 1u << FINDING_SLEEP | 1u << FINDING_WAIT;
	struct kind_cost *costs;
	uint32_t most = METHOD_NONE;
	nsec most_net = 0;

	if (!j->judged || (j->profile->trace->log != NULL && !j->program))
		return false;
	costs = costs_new(j, cpu);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count; m++) {
		nsec net = costs[m].self - j->overhead * (nsec)(costs[m].calls + costs[m].made);

		if (net > 0 && net >= most_net && (marks_of(j->m.marks, m) & not) == 0) {
			most = m;
			most_net = net;
		}
	}
	f->whole = cpu ? j->m.cpu : j->m.busy;
	f->time = f->net = most_net;
	if (most != METHOD_NONE) {
		f->method = most;
		f->count = costs[most].calls;
		f->method_time = costs[most].self;
	}
	mem_free(costs);
	return most != METHOD_NONE && 10 * most_net >= f->whole &&
	    most_net >= judge_least(j, kind) && (marks_of(j->m.marks, most) & j->fired) == 0;
}

bool
find_calls(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const uint64_t frames = j->m.frames.count;
	struct kind_cost *costs;
	uint32_t most = METHOD_NONE;

	if (!j->judged || j->sampled)
		return false;
	costs = costs_new(j, true);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count; m++) {
		const struct kind_cost *c = &costs[m];
		nsec net = c->time - 2 * j->overhead * (nsec)c->below;

		if ((c->calls >= 1000 || (c->own && frames >= 30 && c->calls >= 2 * frames)) &&
		    10 * net >= j->m.busy && net >= judge_least(j, kind) &&
		    (marks_of(j->m.marks, m) & (MARK_GLUE | MARK_LOOPER | j->fired)) == 0 &&
		    (most == METHOD_NONE || c->time > costs[most].time))
			most = m;
	}
	if (most != METHOD_NONE) {
		f->method = most;
		f->time = costs[most].time;
		f->count = costs[most].calls;
		f->of = frames;
		f->net = f->time - 2 * j->overhead * (nsec)costs[most].below;
	}
	mem_free(costs);
	return most != METHOD_NONE;
}

/* Where a thread of a method trace spent most of its CPU time in the range. */
static struct tallied
busiest_method(const struct judge *j, uint32_t thread)
{
	const struct tree *tree = &j->profile->tree;
	bool *in = mem_zero(tree->count, sizeof(*in));
	struct kind_tally t = {0};

	in[j->profile->stacks[thread].root] = true;
	for (uint32_t i = NODE_NONE; (i = tree_next(tree, i)) != NODE_NONE;) {
		in[i] |= in[tree_parent(tree, i)];
		if (in[i] && tree->nodes[i].method != METHOD_TOPLEVEL)
			tally_add(&t, j->profile->trace, tree->nodes[i].method,
			    (j->sums.counts != NULL ? j->sums.counts[i].time : tree->nodes[i].time)[CLOCK_CPU]);
	}
	mem_free(in);
	return tally_most(&t);
}

bool
find_thread(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct trace *trace = j->profile->trace;
	uint32_t m = j->f->thread, most = THREAD_NONE;
	struct tallied method;
	nsec all = 0;

	if (!j->judged || !j->cpu_known || j->query->named == NAMED_THREAD)
		return false;
	for (uint32_t t = 0; t < j->profile->stack_count; t++) {
		if (t != m && (trace->log == NULL || trace_is_beside(trace, m, t)) &&
		    (most == THREAD_NONE || j->cpu[t] > j->cpu[most]))
			most = t;
		all += j->cpu[t];
	}
	if (trace_has_clock(trace, CLOCK_WALL))
		all = j->f->range.to - j->f->range.from;
	if (most == THREAD_NONE || 2 * j->cpu[most] < 3 * j->cpu[m] || 5 * j->cpu[most] < all ||
	    j->cpu[most] < judge_least(j, kind))
		return false;
	f->thread = most;
	f->time = f->cpu = j->cpu[most];
	f->whole = j->cpu[m];
	if (trace->log == NULL) {
		method = busiest_method(j, most);
		f->method = method.method;
		f->method_time = method.time;
	}
	return true;
}

/* True for processes that are part of every trace of a whole system. */
static bool
is_system(const struct log *log, uint32_t process)
{
	const struct log_process *p = seg_at(&log->processes, process - 1);

	return p->pid == 0 || str_equal(p->name, STR("system_server")) ||
	    str_ends(p->name, STR("surfaceflinger"));
}

bool
find_process(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct trace *trace = j->profile->trace;
	uint32_t app = j->judged ? trace_thread(trace, j->f->thread)->process : 0;
	nsec length = j->f->range.to - j->f->range.from;
	uint32_t most = 0;

	if (j->usage == NULL || length < INT64_C(100000000) || j->query->named != NAMED_NONE)
		return false;
	for (uint32_t p = 1; p < j->usage->process_count; p++) {
		if (p != app && !is_system(trace->log, p) && j->usage->processes[p].ran > 0 &&
		    (most == 0 || j->usage->processes[p].ran > j->usage->processes[most].ran))
			most = p;
	}
	if (most == 0 || 4 * j->usage->processes[most].ran < length)
		return false;
	f->process = most;
	f->thread = THREAD_NONE;
	f->time = f->cpu = j->usage->processes[most].ran;
	f->whole = app != 0 ? j->usage->processes[app].ran : 0;
	f->of = (uint64_t)length;
	return true;
}

/* How often a method is open on the stacks of the judged thread. */
struct stacks {
	uint32_t *open;  /* by method: on the present one */
	uint32_t deepest, depth, most; /* depth: of the present one */
	uint32_t method; /* that was open `most` times */
};

static void
stack_enter(const struct judge *j, struct stacks *s, uint32_t item)
{
	uint32_t method = method_at(j, &j->m.all.items[item]);

	if (method == METHOD_TOPLEVEL)
		return;
	if (++s->open[method] > s->most) {
		s->most = s->open[method];
		s->method = method;
	}
	if (++s->depth > s->deepest)
		s->deepest = s->depth;
}

static void
stack_leave(const struct judge *j, struct stacks *s, uint32_t item)
{
	uint32_t method = method_at(j, &j->m.all.items[item]);

	s->depth -= method != METHOD_TOPLEVEL;
	s->open[method] -= method != METHOD_TOPLEVEL;
}

/* Goes through all stacks below an outermost call. */
static void
stacks_walk(const struct judge *j, struct stacks *s, uint32_t root)
{
	const struct sum *items = j->m.all.items;
	uint32_t at = root;

	for (;;) {
		stack_enter(j, s, at);
		if (items[at].child != 0) {
			at = items[at].child - 1;
			continue;
		}
		while (stack_leave(j, s, at), at != root && items[at].sibling == 0)
			at = items[at].parent - 1;
		if (at == root)
			return;
		at = items[at].sibling - 1;
	}
}

bool
find_recursion(struct judge *j, enum finding_kind kind, struct finding *f)
{
	enum { DEEP = 400 };
	struct stacks s = {.open = NULL};
	struct kind_cost *costs;
	nsec least = judge_least(j, kind);

	if (!j->judged)
		return false;
	s.open = mem_zero(j->m.method_count, sizeof(*s.open));
	for (uint32_t i = 0; i < j->m.all.count; i++)
		if (j->m.all.items[i].parent == 0)
			stacks_walk(j, &s, i);
	mem_free(s.open);
	if (s.most < RECURSION_LEAST && s.deepest < DEEP)
		return false;
	costs = costs_new(j, true);
	f->method = s.method;
	f->time = costs[s.method].time;
	f->of = s.deepest;
	f->whole = j->m.busy;
	mem_free(costs);
	longest_call(j, f);
	f->count = s.most; /* not of calls */
	return 10 * f->time >= f->whole && f->time >= least;
}

/* Most starts within a second; `*at` is the first of them, `*to` the last. */
static uint32_t
densest(const struct calls *calls, uint32_t *at, uint32_t *to)
{
	enum { SECOND = 1000000000 };
	uint32_t most = 0;

	for (uint32_t first = 0, last = 0; last < calls->row_count; last++) {
		while (calls->rows[last].start - calls->rows[first].start > SECOND)
			first++;
		if (last - first + 1 > most) {
			most = last - first + 1;
			*at = first;
			*to = last;
		}
	}
	return most;
}

bool
find_threads(struct judge *j, enum finding_kind kind, struct finding *f)
{
	enum { STARTS_LEAST = 20 };
	const struct trace *trace = j->profile->trace;
	struct calls *calls = NULL;
	uint32_t at = 0, to = 0;

	if (!j->judged || j->sampled || trace->log != NULL)
		return false;
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count && calls == NULL; m++) {
		const struct method *method = trace_method(trace, m);

		if (!str_equal(method->name, STR("start")) ||
		    (!str_equal(method->class_name, STR("java.lang.Thread")) &&
			!str_equal(method->class_name, STR("java/lang/Thread"))))
			continue;
		calls = judged_calls(j, m, 0);
		f->method = m;
	}
	if (calls == NULL)
		return false;
	f->count = calls->count;
	f->time = f->method_time = calls->inclusive[j->profile->axis];
	f->of = densest(calls, &at, &to);
	if (calls->row_count > 0) {
		const struct call_row *last = &calls->rows[to];

		f->start = calls->rows[at].start;
		f->length = last->start + last->time[j->profile->axis] - f->start;
	}
	calls_free(calls);
	return f->count > 0 && (f->of >= STARTS_LEAST || f->time >= judge_least(j, kind));
}
