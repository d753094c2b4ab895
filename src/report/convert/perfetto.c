// SPDX-License-Identifier: Apache-2.0
/*
 * perfetto: a Perfetto trace of track events.
 *
 * A track for each thread below that of the process; a slice for each call, its name
 * interned when first met; with two clocks a counter of the thread's CPU time, told with
 * every event.  Times are nanoseconds since the trace's start.
 *
 * Frames of the display stay such: they are no slices, and no work.
 *
 * Text logs add a track for each process and each counter, arguments of slices as debug
 * annotations, instants, and scheduling as the kernel's events: switches, wakeups,
 * frequencies and idle states of cores.  Switches and wakeups are made of what threads
 * did from when to when (trace/sched.h), so with threads left out, or a window, the cores
 * are idle instead.
 */
#include <config.h>

#include <math.h>

#include "base/bytes.h"
#include "base/map.h"
#include "report/convert/convert.h"
#include "view/names/processes.h"

/* Numbers of fields, by message; Perfetto's protos/perfetto/trace has all of them. */
enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE_EVENTS = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK = 60,
	PACKET_FRAME = 76,

	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PROCESS = 3,
	DESCRIPTOR_THREAD = 4,
	DESCRIPTOR_PARENT = 5,
	DESCRIPTOR_COUNTER = 8,
	DESCRIPTOR_ALONE = 9,
	DESCRIPTOR_DESCRIPTION = 14,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	COUNTER_TYPE = 1,

	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_EXTRA_VALUE = 12,
	EVENT_NAME = 23,
	EVENT_COUNTER_VALUE = 30,
	EVENT_EXTRA_TRACK = 31,
	EVENT_COUNTER_REAL = 44,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,
	INTERNED_EVENT_NAME = 2,
	INTERNED_KERNEL_SYMBOL = 26,
	STRING_IID = 1,
	STRING_TEXT = 2,

	/* FrameTimelineEvent: starts of expected and actual frames, and the end of either.  The starts
	 * of surface frames are FRAME_OF_SURFACE more. */
	FRAME_EXPECTED = 1,
	FRAME_ACTUAL = 2,
	FRAME_OF_SURFACE = 2,
	FRAME_END = 5,
	FRAME_COOKIE = 1,
	FRAME_TOKEN = 2,
	FRAME_PID = 3,
	FRAME_JANK = 7,
	SURFACE_OF_DISPLAY = 3,
	SURFACE_PID = 4,
	SURFACE_LAYER = 5,
	SURFACE_JANK = 9,

	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	FTRACE_TIMESTAMP = 1,
	FTRACE_PID = 2,
	FTRACE_SWITCH = 4,
	FTRACE_FLAGS = 5,
	FTRACE_FREQUENCY = 11,
	FTRACE_IDLE = 13,
	FTRACE_WAKEUP = 17,
	FTRACE_BLOCKED_REASON = 18,
	FTRACE_WAKING = 20,
	SWITCH_PREV = 1, /* comm, pid and priority, one after the other */
	SWITCH_PREV_STATE = 4,
	SWITCH_NEXT = 5,
	WAKE_COMM = 1,
	WAKE_PID = 2,
	REASON_PID = 1,
	REASON_CALLER = 2,
	REASON_IO_WAIT = 3,
	STEP_STATE = 1, /* kHz, or the idle state */
	STEP_CPU = 2,
};

/* Values of fields. */
enum {
	SEQUENCE = 1,
	SEQUENCE_CLEARED = 1, /* SEQ_INCREMENTAL_STATE_CLEARED */
	SEQUENCE_GOES_ON = 2, /* SEQ_NEEDS_INCREMENTAL_STATE */
	TYPE_SLICE_BEGIN = 1,
	TYPE_SLICE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,
	COUNTER_THREAD_TIME_NS = 1,
	FLAG_INTERRUPT = 8, /* TRACE_FLAG_HARDIRQ */
	IDLE_PRIORITY = 120,
};

#define NOT_IDLE UINT32_MAX

/* Numbers of tracks. */
#define NO_TRACK           UINT64_C(0) /* of what is in no process */
#define TRACK_OF_PROCESS   UINT64_C(1) /* of a method trace */
#define TRACK_OF_THREADS   UINT64_C(2) /* two for each: its slices and its CPU time */
#define TRACK_OF_PROCESSES (UINT64_C(1) << 40)
#define TRACK_OF_COUNTERS  (UINT64_C(1) << 41)
#define TRACK_OF_INSTANTS  (UINT64_C(1) << 42)

enum {
	ARGS_MOST = 64,   /* of a slice; more are left out */
	LOOK_AHEAD = 256, /* intervals */
};

struct perfetto_out {
	struct convert *convert;
	struct sbuf *out;
	enum clock_id clock;
	bool begun;
	size_t packet, bundle, inside; /* open messages, as wire_begin has them */
	uint8_t *interned; /* by method */
	uint8_t *told;     /* by thread: it has a track */
	uint64_t *cookies, cookie; /* of the frame that a row has, by thread; the last of all */
	size_t args;                  /* of the slice that is written */
	struct intern instant_tracks; /* by index + 1 of the process */
	struct idmap tids;            /* -> the first thread of the id */
};

/* Packets --------------------------------------------------------------------------- */

/* Valid UTF-8, as Perfetto's readers ask for. */
static void
text_write(struct perfetto_out *p, unsigned field, struct str text)
{
	size_t at = wire_begin(p->out, field);

	convert_utf8(p->out, text);
	wire_end(p->out, at);
}

static void
flags_write(struct perfetto_out *p)
{
	wire_number(p->out, PACKET_SEQUENCE_FLAGS, p->begun ? SEQUENCE_GOES_ON : SEQUENCE_CLEARED);
	p->begun = true;
}

static bool
packet_end(struct perfetto_out *p)
{
	wire_end(p->out, p->packet);
	return sink_row(p->convert->sink);
}

static void
track_begin(struct perfetto_out *p, uint64_t track)
{
	p->packet = wire_begin(p->out, TRACE_PACKET);
	wire_number(p->out, PACKET_SEQUENCE, SEQUENCE);
	flags_write(p);
	p->inside = wire_begin(p->out, PACKET_TRACK);
	wire_number(p->out, DESCRIPTOR_UUID, track);
}

static bool
track_end(struct perfetto_out *p)
{
	wire_end(p->out, p->inside);
	return packet_end(p);
}

/* Writes a track with a name, below that of a process; `about` describes it, or is empty. */
static bool
track_write(struct perfetto_out *p, uint64_t track, struct str name, uint64_t parent, bool counter,
    struct str about)
{
	track_begin(p, track);
	text_write(p, DESCRIPTOR_NAME, name);
	if (parent != NO_TRACK)
		wire_number(p->out, DESCRIPTOR_PARENT, parent);
	if (counter)
		wire_end(p->out, wire_begin(p->out, DESCRIPTOR_COUNTER));
	if (about.n > 0)
		text_write(p, DESCRIPTOR_DESCRIPTION, about);
	return track_end(p);
}

static void
event_begin(struct perfetto_out *p, nsec at, unsigned data)
{
	p->packet = wire_begin(p->out, TRACE_PACKET);
	wire_number(p->out, PACKET_TIMESTAMP, (uint64_t)at);
	wire_number(p->out, PACKET_SEQUENCE, SEQUENCE);
	p->inside = wire_begin(p->out, data);
}

/* Interns a text: later packets refer to it by number. */
static void
intern_write(struct perfetto_out *p, unsigned kind, uint64_t number, struct str text)
{
	size_t data = wire_begin(p->out, PACKET_INTERNED), entry = wire_begin(p->out, kind);

	wire_number(p->out, STRING_IID, number);
	text_write(p, STRING_TEXT, text);
	wire_end(p->out, entry);
	wire_end(p->out, data);
}

/* Without a text to tell first. */
static bool
event_end(struct perfetto_out *p)
{
	wire_end(p->out, p->inside);
	flags_write(p);
	return packet_end(p);
}

/* Processes, threads, counters ------------------------------------------------------- */

static uint64_t
thread_track(uint32_t thread)
{
	return TRACK_OF_THREADS + (uint64_t)thread * 2;
}

static uint64_t
process_track(const struct perfetto_out *p, uint32_t process)
{
	return p->convert->trace->log == NULL ? TRACK_OF_PROCESS
	    : process == 0 ? NO_TRACK : TRACK_OF_PROCESSES + process;
}

static bool
process_write(struct perfetto_out *p, uint32_t process, uint32_t pid, struct str name)
{
	size_t at;

	track_begin(p, process_track(p, process));
	at = wire_begin(p->out, DESCRIPTOR_PROCESS);
	wire_number(p->out, PROCESS_PID, (uint64_t)(int32_t)pid);
	if (name.n > 0)
		text_write(p, PROCESS_NAME, name);
	wire_end(p->out, at);
	return track_end(p);
}

/* Writes the tracks that exist before any event. */
static bool
tracks_write(struct perfetto_out *p)
{
	const struct convert *c = p->convert;
	struct processes all;
	bool more = true;

	if (c->trace->log == NULL)
		return process_write(p, 0, (uint32_t)convert_pid(c), convert_title(c));
	processes_make(&all, c->trace);
	for (uint32_t i = 1; i < all.count && more; i++)
		more = process_write(p, i, all.items[i].pid, all.items[i].name);
	processes_release(&all);
	for (uint32_t i = 0; i < seg_count(&c->trace->log->counters) && more; i++) {
		const struct log_counter *counter = seg_at(&c->trace->log->counters, i);

		more = track_write(p, TRACK_OF_COUNTERS + i, counter->name,
		    process_track(p, counter->process), true, STR(""));
	}
	return more;
}

static bool
thread_write(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct perfetto_out *p = context;
	const struct convert *c = p->convert;
	const struct thread *row = trace_thread(c->trace, thread);
	struct str name;
	size_t inside;

	p->told[thread] = 1;
	if (row->display)
		return true;
	name = c->trace->log != NULL ? row->name : convert_thread_name(c, thread);
	/*
	 * A row of asynchronous slices, or what ran on an idle core, is no thread.  The word
	 * before its name comes back when it is read.
	 */
	if (row->kind == THREAD_ASYNC && str_starts(name, STR("async: ")))
		name = (struct str){name.p + strlen("async: "), name.n - strlen("async: ")};
	if (row->kind != THREAD_TASK)
		return track_write(p, thread_track(thread), name,
		    process_track(p, row->process), false, str_from(row->aside ? TRACE_ASIDE : ""));
	track_begin(p, thread_track(thread));
	inside = wire_begin(p->out, DESCRIPTOR_THREAD);
	wire_number(p->out, THREAD_PID, (uint64_t)(int32_t)convert_thread_pid(c, thread));
	wire_number(p->out, THREAD_TID, (uint64_t)(int32_t)row->id);
	if (name.n > 0)
		text_write(p, THREAD_NAME, name);
	wire_end(p->out, inside);
	if (process_track(p, row->process) != NO_TRACK)
		wire_number(p->out, DESCRIPTOR_PARENT, process_track(p, row->process));
	/* A method trace of the thread, or another thread of its id, has slices of its own. */
	if (idmap_add(&p->tids, row->id, thread) != thread)
		wire_number(p->out, DESCRIPTOR_ALONE, 1);
	if (!track_end(p))
		return false;
	if (!c->both)
		return true;
	track_begin(p, thread_track(thread) + 1);
	wire_number(p->out, DESCRIPTOR_PARENT, thread_track(thread));
	inside = wire_begin(p->out, DESCRIPTOR_COUNTER);
	wire_number(p->out, COUNTER_TYPE, COUNTER_THREAD_TIME_NS);
	wire_end(p->out, inside);
	return track_end(p);
}

/* The track of a thread without slices, when it is first met. */
static bool
thread_known(struct perfetto_out *p, uint32_t thread)
{
	return p->told[thread] || thread_write(p, thread, NULL);
}

/* Slices ---------------------------------------------------------------------------- */

static void
annotation_write(void *context, struct str key, struct str value)
{
	struct perfetto_out *p = context;
	size_t at;

	if (p->args++ >= ARGS_MOST)
		return;
	at = wire_begin(p->out, EVENT_ANNOTATION);
	text_write(p, ANNOTATION_STRING, value);
	text_write(p, ANNOTATION_NAME, key);
	wire_end(p->out, at);
}

/* Tells why a frame was late, as bits: of "frame: App Deadline Missed, Buffer Stuffing". */
static uint64_t
frame_janks(struct str name)
{
	struct str reason, rest = name;
	uint64_t bits = 0;

	(void)str_cut(&rest, ' ');
	while (rest.n > 0) {
		reason = str_cut(&rest, ',');
		if (rest.n > 0)
			rest = (struct str){rest.p + 1, rest.n - 1};
		for (unsigned i = 0; i < LOG_JANKS; i++)
			bits |= str_equal(reason, str_from(log_janks[i].name)) ? log_janks[i].bit : 0;
	}
	return bits;
}

/* Writes a frame's beginning or end; without a record of its own it has no number. */
static bool
frame_write(struct perfetto_out *p, const struct visit_event *ev)
{
	const struct log *log = p->convert->trace->log;
	struct str name = trace_method(p->convert->trace, ev->method)->name;
	bool actual = str_starts(name, STR("frame")), surface;
	struct log_detail d = {.args = {"", 0}};
	size_t frame;

	if (!ev->enter && (ev->flags & CLOSED_UNENDED) != 0)
		return true; /* nothing tells its end */
	if (ev->enter) {
		p->cookies[ev->thread] = ++p->cookie;
		if (ev->offset != UINT64_MAX && !log->detail(log, ev->offset, &d))
			d = (struct log_detail){.args = {"", 0}};
	}
	surface = d.args.n > 0;
	event_begin(p, ev->at[p->clock], PACKET_FRAME);
	frame = wire_begin(p->out, !ev->enter ? FRAME_END : (actual ? FRAME_ACTUAL : FRAME_EXPECTED) +
	    (surface ? FRAME_OF_SURFACE : 0));
	wire_number(p->out, FRAME_COOKIE, p->cookies[ev->thread]);
	if (ev->enter) {
		wire_number(p->out, FRAME_TOKEN, (uint64_t)d.id);
		if (surface) /* readers want the number of a frame of the display; which is not known */
			wire_number(p->out, SURFACE_OF_DISPLAY, 0);
		wire_number(p->out, surface ? SURFACE_PID : FRAME_PID,
		    (uint64_t)(int32_t)convert_thread_pid(p->convert, ev->thread));
		if (surface)
			text_write(p, SURFACE_LAYER, d.args);
		if (actual)
			wire_number(p->out, surface ? SURFACE_JANK : FRAME_JANK, frame_janks(name));
	}
	wire_end(p->out, frame);
	return event_end(p);
}

static bool
slice_write(void *context, const struct visit_event *ev)
{
	struct perfetto_out *p = context;
	uint64_t track = thread_track(ev->thread), name = (uint64_t)ev->method + 1; /* 0 is none */
	bool timed =
	    p->convert->both && trace_thread(p->convert->trace, ev->thread)->kind == THREAD_TASK;

	if (trace_thread(p->convert->trace, ev->thread)->display)
		return frame_write(p, ev);
	event_begin(p, ev->at[p->clock], PACKET_TRACK_EVENT);
	p->args = 0;
	if (ev->enter)
		convert_log_args(p->convert, ev->offset, annotation_write, p);
	wire_number(p->out, EVENT_TYPE, ev->enter ? TYPE_SLICE_BEGIN : TYPE_SLICE_END);
	if (ev->enter)
		wire_number(p->out, EVENT_NAME_IID, name);
	wire_number(p->out, EVENT_TRACK, track);
	if (timed) {
		wire_number(p->out, EVENT_EXTRA_VALUE, (uint64_t)ev->at[CLOCK_CPU]);
		wire_number(p->out, EVENT_EXTRA_TRACK, track + 1);
	}
	wire_end(p->out, p->inside);
	if (ev->enter && !p->interned[ev->method]) {
		p->interned[ev->method] = 1;
		intern_write(p, INTERNED_EVENT_NAME, name, convert_name(p->convert, ev->method));
	}
	flags_write(p);
	return packet_end(p);
}

/* Values of counters and moments ------------------------------------------------------ */

static bool
sample_write(void *context, uint32_t counter, const struct log_sample *s)
{
	struct perfetto_out *p = context;

	event_begin(p, s->at, PACKET_TRACK_EVENT);
	wire_number(p->out, EVENT_TYPE, TYPE_COUNTER);
	wire_number(p->out, EVENT_TRACK, TRACK_OF_COUNTERS + counter);
	if (fabs(s->value) < 9e18 && (double)(int64_t)s->value == s->value)
		wire_number(p->out, EVENT_COUNTER_VALUE, (uint64_t)(int64_t)s->value);
	else
		wire_real(p->out, EVENT_COUNTER_REAL, s->value);
	return event_end(p);
}

/* The track of a process's instants; announced when first met. */
static bool
instant_track(struct perfetto_out *p, const struct log_instant *i, struct str name, uint64_t *track)
{
	size_t known = p->instant_tracks.count;
	uint32_t index = intern_add(&p->instant_tracks, name, i->process);

	*track = TRACK_OF_INSTANTS + index;
	return index < known || track_write(p, *track, name, process_track(p, i->process), false,
	    STR(""));
}

static bool
instant_write(void *context, const struct log_instant *i, const struct log_detail *d)
{
	struct perfetto_out *p = context;
	uint64_t track;

	if (i->thread != THREAD_NONE && !thread_known(p, i->thread))
		return false;
	if (i->thread != THREAD_NONE)
		track = thread_track(i->thread);
	else if (d->track.p == NULL)
		track = process_track(p, i->process);
	else if (!instant_track(p, i, d->track, &track))
		return false;
	event_begin(p, i->at, PACKET_TRACK_EVENT);
	wire_number(p->out, EVENT_TYPE, TYPE_INSTANT);
	wire_number(p->out, EVENT_TRACK, track);
	text_write(p, EVENT_NAME, d->name);
	return event_end(p);
}

/* Events of the kernel's -------------------------------------------------------------- */

static void
kernel_begin(struct perfetto_out *p, uint32_t cpu, nsec at, uint32_t pid)
{
	p->packet = wire_begin(p->out, TRACE_PACKET);
	p->bundle = wire_begin(p->out, PACKET_FTRACE_EVENTS);
	wire_number(p->out, BUNDLE_CPU, cpu);
	p->inside = wire_begin(p->out, BUNDLE_EVENT);
	wire_number(p->out, FTRACE_TIMESTAMP, (uint64_t)at);
	wire_number(p->out, FTRACE_PID, pid);
}

/* `caller`: the number of a text that the event is about; 0: none. */
static bool
kernel_end(struct perfetto_out *p, size_t event, uint32_t caller)
{
	wire_end(p->out, event);
	wire_end(p->out, p->inside);
	wire_end(p->out, p->bundle);
	wire_number(p->out, PACKET_SEQUENCE, SEQUENCE);
	if (caller != 0)
		intern_write(p, INTERNED_KERNEL_SYMBOL, caller,
		    *(const struct str *)seg_at(&p->convert->trace->log->texts, caller - 1));
	flags_write(p);
	return packet_end(p);
}

static bool
step_write(void *context, const struct log_step *s)
{
	struct perfetto_out *p = context;
	uint32_t idle = s->value > 0 ? s->value - 1 : NOT_IDLE;
	size_t event;

	kernel_begin(p, s->cpu, s->at, 0);
	event = wire_begin(p->out, s->idle ? FTRACE_IDLE : FTRACE_FREQUENCY);
	wire_number(p->out, STEP_STATE, s->idle ? idle : s->value);
	wire_number(p->out, STEP_CPU, s->cpu);
	return kernel_end(p, event, 0);
}

/* The thread that runs on a core; SCHED_NONE: none. */
struct running {
	nsec until;
	uint32_t thread;
	int32_t priority;
	uint8_t next; /* state */
};

static const struct running no_thread = {.thread = SCHED_NONE};

/* The bits of Linux 4.4, which readers go by where a trace tells no version. */
static uint64_t
state_bits(uint8_t state)
{
	static const uint16_t bits[TASK_STATES] = {[TASK_PREEMPTED] = 0x800, [TASK_SLEEPING] = 1,
	    [TASK_BLOCKED] = 2, [TASK_BLOCKED_KILLABLE] = 0x82, [TASK_STOPPED] = 4,
	    [TASK_TRACED] = 8, [TASK_EXITED] = 0x10, [TASK_ZOMBIE] = 0x20, [TASK_DEAD] = 0x40,
	    [TASK_IDLE] = 0x402, [TASK_WAKE_KILL] = 0x80, [TASK_WAKING] = 0x100,
	    [TASK_PARKED] = 0x200, [TASK_NO_LOAD] = 0x400};

	return bits[state];
}

static uint32_t
pid_of(const struct perfetto_out *p, const struct running *r)
{
	return r->thread != SCHED_NONE ? trace_thread(p->convert->trace, r->thread)->id : 0;
}

static void
task_write(struct perfetto_out *p, unsigned field, const struct running *r)
{
	bool known = r->thread != SCHED_NONE && r->priority != SCHED_NO_PRIORITY;

	text_write(p, field, r->thread != SCHED_NONE
		? trace_thread(p->convert->trace, r->thread)->name : STR("swapper"));
	wire_number(p->out, field + 1, (uint64_t)(int32_t)pid_of(p, r));
	wire_number(p->out, field + 2, (uint64_t)(known ? r->priority : IDLE_PRIORITY));
}

static bool
switch_write(struct perfetto_out *p, uint32_t cpu, nsec at, const struct running *prev,
    const struct running *next)
{
	size_t event;

	kernel_begin(p, cpu, at, pid_of(p, prev));
	event = wire_begin(p->out, FTRACE_SWITCH);
	task_write(p, SWITCH_PREV, prev);
	wire_number(p->out, SWITCH_PREV_STATE,
	    prev->thread != SCHED_NONE ? state_bits(prev->next) : 0);
	task_write(p, SWITCH_NEXT, next);
	return kernel_end(p, event, 0);
}

/* Ends what the core did until now, and begins `i`. */
static bool
run_write(struct perfetto_out *p, struct running *core, const struct interval *i)
{
	const struct range *range = &p->convert->range;
	nsec from = i->from > range->from ? i->from : range->from;
	struct running next = {i->to < range->to ? i->to : range->to, i->thread, i->priority,
	    i->next};
	bool more = true;

	if (core->thread != SCHED_NONE && core->until < from) {
		more = switch_write(p, i->cpu, core->until, core, &no_thread);
		*core = no_thread;
	}
	more = more && switch_write(p, i->cpu, from, core, &next);
	*core = next;
	return more;
}

/* The last known state of a thread. */
struct doing {
	struct interval last;
	uint16_t cpu; /* where it ran last, until `ran` */
	nsec ran;
};

/*
 * The core of the waker.  Its interval may end after that of the woken thread; where the
 * end is far away, its core before that.  Without a waker, the woken thread's own.
 */
static uint32_t
waker_core(const struct sched *s, const struct doing *doing, uint64_t n, nsec at)
{
	uint32_t waker = sched_interval(s, n)->waker;
	const struct doing *was;

	if (waker >= SCHED_INTERRUPT)
		return doing[sched_interval(s, n)->thread].cpu;
	was = &doing[waker];
	for (uint64_t end = n + LOOK_AHEAD; was->ran < at && ++n < end && n < s->intervals.count;) {
		const struct interval *i = sched_interval(s, n);

		if (i->thread == waker && i->state == TASK_RUNNING && i->from <= at)
			return i->cpu;
	}
	return was->cpu;
}

/* The kernel says it on the waker's behalf; 0: the idle task's. */
static uint32_t
waker_pid(const struct perfetto_out *p, const struct interval *now)
{
	return now->state == TASK_RUNNABLE && now->waker < SCHED_INTERRUPT
	    ? trace_thread(p->convert->trace, now->waker)->id
	    : 0;
}

/* Writes why a thread was blocked, if that is known; readers expect it when the wait ends. */
static bool
reason_write(struct perfetto_out *p, const struct doing *was, const struct interval *now,
    uint32_t cpu)
{
	uint32_t pid = trace_thread(p->convert->trace, now->thread)->id;
	size_t event;

	if (was->last.caller == 0 && was->last.io == IO_UNTOLD)
		return true;
	kernel_begin(p, cpu, now->from, waker_pid(p, now));
	event = wire_begin(p->out, FTRACE_BLOCKED_REASON);
	wire_number(p->out, REASON_PID, (uint64_t)(int32_t)pid);
	if (was->last.caller != 0)
		wire_number(p->out, REASON_CALLER, was->last.caller);
	wire_number(p->out, REASON_IO_WAIT, was->last.io == IO_YES);
	return kernel_end(p, event, was->last.caller);
}

/* A thread begins to wait for a core. */
static bool
wake_write(struct perfetto_out *p, const struct interval *i, uint32_t cpu, unsigned kind)
{
	const struct thread *thread = trace_thread(p->convert->trace, i->thread);
	size_t event;

	kernel_begin(p, cpu, i->from, waker_pid(p, i));
	wire_number(p->out, FTRACE_FLAGS, i->waker == SCHED_INTERRUPT ? FLAG_INTERRUPT : 0);
	event = wire_begin(p->out, kind);
	text_write(p, WAKE_COMM, thread->name);
	wire_number(p->out, WAKE_PID, (uint64_t)(int32_t)thread->id);
	return kernel_end(p, event, 0);
}

static bool
sched_write(struct perfetto_out *p)
{
	struct convert *c = p->convert;
	const struct sched *s = &c->trace->log->sched;
	struct running *cores = convert_zero(c, s->cpu_count, sizeof(*cores));
	struct doing *doing = convert_zero(c, trace_thread_count(c->trace), sizeof(*doing));
	bool more = true;

	for (size_t i = 0; i < s->cpu_count; i++)
		cores[i] = no_thread;
	for (uint64_t n = 0; n < s->intervals.count && more; n++) {
		const struct interval i = *sched_interval(s, n);
		struct doing *was = &doing[i.thread];
		bool wakes = i.state == TASK_RUNNABLE && was->last.state != TASK_RUNNING;
		uint32_t cpu = wakes ? waker_core(s, doing, n, i.from) : was->cpu;

		if (i.from > c->range.to || i.to < c->range.from ||
		    (c->scope != NULL && !scope_has(c->scope, i.thread)))
			continue;
		if (i.from >= c->range.from)
			more = reason_write(p, was, &i, cpu) &&
			    (!wakes || (wake_write(p, &i, cpu, FTRACE_WAKING) &&
					   wake_write(p, &i, cpu, FTRACE_WAKEUP)));
		if (i.state == TASK_RUNNING)
			more = more && thread_known(p, i.thread) && run_write(p, &cores[i.cpu], &i);
		was->last = i;
		if (i.state == TASK_RUNNING) {
			was->cpu = i.cpu;
			was->ran = i.to;
		}
	}
	for (size_t i = 0; i < s->cpu_count && more; i++) {
		if (cores[i].thread != SCHED_NONE)
			more = switch_write(p, (uint32_t)i, cores[i].until, &cores[i], &no_thread);
	}
	return more;
}

/* All ------------------------------------------------------------------------------- */

bool
convert_perfetto(struct convert *convert)
{
	static const struct visitor visitor = {.begin = thread_write, .event = slice_write};
	static const struct log_visitor log_visitor = {sample_write, instant_write, step_write};
	struct perfetto_out p = {
	    .convert = convert, .out = &convert->sink->text, .clock = convert->clock};
	bool whole;

	p.interned = convert_zero(convert, trace_method_count(convert->trace), 1);
	p.told = convert_zero(convert, trace_thread_count(convert->trace), 1);
	p.cookies = convert_zero(convert, trace_thread_count(convert->trace), sizeof(*p.cookies));
	whole = tracks_write(&p) && convert_visit(convert, &visitor, &p) &&
	    convert_log_visit(convert, &log_visitor, &p) &&
	    (convert->trace->log == NULL || !convert->trace->log->has_sched || sched_write(&p));
	intern_release(&p.instant_tracks);
	idmap_release(&p.tids);
	return whole;
}
