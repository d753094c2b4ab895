/* The runs of a slice's records, found and linked to strands. */
#include <config.h>

#include "profile/strands-slice.h"

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

static inline __attribute__((always_inline)) uint32_t
runs_link(struct linker *l, const uint8_t *p, uint32_t record, uint32_t end,
    enum plain_form form)
{
	uint16_t begin[BATCH_EVENTS + 1];
	uint32_t count = runs_find(p, end - record, begin, form), run = l->run;

	for (uint32_t i = 0; i < count; i++, run++) {
		uint32_t first = begin[i];
		uint32_t id = plain_thread(form, p + (size_t)first * plain_size(form));

		if (__builtin_expect(id == 0 && l->between, 0)) {
			end = record + first;
			break;
		}
		l->runs[run] = (struct run){record + first, RUN_NONE};
		strand_extend(strand_of(l->list, l->slots, id), l->runs, run, run,
		    begin[i + 1] - first);
	}
	l->runs[run] = (struct run){end, RUN_NONE};
	l->run = run;
	return end;
}

/* One copy of the loop for each form. */
#define LINKER(form)                                                                       \
	static uint32_t link_##form(struct linker *l, const uint8_t *p, uint32_t record,   \
	    uint32_t end)                                                                  \
	{                                                                                  \
		return runs_link(l, p, record, end, form);                                 \
	}

LINKER(PLAIN_9_CPU)
LINKER(PLAIN_10_CPU)
LINKER(PLAIN_14)

uint32_t
slice_link(struct linker *l, enum plain_form form, const uint8_t *p, uint32_t record,
    uint32_t end)
{
	/* Threads stand at the same place whatever clock there is. */
	static uint32_t (*const linker[])(struct linker *, const uint8_t *, uint32_t,
	    uint32_t) = {
	    [PLAIN_9_CPU] = link_PLAIN_9_CPU,
	    [PLAIN_9_WALL] = link_PLAIN_9_CPU,
	    [PLAIN_10_CPU] = link_PLAIN_10_CPU,
	    [PLAIN_10_WALL] = link_PLAIN_10_CPU,
	    [PLAIN_14] = link_PLAIN_14,
	    [PLAIN_14_CPU] = link_PLAIN_14,
	    [PLAIN_14_WALL] = link_PLAIN_14,
	};

	return linker[form](l, p, record, end);
}
