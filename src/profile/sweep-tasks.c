/* What the workers of a sweep are to do with the stretch at hand. */
#include <config.h>

#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/sweep-state.h"

/* The names before a record, from a gap on; returns the gap behind that. */
static uint32_t
names_take(struct sweep *sweep, uint32_t gap, uint32_t record)
{
	struct profile *p = sweep->profile;
	struct source *s = p->trace->source;
	const struct plain *plain = &sweep->comb.now->plain;

	for (; gap < plain->gap_count && plain->gaps[gap].record <= record; gap++) {
		const struct plain_gap *g = &plain->gaps[gap];
		uint64_t before = gap > 0 ? g[-1].bytes : 0;
		uint64_t from = plain->offset + (uint64_t)g->record * plain_size(sweep->comb.now->form);

		s->ops->names(s, from + before, from + g->bytes, &p->damage);
	}
	return gap;
}

/* Threads get their rows in the order of the records, and of the names between them. */
void
sweep_tasks(struct sweep *sweep)
{
	struct profile *p = sweep->profile;
	struct source *s = p->trace->source;
	const struct strands *now = sweep->comb.now;
	struct tasks *t = &sweep->comb.tasks;
	uint32_t gap = 0;

	MEM_GROW(t->items, t->room, now->count);
	t->count = now->count;
	for (uint32_t i = 0; i < now->count; i++) {
		const struct strand *strand = &now->all[i];
		uint32_t record = strand_record(now, strand), thread;

		gap = names_take(sweep, gap, record);
		thread = idmap_get(&p->trace->thread_ids, strand->id);
		if (thread == IDMAP_NONE)
			thread = s->ops->thread_unknown(s, strand->id, strand->records, &p->damage,
			    plain_offset(&now->plain, now->form, record));
		t->items[i] = (struct task){thread, strand, false};
	}
	names_take(sweep, gap, UINT32_MAX);
	profile_lanes_extend(p, trace_thread_count(p->trace));
	for (uint32_t i = 0; i < now->count; i++)
		t->items[i].started = p->lanes[t->items[i].thread].started;
	tasks_order(t);
}

/*
 * The record of the stretch at hand where the next checkpoint is due: where a batch begins
 * when the records are read, as at each gap.  `gap`: the first behind that, to begin with 0.
 */
static uint32_t
mark_next(const struct profile *p, const struct plain *plain, uint32_t *gap)
{
	uint64_t due = p->checkpoint_next > p->records ? p->checkpoint_next - p->records : 0;
	uint64_t begin, record;

	while (*gap < plain->gap_count && plain->gaps[*gap].record <= due)
		++*gap;
	begin = *gap > 0 ? plain->gaps[*gap - 1].record : 0;
	record = begin + (due - begin + BATCH_EVENTS - 1) / BATCH_EVENTS * BATCH_EVENTS;
	if (*gap < plain->gap_count && plain->gaps[*gap].record < record)
		record = plain->gaps[*gap].record;
	return record < plain->count ? (uint32_t)record : plain->count;
}

/* The checkpoints among the stretch's records, with all threads that have none of these. */
void
sweep_marks(struct sweep *sweep)
{
	struct profile *p = sweep->profile;
	const struct plain *plain = &sweep->comb.now->plain;
	uint8_t *busy = mem_zero(p->lane_count, 1);
	uint32_t record, gap = 0;

	for (uint32_t i = 0; i < sweep->comb.tasks.count; i++)
		busy[sweep->comb.tasks.items[i].thread] = 1;
	sweep->first_mark = p->checkpoint_count;
	for (size_t count = 1; (record = mark_next(p, plain, &gap)) < plain->count; count++) {
		struct cursor at = p->at;
		const struct checkpoint *c;

		MEM_GROW(sweep->marks, sweep->mark_room, count);
		sweep->marks[count - 1] = record;
		at.offset = plain_offset(plain, sweep->comb.now->form, record);
		c = checkpoint_add(p, at, p->records + record);
		for (uint32_t i = 0; i < p->lane_count; i++) {
			if (busy[i] == 0)
				checkpoint_lane(c, i, &p->lanes[i]);
		}
	}
	mem_free(busy);
}
