#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "format/ftrace-reader.h"

enum {
	GIVE_BACK = 8 << 20, /* bytes of pages that stop counting as ours at once */
	TAIL_BYTES = 1 << 14,
	/* Bytes that are searched for scheduler events first: found later, reading begins again. */
	SCHED_SEARCH = 8 << 20,
	PROPERTY_LINES = 1000, /* comments that are looked at for properties */
};

/* The next line as it stands in the file. */
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

const struct scanned *
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
		/* With the byte that ends it; a line that was late is behind that already. */
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

void
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
		/* Remarks stay behind the line that they follow. */
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

void
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

bool
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
