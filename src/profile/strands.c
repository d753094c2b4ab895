#include <config.h>

#include "profile/strands.h"

#include <string.h>

#include "base/mem.h"

/* Records that are copied at once, and looked at while they are in the nearest caches. */
enum { CHUNK = 16 * BATCH_EVENTS };

void
strands_begin(struct strands *s, struct source *source, struct cursor from, uint64_t records)
{
	uint32_t batches;

	if (records > UINT32_MAX / 2)
		records = UINT32_MAX / 2;
	batches = records > BATCH_EVENTS ? (uint32_t)(records / BATCH_EVENTS) : 1;
	s->source = source;
	s->form = source->plain;
	s->end = from;
	source->ops->read_plain(source, &s->end, &s->plain, batches * BATCH_EVENTS, NULL);
	s->plain.bytes = vast_resize(&s->copy, s->plain.count, plain_size(s->form));
	s->slice_records = (s->plain.count / CHUNK + SLICES_MAX) / SLICES_MAX * CHUNK;
	s->slice_count = (s->plain.count + s->slice_records - 1) / s->slice_records;
	s->all.count = 0;
	/* Each slice has room for runs of one record, which costs nothing where there are none. */
	if (s->run_room < (size_t)s->plain.count + SLICES_MAX) {
		s->run_room = (size_t)s->plain.count + SLICES_MAX;
		mem_free(s->runs);
		s->runs = mem_alloc(s->run_room * sizeof(*s->runs));
	}
}

static inline __attribute__((always_inline)) struct strand *
strand_of(struct strand_list *list, struct strand_slots *slots, uint32_t id)
{
	uint32_t *slot = &slots->of[id];

	if (*slot == 0) {
		MEM_GROW(list->items, list->room, list->count + 1);
		list->items[list->count] = (struct strand){id, RUN_NONE, RUN_NONE, 0};
		*slot = ++list->count;
	}
	return &list->items[*slot - 1];
}

static void
slots_clear(struct strand_slots *slots, const struct strand_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		slots->of[list->items[i].id] = 0;
}

/* A strand goes on with what is linked from `first` to `last`. */
static inline __attribute__((always_inline)) void
strand_extend(struct strand *strand, struct run *runs, uint32_t first, uint32_t last,
    uint32_t records)
{
	if (strand->first == RUN_NONE)
		strand->first = first;
	else
		runs[strand->last].next = first;
	strand->last = last;
	strand->records += records;
}

/*
 * Where runs begin among so many records, and behind them the end; returns how many runs.
 * Without branches, which nobody could predict: a run may end anywhere.
 */
static inline __attribute__((always_inline)) uint32_t
runs_find(const uint8_t *p, uint32_t records, uint16_t *begin, enum plain_form form)
{
	uint32_t before = plain_thread(form, p), count = 1;

	begin[0] = 0;
	for (uint32_t i = 1; i < records; i++) {
		uint32_t id = plain_thread(form, p += plain_size(form));

		begin[count] = (uint16_t)i;
		count += id != before;
		before = id;
	}
	begin[count] = (uint16_t)records;
	return count;
}

/* The runs of the records [record, end), numbered from `run` on; returns the number of the next. */
static inline __attribute__((always_inline)) uint32_t
runs_link(struct strands *s, struct strand_list *list, struct strand_slots *slots,
    uint32_t run, uint32_t record, uint32_t end, enum plain_form form)
{
	const uint8_t *p = s->plain.bytes + (size_t)record * plain_size(form);
	uint16_t begin[BATCH_EVENTS + 1];
	uint32_t count = runs_find(p, end - record, begin, form);

	for (uint32_t i = 0; i < count; i++, run++) {
		uint32_t first = begin[i];

		s->runs[run] = (struct run){record + first, RUN_NONE};
		strand_extend(
		    strand_of(list, slots, plain_thread(form, p + (size_t)first * plain_size(form))),
		    s->runs, run, run, begin[i + 1] - first);
	}
	s->runs[run] = (struct run){end, RUN_NONE};
	return run;
}

/* One copy of the loop for each form. */
#define LINKER(form)                                                                       \
	static uint32_t link_##form(struct strands *s, struct strand_list *list,               \
	    struct strand_slots *slots, uint32_t run, uint32_t record, uint32_t end)       \
	{                                                                                  \
		return runs_link(s, list, slots, run, record, end, form);                         \
	}

LINKER(PLAIN_9_CPU)
LINKER(PLAIN_10_CPU)
LINKER(PLAIN_14)

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
	/* Threads stand at the same place whatever clock there is. */
	static uint32_t (*const linker[])(struct strands *, struct strand_list *,
	    struct strand_slots *, uint32_t, uint32_t, uint32_t) = {
	    [PLAIN_9_CPU] = link_PLAIN_9_CPU,
	    [PLAIN_9_WALL] = link_PLAIN_9_CPU,
	    [PLAIN_10_CPU] = link_PLAIN_10_CPU,
	    [PLAIN_10_WALL] = link_PLAIN_10_CPU,
	    [PLAIN_14] = link_PLAIN_14,
	    [PLAIN_14_CPU] = link_PLAIN_14,
	    [PLAIN_14_WALL] = link_PLAIN_14,
	};
	struct strand_list *list = &s->slices[slice];
	uint32_t record = slice * s->slice_records, run = record + slice;
	uint32_t end = s->plain.count - record < s->slice_records ? s->plain.count
								  : record + s->slice_records;

	list->count = 0;
	list->lost = false;
	while (record < end) {
		uint32_t chunk = end - record < CHUNK ? end : record + CHUNK;

		list->lost |= !records_copy(s, record, chunk);
		for (uint32_t stop; record < chunk; record = stop) {
			/* A run ends with its batch, so that parts of the trace may begin there. */
			stop = chunk - record < BATCH_EVENTS ? chunk : record + BATCH_EVENTS;
			run = linker[s->form](s, list, slots, run, record, stop);
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
	return !lost;
}

void
strands_release(struct strands *s)
{
	for (unsigned i = 0; i < SLICES_MAX; i++)
		mem_free(s->slices[i].items);
	mem_free(s->all.items);
	mem_free(s->runs);
	vast_release(&s->copy);
	*s = (struct strands){0};
}
