// SPDX-License-Identifier: Apache-2.0
/*
 * spreport: the text of simpleperf report-sample: a line "sample:", and after it its fields,
 * indented, "key: value".
 *
 * The innermost frame is among the fields, its callers are below "callchain:".  One event is
 * read: the first of a clock, else the first in the file.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum { HEAD_LINES = 64 };

enum sp_key {
	KEY_EVENT, KEY_TIME, KEY_COUNT, KEY_TID, KEY_THREAD, KEY_ADDRESS, KEY_FILE, KEY_SYMBOL, KEYS
};

static const struct str keys[KEYS] = {
    [KEY_EVENT] = STR("event_type"), [KEY_TIME] = STR("time"), [KEY_COUNT] = STR("event_count"),
    [KEY_TID] = STR("thread_id"), [KEY_THREAD] = STR("thread_name"),
    [KEY_ADDRESS] = STR("vaddr_in_file"), [KEY_FILE] = STR("file"), [KEY_SYMBOL] = STR("symbol"),
};

struct sample_text {
	struct sampler s;
	struct str event;         /* that is read */
	struct str fields[KEYS];  /* of the sample that is read, and of its last frame */
	bool open;                /* one is read */
	uint64_t others;
};

/* Splits "  key: value"; KEYS for another key. */
static enum sp_key
field_parse(struct str line, struct str *value)
{
	struct str key;
	int i = 0;

	*value = str_trim(line);
	key = str_cut(value, ':');
	*value = value->p != NULL ? str_trim(*value) : STR("");
	while (i < KEYS && !str_equal(key, keys[i]))
		i++;
	return (enum sp_key)i;
}

static uint64_t
number_of(struct str text)
{
	uint64_t number = 0;

	(void)digits_take(text.p, text.p + text.n, 18, &number);
	return number;
}

/* Adds the frame whose fields were read: its symbol, else its file and the address in it. */
static void
frame_end(struct sample_text *r)
{
	struct str *f = r->fields;
	struct sbuf name = {0};

	if (f[KEY_ADDRESS].n > 0 && f[KEY_SYMBOL].n > 0) {
		samples_push(&r->s, samples_method(&r->s, f[KEY_SYMBOL], f[KEY_FILE], false));
	} else if (f[KEY_ADDRESS].n > 0) {
		sbuf_printf(&name, "%.*s+%s%.*s", STR_ARG(str_base(f[KEY_FILE])),
		    str_starts(f[KEY_ADDRESS], STR("0x")) ? "" : "0x", STR_ARG(f[KEY_ADDRESS]));
		samples_push(&r->s, samples_method(&r->s, sbuf_view(&name), f[KEY_FILE], true));
		sbuf_release(&name);
	}
	for (int i = KEY_ADDRESS; i < KEYS; i++)
		f[i] = STR("");
}

static void
sample_end(struct sample_text *r)
{
	uint64_t weight = number_of(r->fields[KEY_COUNT]);
	nsec at = (nsec)number_of(r->fields[KEY_TIME]) - r->s.origin;

	frame_end(r);
	if (r->open && str_equal(r->fields[KEY_EVENT], r->event)) {
		samples_add(&r->s, samples_thread_named(&r->s,
		    (uint32_t)number_of(r->fields[KEY_TID]), r->fields[KEY_THREAD]),
		    unit_counts(&r->s.trace->unit) ? weight * 1000 : weight, at, true);
	} else {
		r->others += r->open;
		r->s.frame_count = 0;
	}
	for (int i = 0; i < KEYS; i++)
		r->fields[i] = STR("");
	r->open = false;
}

static bool
spreport_take(struct sampler *s)
{
	struct sample_text *r = (struct sample_text *)s;
	struct str line, value;
	enum sp_key key;

	if (!samples_line(s, &line)) {
		bool open = r->open;

		sample_end(r);
		return open;
	}
	if (line.n == 0)
		return true;
	if (!is_blank(*line.p)) {
		sample_end(r);
		r->open = str_equal(str_trim(line), STR("sample:"));
		return true;
	}
	key = field_parse(line, &value);
	if (key == KEY_ADDRESS)
		frame_end(r);
	if (key < KEYS)
		r->fields[key] = value;
	return true;
}

static void
spreport_end(struct sampler *s)
{
	struct sample_text *r = (struct sample_text *)s;

	trace_note_count(s->trace, r->others, "samples of other events are left out");
}

static const struct samples_format spreport = {spreport_take, spreport_end, NULL};

/* Opening --------------------------------------------------------------------------- */

/* A line "sample:" among the first, and an event after it. */
static bool
is_spreport(struct str file)
{
	bool begun = false;

	for (int i = 0; i < HEAD_LINES && file.p != NULL; i++) {
		struct str line = str_cut(&file, '\n'), value;

		if (begun && field_parse(line, &value) == KEY_EVENT)
			return true;
		begun = str_equal(str_trim(line), STR("sample:"));
	}
	return false;
}

/* Finds the event that is read, a clock or else the first, and the time of its first sample. */
static bool
event_find(struct str file, const char *wanted, struct str *event, nsec *at)
{
	struct str value, last = STR("");

	while (file.p != NULL) {
		enum sp_key key = field_parse(str_cut(&file, '\n'), &value);

		if (key == KEY_EVENT)
			last = value;
		if (key != KEY_TIME || last.n == 0 || (wanted == NULL
			? event->n > 0 && !samples_is_clock(last)
			: !str_equal(last, str_from(wanted)) &&
			    !str_equal(samples_event(last), str_from(wanted))))
			continue;
		*event = last;
		*at = (nsec)number_of(value);
		if (wanted != NULL || samples_is_clock(last))
			return true;
	}
	return event->n > 0;
}

bool
spreport_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size}, event = STR("");
	struct sample_text *r;
	nsec at = 0;

	if (!logtext_is_text(file) || !is_spreport(file))
		return false;
	if (!event_find(file, in->sample_type, &event, &at))
		return err_set(e, ERR_UNSUPPORTED, "is a report of simpleperf without a sample%s%s",
		    in->sample_type != NULL ? " of the event " : "",
		    in->sample_type != NULL ? in->sample_type : "");
	r = mem_zero(1, sizeof(*r));
	samples_open(&r->s, &spreport, t, in);
	for (int i = 0; i < KEYS; i++)
		r->fields[i] = STR("");
	r->event = event;
	r->s.origin = at;
	t->format = "simpleperf";
	trace_property_add(t, STR("event"), event);
	if (samples_unit(&r->s, event))
		samples_clocks(&r->s, HAS_BOTH);
	return true;
}
