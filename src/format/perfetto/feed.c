/* feed: the events of a Perfetto trace in order of time, as a reader takes them. */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

/* Columns --------------------------------------------------------------------------- */

/* A repeated number, whether packed or not. */
struct column {
	struct wire rest, packed;
	uint32_t number;
};

static bool
column_next(struct column *c, uint64_t *value)
{
	struct wire_field f;

	for (;;) {
		if (c->packed.p < c->packed.end)
			return wire_varint(&c->packed, value);
		if (!wire_next(&c->rest, &f))
			return false;
		if (f.number != c->number)
			continue;
		if (f.type == WIRE_BYTES) {
			c->packed = f.bytes;
			continue;
		}
		*value = f.value;
		return true;
	}
}

/* Which columns of a bundle's compact form switches and wakings are in. */
enum { COLUMN_TIME, COLUMN_TID, COLUMN_PRIORITY, COLUMN_COMM, COLUMN_STATE, COLUMNS };

static const uint32_t switch_columns[COLUMNS] = {1, 3, 4, 6, 2}, /* state: of the one before */
    waking_columns[COLUMNS] = {7, 8, 10, 11, 12};                /* state: flags, optional */

enum { INTERN_TABLE = 5 };

/* Streams --------------------------------------------------------------------------- */

struct stream_item {
	uint64_t ns;
	const uint8_t *at; /* of the event's field */
};

/* A run that is being read. */
struct stream {
	const struct run *run;
	uint64_t ns; /* of what is next; on the trace's clock */
	/* Single events: what is left of the bundle, or of the events sorted. */
	struct wire rest;
	struct event_head event;
	const uint8_t *event_at, *event_end;
	struct stream_item *items;
	size_t item_count, item_next, item_room;
	/* Columns. */
	struct column columns[COLUMNS];
	struct str *comms;
	size_t comm_count, comm_room;
	struct compact_row row;
	uint64_t raw; /* the clock's own time so far */
};

struct merge {
	struct stream *streams;
	size_t stream_count, stream_room;
	uint32_t *idle; /* streams without a run */
	size_t idle_count, idle_room;
	uint32_t *heap; /* streams, the earliest first */
	size_t heap_count, heap_room;
	size_t next; /* of the runs: the first that has not begun */
	struct scanned one;
};

static int
item_order(const void *left, const void *right)
{
	const struct stream_item *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static bool
stream_event(const struct perfetto *pf, struct stream *s)
{
	struct wire field;

	if (s->item_count == 0) {
		if (!event_next(&s->rest, &s->event, &s->event_at))
			return false;
		s->event_end = s->rest.p;
	} else {
		if (s->item_next == s->item_count)
			return false;
		field = (struct wire){s->items[s->item_next++].at, pf->file.end};
		(void)event_next(&field, &s->event, &s->event_at);
		s->event_end = field.p;
	}
	s->raw = s->event.ns;
	return true;
}

static bool
row_next(struct perfetto *pf, struct stream *s)
{
	uint64_t delta, value[COLUMNS] = {0};
	bool whole = true;

	if (!column_next(&s->columns[COLUMN_TIME], &delta))
		return false;
	for (int i = COLUMN_TID; i < COLUMNS; i++)
		whole &= column_next(&s->columns[i], &value[i]) ||
		    (i == COLUMN_STATE && s->run->kind == RUN_WAKINGS);
	if (!whole || value[COLUMN_COMM] >= s->comm_count) {
		damage_add(pf->r.damage, DAMAGE_SKIPPED_PACKET, 1, s->run->at);
		return false;
	}
	s->raw += delta;
	s->row = (struct compact_row){.core = s->run->core, .tid = (uint32_t)value[COLUMN_TID],
	    .priority = (int32_t)value[COLUMN_PRIORITY], .comm = s->comms[value[COLUMN_COMM]],
	    .state = value[COLUMN_STATE]};
	return true;
}

/* Moves to the next; false at the run's end. */
static bool
stream_next(struct perfetto *pf, struct stream *s)
{
	uint64_t ns;

	if (s->run->kind == RUN_EVENTS ? !stream_event(pf, s) : !row_next(pf, s))
		return false;
	ns = s->raw;
	(void)clock_convert(&pf->clocks, s->run->clock, &ns);
	if (ns > s->ns)
		s->ns = ns;
	return true;
}

/* Events of a core are in order; where they are not, they are sorted. */
static void
events_begin(struct stream *s)
{
	struct stream_item item;
	struct event_head e;

	s->item_count = s->item_next = 0;
	while (s->run->disorder && event_next(&s->rest, &e, &item.at)) {
		item.ns = e.ns;
		MEM_GROW(s->items, s->item_room, s->item_count + 1);
		s->items[s->item_count++] = item;
	}
	if (s->item_count > 1)
		qsort(s->items, s->item_count, sizeof(*s->items), item_order);
}

static void
columns_begin(struct stream *s, struct wire compact)
{
	const uint32_t *numbers = s->run->kind == RUN_SWITCHES ? switch_columns : waking_columns;
	struct wire_field f;

	for (int i = 0; i < COLUMNS; i++)
		s->columns[i] = (struct column){.rest = compact, .number = numbers[i]};
	s->comm_count = 0;
	while (wire_next(&compact, &f)) {
		if (f.number != INTERN_TABLE)
			continue;
		MEM_GROW(s->comms, s->comm_room, s->comm_count + 1);
		s->comms[s->comm_count++] = wire_text(&f);
	}
}

/* Merging --------------------------------------------------------------------------- */

static bool
heap_before(const struct merge *m, uint32_t a, uint32_t b)
{
	const struct stream *left = &m->streams[a], *right = &m->streams[b];

	return left->ns != right->ns ? left->ns < right->ns : left->run < right->run;
}

static void
heap_down(struct merge *m)
{
	uint32_t moved = m->heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = at * 2 + 1;

		if (child >= m->heap_count)
			break;
		if (child + 1 < m->heap_count &&
		    heap_before(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!heap_before(m, m->heap[child], moved))
			break;
		m->heap[at] = m->heap[child];
		at = child;
	}
	m->heap[at] = moved;
}

static void
heap_add(struct merge *m, uint32_t stream)
{
	size_t at = m->heap_count++;

	MEM_GROW(m->heap, m->heap_room, m->heap_count);
	for (; at > 0 && heap_before(m, stream, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
		m->heap[at] = m->heap[(at - 1) / 2];
	m->heap[at] = stream;
}

static void
run_begin(struct perfetto *pf, const struct run *run)
{
	struct wire at = {pf->file.p + run->at, pf->file.end};
	struct merge *m = pf->merge;
	struct trace_packet p;
	struct wire_field f;
	struct stream *s;
	uint32_t index;

	/* Frames and tracks may begin long before the kernel's events. */
	sched_buffer(&pf->r.log->sched, run->core);
	if (run->lost) {
		damage_add(pf->r.damage, DAMAGE_LOST_RECORDS, 1, run->at);
		pf->r.log->summary.lost_unknown++;
		sched_lost(&pf->r.log->sched, run->core);
		pf->cores[run->core].known = false;
	}
	if (!wire_next(&at, &f) || f.type != WIRE_BYTES ||
	    (run->kind == RUN_EVENTS && !trace_packet_read(&p, f.bytes, run->at)))
		return; /* written to since it was indexed */
	if (m->idle_count > 0) {
		index = m->idle[--m->idle_count];
	} else {
		MEM_GROW(m->streams, m->stream_room, m->stream_count + 1);
		index = (uint32_t)m->stream_count++;
		m->streams[index] = (struct stream){.ns = 0};
	}
	s = &m->streams[index];
	s->run = run;
	s->ns = s->raw = 0;
	if (run->kind == RUN_EVENTS) {
		s->rest = p.data;
		events_begin(s);
	} else {
		columns_begin(s, f.bytes);
	}
	if (stream_next(pf, s)) {
		heap_add(m, index);
	} else {
		MEM_GROW(m->idle, m->idle_room, m->idle_count + 1);
		m->idle[m->idle_count++] = index;
	}
}

/* The reader's time, which is never before the record that was taken last. */
static uint64_t
time_of(struct perfetto *pf, uint64_t ns)
{
	struct log_summary *s = &pf->r.log->summary;

	if (ns >= pf->r.last_ns)
		return ns;
	s->reordered++;
	return pf->r.last_ns;
}

static void
stream_take(struct perfetto *pf)
{
	struct merge *m = pf->merge;
	struct stream *s = &m->streams[m->heap[0]];
	struct scanned *one = &m->one;
	struct reader *r = &pf->r;

	if (s->run->kind == RUN_EVENTS) {
		r->line_at = (uint64_t)(s->event_at - pf->file.p);
		r->consumed += (uint64_t)(s->event_end - s->event_at);
		event_scan(pf, one, &s->event, s->run->core, s->run->generation);
	} else {
		r->line_at = s->run->at;
		r->consumed += COLUMNS - 1;
		(s->run->kind == RUN_SWITCHES ? switch_scan : waking_scan)(pf, one, &s->row);
	}
	one->line.ns = time_of(pf, s->ns);
	if (s->ns >= pf->ftrace_start || pf->ftrace_kept) {
		(void)record_take(r, one);
		if (s->run->kind == RUN_EVENTS && one->kind == SCAN_RECORD)
			interrupt_take(pf, one, &s->event);
	}
	if (stream_next(pf, s)) {
		heap_down(m);
		return;
	}
	MEM_GROW(m->idle, m->idle_room, m->idle_count + 1);
	m->idle[m->idle_count++] = m->heap[0];
	m->heap[0] = m->heap[--m->heap_count];
	if (m->heap_count > 0)
		heap_down(m);
}

static void
packet_take(struct perfetto *pf, const struct run *run)
{
	static const struct str names[] = {STR("track_event"), STR("frame_timeline_event"),
	    STR("process_stats")};
	struct reader *r = &pf->r;
	struct trace_packet p;
	nsec at;

	r->line_at = run->at;
	if (!trace_packet_at(pf, run->at, &p))
		return;
	r->consumed += (uint64_t)(p.data.end - p.data.p);
	if (!record_time(r, time_of(pf, run->ns), &at) || at < 0)
		return;
	r->log->summary.events++;
	func_count(r, names[run->kind - RUN_TRACK], 1);
	if (run->kind == RUN_TRACK)
		track_event_take(pf, &p, run->generation, r->last_ns);
	else
		(run->kind == RUN_FRAME ? frame_timeline_take : stats_take)(pf, &p, r->last_ns);
}

/* The feed -------------------------------------------------------------------------- */

static enum feed_result
perfetto_take(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;
	struct merge *m = pf->merge;

	while (m->next < pf->run_count) {
		const struct run *run = &pf->runs[m->next];

		if (m->heap_count > 0 && m->streams[m->heap[0]].ns < run->ns)
			break;
		m->next++;
		if (run->kind >= RUN_TRACK) {
			packet_take(pf, run);
			return FEED_TAKEN;
		}
		run_begin(pf, run);
	}
	if (m->heap_count == 0)
		return FEED_END;
	stream_take(pf);
	return FEED_TAKEN;
}

static void
perfetto_rewind(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;
	struct merge *m = pf->merge;

	m->next = m->heap_count = m->idle_count = 0;
	for (size_t i = 0; i < m->stream_count; i++) {
		MEM_GROW(m->idle, m->idle_room, m->idle_count + 1);
		m->idle[m->idle_count++] = (uint32_t)i;
	}
	memset(pf->cores, 0, sizeof(pf->cores));
	idmap_release(&pf->binder);
	tracks_rewind(pf);
	frame_timeline_rewind(pf);
}

/* What is in packets that are not read. */
static const struct {
	uint16_t field;
	struct str name;
} left_out[] = {
	{5, STR("(not read) chrome_events")}, {7, STR("(not read) sys_stats")},
	{37, STR("(not read) profile_packet")},
	{38, STR("(not read) battery")}, {39, STR("(not read) android_log")},
	{40, STR("(not read) power_rails")}, {52, STR("(not read) gpu_counter_event")},
	{53, STR("(not read) gpu_render_stage_event")},
	{54, STR("(not read) streaming_profile_packet")},
	{56, STR("(not read) heap_graph")}, {66, STR("(not read) perf_sample")},
	{133, STR("(not read) compressed by zstd")},
	{135, STR("(not read) stack_sample")}, {0, STR("(not read) other packets")},
};

static void
perfetto_end(struct reader *r)
{
	const struct perfetto *pf = (const struct perfetto *)r;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		uint64_t count = pf->packets[left_out[i].field];

		if (count > 0)
			func_count(r, left_out[i].name, count);
	}
}

static void
perfetto_free(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;
	struct merge *m = pf->merge;

	for (size_t i = 0; i < m->stream_count; i++) {
		mem_free(m->streams[i].items);
		mem_free(m->streams[i].comms);
	}
	mem_free(m->streams);
	mem_free(m->idle);
	mem_free(m->heap);
	mem_free(m);
	tracks_release(pf);
	frame_timeline_release(pf);
	clocks_release(&pf->clocks);
	idmap_release(&pf->sequence_ids);
	idmap_release(&pf->binder);
	intern_release(&pf->iids);
	mem_free(pf->runs);
	mem_free(pf->sequences);
	mem_free(pf->generations);
	mem_free(pf->texts);
}

static const struct feed perfetto_feed = {
	.take = perfetto_take,
	.rewind = perfetto_rewind,
	.end = perfetto_end,
	.free = perfetto_free,
};

/* Opening --------------------------------------------------------------------------- */

/* The event at an offset: a packet with one, or the kernel's. */
static bool
event_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	struct perfetto *pf = log->context;
	struct wire rest = {pf->file.p + offset, pf->file.end};
	struct event_head e;
	struct scanned one;
	struct wire_field f;
	struct trace_packet p;

	if (offset >= pf->r.in.data.size || !wire_next(&rest, &f) || f.type != WIRE_BYTES)
		return false;
	if (f.number == 1)
		return trace_packet_read(&p, f.bytes, offset) &&
		    (p.field == 11 ? track_event_detail(pf, &p, d)
				   : p.field == 76 && frame_timeline_detail(&p, d));
	return event_read(f.bytes, &e) && event_mark(&one, &e) &&
	    marker_detail(d, &one.marker, &one.line);
}

bool
perfetto_open(struct trace *t, struct input *input, const char *folder, struct err *e)
{
	struct perfetto *pf;
	struct reader *r;

	(void)e;
	if (!perfetto_is((struct str){(const char *)input->data.bytes, input->data.size}))
		return false;
	pf = mem_zero(1, sizeof(*pf));
	pf->merge = mem_zero(1, sizeof(*pf->merge));
	r = &pf->r;
	reader_init(r, t, input, folder);
	r->feed = &perfetto_feed;
	pf->file = (struct wire){input->data.bytes, input->data.bytes + input->data.size};
	r->source.end = input->data.size + input->data.size / 1024 + 1024;
	r->log->detail = event_detail;
	r->log->kind = "binary packets";
	t->format = "perfetto";
	index_make(pf);
	for (size_t i = 0; i < pf->track_count; i++) {
		if (pf->tracks[i].thread_time)
			t->clocks |= 1u << CLOCK_CPU;
	}
	if (pf->run_count > 0) {
		r->log->origin = pf->runs[0].ns;
		t->start_us = r->log->origin / 1000;
		t->expected = (nsec)(pf->runs[pf->run_count - 1].ns - pf->runs[0].ns);
	}
	reader_begin(r);
	return true;
}
