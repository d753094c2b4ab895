/*
 * A stretch with other things between its records: read from the beginning to the end, for
 * nothing else tells where a record begins.  What is no record is left out of the copy.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/strands-slice.h"

enum {
	CHUNK = 16 * BATCH_EVENTS, /* records that are copied at once */
	LOOK_LEAST = 32,           /* that are looked at behind a gap; mostly there are more */
};

struct sieve {
	struct strands *strands;
	uint8_t *bytes;  /* of the copy */
	size_t kept;     /* records, one behind the other */
	size_t at, have; /* what was copied and not looked at */
	uint64_t next;   /* file offset of what is copied next */
	uint64_t until;
	bool lost;
};

/* More of the file; what was not looked at moves to where it would be kept. */
static bool
sieve_fill(struct sieve *v)
{
	struct source *source = v->strands->source;
	uint64_t size = (uint64_t)CHUNK * plain_size(v->strands->form), left = v->have - v->at;

	if (v->until - v->next < size)
		size = v->until - v->next;
	if (v->at > v->kept)
		memmove(v->bytes + v->kept, v->bytes + v->at, left);
	v->at = v->kept;
	v->have = v->kept + left;
	v->lost |= !source->ops->copy(source, v->next, size, v->bytes + v->have);
	if (size == 0 || v->lost)
		return false;
	v->have += size;
	v->next += size;
	return true;
}

static void
gap_add(struct strands *s, uint32_t record, uint64_t bytes)
{
	struct plain *p = &s->plain;
	uint64_t before = p->gap_count > 0 ? s->gaps[p->gap_count - 1].bytes : 0;

	if (p->gap_count == 0 || s->gaps[p->gap_count - 1].record < record) {
		MEM_GROW(s->gaps, s->gap_room, (size_t)p->gap_count + 1);
		p->gap_count++;
	}
	s->gaps[p->gap_count - 1] = (struct plain_gap){record, before + bytes};
}

/* What stands before the record; false when it makes no sense, or the stretch ends in it. */
static bool
sieve_gap(struct sieve *v, uint32_t record)
{
	struct source *source = v->strands->source;
	uint64_t size;

	while ((size = source->ops->between(source, v->bytes + v->at, v->have - v->at)) == 0) {
		if (!sieve_fill(v))
			return false;
	}
	gap_add(v->strands, record, size);
	v->at += size;
	return true;
}

static bool
at_gap(const struct sieve *v)
{
	return v->have - v->at >= 2 && get_u16(v->bytes + v->at) == 0;
}

/* How many records were copied and not looked at. */
static uint32_t
sieve_has(const struct sieve *v)
{
	return (uint32_t)((v->have - v->at) / plain_size(v->strands->form));
}

/*
 * Makes sure of the records up to the border, where a batch ends, as a gap ends one.  False
 * when the stretch ends first: its last batch is left to the next one, unless all ends there.
 */
static bool
sieve_batch(struct sieve *v, uint32_t most)
{
	uint32_t size = plain_size(v->strands->form), count;

	while ((count = sieve_has(v)) < most && sieve_fill(v)) {
	}
	if (v->lost || count >= most || v->until == v->strands->until)
		return !v->lost && count > 0;
	for (uint32_t i = 0; i < count; i++) {
		if (get_u16(v->bytes + v->at + (size_t)i * size) == 0)
			return true;
	}
	/* The next thing may be shorter than a record. */
	return v->have - v->at - (size_t)count * size >= 2 &&
	    get_u16(v->bytes + v->at + (size_t)count * size) == 0 && count > 0;
}

/* Records up to `end`, or to a gap; returns where that was. */
static uint32_t
sieve_records(struct sieve *v, struct listing *listing, uint32_t record, uint32_t end)
{
	size_t bytes;

	if (end - record > sieve_has(v))
		end = record + sieve_has(v);
	end = slice_note(listing, v->bytes + v->at, record, end);
	bytes = (size_t)(end - record) * plain_size(v->strands->form);
	if (v->at > v->kept)
		memmove(v->bytes + v->kept, v->bytes + v->at, bytes);
	v->kept += bytes;
	v->at += bytes;
	return end;
}

/* The next slice, behind what was listed. */
static void
slice_next(struct listing *l)
{
	struct strands *s = l->strands;

	slices_reach(s, s->slice_count + 1);
	slice_begin(l, &s->slices[s->slice_count - 1]);
}

void
slices_between(struct strands *s, struct strand_scratch *scratch)
{
	struct listing listing = {.strands = s, .scratch = scratch, .between = true};
	struct sieve v = {.strands = s, .bytes = s->copy.items, .next = s->plain.offset};
	uint32_t record = 0, border = BATCH_EVENTS, most = BATCH_EVENTS, run = 0;
	bool more;

	v.until = v.next + (uint64_t)s->plain.count * plain_size(s->form);
	v.until = v.until < s->until ? v.until : s->until;
	slice_next(&listing);
	for (more = sieve_fill(&v); more;) {
		if (listing.noted > SLICE_RECORDS - BATCH_EVENTS) {
			slice_list(&listing, record, run);
			run += listing.noted;
			slice_next(&listing);
		}
		if (at_gap(&v)) {
			more = sieve_gap(&v, record);
			border = record + BATCH_EVENTS;
			most = LOOK_LEAST;
		} else if ((more = sieve_batch(&v, border - record))) {
			uint32_t end = most < border - record ? record + most : border;

			record = sieve_records(&v, &listing, record, end);
			border = record == border ? border + BATCH_EVENTS : border;
			most = most < BATCH_EVENTS ? most * 2 : most;
		}
	}
	slice_list(&listing, record, run);
	listing.slice->lost = v.lost;
	s->plain.count = record;
	s->plain.gaps = s->gaps;
	s->end.offset = v.next - (v.have - v.at);
}
