#include <config.h>

#include "profile/deal.h"

#include <stdatomic.h>
#include <string.h>

#include "base/crew.h"
#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/deal-hands.h"

enum {
	ROUND_LEAST = 65536,  /* records: fewer are not worth being dealt */
	MARKS_MOST = 4 << 20, /* bytes of checkpoints that a round may add */
	LANES_MOST = 4096,    /* are copied before and after each round */
};

struct deal {
	struct profile *profile; /* counts as well; between rounds it has everything */
	struct profile *others[WORKER_MAX];
	unsigned count; /* of the others */
	uint8_t (*dealt)[HANDS_ID_MAX + 1]; /* by worker, the profile's first */
	struct hands hands;
	uint64_t stop, records; /* file offset where the round ends; how many it was to have */
	uint64_t behind_from, behind_to; /* of the file: what nobody reads any more */
	bool over; /* one pass goes on */
	bool anew; /* threads have other owners than in the round before */
	struct crew *crew;
	atomic_bool looked; /* somebody looks at what comes after this round */
};

/* Where a round of so many records ends that begins at a file offset; there: nowhere. */
static uint64_t
round_end(const struct profile *p, uint64_t from, uint64_t records)
{
	struct source *s = p->trace->source;
	uint64_t size = plain_size(s->plain);
	struct cursor at;

	if (s->ops->ahead != NULL)
		return s->ops->ahead(s, from, records < (s->end - from) / size ? from + records * size
									       : s->end);
	if (records >= (s->end - from) / size || !s->ops->cut(s, from + records * size, &at) ||
	    at.offset <= from)
		return s->end;
	return at.offset;
}

/* Workers -------------------------------------------------------------------------- */

/* Whoever is first has the time to look at what comes next. */
static void
next_look(struct deal *d)
{
	const struct profile *p = d->profile;
	struct source *s = p->trace->source;

	if (!atomic_exchange(&d->looked, true) && d->stop < s->end)
		hands_look(&d->hands, s, d->stop, round_end(p, d->stop, d->records));
}

/* One worker's share of a round. */
static void
share_count(void *arg, unsigned worker)
{
	struct deal *d = arg;
	struct profile *p = worker > 0 ? d->others[worker - 1] : d->profile;
	uint64_t size = (d->behind_to - d->behind_from) / (d->count + 1);
	uint64_t from = d->behind_from + size * worker;

	source_behind(p->trace->source, from, worker < d->count ? from + size : d->behind_to);
	if (d->anew)
		hands_give(&d->hands, worker, d->dealt[worker]);
	profile_load_part(p, UINT64_MAX / 2);
	next_look(d);
}

static void
round_run(struct deal *d)
{
	atomic_store(&d->looked, false);
	crew_round(d->crew);
}

/* Before a round -------------------------------------------------------------------- */

/* What the other goes on from: the profile as it stands. */
static void
other_begin(struct profile *other, const struct profile *p)
{
	other->at = p->at;
	other->stop = p->stop;
	other->records = p->records;
	other->latest = p->latest;
	other->checkpoint_every = p->checkpoint_every;
	other->checkpoint_next = p->checkpoint_next;
	other->tree = p->tree;
	profile_lanes_extend(other, p->lane_count);
	if (p->lane_count > 0)
		memcpy(other->lanes, p->lanes, p->lane_count * sizeof(*p->lanes));
}

/* Those that stand between the round's records; true when there are threads among them. */
static bool
names_take(struct deal *d)
{
	struct profile *p = d->profile;
	struct source *s = p->trace->source;
	uint32_t listed = p->trace->threads_listed;

	if (s->ops->reach == NULL)
		return false;
	s->ops->reach(s, p->at.offset, d->stop, &p->damage);
	for (unsigned i = 0; i <= d->count && listed != p->trace->threads_listed; i++)
		hands_unknown(d->dealt[i], p->trace);
	return listed != p->trace->threads_listed;
}

/* As much as fits before one pass could come to something else than several workers. */
static uint64_t
records_allowed(const struct deal *d, uint64_t max_records)
{
	const struct profile *p = d->profile;
	const struct source *s = p->trace->source;
	uint64_t marks = MARKS_MOST / (((uint64_t)p->lane_count + 1) * sizeof(struct lane_mark));

	/* A thread that starts after the clock wrapped is moved to where all others are. */
	if (s->wraps_max > 0 && !s->by_thread && (uint64_t)p->latest > s->clock_modulus / 4)
		return 0;
	/* Every record may need a node; which paths come too late depends on the order. */
	if (p->tree.count >= p->tree.limit)
		return 0;
	if (max_records > p->tree.limit - p->tree.count)
		max_records = p->tree.limit - p->tree.count;
	if (p->checkpoint_every > 0 && max_records > (marks + 1) * p->checkpoint_every)
		max_records = (marks + 1) * p->checkpoint_every;
	return p->other == METHOD_NONE && p->lane_count <= LANES_MOST ? max_records : 0;
}

/* After a round --------------------------------------------------------------------- */

static bool
lane_is(const struct deal *d, uint32_t lane, unsigned owner)
{
	return d->hands.owner[trace_thread(d->profile->trace, lane)->id & HANDS_ID_MAX] == owner;
}

/* A checkpoint of one pass has the lanes of all. */
static void
checkpoint_fill(const struct deal *d, struct checkpoint *to, unsigned worker, size_t number)
{
	const struct profile *other = d->others[worker - 1];
	const struct checkpoint *from =
	    number < other->checkpoint_count ? &other->checkpoints[number] : NULL;
	uint32_t count = from != NULL ? from->lane_count : 0;

	if (count > to->lane_count) {
		to->lanes = mem_resize(to->lanes, count, sizeof(*to->lanes));
		memset(to->lanes + to->lane_count, 0,
		    (count - to->lane_count) * sizeof(*to->lanes));
		d->profile->checkpoint_bytes += (count - to->lane_count) * sizeof(*to->lanes);
		to->lane_count = count;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (lane_is(d, i, worker))
			to->lanes[i] = from->lanes[i];
	}
}

static void
checkpoints_take(const struct deal *d, size_t first, unsigned worker)
{
	struct profile *p = d->profile, *other = d->others[worker - 1];

	for (size_t k = first; k < p->checkpoint_count; k++)
		checkpoint_fill(d, &p->checkpoints[k], worker, k - first);
	for (size_t k = 0; k < other->checkpoint_count; k++)
		mem_free(other->checkpoints[k].lanes);
	other->checkpoint_count = other->checkpoint_bytes = 0;
}

static void
other_take(struct deal *d, size_t first_checkpoint, unsigned worker)
{
	struct profile *p = d->profile, *other = d->others[worker - 1];

	profile_lanes_extend(p, other->lane_count);
	for (uint32_t i = 0; i < other->lane_count; i++) {
		if (lane_is(d, i, worker))
			p->lanes[i] = other->lanes[i];
	}
	checkpoints_take(d, first_checkpoint, worker);
	damage_merge(&p->damage, &other->damage);
	other->damage = (struct damage){0};
	p->cut |= other->cut || other->torn;
	profile_seen_add(p, other);
	if (other->latest > p->latest)
		p->latest = other->latest;
}

/* Would one pass have moved a thread that started in the round? */
static bool
lane_moved(const struct profile *p, uint32_t lane)
{
	const struct lane *a = &p->lanes[lane];
	nsec before = p->latest - a->first[CLOCK_WALL];

	return a->started && before > 0 && (uint64_t)before >= p->trace->source->clock_modulus / 2;
}

static void
round_take(struct deal *d, size_t first_checkpoint)
{
	struct profile *p = d->profile;
	struct source *s = p->trace->source;
	struct tree copies[WORKER_MAX];
	bool moved = false;

	for (unsigned i = 0; i < d->count; i++) {
		copies[i] = d->others[i]->tree;
		other_take(d, first_checkpoint, i + 1);
	}
	tree_share_end(&p->tree, copies, d->count);
	checkpoint_bound(p);
	p->dealt = NULL;
	p->stop = s->end;
	for (uint32_t i = 0; i < p->lane_count && s->wraps_max > 0 && !s->by_thread; i++)
		moved |= !hands_started(&d->hands, i) && lane_moved(p, i);
	/*
	 * All is counted again, in one pass: threads are not moved by any trace of half an
	 * hour; each worker came to another place of a file that was cut.
	 */
	d->over = moved || p->cut || p->torn;
	if (d->over)
		profile_again(p);
}

bool
deal_round(struct deal *d, uint64_t max_records)
{
	struct profile *p = d->profile;
	size_t first_checkpoint = p->checkpoint_count;
	uint64_t records = records_allowed(d, max_records);

	if (d->over || records == 0 || (records < ROUND_LEAST && records < max_records) ||
	    p->at.offset >= p->stop)
		return false;
	d->records = records;
	d->stop = round_end(p, p->at.offset, records);
	if (d->stop <= p->at.offset || !tree_share_begin(&p->tree, (uint32_t)records))
		return false;
	p->stop = d->stop;
	d->anew = hands_deal(&d->hands, p);
	d->anew |= names_take(d);
	d->behind_from = p->behind;
	d->behind_to = p->behind = p->at.offset;
	p->dealt = d->dealt[0];
	for (unsigned i = 0; i < d->count; i++)
		other_begin(d->others[i], p);
	round_run(d);
	round_take(d, first_checkpoint);
	return true;
}

static struct profile *
other_new(const struct profile *p, uint8_t *dealt)
{
	struct profile *other = profile_new_part(p->trace, p->at, p->stop);

	other->part = false; /* its frames from before the trace are just that */
	other->dealt = dealt;
	tree_release(&other->tree);
	return other;
}

struct deal *
deal_new(struct profile *p, unsigned jobs)
{
	struct source *s = p->trace->source;
	struct deal *d;

	if (jobs < 2 || s->plain == PLAIN_NONE || p->sampling != NULL ||
	    (s->ops->cut == NULL && s->ops->ahead == NULL) ||
	    !hands_worth(p, jobs))
		return NULL;
	d = mem_zero(1, sizeof(*d));
	d->profile = p;
	d->count = jobs - 1;
	hands_init(&d->hands, jobs);
	d->dealt = mem_alloc(jobs * sizeof(*d->dealt));
	for (unsigned i = 0; i < jobs; i++)
		hands_unknown(d->dealt[i], p->trace);
	for (unsigned i = 0; i < d->count; i++)
		d->others[i] = other_new(p, d->dealt[i + 1]);
	if (records_allowed(d, ROUND_LEAST) == ROUND_LEAST)
		d->crew = crew_new(jobs, share_count, d);
	if (d->crew != NULL)
		return d;
	deal_free(d);
	return NULL;
}

void
deal_free(struct deal *d)
{
	if (d == NULL)
		return;
	crew_free(d->crew);
	source_behind(d->profile->trace->source, d->profile->behind, d->profile->at.offset);
	d->profile->behind = d->profile->at.offset;
	for (unsigned i = 0; i < d->count; i++) {
		/* The nodes are the profile's. */
		d->others[i]->tree = (struct tree){0};
		profile_free(d->others[i]);
	}
	hands_release(&d->hands);
	mem_free(d->dealt);
	mem_free(d);
}
