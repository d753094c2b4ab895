// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "profile/log/critical.h"
#include "trace/log.h"

#define MS(ns) fmt_time(FMT_BUF, (ns), FMT_MS, 1)
#define AT(ns) fmt_time(FMT_BUF, (ns), FMT_S, 3)
#define WHOLE_MS(ns) fmt_time(FMT_BUF, (ns), FMT_MS, 0)

unsigned
finding_decimals(nsec time)
{
	return time < 100000 ? 3 : 1;
}

/* An amount of time, or of what the trace counts. */
static const char *
amount(const struct finding_words *w, char out[static FMT_SIZE], nsec ns)
{
	char number[FMT_SIZE];

	if (unit_counts(&w->trace->unit))
		return unit_text(&w->trace->unit, out, ns);
	snprintf(out, FMT_SIZE, "%.*s ms", FMT_SIZE - 4, fmt_time(number, ns, FMT_MS, finding_decimals(ns)));
	return out;
}

/* A class of work: what main does, and of what a message is a share. */
static const struct {
	const char *does, *share;
} work_words[FINDING_KINDS] = {
    [FINDING_SLEEP] = {"sleeps", "asleep"},
    [FINDING_WAIT] = {"waits", "waiting"},
    [FINDING_LOCK] = {"waits for locks for", "waiting for locks"},
    [FINDING_BINDER] = {"calls other processes for", "in binder calls"},
    [FINDING_IO] = {"uses files and network for", "in files and network"},
    [FINDING_LOAD] = {"loads classes for", "loading classes"},
    [FINDING_INFLATE] = {"inflates layouts for", "inflating layouts"},
    [FINDING_DECODE] = {"decodes and parses for", "decoding and parsing"},
    [FINDING_RENDER] = {"draws for", "drawing"},
    [FINDING_GC] = {"waits for the garbage collector for", "in garbage collection"},
    [FINDING_RUNNABLE] = {"waits for a core for", "waiting for a core"},
    [FINDING_DISK] = {"waits in the kernel for", "waiting in the kernel"},
};

void
finding_name(struct sbuf *out, struct names *names, const struct trace *trace, uint32_t method)
{
	struct str class = trace_method(trace, method)->class_name;
	struct sbuf text = {0};

	if (class.n == 0) {
		sbuf_str(out, names_clean(names, finding_name_of(trace_method(trace, method))));
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

	if (w->findings->is_main)
		sbuf_text(out, "main");
	else
		sbuf_str(out, names_thread(w->names, thread));
}

/* A process without a name is called as its main thread. */
static void
process_name(struct sbuf *out, const struct finding_words *w, uint32_t process)
{
	const struct log_process *p = seg_at(&w->trace->log->processes, process - 1);
	struct str text = p->name;

	for (uint32_t t = 0; t < trace_thread_count(w->trace) && text.n == 0; t++) {
		const struct thread *thread = trace_thread(w->trace, t);

		if (thread->process == process && thread->kind == THREAD_TASK && thread->id == p->pid)
			text = thread->name;
	}
	if (text.n > 0)
		sbuf_str(out, names_clean(w->names, text));
	else
		sbuf_printf(out, "process %" PRIu32, p->pid);
}

void
finding_judged(struct sbuf *out, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	const nsec length = f->range.to - f->range.from;
	const unsigned decimals = length < 10000000 ? finding_decimals(length) : 0;
	const struct thread *thread;

	if (f->thread == THREAD_NONE)
		return;
	thread = trace_thread(w->trace, f->thread);
	if (w->trace->log != NULL && f->is_main && thread->process != 0)
		process_name(out, w, thread->process);
	else
		sbuf_str(out, names_thread(w->names, f->thread));
	sbuf_printf(out, " [%" PRIu32 "]: ", thread->id);
	if (!f->messages_known) {
		if (unit_counts(&w->trace->unit))
			sbuf_text(out, amount(w, FMT_BUF, f->busy));
		else
			sbuf_printf(out, "%s %s of %s ms", f->program ? "in slices" : "no messages; ran",
			    fmt_time(FMT_BUF, f->busy, FMT_MS, decimals), fmt_time(FMT_BUF, length, FMT_MS, decimals));
		return;
	}
	sbuf_printf(out, "%" PRIu64 " message%s, %s of %s ms busy, longest %s ms", f->messages,
	    f->messages == 1 ? "" : "s", WHOLE_MS(f->busy), WHOLE_MS(length), MS(f->longest));
	if (f->late_messages > 0)
		sbuf_printf(out, ", %" PRIu64 " late by %s ms in all", f->late_messages, MS(f->late));
}

/* Sentences ----------------------------------------------------------------------- */

static bool
is_sampled(const struct finding_words *w)
{
	return w->findings->limits.set[LIMIT_SAMPLED];
}

static void
messages_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	if (f->told) {
		sbuf_printf(out, "the system told of an ANR at %s s", AT(f->start + f->length));
		return;
	}
	if (f->count == 1) {
		/* "busy 125.4 ms (CPU 100.3 ms)", as far as it is known. */
		judged(out, w);
		sbuf_printf(out, " %s %s ms", f->blocked > 0 ? "blocked" : "busy", MS(f->length));
		if (trace_has_both(w->trace) && !w->findings->limits.set[LIMIT_NO_SCHED])
			sbuf_printf(out, " (CPU %s ms)", MS(f->cpu));
		return;
	}
	sbuf_printf(out, "%" PRIu64 " %s", f->count, f->kind == FINDING_LATE ? "messages on "
	    : f->kind == FINDING_ANR ? "stalls of 5 s and more on " : "stalls on ");
	judged(out, w);
	if (f->kind == FINDING_LATE)
		sbuf_printf(out, " over %s ms", MS(w->findings->budget));
	sbuf_printf(out, ", %s ms in all, longest %s ms at %s s", MS(f->time), MS(f->length), AT(f->start));
}

static void
startup_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	process_name(out, w, f->process);
	sbuf_printf(out, " started in %s ms", MS(f->time));
	if (f->start_type != START_UNTOLD)
		sbuf_printf(out, " (%s)", start_type_names[f->start_type]);
}

bool
finding_startup(struct sbuf *out, const struct finding_words *w)
{
	const struct finding *f = &w->findings->startup;

	if (f->time == 0)
		return false;
	startup_text(out, w, f);
	sbuf_printf(out, " at %s s", AT(f->start));
	return true;
}

/* "late messages", "main's messages" or "worker's time": what percentages are of. */
static void
judged_base(struct sbuf *out, const struct finding_words *w)
{
	if (w->findings->late_counts) {
		sbuf_text(out, "late messages");
		return;
	}
	judged(out, w);
	sbuf_text(out, w->findings->messages_known ? "'s messages" : "'s time");
}

static void cause_text(struct sbuf *out, const struct finding_words *w, const struct finding_cause *c);

void
finding_text(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	switch (f->kind) {
	case FINDING_ANR:
	case FINDING_STALL:
	case FINDING_LATE:
		messages_text(out, w, f);
		return;
	case FINDING_FRAMES:
		sbuf_printf(out, "%" PRIu64 " of %" PRIu64 " frames late, worst %s ms (%s late)"
		    " at %s s", f->count, f->of, MS(f->length), MS(f->worst_over), AT(f->start));
		if (f->framed > 0)
			sbuf_printf(out, ", and %" PRIu64 " of the stalls", f->framed);
		return;
	case FINDING_STARTUP:
		startup_text(out, w, f);
		return;
	case FINDING_NONE:
		if (f->length < 0)
			sbuf_printf(out, "no message in this %s",
			    w->findings->whole ? "trace" : "range");
		else
			sbuf_printf(out, "no message %slate: longest %s ms at %s s",
			    w->findings->late_messages > 0 ? "notably " : "", MS(f->length),
			    AT(f->start));
		return;
	case FINDING_PATH:
		sbuf_printf(out, "%u %% of ", finding_percent(f->time, f->whole));
		judged_base(out, w);
		sbuf_char(out, ' ');
		cause_text(out, w, &f->cause);
		return;
	case FINDING_HOT:
		name(out, w, f->method);
		sbuf_printf(out, " itself: %u %% of ", finding_percent(f->time, f->whole));
		judged(out, w);
		sbuf_printf(out, "'s %s", unit_counts(&w->trace->unit) ? unit_name(&w->trace->unit)
			: trace_has_clock(w->trace, CLOCK_CPU) ? "CPU" : "time");
		return;
	case FINDING_CALLS:
		name(out, w, f->method);
		sbuf_printf(out, ": %" PRIu64 " calls", f->count);
		if (f->of >= 30 && f->count >= 2 * f->of)
			sbuf_printf(out, ", %" PRIu64 " a frame", (f->count + f->of / 2) / f->of);
		return;
	case FINDING_THREAD:
		sbuf_str(out, names_thread(w->names, f->thread));
		sbuf_printf(out, " ran %s ms, ", MS(f->time));
		judged(out, w);
		sbuf_printf(out, " %s ms", MS(f->whole));
		return;
	case FINDING_PROCESS:
		process_name(out, w, f->process);
		sbuf_printf(out, " ran %u %% of a core", finding_percent(f->time, (nsec)f->of));
		return;
	case FINDING_RECURSION:
		if (f->count < RECURSION_LEAST)
			sbuf_printf(out, "a stack of %" PRIu64 " calls, %" PRIu64 " of them of ", f->of, f->count);
		name(out, w, f->method);
		if (f->count >= RECURSION_LEAST)
			sbuf_printf(out, " calls itself, %" PRIu64 " deep, on a stack of %" PRIu64, f->count,
			    f->of);
		return;
	case FINDING_CPU:
		if (f->frequency[0] == 0)
			sbuf_printf(out, "all %" PRIu64 " cores over 90 %% busy for %s ms together"
			    " at %s s", f->count, MS(f->length), AT(f->start));
		else
			sbuf_printf(out, "cpu%" PRIu64 " has %" PRIu32 " MHz at most from %s s on,"
			    " %" PRIu32 " before", f->count, f->frequency[1] / 1000, AT(f->start),
			    f->frequency[0] / 1000);
		return;
	case FINDING_THREADS:
		judged(out, w);
		sbuf_printf(out, " starts %" PRIu64 " thread%s", f->count, f->count == 1 ? "" : "s");
		if (f->of > 1)
			sbuf_printf(out, ", %" PRIu64 " within a second from %s s", f->of, AT(f->start));
		return;
	default:
		break; /* a class of work */
	}
	judged(out, w);
	sbuf_printf(out, " %s %s ms (%u %% of ", work_words[f->kind].does,
	    fmt_time(FMT_BUF, f->time, FMT_MS, finding_decimals(f->time)),
	    finding_percent(f->time, f->whole));
	judged_base(out, w);
	sbuf_char(out, ')');
	if (f->method == METHOD_NONE)
		return;
	sbuf_text(out,
	    finding_percent(f->method_time, f->whole) == finding_percent(f->time, f->whole)
		? " in " : ", most in ");
	name(out, w, f->method);
	if (f->caller != METHOD_NONE && 2 * f->caller_time >= f->method_time) {
		sbuf_text(out, ", called by ");
		name(out, w, f->caller);
	}
}

/* Evidence ------------------------------------------------------------------------ */

/* "A.b 49 %, itself 15 % (binder)" */
static void
parts_text(struct sbuf *out, const struct finding_words *w, const struct finding_cause *c)
{
	for (uint32_t i = 0; i < c->part_count; i++) {
		const struct cause_part *p = &c->parts[i];

		sbuf_text(out, i > 0 ? ", " : "");
		if (p->method != METHOD_NONE)
			name(out, w, p->method);
		else
			sbuf_text(out, "itself");
		sbuf_printf(out, " %u %%", finding_percent(p->time, c->whole));
		if (p->kind != FINDING_KINDS)
			sbuf_printf(out, " (%s)", finding_kinds[p->kind].word);
	}
}

/* "58 % in files and network, most in A.b (45 %), called by C.d"; a share is told once. */
static void
class_text(struct sbuf *out, const struct finding_words *w, const struct finding_cause *c)
{
	const unsigned share = finding_percent(c->time, c->whole), of = finding_percent(c->method_time, c->whole);

	sbuf_printf(out, "%u %% ", share);
	if (c->method == METHOD_NONE || of != share || w->trace->log != NULL)
		sbuf_text(out, work_words[c->kind].share);
	if (c->method == METHOD_NONE)
		return;
	sbuf_text(out, of != share ? ", most in " : w->trace->log != NULL ? " in " : "in ");
	name(out, w, c->method);
	if (of != share)
		sbuf_printf(out, " (%u %%)", of);
	if (c->caller == METHOD_NONE)
		return;
	sbuf_text(out, ", called by ");
	name(out, w, c->caller);
	if (finding_percent(c->caller_time, c->whole) != of)
		sbuf_printf(out, " (%u %%)", finding_percent(c->caller_time, c->whole));
}

/* The cause without its share, which stands before. */
static void
cause_text(struct sbuf *out, const struct finding_words *w, const struct finding_cause *c)
{
	sbuf_text(out, "in ");
	name(out, w, c->method);
	sbuf_text(out, c->part_count > 0 ? ": " : "");
	parts_text(out, w, c);
}

static void
cause_whole(struct sbuf *out, const struct finding_words *w, const struct finding_cause *c)
{
	if (c->by == CAUSE_CLASS) {
		class_text(out, w, c);
	} else if (c->by == CAUSE_OWN || c->by == CAUSE_PATH) {
		sbuf_printf(out, "%u %% ", finding_percent(c->time, c->whole));
		cause_text(out, w, c);
	} else if (c->by == CAUSE_SPLIT) {
		if (c->under != METHOD_NONE)
			name(out, w, c->under);
		sbuf_text(out, c->under != METHOD_NONE ? ": " : "");
		parts_text(out, w, c);
	} else if (c->under != METHOD_NONE) {
		sbuf_text(out, "nothing is traced below ");
		name(out, w, c->under);
	} else {
		sbuf_text(out, "nothing has a tenth of it");
	}
}

/* Appends the states of the longest message, or its CPU time and its tracing overhead. */
static bool
message_state(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	static const struct {
		enum jank_state state;
		const char *word;
	} states[] = {{JANK_RUNNING, "running"}, {JANK_RUNNABLE, "runnable"},
	    {JANK_SLEEPING, "asleep"}, {JANK_BLOCKED, "uninterruptible"}};
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
	if (trace_has_both(w->trace) && f->count > 1)
		sbuf_printf(out, "busy: CPU %s of %s ms", MS(f->cpu), MS(f->length));
	if (f->tracing > 0 && 10 * f->tracing >= f->length)
		sbuf_printf(out, "%s%s ms (%u %%) is tracing overhead", out->n > n ? "; " : "",
		    WHOLE_MS(f->tracing), finding_percent(f->tracing, f->length));
	return out->n > n;
}

/* "1 of 4 blocked, 6 of 7 in frames" */
static bool
message_counts(struct sbuf *out, const struct finding *f)
{
	size_t n = out->n;

	if (f->count > 1 && f->blocked > 0)
		sbuf_printf(out, "%" PRIu64 " of %" PRIu64 " blocked", f->blocked, f->count);
	if (f->count > 1 && f->framed > 0)
		sbuf_printf(out, "%s%" PRIu64 " of %" PRIu64 " in frames", out->n > n ? ", " : "", f->framed,
		    f->count);
	return out->n > n;
}

static bool
message_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	struct sbuf state = {0};
	const size_t n = out->n;

	if (i == 0) {
		if (f->count == 1)
			sbuf_printf(out, "at %s s: ", AT(f->start));
		else
			sbuf_text(out, "longest: ");
		cause_whole(out, w, &f->cause);
		return true;
	}
	if (message_state(&state, w, f) && --i == 0)
		sbuf_str(out, sbuf_view(&state));
	sbuf_release(&state);
	return out->n > n || (i == 1 && message_counts(out, f));
}

/* The method with its time and its caller, if the sentence does not say it all. */
static bool
work_method(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	char time[FMT_SIZE], all[FMT_SIZE];

	if (f->method == METHOD_NONE || (f->kind == FINDING_WAIT && w->trace->log != NULL))
		return false;
	snprintf(time, sizeof(time), "%s", MS(f->method_time));
	snprintf(all, sizeof(all), "%s", MS(f->time));
	if (strcmp(time, all) == 0 && (f->caller == METHOD_NONE || f->caller_time == f->method_time))
		return false;
	name(out, w, f->method);
	sbuf_printf(out, " %s ms", time);
	if (f->caller != METHOD_NONE && f->caller_time != f->method_time) {
		sbuf_printf(out, ", of that %s ms called by ", MS(f->caller_time));
		name(out, w, f->caller);
	}
	return true;
}

static bool
work_longest(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	const bool counted = f->kind != FINDING_WAIT && f->kind != FINDING_RUNNABLE &&
	    f->kind != FINDING_DISK && !is_sampled(w);

	if (f->length < 0)
		return false;
	if (counted)
		sbuf_printf(out, "%" PRIu64 " call%s, ", f->count, f->count == 1 ? "" : "s");
	sbuf_printf(out, "longest %s ms at %s s", fmt_time(FMT_BUF, f->length, FMT_MS, finding_decimals(f->length)), AT(f->start));
	return true;
}

/* "owner worker in a.B.write, 0 waiting", of the runtime's text. */
static bool
lock_owner(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	struct str text = f->method != METHOD_NONE ? trace_method(w->trace, f->method)->name : STR("");
	struct lock_slice lock;

	if (f->kind != FINDING_LOCK || !lock_slice_parse(text, &lock))
		return false;
	sbuf_text(out, "owner ");
	sbuf_str(out, names_clean(w->names, lock.owner));
	if (lock.method.n > 0) {
		sbuf_text(out, " in ");
		sbuf_str(out, names_clean(w->names, lock.method));
	}
	if (lock.waiters >= 0)
		sbuf_printf(out, ", %" PRId64 " waiting", lock.waiters);
	return true;
}

static bool
work_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	struct sbuf none = {0};
	bool method = work_method(&none, w, f);

	sbuf_release(&none);
	if (i == 0 && method)
		return work_method(out, w, f);
	i -= method;
	if (i == 0)
		return work_longest(out, w, f);
	if (i != 1)
		return false;
	if (f->kind == FINDING_DISK) {
		sbuf_text(out, "in the kernel");
		return true;
	}
	if (f->blocker != THREAD_NONE) {
		sbuf_text(out, "the core had ");
		sbuf_str(out, names_thread(w->names, f->blocker));
		sbuf_printf(out, " %s ms", MS(f->blocker_time));
		return true;
	}
	return lock_owner(out, w, f);
}

/* "activityResume 106.5 ms, first frame 11.7 ms", the largest first. */
static bool
startup_evidence(struct sbuf *out, const struct finding *f)
{
	nsec left[START_PHASES];
	const char *gap = "";

	memcpy(left, f->phase, sizeof(left));
	for (int n = 0; n < START_PHASES; n++) {
		int most = 0;

		for (int i = 1; i < START_PHASES; i++)
			most = left[i] > left[most] ? i : most;
		if (left[most] == 0)
			break;
		sbuf_printf(out, "%s%s %s ms", gap, start_phase_names[most], MS(left[most]));
		left[most] = 0;
		gap = ", ";
	}
	return *gap != '\0';
}

static bool
cpu_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	if (f->frequency[0] != 0) {
		sbuf_printf(out, "%u %% busy in that time", finding_percent(f->cpu, f->length));
		return true;
	}
	if (f->process == 0)
		return false;
	sbuf_text(out, "most of it ");
	process_name(out, w, f->process);
	sbuf_printf(out, ", %u %%", finding_percent(f->cpu, f->whole));
	return true;
}

static bool
cost_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f)
{
	const bool traced = w->trace->log == NULL && !is_sampled(w), counts = unit_counts(&w->trace->unit);

	if (f->kind == FINDING_HOT && (traced || w->findings->program))
		sbuf_printf(out, "%" PRIu64 " %s%s, ", f->count, traced ? "call" : "slice", f->count == 1 ? "" : "s");
	if (f->kind == FINDING_HOT)
		sbuf_printf(out, "%s", amount(w, FMT_BUF, f->method_time));
	else if (f->kind == FINDING_CALLS || f->kind == FINDING_RECURSION)
		sbuf_printf(out, "%s below it", amount(w, FMT_BUF, f->time));
	else if (f->kind == FINDING_THREADS)
		sbuf_printf(out, "%s in Thread.start", amount(w, FMT_BUF, f->time));
	if ((f->kind == FINDING_HOT || f->kind == FINDING_CALLS) && traced && !counts)
		sbuf_printf(out, ", %s less tracing overhead", amount(w, FMT_BUF, f->net));
	if (f->kind == FINDING_PROCESS) {
		sbuf_printf(out, "%s", amount(w, FMT_BUF, f->time));
		if (f->whole > 0)
			sbuf_printf(out, "; the app in front %s", amount(w, FMT_BUF, f->whole));
	}
	if (f->kind == FINDING_THREAD && f->method != METHOD_NONE) {
		sbuf_text(out, "most in ");
		name(out, w, f->method);
		sbuf_printf(out, " %s", amount(w, FMT_BUF, f->method_time));
	}
	return f->kind != FINDING_THREAD || f->method != METHOD_NONE;
}

bool
finding_evidence(struct sbuf *out, const struct finding_words *w, const struct finding *f, int i)
{
	if (f->told)
		return false;
	if (f->kind == FINDING_ANR || f->kind == FINDING_STALL || f->kind == FINDING_LATE)
		return message_evidence(out, w, f, i);
	if (finding_is_work(f->kind))
		return work_evidence(out, w, f, i);
	if (i > 0 || f->kind == FINDING_PATH)
		return false;
	if (f->kind == FINDING_STARTUP)
		return startup_evidence(out, f);
	if (f->kind == FINDING_CPU)
		return cpu_evidence(out, w, f);
	if (f->kind == FINDING_NONE) {
		if (f->of > 0)
			sbuf_printf(out, "%" PRIu64 " of %" PRIu64 " frames over the budget",
			    f->count, f->of);
		else if (!w->findings->whole)
			sbuf_text(out, "No frames in this range");
		return f->of > 0 || !w->findings->whole;
	}
	if (f->kind == FINDING_FRAMES) {
		sbuf_text(out, "worst: ");
		if (f->janks != 0)
			log_janks_put(out, f->janks);
		else if (f->most != JANK_UNTOLD)
			sbuf_text(out, jank_cause_names[f->most]);
		else
			cause_whole(out, w, &f->cause);
		return true;
	}
	return cost_evidence(out, w, f);
}

void
finding_limit_text(struct sbuf *out, const struct finding_words *w, enum finding_limit limit)
{
	static const char *const texts[FINDING_LIMITS] = {
	    [LIMIT_SAMPLED] = "Sampled: no call counts; short calls are missing",
	    [LIMIT_ONE_MESSAGE] = "Main ran one message from start to end",
	    [LIMIT_CPU_ONLY] = "No wall clock: waiting is not in this trace",
	    [LIMIT_NO_SCHED] = "No scheduler events: why main waited is not known",
	    [LIMIT_NO_MAIN] = "No main thread",
	    [LIMIT_NO_APP] = "No foreground app found; choose a process with @ or --process",
	};
	const struct finding_limits *l = &w->findings->limits;

	if (limit == LIMIT_TRACING) {
		sbuf_printf(out, "%s ms (%u %%) of ", WHOLE_MS(l->tracing), finding_percent(l->tracing, l->of));
		judged(out, w);
		sbuf_printf(out, "'s %s is tracing overhead",
		    trace_has_clock(w->trace, CLOCK_CPU) ? "CPU" : "time");
	} else if (limit == LIMIT_UNFINISHED) {
		sbuf_printf(out, "%" PRIu64 " slice%s of ", l->unfinished, l->unfinished == 1 ? "" : "s");
		judged(out, w);
		sbuf_printf(out, " ha%s no end and %s left out", l->unfinished == 1 ? "s" : "ve",
		    l->unfinished == 1 ? "is" : "are");
	} else if (limit == LIMIT_DAMAGE) {
		sbuf_text(out, l->damage == DAMAGE_BUFFER_OVERFLOW
			? "The recording buffer was full; everything after it is missing"
			: damage_kinds[l->damage].help);
	} else {
		sbuf_text(out, texts[limit]);
	}
	if (limit == LIMIT_NO_MAIN && l->busiest != THREAD_NONE) {
		sbuf_text(out, "; busiest: ");
		sbuf_str(out, names_thread(w->names, l->busiest));
	}
}
