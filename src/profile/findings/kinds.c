// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/findings/kinds.h"

#include <string.h>

#include "base/mem.h"
#include "trace/log.h"

/* Methods with a time each; those of one name in a class are one. */
struct kind_tally {
	struct idmap places; /* by method */
	struct intern names;
	struct tallied {
		uint32_t method;
		nsec time;
	} *items;
	size_t count, room;
};

static void
tally_add(struct kind_tally *t, const struct trace *trace, uint32_t method, nsec time)
{
	const struct method *m;
	uint32_t at;

	if (method == METHOD_NONE)
		return;
	at = idmap_get(&t->places, method);
	if (at == IDMAP_NONE) {
		m = trace_method(trace, method);
		/* Names are the kind of names: each class has its own. */
		at = intern_add(&t->names, m->name, intern_add(&t->names, m->class_name, 0) + UINT64_C(1));
		idmap_put(&t->places, method, at);
	}
	MEM_GROW(t->items, t->room, at + (size_t)1);
	while (t->count <= at)
		t->items[t->count++] = (struct tallied){.method = METHOD_NONE};
	t->items[at].method = method;
	t->items[at].time += time;
}

/* That with the most; the tally is released. */
static struct tallied
tally_most(struct kind_tally *t)
{
	struct tallied most = {METHOD_NONE, 0};

	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].method != METHOD_NONE &&
		    (most.method == METHOD_NONE || t->items[i].time > most.time))
			most = t->items[i];
	}
	idmap_release(&t->places);
	intern_release(&t->names);
	mem_free(t->items);
	return most;
}

nsec
judge_least(const struct judge *j, enum finding_kind kind)
{
	const struct finding_rule *rule = &j->query->rules->kinds[kind];

	if (rule->given)
		return rule->least;
	return finding_kinds[kind].least > 0 ? finding_kinds[kind].least * INT64_C(1000000)
					     : j->f->budget;
}

/* What causes are a part of: late time, or all where nothing was late. */
static const struct loop_sums *
judged_sums(const struct judge *j)
{
	return j->f->significant ? &j->m.latest : &j->m.all;
}

static nsec
judged_time(const struct judge *j)
{
	return j->f->significant ? j->f->late : j->f->busy;
}

static uint32_t
method_at(const struct judge *j, const struct sum *item)
{
	return j->profile->tree.nodes[item->node].method;
}

/* Is the node the outermost call of its class? */
static bool
is_outermost(const struct judge *j, uint32_t node, enum finding_kind kind)
{
	const struct node_marks *nodes = j->m.nodes;

	return (nodes[node].own >> kind & 1) != 0 &&
	    (nodes[tree_parent(&j->profile->tree, node)].inside >> kind & 1) == 0;
}

/* Causes -------------------------------------------------------------------------- */

static nsec
work_time(const struct judge *j, const struct loop_sums *s, enum finding_kind kind)
{
	nsec time = 0;

	for (uint32_t i = 0; i < s->count; i++)
		time += is_outermost(j, s->items[i].node, kind) ? s->items[i].time : 0;
	return time;
}

static bool
same_name(const struct judge *j, uint32_t a, uint32_t b)
{
	const struct method *m = trace_method(j->profile->trace, a);
	const struct method *n = trace_method(j->profile->trace, b);

	return a == b || (str_equal(m->name, n->name) && str_equal(m->class_name, n->class_name));
}

/* The method of a class with the most time, and the caller of the app's own with most of that. */
static void
work_methods(const struct judge *j, const struct loop_sums *s, enum finding_kind kind,
    struct tallied *method, struct tallied *caller)
{
	struct kind_tally methods = {0}, callers = {0};

	for (uint32_t i = 0; i < s->count; i++) {
		if (is_outermost(j, s->items[i].node, kind))
			tally_add(&methods, j->profile->trace, method_at(j, &s->items[i]), s->items[i].time);
	}
	*method = tally_most(&methods);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct sum *item = &s->items[i];

		if (is_outermost(j, item->node, kind) && same_name(j, method_at(j, item), method->method))
			tally_add(&callers, j->profile->trace, j->m.nodes[item->node].caller, item->time);
	}
	*caller = tally_most(&callers);
}

/* A frame of a path. */
struct kind_frame {
	uint32_t method; /* METHOD_NONE: there is none */
	nsec time;
};

/* Items that are one path: adopted frames may be beside those that were entered. */
struct level {
	const struct sum **items;
	size_t count, room;
};

/* The callee with the most time, if that is half of the whole; `to` gets its items. */
static struct kind_frame
level_down(const struct judge *j, const struct loop_sums *s, const struct level *from, nsec whole,
    struct level *to)
{
	struct kind_tally callees = {0};
	struct tallied most;

	for (size_t i = 0; i < from->count; i++) {
		for (uint32_t at = from->items[i]->child; at != 0; at = s->items[at - 1].sibling)
			tally_add(&callees, j->profile->trace, method_at(j, &s->items[at - 1]),
			    s->items[at - 1].time);
	}
	most = tally_most(&callees);
	to->count = 0;
	if (most.method == METHOD_NONE || 2 * most.time < whole)
		return (struct kind_frame){METHOD_NONE, 0};
	for (size_t i = 0; i < from->count; i++) {
		for (uint32_t at = from->items[i]->child; at != 0; at = s->items[at - 1].sibling) {
			if (!same_name(j, method_at(j, &s->items[at - 1]), most.method))
				continue;
			MEM_GROW(to->items, to->room, to->count + 1);
			to->items[to->count++] = &s->items[at - 1];
		}
	}
	return (struct kind_frame){most.method, most.time};
}

/* The end of the path with half of the time, the last frame of it that is the app's own. */
struct path_end {
	struct kind_frame own, last[2]; /* [1] the last */
};

static struct path_end
path_take(const struct judge *j, const struct loop_sums *s, nsec whole)
{
	const struct kind_frame none = {METHOD_NONE, 0};
	struct path_end end = {none, {none, none}};
	struct level now = {0}, next = {0}, swap;
	struct kind_frame frame;

	for (uint32_t i = 0; i < s->count && now.count == 0; i++) {
		if (s->items[i].parent != 0)
			continue;
		MEM_GROW(now.items, now.room, 1);
		now.items[now.count++] = &s->items[i];
	}
	while ((frame = level_down(j, s, &now, whole, &next)).method != METHOD_NONE) {
		end.last[0] = end.last[1];
		end.last[1] = frame;
		if ((marks_of(j->m.marks, frame.method) & MARK_OWN) != 0)
			end.own = frame;
		swap = now;
		now = next;
		next = swap;
	}
	mem_free(now.items);
	mem_free(next.items);
	return end;
}

static bool
is_glue(const struct judge *j, struct kind_frame frame)
{
	return frame.method == METHOD_NONE || (marks_of(j->m.marks, frame.method) & MARK_GLUE) != 0;
}

static void
cause_class(const struct judge *j, const struct loop_sums *s, enum finding_kind kind, nsec time,
    struct finding_cause *c)
{
	struct tallied method, caller;

	work_methods(j, s, kind, &method, &caller);
	*c = (struct finding_cause){.by = CAUSE_CLASS, .kind = kind, .method = method.method,
	    .caller = caller.method, .caller_time = caller.time, .time = time};
}

static void
cause_frame(const struct judge *j, struct kind_frame frame, struct finding_cause *c)
{
	bool own = (marks_of(j->m.marks, frame.method) & MARK_OWN) != 0;

	*c = (struct finding_cause){.by = own ? CAUSE_OWN : CAUSE_PATH, .method = frame.method,
	    .caller = METHOD_NONE, .time = frame.time};
}

/* The outermost frame of the app's own with the most time. */
static struct kind_frame
outer_own(const struct judge *j, const struct loop_sums *s)
{
	struct kind_frame most = {METHOD_NONE, 0};

	for (uint32_t i = 0; i < s->count; i++) {
		const struct node_marks *n = &j->m.nodes[s->items[i].node];

		if ((n->own & MARK_OWN) != 0 && n->caller == METHOD_NONE &&
		    s->items[i].time > most.time)
			most = (struct kind_frame){method_at(j, &s->items[i]), s->items[i].time};
	}
	return most;
}

static void
cause_find(const struct judge *j, const struct loop_sums *s, nsec time, struct finding_cause *c)
{
	struct path_end end = path_take(j, s, time);
	struct kind_frame outer;

	*c = (struct finding_cause){.method = METHOD_NONE, .caller = METHOD_NONE,
	    .most = {FINDING_KINDS, FINDING_KINDS}};
	for (int k = 0; k < FINDING_KINDS; k++) {
		nsec spent = finding_is_work(k) ? work_time(j, s, k) : 0;
		int place = spent > c->most_time[0] ? 0 : 1;

		if (spent <= c->most_time[place])
			continue;
		if (place == 0) {
			c->most[1] = c->most[0];
			c->most_time[1] = c->most_time[0];
		}
		c->most[place] = (enum finding_kind)k;
		c->most_time[place] = spent;
	}
	if (2 * c->most_time[0] >= time && c->most_time[0] > 0) {
		cause_class(j, s, c->most[0], c->most_time[0], c);
	} else if (end.own.method != METHOD_NONE) {
		cause_frame(j, end.own, c);
	} else if (!is_glue(j, end.last[1])) {
		cause_frame(j, end.last[1], c);
	} else {
		outer = outer_own(j, s);
		if (outer.time > c->most_time[0] && 4 * outer.time >= time)
			cause_frame(j, outer, c);
		else if (c->most_time[0] > 0 && 4 * c->most_time[0] >= time)
			cause_class(j, s, c->most[0], c->most_time[0], c);
	}
}

/* What the user saw --------------------------------------------------------------- */

bool
find_messages(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct message_group *g = &j->m.groups[kind == FINDING_ANR ? LENGTH_ANR
	    : kind == FINDING_STALL ? LENGTH_STALL : LENGTH_LATE];
	const struct finding_rule *rule = &j->query->rules->kinds[kind];
	const struct message *m = &g->longest;

	if (!j->f->is_main || g->count == 0)
		return false;
	f->user = kind == FINDING_LATE ? g->over : g->time;
	if (kind == FINDING_LATE && (g->time < 3 * j->f->budget || 20 * g->time < j->f->busy ||
	    !j->f->significant || (rule->given && m->time < rule->least)))
		return false;
	f->time = g->time;
	f->count = g->count;
	f->start = m->start;
	f->length = m->time;
	f->cpu = m->cpu;
	f->tracing = (nsec)m->records * j->overhead;
	memcpy(f->state, m->state, sizeof(f->state));
	cause_find(j, &g->sums, m->time, &f->cause);
	f->method = f->cause.method;
	return true;
}

bool
find_frames(struct judge *j, enum finding_kind kind, struct finding *f)
{
	if (!j->f->is_main || !j->f->significant || j->m.frames_late == 0 ||
	    j->m.frames_over < judge_least(j, kind))
		return false;
	f->user = j->m.frames_over;
	f->time = j->m.frames_time;
	f->count = j->m.frames_late;
	f->of = j->m.frames;
	f->start = j->m.frames_worst_at;
	f->length = j->m.frames_worst;
	return true;
}

bool
find_none(struct judge *j, enum finding_kind kind, struct finding *f)
{
	if (!j->f->is_main || j->user || j->m.count == 0)
		return false;
	f->time = f->length = j->m.longest.time;
	f->start = j->m.longest.start;
	f->cpu = j->m.longest.cpu;
	f->count = j->m.frames_late;
	f->of = j->m.frames;
	return true;
}

/* Why ----------------------------------------------------------------------------- */

/* Of a log: the innermost slices that main slept in. */
static struct tallied
asleep_most(const struct judge *j, const struct loop_sums *s)
{
	struct kind_tally t = {0};

	for (uint32_t i = 0; i < s->count; i++)
		tally_add(&t, j->profile->trace, method_at(j, &s->items[i]), s->items[i].asleep);
	return tally_most(&t);
}

bool
find_work(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const uint32_t waits = 1u << FINDING_SLEEP | 1u << FINDING_RENDER | 1u << FINDING_GC |
	    1u << FINDING_RUNNABLE | 1u << FINDING_DISK;
	const bool core = kind == FINDING_RUNNABLE || kind == FINDING_DISK;
	const bool states = core || (kind == FINDING_SLEEP && j->profile->trace->log != NULL);
	const struct work *work = j->f->significant ? &j->m.works_late[kind] : &j->m.works_all[kind];
	const struct loop_sums *s = judged_sums(j);
	struct tallied method = {METHOD_NONE, 0}, caller = {METHOD_NONE, 0};

	if (!j->judged || work->count == 0 || ((waits >> kind & 1) != 0 && !j->f->significant))
		return false;
	f->time = states ? work->time : work_time(j, s, kind);
	if (f->time < judge_least(j, kind) || 100 * f->time < (core ? 15 : 10) * judged_time(j))
		return false;
	if (states && !core)
		method = asleep_most(j, s);
	else if (!states)
		work_methods(j, s, kind, &method, &caller);
	f->user = j->f->significant ? f->time : 0;
	f->count = work->count;
	f->start = work->at;
	f->length = work->longest;
	f->method = method.method;
	f->method_time = method.time;
	f->caller = caller.method;
	f->caller_time = caller.time;
	return true;
}

bool
find_path(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct loop_sums *s = judged_sums(j);
	uint64_t messages = j->m.count;
	struct path_end end;
	struct kind_frame frame;

	if (j->f->significant) {
		messages = 0;
		for (int i = 0; i < LENGTHS; i++)
			messages += j->m.groups[i].count;
	}
	if (!j->judged || messages < 2)
		return false;
	f->whole = judged_time(j);
	end = path_take(j, s, f->whole);
	frame = end.own.method != METHOD_NONE ? end.own : end.last[1];
	if (is_glue(j, frame) || frame.time < judge_least(j, kind))
		return false;
	f->time = frame.time;
	f->user = j->f->significant ? f->time : 0;
	f->method = frame.method;
	for (int i = 0; i < 2; i++) {
		f->above[i] = end.last[i].method;
		f->above_time[i] = end.last[i].time;
	}
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
	const uint32_t not = MARK_LOOPER | 1u << FINDING_SLEEP;
	struct kind_cost *costs;
	uint32_t most = METHOD_NONE;
	nsec most_net = 0;

	if (!j->judged || j->profile->trace->log != NULL)
		return false;
	costs = costs_new(j, cpu);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count; m++) {
		nsec net = costs[m].self - j->overhead * (nsec)(costs[m].calls + costs[m].made);

		if (net > most_net && (marks_of(j->m.marks, m) & not) == 0) {
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
	const uint64_t frames = j->m.frames;
	struct kind_cost *costs;
	uint32_t most = METHOD_NONE;

	if (!j->judged || j->sampled || j->profile->trace->log != NULL)
		return false;
	costs = costs_new(j, true);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < j->m.method_count; m++) {
		const struct kind_cost *c = &costs[m];

		if (c->own && (c->calls >= 1000 || (frames >= 30 && c->calls >= 2 * frames)) &&
		    (marks_of(j->m.marks, m) & (MARK_GLUE | MARK_LOOPER)) == 0 &&
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
	return most != METHOD_NONE && 10 * f->net >= j->m.busy && f->net >= judge_least(j, kind) &&
	    (marks_of(j->m.marks, most) & j->fired) == 0;
}

/* Where a thread of a method trace spent most of its CPU time. */
static struct tallied
busiest_method(const struct judge *j, uint32_t thread)
{
	const struct tree *tree = &j->profile->tree;
	bool *in = mem_zero(tree->count, sizeof(*in));
	struct kind_tally t = {0};

	in[j->profile->stacks[thread].root] = true;
	for (uint32_t i = tree->count; --i > 0;)
		in[i] |= tree_is_bottom(tree, i) && in[tree_parent(tree, i)];
	for (uint32_t i = 1; i < tree->count; i++) {
		in[i] |= in[tree_parent(tree, i)];
		if (in[i] && tree->nodes[i].method != METHOD_TOPLEVEL)
			tally_add(&t, j->profile->trace, tree->nodes[i].method, tree->nodes[i].time[CLOCK_CPU]);
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

	if (!j->judged || !trace_has_clock(trace, CLOCK_CPU))
		return false;
	for (uint32_t t = 0; t < j->profile->stack_count; t++) {
		if (t != m && (trace->log == NULL || trace_is_beside(trace, m, t)) &&
		    (most == THREAD_NONE || j->cpu[t] > j->cpu[most]))
			most = t;
	}
	if (most == THREAD_NONE || 2 * j->cpu[most] < 3 * j->cpu[m] ||
	    5 * j->cpu[most] < j->f->range.to - j->f->range.from ||
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

/* Those that are part of every trace of a whole system. */
static bool
is_system(const struct log *log, uint32_t process)
{
	const struct log_process *p = seg_at(&log->processes, process - 1);

	return p->pid == 0 || str_equal(p->name, STR("system_server")) ||
	    str_equal(p->name, STR("surfaceflinger")) ||
	    (p->name.n >= 14 && memcmp(p->name.p + p->name.n - 14, "surfaceflinger", 14) == 0);
}

bool
find_process(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct trace *trace = j->profile->trace;
	uint32_t app = j->judged ? trace_thread(trace, j->f->thread)->process : 0;
	nsec length = j->f->range.to - j->f->range.from;
	uint32_t most = 0;

	if (j->usage == NULL || length < INT64_C(100000000))
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
