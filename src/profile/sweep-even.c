#include <config.h>

#include "profile/sweep-even.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/worker.h"
#include "profile/strands.h"

enum {
	STRETCHES = 32,       /* of the file */
	PLACES = 16,          /* in each */
	PLACE_RECORDS = 16,   /* a thread's runs are short */
	EVEN_PERCENT = 140,   /* what the busiest may have of his share */
};

struct sample {
	uint32_t records[STRANDS_ID_MAX + 1]; /* by thread id */
	uint32_t seen[STRANDS_ID_MAX + 1];    /* ids with records */
	uint32_t count;
	uint64_t total;
	struct plain batch;
	uint8_t copy[PLACE_RECORDS * PLAIN_SIZE_MAX];
};

static void
sample_clear(struct sample *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->records[s->seen[i]] = 0;
	s->count = 0;
}

/*
 * The records at a place, copied: mapping a page for a few of them takes ten times as long.
 */
static void
place_read(struct sample *s, struct source *source, struct cursor at)
{
	struct plain *b = &s->batch;

	source->ops->read_plain(source, &at, b, PLACE_RECORDS, NULL);
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

	at.offset += (offset - at.offset) / size * size;
	place_read(s, source, at);
	for (uint32_t i = 0; i < s->batch.count; i++) {
		uint32_t id = plain_thread(source->plain, s->batch.bytes + (size_t)i * size);

		if (s->records[id]++ == 0)
			s->seen[s->count++] = id;
	}
	s->total += s->batch.count;
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
sample_deal(struct sample *s, unsigned workers)
{
	uint64_t load[WORKER_MAX] = {0}, most = 0;

	qsort_r(s->seen, s->count, sizeof(*s->seen), sample_order, s->records);
	for (uint32_t i = 0; i < s->count; i++) {
		unsigned least = 0;

		for (unsigned w = 1; w < workers; w++)
			least = load[w] < load[least] ? w : least;
		load[least] += s->records[s->seen[i]];
		most = load[least] > most ? load[least] : most;
	}
	return most;
}

bool
threads_even(const struct profile *p, unsigned workers)
{
	struct source *source = p->trace->source;
	uint64_t share = (source->end - p->at.offset) / STRETCHES, most = 0;
	struct sample *s;
	bool even;

	/* Without parts there is nothing better. */
	if (workers < 2 || source->ops->cut == NULL)
		return true;
	s = mem_zero(1, sizeof(*s));
	for (unsigned i = 0; i < STRETCHES; i++) {
		uint64_t from = p->at.offset + share * i;

		sample_clear(s);
		for (unsigned k = 0; k < PLACES; k++)
			sample_place(s, source, from + share / 8 / PLACES * k);
		most += sample_deal(s, workers);
	}
	even = most * workers * 100 <= s->total * EVEN_PERCENT;
	mem_free(s);
	return even;
}
