/*
 * convert-perfetto: a Perfetto trace of track events (perfetto.proto).
 *
 * A track for each thread below that of the process; a slice for each call, its name
 * interned when first met; with two clocks a counter of the thread's CPU time, told with
 * every event.  Times are nanoseconds since the trace's start.  What logs have beside
 * slices is convert-perfetto-log.c's.
 */

#include <config.h>

#include "base/intern.h"
#include "base/mem.h"
#include "report/convert-log.h"
#include "report/perfetto.pb-c.h"
#include "report/protobuf.h"
#include "view/processes.h"

enum {
	TRACK_PROCESS = 1,
	TRACK_FIRST = 2, /* two for each thread: its slices and its CPU time */
	ARGS_MOST = 64,  /* of a slice; more are left out */
};

struct perfetto {
	struct convert *convert;
	struct protobuf protobuf;
	enum clock_id clock;
	bool cpu; /* the other clock, too */
	bool begun;
	uint8_t *interned; /* by method */
	uint8_t *told;     /* by thread: it has a track */
	struct sbuf text, name;
	/* The arguments of the slice that is written. */
	Perfetto__DebugAnnotation notes[ARGS_MOST], *note_list[ARGS_MOST];
	struct sbuf note_texts[ARGS_MOST]; /* key and value of each */
	size_t note_count;
	struct intern instant_tracks; /* by index + 1 of the process */
};

/* Of text logs; of other traces nothing. */
uint64_t perfetto_log_process(uint32_t process); 

static bool perfetto_packet(struct perfetto *, Perfetto__TracePacket *);

static bool perfetto_track(struct perfetto *, uint64_t track, Perfetto__TrackDescriptor *);

static uint64_t perfetto_thread_track(uint32_t thread);

/*
 * convert-perfetto-log: what text logs add to a Perfetto trace: a track for each process
 * and each counter, arguments of slices as debug annotations, moments, and who ran on which
 * core, who woke whom, its frequencies and idle states as the kernel's events.
 *
 * Switches and wakeups are made of what threads did from when to when (trace/sched.h), so
 * with threads left out, or a window, the cores are idle instead.
 */

#define TRACK_OF_PROCESSES (UINT64_C(1) << 40)
#define TRACK_OF_COUNTERS  (UINT64_C(1) << 41)
#define TRACK_OF_INSTANTS  (UINT64_C(1) << 42)
#define NOT_IDLE           UINT32_MAX

enum {
	IDLE_PRIORITY = 120,
	FLAG_INTERRUPT = 8,  /* TRACE_FLAG_HARDIRQ */
	LOOK_AHEAD = 256,    /* intervals */
};

uint64_t
perfetto_log_process(uint32_t process)
{
	return TRACK_OF_PROCESSES + process;
}

/* Valid UTF-8, as Perfetto's readers ask for. */
static ProtobufCBinaryData
text_of(struct sbuf *out, struct str text)
{
	size_t from = out->n;

	convert_utf8(out, text);
	return (ProtobufCBinaryData){out->n - from, (uint8_t *)out->p + from};
}

static bool
processes_write(struct perfetto *p)
{
	struct processes all;
	bool more = true;

	processes_make(&all, p->convert->trace);
	for (uint32_t i = 0; i < all.count && more; i++) {
		Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
		Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

		sbuf_clear(&p->name);
		process.has_pid = true;
		process.pid = (int32_t)all.items[i].pid;
		process.has_process_name = all.items[i].name.n > 0;
		process.process_name = text_of(&p->name, all.items[i].name);
		track.process = &process;
		more = perfetto_track(p, perfetto_log_process(i), &track);
	}
	processes_release(&all);
	return more;
}

static bool
counters_write(struct perfetto *p)
{
	const struct log *log = p->convert->trace->log;
	uint32_t count = seg_count(&log->counters);

	for (uint32_t i = 0; i < count; i++) {
		const struct log_counter *c = seg_at(&log->counters, i);
		Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
		Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

		sbuf_clear(&p->name);
		track.has_name = true;
		track.name = text_of(&p->name, c->name);
		track.counter = &counter;
		track.has_parent_uuid = true;
		track.parent_uuid = perfetto_log_process(c->process);
		if (!perfetto_track(p, TRACK_OF_COUNTERS + i, &track))
			return false;
	}
	return true;
}

/* its track */
static bool
perfetto_log_begin(struct perfetto *p)
{
	return processes_write(p) && counters_write(p);
}

/* Arguments ----------------------------------------------------------------------- */

static void
note_add(void *context, struct str key, struct str value)
{
	struct perfetto *p = context;
	size_t i = p->note_count, length;
	Perfetto__DebugAnnotation *note = &p->notes[i];
	struct sbuf *text = &p->note_texts[i];

	if (i == ARGS_MOST)
		return;
	perfetto__debug_annotation__init(note);
	sbuf_clear(text);
	convert_utf8(text, key);
	length = text->n;
	convert_utf8(text, value);
	note->has_name = note->has_string_value = true;
	note->name = (ProtobufCBinaryData){length, (uint8_t *)text->p};
	note->string_value = (ProtobufCBinaryData){text->n - length, (uint8_t *)text->p + length};
	p->note_list[i] = note;
	p->note_count++;
}

static void
perfetto_log_args(struct perfetto *p, uint64_t offset, Perfetto__TrackEvent *event)
{
	p->note_count = 0;
	convert_log_args(p->convert, offset, note_add, p);
	event->n_debug_annotations = p->note_count;
	event->debug_annotations = p->note_list;
}

static void
perfetto_log_release(struct perfetto *p)
{
	for (size_t i = 0; i < ARGS_MOST; i++)
		sbuf_release(&p->note_texts[i]);
	intern_release(&p->instant_tracks);
}

/* Counters ------------------------------------------------------------------------ */

static bool
sample_write(void *context, uint32_t counter, const struct log_sample *s)
{
	struct perfetto *p = context;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.has_type = event.has_track_uuid = event.has_counter_value = true;
	event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER;
	event.track_uuid = TRACK_OF_COUNTERS + counter;
	event.counter_value = s->value;
	packet.track_event = &event;
	packet.has_timestamp = true;
	packet.timestamp = (uint64_t)s->at;
	return perfetto_packet(p, &packet);
}

/* Switches ------------------------------------------------------------------------ */

/* Who runs on a core; thread SCHED_NONE: nobody. */
struct running {
	nsec until;
	uint32_t thread;
	int32_t priority;
	uint8_t next; /* state */
};

static const struct running nobody = {.thread = SCHED_NONE};

/* The bits of Linux 4.4, which readers go by where a trace tells no version. */
static int64_t
state_bits(uint8_t state)
{
	static const uint16_t bits[TASK_STATES] = {[TASK_PREEMPTED] = 0x800, [TASK_SLEEPING] = 1,
	    [TASK_BLOCKED] = 2, [TASK_BLOCKED_KILLABLE] = 0x82, [TASK_STOPPED] = 4,
	    [TASK_TRACED] = 8, [TASK_EXITED] = 0x10, [TASK_ZOMBIE] = 0x20, [TASK_DEAD] = 0x40,
	    [TASK_IDLE] = 0x402, [TASK_WAKE_KILL] = 0x80, [TASK_WAKING] = 0x100,
	    [TASK_PARKED] = 0x200, [TASK_NO_LOAD] = 0x400};

	return bits[state];
}

static void
task_fill(struct perfetto *p, struct sbuf *text, const struct running *r, int32_t *pid,
    int32_t *priority, ProtobufCBinaryData *comm)
{
	const struct thread *t =
	    r->thread != SCHED_NONE ? trace_thread(p->convert->trace, r->thread) : NULL;

	sbuf_clear(text);
	*pid = t != NULL ? (int32_t)t->id : 0;
	*priority = t != NULL && r->priority != SCHED_NO_PRIORITY ? r->priority : IDLE_PRIORITY;
	*comm = text_of(text, t != NULL ? t->name : STR("swapper"));
}

/* An event of the kernel's; by the idle task, unless it has a thread. */
static bool
kernel_write(struct perfetto *p, uint32_t cpu, nsec at, Perfetto__FtraceEvent *event,
    Perfetto__InternedData *data)
{
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	event->has_timestamp = event->has_pid = true;
	event->timestamp = (uint64_t)at;
	bundle.has_cpu = true;
	bundle.cpu = cpu;
	bundle.n_event = 1;
	bundle.event = &event;
	packet.ftrace_events = &bundle;
	packet.interned_data = data;
	return perfetto_packet(p, &packet);
}

static bool
switch_write(struct perfetto *p, uint32_t cpu, nsec at, const struct running *prev,
    const struct running *next)
{
	Perfetto__SchedSwitchFtraceEvent e = PERFETTO__SCHED_SWITCH_FTRACE_EVENT__INIT;
	Perfetto__FtraceEvent event = PERFETTO__FTRACE_EVENT__INIT;

	e.has_prev_comm = e.has_prev_pid = e.has_prev_prio = e.has_prev_state = true;
	e.has_next_comm = e.has_next_pid = e.has_next_prio = true;
	task_fill(p, &p->text, prev, &e.prev_pid, &e.prev_prio, &e.prev_comm);
	task_fill(p, &p->name, next, &e.next_pid, &e.next_prio, &e.next_comm);
	e.prev_state = prev->thread != SCHED_NONE ? state_bits(prev->next) : 0;
	event.pid = (uint32_t)e.prev_pid;
	event.sched_switch = &e;
	return kernel_write(p, cpu, at, &event, NULL);
}

/* What a core did until now ends, and `i` begins. */
static bool
run_write(struct perfetto *p, struct running *core, const struct interval *i)
{
	const struct range *range = &p->convert->range;
	nsec from = i->from > range->from ? i->from : range->from;
	struct running next = {i->to < range->to ? i->to : range->to, i->thread, i->priority,
	    i->next};
	bool more = true;

	if (core->thread != SCHED_NONE && core->until < from) {
		more = switch_write(p, i->cpu, core->until, core, &nobody);
		*core = nobody;
	}
	more = more && switch_write(p, i->cpu, from, core, &next);
	*core = next;
	return more;
}

/* Wakeups ------------------------------------------------------------------------- */

/* What a thread did last. */
struct doing {
	uint8_t state, io; /* as in struct interval */
	uint16_t cpu;      /* where it ran last, until `ran` */
	uint32_t caller;
	nsec ran;
};

/*
 * The core that a waker was on, whose interval may end behind that of the woken thread;
 * where that is far away, the core that it had before.  Without a waker, the thread's own.
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
waker_pid(const struct perfetto *p, const struct interval *now)
{
	return now->state == TASK_RUNNABLE && now->waker < SCHED_INTERRUPT
	    ? trace_thread(p->convert->trace, now->waker)->id
	    : 0;
}

/* Why it was blocked, if that is known; readers want it when it is so no longer. */
static bool
reason_write(struct perfetto *p, const struct doing *was, const struct interval *now, uint32_t cpu)
{
	Perfetto__SchedBlockedReasonFtraceEvent e = PERFETTO__SCHED_BLOCKED_REASON_FTRACE_EVENT__INIT;
	Perfetto__FtraceEvent event = PERFETTO__FTRACE_EVENT__INIT;
	Perfetto__InternedString symbol = PERFETTO__INTERNED_STRING__INIT, *symbols = &symbol;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	const struct str *name;

	if (was->caller == 0 && was->io == IO_UNTOLD)
		return true;
	e.has_pid = e.has_io_wait = true;
	e.pid = (int32_t)trace_thread(p->convert->trace, now->thread)->id;
	e.io_wait = was->io == IO_YES;
	event.pid = waker_pid(p, now);
	event.sched_blocked_reason = &e;
	if (was->caller == 0)
		return kernel_write(p, cpu, now->from, &event, NULL);
	e.has_caller = true;
	e.caller = was->caller;
	name = seg_at(&p->convert->trace->log->texts, was->caller - 1);
	sbuf_clear(&p->name);
	symbol.has_iid = symbol.has_str = true;
	symbol.iid = was->caller;
	symbol.str = text_of(&p->name, *name);
	data.n_kernel_symbols = 1;
	data.kernel_symbols = &symbols;
	return kernel_write(p, cpu, now->from, &event, &data);
}

/* A thread begins to wait for a core. */
static bool
wake_write(struct perfetto *p, const struct interval *i, uint32_t cpu)
{
	Perfetto__SchedWakeFtraceEvent e = PERFETTO__SCHED_WAKE_FTRACE_EVENT__INIT;
	Perfetto__FtraceEvent waking = PERFETTO__FTRACE_EVENT__INIT, wakeup;
	const struct trace *t = p->convert->trace;

	sbuf_clear(&p->text);
	e.has_comm = e.has_pid = true;
	e.comm = text_of(&p->text, trace_thread(t, i->thread)->name);
	e.pid = (int32_t)trace_thread(t, i->thread)->id;
	waking.pid = waker_pid(p, i);
	waking.has_common_flags = true;
	waking.common_flags = i->waker == SCHED_INTERRUPT ? FLAG_INTERRUPT : 0;
	wakeup = waking;
	waking.sched_waking = &e;
	wakeup.sched_wakeup = &e;
	return kernel_write(p, cpu, i->from, &waking, NULL) &&
	    kernel_write(p, cpu, i->from, &wakeup, NULL);
}

static bool
sched_write(struct perfetto *p)
{
	const struct convert *c = p->convert;
	const struct sched *s = &c->trace->log->sched;
	struct running *cores = mem_alloc((s->cpu_count + 1) * sizeof(*cores));
	struct doing *doing = mem_zero((size_t)trace_thread_count(c->trace) + 1, sizeof(*doing));
	bool more = true;

	for (size_t i = 0; i < s->cpu_count; i++)
		cores[i] = nobody;
	for (uint64_t n = 0; n < s->intervals.count && more; n++) {
		const struct interval i = *sched_interval(s, n);
		struct doing *was = &doing[i.thread];
		bool wakes = i.state == TASK_RUNNABLE && was->state != TASK_RUNNING;
		uint32_t cpu = wakes ? waker_core(s, doing, n, i.from) : was->cpu;

		if (i.from > c->range.to || i.to < c->range.from ||
		    (c->scope != NULL && !scope_has(c->scope, i.thread)))
			continue;
		if (i.from >= c->range.from)
			more = reason_write(p, was, &i, cpu) && (!wakes || wake_write(p, &i, cpu));
		if (i.state == TASK_RUNNING)
			more = more && run_write(p, &cores[i.cpu], &i);
		was->state = i.state;
		was->io = i.io;
		was->caller = i.caller;
		if (i.state == TASK_RUNNING) {
			was->cpu = i.cpu;
			was->ran = i.to;
		}
	}
	for (size_t i = 0; i < s->cpu_count && more; i++) {
		if (cores[i].thread != SCHED_NONE)
			more = switch_write(p, (uint32_t)i, cores[i].until, &cores[i], &nobody);
	}
	mem_free(doing);
	mem_free(cores);
	return more;
}

/* Moments, and what cores were set to ---------------------------------------------- */

/* Where moments of a process' track are; told when first met. */
static bool
instant_track(struct perfetto *p, const struct log_instant *i, struct str name, uint64_t *track)
{
	Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
	size_t known = p->instant_tracks.count;
	uint32_t index = intern_add(&p->instant_tracks, name, i->process);

	*track = TRACK_OF_INSTANTS + index;
	if (index < known)
		return true;
	sbuf_clear(&p->name);
	descriptor.has_name = true;
	descriptor.name = text_of(&p->name, name);
	descriptor.has_parent_uuid = true;
	descriptor.parent_uuid = perfetto_log_process(i->process);
	return perfetto_track(p, *track, &descriptor);
}

static bool
instant_write(void *context, const struct log_instant *i, const struct log_detail *d)
{
	struct perfetto *p = context;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	/* A thread without any other event in the window has no track. */
	if (i->thread < p->convert->profile->lane_count && p->told[i->thread])
		event.track_uuid = perfetto_thread_track(i->thread);
	else if (d->track.p == NULL)
		event.track_uuid = perfetto_log_process(i->process);
	else if (!instant_track(p, i, d->track, &event.track_uuid))
		return false;
	sbuf_clear(&p->name);
	event.has_type = event.has_track_uuid = event.has_name = true;
	event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
	event.name = text_of(&p->name, d->name);
	packet.track_event = &event;
	packet.has_timestamp = true;
	packet.timestamp = (uint64_t)i->at;
	return perfetto_packet(p, &packet);
}

static bool
step_write(void *context, const struct log_step *s)
{
	Perfetto__CpuFrequencyFtraceEvent frequency = PERFETTO__CPU_FREQUENCY_FTRACE_EVENT__INIT;
	Perfetto__CpuIdleFtraceEvent idle = PERFETTO__CPU_IDLE_FTRACE_EVENT__INIT;
	Perfetto__FtraceEvent event = PERFETTO__FTRACE_EVENT__INIT;

	if (s->idle) {
		idle.has_state = idle.has_cpu_id = true;
		idle.state = s->value > 0 ? s->value - 1 : NOT_IDLE;
		idle.cpu_id = s->cpu;
		event.cpu_idle = &idle;
	} else {
		frequency.has_state = frequency.has_cpu_id = true;
		frequency.state = s->value;
		frequency.cpu_id = s->cpu;
		event.cpu_frequency = &frequency;
	}
	return kernel_write(context, s->cpu, s->at, &event, NULL);
}

static bool
perfetto_log_end(struct perfetto *p)
{
	return p->convert->trace->log == NULL ||
	    (convert_log_samples(p->convert, sample_write, p) &&
		convert_log_instants(p->convert, instant_write, p) &&
		convert_log_steps(p->convert, step_write, p) &&
		(!p->convert->trace->log->has_sched || sched_write(p)));
}

enum {
	TRACE_PACKET = 1, /* field of Trace */
	SEQUENCE = 1,
	SEQUENCE_CLEARED = 1, /* SEQ_INCREMENTAL_STATE_CLEARED */
	SEQUENCE_GOES_ON = 2, /* SEQ_NEEDS_INCREMENTAL_STATE */
	EVENT_MOST = 200,     /* bytes: less than 12 numbers */
};

static uint64_t
perfetto_thread_track(uint32_t thread)
{
	return TRACK_FIRST + (uint64_t)thread * 2;
}

static bool
perfetto_packet(struct perfetto *p, Perfetto__TracePacket *packet)
{
	bool small = packet->interned_data == NULL && packet->track_descriptor == NULL &&
	    packet->ftrace_events == NULL &&
	    (packet->track_event == NULL || (packet->track_event->n_debug_annotations == 0 &&
					       !packet->track_event->has_name));

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->has_sequence_flags = true;
	packet->sequence_flags = p->begun ? SEQUENCE_GOES_ON : SEQUENCE_CLEARED;
	p->begun = true;
	protobuf_message(&p->protobuf, &p->convert->sink->text, TRACE_PACKET, &packet->base,
	    small ? EVENT_MOST : 0);
	return sink_row(p->convert->sink);
}

static bool
perfetto_track(struct perfetto *p, uint64_t track, Perfetto__TrackDescriptor *descriptor)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	descriptor->has_uuid = true;
	descriptor->uuid = track;
	packet.track_descriptor = descriptor;
	return perfetto_packet(p, &packet);
}

static bool
process_write(struct perfetto *p)
{
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

	sbuf_clear(&p->name);
	convert_utf8(&p->name, convert_title(p->convert));
	process.has_pid = true;
	process.pid = (int32_t)convert_pid(p->convert);
	process.has_process_name = true;
	process.process_name = protobuf_borrow(&p->name);
	track.process = &process;
	return perfetto_track(p, TRACK_PROCESS, &track);
}

static bool
thread_write(void *context, uint32_t thread, const nsec at[CLOCKS])
{
	struct perfetto *p = context;
	Perfetto__ThreadDescriptor descriptor = PERFETTO__THREAD_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor time = PERFETTO__TRACK_DESCRIPTOR__INIT;
	const struct thread *row = trace_thread(p->convert->trace, thread);

	(void)at;
	p->told[thread] = 1;
	sbuf_clear(&p->text);
	sbuf_clear(&p->name);
	convert_thread_name(&p->text, p->convert, thread);
	convert_utf8(&p->name, sbuf_view(&p->text));
	track.has_parent_uuid = true;
	track.parent_uuid = p->convert->trace->log == NULL ? (uint64_t)TRACK_PROCESS
							   : perfetto_log_process(row->process);
	if (row->kind == THREAD_TASK) {
		descriptor.has_pid = true;
		descriptor.pid = p->convert->trace->log == NULL
		    ? (int32_t)convert_pid(p->convert)
		    : (int32_t)convert_log_pid(p->convert, row->process);
		descriptor.has_tid = true;
		descriptor.tid = (int32_t)row->id;
		descriptor.has_thread_name = true;
		descriptor.thread_name = protobuf_borrow(&p->name);
		track.thread = &descriptor;
	} else {
		/* A row of asynchronous slices, or what ran on an idle core: no thread. */
		track.has_name = true;
		track.name = protobuf_borrow(&p->name);
	}
	if (!perfetto_track(p, perfetto_thread_track(thread), &track))
		return false;
	if (!p->cpu || row->kind != THREAD_TASK)
		return true;
	counter.has_type = true;
	counter.type = PERFETTO__COUNTER_DESCRIPTOR__BUILTIN__COUNTER_THREAD_TIME_NS;
	time.counter = &counter;
	time.has_parent_uuid = true;
	time.parent_uuid = perfetto_thread_track(thread);
	return perfetto_track(p, perfetto_thread_track(thread) + 1, &time);
}

static bool
event_write(struct perfetto *p, const struct visit_event *ev, Perfetto__TracePacket *packet,
    Perfetto__TrackEvent *event)
{
	uint64_t time_track = perfetto_thread_track(ev->thread) + 1;
	int64_t time = ev->at[CLOCK_CPU];

	event->has_type = true;
	event->has_track_uuid = true;
	event->track_uuid = perfetto_thread_track(ev->thread);
	if (p->cpu && trace_thread(p->convert->trace, ev->thread)->kind == THREAD_TASK) {
		event->n_extra_counter_values = 1;
		event->extra_counter_values = &time;
		event->n_extra_counter_track_uuids = 1;
		event->extra_counter_track_uuids = &time_track;
	}
	packet->track_event = event;
	packet->has_timestamp = true;
	packet->timestamp = (uint64_t)ev->at[p->clock];
	return perfetto_packet(p, packet);
}

static bool
slice_begin(void *context, const struct visit_event *ev)
{
	struct perfetto *p = context;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__EventName name = PERFETTO__EVENT_NAME__INIT, *names = &name;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;

	event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
	event.has_name_iid = true;
	event.name_iid = (uint64_t)ev->method + 1; /* 0 is none */
	if (!p->interned[ev->method]) {
		p->interned[ev->method] = 1;
		sbuf_clear(&p->text);
		sbuf_clear(&p->name);
		convert_name(&p->text, p->convert, ev->method);
		convert_utf8(&p->name, sbuf_view(&p->text));
		name.has_iid = true;
		name.iid = event.name_iid;
		name.has_name = true;
		name.name = protobuf_borrow(&p->name);
		data.n_event_names = 1;
		data.event_names = &names;
		packet.interned_data = &data;
	}
	perfetto_log_args(p, ev->offset, &event);
	return event_write(p, ev, &packet, &event);
}

static bool
slice_end(void *context, const struct visit_event *ev)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	return event_write(context, ev, &packet, &event);
}

bool
convert_perfetto(struct convert *convert)
{
	static const struct visitor visitor = {
	    .begin = thread_write, .enter = slice_begin, .leave = slice_end};
	struct perfetto p = {.convert = convert, .clock = convert->clock};
	bool whole;

	p.cpu = p.clock == CLOCK_WALL && (convert->clocks & 1u << CLOCK_CPU) != 0;
	p.interned = mem_zero(trace_method_count(convert->trace), 1);
	p.told = mem_zero((size_t)convert->profile->lane_count + 1, 1);
	whole = (convert->trace->log == NULL ? process_write(&p) : perfetto_log_begin(&p)) &&
	    convert_visit(convert, &visitor, &p) && perfetto_log_end(&p);
	mem_free(p.interned);
	mem_free(p.told);
	perfetto_log_release(&p);
	sbuf_release(&p.text);
	sbuf_release(&p.name);
	protobuf_release(&p.protobuf);
	return whole;
}
