/*
 * The overview filled thread by thread (strands.h), as the profile was when it was loaded
 * (sweep.h): whichever worker is free takes the next thread of a stretch.  Threads have
 * spans and waypoints of their own; what is entered is noted by each worker for itself.
 */
#include <config.h>

#include "base/crew.h"
#include "base/mem.h"
#include "profile/overview_fill.h"
#include "profile/pen.h"
#include "profile/presence.h"
#include "profile/strand-tasks.h"
#include "profile/waypoint.h"

enum {
	STRETCH_MOST = 1 << 18, /* records: some milliseconds */
	BETWEEN_LEAST = 16 * BATCH_EVENTS,
	WORKERS_MOST = 8,
};

struct hand {
	struct strand_scratch scratch;
	struct onstack onstack;
	struct presence *presence;
	size_t bytes; /* of spans */
};

struct comb {
	struct overview *overview;
	struct source *source;
	struct hand *hands;
	unsigned count;
	struct lane *lanes;
	struct strands stretches[2], *now, *ahead;
	uint64_t records; /* before the stretch at hand */
	/* Of the presence: in which of its stretches that begins, and where each ends in it. */
	size_t first_entered;
	uint32_t *entered_ends;
	size_t entered_count, entered_room;
	struct tasks tasks;
	struct crew *crew;
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
entered_at(const struct comb *comb, uint32_t record)
{
	size_t low = 0, high = comb->entered_count - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (comb->entered_ends[middle] <= record)
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
runs_take(const struct comb *comb, struct hand *hand, struct thread_run *t, struct runs *runs,
    uint32_t record)
{
	struct overview *o = comb->overview;
	const struct plain *plain = &t->records.plain;
	const uint32_t size = plain_size(t->records.form);
	size_t number = entered_at(comb, record), stretch = comb->first_entered + number;
	uint32_t until = comb->entered_ends[number];
	uint64_t block_end;
	uint32_t block = waypoints_find(o->points, comb->records + record, &block_end);
	struct entered entered;
	nsec to[CLOCKS];

	block_end -= comb->records;
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
task_run(const struct comb *comb, struct hand *hand, const struct task *task)
{
	const struct profile *p = comb->overview->profile;
	struct thread_run t = {.walk = {(struct profile *)(uintptr_t)p, comb->lanes, NULL, false,
	    &hand->onstack}, .lane = &comb->lanes[task->thread], .thread = task->thread,
	    .records = {.form = comb->now->form, .plain = comb->now->plain}};
	struct runs runs;
	uint32_t record;

	comb->overview->lanes[task->thread]->bytes = &hand->bytes;
	runs_begin(&runs, comb->now, task->strand);
	while ((record = runs_record(&runs)) != RECORD_NONE)
		runs_take(comb, hand, &t, &runs, record);
}

static void
comb_work(void *arg, unsigned worker)
{
	struct comb *comb = arg;
	struct hand *hand = &comb->hands[worker];
	unsigned at;

	while (tasks_next(&comb->tasks, comb->ahead->share_count, &at)) {
		if (at < comb->tasks.count)
			task_run(comb, hand, &comb->tasks.items[at]);
		else
			strands_share(comb->ahead, at - comb->tasks.count, &hand->scratch);
	}
}

static void
round_run(struct comb *comb)
{
	tasks_begin(&comb->tasks);
	crew_round(comb->crew);
}

/* Of what was loaded: as many records as the caller wants taken in at a time. */
static void
ahead_begin(struct comb *comb, struct cursor from, uint64_t max_records)
{
	uint64_t loaded = comb->overview->profile->at.offset, left = 0;
	uint32_t size = plain_size(comb->source->plain);

	/* What is between records may be shorter than one, and a batch is read when all of it is. */
	if (comb->source->ops->between != NULL && max_records < BETWEEN_LEAST)
		max_records = BETWEEN_LEAST;
	if (from.offset < loaded)
		left = (loaded - from.offset +
			   (comb->source->ops->between != NULL ? size - 1 : 0)) / size;
	if (left > max_records)
		left = max_records;
	comb->ahead->share_count = 0;
	if (left > 0)
		strands_begin(comb->ahead, comb->source, from, loaded,
		    left < STRETCH_MOST ? left : STRETCH_MOST);
}

/* Workers find them there. */
static void
lanes_make(const struct comb *comb)
{
	for (uint32_t i = 0; i < comb->tasks.count; i++)
		overview_lane(comb->overview, comb->tasks.items[i].thread);
}

/* Blocks of waypoints begin with a batch; one begins at each gap. */
static void
blocks_make(const struct comb *comb, struct cursor at)
{
	const struct plain *plain = &comb->now->plain;
	uint32_t record = 0, gap = 0;

	/* The last gap may have no records behind it as yet. */
	while (record < plain->count ||
	    (gap < plain->gap_count && plain->gaps[gap].record == record)) {
		/* With what stands before its first record, as who reads on meets it. */
		at.offset = plain->offset + (uint64_t)record * plain_size(comb->now->form) +
		    (gap > 0 ? plain->gaps[gap - 1].bytes : 0);
		if (gap < plain->gap_count && plain->gaps[gap].record <= record)
			gap++;
		waypoints_reach(comb->overview->points, &at, comb->records + record);
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
entered_make(struct comb *comb)
{
	const struct presence *presence = comb->overview->presence;
	const struct plain *plain = &comb->now->plain;
	size_t first = presence_at(presence, plain->offset), i;

	comb->first_entered = first;
	comb->entered_count = presence_at(presence, comb->now->end.offset) - first + 1;
	MEM_GROW(comb->entered_ends, comb->entered_room, comb->entered_count);
	for (i = 0; i + 1 < comb->entered_count; i++)
		comb->entered_ends[i] = record_at(comb->now, presence_end(presence, first + i));
	comb->entered_ends[i] = plain->count;
}

static void
round_take(struct comb *comb)
{
	struct overview *o = comb->overview;

	for (uint32_t i = 0; i < comb->tasks.count; i++)
		o->lanes[comb->tasks.items[i].thread]->bytes = &o->bytes;
	for (unsigned i = 0; i < comb->count; i++) {
		struct hand *hand = &comb->hands[i];

		presence_take(o->presence, hand->presence, comb->now->plain.offset,
		    comb->now->end.offset);
		o->bytes += hand->bytes;
		hand->bytes = 0;
	}
	replay_came(o->replay, comb->now->end, comb->records + comb->now->plain.count);
}

static struct comb *
comb_new(struct overview *o)
{
	const struct profile *p = o->profile;
	unsigned jobs = p->jobs > 0 ? p->jobs : worker_processors();
	struct comb *comb = mem_zero(1, sizeof(*comb));

	comb->overview = o;
	comb->source = p->trace->source;
	comb->count = jobs < WORKERS_MOST ? jobs : WORKERS_MOST;
	comb->ahead = comb->stretches;
	comb->hands = mem_zero(comb->count, sizeof(*comb->hands));
	comb->crew = crew_new(comb->count, comb_work, comb);
	if (comb->crew == NULL) {
		comb->count = 1;
		comb->crew = crew_new(1, comb_work, comb);
	}
	for (unsigned i = 0; i < comb->count; i++)
		comb->hands[i].presence = presence_new(p);
	return comb;
}

void
overview_comb_end(struct overview *o)
{
	struct comb *comb = o->comb;

	if (comb == NULL)
		return;
	crew_free(comb->crew);
	for (unsigned i = 0; i < comb->count; i++) {
		onstack_release(&comb->hands[i].onstack);
		presence_free(comb->hands[i].presence);
	}
	strands_release(&comb->stretches[0]);
	strands_release(&comb->stretches[1]);
	mem_free(comb->tasks.items);
	mem_free(comb->entered_ends);
	mem_free(comb->hands);
	mem_free(comb);
	o->comb = NULL;
}

enum comb_end
overview_comb(struct overview *o, uint64_t max_records)
{
	const struct source *s = o->profile->trace->source;
	struct comb *comb;
	struct cursor at;

	if (s->plain == PLAIN_NONE || s->ops->copy == NULL)
		return COMB_NEVER;
	if (replay_place(o->replay) >= o->profile->at.offset || max_records == 0)
		return COMB_NOTHING;
	if (o->comb == NULL)
		o->comb = comb_new(o);
	comb = o->comb;
	comb->lanes = replay_lanes(o->replay, &at, &comb->records);
	if (comb->ahead->share_count == 0) {
		comb->tasks.count = 0;
		ahead_begin(comb, at, max_records);
		/* Less than a record is left. */
		if (comb->ahead->share_count == 0)
			return COMB_NEVER;
		round_run(comb);
	}
	comb->now = comb->ahead;
	comb->ahead = comb->now == comb->stretches ? &comb->stretches[1] : comb->stretches;
	if (!strands_tie(comb->now, &comb->hands[0].scratch))
		return COMB_NEVER;
	tasks_loaded(&comb->tasks, comb->now, o->profile, NULL);
	lanes_make(comb);
	blocks_make(comb, at);
	entered_make(comb);
	ahead_begin(comb, comb->now->end, max_records);
	round_run(comb);
	if (strands_torn(comb->now))
		return COMB_TORN;
	round_take(comb);
	source_behind(comb->source, comb->now->plain.offset, comb->now->end.offset);
	return COMB_DONE;
}
