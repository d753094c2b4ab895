// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/reader.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/log/spans.h"

/* Records ----------------------------------------------------------------------- */

void
slice_too_deep(struct reader *r)
{
	r->log->summary.too_deep++;
	damage_add(r->damage, DAMAGE_TOO_DEEP, 1, r->line_at);
}

static struct log_func *
func_find(struct reader *r, struct str func, bool left)
{
	struct recent_func *recent = &r->recent[(func.n * 7 + (unsigned char)func.p[0] * 5 +
	    (unsigned char)func.p[func.n - 1]) % RECENT_FUNCS];
	uint32_t index;

	if (recent->left != left || !str_equal(recent->name, func)) {
		*recent = (struct recent_func){.name = func, .left = left};
		index = intern_add(&r->funcs, func, left);
		if (index == r->log->funcs.count) {
			recent->row = seg_reserve(&r->log->funcs);
			if (recent->row != NULL) {
				recent->row->name = r->funcs.items[index].text;
				recent->row->left = left;
				seg_commit(&r->log->funcs);
			}
		} else if (index < r->log->funcs.count) {
			recent->row = seg_at(&r->log->funcs, index);
		}
	}
	return recent->row;
}

struct log_func *
func_row(struct reader *r, struct str func)
{
	return func_find(r, func, false);
}

void
func_count(struct reader *r, struct str func, uint64_t count)
{
	struct log_func *f = func_find(r, func, false);

	if (f != NULL)
		f->count += count;
}

void
func_left(struct reader *r, struct str func, uint64_t count, uint64_t bytes)
{
	struct log_func *f = func_find(r, func, true);

	if (f == NULL)
		return;
	f->count += count;
	f->bytes = bytes;
}

/* The row of the line's thread; SCHED_NONE for the idle task. */
static uint32_t
writer_take(struct reader *r, const struct logline *line)
{
	uint32_t row;

	if (!r->cpus_met[line->cpu]) {
		r->cpus_met[line->cpu] = true;
		r->log->summary.cpus++;
	}
	if (line->tid == LOGLINE_NOBODY)
		return SCHED_NONE;
	if (idmap_get(&r->met, line->tid) == IDMAP_NONE) {
		if (r->met.window == NULL && r->met.slot_used == 0 && reader_is_long(r))
			idmap_window(&r->met, 0, 1u << 22);
		idmap_put(&r->met, line->tid, 1);
		r->log->summary.threads++;
	}
	if (line->tid == 0)
		return SCHED_NONE;
	row = row_of_tid(r, line->tid);
	row_name(r, row, line->comm);
	if (line->has_tgid && r->rows[row].process_from < KNOWN_COLUMN)
		row_process(r, row, line->tgid, KNOWN_COLUMN);
	return row;
}

void
record_broken(struct reader *r)
{
	r->log->summary.malformed++;
	damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
}

/* Time of a record within the trace, -1 when there is none; false when it is too early. */
bool
record_time(struct reader *r, uint64_t ns, nsec *at)
{
	if (ns < r->last_ns || ns < r->log->origin)
		return false;
	*at = -1;
	if (ns - r->log->origin > SPAN_MOST)
		return true;
	r->last_ns = ns;
	*at = reader_time(r, ns);
	return true;
}

bool
record_take(struct reader *r, const struct scanned *l)
{
	struct log_summary *s = &r->log->summary;
	const struct logline *line = &l->line;
	uint64_t malformed = s->malformed;
	uint32_t row;
	nsec at;

	if (!record_time(r, line->ns, &at))
		return false;
	s->events++;
	if (at < 0) {
		record_broken(r);
		return true;
	}
	if (l->kind == SCAN_LEFT)
		func_left(r, line->func, 1, 0);
	else
		func_count(r, line->func, 1);
	row = writer_take(r, line);
	sched_line(&r->log->sched, at, line->cpu, row, r->log->has_sched);
	if (l->kind == SCAN_MARKER) {
		slice_take(r, line, row, &l->marker);
	} else if (l->kind == SCAN_SCHED) {
		sched_take(r, (enum sched_event)l->event, &l->sched, line, at, row);
	} else if (l->kind == SCAN_VALUES && l->values.event->does == KERNEL_SPAN) {
		span_take(r, line, &l->values, row);
	} else if (l->kind == SCAN_VALUES && l->values.event->does == KERNEL_BINDER) {
		binder_take(r, line, &l->values, row);
	} else if (l->kind == SCAN_VALUES) {
		values_take(r, &l->values, row, at);
	} else if (l->kind == SCAN_BROKEN) {
		record_broken(r);
	}
	s->unread += l->kind == SCAN_LEFT;
	s->used += l->kind != SCAN_LEFT && s->malformed == malformed;
	return true;
}

/* Events ------------------------------------------------------------------------ */

static bool
has_cpu(const struct reader *r)
{
	return trace_has_clock(r->trace, CLOCK_CPU);
}

/*
 * Offsets of batches grow, even where many events come of one line or after the last one: they
 * leave room for those before the end.
 */
static uint64_t
block_end(struct reader *r)
{
	uint64_t begin = r->source.begin, bytes = r->source.end - begin, room = bytes / 64 + 8;
	uint64_t most = bytes > room ? bytes - room : 0, end = begin + (r->consumed < most ? r->consumed : most);

	if (r->events.blocks.count > 0) {
		uint64_t last = kept_block(&r->events, r->events.blocks.count - 1)->end;

		if (end <= last)
			end = last + 1;
	}
	if (end >= r->source.end && bytes > room)
		err_set(&r->source.failed, ERR_LIMIT, "more events of one time than can be told apart");
	return end;
}

static void
block_close(struct reader *r)
{
	if (r->events.open.count > 0)
		(void)kept_close(&r->events, block_end(r), &r->source.failed);
}

void
event_keep(struct reader *r, uint32_t thread, uint32_t word, nsec at)
{
	struct thread_row *row = &r->rows[thread];
	nsec cpu = !has_cpu(r) || row->thread.kind != THREAD_TASK ? 0
	    : r->log->has_sched && !row->own_clock ? sched_clock(&r->log->sched, thread, at) : row->ran;

	/* A line about the past must not go back before the thread's last event. */
	if (row->started && at < row->last)
		at = row->last;
	if (row->started && cpu < row->cpu)
		cpu = row->cpu;
	row->started = true;
	row->last = at;
	row->cpu = cpu;
	if (!kept_holds(&r->events, at, r->line_at))
		block_close(r);
	if (r->source.failed.kind == ERR_NONE)
		kept_add(&r->events, at, (uint64_t)cpu, r->line_at, thread, word);
}

static void
thread_ran(void *context, uint32_t thread, nsec at)
{
	event_keep(context, thread, WORD_TICK, at);
}

/* Reading ----------------------------------------------------------------------- */

void
reader_begin(struct reader *r)
{
	r->feed->rewind(r);
	r->consumed = 0;
	r->last_ns = 0;
	r->done = false;
	r->events.open.count = 0;
}

static void
events_init(struct reader *r, const char *folder)
{
	kept_init(&r->events, folder);
	r->log->sched.ran = thread_ran;
	r->log->sched.context = r;
}

static void
mark_release(struct reader *r)
{
	sched_mark_release(&r->mark.sched);
	mem_free(r->mark.busy);
	r->mark = (struct reader_mark){.taken = false};
}

static void
reader_again(struct reader *r, bool firsts)
{
	struct log *log = r->log;
	const char *folder = r->events.bytes.how.folder;

	if (r->source.forgotten) {
		r->source.stale = r->done = true;
		return;
	}
	kept_release(&r->events);
	events_init(r, folder);
	mark_release(r);
	r->source.tail = (struct cursor){0};
	reader_begin(r);
	r->second = firsts;
	r->source.failed = (struct err){.kind = ERR_NONE};
	log_again(log);
	memset(r->cpus_met, 0, sizeof(r->cpus_met));
	sched_again(&log->sched, firsts);
	rows_again(r);
	async_again(r);
	r->source.again = true;
}

/*
 * Going on after the end: what it does is undone, and done again at the next end.  Where that is
 * too much, as for samples of counters that were joined, the log is to be opened again.
 */
static void
mark_take(struct reader *r)
{
	struct reader_mark *m = &r->mark;
	uint32_t count = r->log->processes.count;

	mark_release(r);
	/* The end's events are in batches of their own. */
	block_close(r);
	*m = (struct reader_mark){.taken = true, .summary = r->log->summary, .bytes = r->events.bytes.count,
	    .blocks = r->events.blocks.count, .process_count = count,
	    .busy = mem_alloc(((size_t)count + 1) * sizeof(*m->busy))};
	sched_mark_take(&m->sched, &r->log->sched);
	/* The first switch of a core, which a second reading wants to know, may come yet. */
	for (size_t i = 0; i < r->log->sched.cpu_count; i++)
		r->source.stale |= r->second && !r->log->sched.cpus[i].switched;
	for (uint32_t i = 0; i < count; i++)
		m->busy[i] = ((struct log_process *)seg_at(&r->log->processes, i))->busy;
	for (size_t i = 0; i < r->row_count; i++) {
		r->rows[i].before = r->rows[i].started ? r->rows[i].last : -1;
		r->rows[i].before_cpu = r->rows[i].cpu;
	}
	r->source.tail = r->source.first;
	r->source.tail.state[0] = m->blocks;
	if (m->blocks > 0)
		r->source.tail.offset = kept_block(&r->events, m->blocks - 1)->end;
}

static void
mark_give(struct reader *r)
{
	struct reader_mark *m = &r->mark;

	sched_mark_give(&m->sched, &r->log->sched);
	kept_cut(&r->events, m->blocks, m->bytes);
	r->log->summary = m->summary;
	r->log->end = 0;
	rows_unsettle(r, m->process_count);
	for (uint32_t i = 0; i < m->process_count; i++)
		((struct log_process *)seg_at(&r->log->processes, i))->busy = m->busy[i];
	for (size_t i = 0; i < r->row_count; i++) {
		r->rows[i].last = r->rows[i].before;
		r->rows[i].cpu = r->rows[i].before_cpu;
		if (r->rows[i].before < 0) {
			r->rows[i].last = 0;
			r->rows[i].started = false;
		}
	}
	r->source.tail = (struct cursor){0};
	r->done = false;
	mark_release(r);
}

static bool
ftrace_before(struct source *source, uint32_t thread, uint64_t times[CLOCKS])
{
	const struct thread_row *row = &((struct reader *)source)->rows[thread];

	times[CLOCK_WALL] = (uint64_t)row->before;
	times[CLOCK_CPU] = (uint64_t)row->before_cpu;
	return row->before >= 0;
}

static bool
ftrace_grow(struct source *source, uint64_t size, struct cursor *at, struct damage *damage)
{
	struct reader *r = (struct reader *)source;
	struct cursor tail = source->tail;

	r->damage = damage;
	if (!r->mark.taken || source->stale || !r->feed->grow(r, size))
		return false;
	mark_give(r);
	damage_set(damage, DAMAGE_BUFFER_OVERFLOW, 0, 0);
	*at = tail;
	return true;
}

/* All lines were taken. */
static void
reader_end(struct reader *r)
{
	nsec end = r->last_ns > 0 ? reader_time(r, r->last_ns) : 0;
	struct log_summary *s = &r->log->summary;

	if (r->feed->grow != NULL && r->in.grows)
		mark_take(r);
	sched_end(&r->log->sched, end);
	/* The cores' first threads are not known when a log that went on begins again. */
	r->source.stale |= r->log->sched.wrong && r->second;
	if (r->log->sched.wrong && !r->second) {
		reader_again(r, true);
		return;
	}
	if (r->feed->end != NULL)
		r->feed->end(r);
	slices_end(r, end);
	rows_settle(r);
	counters_settle(r);
	block_close(r);
	r->log->end = end;
	r->done = true;
	damage_add(r->damage, DAMAGE_BUFFER_OVERFLOW, s->overwritten > 0, 0);
}

/* From here on there is CPU time. */
void
reader_has_sched(struct reader *r)
{
	r->late_sched = false;
	r->log->has_sched = true;
	r->trace->clocks |= 1u << CLOCK_CPU;
}

/* True if something, be it the scheduler's, found no space. */
static bool
reader_failed(struct reader *r)
{
	const struct err *e = &r->log->sched.e;

	if (e->kind != ERR_NONE)
		err_set(&r->source.failed, e->kind, "%s", e->what);
	return r->source.failed.kind != ERR_NONE;
}

enum { EMPTY_BYTES = 1 << 18 }; /* without an event, after which a batch ends */

/* Takes records until a batch is full. */
static void
reader_fill(struct reader *r, uint64_t want)
{
	uint64_t from = r->consumed;

	while (r->events.blocks.count <= want && !r->done && !r->source.again && !reader_failed(r)) {
		enum feed_result result = r->feed->take(r);

		if (result == FEED_END) {
			reader_end(r);
		} else if (result == FEED_AGAIN || r->late_sched) {
			reader_again(r, false); /* ftrace_anew has what a late switch is for */
		} else if (r->consumed - from > EMPTY_BYTES) {
			block_close(r);
		}
	}
}

static void
ftrace_read(struct source *source, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct reader *r = (struct reader *)source;
	uint64_t index = at->state[0];
	const struct kept_block *block;

	/* A block is a batch. */
	b->count = 0;
	b->stride = 0;
	if (index >= r->events.blocks.count && !r->done) {
		r->damage = damage;
		reader_fill(r, index);
	}
	if (index >= r->events.blocks.count || r->source.again) {
		at->offset = source->end;
		return;
	}
	block = kept_block(&r->events, index);
	kept_read(&r->events, block, b);
	at->offset = block->end;
	at->state[0] = index + 1;
}

/* Clocks do not change while others count what was read so far. */
static void
ftrace_anew(struct source *source)
{
	struct reader *r = (struct reader *)source;

	if (r->late_sched)
		reader_has_sched(r);
}

static void
ftrace_jobs(struct source *source, unsigned jobs)
{
	struct reader *r = (struct reader *)source;

	if (r->feed->jobs != NULL)
		r->feed->jobs(r, jobs);
}

static void
ftrace_restart(struct source *source)
{
	struct reader *r = (struct reader *)source;

	r->log->end = 0;
	reader_again(r, false);
	r->source.again = false;
}

static uint64_t
ftrace_forget(struct source *source, const struct cursor *at)
{
	struct reader *r = (struct reader *)source;

	if (at->state[0] == 0 || at->state[0] >= r->events.blocks.count)
		return 0;
	kept_forget(&r->events, kept_block(&r->events, at->state[0]));
	/* Lines were taken in their order, or the log could not go on. */
	return kept_block(&r->events, at->state[0] - 1)->end;
}

static uint64_t
ftrace_left(struct source *source, bool ask)
{
	struct reader *r = (struct reader *)source;

	return r->feed->left != NULL ? r->feed->left(r, ask) : UINT64_MAX;
}

static void
ftrace_free(struct source *source)
{
	struct reader *r = (struct reader *)source;

	mark_release(r);
	rows_release(r);
	slices_release(r);
	kept_release(&r->events);
	intern_release(&r->funcs);
	intern_release(&r->counters);
	intern_release(&r->callers);
	intern_release(&r->chains);
	intern_release(&r->texts);
	sbuf_release(&r->text);
	r->feed->free(r);
	spans_again(r);
	procdump_release(&r->dump);
	input_close(&r->in);
	mem_free(r);
}

static const struct source_ops ftrace_ops = {
	.read = ftrace_read,
	.anew = ftrace_anew,
	.jobs = ftrace_jobs,
	.restart = ftrace_restart,
	.left = ftrace_left,
	.grow = ftrace_grow,
	.before = ftrace_before,
	.forget = ftrace_forget,
	.free = ftrace_free,
};

/* Opening ----------------------------------------------------------------------- */

void
reader_init(struct reader *r, struct trace *t, struct input *input)
{
	r->trace = t;
	r->in = *input;
	r->source.ops = &ftrace_ops;
	t->log = r->log = log_new(input->folder);
	r->log->context = r;
	t->clocks = 1u << CLOCK_WALL;
	t->source = &r->source;
	r->names.owns = r->funcs.owns = r->callers.owns = r->chains.owns = reader_is_piped(r);
	events_init(r, input->folder);
}

struct str
reader_hold(struct reader *r, struct str text)
{
	return reader_is_piped(r) ? trace_copy(r->trace, text) : text;
}

bool
scanned_detail(struct log_detail *d, const struct scanned *s)
{
	const struct marker *m = &s->marker;
	struct marker binder;

	if (s->kind == SCAN_VALUES && s->values.event->does == KERNEL_BINDER && binder_marker(&binder, &s->values))
		m = &binder;
	else if (s->kind != SCAN_MARKER || m->kind == MARKER_OTHER)
		return false;
	*d = (struct log_detail){.name = m->name, .track = m->track, .chain = m->chain,
	    .span = m->span, .parent = m->parent,
	    .level = m->level, .category = m->category, .args = m->args, .flag = m->flag,
	    .has_id = m->kind == MARKER_ASYNC_BEGIN || m->kind == MARKER_TRACK_BEGIN,
	    .id = m->value, .pid = m->pid, .tid = s->line.tid, .ns = s->line.ns};
	return true;
}
