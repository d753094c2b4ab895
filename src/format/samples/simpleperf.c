// SPDX-License-Identifier: Apache-2.0
/*
 * simpleperf: the report that simpleperf report-sample --protobuf and Android Studio write
 * (cmd_report_sample.proto).
 *
 * After a mark there are records, each a size of 4 bytes and a message; a size of 0 ends them.
 * Names of functions and threads come after the samples.  So all records are looked through
 * when the file is opened, and samples are decoded where they are.  One event is read: the
 * clock of a processor, else the first.
 */
#include <config.h>

#include <inttypes.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/samples/samples.h"

/* Numbers of fields, by message. */
enum {
	RECORD_SAMPLE = 1,
	RECORD_LOST = 2,
	RECORD_FILE = 3,
	RECORD_THREAD = 4,
	RECORD_META = 5,
	RECORD_SWITCH = 6,

	SAMPLE_TIME = 1, /* ns, monotonic */
	SAMPLE_THREAD = 2,
	SAMPLE_CALLCHAIN = 3, /* the innermost first */
	SAMPLE_COUNT = 4,
	SAMPLE_EVENT = 5, /* index of META_EVENT */
	SAMPLE_UNWINDING = 6,
	ENTRY_ADDRESS = 1,
	ENTRY_FILE = 2,
	ENTRY_SYMBOL = 3, /* index in the file's; -1: none */
	UNWINDING_RAW = 1,
	UNWINDING_ERROR = 3,
	LOST_SAMPLES = 1,
	LOST_LOST = 2,
	FILE_ID = 1,
	FILE_PATH = 2,
	FILE_SYMBOL = 3,
	THREAD_ID = 1,
	THREAD_PROCESS = 2,
	THREAD_NAME = 3,
	META_EVENT = 1,
};

enum { HEAD = 12, EVENTS_MOST = 256, WINDOW = 1 << 16 };

#define TIME_MOST (UINT64_C(1) << 60)

struct sp_file {
	struct str path;
	size_t first, count; /* of all symbols */
};

struct simpleperf {
	struct sampler s;
	struct wire rest;     /* records */
	struct idmap files, threads; /* by id */
	struct sp_file *file;
	size_t file_count, file_room;
	struct str *symbols;
	uint32_t *methods;    /* of symbols; METHOD_NONE: not met yet */
	size_t symbol_count, symbol_room;
	struct str *names;    /* of threads */
	uint32_t *rows;       /* of these in the trace */
	size_t name_count, name_room;
	struct str events[EVENTS_MOST];
	uint64_t samples[EVENTS_MOST]; /* of the event */
	size_t event_count, event;
	uint64_t origin, others, switches, unwinding, lost, stated, process;
	bool processes; /* more than one */
};

/* Messages -------------------------------------------------------------------------- */

/* The next record.  False at the end, `*cut` if that is too early. */
static bool
record_next(struct wire *rest, struct wire *record, bool *cut)
{
	uint32_t size;

	*cut = rest->end - rest->p < 4;
	if (*cut)
		return false;
	size = get_u32(rest->p);
	if (size == 0)
		return false;
	*cut = size > (size_t)(rest->end - rest->p) - 4;
	if (*cut)
		return false;
	*record = (struct wire){rest->p + 4, rest->p + 4 + size};
	rest->p = record->end;
	return true;
}

/* Looking through ------------------------------------------------------------------- */

static void
sample_look(struct simpleperf *p, struct wire message)
{
	uint64_t n[SAMPLE_EVENT + 1] = {0}, event;

	(void)wire_numbers(message, n, SAMPLE_EVENT + 1);
	event = n[SAMPLE_EVENT];
	if (event >= EVENTS_MOST)
		return;
	p->samples[event]++;
	p->event_count = event >= p->event_count ? (size_t)event + 1 : p->event_count;
	p->origin = n[SAMPLE_TIME] < p->origin ? n[SAMPLE_TIME] : p->origin;
}

static void
lost_look(struct simpleperf *p, struct wire message)
{
	uint64_t n[LOST_LOST + 1] = {0};

	(void)wire_numbers(message, n, LOST_LOST + 1);
	p->stated = n[LOST_SAMPLES];
	p->lost = n[LOST_LOST];
	damage_add(&p->s.trace->damage, DAMAGE_LOST_SAMPLES, p->lost,
	    (uint64_t)(message.p - p->s.in.data.bytes));
}

static void
file_look(struct simpleperf *p, struct wire message)
{
	uint64_t n[FILE_ID + 1] = {0};
	struct wire_field f;
	struct sp_file *file;

	(void)wire_numbers(message, n, FILE_ID + 1);
	MEM_GROW(p->file, p->file_room, p->file_count + 1);
	file = &p->file[p->file_count];
	*file = (struct sp_file){.path = wire_last(message, FILE_PATH),
	    .first = p->symbol_count};
	while (wire_next(&message, &f)) {
		if (f.number != FILE_SYMBOL || f.type != WIRE_BYTES)
			continue;
		*MEM_ADD(p->symbols, p->symbol_count, p->symbol_room) = wire_text(&f);
		file->count++;
	}
	idmap_put(&p->files, (uint32_t)n[FILE_ID], (uint32_t)p->file_count++);
}

static void
thread_look(struct simpleperf *p, struct wire message)
{
	uint64_t n[THREAD_PROCESS + 1] = {0};

	(void)wire_numbers(message, n, THREAD_PROCESS + 1);
	p->processes |= p->name_count > 0 && p->process != n[THREAD_PROCESS];
	p->process = n[THREAD_PROCESS];
	MEM_GROW(p->names, p->name_room, p->name_count + 1);
	p->names[p->name_count] = wire_last(message, THREAD_NAME);
	idmap_put(&p->threads, (uint32_t)n[THREAD_ID], (uint32_t)p->name_count++);
}

static void
meta_look(struct simpleperf *p, struct wire message)
{
	static const struct {
		uint32_t field;
		struct str key;
	} texts[] = {{2, STR("app")}, {3, STR("app type")}, {4, STR("Android SDK")},
	    {5, STR("build type")}};
	struct wire_field f;
	size_t events = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct str text = wire_last(message, texts[i].field);

		if (text.n > 0)
			trace_property_add(p->s.trace, texts[i].key, text);
	}
	while (wire_next(&message, &f) && events < EVENTS_MOST) {
		if (f.number == META_EVENT && f.type == WIRE_BYTES)
			p->events[events++] = wire_text(&f);
	}
	p->event_count = events > p->event_count ? events : p->event_count;
}

static void
switch_look(struct simpleperf *p, struct wire message)
{
	p->switches++;
}

static void (*const looks[])(struct simpleperf *, struct wire message) = {
    [RECORD_SAMPLE] = sample_look, [RECORD_LOST] = lost_look, [RECORD_FILE] = file_look,
    [RECORD_THREAD] = thread_look, [RECORD_META] = meta_look, [RECORD_SWITCH] = switch_look};

static void
records_look(struct simpleperf *p)
{
	struct damage *damage = &p->s.trace->damage;
	struct wire rest = p->rest, record;
	struct wire_field f;
	size_t passed = 0;
	bool cut;

	while (record_next(&rest, &record, &cut)) {
		uint64_t at = (uint64_t)(record.p - p->s.in.data.bytes) - 4;

		while (wire_next(&record, &f)) {
			if (f.type == WIRE_BYTES && f.number < sizeof(looks) / sizeof(looks[0]) &&
			    looks[f.number] != NULL)
				looks[f.number](p, wire_message(&f));
		}
		if (record.p != record.end)
			damage_add(damage, DAMAGE_SKIPPED_PACKET, 1, at);
		filemap_passed(&p->s.in.data, &passed, (size_t)at);
	}
	if (cut)
		damage_add(damage, DAMAGE_TRUNCATED_FILE, 1,
		    (uint64_t)(rest.p - p->s.in.data.bytes));
	p->rest.end = rest.p;
	p->methods = mem_alloc((p->symbol_count + 1) * sizeof(*p->methods));
	memset(p->methods, 0xff, (p->symbol_count + 1) * sizeof(*p->methods));
	p->rows = mem_alloc((p->name_count + 1) * sizeof(*p->rows));
	memset(p->rows, 0xff, (p->name_count + 1) * sizeof(*p->rows));
}

/* Samples --------------------------------------------------------------------------- */

/* The thread's row in the trace, which has those with samples. */
static uint32_t
thread_of(struct simpleperf *p, uint32_t id)
{
	uint32_t index = idmap_get(&p->threads, id);

	if (index == IDMAP_NONE) {
		samples_fault(&p->s, DAMAGE_UNKNOWN_THREAD);
		return trace_thread_adopt(p->s.trace, id);
	}
	if (p->rows[index] == THREAD_NONE)
		p->rows[index] = trace_thread_define(p->s.trace, id,
		    trace_keep(p->s.trace, p->names[index]), NULL);
	return p->rows[index];
}

/* Adds a frame: its symbol, else the name of its file with the address in that. */
static void
frame_add(struct simpleperf *p, struct wire entry)
{
	uint64_t n[ENTRY_SYMBOL + 1] = {0}, symbol;
	bool whole = wire_numbers(entry, n, ENTRY_SYMBOL + 1);
	uint32_t index = idmap_get(&p->files, (uint32_t)n[ENTRY_FILE]);
	const struct sp_file *file = index != IDMAP_NONE ? &p->file[index] : NULL;
	struct str path = file != NULL && file->path.n > 0 ? file->path : STR("[unknown]");
	struct sbuf name = {0};

	symbol = n[ENTRY_SYMBOL];
	if (!whole || file == NULL)
		samples_fault(&p->s, DAMAGE_UNKNOWN_METHOD);
	if (file != NULL && symbol < file->count && p->symbols[file->first + symbol].n > 0) {
		uint32_t *method = &p->methods[file->first + symbol];

		if (*method == METHOD_NONE)
			*method = samples_method(&p->s, p->symbols[file->first + symbol], path, false);
		samples_push(&p->s, *method);
		return;
	}
	sbuf_printf(&name, "%.*s+0x%" PRIx64, STR_ARG(str_base(path)), n[ENTRY_ADDRESS]);
	samples_push(&p->s, samples_method(&p->s, sbuf_view(&name),
	    file != NULL ? path : STR(""), true));
	sbuf_release(&name);
}

static void
sample_take(struct simpleperf *p, struct wire sample)
{
	uint64_t n[SAMPLE_EVENT + 1] = {0}, result[UNWINDING_ERROR + 1] = {0}, weight, time;
	struct wire_field f;

	if (!wire_numbers(sample, n, SAMPLE_EVENT + 1)) {
		samples_fault(&p->s, DAMAGE_MALFORMED_LINE);
		return;
	}
	if (n[SAMPLE_EVENT] != p->event) {
		p->others++;
		return;
	}
	while (wire_next(&sample, &f)) {
		if (f.number == SAMPLE_CALLCHAIN && f.type == WIRE_BYTES)
			frame_add(p, wire_message(&f));
		else if (f.number == SAMPLE_UNWINDING)
			(void)wire_numbers(wire_message(&f), result, UNWINDING_ERROR + 1);
	}
	p->unwinding += result[UNWINDING_RAW] != 0 || result[UNWINDING_ERROR] != 0;
	weight = n[SAMPLE_COUNT];
	if (unit_counts(&p->s.trace->unit))
		weight = weight < UINT64_MAX / 1000 ? weight * 1000 : UINT64_MAX;
	time = n[SAMPLE_TIME] > p->origin ? n[SAMPLE_TIME] - p->origin : 0;
	samples_add(&p->s, thread_of(p, (uint32_t)n[SAMPLE_THREAD]), weight,
	    (nsec)(time < TIME_MOST ? time : TIME_MOST), true);
}

static bool
simpleperf_take(struct sampler *s)
{
	struct simpleperf *p = (struct simpleperf *)s;
	struct wire record;
	struct wire_field f;
	bool cut;

	samples_goto(s, p->rest.p);
	if (!record_next(&p->rest, &record, &cut))
		return false;
	while (wire_next(&record, &f)) {
		if (f.number == RECORD_SAMPLE && f.type == WIRE_BYTES)
			sample_take(p, wire_message(&f));
	}
	return true;
}

/* Tells what is left out. */
static void
simpleperf_end(struct sampler *s)
{
	struct simpleperf *p = (struct simpleperf *)s;

	trace_note_count(s->trace, p->others, "samples of other events are left out");
	trace_note_count(s->trace, p->unwinding, "stacks are not whole: unwinding failed");
}

static void
simpleperf_free(struct sampler *s)
{
	struct simpleperf *p = (struct simpleperf *)s;

	idmap_release(&p->files);
	idmap_release(&p->threads);
	mem_free(p->file);
	mem_free(p->symbols);
	mem_free(p->methods);
	mem_free(p->names);
	mem_free(p->rows);
}

static const struct samples_format simpleperf = {simpleperf_take, simpleperf_end, simpleperf_free};

/* Opening --------------------------------------------------------------------------- */

bool
simpleperf_is(struct str file)
{
	return file.n >= HEAD && str_starts(file, STR("SIMPLEPERF\x01\0"));
}

/* A clock of a processor with samples, else the first event that has some. */
static size_t
event_default(const struct simpleperf *p)
{
	size_t found = 0;

	for (size_t i = p->event_count; i-- > 0;) {
		if (p->samples[i] > 0)
			found = i;
		if (p->samples[i] > 0 && samples_is_clock(p->events[i]))
			return i;
	}
	return found;
}

static void
facts_add(struct simpleperf *p)
{
	struct trace *t = p->s.trace;

	t->pid = p->processes ? 0 : p->process;
	trace_property_add(t, STR("event"), p->events[p->event]);
	trace_property_add(t, STR("lost"), trace_print(t, "%" PRIu64 " of %" PRIu64 " samples",
	    p->lost, p->lost + p->stated));
	if (p->lost > 0)
		trace_note(t, "simpleperf lost %" PRIu64 " samples: figures are too small", p->lost);
	trace_note_count(t, p->switches, "context switches are not shown");
	samples_others(&p->s, p->events, p->event_count, p->event);
}

bool
simpleperf_open(struct trace *t, struct input *in, struct err *e)
{
	struct simpleperf *p;

	if (!simpleperf_is((struct str){(const char *)in->data.bytes, in->data.size}))
		return false;
	p = mem_zero(1, sizeof(*p));
	samples_open(&p->s, &simpleperf, t, in);
	p->rest = (struct wire){in->data.bytes + HEAD, in->data.bytes + in->data.size};
	p->origin = UINT64_MAX;
	idmap_window(&p->files, 0, WINDOW);
	idmap_window(&p->threads, 0, WINDOW);
	records_look(p);
	for (size_t i = 0; i < p->event_count; i++) {
		if (p->events[i].n == 0)
			p->events[i] = i == 0 ? STR("events") : STR("other events");
	}
	t->format = "simpleperf";
	p->event = samples_choose(in->sample_type, p->events, p->event_count, event_default(p), e);
	if (e->kind != ERR_NONE)
		return samples_give_back(in);
	facts_add(p);
	if (samples_unit(&p->s, p->events[p->event]))
		samples_clocks(&p->s, HAS_BOTH);
	return true;
}
