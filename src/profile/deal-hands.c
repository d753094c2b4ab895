#include <config.h>

#include "profile/deal-hands.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/worker.h"

enum {
	/* Where a round is looked at; a thread's runs are short.  Four times as much costs 1 ms. */
	PLACES = 512,
	PLACE_RECORDS = 16,
	STRETCHES = 32,      /* of the file, to see whether it is worth it */
	STRETCH_PLACES = 16,
	AHEAD_BYTES = 16 << 20, /* the same where no more can be seen */
	UNEVEN_PERCENT = 5,  /* above the mean: the threads are dealt anew */
	WORTH_PERCENT = 140, /* above it parts of the file are better */
};

struct sample {
	uint32_t records[HANDS_ID_MAX + 1]; /* by thread id */
	uint32_t seen[HANDS_ID_MAX + 1];    /* ids with records */
	uint32_t count;
	uint64_t total;
	uint64_t from, to; /* of the file: where it was taken */
	struct plain batch;
	uint8_t copy[PLACE_RECORDS * PLAIN_SIZE_MAX];
};

static void
sample_clear(struct sample *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->records[s->seen[i]] = 0;
	s->count = 0;
	s->total = 0;
}

/*
 * The records at a place, copied where that can be: mapping a page for a few of them takes
 * ten times as long.
 */
static void
place_read(struct sample *s, struct source *source, struct cursor at)
{
	struct plain *b = &s->batch;

	source->ops->read_plain(source, &at, b, PLACE_RECORDS, NULL);
	if (source->ops->copy == NULL)
		return;
	if (!source->ops->copy(source, b->offset, (size_t)b->count * plain_size(source->plain),
		s->copy))
		b->count = 0; /* the file was cut */
	b->bytes = s->copy;
}

static void
sample_place(struct sample *s, struct source *source, uint64_t offset)
{
	uint64_t size = plain_size(source->plain);
	struct cursor at = source->first;

	if (source->ops->batch_at != NULL)
		at.offset = source->ops->batch_at(source, offset);
	else
		at.offset += (offset - at.offset) / size * size;
	place_read(s, source, at);
	for (uint32_t i = 0; i < s->batch.count; i++) {
		uint32_t id = plain_thread(source->plain,
		    s->batch.bytes + (size_t)i * plain_size(source->plain));

		if (s->records[id]++ == 0)
			s->seen[s->count++] = id;
	}
	s->total += s->batch.count;
}

static void
sample_take(struct sample *s, struct source *source, uint64_t from, uint64_t to, unsigned places)
{
	sample_clear(s);
	s->from = from;
	s->to = to;
	for (unsigned i = 0; i < places; i++)
		sample_place(s, source, from + (to - from) / places * i);
}

static int
sample_order(const void *left, const void *right, void *context)
{
	const uint32_t *records = context, *a = left, *b = right;

	if (records[*a] != records[*b])
		return records[*a] < records[*b] ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

/* The largest first, each to who has least; returns what the busiest has. */
static uint64_t
sample_deal(struct sample *s, unsigned workers, uint8_t *owner)
{
	uint64_t load[WORKER_MAX] = {0}, most = 0;

	qsort_r(s->seen, s->count, sizeof(*s->seen), sample_order, s->records);
	for (uint32_t i = 0; i < s->count; i++) {
		unsigned least = 0;

		for (unsigned w = 1; w < workers; w++)
			least = load[w] < load[least] ? w : least;
		load[least] += s->records[s->seen[i]];
		most = load[least] > most ? load[least] : most;
		if (owner != NULL)
			owner[s->seen[i]] = (uint8_t)least;
	}
	return most;
}

static uint64_t
busiest(const struct sample *s, const uint8_t *owner)
{
	uint64_t load[WORKER_MAX] = {0}, most = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t *of = &load[owner[s->seen[i]]];

		*of += s->records[s->seen[i]];
		most = *of > most ? *of : most;
	}
	return most;
}

bool
hands_worth(const struct profile *p, unsigned workers)
{
	struct source *source = p->trace->source;
	uint64_t share = (source->end - p->at.offset) / STRETCHES, most = 0, total = 0;
	struct sample *s;

	if (workers < 2)
		return true;
	s = mem_zero(1, sizeof(*s));
	if (source->ops->ahead != NULL) {
		/* Only what comes next can be looked at. */
		uint64_t to = source->ops->ahead(source, p->at.offset, p->at.offset + AHEAD_BYTES);

		sample_take(s, source, p->at.offset, to, PLACES);
		most = sample_deal(s, workers, NULL);
		total = s->total;
	}
	for (unsigned i = 0; i < STRETCHES && source->ops->ahead == NULL; i++) {
		uint64_t from = p->at.offset + share * i;

		sample_take(s, source, from, from + share / 8, STRETCH_PLACES);
		most += sample_deal(s, workers, NULL);
		total += s->total;
	}
	mem_free(s);
	/* Where threads come one after another, those of the next bytes do not tell. */
	return (source->by_thread && source->ops->ahead != NULL) ||
	    most * workers * 100 <= total * WORTH_PERCENT;
}

void
hands_init(struct hands *h, unsigned workers)
{
	*h = (struct hands){.workers = workers, .sample = mem_zero(1, sizeof(*h->sample))};
	for (unsigned id = 0; id <= HANDS_ID_MAX; id++)
		h->owner[id] = (uint8_t)(id % workers);
}

void
hands_release(struct hands *h)
{
	mem_free(h->sample);
	mem_free(h->started);
	*h = (struct hands){.workers = 0};
}

void
hands_look(struct hands *h, struct source *source, uint64_t from, uint64_t to)
{
	sample_take(h->sample, source, from, to, PLACES);
}

bool
hands_deal(struct hands *h, const struct profile *p)
{
	struct sample *s = h->sample;
	bool uneven;

	MEM_GROW(h->started, h->started_room, p->lane_count);
	h->started_count = p->lane_count;
	for (uint32_t i = 0; i < p->lane_count; i++)
		h->started[i] = p->lanes[i].started;
	if (s->from != p->at.offset || s->to != p->stop)
		hands_look(h, p->trace->source, p->at.offset, p->stop);
	uneven = busiest(s, h->owner) * h->workers * 100 > s->total * (100 + UNEVEN_PERCENT);
	if (uneven)
		sample_deal(s, h->workers, h->owner);
	uneven |= !h->dealt;
	h->dealt = true;
	return uneven;
}

void
hands_unknown(uint8_t dealt[HANDS_ID_MAX + 1], const struct trace *t)
{
	for (unsigned id = 0; id <= HANDS_ID_MAX; id++)
		dealt[id] = idmap_get(&t->thread_ids, id) == IDMAP_NONE ? DEALT_NEW : 0;
}

void
hands_give(const struct hands *h, unsigned worker, uint8_t dealt[HANDS_ID_MAX + 1])
{
	for (unsigned id = 0; id <= HANDS_ID_MAX; id++)
		dealt[id] = (uint8_t)((dealt[id] & DEALT_NEW) |
		    (h->owner[id] == worker ? DEALT_HERE : 0));
}
