/*
 * convert-perfetto-log: what text logs add to a Perfetto trace: a track for each process
 * and each counter, arguments of slices as debug annotations, moments, and who ran on which
 * core, its frequencies and idle states as the kernel's events.
 *
 * Switches are made of the intervals in which threads ran (trace/sched.h), so with threads
 * left out, or a window, the cores are idle instead.
 */
#include <config.h>

#include "base/mem.h"
#include "report/convert-perfetto.h"
#include "view/processes.h"

#define TRACK_OF_PROCESSES (UINT64_C(1) << 40)
#define TRACK_OF_COUNTERS  (UINT64_C(1) << 41)
#define TRACK_OF_INSTANTS  (UINT64_C(1) << 42)
#define NOT_IDLE           UINT32_MAX

enum { IDLE_PRIORITY = 120 };

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

bool
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

void
perfetto_log_args(struct perfetto *p, uint64_t offset, Perfetto__TrackEvent *event)
{
	p->note_count = 0;
	convert_log_args(p->convert, offset, note_add, p);
	event->n_debug_annotations = p->note_count;
	event->debug_annotations = p->note_list;
}

void
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

/* The kernel's bits; what a kernel's version tells apart is the plain state. */
static int64_t
state_bits(uint8_t state)
{
	static const uint16_t bits[TASK_STATES] = {[TASK_SLEEPING] = 1, [TASK_BLOCKED] = 2,
	    [TASK_BLOCKED_KILLABLE] = 0x82, [TASK_STOPPED] = 4, [TASK_TRACED] = 8,
	    [TASK_EXITED] = 0x10, [TASK_ZOMBIE] = 0x20, [TASK_DEAD] = 0x10, [TASK_IDLE] = 0x402,
	    [TASK_WAKE_KILL] = 1, [TASK_WAKING] = 1, [TASK_PARKED] = 1, [TASK_NO_LOAD] = 1};

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
kernel_write(struct perfetto *p, uint32_t cpu, nsec at, Perfetto__FtraceEvent *event)
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
	return kernel_write(p, cpu, at, &event);
}

static bool
switches_write(struct perfetto *p)
{
	static const struct running idle = {.thread = SCHED_NONE};
	const struct convert *c = p->convert;
	const struct sched *s = &c->trace->log->sched;
	struct running *cores = mem_alloc((s->cpu_count + 1) * sizeof(*cores));
	bool more = true;

	for (size_t i = 0; i < s->cpu_count; i++)
		cores[i] = idle;
	for (uint64_t n = 0; n < s->intervals.count && more; n++) {
		const struct interval *i = sched_interval(s, n);
		struct running *core = &cores[i->cpu], next = {i->to, i->thread, i->priority, i->next};
		nsec from = i->from > c->range.from ? i->from : c->range.from;

		if (i->state != TASK_RUNNING || i->from > c->range.to || i->to < c->range.from ||
		    (c->scope != NULL && !scope_has(c->scope, i->thread)))
			continue;
		if (next.until > c->range.to)
			next.until = c->range.to;
		if (core->thread != SCHED_NONE && core->until < from) {
			more = switch_write(p, i->cpu, core->until, core, &idle);
			*core = idle;
		}
		more = more && switch_write(p, i->cpu, from, core, &next);
		*core = next;
	}
	for (size_t i = 0; i < s->cpu_count && more; i++) {
		if (cores[i].thread != SCHED_NONE)
			more = switch_write(p, (uint32_t)i, cores[i].until, &cores[i], &idle);
	}
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
	return kernel_write(context, s->cpu, s->at, &event);
}

bool
perfetto_log_end(struct perfetto *p)
{
	return p->convert->trace->log == NULL ||
	    (convert_log_samples(p->convert, sample_write, p) &&
		convert_log_instants(p->convert, instant_write, p) &&
		convert_log_steps(p->convert, step_write, p) &&
		(!p->convert->trace->log->has_sched || switches_write(p)));
}
