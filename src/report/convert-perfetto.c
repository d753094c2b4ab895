/*
 * convert-perfetto: a Perfetto trace of track events (perfetto.proto).
 *
 * A track for each thread below that of the process; a slice for each call, its name
 * interned when first met; with two clocks a counter of the thread's CPU time, told with
 * every event.  Times are nanoseconds since the trace's start.  What logs have beside
 * slices is convert-perfetto-log.c's.
 */
#include <config.h>

#include "base/mem.h"
#include "report/convert-perfetto.h"

enum {
	TRACE_PACKET = 1, /* field of Trace */
	SEQUENCE = 1,
	SEQUENCE_CLEARED = 1, /* SEQ_INCREMENTAL_STATE_CLEARED */
	SEQUENCE_GOES_ON = 2, /* SEQ_NEEDS_INCREMENTAL_STATE */
	EVENT_MOST = 200,     /* bytes: less than 12 numbers */
};

uint64_t
perfetto_thread_track(uint32_t thread)
{
	return TRACK_FIRST + (uint64_t)thread * 2;
}

bool
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

bool
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
