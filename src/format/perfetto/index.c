// SPDX-License-Identifier: Apache-2.0
/* index: what a packet of a Perfetto trace says the first time: runs, clocks and names. */
#include <config.h>

#include "base/mem.h"
#include "format/archive.h"
#include "format/perfetto/perfetto.h"

/* Runs ------------------------------------------------------------------------------ */

static struct pf_run *
run_add(struct perfetto *pf, struct pf_run run)
{
	struct pf_run *added = MEM_ADD(pf->runs, pf->run_count, pf->run_room);

	*added = run;
	return added;
}

/* The first of a column's numbers; false when it is empty. */
static bool
column_first(struct wire compact, uint32_t number, uint64_t *ns)
{
	struct wire_field f;

	while (wire_next(&compact, &f)) {
		if (f.number != number)
			continue;
		*ns = f.value;
		if (f.type != WIRE_BYTES)
			return true;
		if (wire_varint(&f.bytes, ns))
			return true;
	}
	return false;
}

enum { COMPACT_SWITCH_TIMES = 1, COMPACT_WAKING_TIMES = 7 };

static void
bundle_index(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence)
{
	struct pf_run run = {.at = p->at, .generation = pf->sequences[sequence].generation};
	uint64_t content = (uint64_t)(p->data.p - pf->file.p), ns;
	size_t first = pf->run_count;
	struct wire compact;
	struct bundle b;

	if (!bundle_read(&b, p->data) || !b.has_core || b.core >= LOG_CPUS || b.error) {
		damage_add(pf->r.damage, DAMAGE_UNREADABLE_DATA, 1, p->at);
		return;
	}
	run.core = (uint16_t)b.core;
	if (!pf->since_told[b.core] && b.since > pf->all_since && b.clock_kind == 0) {
		pf->all_since = b.since;
		changed(pf);
	}
	pf->since_told[b.core] = true;
	run.clock = clock_of(&pf->clocks, sequence, b.clock_kind == 0 ? CLOCK_ID_BOOT
	    : b.clock_kind == 4 ? CLOCK_ID_MONOTONIC_RAW : CLOCK_ID_SEQUENCE);
	if (b.clock_kind != 0 && b.boot_ns != 0) {
		pf->clocks.snapshots++;
		clock_read(&pf->clocks, run.clock, b.ftrace_ns);
		clock_read(&pf->clocks, clock_of(&pf->clocks, 0, CLOCK_ID_BOOT), b.boot_ns);
	}
	damage_add(pf->r.damage, DAMAGE_UNREADABLE_DATA, b.broken, content + b.broken_at);
	if (b.any) {
		run.kind = RUN_EVENTS;
		run.first = b.first;
		run.last = b.last;
		run.disorder = b.disorder;
		run_add(pf, run);
	}
	run.disorder = false;
	run.at = content + b.compact_at;
	compact = wire_message(&b.compact);
	if (column_first(compact, COMPACT_SWITCH_TIMES, &ns)) {
		run.kind = RUN_SWITCHES;
		run.first = run.last = ns;
		run_add(pf, run);
		b.sched = true;
	}
	if (column_first(compact, COMPACT_WAKING_TIMES, &ns)) {
		run.kind = RUN_WAKINGS;
		run.first = run.last = ns;
		run_add(pf, run);
	}
	if (b.sched && !pf->r.log->has_sched) {
		changed(pf);
		if (!pf->changed)
			reader_has_sched(&pf->r);
	}
	if (b.lost && pf->run_count > first) {
		struct pf_run *earliest = &pf->runs[first];

		for (size_t i = first + 1; i < pf->run_count; i++) {
			if (pf->runs[i].first < earliest->first)
				earliest = &pf->runs[i];
		}
		earliest->lost = true;
	}
}

/* Processes ------------------------------------------------------------------------- */

/* "kworker/1:0-events" and "kworker/1:0+events" change all the time. */
static struct str
worker_cut(struct str name)
{
	static const struct str begins = STR("kworker/");

	if (!str_starts(name, begins))
		return name;
	for (size_t i = begins.n; i < name.n; i++) {
		if (name.p[i] == '-' || name.p[i] == '+')
			name.n = i;
	}
	return name;
}

/* True if a process, or a thread, of that id was met by what was taken. */
static bool
is_met(const struct reader *r, uint32_t id, bool process)
{
	return process ? idmap_get(&r->pids, id) != IDMAP_NONE
	    : idmap_get(&r->tids, id) != IDMAP_NONE || idmap_get(&r->deaths, id) != IDMAP_NONE;
}

void
dump_put(struct perfetto *pf, struct procdump_row row, bool process)
{
	struct procdump *d = &pf->r.dump;
	const struct procdump_row *known = procdump_find(d, row.id, process);

	if (known != NULL && known->tgid == row.tgid && known->sure == row.sure &&
	    str_equal(known->name, row.name))
		return;
	/* Where no list has a thread, that of processes is asked. */
	if (is_met(&pf->r, row.id, process) ||
	    (process && procdump_find(d, row.id, false) == NULL && is_met(&pf->r, row.id, false)))
		changed(pf);
	procdump_put(d, row, process);
}

/* The id that a process or thread has in its namespace; of several the last, the innermost. */
static void
inner_take(struct perfetto *pf, const struct procdump_row *row, uint32_t inner)
{
	uint64_t key = id_key((uint64_t)row->tgid << 32 | inner);

	if (inner == 0 || idmap_get(&pf->inner_ids, key) == row->id)
		return;
	changed(pf);
	idmap_put(&pf->inner_ids, key, row->id);
}

static void
process_take(struct perfetto *pf, struct wire message)
{
	enum { PID = 1, PARENT = 2, WORD = 3, INNER = 6, WHOLE = 9 };
	struct procdump_row row = {0};
	struct wire_field f;
	struct payload p;
	int words = 0;

	(void)payload_read(&p, message);
	while (wire_next(&message, &f)) {
		if (f.number == WORD && words++ == 0)
			row.name = wire_text(&f);
	}
	if (p.number[PARENT] == 2)
		row.name = worker_cut(row.name);
	else if (words == 1 && p.number[WHOLE] == 0)
		row.name = str_cut(&(struct str){row.name.p, row.name.n}, ' ');
	row.tgid = row.id = (uint32_t)p.number[PID];
	inner_take(pf, &row, (uint32_t)p.number[INNER]);
	dump_put(pf, row, true);
}

static void
thread_take(struct perfetto *pf, struct wire message)
{
	enum { TID = 1, NAME = 2, PID = 3, INNER = 4 };
	struct procdump_row row;
	struct payload p;

	(void)payload_read(&p, message);
	row = (struct procdump_row){.id = (uint32_t)p.number[TID], .name = p.text[NAME],
	    .tgid = (uint32_t)p.number[PID], .sure = p.text[NAME].n > 0};
	inner_take(pf, &row, (uint32_t)p.number[INNER]);
	dump_put(pf, row, false);
}

static void
tree_take(struct perfetto *pf, struct wire message)
{
	struct wire_field f;

	while (wire_next(&message, &f)) {
		if (f.number == 1)
			process_take(pf, wire_message(&f));
		else if (f.number == 2)
			thread_take(pf, wire_message(&f));
	}
}

static void
property_add(struct perfetto *pf, struct str key, struct str value)
{
	if (value.n == 0)
		return;
	changed(pf);
	if (!pf->changed)
		trace_property_add(pf->r.trace, key, value);
}

/* Takes the facts about the machine. */
static void
system_take(struct perfetto *pf, struct wire message)
{
	struct payload p, kernel;

	(void)payload_read(&p, message);
	(void)payload_read(&kernel, wire_of(p.text[1]));
	if (kernel.text[3].n > 0)
		pf->release = kernel.text[3];
	property_add(pf, STR("kernel"), kernel.text[3]);
	property_add(pf, STR("android-build"), p.text[2]);
	property_add(pf, STR("tracing-service"), p.text[4]);
}

/* One packet ------------------------------------------------------------------------ */

/* Returns a packet's time; times of some clocks are differences, so all packets count. */
static uint64_t
time_take(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence, uint32_t *clock)
{
	uint32_t generation = pf->sequences[sequence].generation;

	*clock = clock_of(&pf->clocks, sequence, p->clock_id != 0 ? p->clock_id
	    : pf->generations[generation].clock_id);
	return clock_take(&pf->clocks, *clock, p->timestamp);
}

/* The packet's run is the one of the packets before it, if it goes on with them. */
static void
packet_add(struct perfetto *pf, struct pf_run run, uint64_t end)
{
	struct pf_run *last = pf->run_count > 0 ? &pf->runs[pf->run_count - 1] : NULL;

	if (last != NULL && pf->run_end == run.at && last->kind == run.kind &&
	    last->generation == run.generation && last->clock == run.clock &&
	    last->last <= run.first && last->packets < UINT32_MAX) {
		last->packets++;
		last->last = run.first;
	} else {
		run_add(pf, run);
	}
	pf->run_end = end;
}

static void
timed_index(struct perfetto *pf, const struct trace_packet *p, uint64_t end, uint32_t sequence,
    enum run_kind kind)
{
	const struct sequence *s = &pf->sequences[sequence];
	struct pf_run run = {.at = p->at, .kind = (uint8_t)kind, .generation = s->generation,
	    .packets = 1};
	struct legacy_times times = {.ns = 0};
	bool placed = kind != RUN_TRACK || legacy_index(pf, p, sequence, &times);

	if (times.by_event) {
		run.clock = clock_of(&pf->clocks, sequence, CLOCK_ID_MONOTONIC);
		run.first = times.ns;
	} else if (p->timed) {
		run.first = time_take(pf, p, sequence, &run.clock);
		pf->latest = run.first;
		pf->latest_clock = run.clock;
	} else {
		run.first = pf->latest;
		run.clock = pf->latest_clock;
	}
	run.last = run.first;
	if ((kind == RUN_TRACK && !p->has_sequence) || (p->needs && !s->valid) || !placed) {
		damage_add(pf->r.damage, DAMAGE_SKIPPED_PACKET, 1, p->at);
		return;
	}
	if (p->timed && !times.by_event && times.duration == 0) {
		packet_add(pf, run, end);
		pf->run_plain = kind == RUN_TRACK && p->clock_id == 0;
		return;
	}
	run_add(pf, run);
	pf->run_end = 0;
	if (times.duration == 0)
		return;
	run.last += times.duration < UINT64_MAX - run.first ? times.duration
							    : UINT64_MAX - run.first;
	run.kind = RUN_ENDS;
	run_add(pf, run);
}

/* Samples of the sequence's thread: a run each. */
static void
profile_index(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence)
{
	enum { SAMPLES_MOST = 1024 }; /* each is looked for from the packet's beginning */
	struct sequence *s = &pf->sequences[sequence];
	struct pf_column stacks = {.rest = p->data, .number = 1},
	    deltas = {.rest = p->data, .number = 2};
	struct pf_run run = {.at = p->at, .kind = RUN_PROFILE, .generation = s->generation,
	    .clock = clock_of(&pf->clocks, sequence, CLOCK_ID_MONOTONIC)};
	uint64_t stack, us;

	while (column_next(&stacks, &stack)) {
		if (!s->times_known || !s->valid || run.core == SAMPLES_MOST ||
		    !column_next(&deltas, &us)) {
			damage_add(pf->r.damage, DAMAGE_SKIPPED_PACKET, 1, p->at);
			break;
		}
		run.first = run.last = s->running += us * 1000;
		run_add(pf, run);
		run.core++;
	}
}

/* Messages of a log: a run each, since a packet has those of some time. */
static void
log_index(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence)
{
	struct pf_run run = {.kind = RUN_MESSAGE, .generation = pf->sequences[sequence].generation,
	    .clock = clock_of(&pf->clocks, sequence, CLOCK_ID_REALTIME)};
	struct wire rest = p->data;
	const uint8_t *at;

	while (message_next(&rest, &at, &run.first)) {
		run.last = run.first;
		run.at = (uint64_t)(at - pf->file.p);
		run_add(pf, run);
	}
}

static void
service_take(struct perfetto *pf, const struct trace_packet *p)
{
	enum { TRACING_STARTED = 2 };
	struct payload told;

	(void)payload_read(&told, p->data);
	if (told.number[TRACING_STARTED] == 0)
		return;
	pf->ftrace_start = p->timestamp;
	changed(pf);
}

/* Takes what the kernel lost: counts at the beginning and at the end. */
static void
ftrace_stats_take(struct perfetto *pf, struct wire message)
{
	struct wire_field f, inner;
	uint64_t phase = 0, lost = 0;

	while (wire_next(&message, &f)) {
		struct wire rest = wire_message(&f);

		if (f.number == 1)
			phase = f.value;
		else if (f.number == 5)
			property_add(pf, STR("ftrace-errors"), wire_text(&f));
		else if (f.number == 8 && f.value != 0 && !pf->ftrace_kept) {
			pf->ftrace_kept = true;
			changed(pf);
		}
		while (f.number == 2 && wire_next(&rest, &inner)) {
			if (inner.number == 3 || inner.number == 8) /* overrun, dropped_events */
				lost += inner.value;
		}
	}
	if (phase == 1)
		pf->lost_before = lost;
	else if (phase == 2)
		pf->lost = lost > pf->lost_before ? lost - pf->lost_before : 0;
}

/* Takes what got lost on the way from the writers to the file; the last packet of these counts. */
static void
trace_stats_take(struct perfetto *pf, struct wire message)
{
	struct wire_field f, inner;

	pf->lost_packets = 0;
	while (wire_next(&message, &f)) {
		struct wire rest = wire_message(&f);

		if (f.number == 10) /* invalid_packets */
			pf->lost_packets += f.value;
		while (f.number == 1 && wire_next(&rest, &inner)) {
			if (inner.number == 6 || inner.number == 19) /* patches, writers' loss */
				pf->lost_packets += inner.value;
		}
	}
}

/* Which runs such packets are in; RUN_EVENTS, which is 0: none that goes from packet to packet. */
static const uint8_t run_kinds[PACKET_FRAME + 1] = {
	[PACKET_TRACK_EVENT] = RUN_TRACK, [PACKET_FRAME] = RUN_FRAME, [PACKET_SAMPLE] = RUN_SAMPLE,
	[PACKET_STATS] = RUN_STATS, [PACKET_SYSTEM_STATS] = RUN_STATS, [PACKET_BATTERY] = RUN_STATS,
	[PACKET_RAILS] = RUN_STATS};

static void
thread_old_take(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence)
{
	struct pf_track thread = {.home = THREAD_NONE};

	thread_describe(pf, &thread, p->data, p);
	legacy_thread(pf, sequence, &thread, p->data, p->at);
}

/*
 * Takes a plain packet that goes on with the run of the one before it, as most do.  False: it does
 * not, and nothing was taken.
 */
static bool
plain_index(struct perfetto *pf, struct wire content, uint64_t at)
{
	const struct sequence *s;
	struct plain_packet p;
	struct pf_run *last;

	if (pf->run_end != at || !pf->run_plain || !plain_packet_read(&p, content))
		return false;
	s = &pf->sequences[pf->last_sequence]; /* a run has one */
	last = &pf->runs[pf->run_count - 1];
	if (p.sequence != s->id || last->generation != s->generation ||
	    (p.flags != 0 && (p.flags != FLAG_NEEDS || !s->valid)) || last->packets == UINT32_MAX ||
	    clock_next(&pf->clocks, last->clock, p.ns) < last->last || legacy_is(pf, p.event))
		return false;
	pf->packets[PACKET_TRACK_EVENT].count++;
	pf->packets[PACKET_TRACK_EVENT].bytes += (uint64_t)(content.end - content.p);
	pf->latest = last->last = clock_take(&pf->clocks, last->clock, p.ns);
	pf->latest_clock = last->clock;
	last->packets++;
	pf->run_end = (uint64_t)(content.end - pf->file.p);
	return true;
}

void
packet_index(struct perfetto *pf, struct wire content, uint64_t at)
{
	uint64_t end = (uint64_t)(content.end - pf->file.p);
	struct trace_packet p;
	struct packets *packets;
	uint32_t sequence, clock;

	if (plain_index(pf, content, at))
		return;
	if (!trace_packet_read(&p, content, at)) {
		damage_add(pf->r.damage, DAMAGE_SKIPPED_PACKET, 1, at);
		return;
	}
	packets = &pf->packets[p.foreign ? PACKETS_FOREIGN
	    : p.field < PACKETS_FOREIGN ? p.field : 0];
	packets->count += p.foreign || p.field > 0;
	packets->bytes += (uint64_t)(content.end - content.p);
	if (p.foreign)
		return;
	sequence = sequence_take(pf, &p);
	if (p.field <= PACKET_FRAME && run_kinds[p.field] != RUN_EVENTS) {
		timed_index(pf, &p, end, sequence, (enum run_kind)run_kinds[p.field]);
		return;
	}
	/* A snapshot sets clocks, and the service's times are of one clock always. */
	if (p.timed && p.field != PACKET_CLOCK_SNAPSHOT && p.field != PACKET_SERVICE)
		(void)time_take(pf, &p, sequence, &clock);
	switch (p.field) {
	case PACKET_FTRACE:
		bundle_index(pf, &p, sequence);
		break;
	case PACKET_PROCESS_TREE:
		tree_take(pf, p.data);
		break;
	case PACKET_CLOCK_SNAPSHOT:
		clocks_snapshot(&pf->clocks, p.data, sequence);
		break;
	case PACKET_FTRACE_STATS:
		ftrace_stats_take(pf, p.data);
		break;
	case PACKET_TRACE_STATS:
		trace_stats_take(pf, p.data);
		break;
	case PACKET_SYSTEM:
		system_take(pf, p.data);
		break;
	case PACKET_PROFILE:
		profile_index(pf, &p, sequence);
		break;
	case PACKET_LOG:
		log_index(pf, &p, sequence);
		break;
	case PACKET_TRACK:
		track_describe(pf, &p, sequence);
		break;
	case PACKET_THREAD_OLD:
		thread_old_take(pf, &p, sequence);
		break;
	case PACKET_PROCESS_OLD:
		(void)process_describe(pf, p.data, &p);
		break;
	case PACKET_SERVICE:
		service_take(pf, &p);
		break;
	case PACKET_ZLIB:
	case PACKET_ZSTD:
		pf->packed = !pf->r.in.unpacked && (p.field == PACKET_ZLIB || archive_library() != NULL);
		changed(pf);
		break;
	default:
		break;
	}
}

/* Recognition of the file ----------------------------------------------------------- */

/* Refuses a field that no packet has, or has with another type; `known` when packets have it. */
static bool
field_fits(const struct wire_field *f, bool *known)
{
	enum { FIELD_MOST = 1999 };
	const struct packet_field *field = packet_field_of(f->number);
	struct wire inner = f->bytes;
	struct wire_field any;

	if (f->number > FIELD_MOST)
		return false;
	if (field->kind == FIELD_UNKNOWN)
		return true;
	*known = true;
	if (field->kind == FIELD_ANY)
		return true;
	if ((field->kind == FIELD_NUMBER) == (f->type == WIRE_BYTES))
		return false;
	while (field->kind == FIELD_MESSAGE && wire_next(&inner, &any))
		;
	return field->kind != FIELD_MESSAGE || inner.p == inner.end;
}

/*
 * Text may begin with the same byte, an empty line, and other messages do: the first packets
 * must be whole, and have a field that such packets have.
 */
bool
perfetto_is(struct str file)
{
	enum { PACKETS = 3 };
	struct wire rest = {(const uint8_t *)file.p, (const uint8_t *)file.p + file.n};
	struct wire_field packet, f;
	int packets = 0;

	while (packets < PACKETS && rest.p < rest.end) {
		struct wire content;
		bool known, cut = false;
		uint64_t tag;

		if (*rest.p != (TRACE_PACKET << 3 | WIRE_BYTES))
			return false;
		if (!wire_next(&rest, &packet)) {
			/* The end of a trace that was cut; the packet's beginning must fit. */
			if (!wire_varint(&rest, &tag) || !wire_varint(&rest, &tag))
				return packets > 0;
			content = rest;
			cut = true;
		} else {
			content = packet.bytes;
		}
		known = !cut && content.p == content.end;
		while (wire_next(&content, &f)) {
			if (!field_fits(&f, &known))
				return false;
		}
		if (content.end == rest.end && (cut || content.p != content.end))
			return known || packets > 0;
		if (content.p != content.end || !known)
			return false;
		packets++;
	}
	return packets > 0;
}
