// SPDX-License-Identifier: Apache-2.0
/* legacy: Chrome's events from before there were tracks, and what else is of that age. */
#include <config.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

enum {
	EVENT_DELTA_US = 1,
	EVENT_ARGUMENT = 4,
	EVENT_IID = 10,
	EVENT_ABSOLUTE_US = 16,
	EVENT_NAME = 23,
	THREAD_US = 6, /* of its descriptor */
	THREAD_RAN_US = 7,
	ARGUMENT_TEXT = 6,
	TRACKS_MOST = 1 << 20, /* of ids; a track is some 200 bytes */
};

static uint64_t
ns_of(uint64_t us)
{
	return us < UINT64_MAX / 1000 ? us * 1000 : UINT64_MAX;
}

/* Descriptors ---------------------------------------------------------------------- */

void
legacy_thread(struct perfetto *pf, uint32_t sequence, const struct pf_track *t, struct wire message,
    uint64_t at)
{
	struct sequence *s = &pf->sequences[sequence];
	struct generation g = pf->generations[s->generation];
	struct payload p;

	(void)payload_read(&p, message);
	g.from = at;
	g.has_thread = true;
	g.pid = t->pid;
	g.tid = t->tid;
	g.ran_us = p.number[THREAD_RAN_US];
	pf->thread_times |= g.ran_us > 0;
	if (p.number[THREAD_US] > 0) {
		s->running = ns_of(p.number[THREAD_US]);
		s->times_known = s->running <= SPAN_MOST;
	}
	s->generation = generation_add(pf, g);
}

/* Events --------------------------------------------------------------------------- */

void
legacy_read(struct legacy *e, struct wire message)
{
	struct wire_field f;

	while (wire_next(&message, &f)) {
		switch (f.number) {
		case 1:
			e->name_iid = f.value;
			break;
		case 2:
			e->phase = f.value < 128 ? (char)f.value : '?';
			break;
		case 3:
			e->duration = (int64_t)f.value > 0 ? ns_of(f.value) : 0;
			break;
		case 6:
		case 10:
		case 11:
			e->id = f.value;
			e->is_local = f.number == 10;
			break;
		case 7:
			e->scope = wire_text(&f);
			break;
		case 14:
			e->instant_scope = (uint8_t)(f.value & 3);
			break;
		case 18:
			e->pid = (uint32_t)f.value;
			e->has_pid = true;
			break;
		case 19:
			e->tid = (uint32_t)f.value;
			e->has_tid = true;
			break;
		default:
			break;
		}
	}
}

/* Names of processes and threads were events, too. */
static void
metadata_take(struct perfetto *pf, uint32_t generation, const struct legacy *e, struct wire event)
{
	const struct generation *g = &pf->generations[generation];
	struct procdump_row row = {.id = e->has_tid ? e->tid : g->tid,
	    .tgid = e->has_pid ? e->pid : g->pid};
	struct payload value = {.number = {0}}; /* of an argument that is named "name" */
	uint64_t iid = e->name_iid;
	struct str name = {"", 0};
	struct wire_field f;
	bool is_process;

	while (wire_next(&event, &f)) {
		if (f.number == EVENT_ARGUMENT)
			(void)payload_read(&value, wire_message(&f));
		else if (f.number == EVENT_IID && f.value != 0)
			iid = f.value;
		else if (f.number == EVENT_NAME)
			name = wire_text(&f);
	}
	if (name.n == 0)
		name = text_of(pf, generation, INTERNED_NAMES, iid);
	is_process = str_equal(name, STR("process_name"));
	row.name = value.text[ARGUMENT_TEXT];
	if (row.name.n == 0 || (!is_process && !str_equal(name, STR("thread_name"))))
		return;
	if (is_process)
		row.id = row.tgid;
	dump_put(pf, row, is_process);
}

bool
legacy_index(struct perfetto *pf, const struct trace_packet *p, uint32_t sequence,
    struct legacy_times *times)
{
	const uint64_t fields = 1 << EVENT_DELTA_US | 1 << EVENT_LEGACY | 1 << EVENT_ABSOLUTE_US |
	    1 << EVENT_THREAD_ABSOLUTE_US;
	struct sequence *s = &pf->sequences[sequence];
	struct wire message = p->data;
	struct legacy e = {.phase = 0};
	uint64_t delta = 0, absolute = 0;
	struct wire_field f;

	if (p->timed && !legacy_is(pf, message))
		return true;
	while (wire_find(&message, &f, fields)) {
		if (f.number == EVENT_DELTA_US)
			delta = f.value;
		else if (f.number == EVENT_ABSOLUTE_US)
			absolute = f.value;
		else if (f.number == EVENT_THREAD_ABSOLUTE_US)
			pf->thread_times = true;
		else
			legacy_read(&e, wire_message(&f));
	}
	times->duration = e.phase == 'X' ? e.duration : 0;
	if (e.phase == 'M')
		metadata_take(pf, s->generation, &e, p->data);
	if (p->timed)
		return true;
	if (absolute == 0)
		s->running += ns_of(delta);
	times->ns = absolute != 0 ? ns_of(absolute) : s->running;
	times->by_event = delta != 0 || absolute != 0;
	return absolute != 0 || delta == 0 || s->times_known;
}

/* Where they go ---------------------------------------------------------------------- */

/* The key that tells such a track from others; all bytes count. */
struct track_key {
	uint64_t id;
	uint32_t pid, scope;
};

enum key_kind { KEY_SCOPE, KEY_THREAD, KEY_BY_CATEGORY, KEY_BY_NAME };

bool
legacy_is_async(char phase)
{
	return phase != 0 && strchr("benSFTp", phase) != NULL;
}

/* The track's number; IDMAP_NONE when it is new and must not be, or there are too many. */
static uint32_t
key_find(struct perfetto *pf, struct str text, enum key_kind kind, bool add)
{
	if (add && pf->old_tracks.count < TRACKS_MOST)
		return intern_add(&pf->old_tracks, text, kind);
	return intern_find(&pf->old_tracks, text, kind);
}

uint64_t
legacy_track(struct perfetto *pf, const struct legacy *e, struct str name, struct str category,
    const struct generation *g, bool add, struct pf_track *made)
{
	struct track_key key = {.pid = e->has_pid ? e->pid : g->pid};
	enum key_kind kind = KEY_THREAD;
	uint32_t index;

	*made = (struct pf_track){.described = true, .pid = key.pid, .home = THREAD_NONE,
	    .open = {.row = THREAD_NONE}};
	if (legacy_is_async(e->phase)) {
		/* Older ones belong together by name, later ones by category. */
		bool by_name = strchr("SFTp", e->phase) != NULL;
		struct str scope = by_name ? name : category;

		kind = by_name ? KEY_BY_NAME : KEY_BY_CATEGORY;
		key.scope = key_find(pf, scope, KEY_SCOPE, add);
		if (e->scope.n > 0)
			key.scope ^= key_find(pf, e->scope, KEY_SCOPE, add) << 12;
		key.id = e->id;
		if (!e->is_local)
			key.pid = LOGLINE_NOBODY;
		made->has_process = g->has_thread || e->has_pid;
	} else if (g->has_thread || e->has_tid) {
		made->has_thread = true;
		made->tid = e->has_tid ? e->tid : g->tid;
		key.id = made->tid;
		index = idmap_get(&pf->claims, made->tid);
		made->alone = index != IDMAP_NONE && index != key.pid;
	} else {
		return 0;
	}
	index = key_find(pf, (struct str){(const char *)&key, sizeof(key)}, kind, add);
	return index != IDMAP_NONE ? LEGACY_UUIDS - index : 0;
}

/* Complete events ---------------------------------------------------------------------- */

bool
legacy_begins(struct pf_track *t, uint64_t end)
{
	if (t->end_count > 0 && t->ends[t->end_count - 1] < end)
		return false;
	*MEM_ADD(t->ends, t->end_count, t->end_room) = end;
	return true;
}

bool
legacy_ends(struct pf_track *t, uint64_t ns)
{
	if (t->end_count == 0 || t->ends[t->end_count - 1] != ns)
		return false;
	t->end_count--;
	return true;
}
