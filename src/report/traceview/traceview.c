// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/traceview/traceview.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "profile/index/replay.h"
#include "report/report.h"

/* Printing ------------------------------------------------------------------------- */

struct writer {
	struct sink *sink;
	struct sbuf *out;
	const struct trace *trace;
	struct tvcalls *calls;
	struct str *names; /* by method, safe to show */
	struct arena arena;
	uint32_t *threads; /* by id */
};

/* Names ------------------------------------------------------------------------- */

static void
method_name(struct sbuf *raw, const struct method *m)
{
	if (!m->known) {
		sbuf_printf(raw, "(0x%" PRIx64 ")", m->id);
		return;
	}
	if (m->class_name.n > 0) {
		sbuf_str(raw, m->class_name);
		sbuf_char(raw, '.');
	}
	sbuf_str(raw, m->name);
	if (m->signature.n > 0) {
		sbuf_char(raw, ' ');
		sbuf_str(raw, m->signature);
	}
}

static void
names_make(struct writer *w)
{
	uint32_t count = w->calls->method_count;
	struct sbuf raw = {0}, clean = {0};

	w->names = mem_alloc((count + 1) * sizeof(*w->names));
	for (uint32_t m = 0; m < count; m++) {
		sbuf_clear(&raw);
		sbuf_clear(&clean);
		method_name(&raw, trace_method(w->trace, m));
		clean_append(&clean, sbuf_view(&raw), 0);
		w->names[m] = arena_str(&w->arena, sbuf_view(&clean));
	}
	sbuf_release(&raw);
	sbuf_release(&clean);
}

static struct str
name_of(const struct writer *w, uint32_t method)
{
	return method == TV_SWITCH ? STR("(context switch)") : w->names[method];
}

/* A thread that the file does not name goes by its id, once more. */
static void
thread_name(struct sbuf *out, const struct thread *th)
{
	sbuf_printf(out, "[%" PRIu32 "] ", th->id);
	if (th->listed)
		clean_append(out, th->name, 0);
	else
		sbuf_printf(out, "[%" PRIu32 "]", th->id);
}

static uint32_t *
order_make(struct ranked *items, size_t count, bool ascending)
{
	uint32_t *order = mem_alloc((count + 1) * sizeof(*order));

	ranked_sort(items, (uint32_t)count, ascending, order);
	return order;
}

static uint32_t *
threads_by_id(const struct writer *w)
{
	uint32_t count = w->calls->thread_count;
	struct ranked *items = mem_zero((size_t)count + 1, sizeof(*items));

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct ranked){.id = trace_thread(w->trace, i)->id, .index = i};
	return order_make(items, count, true);
}

/* Blocks ------------------------------------------------------------------------ */

static void
times_write(struct writer *w, uint32_t thread, const int64_t cpu[2], const int64_t real[2])
{
	const int64_t times[] = {cpu[0], cpu[1], real[0], real[1]};

	sbuf_number(w->out, trace_thread(w->trace, thread)->id, 2);
	for (int i = 0; i < 4; i++) {
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, times[i], 8);
	}
}

static void
threads_write(struct writer *w)
{
	sbuf_text(w->out, "\nThread Times\nid  t-start    t-end  g-start    g-end     name\n");
	for (uint32_t i = 0; i < w->calls->thread_count && sink_row(w->sink); i++) {
		uint32_t thread = w->threads[i];
		const struct tv_thread *th = &w->calls->threads[thread];

		times_write(w, thread, th->cpu, th->real);
		sbuf_text(w->out, "  ");
		thread_name(w->out, trace_thread(w->trace, thread));
		sbuf_char(w->out, '\n');
	}
}

static void
line_end(struct writer *w, struct str name)
{
	sbuf_text(w->out, "  ");
	sbuf_str(w->out, name);
	sbuf_char(w->out, '\n');
}

static void
calls_write(struct writer *w)
{
	sbuf_text(w->out, "\nCall Times\n"
			  "id  t-start    t-end  g-start    g-end    excl.    incl.  method\n");
	for (uint64_t i = 0; i < w->calls->calls.count && sink_row(w->sink); i++) {
		const struct tv_call *call = spool_at(&w->calls->calls, i);

		times_write(w, call->thread, call->cpu, call->real);
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, call->exclusive, 8);
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, call->cpu[1] - call->cpu[0], 8);
		line_end(w, name_of(w, call->method));
	}
}

static void
methods_write(struct writer *w)
{
	bool wall = w->calls->clock == TV_WALL;
	struct ranked *items = mem_alloc((w->calls->method_count + 1) * sizeof(*items));
	uint32_t *order;
	size_t count = 0;

	for (uint32_t m = 0; m < w->calls->method_count; m++) {
		const struct tv_method *sum = &w->calls->methods[m];
		int64_t time = wall ? sum->real_inclusive : sum->cpu_inclusive;

		if (time != 0)
			items[count++] = (struct ranked){.key = time, .name = name_of(w, m), .index = m};
	}
	order = order_make(items, count, false);
	sbuf_text(w->out, "\nMethod Stats\n"
			  "Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method\n");
	for (size_t rank = 0; rank < count && sink_row(w->sink); rank++) {
		const struct tv_method *sum = &w->calls->methods[order[rank]];
		char calls[48];

		snprintf(calls, sizeof(calls), "%" PRIu64 "+%" PRIu64, sum->calls,
		    sum->recursive_calls);
		sbuf_printf(w->out,
		    "%9" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %9s  %zu ",
		    sum->cpu_exclusive, sum->cpu_inclusive, sum->real_exclusive,
		    sum->real_inclusive, calls, rank);
		sbuf_str(w->out, name_of(w, order[rank]));
		sbuf_char(w->out, '\n');
	}
	mem_free(order);
}

/* Threads with calls, by time descending; equal ones by label descending, as in Traceview. */
static uint32_t *
roots_order(struct writer *w, size_t *count)
{
	uint32_t threads = w->calls->thread_count;
	struct ranked *items = mem_zero((size_t)threads + 1, sizeof(*items));
	struct sbuf label = {0};

	*count = 0;
	for (uint32_t i = 0; i < threads; i++) {
		const struct tv_thread *th = &w->calls->threads[i];

		if (!th->called || trace_thread(w->trace, i)->id == 0)
			continue;
		sbuf_clear(&label);
		thread_name(&label, trace_thread(w->trace, i));
		items[(*count)++] = (struct ranked){.index = i,
		    .text = arena_str(&w->arena, sbuf_view(&label)),
		    .key = w->calls->clock == TV_WALL ? th->real_inclusive : th->cpu_inclusive};
	}
	sbuf_release(&label);
	return order_make(items, *count, false);
}

static void
records_write(struct writer *w)
{
	size_t count;
	uint32_t *roots = roots_order(w, &count);

	sbuf_text(w->out, "\nTime Records\nid  t-start    t-end  g-start    g-end  method\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		const struct tv_thread *th = &w->calls->threads[roots[i]];

		times_write(w, roots[i], th->cpu, th->real);
		line_end(w, name_of(w, METHOD_TOPLEVEL));
	}
	for (uint64_t i = 0; i < w->calls->calls.count && sink_row(w->sink); i++) {
		const struct tv_call *call = spool_at(&w->calls->calls, i);

		times_write(w, call->thread, call->cpu, call->real);
		line_end(w, name_of(w, call->method));
	}
	mem_free(roots);
}

void
traceview_write(struct sink *sink, const struct trace *trace, struct tvcalls *calls)
{
	struct writer w = {.sink = sink, .out = &sink->text, .trace = trace, .calls = calls};
	const struct tv_method *top = &calls->methods[METHOD_TOPLEVEL];

	names_make(&w);
	w.threads = threads_by_id(&w);
	sbuf_printf(w.out, "totalCpuTime %" PRId64 "us\ntotalRealTime %" PRId64 "us\n",
	    top->cpu_inclusive, top->real_inclusive);
	threads_write(&w);
	calls_write(&w);
	methods_write(&w);
	records_write(&w);
	arena_release(&w.arena);
	mem_free(w.names);
	mem_free(w.threads);
}

/* Single calls ----------------------------------------------------------------------- */

/*
 * Marks recursive nodes of a thread: their method is above them, too; frames adopted from before
 * the trace do not count.
 */
static void
nested_mark(uint8_t *nested, uint32_t *open, const struct tree *tree, uint32_t root)
{
	uint32_t node = root;

	for (;;) {
		bool counts = !tree_is_bottom(tree, node);
		uint32_t next = tree_child(tree, node);

		if (counts && open[tree->nodes[node].method]++ > 0)
			nested[node] = 1;
		while (next == NODE_NONE) {
			if (!tree_is_bottom(tree, node))
				open[tree->nodes[node].method]--;
			if (node == root)
				return;
			next = tree_sibling(tree, node);
			if (next == NODE_NONE)
				node = tree->nodes[node].parent;
		}
		node = next;
	}
}

/* Costs the nodes. */
static uint8_t *
nested_find(const struct profile *p)
{
	uint8_t *nested = mem_zero((size_t)p->tree.count + 1, 1);
	uint32_t *open = mem_zero(trace_method_count(p->trace), sizeof(*open));

	for (uint32_t i = 0; i < p->stack_count; i++) {
		if (p->stacks[i].started)
			nested_mark(nested, open, &p->tree, p->stacks[i].root);
	}
	mem_free(open);
	return nested;
}

enum {
	US = 1000,
	SWITCH_MIN_US = 100, /* that wall time must go on for longer than CPU time */
};

#define NO_CALL  UINT64_MAX
#define NO_STACK  UINT32_MAX

struct tv_frame {
	uint64_t call;
	uint32_t node;
	int64_t exclusive;     /* cpu */
	int64_t real_children; /* of finished ones */
};

struct tv_stack {
	struct tv_frame *frames; /* [0] is the root */
	size_t depth, room;
	uint64_t asleep;         /* the pseudo-call of a thread that is switched away */
	int64_t current;         /* cpu time at which the made-up axis knows it to be */
};

struct pass {
	struct tvcalls *out;
	const struct profile *profile;
	struct tv_stack *stacks;
	uint8_t *nested;    /* by node: it is below another of its method */
	bool cpu, real;     /* what this pass counts */
	uint64_t next;      /* call, when it does not add them */
	int64_t axis;
	uint32_t previous; /* thread of the last record */
	struct err *e;
	bool failed;
};

/* Single calls ----------------------------------------------------------------------- */

static struct tv_call *
call_next(struct pass *p, uint32_t thread, uint32_t method, uint64_t *index)
{
	struct tv_call *call;

	*index = p->next++;
	if (!p->cpu) {
		call = *index < p->out->calls.count ? spool_at(&p->out->calls, *index) : NULL;
		if (call != NULL && call->thread == thread && call->method == method)
			return call;
		/* The first pass found others. */
		err_set(p->e, ERR_MALFORMED, "the file was written to while it was read");
		p->failed = true;
		return NULL;
	}
	call = spool_add(&p->out->calls, p->e);
	if (call == NULL) {
		p->failed = true;
		return NULL;
	}
	call->thread = thread;
	call->method = method;
	return call;
}

/* The made-up axis goes on with a thread to one of its own times. */
static int64_t
axis_move(struct pass *p, struct tv_stack *stack, int64_t cpu)
{
	p->axis += cpu - stack->current;
	stack->current = cpu;
	return p->axis;
}

static struct tv_frame *
stack_top(struct tv_stack *stack)
{
	return &stack->frames[stack->depth - 1];
}

static void
stack_push(struct tv_stack *stack, uint64_t call, uint32_t node)
{
	*MEM_ADD(stack->frames, stack->depth, stack->room) =
	    (struct tv_frame){.call = call, .node = node};
}

/* The innermost call ends at the thread's last times. */
static void
call_end(struct pass *p, uint32_t thread)
{
	struct tv_stack *stack = &p->stacks[thread];
	const struct tv_thread *th = &p->out->threads[thread];
	struct tv_frame frame = *stack_top(stack);
	struct tv_call *call = spool_at(&p->out->calls, frame.call);
	struct tv_method *sum = &p->out->methods[call->method];
	bool recursive = p->nested[frame.node] != 0;

	stack->depth--;
	if (p->cpu) {
		call->cpu[1] = th->cpu[1];
		call->exclusive = frame.exclusive;
		sum->cpu_exclusive += frame.exclusive;
		if (recursive) {
			sum->recursive_calls++;
		} else {
			sum->calls++;
			sum->cpu_inclusive += call->cpu[1] - call->cpu[0];
		}
	}
	if (p->real) {
		int64_t real = th->real[1] - call->real[0];
		int64_t own = real - frame.real_children;

		call->real[1] = th->real[1];
		sum->real_exclusive += own > 0 ? own : 0;
		if (!recursive)
			sum->real_inclusive += real;
		stack_top(stack)->real_children += real;
	}
}

/* Context switches -------------------------------------------------------------- */

/* Two clocks: asleep in the middle of the stretch before this record. */
static void
switch_slept(struct pass *p, uint32_t thread, int64_t cpu_step, int64_t real_step)
{
	struct tv_thread *th = &p->out->threads[thread];
	int64_t before = cpu_step / 2, after = cpu_step - before;
	struct tv_call *call;
	uint64_t index;

	if (real_step - cpu_step <= SWITCH_MIN_US)
		return;
	th->called = true;
	call = call_next(p, thread, TV_SWITCH, &index);
	if (call == NULL)
		return;
	call->cpu[0] = call->cpu[1] = th->cpu[1] - after;
	call->real[0] = th->real[1] - real_step + before;
	call->real[1] = th->real[1] - after;
	stack_top(&p->stacks[thread])->real_children += call->real[1] - call->real[0];
}

/* CPU time only: another thread's record begins a pause of the thread before. */
static void
switch_begin(struct pass *p, uint32_t thread)
{
	struct tv_stack *stack = &p->stacks[thread];
	struct tv_call *call;

	p->out->threads[thread].called = true;
	call = call_next(p, thread, TV_SWITCH, &stack->asleep);
	if (call == NULL)
		return;
	if (p->cpu)
		call->cpu[0] = call->cpu[1] = p->out->threads[thread].cpu[1];
	if (p->real)
		call->real[0] = axis_move(p, stack, call->cpu[0]);
}

static void
switch_end(struct pass *p, uint32_t thread, int64_t cpu_step, int64_t real)
{
	struct tv_stack *stack = &p->stacks[thread];
	struct tv_call *call;

	if (stack->asleep == NO_CALL)
		return;
	call = spool_at(&p->out->calls, stack->asleep);
	if (p->cpu)
		call->cpu[0] = call->cpu[1] = call->cpu[0] + cpu_step / 2;
	if (p->real) {
		call->real[1] = real;
		stack_top(stack)->real_children += real - call->real[0];
	}
	stack->asleep = NO_CALL;
}

/* Records ----------------------------------------------------------------------- */

static void
thread_times(struct pass *p, const struct step *step)
{
	struct tv_thread *th = &p->out->threads[step->thread];
	struct tv_stack *stack = &p->stacks[step->thread];
	/* With one clock it is CPU time to Traceview, unless it is said to be wall time. */
	enum clock_id cpu = trace_has_clock(p->profile->trace, CLOCK_CPU) ? CLOCK_CPU : CLOCK_WALL;

	if (p->out->clock != TV_WALL)
		th->cpu[1] = step->to[cpu] / US;
	if (p->out->clock != TV_CPU)
		th->real[1] = step->to[CLOCK_WALL] / US;
	if (stack->depth > 0)
		return;
	stack_push(stack, NO_CALL, NODE_NONE);
	stack->current = th->cpu[1];
	th->started = true;
	th->cpu[0] = th->cpu[1];
	if (p->out->clock == TV_CPU)
		th->real[1] = p->axis;
	th->real[0] = th->real[1];
}

static void
step_enter(struct pass *p, const struct step *step)
{
	const struct tv_thread *th = &p->out->threads[step->thread];
	uint32_t method = p->profile->tree.nodes[step->after].method;
	uint64_t index;
	struct tv_call *call = call_next(p, step->thread, method, &index);

	if (call == NULL)
		return;
	if (p->cpu)
		call->cpu[0] = th->cpu[1];
	if (p->real)
		call->real[0] = th->real[1];
	p->out->threads[step->thread].called = true;
	stack_push(&p->stacks[step->thread], index, step->after);
}

static bool
step_count(void *context, const struct step *step)
{
	struct pass *p = context;
	struct tv_thread *th = &p->out->threads[step->thread];
	const struct tree *tree = &p->profile->tree;
	int64_t cpu = th->cpu[1], real = th->real[1];
	bool enters = tree->nodes[step->after].parent == step->before;
	bool leaves = step->before != step->after && !enters &&
	    !tree_is_bottom(tree, step->before);

	if (p->out->clock == TV_CPU && p->previous != NO_STACK && p->previous != step->thread)
		switch_begin(p, p->previous);
	p->previous = step->thread;
	thread_times(p, step);
	cpu = step->first ? 0 : th->cpu[1] - cpu;
	real = step->first ? 0 : th->real[1] - real;
	if (p->out->clock == TV_CPU) {
		/* The made-up axis, and the threads on it. */
		switch_end(p, step->thread, cpu, p->axis);
		if (p->real && (enters || leaves))
			th->real[1] = axis_move(p, &p->stacks[step->thread], th->cpu[1]);
	} else if (p->out->clock == TV_DUAL) {
		switch_slept(p, step->thread, cpu, real);
	}
	if (p->failed)
		return false;
	stack_top(&p->stacks[step->thread])->exclusive += cpu;
	if (enters)
		step_enter(p, step);
	/* The root's frame stays, also where the file no longer has what was counted. */
	for (uint32_t node = step->before; leaves && node != step->after &&
	     !tree_is_bottom(tree, node) && p->stacks[step->thread].depth > 1;
	     node = tree->nodes[node].parent)
		call_end(p, step->thread);
	return !p->failed;
}

static void
stacks_end(struct pass *p)
{
	struct tv_method *top = &p->out->methods[METHOD_TOPLEVEL];

	for (uint32_t i = 0; i < p->out->thread_count; i++) {
		struct tv_stack *stack = &p->stacks[i];
		struct tv_thread *th = &p->out->threads[i];

		if (stack->depth == 0)
			continue;
		switch_end(p, i, 0, th->real[1]);
		while (stack->depth > 1)
			call_end(p, i);
		if (p->cpu) {
			th->cpu_inclusive = th->cpu[1] - th->cpu[0];
			top->cpu_exclusive += stack->frames[0].exclusive;
			top->cpu_inclusive += th->cpu_inclusive;
		}
		if (p->real) {
			th->real_inclusive = stack->frames[0].real_children;
			top->real_inclusive += th->real_inclusive;
		}
	}
}

static bool
pass_run(struct pass *p, const atomic_bool *cancel)
{
	bool whole;

	p->stacks = mem_zero(p->out->thread_count, sizeof(*p->stacks));
	for (uint32_t i = 0; i < p->out->thread_count; i++)
		p->stacks[i].asleep = NO_CALL;
	p->previous = NO_STACK;
	p->next = 0;
	p->axis = 0;
	whole = replay_window(p->profile, NULL, INT64_MIN, INT64_MAX, step_count, p, cancel);
	if (whole)
		stacks_end(p);
	else if (!p->failed)
		err_set(p->e, ERR_CANCELLED, "interrupted");
	for (uint32_t i = 0; i < p->out->thread_count; i++)
		mem_free(p->stacks[i].frames);
	mem_free(p->stacks);
	return whole;
}

static enum tv_clock
clock_of(const struct trace *t)
{
	struct str clock = trace_property(t, "clock");

	if (trace_has_both(t) &&
	    str_equal(clock, STR("dual")))
		return TV_DUAL;
	return str_equal(clock, STR("wall")) ? TV_WALL : TV_CPU;
}

bool
tvcalls_make(struct tvcalls *out, const struct profile *profile, const char *folder,
    const atomic_bool *cancel, struct err *e)
{
	struct pass p = {.out = out, .profile = profile, .cpu = true, .e = e};
	bool whole;

	*out = (struct tvcalls){.clock = clock_of(profile->trace)};
	spool_init(&out->calls, sizeof(struct tv_call), folder);
	out->method_count = trace_method_count(profile->trace);
	out->methods = mem_zero(out->method_count, sizeof(*out->methods));
	out->thread_count = trace_thread_count(profile->trace);
	out->threads = mem_zero(out->thread_count + 1, sizeof(*out->threads));
	out->methods[METHOD_TOPLEVEL].calls = out->thread_count;
	p.nested = nested_find(profile);
	p.real = out->clock != TV_CPU;
	whole = pass_run(&p, cancel);
	if (whole && !p.real) {
		p.cpu = false;
		p.real = true;
		whole = pass_run(&p, cancel);
	}
	mem_free(p.nested);
	return whole;
}

void
tvcalls_release(struct tvcalls *t)
{
	spool_release(&t->calls);
	mem_free(t->methods);
	mem_free(t->threads);
	*t = (struct tvcalls){.calls.fd = -1};
}
