// SPDX-License-Identifier: Apache-2.0
/* order: the packets of a Perfetto trace read a first time, and its runs in order of time. */
#include <config.h>

#include <stdlib.h>
#include <time.h>

#include "base/compat.h"
#include "base/mem.h"
#include "format/perfetto/perfetto.h"

/* Packets --------------------------------------------------------------------------- */

enum {
	MARK_BACK = 64,    /* bytes of a packet before its mark that are looked at */
	MARK_PACKET = 256, /* such packets are short */
};

/* Where the next packet with a synchronization mark begins; NULL without one. */
static const uint8_t *
packet_find(const uint8_t *from, const uint8_t *end)
{
	static const uint8_t mark[] = {0xa2, 0x02, 0x10, 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42,
	    0xba, 0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79};
	const uint8_t *at = from;

	while ((at = memmem(at, (size_t)(end - at), mark, sizeof(mark))) != NULL) {
		for (const uint8_t *p = at; p > from && at - p < MARK_BACK;) {
			struct wire w = {--p, end};
			struct wire_field f;
			struct trace_packet packet;

			if (*p == (TRACE_PACKET << 3 | WIRE_BYTES) && wire_next(&w, &f) &&
			    f.value <= MARK_PACKET && w.p >= at + sizeof(mark) && trace_packet_read(&packet, f.bytes, 0))
				return p;
		}
		at += sizeof(mark);
	}
	return NULL;
}

/* Reads the packets from the first that was not. */
static void
packets_index(struct perfetto *pf)
{
	struct wire rest = {pf->file.p + pf->indexed, pf->file.end};
	struct wire_field f;
	size_t passed = (size_t)pf->indexed;

	pf->r.source.waits = false;
	while (rest.p < rest.end && !pf->changed && !pf->packed) {
		uint64_t at = (uint64_t)(rest.p - pf->file.p);
		struct wire tail = rest;
		uint64_t tag, size;

		pf->indexed = at;
		filemap_passed(&pf->r.in.data, &passed, (size_t)at);
		if (wire_next(&rest, &f)) {
			if (f.number == TRACE_PACKET && f.type == WIRE_BYTES)
				packet_index(pf, f.bytes, at);
			continue;
		}
		if (wire_varint(&tail, &tag) && tag == (TRACE_PACKET << 3 | WIRE_BYTES) &&
		    (!wire_varint(&tail, &size) || size > (uint64_t)(tail.end - tail.p)) &&
		    packet_find(rest.p + 1, rest.end) == NULL) {
			/* The rest of it may come. */
			pf->r.source.waits = pf->r.in.grows;
			damage_add(pf->r.damage, DAMAGE_PARTIAL_RECORD, !pf->r.in.grows, at);
			return;
		}
		damage_add(pf->r.damage, DAMAGE_UNREADABLE_DATA, 1, at);
		rest.p = packet_find(rest.p + 1, rest.end);
		if (rest.p == NULL) {
			/* Packets that come have no known beginning. */
			pf->r.in.grows = false;
			break;
		}
	}
	pf->indexed = (uint64_t)(pf->file.end - pf->file.p);
}

/* Runs ------------------------------------------------------------------------------ */

static int
run_order(const void *left, const void *right)
{
	const struct pf_run *a = left, *b = right;

	return order_then(ORDER(a->ns, b->ns),
	    order_then((b->kind == RUN_ENDS) - (a->kind == RUN_ENDS),
		order_then(ORDER(a->at, b->at), order_then(a->kind - b->kind, a->core - b->core))));
}

/* Gives a run its time on the trace's clock; false when that cannot be told. */
static bool
run_time(struct perfetto *pf, struct pf_run *run)
{
	uint64_t last = run->last, length = run->last - run->first;
	bool columns = run->kind == RUN_SWITCHES || run->kind == RUN_WAKINGS;

	clock_use(&pf->clocks, run->clock, columns ? UINT64_MAX : last);
	run->ns = run->first;
	if (!clock_convert(&pf->clocks, run->clock, &run->ns)) {
		damage_add(pf->r.damage, DAMAGE_SKIPPED_PACKET, run->packets > 1 ? run->packets : 1,
		    run->at);
		return false;
	}
	(void)clock_convert(&pf->clocks, run->clock, &last);
	if (run->kind == RUN_ENDS) {
		last = run->ns = length < UINT64_MAX - run->ns ? run->ns + length : UINT64_MAX;
	} else {
		pf->late |= run->ns < pf->newest;
		if (last > pf->newest)
			pf->newest = last;
	}
	if (last > pf->end_ns)
		pf->end_ns = last;
	return true;
}

/* Runs that have not begun in order of time; those from `came` on are new. */
static void
runs_order(struct perfetto *pf, size_t first, size_t came)
{
	bool ordered = true;
	size_t kept = came;

	for (size_t i = came; i < pf->run_count; i++) {
		struct pf_run run = pf->runs[i];

		if (!run_time(pf, &run))
			continue;
		ordered = ordered && (kept == first || run_order(&pf->runs[kept - 1], &run) <= 0);
		pf->runs[kept++] = run;
	}
	pf->run_count = kept;
	if (!ordered)
		qsort(pf->runs + first, kept - first, sizeof(*pf->runs), run_order);
}

/* The file -------------------------------------------------------------------------- */

/* Both are told in the time since boot. */
static void
start_settle(struct perfetto *pf)
{
	uint32_t boot = clock_of(&pf->clocks, 0, CLOCK_ID_BOOT);

	if (pf->ftrace_start > 0)
		(void)clock_convert(&pf->clocks, boot, &pf->ftrace_start);
	if (pf->all_since > 0)
		(void)clock_convert(&pf->clocks, boot, &pf->all_since);
}

enum { HOLD_NS = 2000000000 };

/* Has events wait for such of other buffers, but for `all`. */
static void
hold(struct perfetto *pf, bool all)
{
	struct source *s = &pf->r.source;
	uint64_t size = pf->r.in.data.size;

	s->past = size / 1024 + 1024;
	s->end = size + s->past;
	pf->limit = UINT64_MAX;
	s->held = 0;
	if (all || !pf->r.in.grows || !pf->late)
		return;
	pf->limit = pf->newest > HOLD_NS ? pf->newest - HOLD_NS : 0;
	s->held = pf->limit > pf->runs[0].ns ? (nsec)(pf->limit - pf->r.log->origin) : 1;
	s->waits = true;
}

/* Kinds of data that the trace has, which more packets must not change. */
struct contents {
	bool samples, times, states, lost;
};

static struct contents
contents_of(const struct perfetto *pf)
{
	struct contents c = {.times = pf->thread_times, .lost = pf->lost > 0,
	    .samples = pf->packets[PACKET_PROFILE].count + pf->packets[PACKET_SAMPLE].count > 0};

	for (size_t i = 0; i < pf->track_count; i++) {
		c.times |= pf->tracks[i].thread_time;
		c.states |= pf->tracks[i].state;
	}
	return c;
}

/* True if nothing came to the file for so long that nothing is waited for: a recording that has ended. */
static bool
is_at_rest(const struct perfetto *pf)
{
	const struct timespec *modified = &pf->r.trace->files[0].modified;
	struct timespec now;

	return clock_gettime(CLOCK_REALTIME, &now) == 0 && modified->tv_sec > 0 &&
	    now.tv_sec - modified->tv_sec > SOURCE_REST_MS / 1000;
}

void
order_make(struct perfetto *pf)
{
	struct contents has;

	pf->r.damage = &pf->r.trace->damage;
	packets_index(pf);
	damage_add(pf->r.damage, DAMAGE_LOST_RECORDS, pf->lost_packets, 0);
	clocks_settle(&pf->clocks);
	start_settle(pf);
	runs_order(pf, 0, 0);
	clocks_keep(&pf->clocks);
	if (pf->run_count > 0)
		pf->r.log->origin = pf->runs[0].ns;
	has = contents_of(pf);
	pf->thread_times = has.times;
	pf->r.log->sampled = has.samples;
	/* The end ends calls of samples and states of tracks, and says what was lost. */
	pf->r.in.grows &= !has.samples && !has.states && !has.lost;
	hold(pf, is_at_rest(pf));
}

/* Takes packets that came; false when they change what was taken. */
static bool
packets_came(struct perfetto *pf)
{
	uint64_t lost = pf->lost_packets;
	size_t begun = merge_begun(pf), count = pf->run_count;
	bool timed = pf->thread_times;
	struct contents has;

	pf->run_end = 0; /* the last one of the file is elsewhere now */
	packets_index(pf);
	clocks_settle(&pf->clocks);
	has = contents_of(pf);
	if (pf->changed || !clocks_kept(&pf->clocks) || pf->lost_packets < lost || has.times != timed ||
	    has.samples || has.states || has.lost)
		return false;
	damage_add(pf->r.damage, DAMAGE_LOST_RECORDS, pf->lost_packets - lost, 0);
	runs_order(pf, begun, count);
	clocks_keep(&pf->clocks);
	return begun == pf->run_count ||
	    (pf->runs[begun].ns >= pf->taken && pf->runs[begun].ns >= pf->r.log->origin);
}

bool
order_grow(struct perfetto *pf, uint64_t size)
{
	struct reader *r = &pf->r;
	struct damage came = {.kind = {{0}}}, *damage = r->damage;
	bool all = size == r->in.data.size;

	if (pf->changed || pf->run_count == 0 || (all && pf->limit == UINT64_MAX) ||
	    (!all && !filemap_grow(&r->in.data, size)))
		return false;
	pf->file.end = pf->file.p + size;
	r->damage = &came;
	pf->changed = !packets_came(pf);
	r->damage = damage;
	if (pf->changed)
		return false;
	/* Reading may begin again, with what there is before it. */
	damage_merge(damage, &came);
	damage_merge(&r->trace->damage, &came);
	hold(pf, all);
	merge_more(pf);
	return true;
}
