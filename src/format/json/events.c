// SPDX-License-Identifier: Apache-2.0
/* events: what a file of Chrome's Trace Event Format has, as records. */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "format/json/chrome.h"
#include "format/log/text.h"

/* Phases ----------------------------------------------------------------------------- */

static const struct phase {
	const char *name;
	enum chrome_kind kind;
	bool by_name; /* asynchronous ones that belong together by name, not by category alone */
} phases[CHROME_PHASES] = {
    ['B'] = {"B begin", CHROME_BEGIN, false},
    ['E'] = {"E end", CHROME_END, false},
    ['X'] = {"X complete", CHROME_COMPLETE, false},
    ['i'] = {"i instant", CHROME_INSTANT, false},
    ['I'] = {"I instant", CHROME_INSTANT, false},
    ['R'] = {"R mark", CHROME_INSTANT, false},
    ['C'] = {"C counter", CHROME_COUNTER, false},
    ['M'] = {"M metadata", CHROME_META, false},
    ['b'] = {"b asynchronous begin", CHROME_ASYNC_BEGIN, false},
    ['e'] = {"e asynchronous end", CHROME_ASYNC_END, false},
    ['n'] = {"n asynchronous instant", CHROME_ASYNC_INSTANT, false},
    ['S'] = {"S asynchronous start", CHROME_ASYNC_BEGIN, true},
    ['F'] = {"F asynchronous finish", CHROME_ASYNC_END, true},
    ['T'] = {"T asynchronous step", CHROME_NONE, false},
    ['p'] = {"p asynchronous step", CHROME_NONE, false},
    ['s'] = {"s flow start", CHROME_NONE, false},
    ['t'] = {"t flow step", CHROME_NONE, false},
    ['f'] = {"f flow end", CHROME_NONE, false},
    ['N'] = {"N object created", CHROME_NONE, false},
    ['O'] = {"O object snapshot", CHROME_NONE, false},
    ['D'] = {"D object deleted", CHROME_NONE, false},
    ['P'] = {"P sample", CHROME_NONE, false},
    ['c'] = {"c clock sync", CHROME_NONE, false},
    ['v'] = {"v memory dump", CHROME_NONE, false},
    ['V'] = {"V memory dump", CHROME_NONE, false},
};

struct str
chrome_phase(int letter, bool *read)
{
	const struct phase *p = &phases[letter];

	*read = p->kind != CHROME_NONE;
	return p->name != NULL ? str_from(p->name) : STR("other events");
}

/* Fields ----------------------------------------------------------------------------- */

static const struct str field_names[FIELDS] = {STR("ph"), STR("ts"), STR("dur"), STR("pid"),
    STR("tid"), STR("name"), STR("cat"), STR("args"), STR("tts"), STR("tdur"), STR("id"),
    STR("id2"), STR("scope"), STR("s")};

/* Reads the object whose bracket was passed; the last of equal keys holds. */
static enum jscan_result
fields_read(struct jscan *j, struct chrome_fields *f)
{
	enum jscan_result result;
	struct jscan_value v;
	struct str key;

	mem_clear(f, sizeof(*f));
	for (int i = 0; i < FIELDS; i++)
		f->text[i].p = "";
	while ((result = jscan_member(j, &key, &v)) == JSCAN_TAKEN) {
		f->members++;
		for (int i = 0; i < FIELDS; i++) {
			if (!str_equal(key, field_names[i]))
				continue;
			f->text[i] = v.text;
			f->kind[i] = v.kind;
			break;
		}
	}
	return result;
}

/* Events ----------------------------------------------------------------------------- */

/* An event that cannot be; the others go on. */
static void
event_broken(struct chrome_trace *c, uint64_t offset)
{
	c->bad++;
	damage_add(&c->r.trace->damage, DAMAGE_MALFORMED_LINE, 1, offset);
}

/* Keeps a value for each member of a counter's arguments. */
static void
series_take(struct chrome_trace *c, struct chrome_event *e, const struct chrome_fields *f)
{
	struct str args = f->text[FIELD_ARGS], key, name = chrome_text_keep(c, f->text[FIELD_NAME]);
	struct jscan j = jscan_inside(args);
	struct sbuf series = {0};
	struct jscan_value v;
	bool any = false;
	double value;

	e->of = chrome_process_find(c, f);
	while (f->kind[FIELD_ARGS] == '{' && e->of < CHROME_ROWS_MOST &&
	    jscan_member(&j, &key, &v) == JSCAN_TAKEN) {
		if ((v.kind != '0' && v.kind != '"') || !jscan_real(v.text, &value))
			continue;
		sbuf_clear(&series);
		sbuf_str(&series, name);
		if (f->text[FIELD_ID].n > 0)
			sbuf_printf(&series, "[%.*s]", STR_ARG(f->text[FIELD_ID]));
		if (!str_equal(key, STR("value"))) {
			sbuf_char(&series, ' ');
			jscan_unescape(&series, key);
		}
		e->name = chrome_key_index(c, &c->texts, sbuf_view(&series), CHROME_TEXT_SERIES, 0);
		e->value = value;
		any = true;
		chrome_keep(c, e);
	}
	sbuf_release(&series);
	if (!any)
		event_broken(c, e->offset);
}

/* Reads times and the length; false when they cannot be. */
static bool
times_read(struct chrome_trace *c, struct chrome_event *e, const struct chrome_fields *f)
{
	int64_t length = 0;

	if (!jscan_ns(f->text[FIELD_TS], &e->ts))
		return false;
	if (!c->timed) {
		c->first_ts = c->least_ts = e->ts;
		c->timed = true;
	}
	e->ran = e->ran_end = CHROME_NOT_TOLD;
	if (f->text[FIELD_TTS].n > 0 && !jscan_ns(f->text[FIELD_TTS], &e->ran))
		return false;
	if (e->kind == CHROME_COMPLETE) {
		enum chrome_field told = f->text[FIELD_DUR].n > 0 ? FIELD_DUR : FIELD_TDUR;

		if (f->text[told].n > 0 && !jscan_ns(f->text[told], &length))
			return false;
		if (e->ran != CHROME_NOT_TOLD && jscan_ns(f->text[FIELD_TDUR], &e->ran_end) &&
		    e->ran_end >= 0 && __builtin_add_overflow(e->ran, e->ran_end, &e->ran_end))
			return false;
		if (length < 0) {
			damage_add(&c->r.trace->damage, DAMAGE_BACKWARD_CLOCK, 1, e->offset);
			length = 0;
		}
	}
	return !__builtin_add_overflow(e->ts, length, &e->end) && chrome_time_fits(c, e->end) &&
	    chrome_time_fits(c, e->ts);
}

bool
chrome_time_fits(struct chrome_trace *c, int64_t ns)
{
	uint64_t apart = ns < c->first_ts ? (uint64_t)c->first_ts - (uint64_t)ns
					  : (uint64_t)ns - (uint64_t)c->first_ts;

	if (apart > SPAN_MOST / 2)
		return false;
	c->least_ts = nsec_min(c->least_ts, ns);
	return true;
}

static void
thread_take(struct chrome_trace *c, struct chrome_event *e, const struct chrome_fields *f)
{
	bool pairs = e->kind == CHROME_BEGIN || e->kind == CHROME_END;
	struct chrome_thread *t;

	e->of = chrome_thread_find(c, f);
	if (e->of == CHROME_ROWS_MOST) {
		event_broken(c, e->offset);
		return;
	}
	e->name = chrome_name_find(c, f, e->kind);
	t = &c->threads[e->of];
	t->used |= e->kind != CHROME_END;
	if (str_starts(f->text[FIELD_NAME], STR("Total ")))
		t->sums = true;
	else
		t->works |= e->kind != CHROME_END && e->kind != CHROME_INSTANT;
	c->pairs += pairs;
	if (e->kind == CHROME_INSTANT) {
		e->end = f->text[FIELD_S].n > 0 ? *f->text[FIELD_S].p : 't';
	} else {
		t->last = nsec_max(t->last, e->end);
		c->slices += e->kind != CHROME_END;
		c->clocked += e->kind != CHROME_END && e->ran != CHROME_NOT_TOLD;
	}
	chrome_keep(c, e);
}

/* A profile's slices are of a thread of their own, which is the profile's first event's. */
static void
profile_take(struct chrome_trace *c, const struct chrome_fields *f, uint64_t offset)
{
	struct chrome_profile_event p = {.offset = offset, .args = f->text[FIELD_ARGS]};
	struct chrome_event e = {.kind = CHROME_NONE};
	struct chrome_fields beside = *f;
	struct sbuf key = {0};
	uint32_t of;

	if (!times_read(c, &e, f) || (of = chrome_thread_find(c, f)) == CHROME_ROWS_MOST) {
		event_broken(c, offset);
		return;
	}
	sbuf_printf(&key, "%u ", (unsigned)c->threads[of].process);
	sbuf_str(&key, f->text[f->kind[FIELD_ID] != 0 ? FIELD_ID : FIELD_TID]);
	p.profile = chrome_key_index(c, &c->profile_keys, sbuf_view(&key), 0, c->profile_count);
	p.ts = e.ts;
	if (p.profile == c->profile_count) {
		sbuf_text(&key, " samples");
		beside.text[FIELD_TID] = arena_str(&c->kept, sbuf_view(&key));
		p.thread = chrome_thread_find(c, &beside);
		if (p.thread < CHROME_ROWS_MOST && c->threads[p.thread].samples_of == 0)
			c->threads[p.thread].samples_of = of + 1;
	}
	sbuf_release(&key);
	if (p.profile < CHROME_ROWS_MOST && p.thread < CHROME_ROWS_MOST)
		chrome_profile_take(c, p);
}

static void
event_take(struct chrome_trace *c, const struct chrome_fields *f, uint64_t offset)
{
	struct chrome_event e = {.offset = offset & ((UINT64_C(1) << 48) - 1)};
	unsigned char letter;
	const struct phase *phase;

	if (f->kind[FIELD_PH] != '"' || f->text[FIELD_PH].n == 0) {
		event_broken(c, offset);
		return;
	}
	letter = (unsigned char)*f->text[FIELD_PH].p;
	letter = letter < CHROME_PHASES ? letter : 0;
	phase = &phases[letter];
	if (letter == 'P' ? str_starts(f->text[FIELD_NAME], STR("Profile"))
	    : phase->kind == CHROME_INSTANT && str_equal(f->text[FIELD_NAME], STR("CpuProfile"))) {
		profile_take(c, f, offset);
		return;
	}
	c->counts[letter]++;
	if (phase->kind == CHROME_NONE)
		return;
	if (phase->kind == CHROME_META) {
		chrome_meta_take(c, f);
		return;
	}
	e.kind = phase->kind;
	if (!times_read(c, &e, f)) {
		event_broken(c, offset);
	} else if (e.kind == CHROME_COUNTER) {
		series_take(c, &e, f);
	} else if (e.kind < CHROME_COUNTER) {
		thread_take(c, &e, f);
	} else {
		e.of = chrome_async_find(c, f, phase->by_name);
		e.name = chrome_name_find(c, f, e.kind);
		if (e.of == CHROME_ROWS_MOST)
			event_broken(c, offset);
		else
			chrome_keep(c, &e);
	}
}

/* The file --------------------------------------------------------------------------- */

static uint64_t
offset_of(const struct chrome_trace *c, const char *at)
{
	return (uint64_t)(at - (const char *)c->r.in.data.bytes);
}

static void
cut_note(struct chrome_trace *c)
{
	damage_add(&c->r.trace->damage, DAMAGE_TRUNCATED_FILE, 1, c->r.in.data.size);
	trace_note(c->r.trace, "the file ends inside its events; what came before is shown");
}

/* Reads events up to the end of their array; false at the end of the file. */
static bool
events_read(struct chrome_trace *c, struct jscan *j)
{
	size_t passed = (size_t)offset_of(c, j->at);
	struct chrome_fields f;

	for (;;) {
		char first = jscan_peek(j);
		const char *at = j->at;
		enum jscan_result result;
		struct jscan_value v;

		if (j->at == j->end)
			return false;
		if (first != '{') {
			result = jscan_value(j, &v);
			if (result == JSCAN_CLOSED)
				return true;
			if (result == JSCAN_BAD)
				j->at++;
			if (!str_equal(v.text, STR("null")))
				event_broken(c, offset_of(c, at));
			continue;
		}
		j->at++;
		result = fields_read(j, &f);
		if (result == JSCAN_CUT) {
			c->cut_inside = true;
			return false;
		}
		if (result == JSCAN_BAD) /* goes on at what looks like the next one */
			event_broken(c, offset_of(c, at));
		else if (f.members > 0)
			event_take(c, &f, offset_of(c, at));
		while (result == JSCAN_BAD && j->at < j->end && *j->at != '{')
			j->at++;
		filemap_passed(&c->r.in.data, &passed, (size_t)offset_of(c, j->at));
	}
}

/* Adds scalars of an object, and of those in it that tell of the recording. */
static void
property_take(struct chrome_trace *c, struct str key, const struct jscan_value *v, bool nested)
{
	enum { PROPERTY_MOST = 1024, PROPERTIES_MOST = 256 };
	struct jscan j = jscan_inside(v->text);
	struct jscan_value inner;

	if (c->r.trace->property_count >= PROPERTIES_MOST)
		return;
	if (v->kind == '"' && str_equal(key, STR("systemTraceEvents")))
		trace_note(c->r.trace, "systemTraceEvents (%zu bytes of an ftrace log) is not read",
		    v->text.n);
	else if ((v->kind == '"' || v->kind == '0') && v->text.n <= PROPERTY_MOST)
		trace_property_add(c->r.trace, chrome_text_keep(c, key), chrome_text_keep(c, v->text));
	else if (v->kind == '[' && str_equal(key, STR("samples")))
		trace_note(c->r.trace, "call stacks (samples, with stackFrames) are not read");
	if (nested || v->kind != '{' ||
	    (!str_equal(key, STR("metadata")) && !str_equal(key, STR("otherData"))))
		return;
	while (jscan_member(&j, &key, &inner) == JSCAN_TAKEN)
		property_take(c, key, &inner, true);
}

static void
file_read(struct chrome_trace *c, struct jscan *j)
{
	enum jscan_result result;
	struct jscan_value v;
	struct str key;

	if (jscan_peek(j) == '[') {
		j->at++;
		if (!events_read(c, j)) {
			if (c->cut_inside)
				cut_note(c);
		} else if (jscan_peek(j) != 0)
			trace_note(c->r.trace, "bytes after the events were ignored");
		return;
	}
	j->at++;
	while ((result = jscan_key(j, &key)) == JSCAN_TAKEN) {
		if (str_equal(key, STR("traceEvents")) && jscan_peek(j) == '[') {
			j->at++;
			result = events_read(c, j) ? JSCAN_TAKEN : JSCAN_CUT;
		} else {
			result = jscan_value(j, &v);
			if (result == JSCAN_TAKEN)
				property_take(c, key, &v, false);
		}
		if (result != JSCAN_TAKEN)
			break;
	}
	if (result == JSCAN_CUT)
		cut_note(c);
	else if (result == JSCAN_BAD)
		event_broken(c, offset_of(c, j->at));
}

/* True for an array of events, or one that ends before it has any. */
static bool
is_array(struct jscan j)
{
	enum jscan_result result;
	struct jscan_value v;
	struct chrome_fields f;

	while ((result = jscan_value(&j, &v)) == JSCAN_TAKEN) {
		struct jscan inner = jscan_inside(v.text);

		if (v.kind != '{' && !str_equal(v.text, STR("null")))
			return false;
		if (v.kind == '{') {
			(void)fields_read(&inner, &f);
			if (f.members > 0)
				return f.kind[FIELD_PH] != 0;
		}
	}
	return result == JSCAN_CUT || (result == JSCAN_CLOSED && jscan_peek(&j) == 0);
}

static bool
is_chrome(struct jscan j)
{
	char first = jscan_peek(&j);
	enum jscan_result result = JSCAN_TAKEN;
	struct jscan_value v;
	struct str key;

	if (first != '{' && first != '[')
		return false;
	j.at++;
	if (first == '[')
		return is_array(j);
	while (result == JSCAN_TAKEN && jscan_key(&j, &key) == JSCAN_TAKEN) {
		if (str_equal(key, STR("traceEvents")))
			return jscan_peek(&j) == '[' || j.at == j.end;
		result = jscan_value(&j, &v);
	}
	return false;
}

/* Tells of the event at an offset again. */
static bool
chrome_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	const struct chrome_trace *c = log->context;
	const char *bytes = (const char *)c->r.in.data.bytes;
	struct jscan j = {bytes + offset + 1, bytes + c->r.in.data.size};
	struct chrome_fields f;
	struct sbuf name = {0};
	uint32_t index;
	int64_t ts = 0;

	if (offset + 1 >= c->r.in.data.size || bytes[offset] != '{' ||
	    fields_read(&j, &f) != JSCAN_CLOSED)
		return false;
	*d = (struct log_detail){.name = f.text[FIELD_NAME], .category = f.text[FIELD_CAT]};
	(void)chrome_id_number(f.text[FIELD_PID], &d->pid);
	(void)chrome_id_number(f.text[FIELD_TID], &d->tid);
	if (f.kind[FIELD_ARGS] == '{' && f.text[FIELD_ARGS].n > 2)
		d->args = (struct str){f.text[FIELD_ARGS].p + 1, f.text[FIELD_ARGS].n - 2};
	(void)jscan_ns(f.text[FIELD_TS], &ts);
	d->ns = (uint64_t)ts + c->bias;
	jscan_unescape(&name, f.text[FIELD_NAME]);
	index = intern_find(&c->texts, sbuf_view(&name), CHROME_TEXT);
	sbuf_release(&name);
	if (index != IDMAP_NONE)
		d->name = c->texts.items[index].text;
	return true;
}

bool
chrome_open(struct trace *t, struct input *in, struct err *e)
{
	struct str text = logtext_start((struct str){(const char *)in->data.bytes, in->data.size});
	struct jscan j = {text.p, text.p + text.n};
	struct chrome_trace *c;
	struct reader *r;

	if (!is_chrome(j))
		return false;
	c = mem_zero(1, sizeof(*c));
	r = &c->r;
	reader_init(r, t, in);
	r->feed = &chrome_feed;
	r->nests = true;
	c->detail = r->in.detail != NULL ? r->in.detail : "";
	r->source.end = in->data.size;
	r->log->detail = chrome_detail;
	r->log->kind = "events in JSON";
	t->format = "chrome";
	spool_init(&c->events, sizeof(struct chrome_event), in->folder);
	file_read(c, &j);
	chrome_profiles_end(c);
	chrome_kept(c);
	chrome_pair(c);
	if (c->clocked > 0)
		t->clocks |= 1u << CLOCK_CPU;
	if (c->clocked > 0 && c->clocked < c->slices)
		trace_note(t, "CPU time is told of %" PRIu64 " of %" PRIu64 " slices", c->clocked,
		    c->slices);
	c->bias = c->least_ts < 0 ? (uint64_t)-c->least_ts : 0;
	r->log->origin = (uint64_t)c->least_ts + c->bias;
	t->start_us = r->log->origin / 1000;
	chrome_rows_make(c);
	reader_begin(r);
	return true;
}
