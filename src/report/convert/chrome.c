// SPDX-License-Identifier: Apache-2.0
/*
 * chrome: the Trace Event Format of Chrome's about:tracing, as a JSON object.
 *
 * A B event for each entry, an E event for each exit, one a line; ts is the wall time in
 * microseconds, tts the thread's CPU time, and M events name process and threads.  Source:
 * the document "Trace Event Format" (Chromium), sections on duration, metadata, counter,
 * async and instant events.
 */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/map.h"
#include "report/convert/convert.h"
#include "view/names/processes.h"

/* Text logs: processes, counters, moments, settings of cores -------------------------- */

static bool
counter_write(void *context, uint32_t index, const struct log_sample *s)
{
	struct convert *c = context;
	const struct log_counter *counter = seg_at(&c->trace->log->counters, index);
	struct sbuf *out = &c->sink->text;

	sbuf_printf(out, ",\n{\"pid\":%" PRIu32 ",\"ph\":\"C\",\"ts\":",
	    convert_log_process(c, counter->process)->pid);
	sbuf_us(out, s->at);
	sbuf_text(out, ",\"name\":");
	json_quoted(out, counter->name);
	sbuf_printf(out, ",\"args\":{\"value\":%s}}",
	    isfinite(s->value) ? fmt_real(FMT_BUF, s->value) : "null");
	return sink_row(c->sink);
}

static bool
instant_write(void *context, const struct log_instant *i, const struct log_detail *d)
{
	struct convert *c = context;
	struct sbuf *out = &c->sink->text;

	sbuf_printf(out, ",\n{\"pid\":%" PRIu32, convert_log_process(c, i->process)->pid);
	if (i->thread != THREAD_NONE)
		sbuf_printf(out, ",\"tid\":%" PRIu32, trace_thread(c->trace, i->thread)->id);
	sbuf_printf(out, ",\"ph\":\"i\",\"s\":\"%c\",\"ts\":", i->thread != THREAD_NONE ? 't' : 'p');
	sbuf_us(out, i->at);
	sbuf_text(out, ",\"name\":");
	json_quoted(out, d->name);
	if (d->track.p != NULL) {
		sbuf_text(out, ",\"args\":{\"track\":");
		json_quoted(out, d->track);
		sbuf_char(out, '}');
	}
	sbuf_char(out, '}');
	return sink_row(c->sink);
}

/*
 * Writes counters of process 0, the kernel: kHz, and the idle state, 0 while the core is
 * not idle.
 */
static bool
step_write(void *context, const struct log_step *s)
{
	struct convert *c = context;
	struct sbuf *out = &c->sink->text;

	sbuf_text(out, ",\n{\"pid\":0,\"ph\":\"C\",\"ts\":");
	sbuf_us(out, s->at);
	sbuf_printf(out, ",\"name\":\"cpu%" PRIu32 " %s\",\"args\":{\"%s\":%" PRIu32 "}}", s->cpu,
	    s->idle ? "idle" : "frequency", s->idle ? "level" : "kHz", s->value);
	return sink_row(c->sink);
}

/* Calls ---------------------------------------------------------------------------- */

/* The beginning of a thread's events, down to the time. */
struct chrome_stack {
	struct sbuf enter, leave;
	uint32_t tid;
};

struct chrome {
	struct convert *convert;
	struct sbuf *out;
	struct sbuf *names; /* by method, with the key before; made when first met */
	struct chrome_stack *stacks;
	struct idmap tids; /* process id << 32 | thread id -> the row that has them */
	enum clock_id ts;
};

/* The beginning of an event; what was before it ended without its comma. */
static void
place(struct chrome *c, struct sbuf *out, uint32_t thread)
{
	sbuf_printf(out, ",\n{\"pid\":%llu,\"tid\":%" PRIu32,
	    (unsigned long long)convert_thread_pid(c->convert, thread), c->stacks[thread].tid);
}

/* Readers nest what has one thread id, so a thread's second stack gets another one. */
static uint32_t
tid_make(struct chrome *c, uint32_t thread)
{
	const struct thread *t = trace_thread(c->convert->trace, thread);
	uint64_t key = (uint64_t)convert_thread_pid(c->convert, thread) << 32 | t->id;

	return t->kind != THREAD_TASK || idmap_add(&c->tids, key, thread) == thread
	    ? t->id : INT32_MAX - thread;
}

static void
metadata(struct chrome *c, const char *what, struct str name)
{
	sbuf_printf(c->out, ",\"ph\":\"M\",\"name\":\"%s\",\"args\":{\"name\":", what);
	json_quoted(c->out, name);
	sbuf_text(c->out, "}}");
}

static bool
processes_write(struct chrome *c)
{
	struct processes all;

	if (c->convert->trace->log == NULL)
		return true;
	processes_make(&all, c->convert->trace);
	for (uint32_t i = 1; i < all.count; i++) {
		if (all.items[i].name.n == 0)
			continue;
		sbuf_printf(c->out, ",\n{\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, all.items[i].pid,
		    all.items[i].pid);
		metadata(c, "process_name", all.items[i].name);
	}
	processes_release(&all);
	return sink_row(c->convert->sink);
}

static bool
chrome_thread(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct chrome *c = context;
	struct chrome_stack *stack = &c->stacks[thread];

	stack->tid = tid_make(c, thread);
	place(c, &stack->enter, thread);
	place(c, &stack->leave, thread);
	if (trace_thread(c->convert->trace, thread)->kind == THREAD_ASYNC) {
		/* Slices of one row follow each other, so the row tells them apart. */
		static const char form[] =
		    ",\"cat\":\"async\",\"id\":%" PRIu32 ",\"ph\":\"%c\",\"ts\":";

		sbuf_printf(&stack->enter, form, thread, 'b');
		sbuf_printf(&stack->leave, form, thread, 'e');
		return true;
	}
	sbuf_text(&stack->enter, ",\"ph\":\"B\",\"ts\":");
	sbuf_text(&stack->leave, ",\"ph\":\"E\",\"ts\":");
	place(c, c->out, thread);
	metadata(c, "thread_name", convert_thread_name(c->convert, thread));
	return sink_row(c->convert->sink);
}

static struct str
name_member(struct chrome *c, uint32_t method)
{
	struct sbuf *name = &c->names[method];

	if (name->n == 0) {
		sbuf_text(name, ",\"name\":");
		json_quoted(name, convert_name(c->convert, method));
	}
	return sbuf_view(name);
}

static bool
chrome_event(void *context, const struct visit_event *ev)
{
	struct chrome *c = context;
	const struct chrome_stack *stack = &c->stacks[ev->thread];

	sbuf_str(c->out, sbuf_view(ev->enter ? &stack->enter : &stack->leave));
	sbuf_us(c->out, ev->at[c->ts]);
	if (c->convert->both) {
		sbuf_text(c->out, ",\"tts\":");
		sbuf_us(c->out, ev->at[CLOCK_CPU]);
	}
	/*
	 * Some readers pair events by name, so the exit repeats it; a category would have
	 * to equal the entry's.
	 */
	sbuf_str(c->out, name_member(c, ev->method));
	if (ev->enter)
		convert_log_json(c->out, c->convert, ev->offset);
	/* Asynchronous ones have a category. */
	if (ev->flags != 0 && trace_thread(c->convert->trace, ev->thread)->kind != THREAD_ASYNC)
		sbuf_text(c->out, ev->enter ? ",\"cat\":\"entered-before\""
			: (ev->flags & CLOSED_UNROLLED) != 0 ? ",\"args\":{\"left\":\"by exception\"}"
							    : ",\"args\":{\"left\":\"later\"}");
	sbuf_char(c->out, '}');
	return sink_row(c->convert->sink);
}

static void
chrome_release(struct chrome *c)
{
	for (uint32_t i = 0; i < trace_method_count(c->convert->trace); i++)
		sbuf_release(&c->names[i]);
	for (uint32_t i = 0; i < c->convert->profile->stack_count; i++) {
		sbuf_release(&c->stacks[i].enter);
		sbuf_release(&c->stacks[i].leave);
	}
	idmap_release(&c->tids);
}

bool
convert_chrome(struct convert *convert)
{
	static const struct visitor visitor = {.begin = chrome_thread, .event = chrome_event};
	static const struct log_visitor log_visitor = {counter_write, instant_write, step_write};
	struct chrome c = {.convert = convert, .out = &convert->sink->text, .ts = convert->clock};
	bool log = convert->trace->log != NULL, whole;

	c.names = convert_zero(convert, trace_method_count(convert->trace) + 1, sizeof(*c.names));
	c.stacks = convert_zero(convert, convert->profile->stack_count + 1, sizeof(*c.stacks));
	sbuf_text(c.out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"trace\":");
	json_quoted(c.out, convert_title(convert));
	sbuf_text(c.out, ",\"clock\":\"");
	sbuf_text(c.out, c.ts == CLOCK_WALL ? "wall" : "thread-cpu");
	sbuf_printf(c.out,
	    "\",\"by\":\"" PACKAGE_STRING "\"},\n\"traceEvents\":[\n{\"pid\":%llu,\"tid\":0",
	    (unsigned long long)(log ? 0 : convert_pid(convert)));
	/* A log has processes of its own, with their names or without. */
	metadata(&c, log ? "trace_name" : "process_name", convert_title(convert));
	whole = processes_write(&c) && convert_visit(convert, &visitor, &c) &&
	    convert_log_visit(convert, &log_visitor, convert);
	if (whole)
		sbuf_text(c.out, "\n]}\n");
	chrome_release(&c);
	return whole;
}
