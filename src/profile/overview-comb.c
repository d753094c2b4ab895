/*
 * The overview filled thread by thread (strands.h), as the profile was when it was loaded
 * (sweep.h): whichever worker is free takes the next thread of a stretch.  Threads have
 * spans and waypoints of their own; what is entered is noted by each worker for itself.
 */
#include <config.h>

#include "base/mem.h"
#include "profile/comb.h"
#include "profile/overview_fill.h"
#include "profile/pen.h"
#include "profile/presence.h"
#include "profile/waypoint.h"

enum {
	STRETCH_MOST = 1 << 18, /* records: some milliseconds */
	BETWEEN_LEAST = 16 * BATCH_EVENTS,
	WORKERS_MOST = 8,
};

struct hand {
	struct onstack onstack;
	struct presence *presence;
	size_t bytes; /* of spans */
};

struct filling {
	struct overview *overview;
	struct comb comb;
	struct hand *hands; /* by worker */
	struct lane *lanes;
	uint64_t records; /* before the stretch at hand */
	/* Of the presence: in which of its stretches that begins, and where each ends in it. */
	size_t first_entered;
	uint32_t *entered_ends;
	size_t entered_count, entered_room;
};

/* Records of a thread, and what is taken in of them together. */
struct thread_run {
	struct walk walk;
	struct lane *lane;
	uint32_t thread;
	struct records records;
};

/* The lane's times after the record, which is not taken in yet. */
static void
times_after(struct thread_run *t, const uint8_t *record, nsec to[CLOCKS])
{
	struct lane before = *t->lane;
	struct event event;
	nsec delta[CLOCKS];

	pair64_store(event.time, plain_times(t->records.form, record));
	walk_clock(&t->walk, t->lane, &event, 0, delta);
	for (int c = 0; c < CLOCKS; c++)
		to[c] = lane_time(t->lane, (enum clock_id)c);
	*t->lane = before;
}

/* The stretch of the presence that holds a record, counted from the first. */
static size_t
entered_at(const struct filling *f, uint32_t record)
{
	size_t low = 0, high = f->entered_count - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (f->entered_ends[middle] <= record)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The runs that begin with `record`, as far as they are in one block of waypoints and begin
 * in one stretch of the presence.  Both end with a batch where nothing is between records;
 * else a run is where it begins, as is its part of the trace (replay.h), which ends with it.
 */
static void
runs_take(const struct filling *f, struct hand *hand, struct thread_run *t, struct runs *runs,
    uint32_t record)
{
	struct overview *o = f->overview;
	const struct plain *plain = &t->records.plain;
	const uint32_t size = plain_size(t->records.form);
	size_t number = entered_at(f, record), stretch = f->first_entered + number;
	uint32_t until = f->entered_ends[number];
	uint64_t block_end;
	uint32_t block = waypoints_find(o->points, f->records + record, &block_end);
	struct entered entered;
	nsec to[CLOCKS];

	block_end -= f->records;
	until = block_end < until ? (uint32_t)block_end : until;
	if (until <= record) /* by a file that is not what it was */
		until = record + 1;
	times_after(t, plain->bytes + (size_t)record * size, to);
	if (waypoints_meet_in(o->points, block, t->thread, t->lane))
		waypoints_met(o->points, t->thread, to);
	entered = presence_run(hand->presence, stretch, to[o->profile->axis]);
	strand_draw(&t->records, &t->walk, t->lane, runs, until, &o->lanes[t->thread]->strip,
	    &entered);
	presence_run_end(hand->presence, stretch, lane_time(t->lane, o->profile->axis));
}

static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	const struct filling *f = arg;
	const struct profile *p = f->overview->profile;
	const struct strands *now = f->comb.now;
	struct hand *hand = &f->hands[worker];
	struct thread_run t = {.walk = {(struct profile *)(uintptr_t)p, f->lanes, NULL, false,
	    &hand->onstack}, .lane = &f->lanes[task->thread], .thread = task->thread,
	    .records = {.form = now->form, .plain = now->plain}};
	struct runs runs;
	uint32_t record;

	f->overview->lanes[task->thread]->bytes = &hand->bytes;
	runs_begin(&runs, now, task->strand);
	while ((record = runs_record(&runs)) != RECORD_NONE)
		runs_take(f, hand, &t, &runs, record);
}

/* Of what was loaded: as many records as the caller wants taken in at a time. */
static struct comb_span
span_from(const struct filling *f, struct cursor from, uint64_t max_records)
{
	uint64_t loaded = f->overview->profile->at.offset, left = 0;
	uint32_t size = plain_size(f->comb.source->plain);

	/* What is between records may be shorter than one, and a batch is read when all of it is. */
	if (f->comb.source->ops->between != NULL && max_records < BETWEEN_LEAST)
		max_records = BETWEEN_LEAST;
	if (from.offset < loaded)
		left = (loaded - from.offset +
			   (f->comb.source->ops->between != NULL ? size - 1 : 0)) / size;
	if (left > max_records)
		left = max_records;
	return (struct comb_span){from, loaded, left < STRETCH_MOST ? left : STRETCH_MOST};
}

/* Workers find them there. */
static void
lanes_make(const struct filling *f)
{
	for (uint32_t i = 0; i < f->comb.tasks.count; i++)
		overview_lane(f->overview, f->comb.tasks.items[i].thread);
}

/* Blocks of waypoints begin with a batch; one begins at each gap. */
static void
blocks_make(const struct filling *f, struct cursor at)
{
	const struct plain *plain = &f->comb.now->plain;
	uint32_t record = 0, gap = 0;

	/* The last gap may have no records behind it as yet. */
	while (record < plain->count ||
	    (gap < plain->gap_count && plain->gaps[gap].record == record)) {
		/* With what stands before its first record, as who reads on meets it. */
		at.offset = plain->offset + (uint64_t)record * plain_size(f->comb.now->form) +
		    (gap > 0 ? plain->gaps[gap - 1].bytes : 0);
		if (gap < plain->gap_count && plain->gaps[gap].record <= record)
			gap++;
		waypoints_reach(f->overview->points, &at, f->records + record);
		record += BATCH_EVENTS;
		if (gap < plain->gap_count && plain->gaps[gap].record < record)
			record = plain->gaps[gap].record;
	}
}

/* The first record that stands at a place in the file, or behind it. */
static uint32_t
record_at(const struct strands *s, uint64_t offset)
{
	uint32_t low = 0, high = s->plain.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (plain_offset(&s->plain, s->form, middle) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the presence is divided among the records. */
static void
entered_make(struct filling *f)
{
	const struct presence *presence = f->overview->presence;
	const struct plain *plain = &f->comb.now->plain;
	size_t first = presence_at(presence, plain->offset), i;

	f->first_entered = first;
	f->entered_count = presence_at(presence, f->comb.now->end.offset) - first + 1;
	MEM_GROW(f->entered_ends, f->entered_room, f->entered_count);
	for (i = 0; i + 1 < f->entered_count; i++)
		f->entered_ends[i] = record_at(f->comb.now, presence_end(presence, first + i));
	f->entered_ends[i] = plain->count;
}

static void
round_take(struct filling *f)
{
	struct overview *o = f->overview;

	for (uint32_t i = 0; i < f->comb.tasks.count; i++)
		o->lanes[f->comb.tasks.items[i].thread]->bytes = &o->bytes;
	for (unsigned i = 0; i < f->comb.count; i++) {
		struct hand *hand = &f->hands[i];

		presence_take(o->presence, hand->presence, f->comb.now->plain.offset,
		    f->comb.now->end.offset);
		o->bytes += hand->bytes;
		hand->bytes = 0;
	}
	replay_came(o->replay, f->comb.now->end, f->records + f->comb.now->plain.count);
}

static struct filling *
filling_new(struct overview *o)
{
	static const struct comb_how how = {task_run, NULL, NULL};
	const struct profile *p = o->profile;
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();
	struct filling *f = mem_zero(1, sizeof(*f));

	f->overview = o;
	if (jobs > WORKERS_MOST)
		jobs = WORKERS_MOST;
	comb_init(&f->comb, p->trace->source, jobs, &how, f);
	f->hands = mem_zero(f->comb.count, sizeof(*f->hands));
	for (unsigned i = 0; i < f->comb.count; i++)
		f->hands[i].presence = presence_new(p);
	return f;
}

void
overview_comb_end(struct overview *o)
{
	struct filling *f = o->filling;

	if (f == NULL)
		return;
	for (unsigned i = 0; i < f->comb.count; i++) {
		onstack_release(&f->hands[i].onstack);
		presence_free(f->hands[i].presence);
	}
	comb_release(&f->comb);
	mem_free(f->entered_ends);
	mem_free(f->hands);
	mem_free(f);
	o->filling = NULL;
}

enum comb_end
overview_comb(struct overview *o, uint64_t max_records)
{
	const struct source *s = o->profile->trace->source;
	struct comb_span next;
	struct filling *f;
	struct cursor at;

	if (s->plain == PLAIN_NONE || s->ops->copy == NULL)
		return COMB_NEVER;
	if (replay_place(o->replay) >= o->profile->at.offset || max_records == 0)
		return COMB_NOTHING;
	if (o->filling == NULL)
		o->filling = filling_new(o);
	f = o->filling;
	f->lanes = replay_lanes(o->replay, &at, &f->records);
	next = span_from(f, at, max_records);
	/* Less than a record may be left. */
	if (comb_take(&f->comb, &next) != TAKEN)
		return COMB_NEVER;
	comb_tasks_loaded(&f->comb, o->profile, NULL);
	lanes_make(f);
	blocks_make(f, at);
	entered_make(f);
	next = span_from(f, f->comb.now->end, max_records);
	comb_round(&f->comb, &next);
	if (strands_torn(f->comb.now))
		return COMB_TORN;
	round_take(f);
	source_behind(f->comb.source, f->comb.now->plain.offset, f->comb.now->end.offset);
	return COMB_DONE;
}
