#include <config.h>

#include <stdio.h>

#include "base/mem.h"
#include "format/ftrace-reader.h"

enum {
	ROWS_MAX = 4096,    /* of slices that overlap in one lane */
	OPEN_MAX = 1 << 24, /* slices open at once */
};

/* Why a lane is one. */
enum { LANE_CATEGORY, LANE_NAME, LANE_TRACK };

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

/* A thread row for slices of a lane; the first has the lane's name. */
static uint32_t
lane_row_add(struct reader *r, struct str name, uint32_t pid, uint32_t number)
{
	struct thread thread = {.kind = THREAD_ASYNC, .listed = true,
	    .process = process_of(r, pid)};
	char *text = mem_alloc(name.n + 32);
	size_t n = (size_t)snprintf(text, 32, "async: ");

	if (name.n > 0)
		memcpy(text + n, name.p, name.n);
	n += name.n;
	if (number > 0)
		n += (size_t)snprintf(text + n, 20, " (%u)", number + 1);
	pthread_mutex_lock(&r->trace->lock);
	thread.name = arena_str(&r->trace->arena, (struct str){text, n});
	pthread_mutex_unlock(&r->trace->lock);
	mem_free(text);
	thread.id = pid;
	return row_add(r, &thread);
}

static struct lane_rows *
lane_of(struct reader *r, uint32_t pid, struct str name, int kind, uint32_t *index)
{
	*index = intern_add(&r->lane_names, name, (uint64_t)pid << 8 | (uint64_t)kind);
	if (*index == r->lane_count) {
		MEM_GROW(r->lanes, r->lane_room, r->lane_count + 1);
		r->lanes[r->lane_count++] = (struct lane_rows){.rows = NULL};
	}
	return &r->lanes[*index];
}

/* Takes the first free row of a lane; false when there are too many. */
static bool
lane_take(struct reader *r, struct lane_rows *lane, struct str name, uint32_t pid,
    uint32_t *place)
{
	uint32_t at = lane->free;
	size_t room = lane->room;

	while (at < lane->count && lane->busy[at])
		at++;
	if (at == ROWS_MAX)
		return false;
	if (at == lane->count) {
		uint32_t row = lane_row_add(r, name, pid, at);

		if (row == THREAD_NONE)
			return false;
		MEM_GROW(lane->rows, lane->room, (size_t)at + 1);
		MEM_GROW(lane->busy, room, (size_t)at + 1);
		lane->rows[at] = row;
		lane->count++;
	}
	lane->busy[at] = true;
	lane->free = at + 1;
	*place = at;
	return true;
}

void
async_begin(struct reader *r, const struct marker *m, nsec at, bool shown)
{
	bool track = m->kind == MARKER_TRACK_BEGIN;
	struct log_summary *s = &r->log->summary;
	uint32_t name = slice_name(r, track ? m->track : m->name, track ? NAME_TRACK : NAME_ASYNC);
	struct open_slice slice = {.key = (uint64_t)m->pid << 32 | name, .id = m->value,
	    .method = METHOD_NONE};
	struct str lane_name = m->name;
	int lane_kind = LANE_NAME;
	struct lane_rows *lane;

	/* On a track the newest is ended first; elsewhere a key is open once. */
	if (!track && open_find(&r->open_slices, slice.key, slice.id) != NULL) {
		s->duplicate_begins++;
		damage_add(r->damage, DAMAGE_DUPLICATE_BEGIN, 1, r->line_at);
		return;
	}
	if (r->open_slices.used >= OPEN_MAX) {
		s->too_deep++;
		return;
	}
	if (track) {
		lane_name = m->track;
		lane_kind = LANE_TRACK;
	} else if (m->category.n > 0) {
		lane_name = m->category;
		lane_kind = LANE_CATEGORY;
	}
	if (shown) {
		lane = lane_of(r, m->pid, lane_name, lane_kind, &slice.lane);
		if (lane_take(r, lane, lane_name, m->pid, &slice.place)) {
			slice.method = slice_method(r, m->name, true);
			event_keep(r, lane->rows[slice.place],
			    slice_word(slice.method, ACTION_ENTER), at);
			slice.link = link_begin(
			    r, m, lane->rows[slice.place], slice.method, at);
		} else {
			s->too_deep++;
		}
	}
	open_add(&r->open_slices, slice);
}

void
async_end(struct reader *r, const struct marker *m, nsec at)
{
	bool track = m->kind == MARKER_TRACK_END;
	uint32_t name = slice_name(r, track ? m->track : m->name, track ? NAME_TRACK : NAME_ASYNC);
	uint32_t *link = open_find(&r->open_slices, (uint64_t)m->pid << 32 | name, m->value);
	struct open_slice slice;
	struct lane_rows *lane;

	if (link == NULL) {
		r->log->summary.unmatched_async_ends++;
		damage_add(r->damage, DAMAGE_UNMATCHED_EXIT, 1, r->line_at);
		return;
	}
	slice = open_remove(&r->open_slices, link);
	if (slice.method == METHOD_NONE)
		return;
	lane = &r->lanes[slice.lane];
	event_keep(r, lane->rows[slice.place], slice_word(slice.method, ACTION_EXIT), at);
	link_end(r, slice.link, at);
	lane->busy[slice.place] = false;
	if (slice.place < lane->free)
		lane->free = slice.place;
}

void
async_finish(struct reader *r, nsec at)
{
	r->log->summary.unfinished_async = r->open_slices.used;
	for (size_t i = 0; i < r->lane_count; i++) {
		for (uint32_t k = 0; k < r->lanes[i].count; k++) {
			if (r->lanes[i].busy[k])
				event_keep(r, r->lanes[i].rows[k], WORD_TICK, at);
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
	for (size_t i = 0; i < r->lane_count; i++) {
		if (r->lanes[i].count > 0)
			memset(r->lanes[i].busy, 0, r->lanes[i].count * sizeof(bool));
		r->lanes[i].free = 0;
	}
}

void
async_release(struct reader *r)
{
	async_again(r);
	for (size_t i = 0; i < r->lane_count; i++) {
		mem_free(r->lanes[i].rows);
		mem_free(r->lanes[i].busy);
	}
	mem_free(r->lanes);
	intern_release(&r->lane_names);
}
