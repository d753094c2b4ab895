// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/load/partition.h"

#include <string.h>

/* Chunks ----------------------------------------------------------------------------- */

/* How many records fit: whole batches, unless it is all. */
static uint32_t
records_fit(const struct source *source, uint64_t bytes, uint64_t records)
{
	if (records > UINT32_MAX / 2)
		records = UINT32_MAX / 2;
	records = records > BATCH_EVENTS ? records / BATCH_EVENTS * BATCH_EVENTS : BATCH_EVENTS;
	if (source_in_place(source) && bytes / source->layout.size < records)
		records = bytes / source->layout.size;
	return (uint32_t)records;
}

/* True if the file now ends before an offset. */
static bool
file_lost(const struct chunk *c, uint64_t offset)
{
	return source_left(c->source, true) < offset;
}

static void
chunk_begin(struct chunk *c, struct source *source, const struct extent *span)
{
	uint32_t most = records_fit(source, span->until - span->from.offset, span->records);

	c->source = source;
	c->layout = source_in_place(source) ? &source->layout : &record_event;
	c->begin = c->end = span->from;
	c->until = span->until;
	c->most = most;
	c->thread_count = c->batch_count = c->count = 0;
	c->lost = false;
	c->there = true;
	if (!record_is_event(c->layout)) {
		c->count = source->ops->in_place(source, &c->end, most, &c->items);
	} else {
		c->items = vast_resize(&c->events, most, sizeof(struct event));
		vast_resize(&c->places, most, sizeof(uint32_t));
	}
	/* There is room for runs of one record; unneeded room is never touched. */
	if (c->note_room < most) {
		c->note_room = most;
		mem_free(c->notes);
		c->notes = mem_zero(most, sizeof(*c->notes));
	}
}

static void
chunk_release(struct chunk *c)
{
	mem_free(c->runs);
	mem_free(c->threads);
	mem_free(c->notes);
	mem_free(c->batches);
	vast_release(&c->events);
	vast_release(&c->places);
}

/* The batch of a record, of those that were decoded. */
static const struct chunk_batch *
batch_of(const struct chunk *c, uint32_t record)
{
	uint32_t low = 0, high = c->batch_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->batches[middle].record <= record)
			low = middle;
		else
			high = middle;
	}
	return &c->batches[low];
}

/* Returns the record's place in the file. */
static uint64_t
chunk_offset(const struct chunk *c, uint32_t record)
{
	const struct chunk_batch *b;

	if (!record_is_event(c->layout))
		return c->begin.offset + (uint64_t)record * c->layout->size;
	b = batch_of(c, record);
	return b->offset + (b->stride > 0 ? (uint64_t)(record - b->record) * b->stride
					  : ((const uint32_t *)c->places.items)[record]);
}

uint64_t
chunk_item(const struct chunk *c, const uint8_t *p)
{
	return chunk_offset(c, (uint32_t)((size_t)(p - c->items) / c->layout->size));
}

uint32_t
chunk_batches(const struct chunk *c)
{
	return record_is_event(c->layout) ? c->batch_count : (c->count + BATCH_EVENTS - 1) / BATCH_EVENTS;
}

uint32_t
chunk_batch(const struct chunk *c, uint32_t number, struct cursor *at)
{
	if (record_is_event(c->layout)) {
		*at = c->batches[number].at;
		return c->batches[number].record;
	}
	*at = c->begin;
	at->offset = chunk_offset(c, number * BATCH_EVENTS);
	return number * BATCH_EVENTS;
}

bool
chunk_torn(const struct chunk *c)
{
	return !record_is_event(c->layout) && file_lost(c, c->end.offset);
}

/* Runs ------------------------------------------------------------------------------- */

/*
 * Finds where runs begin among the records [record, end), a batch at most.  Runs begin
 * anywhere, so a branch could not be predicted: each record is noted, and the note stays
 * if the thread is another one.  Returns the place after the last note.
 */
static inline __attribute__((always_inline)) struct run_note *
batch_note(struct run_note *note, const uint8_t *items, uint32_t record, uint32_t end,
    const struct record_layout *l)
{
	const uint8_t *p = items + (size_t)record * l->size;
	uint32_t before = THREAD_NONE;

	for (; record < end; record++, p += l->size) {
		const uint32_t thread = record_thread(l, p);

		*note = (struct run_note){record, thread};
		note += thread != before;
		before = thread;
	}
	return note;
}

static struct run_note *
runs_note(struct run_note *note, const uint8_t *items, uint32_t record, uint32_t end,
    const struct record_layout *l)
{
	if (record_is_event(l))
		return batch_note(note, items, record, end, &record_event);
	if (record_is_dual(l))
		return batch_note(note, items, record, end, &record_dual);
	return batch_note(note, items, record, end, l);
}

/* Notes the runs of a chunk in place; they end with batches there, too. */
static void
chunk_note(struct chunk *c)
{
	struct run_note *note = c->notes;

	for (uint32_t record = 0, stop; record < c->count; record = stop) {
		stop = c->count - record < BATCH_EVENTS ? c->count : record + BATCH_EVENTS;
		note = runs_note(note, c->items, record, stop, c->layout);
	}
	c->note_count = (uint32_t)(note - c->notes);
}

void
batch_runs(struct batch_runs *list, const struct batch *b)
{
	struct run_note notes[BATCH_EVENTS + 1];
	const uint8_t *items = (const uint8_t *)b->ev;

	list->count = (uint32_t)(runs_note(notes, items, 0, b->count, &record_event) - notes);
	notes[list->count].record = b->count;
	for (uint32_t i = 0; i < list->count; i++) {
		list->threads[i] = notes[i].thread;
		list->runs[i] = (struct run){notes[i].record, notes[i + 1].record};
	}
	memset(list->runs + list->count, 0, RUNS_AHEAD * sizeof(*list->runs));
	list->at = (struct chunk_batch){.stride = b->stride, .offset = b->offset};
	list->chunk = (struct chunk){.items = items, .count = b->count, .batches = &list->at,
	    .batch_count = 1, .layout = &record_event, .places.items = b->place};
}

/* Decodes the records, in the batches in which loading would. */
static void
chunk_decode(struct chunk *c, struct damage *damage)
{
	struct source *s = c->source;
	struct run_note *note = c->notes;
	struct cursor at = c->end; /* of the next batch, with names that precede it */
	bool more = true;

	while (more && c->end.offset < c->until && c->most - c->count >= BATCH_EVENTS) {
		uint64_t from = c->end.offset;
		struct batch b = {.ev = (struct event *)c->events.items + c->count,
		    .place = (uint32_t *)c->places.items + c->count};

		c->lost = !source_read_safe(s, &c->end, &b, BATCH_EVENTS, damage, false);
		batch_cut(&b, &c->end, c->until);
		more = !c->lost && (b.count > 0 || c->end.offset > from);
		if (b.count == 0)
			continue;
		*MEM_ADD(c->batches, c->batch_count, c->batch_room) =
		    (struct chunk_batch){c->count, b.stride, b.offset, at};
		at = c->end;
		c->count += b.count;
		note = runs_note(note, c->items, c->count - b.count, c->count, &record_event);
	}
	/* Read again, what is left is all. */
	if (c->lost && damage == NULL)
		c->end.offset = c->until;
	c->lost = damage != NULL && (c->lost || file_lost(c, c->end.offset));
	c->note_count = (uint32_t)(note - c->notes);
}

static void
ahead_read(struct partition *p)
{
	struct chunk *c = p->ahead;

	if (!record_is_event(c->layout)) {
		chunk_note(c);
		return;
	}
	c->damage = p->damage;
	chunk_decode(c, p->how->load != NULL ? &c->damage : NULL);
	p->damage = c->damage;
}

static struct thread_run *
thread_of(struct partition *p, struct chunk *c, uint32_t id)
{
	MEM_GROW_ZERO(p->slots, p->slot_room, (size_t)id + 1);
	if (p->slots[id] == 0) {
		*MEM_ADD(c->threads, c->thread_count, c->thread_room) =
		    (struct thread_run){.id = id};
		p->slots[id] = c->thread_count;
	}
	return &c->threads[p->slots[id] - 1];
}

/* Lists the runs by thread. */
static void
runs_sort(struct partition *p, struct chunk *c)
{
	size_t runs = c->note_count + (size_t)RUNS_AHEAD;
	struct run_note *note = c->notes, *end = note + c->note_count;
	uint32_t first = 0;

	if (c->run_room < runs) {
		mem_free(c->runs);
		c->runs = NULL;
		c->run_room = 0;
		MEM_GROW_ZERO(c->runs, c->run_room, runs);
	}
	for (; note < end; note++) {
		struct thread_run *t = thread_of(p, c, note->thread);

		t->count++;
		note->thread = (uint32_t)(t - c->threads);
	}
	for (uint32_t i = 0; i < c->thread_count; i++) {
		p->slots[c->threads[i].id] = 0;
		c->threads[i].first = first;
		first += c->threads[i].count;
		c->threads[i].count = 0;
	}
	for (note = c->notes; note < end; note++) {
		struct thread_run *t = &c->threads[note->thread];
		struct run run = {note->record, note + 1 < end ? note[1].record : c->count};

		c->runs[t->first + t->count++] = run;
		t->records += run.end - run.record;
	}
}

void
runs_until(struct runs *r, uint32_t record)
{
	const struct run *low = r->now, *high = r->end;

	/* Mostly all, which is known without looking at them. */
	while (record < r->chunk->count && low < high) {
		const struct run *middle = low + (high - low) / 2;

		if (middle->record < record)
			low = middle + 1;
		else
			high = middle;
	}
	r->stop = high;
}

/* Workers ---------------------------------------------------------------------------- */

/* Each worker takes one task after another; what is ahead, as much as many, comes first. */
static void
partition_work(void *arg, unsigned worker)
{
	struct partition *p = arg;
	const atomic_bool *cancel = p->how->cancel;
	unsigned next;

	if (worker == 0 && p->how->also != NULL)
		p->how->also(p->arg);
	while ((next = atomic_fetch_add(&p->next, 1)) <= p->tasks.count &&
	    !is_cancelled(cancel)) {
		if (next > 0)
			p->how->task(p->arg, worker, &p->tasks.items[next - 1]);
		else if (p->ahead->there)
			ahead_read(p);
	}
}

void
partition_init(struct partition *p, struct source *source, unsigned workers,
    const struct partition_how *how, void *arg)
{
	*p = (struct partition){.source = source, .how = how, .arg = arg, .count = workers};
	p->ahead = p->chunks;
	if (how->load != NULL)
		p->damage = *how->load;
	p->crew = crew_new(workers, partition_work, p);
	if (p->crew == NULL) {
		p->count = 1;
		p->crew = crew_new(1, partition_work, p); /* needs no thread */
	}
}

void
partition_release(struct partition *p)
{
	crew_free(p->crew);
	chunk_release(&p->chunks[0]);
	chunk_release(&p->chunks[1]);
	mem_free(p->slots);
	mem_free(p->tasks.items);
}

/* Rounds ----------------------------------------------------------------------------- */

static void
ahead_begin(struct partition *p, const struct extent *s)
{
	struct source *source = p->source;
	struct extent there = *s;

	/* Read again, what is left of the file is all. */
	if (p->how->load == NULL) {
		uint64_t left = source_left(source, true);

		there.until = left < there.until ? left : there.until;
	}
	if (there.records > 0 && there.from.offset < there.until)
		chunk_begin(p->ahead, source, &there);
}

static void
round_run(struct partition *p)
{
	atomic_store(&p->next, 0);
	crew_round(p->crew);
}

bool
partition_ahead(const struct partition *p)
{
	return p->ahead->there;
}

enum taken
partition_take(struct partition *p, const struct extent *first)
{
	struct chunk *c = p->ahead;
	enum taken taken = TAKEN;

	p->tasks.count = 0;
	if (!c->there) {
		ahead_begin(p, first);
		round_run(p);
	}
	p->now = c;
	if (!c->there)
		return TAKEN_NOTHING;
	/* One that is alone reads the next when this one was worked on, in the same memory. */
	if (p->count > 1)
		p->ahead = &p->chunks[c == p->chunks];
	if (is_cancelled(p->how->cancel) || c->lost || chunk_torn(c))
		taken = TAKEN_LOST;
	else if (c->count == 0 && c->end.offset == c->begin.offset)
		taken = TAKEN_NOTHING;
	if (taken == TAKEN)
		runs_sort(p, c);
	else /* what the chunks have is not to be taken as what is ahead */
		p->chunks[0].there = p->chunks[1].there = false;
	return taken;
}

void
partition_round(struct partition *p, const struct extent *next)
{
	p->ahead->there = false;
	if (p->count > 1)
		ahead_begin(p, next);
	round_run(p);
}

/* Tasks ------------------------------------------------------------------------------ */

static int
task_order(const void *left, const void *right)
{
	const struct task *a = left, *b = right;

	return order_then(ORDER(b->run->records, a->run->records), ORDER(a->thread, b->thread));
}

void
partition_tasks(struct partition *p, const struct profile *profile, const struct scope *scope,
    struct damage *load)
{
	struct tasks *t = &p->tasks;
	const struct chunk *c = p->now;

	MEM_GROW(t->items, t->room, c->thread_count);
	t->count = 0;
	for (uint32_t i = 0; i < c->thread_count; i++) {
		const struct thread_run *run = &c->threads[i];
		uint32_t thread = run->id;

		if (!record_is_event(c->layout))
			thread = idmap_get(&profile->trace->thread_ids, run->id);
		if (thread == IDMAP_NONE)
			thread = p->source->ops->thread_unknown(p->source, run->id, run->records,
			    load, chunk_offset(c, c->runs[run->first].record));
		if (load != NULL || (profile_met(profile, thread) && scope_has(scope, thread)))
			t->items[t->count++] = (struct task){thread, run, false};
	}
	mem_sort(t->items, t->count, sizeof(*t->items), task_order);
}
