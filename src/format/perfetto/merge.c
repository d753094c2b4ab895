// SPDX-License-Identifier: Apache-2.0
/*
 * merge: the packets and the kernel's events of a Perfetto trace in order of time.
 *
 * Runs that overlap are merged by a heap of those that have begun.  Each event is decoded
 * when its turn comes, by a second thread if one helps: what an event says does not depend
 * on what earlier ones did to the trace.  Chunks of steps are handed over, so that the
 * result is the same with and without the thread.
 */
#include <config.h>

#include <pthread.h>

#include "base/mem.h"
#include "base/worker.h"
#include "format/perfetto/perfetto.h"

/* Columns --------------------------------------------------------------------------- */

bool
column_next(struct pf_column *c, uint64_t *value)
{
	struct wire_field f;

	for (;;) {
		if (c->fixed && c->packed.end - c->packed.p >= 8) {
			*value = get_u64(c->packed.p);
			c->packed.p += 8;
			return true;
		}
		if (c->packed.p < c->packed.end)
			return !c->fixed && wire_varint(&c->packed, value);
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
	const struct pf_run *run;
	size_t run_index; /* of it */
	uint64_t ns; /* of what is next; on the trace's clock */
	/* Single events: what is left of the bundle, or of the events sorted. */
	struct wire rest;
	struct event_head event;
	const uint8_t *event_at, *event_end;
	struct stream_item *items;
	size_t item_count, item_next, item_room;
	/* Columns. */
	struct pf_column columns[COLUMNS];
	struct str *comms;
	size_t comm_count, comm_room;
	struct compact_row row;
	struct trace_packet packet;
	uint32_t packets; /* that were read */
	uint64_t raw; /* the clock's own time so far */
	bool broken;  /* its columns are not of one length, or name what is not there */
};

/* Steps are handed over by the chunk, of which there are CHUNKS. */
enum { CHUNKS = 8, CHUNK_BYTES = 1 << 18 };

struct merge_chunk {
	char *steps;
	size_t filled; /* bytes */
};

struct merge {
	struct stream *streams;
	size_t stream_count, stream_room;
	uint32_t *idle; /* streams without a run */
	size_t idle_count, idle_room;
	uint32_t *heap; /* streams, the earliest first */
	size_t heap_count, heap_room;
	size_t next; /* of the runs: the first that has not begun */

	struct merge_chunk chunks[CHUNKS];
	uint64_t head, tail;   /* chunks in use: [head, tail) modulo CHUNKS */
	bool over;             /* there is none after the last */
	bool help;             /* a thread is wanted */
	struct worker_pool *pool;
	pthread_mutex_t lock;  /* of head, tail, over and stop, with a thread */
	pthread_cond_t emptied, filled;
	bool stop;
	/*
	 * The next step of the first chunk, while its steps are handed out, and their end.  They are away
	 * from what the thread that fills chunks reads and writes.
	 */
	const char *step, *steps_end;
};

static int
item_order(const void *left, const void *right)
{
	const struct stream_item *a = left, *b = right;

	return order_then(ORDER(a->ns, b->ns), ORDER(a->at, b->at));
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
row_next(struct stream *s)
{
	uint64_t delta, value[COLUMNS] = {0};
	bool whole = true;

	if (!column_next(&s->columns[COLUMN_TIME], &delta))
		return false;
	for (int i = COLUMN_TID; i < COLUMNS; i++)
		whole &= column_next(&s->columns[i], &value[i]) ||
		    (i == COLUMN_STATE && s->run->kind == RUN_WAKINGS);
	if (!whole || value[COLUMN_COMM] >= s->comm_count) {
		s->broken = true;
		return false;
	}
	s->raw += delta;
	s->row = (struct compact_row){.core = s->run->core, .tid = (uint32_t)value[COLUMN_TID],
	    .priority = (int32_t)value[COLUMN_PRIORITY], .comm = s->comms[value[COLUMN_COMM]],
	    .state = value[COLUMN_STATE]};
	return true;
}

/* Reads what is not yet known of a packet with a track event: its time, if it has one, and the event. */
static bool
track_packet_read(struct trace_packet *p, struct wire content, uint64_t at)
{
	uint64_t missing = 1 << PACKET_TIMESTAMP | 1 << PACKET_TRACK_EVENT;
	struct plain_packet plain;
	struct wire_field f;

	p->at = at;
	if (plain_packet_read(&plain, content)) {
		p->timestamp = plain.ns;
		p->data = plain.event;
		return true;
	}
	while (missing != 0 && wire_find(&content, &f, missing)) {
		missing &= ~(UINT64_C(1) << f.number);
		if (f.number == PACKET_TIMESTAMP)
			p->timestamp = f.value;
		else
			p->data = f.bytes;
	}
	return (missing >> PACKET_TRACK_EVENT & 1) == 0;
}

static bool
packet_next(const struct perfetto *pf, struct stream *s)
{
	uint64_t at = (uint64_t)(s->rest.p - pf->file.p);
	struct wire_field f;

	if (s->packets == s->run->packets)
		return false;
	if (!wire_next(&s->rest, &f) || f.type != WIRE_BYTES ||
	    !(s->run->kind == RUN_TRACK ? track_packet_read : trace_packet_read)(&s->packet,
		f.bytes, at)) {
		s->broken = true; /* written to since it was indexed */
		return false;
	}
	s->raw = s->packets++ == 0 ? s->run->first
	    : clock_after(&pf->clocks, s->run->clock, s->raw, s->packet.timestamp);
	return true;
}

/* Moves to the next; false at the run's end. */
static bool
stream_next(const struct perfetto *pf, struct stream *s)
{
	uint64_t ns;

	if (run_has_packets(s->run) ? !packet_next(pf, s)
	    : s->run->kind == RUN_EVENTS ? !stream_event(pf, s) : !row_next(s))
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
		*MEM_ADD(s->items, s->item_count, s->item_room) = item;
	}
	mem_sort(s->items, s->item_count, sizeof(*s->items), item_order);
}

static void
columns_begin(struct stream *s, struct wire compact)
{
	const uint32_t *numbers = s->run->kind == RUN_SWITCHES ? switch_columns : waking_columns;
	struct wire_field f;

	for (int i = 0; i < COLUMNS; i++)
		s->columns[i] = (struct pf_column){.rest = compact, .number = numbers[i]};
	s->comm_count = 0;
	while (wire_next(&compact, &f)) {
		if (f.number == INTERN_TABLE)
			*MEM_ADD(s->comms, s->comm_count, s->comm_room) = wire_text(&f);
	}
}

/* Merging --------------------------------------------------------------------------- */

static bool
heap_before(const struct merge *m, uint32_t a, uint32_t b)
{
	const struct stream *left = &m->streams[a], *right = &m->streams[b];

	if (left->ns != right->ns)
		return left->ns < right->ns;
	if (run_has_packets(left->run) != run_has_packets(right->run))
		return run_has_packets(left->run);
	return run_has_packets(left->run) ? left->packet.at < right->packet.at
					  : left->run < right->run;
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

/* The stream is at its end. */
static void
stream_end(struct merge *m, uint32_t index)
{
	*MEM_ADD(m->idle, m->idle_count, m->idle_room) = index;
}

/* False when what it begins with is damaged. */
static bool
run_begin(struct perfetto *pf, const struct pf_run *run)
{
	struct wire at = {pf->file.p + run->at, pf->file.end};
	struct merge *m = pf->merge;
	struct trace_packet p;
	struct wire_field f;
	struct stream *s;
	uint32_t index;

	if (run->lost)
		pf->cores[run->core].known = false;
	if (!run_has_packets(run) && (!wire_next(&at, &f) || f.type != WIRE_BYTES ||
	    (run->kind == RUN_EVENTS && !trace_packet_read(&p, f.bytes, run->at))))
		return false; /* written to since it was indexed */
	if (m->idle_count > 0) {
		index = m->idle[--m->idle_count];
	} else {
		MEM_GROW(m->streams, m->stream_room, m->stream_count + 1);
		index = (uint32_t)m->stream_count++;
		m->streams[index] = (struct stream){.ns = 0};
	}
	s = &m->streams[index];
	s->run = run;
	s->run_index = (size_t)(run - pf->runs);
	s->ns = run->ns;
	s->raw = 0;
	s->packets = 0;
	s->broken = false;
	if (run_has_packets(run)) {
		s->rest = at;
	} else if (run->kind == RUN_EVENTS) {
		s->rest = p.data;
		events_begin(s);
	} else {
		columns_begin(s, f.bytes);
	}
	if (stream_next(pf, s)) {
		heap_add(m, index);
		return true;
	}
	stream_end(m, index);
	return !s->broken;
}

static void
track_read(const struct perfetto *pf, struct pf_step *step, struct wire data)
{
	step->kind = STEP_TRACK;
	step->track.data = data;
	track_event_read(pf, &step->track.event, data, step->run->generation);
}

/* Makes a step of the earliest stream's item and moves that stream on. */
static void
stream_step(struct perfetto *pf, struct pf_step *step)
{
	struct merge *m = pf->merge;
	uint32_t index = m->heap[0];
	struct stream *s = &m->streams[index];

	step->kind = STEP_RECORD;
	step->run = s->run;
	step->ns = s->ns;
	if (run_has_packets(s->run)) {
		step->at = s->packet.at;
		step->size = (uint64_t)(s->packet.data.end - s->packet.data.p);
		if (s->run->kind == RUN_TRACK) {
			track_read(pf, step, s->packet.data);
		} else {
			step->kind = STEP_PACKET;
			step->packet = s->packet;
		}
	} else if (s->run->kind == RUN_EVENTS) {
		step->at = (uint64_t)(s->event_at - pf->file.p);
		step->size = (uint64_t)(s->event_end - s->event_at);
		event_scan(pf, &step->one, &s->event, s->run->core, s->run->generation);
	} else {
		step->at = s->run->at;
		step->size = COLUMNS - 1;
		(s->run->kind == RUN_SWITCHES ? switch_scan : waking_scan)(pf, &step->one, &s->row);
	}
	if (step->kind == STEP_RECORD)
		step->one.line.ns = s->ns;
	if (!stream_next(pf, s)) {
		step->broken = s->broken;
		stream_end(m, index);
		m->heap[0] = m->heap[--m->heap_count];
	}
	if (m->heap_count > 0)
		heap_down(m);
}

/* The next in order of time; false at the end. */
static bool
step_make(struct perfetto *pf, struct pf_step *step)
{
	struct merge *m = pf->merge;
	const struct pf_run *run = m->next < pf->run_count ? &pf->runs[m->next] : NULL;

	step->broken = false;
	if (run != NULL && run->ns >= pf->limit)
		run = NULL;
	if (run == NULL || (m->heap_count > 0 && m->streams[m->heap[0]].ns < run->ns)) {
		if (m->heap_count == 0 || m->streams[m->heap[0]].ns >= pf->limit)
			return false;
		stream_step(pf, step);
		return true;
	}
	m->next++;
	step->kind = run->kind <= RUN_SAMPLE ? STEP_RUN : STEP_PACKET;
	step->run = run;
	step->ns = run->ns;
	step->at = run->at;
	step->size = step->kind == STEP_PACKET; /* part of a packet: the source moves on */
	if (step->kind == STEP_RUN)
		step->broken = !run_begin(pf, run);
	else if (run->kind != RUN_MESSAGE && !trace_packet_at(pf, run->at, &step->packet))
		step->kind = STEP_NONE; /* written to since it was indexed */
	else if (run->kind == RUN_ENDS)
		track_read(pf, step, step->packet.data);
	return true;
}

/* Chunks ---------------------------------------------------------------------------- */

static struct merge_chunk *
chunk_at(struct merge *m, uint64_t number)
{
	return &m->chunks[number % CHUNKS];
}

static size_t
step_size(const struct pf_step *step)
{
	static const size_t sizes[] = {
	    [STEP_NONE] = offsetof(struct pf_step, packet),
	    [STEP_RUN] = offsetof(struct pf_step, packet),
	    [STEP_PACKET] = offsetof(struct pf_step, packet) + sizeof(struct trace_packet),
	    [STEP_TRACK] = offsetof(struct pf_step, track.event) + sizeof(struct track_event),
	    [STEP_RECORD] = sizeof(struct pf_step),
	};

	return sizes[step->kind];
}

/* False when it is the last. */
static bool
chunk_fill(struct perfetto *pf, struct merge_chunk *c)
{
	size_t filled = 0;
	bool more = true;

	if (c->steps == NULL)
		c->steps = mem_alloc(CHUNK_BYTES);
	while (CHUNK_BYTES - filled >= sizeof(struct pf_step)) {
		struct pf_step *step = (void *)(c->steps + filled);

		more = step_make(pf, step);
		if (!more)
			break;
		filled += step_size(step);
	}
	c->filled = filled;
	return more;
}

static void
chunks_ahead(unsigned index, void *context)
{
	struct perfetto *pf = context;
	struct merge *m = pf->merge;
	bool more;

	pthread_mutex_lock(&m->lock);
	while (!m->stop && !m->over) {
		if (m->tail - m->head == CHUNKS) {
			pthread_cond_wait(&m->emptied, &m->lock);
			continue;
		}
		pthread_mutex_unlock(&m->lock);
		more = chunk_fill(pf, chunk_at(m, m->tail));
		pthread_mutex_lock(&m->lock);
		m->tail++;
		m->over = !more;
		pthread_cond_signal(&m->filled);
	}
	pthread_mutex_unlock(&m->lock);
}

/* The next chunk with steps becomes the current one; false at the end. */
static bool
chunk_advance(struct perfetto *pf)
{
	const struct merge_chunk *c;
	struct merge *m = pf->merge;

	pthread_mutex_lock(&m->lock);
	m->head += m->step != NULL;
	/* The thread is woken when there is something to do for it. */
	if (m->pool != NULL && m->tail - m->head <= CHUNKS / 2)
		pthread_cond_signal(&m->emptied);
	while (m->head == m->tail && !m->over) {
		if (m->pool != NULL) {
			pthread_cond_wait(&m->filled, &m->lock);
			continue;
		}
		m->over = !chunk_fill(pf, chunk_at(m, m->tail));
		m->tail++;
	}
	c = m->head < m->tail ? chunk_at(m, m->head) : NULL;
	m->step = c != NULL ? c->steps : NULL;
	m->steps_end = c != NULL ? c->steps + c->filled : NULL;
	pthread_mutex_unlock(&m->lock);
	return c != NULL;
}

const struct pf_step *
merge_next(struct perfetto *pf)
{
	struct merge *m = pf->merge;
	const struct pf_step *step;

	if (m->help) {
		m->help = false;
		if (!worker_start(&m->pool, 1, chunks_ahead, pf, NULL, NULL))
			m->pool = NULL;
	}
	while (m->step == m->steps_end) {
		if (!chunk_advance(pf))
			return NULL;
	}
	step = (const void *)m->step;
	m->step += step_size(step);
	return step;
}

void
merge_help(struct perfetto *pf)
{
	pf->merge->help = pf->merge->pool == NULL && pf->merge->tail == 0;
}

/* The thread ends. */
static void
merge_stop(struct merge *m)
{
	pthread_mutex_lock(&m->lock);
	m->stop = true;
	pthread_cond_signal(&m->emptied);
	pthread_mutex_unlock(&m->lock);
	worker_join(m->pool);
	m->stop = false;
}

void
merge_begin(struct perfetto *pf)
{
	struct merge *m = pf->merge;

	if (m == NULL) {
		m = pf->merge = mem_zero(1, sizeof(*m));
		pthread_mutex_init(&m->lock, NULL);
		pthread_cond_init(&m->emptied, NULL);
		pthread_cond_init(&m->filled, NULL);
	}
	merge_stop(m);
	m->help = m->pool != NULL;
	m->pool = NULL;
	m->head = m->tail = m->next = m->heap_count = m->idle_count = 0;
	m->step = m->steps_end = NULL;
	m->over = false;
	for (size_t i = 0; i < m->stream_count; i++)
		stream_end(m, (uint32_t)i);
	memset(pf->cores, 0, sizeof(pf->cores));
	spans_again(&pf->r);
}

void
merge_more(struct perfetto *pf)
{
	struct merge *m = pf->merge;

	merge_stop(m);
	m->pool = NULL;
	m->head = m->tail = 0;
	m->step = m->steps_end = NULL;
	m->over = false;
	for (size_t i = 0; i < m->heap_count; i++)
		m->streams[m->heap[i]].run = &pf->runs[m->streams[m->heap[i]].run_index];
}

size_t
merge_begun(const struct perfetto *pf)
{
	return pf->merge->next;
}

void
merge_free(struct perfetto *pf)
{
	struct merge *m = pf->merge;

	merge_stop(m);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->emptied);
	pthread_cond_destroy(&m->filled);
	for (int i = 0; i < CHUNKS; i++)
		mem_free(m->chunks[i].steps);
	for (size_t i = 0; i < m->stream_count; i++) {
		mem_free(m->streams[i].items);
		mem_free(m->streams[i].comms);
	}
	mem_free(m->streams);
	mem_free(m->idle);
	mem_free(m->heap);
	mem_free(m);
}
