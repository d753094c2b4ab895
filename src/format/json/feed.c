// SPDX-License-Identifier: Apache-2.0
/*
 * feed: events of a Chrome trace in order of time, as records of a log.
 *
 * Slices of a thread nest on its row; one that outlasts the slice it would be in goes to a
 * further row of the thread.
 */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "format/json/chrome.h"

enum {
	ROUNDED_NS = 1000, /* times in whole microseconds are cut off apart */
	THREAD_ROWS_MOST = 512,  /* rows of a thread */
};

/* Rows ------------------------------------------------------------------------------- */

static bool
has_only_sums(const struct chrome_thread *t)
{
	return t->sums && !t->works;
}

/* Adds a row of a thread, the number counts from 1; its index + 1, or 0. */
static uint32_t
thread_row_add(struct chrome_trace *c, const struct chrome_thread *t, uint32_t number)
{
	const struct chrome_process *p = &c->processes[t->process];
	struct thread thread = {.id = t->id, .listed = true, .name = t->name,
	    .process = process_of(&c->r, p->pid), .aside = has_only_sums(t)};
	uint32_t row;

	if (number > 1)
		thread.name = trace_print(c->r.trace, "%.*s%s(%" PRIu32 ")", STR_ARG(t->name),
		    t->name.n > 0 ? " " : "", number);
	row = row_add(&c->r, &thread);
	if (row == THREAD_NONE)
		return 0;
	*MEM_ADD(c->rows, c->row_count, c->row_room) = (struct chrome_row){.row = row};
	return (uint32_t)c->row_count;
}

/* By what the file says of processes, then of threads; then as they were met. */
static int
thread_order(const void *a, const void *b, const void *context)
{
	const struct chrome_trace *c = context;
	const struct chrome_thread *x = &c->threads[*(const uint32_t *)a],
				   *y = &c->threads[*(const uint32_t *)b];
	const struct chrome_process *p = &c->processes[x->process], *q = &c->processes[y->process];

	return order_then(ORDER(p->sort, q->sort), order_then(ORDER(p, q),
	    ORDER(x->sort, y->sort)));
}

void
chrome_rows_make(struct chrome_trace *c)
{
	uint32_t *order = mem_alloc((c->thread_count + 1) * sizeof(*order));

	for (size_t i = 0; i < c->process_count; i++) {
		struct procdump_row row = {.id = c->processes[i].pid, .tgid = c->processes[i].pid,
		    .name = c->processes[i].name};

		if (row.name.n > 0)
			procdump_put(&c->r.dump, row, true);
	}
	for (uint32_t i = 0; i < c->thread_count; i++)
		order[i] = i;
	msort_items(order, c->thread_count, sizeof(*order), thread_order, c);
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chrome_thread *t = &c->threads[order[i]];

		if (t->used)
			t->first_row = thread_row_add(c, t, 1);
	}
	mem_free(order);
}

/* Ends ------------------------------------------------------------------------------- */

/* Beginnings and ends are passed alike, so that those of one time are on as many batches as others. */
static void
consumed_tell(struct chrome_trace *c)
{
	uint64_t passed = c->taken - (c->group_count - c->group_at) + c->ended;

	c->r.consumed = (uint64_t)((double)passed / (double)(2 * c->events.count + 1) * (double)c->r.source.end);
}

/* A slice of a row begins or ends. */
static void
slice_tell(struct chrome_trace *c, uint32_t row, struct str name, enum marker_kind kind, int64_t at,
    int64_t ran, uint64_t offset)
{
	struct logline line = {.ns = (uint64_t)at + c->bias};
	struct marker m;

	mem_clear(&m, sizeof(m));
	m.kind = kind;
	m.name = name;
	c->r.line_at = offset;
	c->r.last_ns = line.ns;
	if (ran != CHROME_NOT_TOLD)
		row_ran(&c->r, row, ran);
	slice_take(&c->r, &line, row, &m);
}

static void
row_pop(struct chrome_trace *c, struct chrome_row *nest)
{
	const struct chrome_open *o = &nest->open[--nest->depth];

	c->ended++;
	consumed_tell(c);
	slice_tell(c, nest->row, (struct str){"", 0}, MARKER_END, o->end, o->ran_end, o->offset);
}

/* Ends what ends before `ts`. */
static void
ends_take(struct chrome_trace *c, int64_t ts)
{
	while (c->ends.count > 0 && c->ends.items[0].at < ts) {
		struct chrome_row *nest = &c->rows[c->ends.items[0].of];
		int64_t end = c->ends.items[0].at;

		chrome_heap_remove(&c->ends);
		while (nest->depth > 0 && nest->open[nest->depth - 1].end <= end)
			row_pop(c, nest);
	}
}

/* Beginnings ------------------------------------------------------------------------- */

/* True if a slice without time began in the open one, which ends at that time. */
static bool
stood_inside(const struct chrome_event *e, const struct chrome_open *o)
{
	return e->kind == CHROME_BEGIN && e->end == e->ts && o->begun && o->depth < e->depth;
}

/* Makes room for a slice in a row, which may cut it; false: it outlasts what it would be in. */
static bool
row_fits(struct chrome_trace *c, struct chrome_row *nest, struct chrome_event *e)
{
	const struct chrome_open *top;

	while (nest->depth > 0 && nest->open[nest->depth - 1].end <= e->ts &&
	    !stood_inside(e, &nest->open[nest->depth - 1]))
		row_pop(c, nest);
	if (nest->depth == 0)
		return true;
	top = &nest->open[nest->depth - 1];
	if (e->end <= top->end)
		return true;
	if (!e->unfinished && e->end - top->end > ROUNDED_NS)
		return false;
	c->rounded += !e->unfinished;
	e->end = top->end;
	return true;
}

static void
slice_begin(struct chrome_trace *c, struct chrome_event e)
{
	struct chrome_thread *t = &c->threads[e.of];
	uint32_t index = t->first_row, number = 1, next;
	struct chrome_row *nest;

	while (index > 0 && !row_fits(c, &c->rows[index - 1], &e)) {
		c->overlapping++;
		next = c->rows[index - 1].next;
		if (next == 0 && number < THREAD_ROWS_MOST) {
			next = thread_row_add(c, t, number + 1);
			c->rows[index - 1].next = next;
			c->extra += next > 0;
		}
		index = next;
		number++;
	}
	c->r.line_at = e.offset;
	if (index == 0) {
		slice_too_deep(&c->r);
		return;
	}
	nest = &c->rows[--index];
	slice_tell(c, nest->row, c->names.items[e.name].text, MARKER_BEGIN, e.ts, e.ran, e.offset);
	*MEM_ADD(nest->open, nest->depth, nest->room) = (struct chrome_open){.end = e.end,
	    .ran_end = e.ran_end, .offset = e.offset, .depth = e.depth, .begun = e.kind == CHROME_BEGIN};
	chrome_heap_add(&c->ends, (struct chrome_due){e.end, 0, index});
}

/* Others ----------------------------------------------------------------------------- */

static void
instant_take(struct chrome_trace *c, const struct chrome_event *e)
{
	struct logline line = {.ns = c->r.last_ns};
	const struct chrome_thread *t = &c->threads[e->of];
	struct marker m;

	mem_clear(&m, sizeof(m));
	m.kind = e->end == 'p' || e->end == 'g' || t->first_row == 0 ? MARKER_TRACK_INSTANT
								: MARKER_INSTANT;
	m.name = c->names.items[e->name].text;
	m.pid = e->end == 'g' ? LOGLINE_NOBODY : c->processes[t->process].pid;
	slice_take(&c->r, &line, t->first_row > 0 ? c->rows[t->first_row - 1].row : SCHED_NONE, &m);
}

static void
value_take(struct chrome_trace *c, const struct chrome_event *e)
{
	counter_put(&c->r, c->texts.items[e->name].text, c->processes[e->of].pid, LOG_UNIT_NONE,
	    e->value, reader_time(&c->r, c->r.last_ns));
}

static void
async_take(struct chrome_trace *c, const struct chrome_event *e)
{
	struct chrome_async *a = &c->asyncs[e->of];
	uint32_t pid = c->processes[a->process].pid;
	struct logline line = {.ns = c->r.last_ns};
	struct reader *r = &c->r;
	struct marker m;

	mem_clear(&m, sizeof(m));
	m.pid = pid;
	m.name = c->names.items[e->name].text;
	m.kind = e->kind == CHROME_ASYNC_BEGIN ? MARKER_BEGIN
	    : e->kind == CHROME_ASYNC_END      ? MARKER_END
					       : MARKER_TRACK_INSTANT;
	if (m.kind == MARKER_TRACK_INSTANT) {
		m.track = a->label;
		slice_take(r, &line, SCHED_NONE, &m);
		return;
	}
	if (m.kind == MARKER_END)
		m.name = (struct str){"", 0}; /* it may be another, and is the innermost's */
	track_slice_take(r, &a->open, pid, a->label, true, &line, &m, e->of);
}

/* The feed --------------------------------------------------------------------------- */

static enum feed_result
chrome_take(struct reader *r)
{
	struct chrome_trace *c = (struct chrome_trace *)r;
	const struct chrome_event *e = chrome_next(c);

	if (e == NULL) {
		ends_take(c, INT64_MAX);
		return FEED_END;
	}
	consumed_tell(c);
	ends_take(c, e->ts);
	r->last_ns = (uint64_t)e->ts + c->bias;
	r->line_at = e->offset;
	if (e->kind == CHROME_BEGIN || e->kind == CHROME_COMPLETE)
		slice_begin(c, *e);
	else if (e->kind == CHROME_INSTANT)
		instant_take(c, e);
	else if (e->kind == CHROME_COUNTER)
		value_take(c, e);
	else
		async_take(c, e);
	return FEED_TAKEN;
}

static void
chrome_rewind(struct reader *r)
{
	struct chrome_trace *c = (struct chrome_trace *)r;

	chrome_order(c);
	for (size_t i = 0; i < c->row_count; i++)
		c->rows[i].depth = 0;
	c->ends.count = 0;
	for (size_t i = 0; i < c->async_count; i++)
		c->asyncs[i].open.row = THREAD_NONE;
	c->ended = c->overlapping = c->rounded = 0;
}

static void
notes_tell(struct chrome_trace *c)
{
	size_t sums = 0;

	if (c->overlapping > 0)
		trace_note(c->r.trace, "slices outlast the one that they begin in %" PRIu64 " times; they "
		    "are on %" PRIu64 " further rows of their threads", c->overlapping, c->extra);
	for (size_t i = 0; i < c->thread_count; i++)
		sums += has_only_sums(&c->threads[i]);
	trace_note_count(c->r.trace, sums, "threads have nothing but sums of other slices "
	    "(\"Total ...\"), which are in no total");
	trace_note_count(c->r.trace, c->rounded, "slices outlast the one that they begin in by a "
	    "microsecond or less; they end with it");
	c->told = true;
}

static void
chrome_end(struct reader *r)
{
	struct chrome_trace *c = (struct chrome_trace *)r;
	struct log_summary *s = &r->log->summary;

	for (int i = 0; i < CHROME_PHASES; i++) {
		bool read;
		struct str name = chrome_phase(i, &read);

		if (c->counts[i] == 0)
			continue;
		s->events += c->counts[i];
		if (read)
			func_count(r, name, c->counts[i]);
		else
			func_left(r, name, c->counts[i], 0);
		*(read ? &s->used : &s->unread) += c->counts[i];
	}
	s->malformed += c->bad;
	s->unmatched_ends += c->unmatched;
	s->unfinished += c->unfinished;
	/* The reader counts all that is open as slices of threads. */
	for (size_t i = 0; i < c->async_count; i++) {
		uint32_t row = c->asyncs[i].open.row, depth = row != THREAD_NONE ? r->rows[row].depth : 0;

		s->unfinished_async += depth;
		s->unfinished -= depth;
	}
	if (!c->told)
		notes_tell(c);
}

static void
chrome_free(struct reader *r)
{
	struct chrome_trace *c = (struct chrome_trace *)r;

	chrome_order_release(c);
	for (size_t i = 0; i < c->row_count; i++)
		mem_free(c->rows[i].open);
	for (size_t i = 0; i < c->thread_count; i++)
		mem_free(c->threads[i].open);
	mem_free(c->rows);
	mem_free(c->ends.items);
	mem_free(c->threads);
	mem_free(c->processes);
	mem_free(c->asyncs);
	intern_release(&c->texts);
	intern_release(&c->names);
	intern_release(&c->process_keys);
	intern_release(&c->thread_keys);
	intern_release(&c->async_keys);
	intern_release(&c->profile_keys);
	idmap_release(&c->pids);
	sbuf_release(&c->text);
	arena_release(&c->kept);
}

const struct feed chrome_feed = {
    .take = chrome_take,
    .rewind = chrome_rewind,
    .end = chrome_end,
    .free = chrome_free,
};
