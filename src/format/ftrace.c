#include <config.h>

#include "format/ftrace.h"

#include "format/ftrace-reader.h"

enum {
	HELP_BYTES = 1 << 19,    /* of text, from which on a second thread pays */
	EMPTY_BYTES = 1 << 18,   /* of text without an event, after which a batch ends */
};

/* Events ------------------------------------------------------------------------ */

static bool
has_cpu(const struct reader *r)
{
	return trace_has_clock(r->trace, CLOCK_CPU);
}

static void
block_close(struct reader *r)
{
	struct block *b;

	if (r->open.count == 0)
		return;
	b = seg_reserve(&r->blocks);
	if (b == NULL) {
		err_set(&r->source.failed, ERR_LIMIT, "more events than can be counted");
		return;
	}
	/* Offsets of batches grow, even where many events come of one line. */
	r->open.end = r->source.begin + r->consumed;
	if (r->blocks.count > 0) {
		const struct block *last = seg_at(&r->blocks, r->blocks.count - 1);

		if (r->open.end <= last->end)
			r->open.end = last->end + 1;
	}
	*b = r->open;
	seg_commit(&r->blocks);
	r->open = (struct block){0};
}

static bool
block_holds(const struct reader *r, nsec at)
{
	const struct block *b = &r->open;

	return b->count < BATCH_EVENTS && at - b->time < INT32_MAX && at - b->time > INT32_MIN &&
	    r->line_at >= b->place && r->line_at - b->place < UINT32_MAX;
}

void
event_keep(struct reader *r, uint32_t thread, uint32_t word, nsec at)
{
	struct row *row = &r->rows[thread];
	nsec cpu = has_cpu(r) && row->thread.kind == THREAD_TASK
	    ? sched_clock(&r->log->sched, thread, at) : 0;
	struct kept_event *kept;
	uint64_t *clock;

	/* What is told of the past must not go before what the thread did since. */
	if (row->started && at < row->last)
		at = row->last;
	if (row->started && cpu < row->cpu)
		cpu = row->cpu;
	row->started = true;
	row->last = at;
	row->cpu = cpu;
	if (r->open.count > 0 && !block_holds(r, at))
		block_close(r);
	if (r->open.count == 0)
		r->open = (struct block){.first = r->events.count, .place = r->line_at, .time = at};
	kept = spool_add(&r->events, &r->source.failed);
	if (kept == NULL)
		return;
	*kept = (struct kept_event){(int32_t)(at - r->open.time),
	    (uint32_t)(r->line_at - r->open.place), thread, word};
	if (has_cpu(r)) {
		clock = spool_add(&r->clocks, &r->source.failed);
		if (clock == NULL)
			return;
		*clock = (uint64_t)cpu;
	}
	r->open.count++;
}

static void
thread_ran(void *context, uint32_t thread, nsec at)
{
	event_keep(context, thread, WORD_TICK, at);
}

/* Reading ----------------------------------------------------------------------- */

static void
reader_begin(struct reader *r)
{
	r->order_next = 0;
	logscan_rewind(r->scan);
	r->consumed = r->given_back = 0;
	r->last_ns = 0;
	r->done = false;
	r->open = (struct block){0};
}

static void
spools_init(struct reader *r, const char *folder)
{
	r->blocks = SEG_INIT(struct block);
	spool_init(&r->events, sizeof(struct kept_event), folder);
	spool_init(&r->clocks, sizeof(uint64_t), folder);
	r->log->sched.ran = thread_ran;
	r->log->sched.context = r;
}

static void
reader_again(struct reader *r, bool firsts)
{
	struct log *log = r->log;
	const char *folder = r->events.how.folder;

	seg_release(&r->blocks);
	spool_release(&r->events);
	spool_release(&r->clocks);
	spools_init(r, folder);
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

/* All lines were taken. */
static void
reader_end(struct reader *r)
{
	nsec end = r->last_ns > 0 ? reader_time(r, r->last_ns) : 0;
	struct log_summary *s = &r->log->summary;

	sched_end(&r->log->sched, end);
	if (r->log->sched.wrong && !r->second) {
		reader_again(r, true);
		return;
	}
	if (r->order == NULL) { /* else it was counted when they were sorted */
		s->reordered = logscan_disorder(r->scan).late;
		s->time_jumps = logscan_disorder(r->scan).jumps;
	}
	slices_end(r, end);
	rows_settle(r);
	block_close(r);
	r->log->end = end;
	r->done = true;
	logscan_free(r->scan);
	r->scan = NULL;
	damage_add(r->damage, DAMAGE_BUFFER_OVERFLOW, s->overwritten > 0, 0);
}

/* From here on there is CPU time. */
static void
sched_found(struct reader *r)
{
	r->late_sched = false;
	r->log->has_sched = true;
	r->trace->clocks |= 1u << CLOCK_CPU;
}

/* Was there no space for something, be it the scheduler's? */
static bool
reader_failed(struct reader *r)
{
	const struct err *e = &r->log->sched.e;

	if (e->kind != ERR_NONE)
		err_set(&r->source.failed, e->kind, "%s", e->what);
	return r->source.failed.kind != ERR_NONE;
}

/* Takes lines until a batch is full. */
static void
reader_fill(struct reader *r, uint64_t want)
{
	uint64_t from = r->consumed;
	const struct scanned *line;

	while (r->blocks.count <= want && !r->done && !r->source.again && !reader_failed(r)) {
		line = order_line(r);
		if (line == NULL) {
			reader_end(r);
		} else if (!line_take(r, line)) {
			order_make(r);
			reader_again(r, false);
		} else if (r->late_sched) {
			sched_found(r);
			reader_again(r, false);
		} else if (r->consumed - from > EMPTY_BYTES && r->open.count > 0) {
			block_close(r);
		}
	}
}

/* The events of a block from `i` on that stand in a row; returns how many. */
static uint32_t
events_read(const struct reader *r, const struct block *block, struct batch *b, uint32_t i)
{
	const struct kept_event *kept = spool_peek(&r->events, block->first + i);
	uint64_t run = spool_run(&r->events, block->first + i);
	uint32_t count = run < block->count - i ? (uint32_t)run : block->count - i;
	const uint64_t *clock = NULL;

	if (has_cpu(r)) {
		run = spool_run(&r->clocks, block->first + i);
		count = run < count ? (uint32_t)run : count;
		clock = spool_peek(&r->clocks, block->first + i);
	}
	for (uint32_t k = 0; k < count; k++) {
		struct event *ev = &b->ev[i + k];

		ev->thread = kept[k].thread;
		ev->word = kept[k].word;
		ev->time[CLOCK_WALL] = (uint64_t)(block->time + kept[k].time);
		ev->time[CLOCK_CPU] = clock != NULL ? clock[k] : 0;
		b->place[i + k] = kept[k].place;
	}
	return count;
}

static void
ftrace_read(struct source *source, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct reader *r = (struct reader *)source;
	uint64_t index = at->state[0];
	const struct block *block;

	(void)max; /* a block is a batch */
	b->count = 0;
	b->stride = 0;
	if (index >= r->blocks.count && !r->done) {
		r->damage = damage;
		reader_fill(r, index);
	}
	if (index >= r->blocks.count || r->source.again) {
		at->offset = source->end;
		return;
	}
	block = seg_at(&r->blocks, (uint32_t)index);
	b->offset = block->place;
	for (uint32_t i = 0; i < block->count;)
		i += events_read(r, block, b, i);
	b->count = block->count;
	at->offset = block->end;
	at->state[0] = index + 1;
}

/* Another thread parses ahead where that is worth it. */
static void
ftrace_jobs(struct source *source, unsigned jobs)
{
	struct reader *r = (struct reader *)source;

	if (jobs > 1 && r->scan != NULL && source->end - source->begin > HELP_BYTES)
		logscan_help(r->scan);
}

static void
ftrace_restart(struct source *source)
{
	struct reader *r = (struct reader *)source;

	logscan_free(r->scan);
	r->scan = logscan_new((const char *)r->in.data.bytes, &r->text.text);
	r->log->end = 0;
	reader_again(r, false);
	r->source.again = false;
}

static uint64_t
ftrace_left(struct source *source, bool ask)
{
	struct reader *r = (struct reader *)source;
	uint64_t left = filemap_left(&r->in.data, ask);

	/* What was taken of the file is kept. */
	return left < r->in.data.size && r->order == NULL ? left : UINT64_MAX;
}

static void
ftrace_free(struct source *source)
{
	struct reader *r = (struct reader *)source;

	rows_release(r);
	slices_release(r);
	seg_release(&r->blocks);
	spool_release(&r->events);
	spool_release(&r->clocks);
	intern_release(&r->funcs);
	intern_release(&r->counters);
	intern_release(&r->callers);
	intern_release(&r->chains);
	logscan_free(r->scan);
	mem_free(r->order);
	procdump_release(&r->dump);
	logtext_release(&r->text);
	input_close(&r->in);
	mem_free(r);
}

static const struct source_ops ftrace_ops = {
	.read = ftrace_read,
	.jobs = ftrace_jobs,
	.restart = ftrace_restart,
	.left = ftrace_left,
	.free = ftrace_free,
};

/* Opening ----------------------------------------------------------------------- */

static bool
line_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	const struct reader *r = log->context;
	const char *bytes = (const char *)r->in.data.bytes, *at = bytes + offset;
	struct logline line;
	struct marker m;
	struct str text;

	if (offset >= r->in.data.size || !logtext_line(&at, bytes + r->in.data.size, &text) ||
	    !logline_parse(&line, text))
		return false;
	marker_parse(&m, marker_unprint(line.payload));
	if (m.kind == MARKER_OTHER)
		return false;
	*d = (struct log_detail){.name = m.name, .track = m.track, .chain = m.chain, .span = m.span, .parent = m.parent,
	    .level = m.level, .category = m.category, .args = m.args, .flag = m.flag,
	    .has_id = m.kind == MARKER_ASYNC_BEGIN || m.kind == MARKER_TRACK_BEGIN,
	    .id = m.value, .pid = m.pid, .tid = line.tid, .ns = line.ns};
	return true;
}

static void
dumps_read(struct reader *r)
{
	for (size_t i = 0; i < r->text.dumps.count; i++) {
		const struct log_range *range = &r->text.dumps.items[i];

		procdump_read(&r->dump, (struct str){(const char *)r->in.data.bytes + range->from,
		    (size_t)(range->to - range->from)});
	}
}

bool
ftrace_open(struct trace *t, struct input *input, const char *folder, struct err *e)
{
	struct reader *r;
	struct logtext text;
	const struct log_range *last;

	(void)e;
	if (!logtext_find(&text, (struct str){(const char *)input->data.bytes, input->data.size}))
		return false;
	r = mem_zero(1, sizeof(*r));
	r->trace = t;
	r->text = text;
	r->in = *input;
	last = &text.text.items[text.text.count - 1];
	r->source = (struct source){
		.ops = &ftrace_ops,
		.first = {.offset = text.text.items[0].from},
		.begin = text.text.items[0].from,
		/* Behind the last line every thread may get one event more. */
		.end = last->to + (last->to - text.text.items[0].from) / 1024 + 1024,
	};
	t->log = r->log = log_new(folder);
	r->log->context = r;
	r->log->detail = line_detail;
	r->log->has_sched = order_has_sched(r);
	t->format = "ftrace";
	t->clocks = 1u << CLOCK_WALL | (r->log->has_sched ? 1u << CLOCK_CPU : 0);
	t->source = &r->source;
	spools_init(r, folder);
	dumps_read(r);
	trace_property_add(t, STR("container"), str_from(text.kind));
	order_head(r);
	r->scan = logscan_new((const char *)r->in.data.bytes, &r->text.text);
	reader_begin(r);
	return true;
}
