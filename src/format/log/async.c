// SPDX-License-Identifier: Apache-2.0
/* async: slices that are on rows of their own: asynchronous ones, and the kernel's by their key. */
#include <config.h>

#include "base/mem.h"
#include "format/log/reader.h"

enum {
	ROWS_MAX = 4096,    /* of slices that overlap in one track */
	OPEN_MAX = 1 << 24, /* slices open at once */
	KERNEL_ROWS = 64,   /* of the kernel's slices of one track that overlap */
	BEFORE_MAX = 32,    /* slices of a row, or of a name, that were open before the log */
};

/* Why a track is one. */
enum { TRACK_BY_CATEGORY, TRACK_BY_NAME, TRACK_BY_TRACK, TRACK_BY_KERNEL };

static uint32_t *
bucket_of(struct open_slices *o, uint64_t key, int64_t id)
{
	uint64_t h = (key ^ (uint64_t)id * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;

	h ^= h >> 32;
	return &o->buckets[h & (o->bucket_count - 1)];
}

static void
buckets_enlarge(struct open_slices *o)
{
	size_t count = o->bucket_count > 0 ? o->bucket_count * 2 : 256;
	uint32_t *old = o->buckets;
	size_t old_count = o->bucket_count;

	o->buckets = mem_zero(count, sizeof(*o->buckets));
	o->bucket_count = count;
	for (size_t b = 0; b < old_count; b++) {
		uint32_t at = old[b];

		/* In each new bucket in the order of the old one: the newest first. */
		while (at != 0) {
			struct open_slice *s = &o->items[at - 1];
			uint32_t next = s->next, *end = bucket_of(o, s->key, s->id);

			while (*end != 0)
				end = &o->items[*end - 1].next;
			s->next = 0;
			*end = at;
			at = next;
		}
	}
	mem_free(old);
}

/* Where the link to the newest open slice of a key is; NULL when there is none. */
static uint32_t *
open_find(struct open_slices *o, uint64_t key, int64_t id)
{
	uint32_t *link;

	if (o->used == 0)
		return NULL;
	for (link = bucket_of(o, key, id); *link != 0; link = &o->items[*link - 1].next) {
		const struct open_slice *s = &o->items[*link - 1];

		if (s->key == key && s->id == id)
			return link;
	}
	return NULL;
}

static void
open_add(struct open_slices *o, struct open_slice slice)
{
	uint32_t *bucket, at;

	if (o->used >= o->bucket_count)
		buckets_enlarge(o);
	if (o->free != 0) {
		at = o->free;
		o->free = o->items[at - 1].next;
	} else {
		MEM_GROW(o->items, o->room, o->count + 1);
		at = (uint32_t)++o->count;
	}
	bucket = bucket_of(o, slice.key, slice.id);
	slice.next = *bucket;
	o->items[at - 1] = slice;
	*bucket = at;
	o->used++;
}

static struct open_slice
open_remove(struct open_slices *o, uint32_t *link)
{
	uint32_t at = *link;
	struct open_slice slice = o->items[at - 1];

	*link = slice.next;
	o->items[at - 1] = (struct open_slice){.next = o->free, .method = METHOD_NONE};
	o->free = at;
	o->used--;
	return slice;
}

/* A thread row for slices of a track; the first has the track's name. */
static uint32_t
track_row_add(struct reader *r, struct str name, uint32_t pid, uint32_t number)
{
	struct thread thread = {.kind = THREAD_ASYNC, .listed = true,
	    .process = process_of(r, pid)};

	thread.name = trace_print(r->trace, number > 0 ? "async: %.*s (%u)" : "async: %.*s",
	    STR_ARG(name), number + 1);
	thread.id = pid != LOGLINE_NOBODY ? pid : 0;
	return row_add(r, &thread);
}

static struct track_rows *
track_of(struct reader *r, uint32_t pid, struct str name, int kind, uint32_t *index)
{
	*index = intern_add(&r->track_names, name, (uint64_t)pid << 8 | (uint64_t)kind);
	if (*index == r->track_count)
		*MEM_ADD(r->tracks, r->track_count, r->track_room) = (struct track_rows){.rows = NULL};
	return &r->tracks[*index];
}

/* Adds a row to a track; false when there are too many. */
static bool
track_grow(struct reader *r, struct track_rows *track, struct str name, uint32_t pid)
{
	size_t room = track->room;
	uint32_t row = track_row_add(r, name, pid, track->count);

	if (row == THREAD_NONE)
		return false;
	MEM_GROW(track->rows, track->room, (size_t)track->count + 1);
	MEM_GROW(track->busy, room, (size_t)track->count + 1);
	track->busy[track->count] = false;
	track->rows[track->count++] = row;
	return true;
}

/* Takes the first free row of a track; false when there are too many. */
static bool
track_take(struct reader *r, struct track_rows *track, struct str name, uint32_t pid,
    uint32_t *place)
{
	uint32_t at = track->free;

	while (at < track->count && track->busy[at])
		at++;
	if (at == ROWS_MAX || (at == track->count && !track_grow(r, track, name, pid)))
		return false;
	track->busy[at] = true;
	track->free = at + 1;
	*place = at;
	return true;
}

uint32_t
track_row_take(struct reader *r, uint32_t pid, struct str name, uint32_t *track, uint32_t *place)
{
	struct track_rows *rows = track_of(r, pid, name, TRACK_BY_TRACK, track);

	return track_take(r, rows, name, pid, place) ? rows->rows[*place] : THREAD_NONE;
}

void
track_row_give(struct reader *r, uint32_t track, uint32_t place)
{
	struct track_rows *rows = &r->tracks[track];

	rows->busy[place] = false;
	if (place < rows->free)
		rows->free = place;
}

void
track_slice_take(struct reader *r, struct track_open *t, uint32_t pid, struct str name, bool aside,
    const struct logline *line, const struct marker *m, uint64_t of)
{
	if (t->row == THREAD_NONE && m->kind == MARKER_BEGIN)
		t->row = track_row_take(r, pid, name, &t->rows, &t->place);
	if (t->row == THREAD_NONE) {
		r->log->summary.unmatched_async_ends += m->kind == MARKER_END;
		if (m->kind == MARKER_BEGIN)
			slice_too_deep(r);
		else
			end_before(r, END_OF_TRACK, of);
		return;
	}
	if (aside)
		row_aside(r, t->row, false);
	slice_take(r, line, t->row, m);
	if (r->rows[t->row].depth == 0 && r->rows[t->row].deep == 0) {
		track_row_give(r, t->rows, t->place);
		t->row = THREAD_NONE;
	}
}

/* The name that finds a slice, with its id: of its track, if it has one. */
static uint32_t
key_name(struct reader *r, const struct marker *m, bool on_track)
{
	return slice_name(r, on_track ? m->track : m->name,
	    !on_track ? NAME_ASYNC : m->kernel ? NAME_KERNEL : NAME_TRACK);
}

/*
 * A slice of the kernel is shown once it has ended: a record that was lost would make it last to
 * the end of the log.  It goes to the first row of its track where nothing was since it began.
 */
static void
kernel_show(struct reader *r, const struct marker *m, const struct open_slice *slice, nsec at)
{
	uint32_t index, i = 0, row;
	struct track_rows *track = track_of(r, m->pid, m->track, TRACK_BY_KERNEL, &index);

	while (i < track->count && r->rows[track->rows[i]].started &&
	    r->rows[track->rows[i]].last > slice->since)
		i++;
	if (i == KERNEL_ROWS || (i == track->count && !track_grow(r, track, m->track, m->pid))) {
		slice_too_deep(r);
		return;
	}
	row = track->rows[i];
	event_keep(r, row, slice_word(slice->method, ACTION_ENTER), slice->since);
	event_keep(r, row, slice_word(slice->method, ACTION_EXIT), at);
}

/* A slice of the kernel begins; one that is open under its key has lost its end. */
static void
kernel_begin(struct reader *r, const struct marker *m, struct open_slice slice, nsec at, bool shown)
{
	uint32_t *link = open_find(&r->open_slices, slice.key, slice.id);

	if (link != NULL) {
		(void)open_remove(&r->open_slices, link);
		r->log->summary.endless++;
	}
	slice.kernel = true;
	slice.since = at;
	if (shown)
		slice.method = slice_method(r, m->name, true);
	open_add(&r->open_slices, slice);
}

void
async_begin(struct reader *r, const struct marker *m, nsec at, bool shown)
{
	bool on_track = m->kind == MARKER_TRACK_BEGIN;
	struct log_summary *s = &r->log->summary;
	struct open_slice slice = {.key = (uint64_t)m->pid << 32 | key_name(r, m, on_track),
	    .id = m->value, .method = METHOD_NONE};
	struct str track_name = m->name;
	int track_kind = TRACK_BY_NAME;
	struct track_rows *track;

	/* On a track the newest is ended first; elsewhere a key is open once. */
	if (!on_track && open_find(&r->open_slices, slice.key, slice.id) != NULL) {
		s->duplicate_begins++;
		damage_add(r->damage, DAMAGE_DUPLICATE_BEGIN, 1, r->line_at);
		return;
	}
	if (r->open_slices.used >= OPEN_MAX) {
		slice_too_deep(r);
		return;
	}
	if (m->kernel) {
		kernel_begin(r, m, slice, at, shown);
		return;
	}
	if (on_track) {
		track_name = m->track;
		track_kind = TRACK_BY_TRACK;
	} else if (m->category.n > 0) {
		track_name = m->category;
		track_kind = TRACK_BY_CATEGORY;
	}
	if (shown) {
		track = track_of(r, m->pid, track_name, track_kind, &slice.track);
		if (track_take(r, track, track_name, m->pid, &slice.place)) {
			slice.method = slice_method(r, m->name, true);
			event_keep(r, track->rows[slice.place],
			    slice_word(slice.method, ACTION_ENTER), at);
			slice.link = link_begin(
			    r, m, track->rows[slice.place], slice.method, at);
		} else {
			slice_too_deep(r);
		}
	}
	open_add(&r->open_slices, slice);
}

void
end_before(struct reader *r, enum end_owner owner, uint64_t of)
{
	uint64_t key = of * (END_OF_FRAMES + 1) + owner;
	uint32_t count = idmap_add(&r->ends_before, key, 0) + 1;
	struct damage_entry *edge;

	if (count <= BEFORE_MAX + 1)
		idmap_put(&r->ends_before, key, count);
	if (count <= BEFORE_MAX) {
		damage_add(r->damage, DAMAGE_EXIT_WITHOUT_ENTRY, 1, r->line_at);
		return;
	}
	damage_add(r->damage, DAMAGE_UNMATCHED_EXIT, 1, r->line_at);
	if (r->damage == NULL || count > BEFORE_MAX + 1)
		return;
	/* Nor were those before it. */
	edge = &r->damage->kind[DAMAGE_EXIT_WITHOUT_ENTRY];
	damage_add(r->damage, DAMAGE_UNMATCHED_EXIT, BEFORE_MAX, edge->offset);
	damage_subtract(r->damage, DAMAGE_EXIT_WITHOUT_ENTRY, BEFORE_MAX, edge->offset);
}

void
async_end(struct reader *r, const struct marker *m, nsec at)
{
	uint32_t name = key_name(r, m, m->kind == MARKER_TRACK_END);
	uint32_t *link = open_find(&r->open_slices, (uint64_t)m->pid << 32 | name, m->value);
	struct open_slice slice;
	struct track_rows *track;

	if (link == NULL && m->kernel)
		return; /* it began before the log */
	if (link == NULL) {
		r->log->summary.unmatched_async_ends++;
		end_before(r, END_OF_ASYNC, (uint64_t)m->pid << 30 ^ name);
		return;
	}
	slice = open_remove(&r->open_slices, link);
	if (slice.method == METHOD_NONE)
		return;
	if (m->kernel) {
		kernel_show(r, m, &slice, at);
		return;
	}
	track = &r->tracks[slice.track];
	event_keep(r, track->rows[slice.place], slice_word(slice.method, ACTION_EXIT), at);
	link_end(r, slice.link, at);
	track_row_give(r, slice.track, slice.place);
}

void
async_finish(struct reader *r, nsec at)
{
	struct log_summary *s = &r->log->summary;
	uint64_t endless = 0;

	for (size_t i = 0; i < r->open_slices.count; i++)
		endless += r->open_slices.items[i].kernel;
	s->unfinished_async = r->open_slices.used - endless;
	s->endless += endless;
	for (size_t i = 0; i < r->track_count; i++) {
		for (uint32_t k = 0; k < r->tracks[i].count; k++) {
			if (r->tracks[i].busy[k])
				event_keep(r, r->tracks[i].rows[k], WORD_TICK, at);
		}
	}
}

void
async_again(struct reader *r)
{
	struct open_slices *o = &r->open_slices;

	mem_free(o->items);
	mem_free(o->buckets);
	*o = (struct open_slices){0};
	idmap_release(&r->ends_before);
	for (size_t i = 0; i < r->track_count; i++) {
		if (r->tracks[i].count > 0)
			memset(r->tracks[i].busy, 0, r->tracks[i].count * sizeof(bool));
		r->tracks[i].free = 0;
	}
}

void
async_release(struct reader *r)
{
	async_again(r);
	for (size_t i = 0; i < r->track_count; i++) {
		mem_free(r->tracks[i].rows);
		mem_free(r->tracks[i].busy);
	}
	mem_free(r->tracks);
	intern_release(&r->track_names);
}
