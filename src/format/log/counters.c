// SPDX-License-Identifier: Apache-2.0
/*
 * counters: values that programs and the kernel set.  A counter is found by its process and name.
 *
 * The kernel tells a process by one of its threads.  While the process of that is not known, the
 * counter is the thread's; at the end it becomes the process's.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/reader.h"

/* A counter of a thread; other keys are ids of processes, and LOGLINE_NOBODY. */
#define OF_THREAD(row) (UINT64_C(1) << 62 | (row))

/* Finds a counter or adds it; NULL when there are too many.  Copies the name of a new one. */
static struct log_counter *
counter_of(struct reader *r, struct str name, uint64_t key, uint32_t *index)
{
	struct log_counter *c;

	*index = intern_find(&r->counters, name, key);
	if (*index != IDMAP_NONE)
		return *index < r->log->counters.count ? seg_at(&r->log->counters, *index) : NULL;
	c = seg_reserve(&r->log->counters);
	if (c == NULL)
		return NULL;
	name = trace_copy(r->trace, name);
	*index = intern_add(&r->counters, name, key);
	*c = (struct log_counter){.name = name.n > 0 ? name : STR("(unnamed)")};
	if (key < LOGLINE_NOBODY)
		c->process = process_of(r, (uint32_t)key);
	else if (key >= OF_THREAD(0))
		c->thread = 1 + (uint32_t)key;
	seg_commit(&r->log->counters);
	return c;
}

/* Counts a value among those of its counter. */
static void
value_note(struct log_counter *c, double value)
{
	if (c->count++ == 0)
		c->first = c->min = c->max = value;
	c->last = value;
	c->min = value < c->min ? value : c->min;
	c->max = value > c->max ? value : c->max;
}

static struct log_counter *
value_add(struct reader *r, struct str name, uint64_t key, double value, nsec at)
{
	uint32_t index;
	struct log_counter *c = counter_of(r, name, key, &index);
	struct log_sample *sample;

	if (c == NULL)
		return NULL;
	value_note(c, value);
	sample = spool_add(&r->log->samples, &r->source.failed);
	if (sample != NULL)
		*sample = (struct log_sample){at, value, index};
	return c;
}

void
counter_put(struct reader *r, struct str name, uint64_t key, enum log_unit unit, double value,
    nsec at)
{
	struct log_counter *c = value_add(r, name, key, value, at);

	if (c != NULL)
		c->unit = (uint8_t)unit;
}

void
counter_take(struct reader *r, const struct marker *m, nsec at)
{
	struct log_counter *c = value_add(r, m->name, m->pid, (double)m->value + m->real, at);

	if (c != NULL && c->count == 1)
		c->category = m->category;
}

/* The kernel ------------------------------------------------------------------------ */

/* The key of a thread's process, or of the thread while its process is not known. */
static uint64_t
key_of_row(const struct reader *r, uint32_t row)
{
	uint32_t process = r->rows[row].thread.process;

	return process != 0 ? ((struct log_process *)seg_at(&r->log->processes, process - 1))->pid
			    : OF_THREAD(row);
}

/*
 * The thread whose process has the memory; SCHED_NONE: not known.  A thread that changes its own
 * is remembered with the memory's mm_id.
 */
static uint32_t
memory_owner(struct reader *r, const struct kernel_values *v, uint32_t writer)
{
	const uint32_t both = 1u << KERNEL_PLACE | 1u << KERNEL_CURRENT;
	uint64_t id = (uint64_t)v->number[KERNEL_PLACE];
	uint32_t row;

	if ((v->told & both) != both)
		return writer;
	id -= id == UINT64_MAX; /* idmap has one key less */
	if (v->number[KERNEL_CURRENT] != 0) {
		idmap_put(&r->memories, id, writer == SCHED_NONE ? IDMAP_NONE : writer);
		return writer;
	}
	row = idmap_get(&r->memories, id);
	return row == IDMAP_NONE || r->rows[row].freed ? SCHED_NONE : row;
}

static void
memory_take(struct reader *r, const struct kernel_values *v, uint32_t writer, nsec at)
{
	struct log_summary *s = &r->log->summary;
	uint32_t row = memory_owner(r, v, writer);

	if (v->number[KERNEL_VALUE] < 0)
		s->negative++;
	else if (row == SCHED_NONE)
		s->ownerless++;
	else
		counter_put(r, kernel_memory(v->number[KERNEL_MEMBER]), key_of_row(r, row),
		    LOG_UNIT_BYTES, (double)v->number[KERNEL_VALUE], at);
}

/* The name of a counter: with what the event is about, if it is of one of several. */
static struct str
name_make(struct reader *r, const struct kernel_counter *of, const struct kernel_values *v)
{
	bool numbered = of->scope == SCOPE_GPU && v->number[KERNEL_PLACE] != 0;

	return kernel_text(&r->text, numbered ? "gpufreq gpu %u" : of->name, v);
}

void
values_take(struct reader *r, const struct kernel_values *v, uint32_t writer, nsec at)
{
	int64_t place = v->number[KERNEL_PLACE];

	if (v->event->does == KERNEL_RSS) {
		memory_take(r, v, writer, at);
		return;
	}
	if (place < 0 || place >= LOGLINE_NOBODY) {
		record_broken(r);
		return;
	}
	for (int i = 0; i < KERNEL_COUNTERS && v->event->counters[i].name != NULL; i++) {
		const struct kernel_counter *of = &v->event->counters[i];
		double value = (double)v->number[of->value];
		uint64_t key = LOGLINE_NOBODY;

		if (of->scope == SCOPE_WRITER && writer == SCHED_NONE) {
			r->log->summary.ownerless++;
			continue;
		}
		if (of->scope == SCOPE_WRITER)
			key = key_of_row(r, writer);
		else if (of->scope == SCOPE_PID && place > 0)
			key = (uint64_t)place;
		counter_put(r, name_make(r, of, v), key, of->unit,
		    of->divide > 1 ? value / (double)of->divide : value, at);
	}
}

/* The end --------------------------------------------------------------------------- */

/* Counts the samples of counters that became another one as that one's. */
static void
counters_join(struct reader *r, const uint32_t *now)
{
	struct log *log = r->log;

	for (uint32_t i = 0; i < log->counters.count; i++) {
		if (now[i] != i)
			((struct log_counter *)seg_at(&log->counters, i))->count =
			    ((struct log_counter *)seg_at(&log->counters, now[i]))->count = 0;
	}
	for (uint64_t n = 0; n < log->samples.count; n++) {
		/* Nothing reads them yet: the log is not whole. */
		struct log_sample *s = (struct log_sample *)(uintptr_t)spool_peek(&log->samples, n);
		struct log_counter *c = seg_at(&log->counters, now[s->counter]);

		s->counter = now[s->counter];
		if (c->joined)
			value_note(c, s->value);
	}
}

void
counters_settle(struct reader *r)
{
	uint32_t count = r->log->counters.count, firsts_count = 0;
	uint32_t *now = mem_alloc(((size_t)count + 1) * sizeof(*now));
	uint32_t *firsts = mem_alloc(((size_t)count + 1) * sizeof(*firsts));
	struct intern settled = {0}; /* process and name of threads' counters -> firsts */
	bool joined = false;

	for (uint32_t i = 0; i < count; i++) /* of a reading before */
		((struct log_counter *)seg_at(&r->log->counters, i))->joined = false;
	for (uint32_t i = 0; i < count; i++) {
		struct log_counter *c = seg_at(&r->log->counters, i);
		uint32_t other, first;
		uint64_t key;

		now[i] = i;
		if (c->thread == 0 || c->count == 0)
			continue;
		c->process = r->rows[c->thread - 1].thread.process;
		key = key_of_row(r, c->thread - 1);
		other = intern_find(&r->counters, c->name, key);
		if (other >= count) {
			first = intern_add(&settled, c->name, key);
			if (first == firsts_count)
				firsts[firsts_count++] = i;
			other = firsts[first];
		}
		if (other == i)
			continue;
		now[i] = other;
		((struct log_counter *)seg_at(&r->log->counters, other))->joined = joined = true;
	}
	if (joined)
		counters_join(r, now);
	/* Samples that were joined are not taken apart: this is the last end. */
	r->mark.taken &= !joined;
	intern_release(&settled);
	mem_free(firsts);
	mem_free(now);
}
