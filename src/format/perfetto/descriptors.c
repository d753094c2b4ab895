// SPDX-License-Identifier: Apache-2.0
/* descriptors: tracks, processes and threads as Perfetto's packets describe them. */
#include <config.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

struct pf_track *
track_add(struct perfetto *pf, uint64_t uuid)
{
	uint32_t *recent = &pf->recent_tracks[uuid % RECENT_TRACKS];

	if (*recent < pf->track_count && pf->tracks[*recent].uuid == uuid)
		return &pf->tracks[*recent];
	*recent = idmap_add(&pf->track_uuids, id_key(uuid), pf->track_count);
	if (*recent == pf->track_count) {
		*MEM_ADD(pf->tracks, pf->track_count, pf->track_room) = (struct pf_track){.uuid = uuid,
		    .home = THREAD_NONE, .open = {.row = THREAD_NONE}};
	}
	return &pf->tracks[*recent];
}

static void
counter_describe(struct pf_track *t, struct wire message)
{
	struct payload p;

	(void)payload_read(&p, message);
	t->counter = true;
	t->thread_time = p.number[1] == 1;
	t->unit = p.number[4];
	t->incremental = p.number[5] != 0;
}

/* An id that the packet's writer has in its namespace, as the trace has it. */
static uint32_t
outer_id(const struct perfetto *pf, const struct trace_packet *p, uint32_t id)
{
	uint32_t outer = idmap_get(&pf->inner_ids, id_key((uint64_t)p->pid << 32 | id));

	return outer != IDMAP_NONE ? outer : id;
}

uint32_t
process_describe(struct perfetto *pf, struct wire message, const struct trace_packet *p)
{
	enum { PID = 1, WORD = 2, NAME = 6 };
	struct procdump_row row = {0};
	struct wire_field f;

	while (wire_next(&message, &f)) {
		if (f.number == PID)
			row.id = row.tgid = outer_id(pf, p, (uint32_t)f.value);
		else if (f.number == NAME || (f.number == WORD && row.name.n == 0))
			row.name = wire_text(&f);
	}
	if (row.name.n > 0)
		dump_put(pf, row, true);
	return row.id;
}

/* A thread's id may be another's in another process; the first has the thread's row. */
void
thread_describe(struct perfetto *pf, struct pf_track *t, struct wire message,
    const struct trace_packet *p)
{
	const struct procdump_row *known;
	struct procdump_row row;
	struct payload told;

	(void)payload_read(&told, message);
	t->has_thread = true;
	t->pid = outer_id(pf, p, (uint32_t)told.number[1]);
	t->tid = outer_id(pf, p, (uint32_t)told.number[2]);
	t->thread_name = told.text[5];
	row = (struct procdump_row){.id = t->tid, .tgid = t->pid, .name = t->thread_name};
	known = procdump_find(&pf->r.dump, t->tid, false);
	if (row.name.n == 0 && known != NULL) {
		row.name = known->name;
		row.sure = known->sure;
	}
	if (idmap_add(&pf->claims, t->tid, t->pid) != t->pid)
		t->alone = true;
	else
		dump_put(pf, row, false);
}

/* True if a track's descriptor says again what was told of it. */
static bool
is_told(const struct pf_track *t, const struct pf_track *told)
{
	return t->described && t->parent == told->parent && t->unit == told->unit &&
	    str_equal(t->name, told->name) && t->pid == told->pid && t->tid == told->tid &&
	    t->has_thread == told->has_thread && t->has_process == told->has_process &&
	    t->counter == told->counter && t->incremental == told->incremental &&
	    t->alone == told->alone && t->state == told->state && t->aside == told->aside &&
	    t->thread_time == told->thread_time && str_equal(t->thread_name, told->thread_name);
}

void
track_describe(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence)
{
	struct wire message = p->data;
	struct pf_track told = {0}, *t;
	struct wire_field f;
	size_t known;

	while (wire_next(&message, &f)) {
		switch (f.number) {
		case 1:
			told.uuid = f.value;
			break;
		case 2:
		case 10:
		case 13:
			told.name = wire_text(&f);
			break;
		case 3:
			told.has_process = true;
			told.pid = process_describe(pf, wire_message(&f), p);
			break;
		case 4:
			thread_describe(pf, &told, wire_message(&f), p);
			legacy_thread(pf, sequence, &told, wire_message(&f), p->at);
			break;
		case 5:
			told.parent = f.value;
			break;
		case 8:
			counter_describe(&told, wire_message(&f));
			break;
		case 9:
			told.alone = f.value != 0;
			break;
		case 14:
			told.aside = str_equal(wire_text(&f), STR(TRACE_ASIDE));
			break;
		case 18:
			told.state = true;
			break;
		default:
			break;
		}
	}
	known = pf->track_count;
	t = track_add(pf, told.uuid);
	told.described = true;
	told.home = told.open.row = THREAD_NONE;
	if (told.name.n == 0)
		told.name = t->name;
	if ((t->settled || t->asked) && is_told(t, &told))
		return;
	if (t->settled || t->asked || (pf->track_count > known && pf->parent_missed))
		changed(pf);
	if (!pf->changed)
		*t = told;
}
