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
strands_begin(struct strands *s, struct source *source, struct cursor from, uint64_t until,
    uint64_t records)
{
	uint32_t most = records_fit(source, until - from.offset, records);

	s->source = source;
	s->form = source->plain;
	s->end = from;
	s->until = until;
	if (source->ops->between != NULL) {
		s->plain = (struct plain){.offset = from.offset, .count = most};
		s->slice_records = most;
	} else {
		source->ops->read_plain(source, &s->end, &s->plain, most, NULL);
		s->slice_records = (s->plain.count / CHUNK + SLICES_MAX) / SLICES_MAX * CHUNK;
	}
	s->plain.bytes = vast_resize(&s->copy, s->plain.count, plain_size(s->form));
	s->slice_count = (s->plain.count + s->slice_records - 1) / s->slice_records;
	s->all.count = 0;
	/* Each slice has room for runs of one record, which costs nothing where there are none. */
	if (s->run_room < (size_t)s->plain.count + SLICES_MAX) {
		s->run_room = (size_t)s->plain.count + SLICES_MAX;
		mem_free(s->runs);
		s->runs = mem_alloc(s->run_room * sizeof(*s->runs));
	}
}

/* Copies records to their place in the stretch; zeros where the file has none. */
static bool
records_copy(struct strands *s, uint32_t record, uint32_t end)
{
	const size_t size = plain_size(s->form), bytes = (size_t)(end - record) * size;
	uint8_t *to = (uint8_t *)s->copy.items + record * size;

	if (s->source->ops->copy(s->source, s->plain.offset + record * size, bytes, to))
		return true;
	memset(to, 0, bytes);
	return false;
}

void
strands_slice(struct strands *s, unsigned slice, struct strand_slots *slots)
{
	struct strand_list *list = &s->slices[slice];
	uint32_t record = slice * s->slice_records;
	uint32_t end = s->plain.count - record < s->slice_records ? s->plain.count
								  : record + s->slice_records;
	struct linker linker = {s->runs, list, slots, record + slice, false};

	list->count = 0;
	list->lost = false;
	if (s->source->ops->between != NULL) {
		slice_between(s, list, slots);
		return;
	}
	while (record < end) {
		uint32_t chunk = end - record < CHUNK ? end : record + CHUNK;

		list->lost |= !records_copy(s, record, chunk);
		for (uint32_t stop; record < chunk; record = stop) {
			/* A run ends with its batch, so that parts of the trace may begin there. */
			stop = chunk - record < BATCH_EVENTS ? chunk : record + BATCH_EVENTS;
			slice_link(&linker, s->form,
			    s->plain.bytes + (size_t)record * plain_size(s->form), record, stop);
		}
	}
	slots_clear(slots, list);
}

bool
strands_tie(struct strands *s, struct strand_slots *slots)
{
	bool lost = false;

	for (unsigned i = 0; i < s->slice_count; i++) {
		const struct strand_list *list = &s->slices[i];

		lost |= list->lost;
		for (uint32_t k = 0; k < list->count; k++) {
			const struct strand *more = &list->items[k];

			strand_extend(strand_of(&s->all, slots, more->id), s->runs, more->first,
			    more->last, more->records);
		}
	}
	slots_clear(slots, &s->all);
	return !lost && s->end.offset > s->plain.offset;
}

void
strands_release(struct strands *s)
{
	for (unsigned i = 0; i < SLICES_MAX; i++)
		mem_free(s->slices[i].items);
	mem_free(s->all.items);
	mem_free(s->runs);
	mem_free(s->gaps);
	vast_release(&s->copy);
	*s = (struct strands){0};
}
