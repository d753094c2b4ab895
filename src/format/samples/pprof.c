// SPDX-License-Identifier: Apache-2.0
/*
 * pprof: pprof's profile (proto/profile.proto), as Go, its tools and slowtop write it.
 *
 * Fields come in any order, and texts mostly last.  So the tables of locations, functions and
 * texts are read when the file is opened, and samples are decoded where they are.  One of a
 * sample's values is its weight.  Samples have no times; they are one thread's unless labels name
 * others.  What slowtop wrote has a sample for each path, with the calls of that.
 */
#include <config.h>

#include <inttypes.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/samples/samples.h"

/* Numbers of fields, by message. */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DROP = 7,
	PROFILE_KEEP = 8,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT = 14,
	PROFILE_FIELDS = 16,

	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1, /* the innermost first */
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4, /* the innermost first */
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

enum {
	LOOK_BYTES = 1 << 16, /* tell the format */
	TYPES_MOST = 64,
	WINDOW = 1 << 20,     /* ids that are found by position */
	INLINED_MOST = 4,     /* frames put into others, for a byte of the file */
	COMMENTS_MOST = 100,  /* that are read */
	CALLS_MOST = 1 << 28, /* that are told one by one */
};

struct pprof_type {
	uint64_t type, unit; /* texts */
};

struct pprof_function {
	uint64_t name, system, file; /* texts */
	uint32_t method;             /* METHOD_NONE: not met yet */
};

struct pprof_location {
	uint64_t address, mapping;
	size_t first;    /* of all lines */
	uint32_t count;
	uint32_t method; /* without lines; METHOD_NONE: not met yet */
};

struct pprof_file {
	struct sampler s;
	struct wire rest; /* fields */
	struct str *texts;
	size_t text_count, text_room;
	struct pprof_type types[TYPES_MOST], period;
	size_t type_count, type, wall; /* those that are read; wall: when `s.walled` */
	struct idmap function_ids, location_ids, mapping_ids;
	struct pprof_function *functions;
	size_t function_count, function_room;
	struct pprof_location *locations;
	size_t location_count, location_room;
	uint64_t *lines; /* ids of functions */
	size_t line_count, line_room;
	uint64_t *mappings; /* texts */
	size_t mapping_count, mapping_room;
	uint64_t number[PROFILE_FIELDS]; /* of the profile's own */
	uint64_t *comments; /* texts */
	size_t comment_count, comment_room;
	uint64_t scale;    /* of values */
	uint64_t inlined;  /* frames that may yet be told */
	struct intern threads; /* by name and number */
	uint32_t *rows;        /* of these in the trace */
	size_t row_room;
	uint64_t negative, calls, uncounted; /* samples; calls; samples whose calls are too many */
	bool classes;      /* names are of classes, methods and signatures */
	bool called;       /* samples are paths, the first of their values is calls of these */
};

/* Messages -------------------------------------------------------------------------- */

static struct str
text_of(const struct pprof_file *p, uint64_t index)
{
	return index < p->text_count ? p->texts[index] : STR("");
}

/* Takes the next number of a field, packed or not; `at` begins as the field's bytes. */
static bool
number_next(struct wire_field *f, uint64_t *number)
{
	if (f->type != WIRE_VARINT)
		return f->bytes.p < f->bytes.end && wire_varint(&f->bytes, number);
	*number = f->value;
	f->type = WIRE_BYTES; /* there is one */
	return true;
}

/* Looking through ------------------------------------------------------------------- */

static struct pprof_type
type_of(struct wire message)
{
	uint64_t n[3] = {0};

	(void)wire_numbers(message, n, 3);
	return (struct pprof_type){n[TYPE_TYPE], n[TYPE_UNIT]};
}

static void
type_look(struct pprof_file *p, struct wire message)
{
	if (p->type_count < TYPES_MOST)
		p->types[p->type_count++] = type_of(message);
}

static void
mapping_look(struct pprof_file *p, struct wire message)
{
	uint64_t n[6] = {0};

	(void)wire_numbers(message, n, 6);
	MEM_GROW(p->mappings, p->mapping_room, p->mapping_count + 1);
	p->mappings[p->mapping_count] = n[MAPPING_FILE];
	if (n[MAPPING_ID] != UINT64_MAX)
		idmap_put(&p->mapping_ids, n[MAPPING_ID], (uint32_t)p->mapping_count++);
}

static void
location_look(struct pprof_file *p, struct wire message)
{
	uint64_t n[4] = {0}, line[2];
	struct wire_field f;
	struct pprof_location *l;

	(void)wire_numbers(message, n, 4);
	MEM_GROW(p->locations, p->location_room, p->location_count + 1);
	l = &p->locations[p->location_count];
	*l = (struct pprof_location){.address = n[LOCATION_ADDRESS], .mapping = n[LOCATION_MAPPING],
	    .first = p->line_count, .method = METHOD_NONE};
	while (wire_next(&message, &f)) {
		if (f.number != LOCATION_LINE || f.type != WIRE_BYTES || l->count == UINT32_MAX)
			continue;
		line[LINE_FUNCTION] = 0;
		(void)wire_numbers(wire_message(&f), line, 2);
		*MEM_ADD(p->lines, p->line_count, p->line_room) = line[LINE_FUNCTION];
		l->count++;
	}
	if (n[LOCATION_ID] != UINT64_MAX)
		idmap_put(&p->location_ids, n[LOCATION_ID], (uint32_t)p->location_count++);
}

static void
function_look(struct pprof_file *p, struct wire message)
{
	uint64_t n[5] = {0};

	(void)wire_numbers(message, n, 5);
	MEM_GROW(p->functions, p->function_room, p->function_count + 1);
	p->functions[p->function_count] = (struct pprof_function){.name = n[FUNCTION_NAME],
	    .system = n[FUNCTION_SYSTEM_NAME], .file = n[FUNCTION_FILE], .method = METHOD_NONE};
	if (n[FUNCTION_ID] != UINT64_MAX)
		idmap_put(&p->function_ids, n[FUNCTION_ID], (uint32_t)p->function_count++);
}

static void
text_look(struct pprof_file *p, struct wire text)
{
	*MEM_ADD(p->texts, p->text_count, p->text_room) = (struct str){(const char *)text.p,
	    (size_t)(text.end - text.p)};
}

static void
period_look(struct pprof_file *p, struct wire message)
{
	p->period = type_of(message);
}

/* Takes comments that are packed, or not: then each is a field of its own. */
static void
comments_look(struct pprof_file *p, struct wire_field f)
{
	uint64_t text;

	while (number_next(&f, &text))
		*MEM_ADD(p->comments, p->comment_count, p->comment_room) = text;
}

static void (*const looks[PROFILE_FIELDS])(struct pprof_file *, struct wire message) = {
    [PROFILE_TYPE] = type_look, [PROFILE_MAPPING] = mapping_look,
    [PROFILE_LOCATION] = location_look, [PROFILE_FUNCTION] = function_look,
    [PROFILE_STRING] = text_look, [PROFILE_PERIOD_TYPE] = period_look};

static void
tables_look(struct pprof_file *p)
{
	struct damage *damage = &p->s.trace->damage;
	struct wire rest = p->rest;
	struct wire_field f;
	size_t passed = 0;

	idmap_window(&p->function_ids, 0, WINDOW);
	idmap_window(&p->location_ids, 0, WINDOW);
	while (wire_next(&rest, &f)) {
		if (f.number >= PROFILE_FIELDS)
			continue;
		if (f.number == PROFILE_COMMENT)
			comments_look(p, f);
		if (f.type == WIRE_VARINT && p->number[f.number] == 0)
			p->number[f.number] = f.value;
		if (f.type != WIRE_BYTES || looks[f.number] == NULL)
			continue;
		looks[f.number](p, f.bytes);
		filemap_passed(&p->s.in.data, &passed, (size_t)(rest.p - p->s.in.data.bytes));
	}
	if (rest.p != rest.end)
		damage_add(damage, DAMAGE_TRUNCATED_FILE, 1,
		    (uint64_t)(rest.p - p->s.in.data.bytes));
	p->rest.end = rest.p;
}

/* Samples --------------------------------------------------------------------------- */

/* Returns the id in "0x62ae8a10", which slowtop writes as the name of the system. */
static uint64_t
id_of(struct str text)
{
	const char *end = text.p + text.n;
	uint64_t id;

	return str_starts(text, STR("0x")) && hex_digits_take(text.p + 2, end, &id) == end ? id : SAMPLES_NO_ID;
}

static uint32_t
function_method(struct pprof_file *p, struct pprof_function *f)
{
	struct str name = text_of(p, f->name), system = text_of(p, f->system);
	uint64_t id = p->classes ? id_of(system) : SAMPLES_NO_ID;

	if (f->method != METHOD_NONE)
		return f->method;
	if (name.n == 0)
		name = system;
	if (name.n == 0)
		name = STR("[unknown]");
	if (id != SAMPLES_NO_ID && str_equal(name, system))
		name = STR("");
	return f->method = p->classes ? samples_class_method(&p->s, id, name, text_of(p, f->file))
		: samples_method(&p->s, name, text_of(p, f->file), false);
}

static void
function_add(struct pprof_file *p, uint64_t id)
{
	uint32_t index = id != UINT64_MAX ? idmap_get(&p->function_ids, id) : IDMAP_NONE;

	if (index == IDMAP_NONE) {
		samples_fault(&p->s, DAMAGE_UNKNOWN_METHOD);
		samples_push(&p->s, samples_method(&p->s, STR("[unknown]"), STR(""), true));
		return;
	}
	samples_push(&p->s, function_method(p, &p->functions[index]));
}

/* The method of a location without a function. */
static uint32_t
place_method(struct pprof_file *p, const struct pprof_location *l)
{
	uint32_t index = l->mapping != UINT64_MAX ? idmap_get(&p->mapping_ids, l->mapping)
						  : IDMAP_NONE;
	struct str file = index != IDMAP_NONE ? text_of(p, p->mappings[index]) : STR("");
	struct str base = str_base(file);
	struct sbuf name = {0};
	uint32_t method;

	if (l->address != 0)
		sbuf_printf(&name, "0x%" PRIx64, l->address);
	else
		sbuf_printf(&name, "[%.*s]", STR_ARG(base.n > 0 ? base : STR("unknown")));
	method = samples_method(&p->s, sbuf_view(&name), file, true);
	sbuf_release(&name);
	return method;
}

static void
location_add(struct pprof_file *p, uint64_t id)
{
	uint32_t index = id != UINT64_MAX ? idmap_get(&p->location_ids, id) : IDMAP_NONE;
	struct pprof_location *l;

	if (index == IDMAP_NONE) {
		function_add(p, UINT64_MAX);
		return;
	}
	l = &p->locations[index];
	if (l->count == 0) {
		if (l->method == METHOD_NONE)
			l->method = place_method(p, l);
		samples_push(&p->s, l->method);
		return;
	}
	for (uint32_t i = 0; i < l->count; i++) {
		if (i > 0 && p->inlined-- == 0) {
			p->inlined = 0;
			samples_fault(&p->s, DAMAGE_TOO_DEEP);
			break;
		}
		function_add(p, p->lines[l->first + i]);
	}
}

/* The thread that a sample's labels tell. */
struct pprof_thread {
	struct str name;
	uint64_t id; /* 0: not stated */
};

static void
label_take(struct pprof_file *p, struct wire label, struct pprof_thread *thread)
{
	uint64_t n[4] = {0}, number;
	struct str key, text;

	(void)wire_numbers(label, n, 4);
	key = text_of(p, n[LABEL_KEY]);
	text = text_of(p, n[LABEL_TEXT]);
	if (!str_equal(key, STR("thread")) && !str_equal(key, STR("tid")) &&
	    !str_equal(key, STR("thread_id")))
		return;
	if (text.n > 0 && digits_take(text.p, text.p + text.n, 10, &number) == text.p + text.n)
		thread->id = number;
	else if (text.n > 0)
		thread->name = text;
	else
		thread->id = n[LABEL_NUMBER];
}

static uint32_t
thread_of(struct pprof_file *p, const struct pprof_thread *thread)
{
	uint32_t index = intern_add(&p->threads, thread->name, thread->id);
	size_t room = p->row_room;
	struct thread row = {.listed = true};

	MEM_GROW(p->rows, p->row_room, (size_t)index + 1);
	if (p->row_room > room)
		memset(p->rows + room, 0xff, (p->row_room - room) * sizeof(*p->rows));
	if (p->rows[index] == THREAD_NONE) {
		row.id = thread->id != 0 ? (uint32_t)thread->id : index + 1;
		row.name = thread->name.n > 0 || thread->id != 0
		    ? trace_keep(p->s.trace, thread->name)
		    : str_from(path_base(p->s.trace->path));
		p->rows[index] = trace_thread_append(p->s.trace, &row);
	}
	return p->rows[index];
}

/* Takes the calls of a path.  Slowtop's own begin with what is no call. */
static void
calls_take(struct pprof_file *p, uint64_t calls)
{
	struct sampler *s = &p->s;
	size_t n = s->frame_count;

	if (n > 0 && str_equal(trace_method(s->trace, s->frames[n - 1])->name, STR("(toplevel)")))
		s->frame_count--;
	if (s->frame_count == 0)
		return;
	if (calls > CALLS_MOST - p->calls) {
		p->uncounted++;
		return;
	}
	p->calls += calls;
	s->calls = (uint32_t)calls;
}

/* The first of a sample's values. */
static uint64_t
calls_of(struct wire sample)
{
	struct wire_field f;
	uint64_t number;

	while (wire_next(&sample, &f)) {
		if (f.number == SAMPLE_VALUE && number_next(&f, &number))
			return number;
	}
	return 0;
}

/* All calls, as far as they will be told. */
static uint64_t
calls_count(const struct pprof_file *p)
{
	struct wire rest = p->rest;
	struct wire_field f;
	uint64_t sum = 0, calls;

	while (wire_next(&rest, &f)) {
		if (f.number != PROFILE_SAMPLE || f.type != WIRE_BYTES)
			continue;
		calls = calls_of(f.bytes);
		sum += calls <= CALLS_MOST - sum ? calls : 0;
	}
	return sum;
}

static void
sample_take(struct pprof_file *p, struct wire message)
{
	struct wire whole = message, sample = message;
	struct wire_field f;
	struct pprof_thread thread = {.name = STR("")};
	uint64_t number, value = 0;
	size_t values = 0;

	p->s.wall = 0;
	while (wire_next(&whole, &f)) {
		while (f.number == SAMPLE_VALUE && number_next(&f, &number)) {
			value = values == p->type ? number : value;
			p->s.wall = values++ == p->wall && number <= INT64_MAX ? number : p->s.wall;
		}
		if (f.number == SAMPLE_LABEL && f.type == WIRE_BYTES)
			label_take(p, wire_message(&f), &thread);
	}
	if (whole.p != whole.end) {
		samples_fault(&p->s, DAMAGE_MALFORMED_LINE);
		return;
	}
	if (value > INT64_MAX) {
		p->negative++;
		return;
	}
	while (wire_next(&sample, &f)) {
		while (f.number == SAMPLE_LOCATION && number_next(&f, &number))
			location_add(p, number);
	}
	if (p->called)
		calls_take(p, calls_of(message));
	samples_add(&p->s, thread_of(p, &thread),
	    value < UINT64_MAX / p->scale ? value * p->scale : UINT64_MAX, 0, true);
}

static bool
pprof_take(struct sampler *s)
{
	struct pprof_file *p = (struct pprof_file *)s;
	struct wire_field f;
	const uint8_t *at = p->rest.p;

	if (!wire_next(&p->rest, &f))
		return false;
	samples_goto(s, at);
	if (f.number == PROFILE_SAMPLE && f.type == WIRE_BYTES)
		sample_take(p, wire_message(&f));
	return true;
}

/* Tells what is left out. */
static void
pprof_end(struct sampler *s)
{
	struct pprof_file *p = (struct pprof_file *)s;

	trace_note_count(s->trace, p->negative,
	    "samples with a negative value are left out, as of a difference");
	trace_note_count(s->trace, p->uncounted, "paths count one call each; they have too many");
}

static void
pprof_free(struct sampler *s)
{
	struct pprof_file *p = (struct pprof_file *)s;

	idmap_release(&p->function_ids);
	idmap_release(&p->location_ids);
	idmap_release(&p->mapping_ids);
	intern_release(&p->threads);
	mem_free(p->texts);
	mem_free(p->functions);
	mem_free(p->locations);
	mem_free(p->lines);
	mem_free(p->mappings);
	mem_free(p->comments);
	mem_free(p->rows);
}

static const struct samples_format pprof = {pprof_take, pprof_end, pprof_free};

/* Opening --------------------------------------------------------------------------- */

/* A type is two numbers at most. */
static bool
is_type(struct wire message)
{
	struct wire_field f;

	while (wire_next(&message, &f)) {
		if (f.number > TYPE_UNIT || f.type != WIRE_VARINT)
			return false;
	}
	return message.p == message.end;
}

/* Looks at fields until it knows; a file that was cut is one, too. */
static bool
fields_look(struct str file, bool *named)
{
	/* Bits of numbers: messages and texts, numbers, either. */
	static const uint32_t bytes = 0x087e, numbers = 0xd780, either = 0x2000;
	struct wire rest = {(const uint8_t *)file.p, (const uint8_t *)file.p + file.n};
	const uint8_t *begin = rest.p;
	struct wire_field f;
	uint32_t seen = 0, legal;

	while (rest.p - begin < LOOK_BYTES && wire_next(&rest, &f)) {
		legal = either | (f.type == WIRE_BYTES ? bytes : f.type == WIRE_VARINT ? numbers : 0);
		if (f.number >= PROFILE_FIELDS || (legal >> f.number & 1) == 0 ||
		    (f.number == PROFILE_TYPE && !is_type(f.bytes)))
			return false;
		seen |= 1u << f.number;
	}
	/* The end of one that was cut begins as a field does. */
	if (rest.p < rest.end && rest.p - begin < LOOK_BYTES &&
	    ((*rest.p & 7) != WIRE_BYTES || (bytes >> (*rest.p >> 3) % 32 & 1) == 0))
		return false;
	*named = (seen >> PROFILE_STRING & 1) != 0 || rest.p - begin >= LOOK_BYTES;
	return (seen >> PROFILE_TYPE & 1) != 0 && (seen & ~(1u << PROFILE_TYPE)) != 0;
}

bool
pprof_is(struct str file)
{
	bool named;

	return fields_look(file, &named);
}

/* Nanoseconds and bytes by their names; of others a thousandth is kept as one. */
static void
unit_set(struct pprof_file *p)
{
	static const struct {
		struct str name;
		uint64_t scale;
		bool bytes;
	} units[] = {
	    {STR("nanoseconds"), 1, false}, {STR("ns"), 1, false},
	    {STR("nanosecond"), 1, false}, {STR("microseconds"), 1000, false},
	    {STR("us"), 1000, false}, {STR("milliseconds"), 1000000, false},
	    {STR("ms"), 1000000, false}, {STR("seconds"), 1000000000, false},
	    {STR("s"), 1000000000, false}, {STR("bytes"), 1000, true}, {STR("byte"), 1000, true},
	    {STR("B"), 1000, true}, {STR("kilobytes"), 1024000, true},
	    {STR("megabytes"), 1048576000, true},
	};
	struct trace *t = p->s.trace;
	struct str unit = text_of(p, p->types[p->type].unit);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!str_equal(unit, units[i].name))
			continue;
		p->scale = units[i].scale;
		t->unit.bytes = units[i].bytes;
		t->unit.name = units[i].bytes ? "bytes" : NULL;
		return;
	}
	p->scale = 1000;
	if (unit.n == 0 || str_equal(unit, STR("count")))
		unit = text_of(p, p->types[p->type].type);
	samples_unit(&p->s, unit.n > 0 ? unit : STR("count"));
	if (t->unit.name == NULL)
		t->unit.name = "count";
}

/* Takes the damage of a trace that slowtop saved: "truncated-file 1 270". */
static void
damage_take(struct pprof_file *p, struct str text)
{
	struct str name = str_cut(&text, ' '), count = str_cut(&text, ' ');
	uint64_t number, offset;

	if (text.p == NULL) /* fewer than three words */
		return;
	(void)digits_take(count.p, count.p + count.n, 18, &number);
	(void)digits_take(text.p, text.p + text.n, 18, &offset);
	for (int i = 0; i < DAMAGE_KINDS && number > 0; i++)
		if (str_equal(name, str_from(damage_kinds[i].name)))
			damage_add(&p->s.trace->damage, (enum damage_kind)i, number, offset);
}

/* Returns what follows the beginning of one of slowtop's comments. */
static struct str
behind(struct str text, struct str beginning)
{
	return (struct str){text.p + beginning.n, text.n - beginning.n};
}

static void
sampler_take(struct pprof_file *p, struct str text)
{
	uint64_t interval;

	(void)digits_take(text.p, text.p + text.n, 18, &interval);
	p->s.trace->sampler.yes = true;
	p->s.trace->sampler.interval = (nsec)interval;
}

static void
comment_take(struct pprof_file *p, struct str text)
{
	struct trace *t = p->s.trace;

	if (str_equal(text, TRACE_CLASSES))
		p->classes = true;
	else if (str_starts(text, TRACE_DAMAGE))
		damage_take(p, behind(text, TRACE_DAMAGE));
	else if (str_starts(text, TRACE_SAVED))
		trace_property_add(t, STR("saved of"), behind(text, TRACE_SAVED));
	else if (str_starts(text, TRACE_SAMPLED))
		sampler_take(p, behind(text, TRACE_SAMPLED));
	else if (text.n > 0)
		trace_property_add(t, STR("comment"), text);
}

static void
facts_add(struct pprof_file *p, const struct str *types)
{
	struct trace *t = p->s.trace;
	uint64_t duration = p->number[PROFILE_DURATION];

	trace_property_add(t, STR("value"), p->s.walled ? STR("cpu, wall") : types[p->type]);
	if (p->mapping_count > 0 && text_of(p, p->mappings[0]).n > 0)
		trace_property_add(t, STR("program"), text_of(p, p->mappings[0]));
	if (p->number[PROFILE_PERIOD] > 0)
		trace_property_add(t, STR("period"), trace_print(t, "%" PRIu64 " %.*s",
		    p->number[PROFILE_PERIOD], STR_ARG(str_head(text_of(p, p->period.unit), 100))));
	for (size_t i = 0; i < p->comment_count && i < COMMENTS_MOST; i++)
		comment_take(p, text_of(p, p->comments[i]));
	if (duration > 0 && duration <= INT64_MAX)
		trace_property_add(t, STR("duration"),
		    trace_print(t, "%s", fmt_duration(FMT_BUF, (nsec)duration)));
	if (p->number[PROFILE_TIME] <= INT64_MAX)
		t->start_us = p->number[PROFILE_TIME] / 1000;
	if (p->number[PROFILE_DROP] != 0 || p->number[PROFILE_KEEP] != 0)
		trace_note(t, "go tool pprof leaves out frames here that the profile tells it to; "
		    "slowtop has them all");
}

/* Finds the second clock of paths that have times of both. */
static void
walls_find(struct pprof_file *p, const struct str *types)
{
	for (size_t i = 1; p->type_count == 3 && i < 3; i++) {
		if (!str_equal(types[i], STR("wall")) || !str_equal(types[3 - i], STR("cpu")) ||
		    !str_equal(text_of(p, p->types[i].unit), text_of(p, p->types[3 - i].unit)))
			continue;
		p->s.walled = true;
		p->wall = i;
		p->type = 3 - i;
		p->s.trace->clocks = HAS_BOTH;
	}
}

/* Chooses the value that is read. */
static bool
type_choose(struct pprof_file *p, const char *wanted, struct err *e)
{
	struct str types[TYPES_MOST];
	size_t otherwise = p->type_count - 1;
	uint64_t stated = p->number[PROFILE_DEFAULT];

	for (size_t i = p->type_count; i-- > 0;) {
		types[i] = text_of(p, p->types[i].type);
		if (stated != 0 && str_equal(types[i], text_of(p, stated)))
			otherwise = i;
	}
	p->type = samples_choose(wanted, types, p->type_count, otherwise, e);
	if (e->kind != ERR_NONE)
		return false;
	p->called = p->type_count > 1 && str_equal(types[0], STR("calls"));
	if (wanted == NULL && p->called)
		walls_find(p, types);
	if (!p->s.walled) /* calls are read beside the value */
		samples_others(&p->s, types + p->called, p->type_count - p->called, p->type - p->called);
	facts_add(p, types);
	return true;
}

bool
pprof_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size};
	struct pprof_file *p;
	bool named;

	if (!fields_look(file, &named) || !named)
		return false;
	p = mem_zero(1, sizeof(*p));
	samples_open(&p->s, &pprof, t, in);
	p->s.source.past = in->data.size / 32 + 1024;
	p->rest = (struct wire){in->data.bytes, in->data.bytes + in->data.size};
	p->inlined = in->data.size * INLINED_MOST;
	tables_look(p);
	t->format = "pprof";
	if (!type_choose(p, in->sample_type, e))
		return samples_give_back(in);
	unit_set(p);
	if (p->called) /* batches of calls without bytes of their own */
		p->s.source.past += 2 * calls_count(p) / BATCH_EVENTS;
	p->s.source.end = in->data.size + p->s.source.past;
	if (p->called && str_equal(text_of(p, p->types[p->type].type), STR("wall")))
		t->clocks = HAS_WALL;
	t->sampled = !p->called || unit_counts(&t->unit);
	t->summed = t->sampler.stated = p->called;
	/* Slowtop writes functions in the order of the trace's methods, which decides between equal ones. */
	for (size_t i = 0; p->called && i < p->function_count; i++)
		(void)function_method(p, &p->functions[i]);
	if (!p->called)
		trace_note(t, "a profile of pprof has no times: stacks are in the order of the file");
	return true;
}
