/* The runs of a slice's records, found and listed by thread. */
#include <config.h>

#include "base/mem.h"
#include "profile/strands-slice.h"

void
slice_begin(struct listing *l, struct slice *slice)
{
	slice->count = 0;
	slice->lost = false;
	l->slice = slice;
	l->noted = 0;
}

static inline __attribute__((always_inline)) uint32_t
piece_of(struct slice *slice, struct strand_scratch *scratch, uint32_t id)
{
	uint32_t *slot = &scratch->slots[id];

	if (__builtin_expect(*slot == 0, 0)) {
		MEM_GROW(slice->pieces, slice->room, slice->count + 1);
		slice->pieces[slice->count] = (struct piece){.id = id};
		*slot = ++slice->count;
	}
	return *slot - 1;
}

/* Has a record another thread than the one before it? */
static inline __attribute__((always_inline)) unsigned
thread_changes(const uint8_t *p, const uint8_t *before, enum plain_form form)
{
	return plain_thread(form, p) != plain_thread(form, before);
}

/* Which of eight records have: a bit for each.  Written out, as a loop takes a third longer. */
static inline __attribute__((always_inline)) uint64_t
eight_change(const uint8_t *p, const uint8_t *before, enum plain_form form)
{
	const uint32_t size = plain_size(form);

	return thread_changes(p, before, form) | thread_changes(p + size, p, form) << 1 |
	    thread_changes(p + 2 * size, p + size, form) << 2 |
	    thread_changes(p + 3 * size, p + 2 * size, form) << 3 |
	    thread_changes(p + 4 * size, p + 3 * size, form) << 4 |
	    thread_changes(p + 5 * size, p + 4 * size, form) << 5 |
	    thread_changes(p + 6 * size, p + 5 * size, form) << 6 |
	    thread_changes(p + 7 * size, p + 6 * size, form) << 7;
}

/* Which of up to 64. */
static inline __attribute__((always_inline)) uint64_t
word_changes(const uint8_t *p, const uint8_t *before, uint32_t records, enum plain_form form)
{
	const size_t size = plain_size(form);
	uint64_t changes = 0;
	uint32_t i;

	for (i = 0; i + 8 <= records; i += 8, before = p + (i - 1) * size)
		changes |= eight_change(p + i * size, before, form) << i;
	for (; i < records; i++, before = p + (i - 1) * size)
		changes |= (uint64_t)thread_changes(p + i * size, before, form) << i;
	return changes;
}

/* Where runs begin is found without branches, which nobody could predict: anywhere. */
static inline __attribute__((always_inline)) uint32_t
runs_note(struct listing *l, const uint8_t *p, uint32_t record, uint32_t end,
    enum plain_form form)
{
	enum { WORD = 64 };
	const size_t size = plain_size(form);
	const uint8_t *before = p;
	uint32_t noted = l->noted;

	for (uint64_t change = 1; record < end; change = 0) {
		uint32_t records = end - record < WORD ? end - record : WORD;

		change |= word_changes(p, before, records, form);
		for (; change != 0; change &= change - 1, noted++) {
			uint32_t first = (uint32_t)__builtin_ctzll(change), piece;
			uint32_t id = plain_thread(form, p + first * size);

			if (__builtin_expect(id == 0 && l->between, 0)) {
				l->noted = noted;
				return record + first;
			}
			piece = piece_of(l->slice, l->scratch, id);
			l->scratch->runs[noted].record = record + first;
			l->scratch->runs[noted].piece = piece;
			l->slice->pieces[piece].end++;
		}
		record += records;
		p += records * size;
		before = p - size;
	}
	l->noted = noted;
	return end;
}

/* One copy of the loop for each form. */
#define NOTER(form)                                                                        \
	static uint32_t note_##form(struct listing *l, const uint8_t *p, uint32_t record,  \
	    uint32_t end)                                                                  \
	{                                                                                  \
		return runs_note(l, p, record, end, form);                                 \
	}

NOTER(PLAIN_9_CPU)
NOTER(PLAIN_10_CPU)
NOTER(PLAIN_14)

uint32_t
slice_note(struct listing *l, const uint8_t *p, uint32_t record, uint32_t end)
{
	/* Threads stand at the same place whatever clock there is. */
	static uint32_t (*const noter[])(struct listing *, const uint8_t *, uint32_t,
	    uint32_t) = {
	    [PLAIN_9_CPU] = note_PLAIN_9_CPU,
	    [PLAIN_9_WALL] = note_PLAIN_9_CPU,
	    [PLAIN_10_CPU] = note_PLAIN_10_CPU,
	    [PLAIN_10_WALL] = note_PLAIN_10_CPU,
	    [PLAIN_14] = note_PLAIN_14,
	    [PLAIN_14_CPU] = note_PLAIN_14,
	    [PLAIN_14_WALL] = note_PLAIN_14,
	};

	return noter[l->strands->form](l, p, record, end);
}

/* Of a piece `end` was how many runs it has; now where they end so far. */
static void
pieces_place(struct slice *slice, uint32_t run)
{
	for (uint32_t i = 0; i < slice->count; i++) {
		struct piece *piece = &slice->pieces[i];
		uint32_t runs = piece->end;

		piece->run = piece->end = run;
		run += runs;
	}
}

void
slice_list(struct listing *l, uint32_t end, uint32_t run)
{
	struct slice *slice = l->slice;
	struct strand_scratch *scratch = l->scratch;

	scratch->runs[l->noted].record = end;
	pieces_place(slice, run);
	for (uint32_t i = 0; i < l->noted; i++) {
		struct piece *piece = &slice->pieces[scratch->runs[i].piece];
		struct run at = {scratch->runs[i].record, scratch->runs[i + 1].record};

		l->strands->runs[piece->end++] = at;
		piece->records += at.end - at.record;
	}
	for (uint32_t i = 0; i < slice->count; i++)
		scratch->slots[slice->pieces[i].id] = 0;
}
