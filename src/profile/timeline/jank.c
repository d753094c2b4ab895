// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/timeline/jank.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/number.h"
#include "profile/index/closed.h"
#include "profile/sum/transform.h"
#include "trace/log.h"

const char jank_frames[] =
    "\\bdoFrame\\b|^DrawFrames?\\b|^(H:)?(ReceiveVsync|OnVsyncEvent|UIVsyncTask)\\b|"
    "RSMainThread::DoComposition|^frame(: |$)|^(bindApplication|activityStart)$|"
    "ActivityThread\\.handle(BindApplication|LaunchActivity)\\b|"
    "HandleLaunch(Application|Ability)\\b";

const char *const jank_source_names[JANK_SOURCES] = {
    "calls", "timeline", "display", "choreographer", "hitrace"};

const char *const jank_cause_names[JANK_CAUSES] = {
    "", "vsync delay", "UI thread", "RenderThread", "drawing thread", "render service"};

/* Slices that are frames of a log, or draw them. */
static const struct {
	enum jank_source source;
	struct str pattern;
} log_calls[] = {
    {JANK_CHOREOGRAPHER, STR("^(H:)?Choreographer#doFrame\\b(?!.*resynced)|\\bChoreographer\\.doFrame\\b")},
    {JANK_HITRACE, STR("^(H:)?(ReceiveVsync|OnVsyncEvent)\\b")},
    {JANK_TASK, STR("^(H:)?UIVsyncTask\\b")},
    {JANK_DRAW, STR("^(H:)?DrawFrames?( -?\\d+)?$")},
    {JANK_QUEUE, STR("^queueBuffer$")},
    {JANK_SENT, STR("^(H:)?MarshRSTransactionData\\b")},
    {JANK_TAKEN, STR("^(H:)?RSMainThread::ProcessCommandUni")},
};
enum { LOG_CALLS = sizeof(log_calls) / sizeof(log_calls[0]) };

/* The frame that a thread is in. */
struct open_frame {
	struct idmap places; /* by node, in `spent` */
	struct jank_part *spent;
	size_t spent_count, spent_room;
};

/* Marks of a node of the tree. */
enum { IN_FRAME = 1 << 0, IS_FRAME = 1 << 1,
	IS_DRAW = 1 << 3 /* in a frame, it draws it */,
	IN_DRAW = 1 << 4 /* itself, or above it, but tasks */ };

struct jank_search {
	const struct profile *profile;
	const struct jank_query *query;
	uint8_t *methods; /* 1 + jank_source: its calls are frames */
	uint32_t method_count;
	uint8_t *nodes; /* by node; 0: out of frames */
	uint8_t *has;   /* by node, 1: a frame, or above one */
	struct open_frame *threads;
	bool log;       /* its frames are looked for: no pattern says which calls are */
	uint32_t keep;  /* calls kept at least, the longest */
	struct jank *jank;
	size_t room;
	struct jank inner; /* calls that draw a frame within it */
	size_t inner_room;
};

/* Calls that draw a frame, or tell of it. */
static bool
draws(uint8_t method)
{
	return method > JANK_SOURCES;
}

/* The marks of such a call within a frame. */
static uint8_t
draw_marks(uint8_t method)
{
	return !draws(method) ? 0 : method == 1 + JANK_TASK ? IS_DRAW : IS_DRAW | IN_DRAW;
}

static void
node_look(const struct jank_search *s, uint32_t node)
{
	uint32_t method = s->profile->tree.nodes[node].method;
	uint32_t parent = tree_parent(&s->profile->tree, node);
	uint8_t above = parent != NODE_NONE ? s->nodes[parent] : 0;
	uint8_t is = method < s->method_count ? s->methods[method] : 0;

	if (above != 0)
		s->nodes[node] = IN_FRAME | (above & IN_DRAW) |
		    ((above & IN_DRAW) == 0 ? draw_marks(is) : 0);
	else if (is != 0)
		s->nodes[node] = IS_FRAME | (draw_marks(is) & IN_DRAW);
}

/* Parents come first: of frames from before the trace they are the younger nodes. */
static void
nodes_look(struct jank_search *s)
{
	const struct tree *tree = &s->profile->tree;

	s->nodes = mem_zero(tree->count, 1);
	s->has = mem_zero(tree->count, 1);
	for (uint32_t i = NODE_NONE; (i = tree_next(tree, i)) != NODE_NONE;) {
		node_look(s, i);
		for (uint32_t n = (s->nodes[i] & IS_FRAME) != 0 ? i : NODE_NONE;
		     n != NODE_NONE && s->has[n] == 0; n = tree_parent(tree, n))
			s->has[n] = 1;
	}
}

/* The threads with frames: scope_free.  A log's frames are drawn by threads out of the scope, too. */
static struct scope *
threads_with_frames(const struct jank_search *s)
{
	const struct profile *p = s->profile;
	struct scope *with = scope_new(p->stack_count, false);

	for (uint32_t t = 0; t < p->stack_count; t++)
		with->in[t] = p->stacks[t].started && (s->log || scope_has(s->query->scope, t)) &&
		    s->has[p->stacks[t].root] != 0;
	return with;
}

static struct jank_part *
spent_of(struct open_frame *o, uint32_t node)
{
	uint32_t place = idmap_add(&o->places, node, o->spent_count);

	if (place == o->spent_count) {
		*MEM_ADD(o->spent, o->spent_count, o->spent_room) =
		    (struct jank_part){.node = node, .best = NODE_NONE};
	}
	return &o->spent[place];
}

/* The longest first. */
static int
length_order(const void *left, const void *right)
{
	const nsec *a = ((const struct jank_frame *)left)->time;
	const nsec *b = ((const struct jank_frame *)right)->time;

	return order_then(ORDER(b[CLOCK_WALL], a[CLOCK_WALL]), ORDER(b[CLOCK_CPU], a[CLOCK_CPU]));
}

int
jank_thread_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(a->thread, b->thread), ORDER(a->start, b->start));
}

static int
start_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(a->start, b->start), ORDER(a->thread, b->thread));
}

static void
frames_sort(struct jank *j, int (*order)(const void *, const void *))
{
	mem_sort(j->frames, j->count, sizeof(*j->frames), order);
}

/* Keeps the longest. */
static void
frames_cut(struct jank *j, uint32_t keep)
{
	if (j->count <= keep)
		return;
	frames_sort(j, length_order);
	j->count = keep;
}

/* Makes the frame of a call that is one, or draws one. */
static struct jank_frame
frame_of(const struct jank_search *s, const struct closed *call)
{
	uint32_t method = s->profile->tree.nodes[call->node].method;
	struct jank_frame f = {.thread = call->thread, .start = call->enter[s->profile->axis],
	    .method = method, .heaviest = METHOD_NONE,
	    .source = (enum jank_source)(s->methods[method] - 1)};

	for (int c = 0; c < CLOCKS; c++)
		f.time[c] = call->leave[c] - call->enter[c];
	return f;
}

static void
frame_add(struct jank_search *s, const struct closed *call)
{
	struct open_frame *o = &s->threads[call->thread];
	enum clock_id axis = s->profile->axis;
	struct jank_part *at = spent_of(o, call->node);
	const struct node *nodes = s->profile->tree.nodes;
	struct jank_frame f = frame_of(s, call);

	f.cut = (call->flags & CLOSED_BEYOND) != 0;
	f.expected = f.start;
	f.deadline = -1;
	if (f.source == JANK_TASK)
		f.source = JANK_HITRACE;
	while (at->best != NODE_NONE &&
	    (f.heaviest == METHOD_NONE || at->best_time >= f.time[axis] / 2)) {
		f.heaviest = nodes[at->best].method;
		f.heaviest_time = at->best_time;
		at = spent_of(o, at->best);
	}
	*MEM_ADD(s->jank->frames, s->jank->count, s->room) = f;
	s->jank->total++;
	if (s->jank->count == 2 * s->keep)
		frames_cut(s->jank, s->keep);
	if (s->query->take != NULL)
		s->query->take(s->query->context, &f, call->node, o->spent, o->spent_count);
	idmap_release(&o->places);
	o->spent_count = 0;
}

static bool
call_take(void *context, const struct closed *call)
{
	struct jank_search *s = context;
	struct open_frame *o = &s->threads[call->thread];
	struct jank_part *spent, *above;
	nsec time;

	/* A frame is of the range that it begins in. */
	if ((closed_outermost(call)->flags & CLOSED_BEFORE) != 0)
		return true;
	spent = spent_of(o, call->node);
	for (int c = 0; c < CLOCKS; c++)
		spent->time[c] += call->leave[c] - call->enter[c];
	spent->calls++;
	time = spent->time[s->profile->axis];
	if (call->depth == 1) {
		frame_add(s, call);
		return true;
	}
	/* A call that draws the frame that it is in. */
	if ((s->nodes[call->node] & IS_DRAW) != 0 && s->inner.count < s->keep)
		*MEM_ADD(s->inner.frames, s->inner.count, s->inner_room) = frame_of(s, call);
	above = spent_of(o, call[-1].node);
	if (time > above->best_time) {
		above->best = call->node;
		above->best_time = time;
	}
	return true;
}

/* Gives away the frame that a thread is in as the range begins: it is no row. */
static bool
frame_before(void *context, uint32_t thread, uint32_t node, const nsec at[CLOCKS])
{
	struct jank_search *s = context;
	struct jank_frame f = {.thread = thread, .cut = true, .start = s->query->range.from,
	    .method = METHOD_NONE, .heaviest = METHOD_NONE};

	if (s->query->take != NULL && s->nodes[node] != 0)
		s->query->take(s->query->context, &f, node, NULL, 0);
	return true;
}

const enum jank_state jank_states[TASK_CLASSES] = {
    [TASK_CLASS_RUNNING] = JANK_RUNNING,
    [TASK_CLASS_RUNNABLE] = JANK_RUNNABLE,
    [TASK_CLASS_SLEEP] = JANK_SLEEPING,
    [TASK_CLASS_BLOCKED] = JANK_BLOCKED,
};

static void
state_add(struct jank_frame *f, const struct interval *i)
{
	enum task_class class = task_states[i->state].class;
	nsec end = f->start + f->time[CLOCK_WALL];
	nsec from = i->from > f->start ? i->from : f->start;
	nsec to = i->to < end ? i->to : end;

	if (to > from && class >= TASK_CLASS_RUNNING && class <= TASK_CLASS_BLOCKED)
		f->state[jank_states[class]] += to - from;
}

/* Adds the states of threads in their frames, which do not overlap within a thread. */
static void
states_add(const struct sched *sched, struct jank *j, const struct range *range)
{
	const struct interval *i;

	frames_sort(j, jank_thread_order);
	for (uint64_t n = 0; (i = sched_within(sched, &n, range->from, range->to)) != NULL; n++) {
		const struct jank_frame key = {.thread = i->thread, .start = i->from};
		size_t at = mem_before(j->frames, j->count, sizeof(key), &key, jank_thread_order);

		/* The frame before may last until the interval begins, or longer. */
		at -= at > 0 && j->frames[at - 1].thread == i->thread;
		for (; at < j->count && j->frames[at].thread == i->thread &&
		     j->frames[at].start < i->to; at++)
			state_add(&j->frames[at], i);
	}
}

bool
jank_is_told(const struct jank_frame *f)
{
	return f->source == JANK_TIMELINE || f->source == JANK_DISPLAY;
}

bool
jank_over(const struct jank_frame *f, enum clock_id axis, nsec *over)
{
	*over = f->start + f->time[axis] - f->deadline;
	return !f->open && f->deadline >= 0;
}

void
jank_budget_put(struct sbuf *out, const struct jank *j)
{
	if (j->budget == JANK_NO_BUDGET)
		sbuf_text(out, "no budget");
	else if (j->counter != NULL)
		sbuf_printf(out, "period %s ms: %s", fmt_ms(FMT_BUF, j->budget), j->counter);
	else
		sbuf_printf(out, "budget %s ms%s", fmt_ms(FMT_BUF, j->budget),
		    j->set ? ", as set" : ": no VSYNC in the trace");
}

/* Finds the methods of the query's frames, 1 + jank_source by index; NULL, and why. */
static uint8_t *
frame_methods(const struct trace *trace, const struct jank_query *q, const atomic_bool *cancel,
    struct err *e)
{
	struct transform by_name = {.id = TRANSFORM_INCLUDE};
	uint32_t count = trace_method_count(trace);
	struct str pattern = q->pattern;
	uint8_t *all, *some;

	if (q->method != METHOD_TOPLEVEL) {
		all = mem_zero((size_t)count + 1, 1);
		for (uint32_t m = 0; m < count; m++)
			all[m] = trace_method_is(trace, m, q->method);
		return all;
	}
	if (pattern.n > 0 || trace->log == NULL)
		return transform_matches(&by_name, trace, count,
		    pattern.n > 0 ? pattern : str_from(jank_frames), cancel, e);
	all = mem_zero(count + 1, 1);
	for (int i = 0; i < LOG_CALLS; i++) {
		some = transform_matches(&by_name, trace, count, log_calls[i].pattern, cancel, e);
		if (some == NULL) {
			mem_free(all);
			return NULL;
		}
		for (uint32_t m = 0; m < count; m++) {
			if (some[m] != 0)
				all[m] = (uint8_t)(log_calls[i].source + 1);
		}
		mem_free(some);
	}
	return all;
}

bool
jank_any(const struct trace *trace, struct str pattern)
{
	struct err e = {0};
	uint8_t *methods = frame_methods(trace, &(struct jank_query){.pattern = pattern}, NULL, &e);
	bool any = trace->log != NULL && pattern.n == 0 && trace->log->frames.count > 0;

	for (uint32_t i = 0; methods != NULL && i < trace_method_count(trace) && !any; i++)
		any = methods[i] != 0 && methods[i] <= 1 + JANK_TASK;
	mem_free(methods);
	return any;
}

struct jank *
jank_find(const struct profile *p, const struct jank_query *q, const atomic_bool *cancel,
    struct err *e)
{
	static const struct closed_sink sink = {.begin = frame_before, .leave = call_take};
	struct jank_search s = {.profile = p, .query = q,
	    .method_count = trace_method_count(p->trace),
	    .log = p->trace->log != NULL && q->pattern.n == 0 && q->method == METHOD_TOPLEVEL};
	struct scope *with;
	nsec over;
	bool done;

	s.methods = frame_methods(p->trace, q, cancel, e);
	if (s.methods == NULL && e->kind == ERR_CANCELLED)
		return NULL;
	s.keep = s.log ? 4 * JANK_KEEP : JANK_KEEP;
	s.jank = mem_zero(1, sizeof(*s.jank));
	s.jank->set = q->budget > 0;
	s.jank->budget = q->budget > 0 ? q->budget : JANK_BUDGET;
	if (s.methods == NULL)
		return s.jank;
	s.threads = mem_zero(p->stack_count, sizeof(*s.threads));
	nodes_look(&s);
	with = threads_with_frames(&s);
	done = closed_visit(&(struct closed_query){.profile = p, .range = q->range, .only = s.nodes,
	    .sink = &sink, .context = &s}, with, cancel);
	for (uint32_t t = 0; t < p->stack_count; t++) {
		struct open_frame *o = &s.threads[t];

		idmap_release(&o->places);
		mem_free(o->spent);
	}
	mem_free(s.threads);
	mem_free(s.nodes);
	mem_free(s.has);
	mem_free(s.methods);
	scope_free(with);
	if (done) {
		frames_cut(s.jank, s.keep);
		if (p->trace->log != NULL && p->trace->log->has_sched)
			states_add(&p->trace->log->sched, s.jank, &q->range);
		for (uint32_t i = 0; i < s.inner.count; i++)
			*MEM_ADD(s.jank->frames, s.jank->count, s.room) = s.inner.frames[i];
		if (s.log) {
			jank_join(s.jank, p, q);
		} else {
			/* All frames that are calls of a pattern have these. */
			for (uint32_t i = 0; i < s.jank->count; i++) {
				struct jank_frame *f = &s.jank->frames[i];

				f->deadline = s.jank->budget < INT64_MAX - f->start
				    ? f->start + s.jank->budget : -1;
				f->slow = jank_over(f, p->axis, &over) && over > 0;
			}
			frames_sort(s.jank, start_order);
		}
	} else {
		jank_free(s.jank);
		s.jank = NULL;
	}
	mem_free(s.inner.frames);
	return s.jank;
}

void
jank_free(struct jank *j)
{
	if (j == NULL)
		return;
	mem_free(j->frames);
	mem_free(j);
}
