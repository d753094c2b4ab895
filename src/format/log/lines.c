// SPDX-License-Identifier: Apache-2.0
/*
 * lines: the lines of a text log as what a reader takes.
 *
 * Logs are mostly in order of time.  Lines that are a little late, within some hundred lines,
 * are put in their places as they come (scan.h); where one is later than that, reading
 * begins again with all lines sorted: 16 bytes of memory a line.
 */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/compat.h"
#include "format/log/reader.h"
#include "format/log/scan.h"

struct order_item {
	uint64_t ns, offset;
};

struct lines {
	struct reader r;
	struct logtext text;
	bool ticks;               /* times are whole numbers */
	struct logscan *scan;     /* NULL when all was read */
	struct scanned one;       /* a line by itself */
	struct order_item *order; /* all lines by time; NULL: in the file's order */
	size_t order_count, order_next;
	uint64_t given_back; /* how many bytes were passed when pages were given back last */
	bool skipped;        /* the line is counted as skipped; the rest of it comes in pieces */
};

/* Lines in order -------------------------------------------------------------------- */

enum {
	GIVE_BACK = 8 << 20, /* bytes of pages that stop counting as ours at once */
	TAIL_BYTES = 1 << 14,
	/* Bytes that are searched for scheduler events first: found later, reading begins again. */
	SCHED_SEARCH = 8 << 20,
	TICKS_LINES = 100,     /* with times that are whole numbers: the log's clock is such */
	PROPERTY_LINES = 1000, /* comments that are looked at for properties */
};

/* Parses a record whose time is of the log's clock; false for any other line. */
static bool
event_parse(const struct lines *l, struct logline *line, struct str text)
{
	return logline_parse(line, text) && line->ticks == l->ticks && !logline_excluded(line);
}

/* The next line in the order of the file. */
static bool
file_line(const struct lines *l, size_t *range, const char **at, struct str *line)
{
	const char *bytes = (const char *)l->r.in.data.bytes;

	while (*range < l->text.text.count) {
		const struct log_range *section = &l->text.text.items[*range];

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
section_end(const struct lines *l, uint64_t offset)
{
	size_t i = 0;

	while (offset >= l->text.text.items[i].to)
		i++;
	return (const char *)l->r.in.data.bytes + l->text.text.items[i].to;
}

/* From time to time, as more and more bytes are `passed`, the pages of the source's [from, to). */
static void
give_back(struct lines *l, uint64_t passed, uint64_t from, uint64_t to)
{
	if (passed - l->given_back <= GIVE_BACK)
		return;
	filemap_behind(&l->r.in.data, l->r.source.begin + from, l->r.source.begin + to);
	l->given_back = passed;
}

/* The next line, in order of time; NULL at the end. */
static const struct scanned *
order_line(struct lines *l)
{
	const char *bytes = (const char *)l->r.in.data.bytes, *at;
	const struct scanned *line;
	struct str text;
	uint64_t end;

	if (l->order == NULL) {
		line = logscan_next(l->scan);
		if (line == NULL) {
			l->r.consumed = l->text.text.items[l->text.text.count - 1].to -
			    l->r.source.begin;
			return NULL;
		}
		l->r.line_at = (uint64_t)(line->text.p - bytes);
		/* With the byte that ends it; a line that was late is before that. */
		end = l->r.line_at + line->text.n + 1 - l->r.source.begin;
		if (end > l->r.consumed)
			l->r.consumed = end;
		give_back(l, l->r.consumed, l->given_back, l->r.consumed);
		return line;
	}
	if (l->order_next == l->order_count)
		return NULL;
	l->r.line_at = l->order[l->order_next++].offset;
	at = bytes + l->r.line_at;
	(void)logtext_line(&at, section_end(l, l->r.line_at), &text);
	l->r.consumed += (uint64_t)(at - bytes) - l->r.line_at;
	/* The lines of some time may be anywhere. */
	give_back(l, l->r.consumed, 0, l->r.in.data.size - l->r.source.begin);
	logscan_line(&l->one, text, l->ticks, NULL);
	return &l->one;
}

static int
item_order(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;

	return order_then(ORDER(a->ns, b->ns), ORDER(a->offset, b->offset));
}

/* Sorts all lines; called once, when one is earlier than the one before. */
static void
order_make(struct lines *l)
{
	struct log_summary *s = &l->r.log->summary;
	size_t room = 0, range = 0;
	const char *at = NULL;
	struct logline line;
	uint64_t last = 0, passed;
	struct str text;
	bool any = false;

	s->reordered = s->time_jumps = 0;
	l->given_back = 0;
	while (file_line(l, &range, &at, &text)) {
		bool event = event_parse(l, &line, text);

		if (event && any && line.ns < last) {
			s->reordered++;
			s->time_jumps += last - line.ns > LOGSCAN_JUMP_NS;
		}
		if (event) {
			if (!any || line.ns < l->r.log->origin)
				l->r.log->origin = line.ns;
			last = line.ns;
			any = true;
		}
		/* Remarks stay after the line that they follow. */
		*MEM_ADD(l->order, l->order_count, room) = (struct order_item){
		    last, (uint64_t)(text.p - (const char *)l->r.in.data.bytes)};
		passed = l->order[l->order_count - 1].offset - l->r.source.begin;
		give_back(l, passed, l->given_back, passed);
	}
	l->r.trace->start_us = l->ticks ? 0 : l->r.log->origin / 1000;
	l->r.trace->expected = 0; /* the last line is not the latest */
	qsort(l->order, l->order_count, sizeof(*l->order), item_order);
}

/* "# tracer: nop", "# clock_type=boot" */
static void
property_take(struct lines *l, struct str line)
{
	static const struct {
		struct str mark, key;
	} known[] = {{STR("# tracer: "), STR("tracer")}, {STR("# clock_type="), STR("clock")}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct str value = {line.p + known[i].mark.n, line.n - known[i].mark.n};

		if (!str_starts(line, known[i].mark) || line.n == known[i].mark.n)
			continue;
		trace_property_add(l->r.trace, known[i].key, reader_hold(&l->r, value));
		if (i == 0 && !str_equal(value, STR("nop")))
			trace_note(l->r.trace, "lines of the tracer %.*s are not read, only the "
			    "events among them", (int)(value.n < 40 ? value.n : 40), value.p);
	}
}

/* The time of the last record, if the log is in order. */
static void
last_find(struct lines *l)
{
	const struct log_range *range = &l->text.text.items[l->text.text.count - 1];
	const char *end = (const char *)l->r.in.data.bytes + range->to;
	const char *at = end - (range->to - range->from < TAIL_BYTES ? range->to - range->from
								     : TAIL_BYTES);
	struct logline line;
	struct str text;

	while (logtext_line(&at, end, &text)) {
		if (event_parse(l, &line, text) && line.ns > l->r.log->origin)
			l->r.trace->expected = (nsec)(line.ns - l->r.log->origin);
	}
}

/*
 * Reads what is before the first line that counts, and its time.  Only while opening: the
 * trace's properties are fixed afterwards.
 */
static void
order_head(struct lines *l)
{
	size_t range = 0, properties = 0, ticks = 0;
	const char *at = NULL;
	struct logline line;
	struct str text;

	/* A line that lost its point does not decide, for others have theirs. */
	while (ticks < TICKS_LINES && file_line(l, &range, &at, &text)) {
		if (logline_parse(&line, text) && !logline_excluded(&line)) {
			if (!line.ticks || ticks == 0)
				l->r.log->origin = line.ns;
			l->ticks = line.ticks;
			ticks += line.ticks;
			if (!line.ticks)
				break;
		} else if (text.n > 0 && text.p[0] == '#' && properties++ < PROPERTY_LINES)
			property_take(l, text);
	}
	if (l->ticks)
		trace_note(l->r.trace, "times are whole numbers in the unit of the trace clock "
		    "(counter, x86-tsc, boot), which the log does not tell; 1 is shown as 1 ns");
	else
		l->r.trace->start_us = l->r.log->origin / 1000;
	last_find(l);
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

/* True if there is a switch near the beginning. */
static bool
order_has_sched(const struct lines *l)
{
	size_t left = SCHED_SEARCH;

	for (size_t i = 0; i < l->text.text.count && left > 0; i++) {
		const struct log_range *range = &l->text.text.items[i];
		struct str text = {(const char *)l->r.in.data.bytes + range->from,
		    (size_t)(range->to - range->from)};

		if (text.n > left)
			text.n = left;
		left -= text.n;
		if (sched_is_in(text))
			return true;
	}
	return false;
}

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
comment_take(struct lines *l, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t kept, written;

	if (number_behind(line, "entries-in-buffer/entries-written: ", &kept, &after)) {
		if (after < end && *after == '/' && number_at(after + 1, end, &written, &after) &&
		    written > kept)
			l->r.log->summary.overwritten += written - kept;
	} else if (number_behind(line, "##### CPU ", &kept, &after)) {
		if (kept < LOGLINE_CPUS && memmem(after, (size_t)(end - after), "started", 7) != NULL)
			sched_buffer(&l->r.log->sched, (uint32_t)kept);
	}
}

/* "CPU:3 [LOST 123 EVENTS]" */
static bool
lost_take(struct lines *l, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t cpu, count;

	if (!str_starts(line, STR("CPU:")) || !number_at(line.p + 4, end, &cpu, &after) ||
	    cpu >= LOGLINE_CPUS || memmem(after, (size_t)(end - after), "[LOST", 5) == NULL)
		return false;
	if (number_behind(line, "[LOST ", &count, &after))
		l->r.log->summary.lost += count;
	else
		l->r.log->summary.lost_unknown++;
	damage_add(l->r.damage, DAMAGE_LOST_RECORDS, 1, l->r.line_at);
	sched_lost(&l->r.log->sched, (uint32_t)cpu);
	return true;
}

static void
other_take(struct lines *l, struct str line)
{
	struct log_summary *s = &l->r.log->summary;

	if (line.n > 0 && line.p[0] == '#') {
		comment_take(l, line);
		return;
	}
	if (l->skipped || lost_take(l, str_trim_left(line)) || logtext_is_remark(str_trim_left(line)))
		return;
	l->skipped = true;
	if (s->skipped < LOG_SKIPPED_KEPT)
		l->r.log->skipped[s->skipped] = reader_hold(&l->r, line);
	s->skipped++;
	damage_add(l->r.damage, DAMAGE_SKIPPED_LINE, 1, l->r.line_at);
}

/* One line ------------------------------------------------------------------------ */

/* A line may come in pieces. */
static bool
piece_begins_line(const struct lines *l)
{
	return l->r.line_at == l->text.text.items[0].from ||
	    l->r.in.data.bytes[l->r.line_at - 1] == '\n';
}

static enum feed_result
line_take(struct reader *r)
{
	struct lines *l = (struct lines *)r;
	const struct scanned *line = order_line(l);

	if (line == NULL)
		return FEED_END;
	if (piece_begins_line(l)) {
		r->log->summary.lines++;
		l->skipped = false;
	}
	if (line->kind == SCAN_OTHER) {
		other_take(l, line->text);
	} else if (line->kind == SCAN_EXCLUDED) {
		r->log->summary.events++;
		r->log->summary.used++;
	} else if (!record_take(r, line)) {
		order_make(l);
		return FEED_AGAIN;
	}
	return FEED_TAKEN;
}

static void
lines_rewind(struct reader *r)
{
	struct lines *l = (struct lines *)r;

	if (l->scan != NULL)
		logscan_rewind(l->scan);
	else
		l->scan = logscan_new((const char *)r->in.data.bytes, &l->text.text, l->ticks);
	l->order_next = 0;
	l->given_back = 0;
	spans_again(r);
}

static void
lines_end(struct reader *r)
{
	struct lines *l = (struct lines *)r;

	if (l->order == NULL) { /* else it was counted when they were sorted */
		r->log->summary.reordered = logscan_disorder(l->scan).late;
		r->log->summary.time_jumps = logscan_disorder(l->scan).jumps;
	}
	if (r->in.grows)
		return;
	logscan_free(l->scan);
	l->scan = NULL;
}

/* Moves the end of the log to that of the last whole line before a place. */
static void
whole_set(struct lines *l, uint64_t end)
{
	struct log_range *last = &l->text.text.items[l->text.text.count - 1];
	const char *bytes = (const char *)l->r.in.data.bytes;
	const char *line = memrchr(bytes + last->from, '\n', end - last->from);

	if (line != NULL)
		last->to = (uint64_t)(line + 1 - bytes);
	l->r.source.waits = last->to < end;
}

static void
past_set(struct lines *l)
{
	uint64_t to = l->text.text.items[l->text.text.count - 1].to;

	/* After the last line every thread may get one event more. */
	l->r.source.past = (to - l->r.source.begin) / 1024 + 1024;
	l->r.source.end = to + l->r.source.past;
}

/* Goes on with lines in their order, after some that told what the times are. */
static bool
lines_grow(struct reader *r, uint64_t size)
{
	struct lines *l = (struct lines *)r;
	const struct log_range *last = &l->text.text.items[l->text.text.count - 1];
	uint64_t from = last->to;

	if (l->order != NULL || l->ticks || r->log->summary.events == 0 || !filemap_grow(&r->in.data, size))
		return false;
	whole_set(l, size);
	past_set(l);
	logscan_more(l->scan, from);
	return true;
}

enum { HELP_BYTES = 1 << 19 }; /* of text, from which on a second thread pays */

/* Another thread parses ahead where that is worth it. */
static void
lines_jobs(struct reader *r, unsigned jobs)
{
	struct lines *l = (struct lines *)r;

	if (jobs > 1 && l->scan != NULL && r->source.end - r->source.begin > HELP_BYTES)
		logscan_help(l->scan);
}

static uint64_t
lines_left(struct reader *r, bool ask)
{
	const struct lines *l = (const struct lines *)r;
	uint64_t left = filemap_left(&r->in.data, ask);

	/* Lines that were taken are kept. */
	return left < r->in.data.size && l->order == NULL ? left : UINT64_MAX;
}

static void
lines_free(struct reader *r)
{
	struct lines *l = (struct lines *)r;

	logscan_free(l->scan);
	mem_free(l->order);
	logtext_release(&l->text);
}

static const struct feed lines_feed = {
	.take = line_take,
	.rewind = lines_rewind,
	.end = lines_end,
	.jobs = lines_jobs,
	.left = lines_left,
	.grow = lines_grow,
	.free = lines_free,
};
/* Opening ----------------------------------------------------------------------- */

static bool
line_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	const struct reader *r = log->context;
	const char *bytes = (const char *)r->in.data.bytes, *at = bytes + offset;
	struct scanned event;
	struct str text;

	if (offset >= r->in.data.size || !logtext_line(&at, bytes + r->in.data.size, &text))
		return false;
	logscan_line(&event, text, ((const struct lines *)r)->ticks, NULL);
	return scanned_detail(d, &event);
}

static void
dumps_read(struct lines *l)
{
	for (size_t i = 0; i < l->text.dumps.count; i++) {
		const struct log_range *range = &l->text.dumps.items[i];

		procdump_read(&l->r.dump, (struct str){(const char *)l->r.in.data.bytes + range->from,
		    (size_t)(range->to - range->from)});
	}
}

bool
ftrace_open(struct trace *t, struct input *input, struct err *e)
{
	struct lines *l;
	struct reader *r;
	struct logtext text;
	struct log_range *last;
	struct str file = {(const char *)input->data.bytes, input->data.size};
	bool found;

	found = logtext_find(&text, file);
	if (logtext_unread(file, found ? &text.text : NULL, e) || !found) {
		if (found)
			logtext_release(&text);
		return false;
	}
	l = mem_zero(1, sizeof(*l));
	l->text = text;
	r = &l->r;
	reader_init(r, t, input);
	r->feed = &lines_feed;
	last = &text.text.items[text.text.count - 1];
	r->source.first.offset = r->source.begin = text.text.items[0].from;
	/* A page or what was compressed does not go on at its end. */
	r->in.grows &= text.dumps.count == 0 && text.text.count == 1 && last->to == input->data.size &&
	    input->data.room > 0;
	if (r->in.grows)
		whole_set(l, last->to);
	past_set(l);
	r->log->detail = line_detail;
	r->log->kind = "a text log";
	t->format = "ftrace";
	if (order_has_sched(l))
		reader_has_sched(r);
	dumps_read(l);
	trace_property_add(t, STR("container"), str_from(text.kind));
	order_head(l);
	reader_begin(r);
	return true;
}
