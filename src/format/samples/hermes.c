// SPDX-License-Identifier: Apache-2.0
/*
 * hermes: call stacks in Chrome's JSON, without calls, as Hermes and old samplers of Chrome write.
 *
 * Source: the Trace Event Format, "stackFrames" and "samples".  A stack is an id of stackFrames,
 * {id: {name, parent}}, a sample {ts, pid, tid, sf}, times in microseconds; numbers may be strings.
 * A sample weighs as much as the time until the thread's next one.  Where there are calls, too,
 * chrome.h reads these.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/table.h"
#include "format/samples/samples.h"

enum { EVENTS, SAMPLES, FRAMES, MEMBERS };

static const char *const members[MEMBERS] = {
    [EVENTS] = "traceEvents", [SAMPLES] = "samples", [FRAMES] = "stackFrames"};

enum { TS, PID, TID, STACK, SAMPLE_MEMBERS };

static const char *const sample_members[SAMPLE_MEMBERS] = {
    [TS] = "ts", [PID] = "pid", [TID] = "tid", [STACK] = "sf"};

enum { PHASE, NAME, EVENT_TID, ARGS, EVENT_MEMBERS };

static const char *const event_members[EVENT_MEMBERS] = {
    [PHASE] = "ph", [NAME] = "name", [EVENT_TID] = "tid", [ARGS] = "args"};

struct hermes {
	struct sampler s;
	struct jcolumn samples;
	struct intern ids; /* of frames, as the file has them */
	struct stack_row *rows;
	size_t count, room;
	bool any;
};

/* A row by its id, made when it is met first. */
static uint32_t
row_of(struct hermes *h, struct str id)
{
	uint32_t row = intern_add(&h->ids, id, 0);

	if (row == h->count)
		*MEM_ADD(h->rows, h->count, h->room) = (struct stack_row){.method = METHOD_NONE};
	return row;
}

static void
frames_read(struct hermes *h, struct str frames)
{
	static const char *const names[] = {"name", "parent"};
	struct jscan j = jscan_inside(frames);
	struct jscan_value frame, v[2];
	struct sbuf name = {0};
	struct str id;

	while (jscan_member(&j, &id, &frame) == JSCAN_TAKEN) {
		uint32_t row = row_of(h, id);

		(void)jscan_members(frame.text, names, 2, v);
		name.n = 0;
		jscan_unescape(&name, v[0].text);
		h->rows[row].method = samples_method(&h->s, sbuf_view(&name), STR(""), true);
		if (v[1].kind != 0) {
			uint32_t below = row_of(h, v[1].text) + 1;

			h->rows[row].below = below;
		}
	}
	sbuf_release(&name);
}

/* A thread's number; negative ones, and words, are thread 0. */
static uint32_t
thread_id(const struct jscan_value *v)
{
	struct jscan_value number = {'0', v->text};
	uint32_t id = jcell_index(&number);

	return id != CELL_NONE ? id : 0;
}

/* Names threads as the metadata do. */
static void
threads_read(struct hermes *h, struct jscan_value events)
{
	struct jcolumn c = jcolumn_of(events);
	struct jscan_value event, v[EVENT_MEMBERS];

	while (jcolumn_next(&c, &event)) {
		(void)jscan_members(event.text, event_members, EVENT_MEMBERS, v);
		if (!str_equal(v[PHASE].text, STR("M")) || !str_equal(v[NAME].text, STR("thread_name")))
			continue;
		(void)trace_thread_define(h->s.trace, thread_id(&v[EVENT_TID]),
		    jscan_text(&h->s.trace->arena, jscan_find(v[ARGS].text, "name").text), NULL);
	}
}

static bool
hermes_take(struct sampler *s)
{
	struct hermes *h = (struct hermes *)s;
	struct jscan_value sample, v[SAMPLE_MEMBERS];
	uint32_t thread, row;
	nsec at;

	if (!jcolumn_next(&h->samples, &sample))
		return false;
	samples_goto(s, (const uint8_t *)sample.text.p);
	(void)jscan_members(sample.text, sample_members, SAMPLE_MEMBERS, v);
	row = intern_find(&h->ids, v[STACK].text, 0);
	if (row == IDMAP_NONE || !jscan_ns(v[TS].text, &at)) {
		samples_fault(s, DAMAGE_MALFORMED_LINE);
		return true;
	}
	thread = trace_thread_define(s->trace, thread_id(v[TID].kind != 0 ? &v[TID] : &v[PID]),
	    (struct str){"", 0}, NULL);
	if (!h->any)
		s->origin = at;
	h->any = true;
	if (at < s->origin)
		samples_fault(s, DAMAGE_BACKWARD_CLOCK);
	samples_stamp(s, thread, at > s->origin ? at - s->origin : 0,
	    samples_row(s, h->rows, h->count, row));
	return true;
}

static void
hermes_free(struct sampler *s)
{
	struct hermes *h = (struct hermes *)s;

	intern_release(&h->ids);
	mem_free(h->rows);
}

static const struct samples_format hermes = {hermes_take, NULL, hermes_free};

/* True if there are calls among the events, which most files begin with. */
bool
hermes_has_calls(struct str text)
{
	struct jscan j = jscan_inside(text);
	struct jscan_value event, phase;
	struct jcolumn events;
	struct str key;

	while (jscan_key(&j, &key) == JSCAN_TAKEN && !str_equal(key, STR("traceEvents"))) {
		if (jscan_value(&j, &event) != JSCAN_TAKEN)
			return false;
	}
	if (jscan_peek(&j) != '[')
		return true;
	events = (struct jcolumn){.j = {j.at + 1, j.end}, .place = -1};
	while (jcolumn_next(&events, &event)) {
		(void)jscan_members(event.text, event_members, 1, &phase);
		if (phase.text.n > 0 && strchr("BEXP", *phase.text.p) != NULL)
			return true;
	}
	return false;
}

bool
hermes_open(struct trace *t, struct input *in, struct str text, struct err *e)
{
	struct jscan_value v[MEMBERS];
	struct hermes *h;

	if (hermes_has_calls(text))
		return false;
	(void)jscan_members(text, members, MEMBERS, v);
	if (v[SAMPLES].kind != '[' || v[FRAMES].kind != '{')
		return false;
	h = mem_zero(1, sizeof(*h));
	samples_open(&h->s, &hermes, t, in);
	t->format = "chrome";
	samples_clocks(&h->s, HAS_BOTH);
	h->samples = jcolumn_of(v[SAMPLES]);
	frames_read(h, v[FRAMES].text);
	threads_read(h, v[EVENTS]);
	return true;
}
