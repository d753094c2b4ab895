#include <config.h>

#include "format/log/reader.h"

#include <stdlib.h>

#include "base/mem.h"

/* Lines in order -------------------------------------------------------------------- */

enum {
	GIVE_BACK = 8 << 20, /* bytes of pages that stop counting as ours at once */
	TAIL_BYTES = 1 << 14,
	/* Bytes that are searched for scheduler events first: found later, reading begins again. */
	SCHED_SEARCH = 8 << 20,
	PROPERTY_LINES = 1000, /* comments that are looked at for properties */
};

/* The next line in the order of the file. */
static bool
file_line(const struct reader *r, size_t *range, const char **at, struct str *line)
{
	const char *bytes = (const char *)r->in.data.bytes;

	while (*range < r->text.text.count) {
		const struct log_range *section = &r->text.text.items[*range];

		if (*at == NULL)
			*at = bytes + section->from;
		if (logtext_line(at, bytes + section->to, line))
			return true;
		++*range;
		*at = NULL;
	}
	return false;
}

/* Where the section of a line ends. */
static const char *
section_end(const struct reader *r, uint64_t offset)
{
	size_t i = 0;

	while (offset >= r->text.text.items[i].to)
		i++;
	return (const char *)r->in.data.bytes + r->text.text.items[i].to;
}

/* the next line, in order of time; NULL at the end. */
static const struct scanned *
order_line(struct reader *r)
{
	const char *bytes = (const char *)r->in.data.bytes, *at;
	const struct scanned *line;
	struct str text;
	uint64_t end;

	if (r->order == NULL) {
		line = logscan_next(r->scan);
		if (line == NULL) {
			r->consumed = r->text.text.items[r->text.text.count - 1].to -
			    r->source.begin;
			return NULL;
		}
		r->line_at = (uint64_t)(line->text.p - bytes);
		/* With the byte that ends it; a line that was late is before that. */
		end = r->line_at + line->text.n + 1 - r->source.begin;
		if (end > r->consumed)
			r->consumed = end;
		if (r->consumed - r->given_back > GIVE_BACK) {
			filemap_behind(&r->in.data, r->source.begin + r->given_back,
			    r->source.begin + r->consumed);
			r->given_back = r->consumed;
		}
		return line;
	}
	if (r->order_next == r->order_count)
		return NULL;
	r->line_at = r->order[r->order_next++].offset;
	at = bytes + r->line_at;
	(void)logtext_line(&at, section_end(r, r->line_at), &text);
	r->consumed += (uint64_t)(at - bytes) - r->line_at;
	logscan_line(&r->one, text, NULL);
	return &r->one;
}

static int
item_order(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Sorts all lines; called once, when one is earlier than the one before. */
static void
order_make(struct reader *r)
{
	struct log_summary *s = &r->log->summary;
	size_t room = 0, range = 0;
	const char *at = NULL;
	struct logline line;
	uint64_t last = 0;
	struct str text;
	bool any = false;

	s->reordered = s->time_jumps = 0;
	while (file_line(r, &range, &at, &text)) {
		bool event = logline_parse(&line, text) && !logline_excluded(&line);

		if (event && any && line.ns < last) {
			s->reordered++;
			s->time_jumps += last - line.ns > LOGSCAN_JUMP_NS;
		}
		if (event) {
			if (!any || line.ns < r->log->origin)
				r->log->origin = line.ns;
			last = line.ns;
			any = true;
		}
		/* Remarks stay after the line that they follow. */
		MEM_GROW(r->order, room, r->order_count + 1);
		r->order[r->order_count++] = (struct order_item){
		    last, (uint64_t)(text.p - (const char *)r->in.data.bytes)};
	}
	r->trace->start_us = r->log->origin / 1000;
	r->trace->expected = 0; /* the last line is not the latest */
	qsort(r->order, r->order_count, sizeof(*r->order), item_order);
}

/* "# tracer: nop", "# clock_type=boot" */
static void
property_take(struct reader *r, struct str line)
{
	static const struct {
		struct str mark, key;
	} known[] = {{STR("# tracer: "), STR("tracer")}, {STR("# clock_type="), STR("clock")}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_starts(line, known[i].mark) && line.n > known[i].mark.n)
			trace_property_add(r->trace, known[i].key,
			    (struct str){line.p + known[i].mark.n, line.n - known[i].mark.n});
	}
}

/* The time of the last record, if the log is in order. */
static void
last_find(struct reader *r)
{
	const struct log_range *range = &r->text.text.items[r->text.text.count - 1];
	const char *end = (const char *)r->in.data.bytes + range->to;
	const char *at = end - (range->to - range->from < TAIL_BYTES ? range->to - range->from
								     : TAIL_BYTES);
	struct logline line;
	struct str text;

	while (logtext_line(&at, end, &text)) {
		if (logline_parse(&line, text) && !logline_excluded(&line) &&
		    line.ns > r->log->origin)
			r->trace->expected = (nsec)(line.ns - r->log->origin);
	}
}

/*
 * Reads what is before the first line that counts, and its time.  Only while opening: the
 * trace's properties are fixed afterwards.
 */
static void
order_head(struct reader *r)
{
	size_t range = 0, properties = 0;
	const char *at = NULL;
	struct logline line;
	struct str text;

	while (file_line(r, &range, &at, &text)) {
		if (logline_parse(&line, text) && !logline_excluded(&line)) {
			r->log->origin = line.ns;
			r->trace->start_us = line.ns / 1000;
			last_find(r);
			return;
		}
		if (text.n > 0 && text.p[0] == '#' && properties++ < PROPERTY_LINES)
			property_take(r, text);
	}
}

/* Has the text a record of a switch?  Markers may hold the word as well. */
static bool
sched_is_in(struct str text)
{
	static const struct str name = STR("sched_switch:");
	const char *at = text.p, *end = text.p + text.n;

	while ((at = memmem(at, (size_t)(end - at), name.p, name.n)) != NULL) {
		const char *from = memrchr(text.p, '\n', (size_t)(at - text.p));
		struct logline line;

		from = from != NULL ? from + 1 : text.p;
		at += name.n;
		if (logline_parse(&line, (struct str){from, (size_t)(at - from)}) &&
		    str_equal(line.func, STR("sched_switch")))
			return true;
	}
	return false;
}

/* Is there a switch near the beginning? */
static bool
order_has_sched(const struct reader *r)
{
	size_t left = SCHED_SEARCH;

	for (size_t i = 0; i < r->text.text.count && left > 0; i++) {
		const struct log_range *range = &r->text.text.items[i];
		struct str text = {(const char *)r->in.data.bytes + range->from,
		    (size_t)(range->to - range->from)};

		if (text.n > left)
			text.n = left;
		left -= text.n;
		if (sched_is_in(text))
			return true;
	}
	return false;
}

/* One line -------------------------------------------------------------------------- */

/* Other lines ------------------------------------------------------------------- */

static bool
number_at(const char *p, const char *end, uint64_t *value, const char **after)
{
	*after = digits_take(p, end, 18, value);
	return *after > p;
}

/* The number after a word of the line. */
static bool
number_behind(struct str line, const char *word, uint64_t *value, const char **after)
{
	const char *at = memmem(line.p, line.n, word, strlen(word));

	return at != NULL && number_at(at + strlen(word), line.p + line.n, value, after);
}

static void
comment_take(struct reader *r, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t kept, written;

	if (number_behind(line, "entries-in-buffer/entries-written: ", &kept, &after)) {
		if (after < end && *after == '/' && number_at(after + 1, end, &written, &after) &&
		    written > kept)
			r->log->summary.overwritten += written - kept;
	} else if (number_behind(line, "##### CPU ", &kept, &after)) {
		if (kept < LOGLINE_CPUS && memmem(after, (size_t)(end - after), "started", 7) != NULL)
			sched_buffer(&r->log->sched, (uint32_t)kept);
	}
}

/* "CPU:3 [LOST 123 EVENTS]" */
static bool
lost_take(struct reader *r, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t cpu, count;

	if (!str_starts(line, STR("CPU:")) || !number_at(line.p + 4, end, &cpu, &after) ||
	    cpu >= LOGLINE_CPUS || memmem(after, (size_t)(end - after), "[LOST", 5) == NULL)
		return false;
	if (number_behind(line, "[LOST ", &count, &after))
		r->log->summary.lost += count;
	else
		r->log->summary.lost_unknown++;
	damage_add(r->damage, DAMAGE_LOST_RECORDS, 1, r->line_at);
	sched_lost(&r->log->sched, (uint32_t)cpu);
	return true;
}

/* What programs print around a log. */
static bool
is_remark(struct str s)
{
	static const struct str begins[] = {STR("cpus="), STR("version = "), STR("CPU "),
	    STR("=> "), STR("<stack trace>"), STR("capturing trace"), STR("TRACE:"),
	    STR("version="), STR("done"), STR("\";")};

	if (s.n == 0)
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		if (str_starts(s, begins[i]))
			return true;
	}
	if (memmem(s.p, s.n, "<stack trace>", 13) != NULL)
		return true;
	/* hitrace's console lines: 2025/06/04 16:07:57 ... */
	return s.n > 11 && s.p[4] == '/' && s.p[7] == '/' && s.p[10] == ' ' && s.p[0] == '2';
}

static void
other_take(struct reader *r, struct str line)
{
	struct log_summary *s = &r->log->summary;

	if (line.n > 0 && line.p[0] == '#') {
		comment_take(r, line);
		return;
	}
	if (lost_take(r, str_trim_left(line)) || is_remark(str_trim_left(line)))
		return;
	if (s->skipped < LOG_SKIPPED_KEPT)
		r->log->skipped[s->skipped] = line;
	s->skipped++;
	damage_add(r->damage, DAMAGE_SKIPPED_LINE, 1, r->line_at);
}

/* Records ----------------------------------------------------------------------- */

static void
func_count(struct reader *r, struct str func)
{
	struct recent_func *recent = &r->recent[(func.n * 7 + (unsigned char)func.p[0] * 5 +
	    (unsigned char)func.p[func.n - 1]) % RECENT_FUNCS];
	struct log_func *f;

	if (!str_equal(recent->name, func)) {
		*recent = (struct recent_func){func, intern_add(&r->funcs, func, 0)};
		if (recent->index == r->log->funcs.count) {
			f = seg_reserve(&r->log->funcs);
			if (f == NULL)
				return;
			f->name = func;
			seg_commit(&r->log->funcs);
		}
	}
	if (recent->index < r->log->funcs.count)
		((struct log_func *)seg_at(&r->log->funcs, recent->index))->count++;
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

static void
line_broken(struct reader *r)
{
	r->log->summary.malformed++;
	damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
}

/* Further from the log's start is no time: 13 months, and sums of 250 threads fit. */
static const uint64_t SPAN_MOST = (uint64_t)1 << 55;

/* false when the line is too early. */
static bool
line_take(struct reader *r, const struct scanned *l)
{
	struct log_summary *s = &r->log->summary;
	const struct logline *line = &l->line;
	uint32_t row;
	nsec at;

	s->lines++;
	if (l->kind == SCAN_OTHER) {
		other_take(r, l->text);
		return true;
	}
	if (l->kind == SCAN_EXCLUDED) {
		s->events++;
		return true;
	}
	if (line->ns < r->last_ns || line->ns < r->log->origin)
		return false;
	if (line->ns - r->log->origin > SPAN_MOST) {
		line_broken(r);
		return true;
	}
	r->last_ns = line->ns;
	s->events++;
	at = reader_time(r, line->ns);
	func_count(r, line->func);
	row = writer_take(r, line);
	sched_line(&r->log->sched, at, line->cpu, row, r->log->has_sched);
	if (l->kind == SCAN_MARKER) {
		slice_take(r, line, row, &l->marker);
	} else if (l->kind == SCAN_SCHED) {
		sched_take(r, (enum sched_event)l->event, &l->sched, line, at, row);
	} else if (l->kind == SCAN_BROKEN) {
		line_broken(r);
	}
	return true;
}

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

	/* A line about the past must not go back before the thread's last event. */
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

/* The contiguous events of a block from `i` on; returns how many. */
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

	/* Lines that were taken are kept. */
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
	*d = (struct log_detail){.name = m.name, .track = m.track, .chain = m.chain,
	    .span = m.span, .parent = m.parent,
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
		/* After the last line every thread may get one event more. */
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
