// SPDX-License-Identifier: Apache-2.0
/*
 * perf: the text of perf script and of simpleperf's report_sample.py.
 *
 * A sample is a line of thread, core, time, period and event, each but thread and event
 * optional, then its frames, the innermost first, and an empty line.  One event is read,
 * the first in the file.
 */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum {
	LOOK_BYTES = 1 << 16, /* tell whether samples have periods */
	LOOK_LINES = 3,       /* tell the format */
	EVENTS_TOLD = 8,      /* by name */
};

struct perf_header {
	struct str comm, event;
	uint32_t pid, tid;
	uint64_t period;
	nsec at;
	bool has_pid, timed, has_period, sideband;
	struct str rest; /* after the event */
};

struct perf_text {
	struct sampler s;
	struct str event; /* that is read */
	bool weighed;     /* by periods */
	struct perf_header now; /* of the sample that is read */
	bool open;        /* one is read */
	bool skip;        /* ... of another event */
	bool single;      /* its only frame was on its line */
	struct intern events; /* others */
	uint64_t *counts;     /* of these */
	size_t count_room;
	uint64_t passed;      /* lines that are no frames */
	uint64_t sideband;    /* lines of other records */
};

/* Headers --------------------------------------------------------------------------- */

/* The number that the text ends in, after a blank, a slash or its beginning. */
static bool
number_cut(struct str *text, uint64_t *number)
{
	size_t n = text->n;

	while (n > 0 && is_digit(text->p[n - 1]))
		n--;
	if (n == text->n || text->n - n > 10)
		return false;
	(void)digits_take(text->p + n, text->p + text->n, 10, number);
	if (n > 1 && text->p[n - 1] == '-' && (is_blank(text->p[n - 2]) || text->p[n - 2] == '/'))
		n--; /* of no thread: -1 */
	if (n > 0 && !is_blank(text->p[n - 1]) && text->p[n - 1] != '/')
		return false;
	text->n = n;
	return true;
}

/* Drops the capitals of perf's field "misc", as of samples in the kernel, after a number or a core. */
static struct str
misc_drop(struct str text)
{
	struct str before = text;

	while (before.n > 0 && before.p[before.n - 1] >= 'A' && before.p[before.n - 1] <= 'Z')
		before.n--;
	if (before.n == text.n || before.n == 0 || !is_blank(before.p[before.n - 1]))
		return text;
	before = str_trim(before);
	return before.n > 0 && (before.p[before.n - 1] == ']' || is_digit(before.p[before.n - 1])) ? before : text;
}

/* [comm] [pid/]tid [cpu] [misc] */
static bool
writer_parse(struct perf_header *h, struct str text)
{
	uint64_t number;

	text = misc_drop(str_trim(text));
	if (text.n > 2 && text.p[text.n - 1] == ']') {
		struct str core = {text.p, text.n - 1};

		if (number_cut(&core, &number) || core.n == 0)
			return false;
		while (core.n > 0 && is_digit(core.p[core.n - 1]))
			core.n--;
		if (core.n == 0 || core.p[core.n - 1] != '[')
			return false;
		text = str_trim((struct str){core.p, core.n - 1});
	}
	if (!number_cut(&text, &number))
		return false;
	h->tid = (uint32_t)number;
	if (text.n > 0 && text.p[text.n - 1] == '/') {
		text.n--;
		if (!number_cut(&text, &number))
			return false;
		h->pid = (uint32_t)number;
		h->has_pid = true;
	}
	h->comm = str_trim(text);
	return true;
}

/* A time in seconds, before its colon, that ends at `colon`. */
static bool
time_parse(struct perf_header *h, struct str line, const char *colon, const char **begin)
{
	const char *point = colon, *at;
	uint64_t seconds, part;

	while (point > line.p && is_digit(point[-1]))
		point--;
	if (point == colon || colon - point > 9 || point == line.p || point[-1] != '.')
		return false;
	at = point - 1;
	while (at > line.p && is_digit(at[-1]))
		at--;
	if (at == point - 1 || at == line.p || !is_blank(at[-1]) || point - at > 10)
		return false;
	(void)digits_take(at, point, 9, &seconds);
	(void)digits_take(point, colon, 9, &part);
	for (ptrdiff_t n = colon - point; n < 9; n++)
		part *= 10;
	h->at = (nsec)(seconds * 1000000000 + part);
	h->timed = true;
	*begin = at;
	return true;
}

/* The colon from `at` on that a blank or the line's end follows. */
static const char *
colon_find(const char *at, const char *end)
{
	while (at < end && (at = memchr(at, ':', (size_t)(end - at))) != NULL) {
		if (++at == end || is_blank(*at))
			return at - 1;
	}
	return NULL;
}

static bool
is_event(struct str s)
{
	if (s.n == 0 || !((*s.p >= 'a' && *s.p <= 'z') || (*s.p >= 'A' && *s.p <= 'Z') || *s.p == '_'))
		return false;
	return memchr(s.p, ' ', s.n) == NULL && memchr(s.p, '\t', s.n) == NULL;
}

/* [period] event: */
static bool
event_parse(struct perf_header *h, struct str text)
{
	struct str rest = text = str_trim(text), word = str_word(&rest);
	const char *colon;

	if (digits_take(word.p, word.p + word.n, 18, &h->period) == word.p + word.n && word.n > 0) {
		h->has_period = true;
		text = str_trim_left(rest);
	}
	h->sideband = str_starts(text, STR("PERF_RECORD_"));
	colon = colon_find(text.p, text.p + text.n);
	if (h->sideband || colon == NULL)
		return h->sideband;
	h->event = (struct str){text.p, (size_t)(colon - text.p)};
	h->rest = str_trim((struct str){colon + 1, text.n - h->event.n - 1});
	return is_event(h->event);
}

static bool
header_timed(struct perf_header *h, struct str line)
{
	const char *end = line.p + line.n, *at = line.p, *begin;

	*h = (struct perf_header){.timed = false};
	while ((at = colon_find(at, end)) != NULL) {
		if (time_parse(h, line, at, &begin))
			return writer_parse(h, (struct str){line.p, (size_t)(begin - line.p)}) &&
			    event_parse(h, (struct str){at + 1, (size_t)(end - at) - 1});
		at++;
	}
	return false;
}

/* Without a time there is no period. */
static bool
header_untimed(struct perf_header *h, struct str line)
{
	const char *end = line.p + line.n, *at = line.p;

	*h = (struct perf_header){.timed = false};
	for (; (at = colon_find(at, end)) != NULL; at++) {
		const char *word = at;

		while (word > line.p && !is_blank(word[-1]))
			word--;
		h->event = (struct str){word, (size_t)(at - word)};
		h->rest = str_trim((struct str){at + 1, (size_t)(end - at) - 1});
		if (is_event(h->event) &&
		    writer_parse(h, (struct str){line.p, (size_t)(word - line.p)}))
			return true;
	}
	return false;
}

/* Frames ---------------------------------------------------------------------------- */

/* Splits "ip symbol+0x1 (file)"; the file is empty where there is none. */
static bool
frame_parse(struct str line, struct str *symbol, struct str *file)
{
	struct str rest = line, ip = str_word(&rest);
	int depth = 0;

	for (size_t i = 0; i < ip.n; i++) {
		if (!is_digit(ip.p[i]) && !(ip.p[i] >= 'a' && ip.p[i] <= 'f'))
			return false;
	}
	rest = str_trim(rest);
	*symbol = rest;
	*file = (struct str){"", 0};
	if (ip.n == 0 || rest.n == 0)
		return ip.n > 0;
	for (size_t i = rest.n; rest.p[rest.n - 1] == ')' && i-- > 0;) {
		depth += (rest.p[i] == ')') - (rest.p[i] == '(');
		if (depth == 0 && (i == 0 || is_blank(rest.p[i - 1]))) {
			*file = (struct str){rest.p + i + 1, rest.n - i - 2};
			*symbol = str_trim((struct str){rest.p, i});
			break;
		}
	}
	for (size_t i = symbol->n; i-- > 3;) {
		char c = symbol->p[i];

		if (c == 'x' && symbol->p[i - 1] == '0' && symbol->p[i - 2] == '+') {
			symbol->n = i - 2;
			break;
		}
		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			break;
	}
	return true;
}

static bool
is_address(struct str word)
{
	bool digits = false;

	for (size_t i = 0; i < word.n; i++) {
		digits |= is_digit(word.p[i]);
		if (!is_digit(word.p[i]) && !(word.p[i] >= 'a' && word.p[i] <= 'f'))
			return false;
	}
	return digits && word.n >= 6;
}

/* Parses the frame on a sample's line, where the address of its data may come first. */
static bool
line_parse(struct str line, struct str *symbol, struct str *file)
{
	struct str rest = line, frame;

	(void)str_word(&rest);
	frame = str_trim(rest);
	if (is_address(str_word(&rest)) && frame_parse(frame, symbol, file) && symbol->n > 0)
		return true;
	return frame_parse(line, symbol, file);
}

/* Adds "A->B" of Java's compilers as two frames. */
static void
chain_add(struct perf_text *p, struct str symbol, struct str file)
{
	struct str base = str_base(file);
	bool compiled = str_starts(base, STR("perf-")) || str_starts(base, STR("jitted-"));

	for (size_t i = symbol.n; compiled && i-- > 1;) {
		if (symbol.p[i] != '>' || symbol.p[i - 1] != '-' || i + 1 == symbol.n || i == 1)
			continue;
		samples_frame(&p->s, (struct str){symbol.p + i + 1, symbol.n - i - 1}, file, false);
		symbol.n = i - 1;
	}
	samples_frame(&p->s, symbol, file, false);
}

static void
frame_add(struct perf_text *p, struct str symbol, struct str file)
{
	bool known = file.n > 0 && !str_equal(file, STR("[unknown]"));
	struct str base = str_base(file);

	if (p->skip)
		return;
	if (str_equal(file, STR("inlined")))
		file = (struct str){"", 0};
	if (symbol.n > 0 && !str_equal(symbol, STR("[unknown]"))) {
		chain_add(p, symbol, file);
	} else if (!known || (base.n > 0 && *base.p == '[')) {
		samples_frame(&p->s, known ? base : STR("[unknown]"), file, false);
	} else {
		struct sbuf name = {0};

		sbuf_char(&name, '[');
		sbuf_str(&name, base);
		sbuf_char(&name, ']');
		samples_frame(&p->s, sbuf_view(&name), file, true);
		sbuf_release(&name);
	}
}

/* Samples --------------------------------------------------------------------------- */

static void
sample_end(struct perf_text *p)
{
	const struct perf_header *h = &p->now;
	uint64_t weight = p->weighed && h->has_period ? h->period : 1;

	if (p->open && !p->skip)
		samples_add(&p->s, samples_thread_named(&p->s, h->tid, h->comm),
		    p->s.trace->unit.name == NULL ? weight
			: weight < UINT64_MAX / 1000 ? weight * 1000 : UINT64_MAX,
		    h->timed ? h->at - p->s.origin : 0, true);
	p->open = false;
}

static void
sample_begin(struct perf_text *p, const struct perf_header *h)
{
	struct str symbol, file;
	uint32_t index;

	sample_end(p);
	if (h->sideband) {
		p->sideband++;
		return;
	}
	p->open = true;
	p->now = *h;
	p->skip = !str_equal(h->event, p->event);
	if (p->skip) {
		index = intern_add(&p->events, h->event, 0);
		MEM_GROW_ZERO(p->counts, p->count_room, (size_t)index + 1);
		p->counts[index]++;
	}
	p->single = line_parse(h->rest, &symbol, &file) && symbol.n > 0;
	if (p->single)
		frame_add(p, symbol, file);
}

static bool
perf_take(struct sampler *s)
{
	struct perf_text *p = (struct perf_text *)s;
	struct str line, symbol, file;
	struct perf_header h;

	if (!samples_line(s, &line)) {
		bool open = p->open;

		sample_end(p);
		return open;
	}
	if (str_trim(line).n == 0)
		sample_end(p);
	else if (p->open && !p->single && s->frame_count > 0 && frame_parse(line, &symbol, &file))
		frame_add(p, symbol, file);
	else if (*line.p == '#' && !p->open)
		return true;
	else if (header_timed(&h, line))
		sample_begin(p, &h);
	else if (p->open && frame_parse(line, &symbol, &file))
		frame_add(p, symbol, file);
	else if (header_untimed(&h, line))
		sample_begin(p, &h);
	else if (p->open)
		p->passed++;
	else
		samples_fault(s, DAMAGE_SKIPPED_LINE);
	return true;
}

/* Tells what is left out. */
static void
perf_end(struct sampler *s)
{
	struct perf_text *p = (struct perf_text *)s;

	for (size_t i = 0; i < p->events.count && i < EVENTS_TOLD; i++)
		trace_note(s->trace, "%" PRIu64 " samples of the event %.*s are left out", p->counts[i],
		    STR_ARG(p->events.items[i].text));
	if (p->events.count > EVENTS_TOLD)
		trace_note(s->trace, "samples of %zu more events are left out",
		    p->events.count - EVENTS_TOLD);
	trace_note_count(s->trace, p->passed,
	    "lines among the frames are no frames, as of sources");
	trace_note_count(s->trace, p->sideband,
	    "records of other kinds (PERF_RECORD) are left out");
}

static void
perf_free(struct sampler *s)
{
	struct perf_text *p = (struct perf_text *)s;

	intern_release(&p->events);
	mem_free(p->counts);
}

static const struct samples_format perf = {perf_take, perf_end, perf_free};

/* Opening --------------------------------------------------------------------------- */

/* A header, and after it a frame, an empty line or another header; or another record. */
static bool
is_perf(struct str file)
{
	struct perf_header h;
	struct str line, symbol, name;
	bool header = false;

	if (str_starts(file, STR("# ========")))
		return true;
	for (int lines = 0; file.p != NULL && lines <= LOOK_LINES;) {
		line = str_cut(&file, '\n');
		if (header && (str_trim(line).n == 0 || frame_parse(line, &symbol, &name)))
			return true;
		if (str_trim(line).n == 0 || *line.p == '#')
			continue;
		lines++;
		if (header_timed(&h, str_trim(line)) || header_untimed(&h, str_trim(line))) {
			if (header || h.sideband || (frame_parse(h.rest, &symbol, &name) && symbol.n > 0))
				return true;
			header = true;
		} else if (lines > LOOK_LINES) {
			break;
		}
	}
	return header && file.p == NULL;
}

/* True if --sample-type names the event, or none. */
static bool
is_wanted(const char *wanted, struct str event)
{
	return wanted == NULL || str_equal(event, str_from(wanted)) ||
	    str_equal(samples_event(event), str_from(wanted));
}

/* Finds the event that is read, and whether its samples have periods; false without samples. */
static bool
perf_look(struct perf_text *p, struct str file, const char *wanted, struct perf_header *first)
{
	const char *begin = file.p;
	struct str line;
	struct perf_header h;

	first->event.n = 0;
	while (file.p != NULL && (first->event.n == 0 || file.p - begin < LOOK_BYTES)) {
		line = str_trim(str_cut(&file, '\n'));
		if (line.n == 0 || *line.p == '#' || (!header_timed(&h, line) &&
			(first->event.n > 0 || !header_untimed(&h, line))))
			continue;
		if (h.sideband || !is_wanted(wanted, h.event))
			continue;
		if (first->event.n == 0)
			*first = h;
		p->weighed |= h.has_period && str_equal(h.event, first->event);
	}
	p->event = first->event;
	return first->event.n > 0;
}

bool
perf_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size};
	struct perf_header first;
	struct perf_text *p;

	if (!logtext_is_text(file) || !is_perf(file))
		return false;
	p = mem_zero(1, sizeof(*p));
	if (!perf_look(p, file, in->sample_type, &first)) {
		mem_free(p);
		if (in->sample_type != NULL)
			return err_set(e, ERR_UNSUPPORTED, "--sample-type=%s: no sample is of that event",
			    in->sample_type);
		return err_set(e, ERR_UNSUPPORTED, "is text of perf script without a sample");
	}
	samples_open(&p->s, &perf, t, in);
	t->format = "perf";
	t->pid = first.has_pid ? first.pid : 0;
	trace_property_add(t, STR("event"), p->event);
	trace_property_add(t, STR("weight"), p->weighed ? STR("period") : STR("1 a sample"));
	if (!p->weighed)
		t->unit.name = "samples";
	else if (samples_unit(&p->s, p->event) && first.timed) {
		samples_clocks(&p->s, HAS_BOTH);
		p->s.origin = first.at;
	}
	return true;
}
