// SPDX-License-Identifier: Apache-2.0
/*
 * htrace: recordings of OpenHarmony's profiler (.htrace), as far as they have events of ftrace.
 *
 * Source: smartperf_host's trace_streamer and the messages of its proto files.  A head of 1024 bytes,
 * then messages {name, ..., data} of plugins, each after its size.  The data of ftrace-plugin have
 * events by core, in the order of time there.  Printed lines are those of a text log, and so the
 * events are written as one, in the order of time of all cores, which the reader of logs opens.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/log/reader.h"

enum { HEAD_BYTES = 1024, TYPE_AT = 56, PLUGINS_MOST = 24, OUT_BYTES = 1 << 16, NAME_MOST = 256 };

enum { TYPE_PLUGINS, TYPE_PERF };

/* Numbers of fields. */
enum { DATA_NAME = 1, DATA_DATA = 3 };
enum { RESULT_CPU = 2 };
enum { CPU_CPU = 1, CPU_EVENT = 2 };
enum { OHOS_TIME = 1, OHOS_TGID = 2, OHOS_COMM = 3, OHOS_COMMON = 50, OHOS_PRINT = 1109,
    OHOS_FREQUENCY = 2003, OHOS_IDLE = 2005, OHOS_SWITCH = 2417, OHOS_WAKEUP = 2420,
    OHOS_WAKEUP_NEW = 2421, OHOS_WAKING = 2422, OHOS_BLOCKED = 4002 };
enum { COMMON_PID = 4, FIELDS = 8 };

struct htrace_event {
	uint64_t ns;
	const uint8_t *at; /* its message */
	uint32_t size, cpu;
};

struct htrace {
	struct htrace_event *events;
	size_t count, room;
	struct {
		struct str name;
		uint64_t count;
	} plugins[PLUGINS_MOST];
	size_t plugin_count;
	uint64_t other; /* events of other kinds */
	struct sbuf text;
};

/* Finding events ----------------------------------------------------------------------- */

static void
event_add(struct htrace *h, struct wire message, uint32_t cpu)
{
	uint64_t number[OHOS_TIME + 1] = {0}, ns;

	(void)wire_numbers(message, number, OHOS_TIME + 1);
	ns = number[OHOS_TIME];
	if (ns == 0 || ns > INT64_MAX / 4)
		return;
	*MEM_ADD(h->events, h->count, h->room) = (struct htrace_event){ns, message.p,
	    (uint32_t)(message.end - message.p), cpu};
}

static void
result_read(struct htrace *h, struct wire result)
{
	struct wire_field detail, f;

	while (wire_next(&result, &detail)) {
		struct wire cpu;
		uint64_t number[CPU_CPU + 1] = {0};

		if (detail.number != RESULT_CPU || detail.type != WIRE_BYTES)
			continue;
		cpu = wire_message(&detail);
		(void)wire_numbers(cpu, number, CPU_CPU + 1);
		while (wire_next(&cpu, &f))
			if (f.number == CPU_EVENT && f.type == WIRE_BYTES)
				event_add(h, wire_message(&f), (uint32_t)number[CPU_CPU]);
	}
}

static void
plugin_count(struct htrace *h, struct str name)
{
	for (size_t i = 0; i < h->plugin_count; i++) {
		if (str_equal(h->plugins[i].name, name)) {
			h->plugins[i].count++;
			return;
		}
	}
	if (h->plugin_count == PLUGINS_MOST)
		return;
	h->plugins[h->plugin_count].name = name;
	h->plugins[h->plugin_count++].count = 1;
}

/* Several recordings may follow each other, each with its head. */
static void
messages_read(struct htrace *h, struct wire file)
{
	while (file.end - file.p > HEAD_BYTES && memcmp(file.p, "OHOSPROF", 8) == 0) {
		uint64_t length = get_u64(file.p + 8);
		const uint8_t *end = length > HEAD_BYTES && length <= (uint64_t)(file.end - file.p)
		    ? file.p + length : file.end, *at = file.p + HEAD_BYTES;

		while (end - at > 4) {
			struct wire message = {at + 4, at + 4 + get_u32(at)};
			struct str name;

			if ((uint64_t)(end - at) - 4 < get_u32(at))
				break;
			at = message.end;
			name = str_head(wire_last(message, DATA_NAME), NAME_MOST);
			plugin_count(h, name);
			if (str_equal(name, STR("ftrace-plugin")))
				result_read(h, wire_of(wire_last(message, DATA_DATA)));
		}
		file.p = end;
	}
}

/* Writing them as text ------------------------------------------------------------------- */

/* The numbers and texts of a message, by their fields. */
struct htrace_fields {
	uint64_t number[FIELDS];
	struct str text[FIELDS];
};

static struct htrace_fields
fields_read(struct wire message)
{
	struct htrace_fields fields = {.number = {0}};
	struct wire_field f;

	for (int i = 0; i < FIELDS; i++)
		fields.text[i] = (struct str){"", 0};
	while (wire_next(&message, &f)) {
		if (f.number >= FIELDS)
			continue;
		if (f.type == WIRE_BYTES)
			fields.text[f.number] = wire_text(&f);
		else if (f.type == WIRE_VARINT)
			fields.number[f.number] = f.value;
	}
	return fields;
}

/* Lines stay lines, whatever is in a text. */
static void
text_put(struct sbuf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		sbuf_char(out, s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\0' ? ' ' : s.p[i]);
}

static char
state_letter(uint64_t state)
{
	static const char letters[] = "SDTtXZPI";

	for (int bit = 0; bit < 8; bit++)
		if ((state & 1u << bit) != 0)
			return letters[bit];
	return 'R';
}

/* "func: fields" of an event; false when it is of another kind. */
static bool
payload_put(struct sbuf *out, uint32_t kind, const struct htrace_fields *f)
{
	switch (kind) {
	case OHOS_PRINT:
		sbuf_text(out, "tracing_mark_write: ");
		text_put(out, str_trim(f->text[2]));
		return true;
	case OHOS_SWITCH:
		sbuf_text(out, "sched_switch: prev_comm=");
		text_put(out, f->text[1]);
		sbuf_printf(out, " prev_pid=%d prev_prio=%d prev_state=%c ==> next_comm=", (int)f->number[2],
		    (int)f->number[3], state_letter(f->number[4]));
		text_put(out, f->text[5]);
		sbuf_printf(out, " next_pid=%d next_prio=%d", (int)f->number[6], (int)f->number[7]);
		return true;
	case OHOS_WAKEUP:
	case OHOS_WAKEUP_NEW:
	case OHOS_WAKING:
		sbuf_text(out, kind == OHOS_WAKING ? "sched_waking: comm="
			: kind == OHOS_WAKEUP ? "sched_wakeup: comm=" : "sched_wakeup_new: comm=");
		text_put(out, f->text[1]);
		sbuf_printf(out, " pid=%d prio=%d target_cpu=%03d", (int)f->number[2], (int)f->number[3],
		    (int)f->number[5]);
		return true;
	case OHOS_FREQUENCY:
	case OHOS_IDLE:
		sbuf_printf(out, "%s: state=%" PRIu64 " cpu_id=%" PRIu64,
		    kind == OHOS_IDLE ? "cpu_idle" : "cpu_frequency", f->number[1] & UINT32_MAX,
		    f->number[2] & UINT32_MAX);
		return true;
	case OHOS_BLOCKED:
		sbuf_printf(out, "sched_blocked_reason: pid=%d iowait=%d caller=0x%" PRIx64, (int)f->number[1],
		    (int)f->number[3], f->number[2]);
		return true;
	default:
		return false;
	}
}

static void
event_put(struct htrace *h, const struct htrace_event *event)
{
	struct wire message = {event->at, event->at + event->size};
	struct str comm = {"", 0};
	uint64_t pid = 0, tgid = 0;
	size_t begun = h->text.n;
	struct wire_field f;
	bool any = false;

	while (wire_next(&message, &f)) {
		if (f.number == OHOS_TGID && f.type == WIRE_VARINT)
			tgid = f.value;
		else if (f.number == OHOS_COMM && f.type == WIRE_BYTES)
			comm = wire_text(&f);
		else if (f.number == OHOS_COMMON && f.type == WIRE_BYTES)
			pid = fields_read(wire_message(&f)).number[COMMON_PID];
	}
	text_put(&h->text, comm.n > 0 ? comm : STR("<...>"));
	sbuf_printf(&h->text, "-%d (%5d) [%03" PRIu32 "] .... %" PRIu64 ".%09" PRIu64 ": ", (int)pid,
	    (int)tgid, event->cpu, event->ns / 1000000000, event->ns % 1000000000);
	message = (struct wire){event->at, event->at + event->size};
	while (!any && wire_next(&message, &f)) {
		struct htrace_fields fields;

		if (f.type != WIRE_BYTES || f.number <= OHOS_COMMON)
			continue;
		fields = fields_read(wire_message(&f));
		any = payload_put(&h->text, f.number, &fields);
	}
	if (any)
		sbuf_char(&h->text, '\n');
	else
		h->text.n = begun;
	h->other += !any;
}

static int
event_order(const void *a, const void *b)
{
	const struct htrace_event *x = a, *y = b;

	return order_then(ORDER(x->ns, y->ns), ORDER(x->at, y->at));
}

/* Puts the text in the place of the data. */
static bool
text_open(struct htrace *h, struct input *in, struct err *e)
{
	const struct tempfile_how how = {.folder = in->folder};
	struct tempfile file;
	bool good = true;

	if (!tempfile_begin(&file, &how, e))
		return false;
	qsort(h->events, h->count, sizeof(*h->events), event_order);
	sbuf_text(&h->text, "# tracer: nop\n#\n");
	for (size_t i = 0; good && i < h->count; i++) {
		event_put(h, &h->events[i]);
		if (h->text.n < OUT_BYTES && i + 1 < h->count)
			continue;
		good = tempfile_write(&file, h->text.p, h->text.n, e);
		sbuf_clear(&h->text);
	}
	return input_take(in, &file, good, e);
}

/* Opening ------------------------------------------------------------------------------ */

/* "cpu-plugin 49, ..." */
static void
plugins_list(const struct htrace *h, struct sbuf *out, bool others)
{
	for (size_t i = 0; i < h->plugin_count; i++) {
		if (others && str_equal(h->plugins[i].name, STR("ftrace-plugin")))
			continue;
		sbuf_text(out, out->n > 0 ? ", " : "");
		text_put(out, h->plugins[i].name);
		sbuf_printf(out, " %" PRIu64, h->plugins[i].count);
	}
}

static bool
htrace_refuse(const struct htrace *h, struct err *e)
{
	struct sbuf list = {0};

	plugins_list(h, &list, false);
	err_set(e, ERR_UNSUPPORTED, "is a recording of OpenHarmony's profiler (.htrace) without events of "
	    "ftrace; it has %s", list.n > 0 ? sbuf_cstr(&list) : "no messages");
	sbuf_release(&list);
	return false;
}

bool
htrace_open(struct trace *t, struct input *in, struct err *e)
{
	struct wire file = {in->data.bytes, in->data.bytes + in->data.size};
	struct htrace h = {.count = 0};
	struct sbuf others = {0};
	bool good;

	if (in->data.size < 8 || memcmp(file.p, "OHOSPROF", 8) != 0)
		return false;
	if (in->data.size < HEAD_BYTES)
		return err_set(e, ERR_TRUNCATED, "is a recording of OpenHarmony's profiler (.htrace) that ends "
		    "inside its head");
	if (get_u32(file.p + TYPE_AT) == TYPE_PERF)
		return err_set(e, ERR_UNSUPPORTED, "is a recording of hiperf within OpenHarmony's (.htrace); "
		    "SmartPerf Host opens it");
	messages_read(&h, file);
	plugins_list(&h, &others, true); /* the data go with text_open */
	good = h.count > 0 ? text_open(&h, in, e) : htrace_refuse(&h, e);
	if (good) {
		t->compressed = "htrace";
		if (others.n > 0)
			trace_note(t, "data of other plugins are left out: %s", sbuf_cstr(&others));
		trace_note_count(t, h.other, "events of other kinds are left out");
		good = ftrace_open(t, in, e);
	}
	mem_free(h.events);
	sbuf_release(&h.text);
	sbuf_release(&others);
	return good;
}
