// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/index/overview.h"

#include "base/mem.h"
#include "profile/index/blocks.h"
#include "profile/load/partition.h"
#include "profile/load/scope.h"
#include "profile/load/walk.h"
#include "profile/timeline/cells.h"

enum {
	BUCKETS = 262144,                 /* to begin with, when the length is known */
	CHUNK_MOST = 1 << 18,             /* records: some milliseconds */
	CHUNK_LEAST = 16 * BATCH_EVENTS,
};

#define BUCKET_MIN ((nsec)1000) /* narrower ones are never drawn from here */
#define WIDTH_MAX  ((nsec)1 << 29) /* the raster must not overflow */

/* `count` equal buckets from `start` on.  Parts are of a bucket. */
struct span {
	uint32_t start, count;
	uint32_t method;
	struct blend blend;
};

struct stack_spans {
	struct overview *overview;
	struct cell_row cell_row;
	struct span *spans;
	size_t count, room;
};

struct overview {
	const struct profile *profile;
	bool begun;
	struct raster raster;
	nsec width;
	struct stack_spans **spans; /* by thread; NULL: nothing of it yet */
	uint32_t stack_count;
	size_t stack_room;
	atomic_size_t bytes; /* of spans */
	size_t bytes_max;
	struct cursor at; /* of what is taken in next */
	uint64_t records; /* before that */
	struct stack *stacks; /* their states there */
	uint32_t known;      /* how many there are */
	size_t known_room;
	/* Threads have spans of their own; workers take one after another. */
	bool filling; /* not when all was taken in, or nothing yet */
	struct partition partition;
	struct onstack *onstacks; /* by worker */
};

static void
grid_set(struct overview *o, nsec width)
{
	/* Far more columns than can be: the raster has no end that times could cross. */
	o->width = width;
	o->raster.columns = UINT32_MAX - 1;
	o->raster.to = o->raster.from + width * (nsec)o->raster.columns;
}

struct overview *
overview_new(const struct profile *p, size_t bytes)
{
	struct overview *o = mem_zero(1, sizeof(*o));
	nsec length = p->trace->elapsed > 0 ? p->trace->elapsed : p->trace->expected;
	nsec width = (length > p->end ? length : p->end) / BUCKETS;

	o->profile = p;
	o->bytes_max = bytes;
	o->raster.from = 0;
	grid_set(o, width < BUCKET_MIN ? BUCKET_MIN : width > WIDTH_MAX ? WIDTH_MAX : width);
	return o;
}

static void
filling_end(struct overview *o)
{
	if (!o->filling)
		return;
	for (unsigned i = 0; i < o->partition.count; i++)
		onstack_release(&o->onstacks[i]);
	partition_release(&o->partition);
	mem_free(o->onstacks);
	o->filling = false;
}

/* Everything that was taken in. */
static void
taken_release(struct overview *o)
{
	filling_end(o);
	for (uint32_t i = 0; i < o->stack_count; i++) {
		if (o->spans[i] == NULL)
			continue;
		cell_row_release(&o->spans[i]->cell_row);
		mem_free(o->spans[i]->spans);
		mem_free(o->spans[i]);
	}
	mem_free(o->stacks);
	o->stacks = NULL;
	o->begun = false;
	o->stack_count = o->known = 0;
	o->known_room = 0;
	o->bytes = 0;
}

void
overview_free(struct overview *o)
{
	if (o == NULL)
		return;
	taken_release(o);
	mem_free(o->spans);
	mem_free(o);
}

static uint16_t
share_of(nsec part, nsec width)
{
	return part >= width ? BLEND_FULL
			     : (uint16_t)((double)part / (double)width * BLEND_FULL);
}

static void
span_append(struct stack_spans *l, struct span span)
{
	struct span *last = l->count > 0 ? &l->spans[l->count - 1] : NULL;

	if (last != NULL && last->start + last->count == span.start &&
	    last->method == span.method && last->blend.run == span.blend.run &&
	    last->blend.busy == span.blend.busy &&
	    last->blend.asleep == span.blend.asleep) {
		last->count += span.count;
		return;
	}
	*MEM_ADD(l->spans, l->count, l->room) = span;
	atomic_fetch_add_explicit(&l->overview->bytes, sizeof(span), memory_order_relaxed);
}

static void
buckets_close(void *context, uint32_t column, uint32_t count, const struct cell_sum *sum)
{
	struct stack_spans *l = context;
	nsec width = l->overview->width;

	span_append(l, (struct span){column, count, sum->method,
			   {share_of(sum->run, width),
			       share_of(sum->busy, width), share_of(sum->asleep, width)}});
}

static void
bucket_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	buckets_close(context, column, 1, sum);
}

/* Two neighbouring buckets, either of which may be empty, as one of double width. */
static struct span
bucket_join(const struct span *a, const struct span *b, uint32_t start)
{
	const struct blend *x = &a->blend, *y = &b->blend;
	bool other = a->method == METHOD_NONE || y->run > x->run ||
	    (x->run == 0 && y->run == 0 && y->asleep > x->asleep);
	uint16_t run = a->method == b->method ? (uint16_t)((x->run + y->run) / 2)
	    : other			      ? y->run / 2
					      : x->run / 2;

	return (struct span){start, 1, other ? b->method : a->method,
	    {run, (uint16_t)((x->busy + y->busy) / 2),
		(uint16_t)((x->asleep + y->asleep) / 2)}};
}

/* Rewrites a thread's spans in place for buckets of double width. */
static void
spans_halve(struct stack_spans *l)
{
	static const struct span none = {.method = METHOD_NONE};
	struct span *old = l->spans, held = none;
	size_t old_count = l->count;

	l->spans = NULL;
	l->count = l->room = 0;
	for (size_t i = 0; i < old_count; i++) {
		struct span s = old[i];

		if (held.method != METHOD_NONE) {
			/* The first half of a pair waits; its other half is this or empty. */
			bool other = s.start == held.start + 1;

			span_append(l, bucket_join(&held, other ? &s : &none, held.start / 2));
			held = none;
			if (other) {
				s.start++;
				s.count--;
			}
		}
		if (s.count > 0 && s.start % 2 == 1) {
			span_append(l, bucket_join(&none, &s, s.start / 2));
			s.start++;
			s.count--;
		}
		if (s.count > 1) {
			struct span pairs = s;

			pairs.start /= 2;
			pairs.count /= 2;
			span_append(l, pairs);
		}
		if (s.count % 2 == 1) {
			held = s;
			held.start += s.count - 1;
			held.count = 1;
		}
	}
	if (held.method != METHOD_NONE)
		span_append(l, bucket_join(&held, &none, held.start / 2));
	mem_free(old);
}

static void
cell_rows_flush(struct overview *o)
{
	for (uint32_t i = 0; i < o->stack_count; i++) {
		if (o->spans[i] != NULL)
			cell_row_flush(&o->spans[i]->cell_row);
	}
}

static void
overview_halve(struct overview *o)
{
	cell_rows_flush(o);
	o->bytes = 0;
	for (uint32_t i = 0; i < o->stack_count; i++) {
		if (o->spans[i] != NULL)
			spans_halve(o->spans[i]);
	}
	grid_set(o, o->width * 2);
	for (uint32_t i = 0; i < o->stack_count; i++) {
		struct cell_row *cell_row = o->spans[i] != NULL ? &o->spans[i]->cell_row : NULL;

		if (cell_row == NULL)
			continue;
		cell_row_even(cell_row, o->width, buckets_close);
		cell_row_reopen(cell_row, cell_row->column / 2);
	}
}

/* A thread has spans from now on. */
static void
overview_stack(struct overview *o, uint32_t thread)
{
	struct stack_spans *l;

	MEM_GROW(o->spans, o->stack_room, (size_t)thread + 1);
	for (; o->stack_count <= thread; o->stack_count++)
		o->spans[o->stack_count] = NULL;
	l = o->spans[thread];
	if (l == NULL) {
		l = o->spans[thread] = mem_zero(1, sizeof(*l));
		l->overview = o;
		cell_row_init(&l->cell_row, o->profile->trace, &o->raster, bucket_close, l);
		cell_row_even(&l->cell_row, o->width, buckets_close);
	}
}

/* Filling ---------------------------------------------------------------------------- */

/*
 * The runs from the next on that begin in one group of the method index.  It ends with a batch,
 * and so with a run.
 */
static void
runs_take(struct overview *o, struct walk *w, uint32_t thread, struct runs *runs)
{
	uint32_t record = runs->now->record, count = runs->chunk->count;
	uint64_t end;
	struct entered entered = blocks_entered(o->profile->blocks, o->records + record, &end);

	end -= o->records;
	if (end <= record) /* by a file that is not what it was */
		end = record + 1;
	runs_draw(runs, w, &o->stacks[thread], end < count ? (uint32_t)end : count,
	    &o->spans[thread]->cell_row, &entered);
}

static void
task_run(void *arg, unsigned worker, const struct task *task)
{
	struct overview *o = arg;
	struct walk walk = {(struct profile *)(uintptr_t)o->profile, o->stacks, NULL, false,
	    &o->onstacks[worker]};
	struct runs runs;

	runs_begin(&runs, o->partition.now, task->run);
	while (runs.now < runs.end)
		runs_take(o, &walk, task->thread, &runs);
}

/* The next part of what was loaded, of as many records as the caller asked for. */
static struct extent
extent_from(const struct overview *o, struct cursor from, uint64_t max_records)
{
	if (max_records < CHUNK_LEAST && !source_in_place(o->profile->trace->source))
		max_records = CHUNK_LEAST;
	return (struct extent){from, o->profile->at.offset,
	    max_records < CHUNK_MOST ? max_records : CHUNK_MOST};
}

static void
filling_begin(struct overview *o)
{
	static const struct partition_how how = {.task = task_run};
	const struct profile *p = o->profile;

	partition_init(&o->partition, p->trace->source, deal_workers(p, DEAL_MOST), &how, o);
	o->onstacks = mem_zero(o->partition.count, sizeof(*o->onstacks));
	o->filling = true;
}

/* Takes over threads that loading has met since. */
static void
stacks_follow(struct overview *o)
{
	const struct profile *p = o->profile;

	MEM_GROW(o->stacks, o->known_room, p->stack_count);
	for (; o->known < p->stack_count; o->known++)
		blocks_restore(p->blocks, 0, o->known, &o->stacks[o->known]);
	for (uint32_t i = 0; i < o->known; i++) {
		if (!o->stacks[i].started)
			o->stacks[i].origin = p->stacks[i].origin;
	}
}

bool
overview_advance(struct overview *o, uint64_t max_records)
{
	const struct profile *p = o->profile;
	struct partition *d = &o->partition;
	struct extent extent;

	if (!o->begun) {
		o->at = p->trace->source->first;
		o->records = 0;
		o->begun = true;
		blocks_methods_clear(p->blocks);
	}
	if (max_records == 0)
		return false;
	if (!o->filling && o->at.offset < p->at.offset)
		filling_begin(o);
	extent = extent_from(o, o->at, max_records);
	if (!o->filling || partition_take(d, &extent) != TAKEN) {
		if (p->state != LOAD_MORE) {
			/* All there is was taken in: what is still open is all there will be of it. */
			filling_end(o);
			cell_rows_flush(o);
			o->at = p->at; /* also where the file lost the rest */
		}
		return false;
	}
	stacks_follow(o);
	partition_tasks(d, p, NULL, NULL);
	for (uint32_t i = 0; i < d->tasks.count; i++)
		overview_stack(o, d->tasks.items[i].thread);
	blocks_methods_extend(p->blocks, d->now->count);
	extent = extent_from(o, d->now->end, max_records);
	partition_round(d, &extent);
	if (chunk_torn(d->now)) {
		taken_release(o); /* some of it was zeros: all again */
		return true;
	}
	source_behind(d->source, d->now->begin.offset, d->now->end.offset);
	o->at = d->now->end;
	o->records += d->now->count;
	blocks_methods_take(p->blocks, d->now->count);
	while (o->bytes > o->bytes_max && o->width < WIDTH_MAX)
		overview_halve(o);
	return true;
}

void
overview_grow(struct overview *o)
{
	/* The end's events are read again. */
	if (o->at.offset <= o->profile->at.offset)
		return;
	o->at = o->profile->at;
	o->records = o->profile->records;
	for (uint32_t i = 0; i < o->known; i++) {
		memcpy(o->stacks[i].raw, o->profile->stacks[i].raw, sizeof(o->stacks[i].raw));
		o->stacks[i].started = o->profile->stacks[i].started;
	}
	blocks_methods_back(o->profile->blocks, o->records);
}

bool
overview_whole(const struct overview *o)
{
	return o->begun && o->at.offset >= o->profile->at.offset;
}

uint64_t
overview_records(const struct overview *o)
{
	return o->begun ? o->records : 0;
}

nsec
overview_bucket(const struct overview *o)
{
	return o->width;
}

/* The first span of a thread that ends after a time. */
static size_t
span_at(const struct overview *o, const struct stack_spans *l, nsec at)
{
	uint32_t first = at > 0 ? (uint32_t)(at / o->width) : 0;
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->spans[middle].start + l->spans[middle].count <= first)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
overview_draw(const struct overview *o, uint32_t thread, const struct raster *raster,
    struct cell_row *cell_row)
{
	const struct stack_spans *l = thread < o->stack_count ? o->spans[thread] : NULL;

	if (l == NULL)
		return;
	for (size_t i = span_at(o, l, raster->from); i < l->count; i++) {
		const struct span *s = &l->spans[i];
		nsec from = (nsec)s->start * o->width, to = from + (nsec)s->count * o->width;

		if (from >= raster->to)
			break;
		cell_row_blend(cell_row, s->method, from, to, &s->blend);
	}
}
