// SPDX-License-Identifier: Apache-2.0
/* tracks: events of Perfetto's that programs write: slices, moments and counters on tracks. */
#include <config.h>

#include <math.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

enum { PARENTS_MOST = 100 };

/* Where its events go ---------------------------------------------------------------- */

/* The track's nearest ancestor, itself included, that is a process's or a thread's. */
static const struct pf_track *
track_owner(struct perfetto *pf, const struct pf_track *t)
{
	for (int hops = 0; hops < PARENTS_MOST && !t->has_thread && !t->has_process; hops++) {
		uint32_t parent = idmap_get(&pf->track_uuids, id_key(t->parent));

		pf->parent_missed |= t->parent != 0 && parent == IDMAP_NONE;
		if (t->parent == 0 || parent == IDMAP_NONE)
			return NULL;
		pf->tracks[parent].asked = true;
		t = &pf->tracks[parent];
	}
	return t->has_thread || t->has_process ? t : NULL;
}

static struct pf_track *track_settled(struct perfetto *, uint64_t uuid, struct str first);

/* Finds where its events go, once; `first` is the first one's name. */
static void
track_settle(struct perfetto *pf, struct pf_track *t, struct str first)
{
	const struct pf_track *owner = track_owner(pf, t);
	struct reader *r = &pf->r;

	t->settled = true;
	t->owner = owner != NULL ? owner->pid : LOGLINE_NOBODY;
	t->label = t->name.n > 0 ? t->name : first;
	if (t->uuid == 0 && !t->described)
		t->label = STR("Default Track");
	if (t->has_thread && !t->alone) {
		t->home = row_of_tid(r, t->tid);
		row_process(r, t->home, t->pid, KNOWN_MARKER);
		row_name(r, t->home, t->thread_name);
		r->rows[t->home].named_itself = t->thread_name.n > 0;
	} else if (t->has_thread) {
		struct thread thread = {.id = t->tid, .listed = true,
		    .process = process_of(r, t->pid),
		    .name = t->name.n > 0 ? t->name : t->thread_name};

		t->home = row_add(r, &thread);
	} else if (owner != NULL && owner->has_thread) {
		t->label = text_print(pf, "%.*s of thread %u", STR_ARG(t->label), owner->tid);
	}
	t->timed = t->thread_time && owner != NULL && owner->has_thread
	    ? track_settled(pf, owner->uuid, first)->home : THREAD_NONE;
}

static struct pf_track *
track_settled(struct perfetto *pf, uint64_t uuid, struct str first)
{
	struct pf_track *t = track_add(pf, uuid);

	if (!t->settled)
		track_settle(pf, t, first);
	return t;
}

/* Events ---------------------------------------------------------------------------- */

enum {
	EVENT_BEGIN = 1,
	EVENT_END,
	EVENT_INSTANT,
	EVENT_COUNTER,
	EVENT_STATE,
	CATEGORIES = 1, /* interned */
};

static uint8_t
more_count(uint8_t count, const struct wire_field *f)
{
	return count == 0 && f->type != WIRE_BYTES ? 1 : 2;
}

void
track_event_read(const struct perfetto *pf, struct track_event *e, struct wire message,
    uint32_t generation)
{
	/* Not in the event yet: what was just cleared takes long to be read again. */
	uint8_t values = 0, tracks = 0;
	struct str name = {NULL, 0};
	bool has_flow = false;
	struct wire_field f;

	mem_clear(e, sizeof(*e));
	e->track = pf->generations[generation].track;
	e->has_track = e->track != 0;
	while (wire_next(&message, &f)) {
		switch (f.number) {
		case 2:
		case 17:
			e->ran_us = f.value;
			e->has_ran = f.number == 17;
			e->has_ran_more = f.number == 2;
			break;
		case 6:
			e->old = wire_message(&f);
			break;
		case 12:
			e->more_value = f.value;
			values = more_count(values, &f);
			break;
		case 31:
			e->more_track = f.value;
			tracks = more_count(tracks, &f);
			break;
		case 46:
			e->has_more_reals = true;
			break;
		case 9:
			e->type = f.value < UINT8_MAX ? (uint8_t)f.value : UINT8_MAX;
			break;
		case 10:
			name = text_of(pf, generation, INTERNED_NAMES, f.value);
			break;
		case 11:
			e->track = f.value;
			e->has_track = true;
			break;
		case 23:
			if (name.n == 0)
				name = wire_text(&f);
			break;
		case 30:
		case 44:
			e->value = f.value;
			e->is_real = f.number == 44;
			break;
		default:
			if (!has_flow && is_flow(f.number))
				has_flow = flow_next(&f, &e->flow);
			break;
		}
	}
	if (name.n == 0 && e->old.p != NULL) {
		struct legacy old = {.phase = 0};

		legacy_read(&old, e->old);
		if (old.name_iid != 0)
			name = text_of(pf, generation, INTERNED_NAMES, old.name_iid);
	}
	e->name = name;
	e->more_values = values;
	e->more_tracks = tracks;
	e->has_flow = has_flow;
	e->whole = message.p == message.end;
}

/*
 * The sum of what a sequence told since its state was cleared, of a track or else; valid until
 * the next is asked for.
 */
static int64_t *
sum_of(struct perfetto *pf, uint32_t generation, uint32_t what, int64_t first)
{
	uint64_t key = (uint64_t)pf->generations[generation].table << 32 | what;
	uint32_t sum = idmap_add(&pf->sums, key, pf->sum_count);

	if (sum == pf->sum_count)
		*MEM_ADD(pf->sum_values, pf->sum_count, pf->sum_room) = first;
	return &pf->sum_values[sum];
}

/* Both kinds of numbers that a counter was told, each with its own sum. */
static void
marker_sum(struct perfetto *pf, uint32_t generation, uint32_t track, struct marker *m)
{
	enum { REALS = 1u << 31 };
	int64_t *sum = sum_of(pf, generation, track, 0);
	double real;

	m->value = *sum = (int64_t)((uint64_t)*sum + (uint64_t)m->value);
	sum = sum_of(pf, generation, track | REALS, 0);
	memcpy(&real, sum, sizeof(real));
	m->real += real;
	memcpy(sum, &m->real, sizeof(real));
}

static void
track_counter_take(struct perfetto *pf, struct pf_track *t, uint64_t number, bool is_real,
    const struct logline *line, uint32_t generation)
{
	struct marker m;
	uint64_t unit = t->unit > 1 ? t->unit : 1;
	double real;

	memcpy(&real, &number, sizeof(real));
	if (!t->counter || (is_real && isnan(real))) {
		record_broken(&pf->r);
		return;
	}
	if (t->timed != THREAD_NONE && !is_real && !t->incremental) {
		row_ran(&pf->r, t->timed, (int64_t)(number * unit));
		return;
	}
	m = (struct marker){.kind = MARKER_COUNTER, .pid = t->owner, .name = t->label,
	    .category = t->category};
	if (is_real)
		m.real = real * (double)unit;
	else
		m.value = (int64_t)(number * unit);
	if (t->incremental)
		marker_sum(pf, generation, (uint32_t)(t - pf->tracks), &m);
	if (t->timed != THREAD_NONE)
		row_ran(&pf->r, t->timed,
		    fabs(m.real) < 9e18 ? m.value + (int64_t)m.real : -1);
	else
		slice_take(&pf->r, line, SCHED_NONE, &m);
}

/*
 * A slice of a thread, or on a row of the track's name: as long as one is open, the row is
 * the track's.
 */
static void
track_slice(struct perfetto *pf, struct pf_track *t, const struct logline *line,
    const struct marker *m)
{
	if (t->home != THREAD_NONE)
		slice_take(&pf->r, line, t->home, m);
	else
		track_slice_take(&pf->r, &t->open, t->owner, t->label, t->aside, line, m,
		    (uint64_t)(t - pf->tracks));
}

/* A state lasts until the next one of its track; one without a name is none. */
static void
state_take(struct perfetto *pf, struct pf_track *t, const struct logline *line, struct marker *m)
{
	if (!t->state || t->home != THREAD_NONE) {
		record_broken(&pf->r);
		return;
	}
	if (t->open.row != THREAD_NONE) {
		m->kind = MARKER_END;
		track_slice(pf, t, line, m);
	}
	m->kind = MARKER_BEGIN;
	if (m->name.n > 0)
		track_slice(pf, t, line, m);
}

static void
category_put(struct sbuf *out, struct str *first, struct str category)
{
	if (category.n == 0)
		return;
	if (first->n == 0) {
		*first = category;
		return;
	}
	if (out->n == 0)
		sbuf_str(out, *first);
	sbuf_char(out, ',');
	sbuf_str(out, category);
}

/* Returns the categories of an event, joined by commas. */
static struct str
categories_of(struct perfetto *pf, struct wire event, uint32_t generation)
{
	enum { TEXTS_MOST = 4096, CATEGORY_IIDS = 3, CATEGORY_TEXTS = 22 };
	struct pf_column iids = {.rest = event, .number = CATEGORY_IIDS};
	struct sbuf out = {0};
	struct str first = {"", 0};
	struct wire_field f;
	uint64_t iid;

	while (out.n < TEXTS_MOST && column_next(&iids, &iid))
		category_put(&out, &first, text_of(pf, generation, CATEGORIES, iid));
	while (out.n < TEXTS_MOST && wire_next(&event, &f)) {
		if (f.number == CATEGORY_TEXTS)
			category_put(&out, &first, str_head(wire_text(&f), TEXTS_MOST));
	}
	if (out.n > 0)
		first = text_keep(pf, sbuf_view(&out));
	sbuf_release(&out);
	return first;
}

/* The event's track; of one that is looked at again NULL when it had none. */
static struct pf_track *
event_track(struct perfetto *pf, const struct track_event *e, const struct legacy *old,
    struct wire event, uint32_t generation, bool add)
{
	struct str category = {"", 0};
	uint64_t uuid = e->track;
	size_t known = pf->track_count;
	struct pf_track made, *t;
	uint32_t index;

	if (add && e->has_track && !legacy_is_async(old->phase))
		return track_add(pf, e->track);
	if (legacy_is_async(old->phase))
		category = categories_of(pf, event, generation);
	if (!e->has_track || legacy_is_async(old->phase))
		uuid = legacy_track(pf, old, e->name, category,
		    &pf->generations[generation], add, &made);
	if (!add) {
		index = idmap_get(&pf->track_uuids, id_key(uuid));
		return index != IDMAP_NONE ? &pf->tracks[index] : NULL;
	}
	t = track_add(pf, uuid);
	if (pf->track_count > known && uuid != e->track) {
		made.uuid = uuid;
		*t = made;
	}
	return t;
}

/* How long its thread ran, as the event itself tells. */
static void
thread_time_take(struct perfetto *pf, const struct track_event *e, const struct pf_track *t,
    uint32_t generation)
{
	enum { THREAD_TIME = UINT32_MAX };
	int64_t us = (int64_t)e->ran_us, *sum;

	if (e->has_ran_more) {
		sum = sum_of(pf, generation, THREAD_TIME,
		    (int64_t)pf->generations[generation].ran_us);
		us = *sum = (int64_t)((uint64_t)*sum + (uint64_t)us);
	}
	if ((e->has_ran || e->has_ran_more) && t->home != THREAD_NONE && us < INT64_MAX / 1000)
		row_ran(&pf->r, t->home, us * 1000);
}

/* Counters that are told beside what the event is about; which they are may be a default. */
static void
more_take(struct perfetto *pf, const struct track_event *e, struct wire event,
    const struct logline *line, uint32_t generation)
{
	static const struct {
		uint32_t tracks, values;
		bool real;
	} kinds[] = {{31, 12, false}, {45, 46, true}};

	if (e->more_values == 1 && e->more_tracks == 1 && !e->has_more_reals) {
		track_counter_take(pf, track_settled(pf, e->more_track, e->name), e->more_value, false,
		    line, generation);
		return;
	}
	for (int i = 0; i < 2; i++) {
		struct pf_column tracks = {.rest = event, .number = kinds[i].tracks},
		    values = {.rest = event, .number = kinds[i].values, .fixed = kinds[i].real};
		uint64_t track, value;
		bool known = column_next(&tracks, &track);

		if (!known) {
			tracks.rest = pf->generations[generation].event;
			known = column_next(&tracks, &track);
		}
		while (known && column_next(&values, &value)) {
			track_counter_take(pf, track_settled(pf, track, e->name), value, kinds[i].real, line,
			    generation);
			known = column_next(&tracks, &track);
		}
	}
}

/* Returns the event's type; an older event tells it by a letter. */
static unsigned
event_type(const struct track_event *e, const struct legacy *old)
{
	static const char phases[] = "BbSXEeFIiRnTp";
	static const uint8_t types[] = {EVENT_BEGIN, EVENT_BEGIN, EVENT_BEGIN, EVENT_BEGIN,
	    EVENT_END, EVENT_END, EVENT_END, EVENT_INSTANT, EVENT_INSTANT, EVENT_INSTANT,
	    EVENT_INSTANT, EVENT_INSTANT, EVENT_INSTANT};
	const char *phase;

	if (old->phase == 0)
		return e->type;
	phase = strchr(phases, old->phase);
	return phase != NULL ? types[phase - phases] : 0;
}

void
track_event_take(struct perfetto *pf, const struct pf_step *step, uint64_t ns)
{
	enum { FOR_ALL = 1, OF_PROCESS = 2 }; /* instants of before there were tracks */
	const struct track_event *e = &step->track.event;
	static const struct legacy none = {.phase = 0};
	const struct legacy *old = &none;
	const struct pf_run *run = step->run;
	struct logline *line = &pf->line;
	struct marker *m = &pf->marker;
	struct legacy told;
	bool ends = run->kind == RUN_ENDS;
	struct pf_track *t;
	unsigned type;

	line->ns = ns;
	if (!e->whole) {
		record_broken(&pf->r);
		return;
	}
	if ((e->more_values > 0 || e->has_more_reals) && !ends)
		more_take(pf, e, step->track.data, line, run->generation);
	if (e->old.p != NULL) {
		told = none;
		legacy_read(&told, e->old);
		old = &told;
	}
	t = event_track(pf, e, old, step->track.data, run->generation, true);
	if (!t->settled) {
		track_settle(pf, t, e->name);
		t->category = categories_of(pf, step->track.data, run->generation);
	}
	if (!ends)
		thread_time_take(pf, e, t, run->generation);
	m->kind = MARKER_OTHER;
	m->name = e->name;
	m->pid = t->owner;
	m->track = m->chain = (struct str){NULL, 0};
	m->exact = false;
	if (e->has_flow)
		m->chain = chain_keep(pf, "flow", e->flow);
	type = ends ? EVENT_END : event_type(e, old);
	switch (type) {
	case EVENT_BEGIN:
	case EVENT_END:
		if (ends && !legacy_ends(t, run->ns))
			break;
		if (old->phase == 'X' && !ends && old->duration > 0 &&
		    !legacy_begins(t, run->ns + old->duration)) {
			record_broken(&pf->r);
			break;
		}
		m->kind = type == EVENT_BEGIN ? MARKER_BEGIN : MARKER_END;
		m->exact = type == EVENT_END && e->name.n > 0;
		track_slice(pf, t, line, m);
		if (old->phase == 'X' && old->duration == 0) {
			m->kind = MARKER_END;
			track_slice(pf, t, line, m);
		}
		break;
	case EVENT_INSTANT:
		m->kind = MARKER_TRACK_INSTANT;
		m->track = t->label;
		if (old->instant_scope == FOR_ALL)
			m->pid = LOGLINE_NOBODY;
		else if (old->instant_scope != OF_PROCESS && t->home != THREAD_NONE)
			m->kind = MARKER_INSTANT;
		slice_take(&pf->r, line, t->home, m);
		break;
	case EVENT_COUNTER:
		track_counter_take(pf, t, e->value, e->is_real, line, run->generation);
		break;
	case EVENT_STATE:
		state_take(pf, t, line, m);
		break;
	default:
		break;
	}
}

bool
track_event_detail(struct perfetto *pf, const struct trace_packet *p, struct log_detail *d)
{
	uint32_t generation = generation_at(pf, p);
	struct legacy old = {.phase = 0};
	const struct pf_track *t;
	struct track_event e;
	struct sbuf args = {0};

	track_event_read(pf, &e, p->data, generation);
	if (!e.whole)
		return false;
	legacy_read(&old, e.old);
	t = event_track(pf, &e, &old, p->data, generation, false);
	if (t == NULL)
		return false;
	args_put(pf, &args, p->data, generation);
	*d = (struct log_detail){.name = e.name,
	    .category = categories_of(pf, p->data, generation),
	    .pid = t->owner != LOGLINE_NOBODY ? t->owner : 0, .tid = t->tid,
	    .ns = p->timestamp, .args = args_keep(pf, sbuf_view(&args))};
	sbuf_release(&args);
	if (e.has_flow)
		d->chain = chain_keep(pf, "flow", e.flow);
	if (t->home == THREAD_NONE)
		d->track = t->label;
	return true;
}

void
tracks_end(struct perfetto *pf)
{
	struct logline line = {.comm = {"", 0}, .ns = pf->r.last_ns};
	struct marker none = {.kind = MARKER_OTHER};

	for (size_t i = 0; i < pf->track_count; i++) {
		if (pf->tracks[i].state && pf->tracks[i].open.row != THREAD_NONE)
			state_take(pf, &pf->tracks[i], &line, &none);
	}
}

void
tracks_rewind(struct perfetto *pf)
{
	for (size_t i = 0; i < pf->track_count; i++) {
		pf->tracks[i].open.row = THREAD_NONE;
		pf->tracks[i].end_count = 0;
	}
	idmap_release(&pf->sums);
	pf->sum_count = 0;
}

void
tracks_release(struct perfetto *pf)
{
	for (size_t i = 0; i < pf->track_count; i++)
		mem_free(pf->tracks[i].ends);
	mem_free(pf->tracks);
	intern_release(&pf->old_tracks);
	mem_free(pf->sum_values);
	idmap_release(&pf->track_uuids);
	idmap_release(&pf->claims);
	idmap_release(&pf->inner_ids);
	idmap_release(&pf->sums);
}
