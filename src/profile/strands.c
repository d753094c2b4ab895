#include <config.h>

#include "profile/strands.h"

#include <string.h>

#include "base/mem.h"
#include "profile/strands-slice.h"

/* At most, in whole batches unless it is all. */
static uint32_t
records_fit(const struct source *source, uint64_t bytes, uint64_t records)
{
	uint32_t size = plain_size(source->plain);
	uint64_t there = (bytes + (source->ops->between != NULL ? size - 1 : 0)) / size;

	if (records > UINT32_MAX / 2)
		records = UINT32_MAX / 2;
	records = records > BATCH_EVENTS ? records / BATCH_EVENTS * BATCH_EVENTS : BATCH_EVENTS;
	return (uint32_t)(there < records ? there : records);
}

void
slices_reach(struct strands *s, unsigned count)
{
	size_t room = s->slice_room;

	MEM_GROW(s->slices, s->slice_room, count);
	if (s->slice_room > room)
		memset(s->slices + room, 0, (s->slice_room - room) * sizeof(*s->slices));
	s->slice_count = count;
}

void
strands_begin(struct strands *s, struct source *source, struct cursor from, uint64_t until,
    uint64_t records)
{
	uint32_t most = records_fit(source, until - from.offset, records);
	size_t runs = (size_t)most + RUNS_AHEAD;

	s->source = source;
	s->form = source->plain;
	s->end = from;
	s->until = until;
	s->count = s->piece_count = 0;
	if (source->ops->between != NULL) {
		s->plain = (struct plain){.offset = from.offset, .count = most};
		s->plain.bytes = vast_resize(&s->copy, most, plain_size(s->form));
		s->slice_count = 0;
		s->share_count = 1;
	} else {
		source->ops->read_plain(source, &s->end, &s->plain, most, NULL);
		slices_reach(s, (s->plain.count + SLICE_RECORDS - 1) / SLICE_RECORDS);
		s->share_count = s->slice_count;
	}
	/* There is room for runs of one record; what is not needed is not touched. */
	if (s->run_room < runs) {
		s->run_room = runs;
		mem_free(s->runs);
		s->runs = mem_zero(runs, sizeof(*s->runs));
	}
}

/* Has the file less than up to an offset by now? */
static bool
file_lost(const struct strands *s, uint64_t offset)
{
	return s->source->ops->left != NULL && s->source->ops->left(s->source, true) < offset;
}

static void
slice_take(struct strands *s, unsigned number, struct strand_scratch *scratch)
{
	const size_t size = plain_size(s->form);
	const uint32_t begin = number * SLICE_RECORDS;
	const uint32_t end = s->plain.count - begin < SLICE_RECORDS ? s->plain.count
								    : begin + SLICE_RECORDS;
	struct listing listing = {.strands = s, .scratch = scratch};

	slice_begin(&listing, &s->slices[number]);
	for (uint32_t record = begin, stop; record < end; record = stop) {
		/* A run ends with its batch, so that parts of the trace may begin there. */
		stop = end - record < BATCH_EVENTS ? end : record + BATCH_EVENTS;
		slice_note(&listing, s->plain.bytes + record * size, record, stop);
	}
	slice_list(&listing, end, begin);
	listing.slice->lost = file_lost(s, s->plain.offset + end * size);
}

void
strands_share(struct strands *s, unsigned share, struct strand_scratch *scratch)
{
	if (s->source->ops->between != NULL)
		slices_between(s, scratch);
	else
		slice_take(s, share, scratch);
}

static struct strand *
strand_of(struct strands *s, struct strand_scratch *scratch, uint32_t id)
{
	uint32_t *slot = &scratch->slots[id];

	if (*slot == 0) {
		MEM_GROW(s->all, s->room, s->count + 1);
		s->all[s->count] = (struct strand){id, PIECE_NONE, PIECE_NONE, 0};
		*slot = ++s->count;
	}
	return &s->all[*slot - 1];
}

bool
strands_tie(struct strands *s, struct strand_scratch *scratch)
{
	bool lost = false;

	for (unsigned i = 0; i < s->slice_count; i++) {
		const struct slice *slice = &s->slices[i];

		lost |= slice->lost;
		MEM_GROW(s->pieces, s->piece_room, s->piece_count + slice->count);
		for (uint32_t k = 0; k < slice->count; k++) {
			struct strand *strand = strand_of(s, scratch, slice->pieces[k].id);
			uint32_t piece = s->piece_count++;

			s->pieces[piece] = slice->pieces[k];
			s->pieces[piece].next = PIECE_NONE;
			if (strand->first == PIECE_NONE)
				strand->first = piece;
			else
				s->pieces[strand->last].next = piece;
			strand->last = piece;
			strand->records += slice->pieces[k].records;
		}
	}
	for (uint32_t i = 0; i < s->count; i++)
		scratch->slots[s->all[i].id] = 0;
	return !lost && s->end.offset > s->plain.offset;
}

bool
strands_torn(const struct strands *s)
{
	return s->source->ops->between == NULL && file_lost(s, s->end.offset);
}

uint32_t
strand_record(const struct strands *s, const struct strand *strand)
{
	return s->runs[s->pieces[strand->first].run].record;
}

void
strands_release(struct strands *s)
{
	for (size_t i = 0; i < s->slice_room; i++)
		mem_free(s->slices[i].pieces);
	mem_free(s->slices);
	mem_free(s->pieces);
	mem_free(s->all);
	mem_free(s->runs);
	mem_free(s->gaps);
	vast_release(&s->copy);
	*s = (struct strands){0};
}

/* Runs ------------------------------------------------------------------------------ */

void
runs_begin(struct runs *r, const struct strands *s, const struct strand *strand)
{
	const struct run *first = s->runs + s->pieces[strand->first].run;

	*r = (struct runs){s, first, first, strand->first, 0};
}

/* The first of the runs [run, end) that does not begin before a record; `end` for none. */
static const struct run *
run_not_before(const struct run *run, const struct run *end, uint32_t record)
{
	while (run < end) {
		const struct run *middle = run + (end - run) / 2;

		if (middle->record < record)
			run = middle + 1;
		else
			end = middle;
	}
	return run;
}

/* The runs up to `until`, of those that the piece at hand still has. */
static void
runs_stop(struct runs *r)
{
	const struct strands *s = r->strands;
	const struct run *end = s->runs + s->pieces[r->piece].end;

	/* Mostly all, which is known without looking at them. */
	r->stop = r->until == s->plain.count ? end : run_not_before(r->now, end, r->until);
}

void
runs_until(struct runs *r, uint32_t record)
{
	r->until = record;
	if (r->piece != PIECE_NONE)
		runs_stop(r);
}

uint32_t
runs_record(const struct runs *r)
{
	const struct strands *s = r->strands;
	uint32_t piece = r->piece;

	if (piece == PIECE_NONE)
		return RECORD_NONE;
	if (r->now != s->runs + s->pieces[piece].end)
		return r->now->record;
	piece = s->pieces[piece].next;
	return piece != PIECE_NONE ? s->runs[s->pieces[piece].run].record : RECORD_NONE;
}

/* What comes at the beginning of a piece is needed soon. */
static void
piece_fetch(const struct strands *s, uint32_t piece)
{
	const struct run *run = s->runs + s->pieces[piece].run;

	for (int i = 0; i < RUNS_AHEAD; i++)
		run_fetch(s->plain.bytes + (size_t)run[i].record * plain_size(s->form));
}

bool
runs_piece(struct runs *r)
{
	const struct strands *s = r->strands;
	uint32_t next;

	if (r->piece == PIECE_NONE || r->now != s->runs + s->pieces[r->piece].end)
		return false;
	r->piece = s->pieces[r->piece].next;
	if (r->piece == PIECE_NONE)
		return false;
	r->now = s->runs + s->pieces[r->piece].run;
	runs_stop(r);
	next = s->pieces[r->piece].next;
	if (next != PIECE_NONE)
		piece_fetch(s, next);
	return r->now != r->stop;
}
