// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/findings.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "trace/log.h"

#define MS(ns) fmt_time(FMT_BUF, (ns), FMT_MS, 1)
#define AT(ns) fmt_time(FMT_BUF, (ns), FMT_S, 3)
#define WHOLE_MS(ns) fmt_time(FMT_BUF, (ns), FMT_MS, 0)

static const char *const work_texts[FINDING_KINDS] = {
    [FINDING_SLEEP] = "sleeps by its own calls",
    [FINDING_LOCK] = "waits for locks",
    [FINDING_BINDER] = "calls other processes by binder",
    [FINDING_IO] = "uses files, databases or the network",
    [FINDING_LOAD] = "loads classes or libraries",
    [FINDING_INFLATE] = "inflates layouts",
    [FINDING_DECODE] = "decodes pictures, JSON, XML or patterns",
    [FINDING_RENDER] = "draws, or waits for drawing",
    [FINDING_GC] = "waits for the garbage collector",
    [FINDING_RUNNABLE] = "is ready to run, but has no core",
    [FINDING_DISK] = "is blocked in the kernel",
};

static unsigned
percent(nsec part, nsec whole)
{
	return whole > 0 ? (unsigned)((double)part * 100 / (double)whole + 0.5) : 0;
}

void
finding_name(struct sbuf *out, struct names *names, const struct trace *trace, uint32_t method)
{
	struct str class = trace_method(trace, method)->class_name;
	struct sbuf text = {0};

	if (class.n == 0) {
		sbuf_str(out, names_clean(names, names_shown(names, method)));
		return;
	}
	for (size_t i = class.n; i-- > 0;) {
		if (class.p[i] == '/' || class.p[i] == '.') {
			class = (struct str){class.p + i + 1, class.n - i - 1};
			break;
		}
	}
	sbuf_str(&text, class);
	sbuf_char(&text, '.');
	sbuf_str(&text, trace_method(trace, method)->name);
	sbuf_str(out, names_clean(names, sbuf_view(&text)));
	sbuf_release(&text);
}

static void
name(struct sbuf *out, const struct finding_words *w, uint32_t method)
{
	finding_name(out, w->names, w->trace, method);
}

struct str
finding_process(const struct finding_words *w, uint32_t process)
{
	const struct log *log = w->trace->log;

	return log != NULL && process != 0
	    ? ((const struct log_process *)seg_at(&log->processes, process - 1))->name
	    : (struct str){NULL, 0};
}

/* "main", or what another judged thread is called. */
static void
judged(struct sbuf *out, const struct finding_words *w)
{
	uint32_t thread = w->findings->thread;

	if (thread == trace_main_thread(w->trace))
		sbuf_text(out, "main");
	else
		sbuf_str(out, names_thread(w->names, thread));
}

static void
process_name(struct sbuf *out, const struct finding_words *w, uint32_t process)
{
	struct str text = finding_process(w, process);
	const struct log *log = w->trace->log;

	if (text.n > 0)
		sbuf_str(out, names_clean(w->names, text));
	else
		sbuf_printf(out, "process %" PRIu32,
		    ((const struct log_process *)seg_at(&log->processes, process - 1))->pid);
}

void
finding_judged(struct sbuf *out, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	const struct thread *thread;

	if (f->thread == THREAD_NONE)
		return;
	thread = trace_thread(w->trace, f->thread);
	if (w->trace->log != NULL && f->is_main && thread->process != 0)
		process_name(out, w, thread->process);
	else
		sbuf_str(out, names_thread(w->names, f->thread));
	sbuf_printf(out, " [%" PRIu32 "]: %" PRIu64 " message%s, %s of %s ms busy, longest %s ms",
	    thread->id, f->messages, f->messages == 1 ? "" : "s", WHOLE_MS(f->busy),
	    WHOLE_MS(f->range.to - f->range.from), MS(f->longest));
}

/* Sentences ----------------------------------------------------------------------- */

static void
calls_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	name(out, w, f->method);
	sbuf_printf(out, ": %" PRIu64 " calls", f->count);
	if (f->of >= 30 && f->count >= 2 * f->of)
		sbuf_printf(out, ", %" PRIu64 " a frame", (f->count + f->of / 2) / f->of);
}

static void
work_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	judged(out, w);
	sbuf_printf(out, " %s", work_texts[f->kind]);
	if (f->kind != FINDING_RUNNABLE && f->kind != FINDING_DISK &&
	    (f->kind != FINDING_SLEEP || w->trace->log == NULL))
		sbuf_printf(out, ", %" PRIu64 " call%s", f->count, f->count == 1 ? "" : "s");
}

void
finding_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	switch (f->kind) {
	case FINDING_ANR:
	case FINDING_STALL:
		judged(out, w);
		if (f->count == 1)
			sbuf_printf(out, " busy for %s ms in one message", MS(f->length));
		else
			sbuf_printf(out, " busy %" PRIu64 " times for %s ms, longest %s ms", f->count,
			    MS(f->time), MS(f->length));
		return;
	case FINDING_LATE:
		sbuf_printf(out, "%" PRIu64 " message%s of ", f->count, f->count == 1 ? "" : "s");
		judged(out, w);
		sbuf_printf(out, " over %s ms, longest %s ms", MS(w->findings->budget), MS(f->length));
		return;
	case FINDING_FRAMES:
		sbuf_printf(out, "%" PRIu64 " of %" PRIu64 " frames late, worst %s ms at %s s", f->count,
		    f->of, MS(f->length), AT(f->start));
		return;
	case FINDING_NONE:
		sbuf_printf(out, "%s: longest %s ms at %s s",
		    w->findings->late == 0 ? "no message late" : "no message notably late",
		    MS(f->length), AT(f->start));
		return;
	case FINDING_PATH:
		sbuf_printf(out, "%u %% of %s time in ", percent(f->time, f->whole),
		    w->findings->significant ? "late" : "main's");
		name(out, w, f->method);
		return;
	case FINDING_HOT:
		name(out, w, f->method);
		sbuf_printf(out, " itself: %u %% of ", percent(f->time, f->whole));
		judged(out, w);
		sbuf_text(out, trace_has_clock(w->trace, CLOCK_CPU) ? "'s CPU" : "'s time");
		return;
	case FINDING_CALLS:
		calls_text(out, w, f);
		return;
	case FINDING_THREAD:
		sbuf_str(out, names_thread(w->names, f->thread));
		sbuf_printf(out, " ran %s ms, ", WHOLE_MS(f->time));
		judged(out, w);
		sbuf_printf(out, " %s ms", WHOLE_MS(f->whole));
		return;
	case FINDING_PROCESS:
		process_name(out, w, f->process);
		sbuf_printf(out, " ran %u %% of a core", percent(f->time, (nsec)f->of));
		return;
	default:
		work_text(out, w, f);
	}
}

/* Evidence ------------------------------------------------------------------------ */

static void
by_caller(struct sbuf *out, const struct finding_words *w, uint32_t caller, nsec part, nsec of)
{
	if (caller == METHOD_NONE)
		return;
	sbuf_text(out, ", by ");
	name(out, w, caller);
	if (2 * part < of)
		sbuf_text(out, " and others");
}

static void
cause_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	const struct finding_cause *c = &f->cause;

	sbuf_printf(out, "longest at %s s: ", AT(f->start));
	if (c->by != CAUSE_NONE) {
		sbuf_printf(out, "%u %% in ", percent(c->time, f->length));
		name(out, w, c->method);
		by_caller(out, w, c->caller, c->caller_time, c->time);
		return;
	}
	sbuf_text(out, "no one thing has half of it");
}

/* What the longest message did: on the CPU, or its states; or its largest classes of work. */
static bool
message_state(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	static const struct {
		enum jank_state state;
		const char *word;
	} states[] = {{JANK_RUNNING, "running"}, {JANK_RUNNABLE, "runnable"},
	    {JANK_SLEEPING, "asleep"}, {JANK_BLOCKED, "blocked"}};
	size_t n = out->n;

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (f->state[states[i].state] >= 50000)
			sbuf_printf(out, "%s%s %s", out->n > n ? ", " : "", states[i].word,
			    MS(f->state[states[i].state]));
	}
	if (out->n > n)
		sbuf_text(out, " ms");
	if (w->trace->log != NULL)
		return out->n > n;
	if (trace_has_both(w->trace))
		sbuf_printf(out, "on CPU %s of %s ms", MS(f->cpu), MS(f->length));
	if (10 * f->tracing >= f->length)
		sbuf_printf(out, "%sabout %s ms of it%s tracing", out->n > n ? "; " : "",
		    WHOLE_MS(f->tracing), 2 * f->tracing >= f->length ? ", most," : "");
	return out->n > n;
}

static bool
message_most(struct sbuf *out, const struct finding *f)
{
	const struct finding_cause *c = &f->cause;

	if (c->by != CAUSE_NONE || c->most[0] == FINDING_KINDS)
		return false;
	for (int i = 0; i < 2 && c->most[i] != FINDING_KINDS; i++)
		sbuf_printf(out, "%s%s %s ms", i > 0 ? ", " : "most in ",
		    finding_kinds[c->most[i]].word, MS(c->most_time[i]));
	return true;
}

static bool
message_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	if (i == 0) {
		cause_text(out, w, f);
		return true;
	}
	if (i == 1)
		return message_state(out, w, f) || message_most(out, f);
	return i == 2 && out->n == 0 && message_most(out, f);
}

static bool
work_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	if (i == 0 && f->method != METHOD_NONE) {
		name(out, w, f->method);
		sbuf_printf(out, " %s ms", MS(f->method_time));
		by_caller(out, w, f->caller, f->caller_time, f->method_time);
		return true;
	}
	if (i > (f->method != METHOD_NONE))
		return false;
	sbuf_printf(out, "longest at %s s, %s ms", AT(f->start), MS(f->length));
	if (f->blocker != THREAD_NONE) {
		sbuf_text(out, "; the core had ");
		sbuf_str(out, names_thread(w->names, f->blocker));
		sbuf_printf(out, " %s ms", MS(f->blocker_time));
	}
	return true;
}

static void
path_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	size_t n = out->n;

	for (int i = 0; i < 2; i++) {
		if (f->above[i] == METHOD_NONE)
			continue;
		if (out->n > n)
			sbuf_text(out, " > ");
		name(out, w, f->above[i]);
		sbuf_printf(out, " %u %%", percent(f->above_time[i], f->whole));
	}
}

bool
finding_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	const bool none = f->kind == FINDING_NONE, thread = f->kind == FINDING_THREAD;

	if (f->kind == FINDING_ANR || f->kind == FINDING_STALL || f->kind == FINDING_LATE)
		return message_evidence(out, w, f, i);
	if (finding_is_work(f->kind))
		return work_evidence(out, w, f, i);
	if (i > 0 || f->kind == FINDING_FRAMES || (none && f->of == 0) ||
	    (thread && f->method == METHOD_NONE))
		return false;
	if (none)
		sbuf_printf(out, "%" PRIu64 " of %" PRIu64 " frames over the budget", f->count, f->of);
	else if (f->kind == FINDING_PATH)
		path_evidence(out, w, f);
	else if (f->kind == FINDING_HOT)
		sbuf_printf(out, "%" PRIu64 " call%s; %s ms, %s ms less tracing", f->count,
		    f->count == 1 ? "" : "s", MS(f->method_time), MS(f->net));
	else if (f->kind == FINDING_CALLS)
		sbuf_printf(out, "%s ms below it, %s ms less tracing", MS(f->time), MS(f->net));
	else if (f->kind == FINDING_PROCESS)
		sbuf_printf(out, "%s ms; the app in front %s ms", WHOLE_MS(f->time),
		    WHOLE_MS(f->whole));
	if (thread) {
		sbuf_text(out, "most in ");
		name(out, w, f->method);
		sbuf_printf(out, " %s ms", MS(f->method_time));
	}
	return true;
}

void
finding_limit_text(struct sbuf *out, const struct finding_words *w, enum finding_limit limit)
{
	static const char *const texts[FINDING_LIMITS] = {
	    [LIMIT_SAMPLED] = "calls are samples: no counts, and nothing shorter than one",
	    [LIMIT_ONE_MESSAGE] = "main never came back to its looper in this trace",
	    [LIMIT_CPU_ONLY] = "no wall clock: waiting is not in this trace",
	    [LIMIT_NO_SCHED] = "no scheduler events: why main waited is not known",
	    [LIMIT_NO_MAIN] = "no main thread",
	    [LIMIT_NO_APP] = "no app in front: no main thread is judged",
	};
	const struct finding_limits *l = &w->findings->limits;

	if (limit == LIMIT_TRACING) {
		sbuf_printf(out, "the tracer itself: about %s of ", WHOLE_MS(l->tracing));
		judged(out, w);
		sbuf_printf(out, "'s %s ms of CPU", WHOLE_MS(l->of));
	} else if (limit == LIMIT_UNFINISHED) {
		sbuf_printf(out, "%" PRIu64 " slice%s of main ha%s no end and %s left out", l->unfinished,
		    l->unfinished == 1 ? "" : "s", l->unfinished == 1 ? "s" : "ve",
		    l->unfinished == 1 ? "is" : "are");
	} else if (limit == LIMIT_DAMAGE) {
		sbuf_text(out, damage_kinds[l->damage].help);
	} else {
		sbuf_text(out, texts[limit]);
	}
	if (limit == LIMIT_NO_MAIN && l->busiest != THREAD_NONE) {
		sbuf_text(out, "; busiest: ");
		sbuf_str(out, names_thread(w->names, l->busiest));
	}
}
