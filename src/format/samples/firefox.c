// SPDX-License-Identifier: Apache-2.0
/*
 * firefox: profiles of the Firefox Profiler, processed ones of all versions and Gecko's own.
 *
 * Source: docs-developer of the Firefox Profiler (CHANGELOG-formats, gecko-profile-format).  Each
 * thread has samples {stack, time or timeDeltas, weight} and tables by column: stackTable {frame,
 * prefix, or prefixOffset since 66}, frameTable {func}, funcTable {name, fileName or resource},
 * resourceTable {name}, stringArray or stringTable; since 56 and 60 in `shared`.  Gecko's have rows
 * with a schema, and a place in frameTable {location}.  Times are milliseconds.
 *
 * A sample weighs 1, or its weight, by weightType: samples, bytes, or tracing-ms, which is time
 * until the next one; then threadCPUDelta is the CPU time since the one before.  Threads in another
 * unit than the first one with samples are left out, and so are negative weights, which differences
 * have.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/table.h"
#include "format/samples/samples.h"

enum { META, SHARED, THREADS, PROCESSES, PROFILE, PROFILE_MEMBERS };

static const char *const profile_members[PROFILE_MEMBERS] = {[META] = "meta", [SHARED] = "shared",
    [THREADS] = "threads", [PROCESSES] = "processes", [PROFILE] = "profile"};

enum { START, UNITS, PRODUCT, META_MEMBERS };

static const char *const meta_members[META_MEMBERS] = {
    [START] = "startTime", [UNITS] = "sampleUnits", [PRODUCT] = "product"};

/* Members of threads; the tables may be in `shared` instead. */
enum { NAME, TID, SAMPLES, STACKS, FRAMES, FUNCS, RESOURCES, SOURCES, STRINGS, STRING_TABLE,
    THREAD_MEMBERS, TABLES = STACKS };

static const char *const thread_members[THREAD_MEMBERS] = {[NAME] = "name", [TID] = "tid",
    [SAMPLES] = "samples", [STACKS] = "stackTable", [FRAMES] = "frameTable", [FUNCS] = "funcTable",
    [RESOURCES] = "resourceTable", [SOURCES] = "sources", [STRINGS] = "stringArray",
    [STRING_TABLE] = "stringTable"};

enum { SAMPLES_WEIGHT, SAMPLES_TYPE, SAMPLES_MEMBERS };

static const char *const samples_members[SAMPLES_MEMBERS] = {
    [SAMPLES_WEIGHT] = "weight", [SAMPLES_TYPE] = "weightType"};

/* How weights are told, and the power of ten that makes nanoseconds or thousandths of them. */
static const struct weights {
	const char *type;
	int power;
	const char *unit; /* NULL: times */
} weights[] = {
    {"samples", 3, "samples"},
    {"tracing-ms", 6, NULL},
    {"bytes", 3, "bytes"},
};

enum { PROFILES_MOST = 1024, MS_POWER = 6 };

struct firefox_profile {
	struct jcolumn threads;
	struct str shared;
	nsec later; /* than the first one */
};

struct firefox_json {
	struct sampler s;
	struct firefox_profile *profiles;
	size_t profile_count, profile_room, profile_at;
	const struct weights *weights;
	int cpu_power;     /* of CPU times; -1: none are told */
	uint32_t number;   /* of threads that were begun */
	uint64_t left_out; /* threads */
	uint64_t negative; /* weights */

	/* The thread that is read. */
	uint32_t thread;
	struct jcolumn stacks, times, values, clocks;
	bool reads, deltas, timed, valued, clocked, any;
	nsec later, at;
	struct str tables[THREAD_MEMBERS - TABLES]; /* that the rows were made of */
	struct stack_row *rows;
	size_t row_count;
};

/* Tables ------------------------------------------------------------------------------- */

/* The names that frames are made of. */
struct firefox_names {
	struct str *strings;
	size_t string_count;
	uint32_t *names, *files, *resources; /* of functions: files are strings or sources */
	size_t name_count, file_count, resource_count;
	uint32_t *sources, *resource_names;  /* of sources and resources: strings */
	size_t source_count, resource_name_count;
};

static struct str
string_at(const struct firefox_names *n, uint32_t index)
{
	return index < n->string_count ? n->strings[index] : (struct str){"", 0};
}

static uint32_t
cell_at(const uint32_t *cells, size_t count, uint32_t row)
{
	return row < count ? cells[row] : CELL_NONE;
}

/* The file of a function, or the library or page that it is of. */
static struct str
func_file(const struct firefox_names *n, uint32_t func)
{
	uint32_t file = cell_at(n->files, n->file_count, func);

	if (n->sources != NULL)
		file = cell_at(n->sources, n->source_count, file);
	if (file == CELL_NONE)
		file = cell_at(n->resource_names, n->resource_name_count,
		    cell_at(n->resources, n->resource_count, func));
	return string_at(n, file);
}

/* "name (in library)" and "name (file:line)" of Gecko's places. */
static struct str
location_cut(struct str *location)
{
	struct str name = *location, place = {"", 0};
	size_t at = name.n;

	if (name.n == 0 || name.p[name.n - 1] != ')')
		return place;
	for (int depth = 0; at-- > 0;) {
		depth += name.p[at] == ')';
		depth -= name.p[at] == '(';
		if (depth == 0)
			break;
	}
	if (at < 2 || at >= name.n || name.p[at - 1] != ' ')
		return place;
	place = (struct str){name.p + at + 1, name.n - at - 2};
	if (str_starts(place, STR("in ")))
		place = (struct str){place.p + 3, place.n - 3};
	location->n = at - 1;
	return place;
}

static uint32_t
method_of(struct firefox_json *f, const struct firefox_names *n, uint32_t func, bool located)
{
	struct sbuf name = {0}, file = {0};
	struct str text, place = {"", 0};
	uint32_t method;

	jscan_unescape(&name, string_at(n, located ? func : cell_at(n->names, n->name_count, func)));
	if (!located)
		jscan_unescape(&file, func_file(n, func));
	text = sbuf_view(&name);
	if (located)
		place = location_cut(&text);
	if (text.n == 0)
		text = STR("(unnamed)");
	method = samples_method(&f->s, text, located ? place : sbuf_view(&file), true);
	sbuf_release(&name);
	sbuf_release(&file);
	return method;
}

/* Makes the rows of stacks: each has its frame's method. */
static void
rows_make(struct firefox_json *f, const struct firefox_names *n)
{
	const struct str *t = f->tables;
	size_t frame_count, func_count, prefix_count, offset_count;
	uint32_t *frames = jcolumn_indexes(t[STACKS - TABLES], "frame", &frame_count);
	uint32_t *prefixes = jcolumn_indexes(t[STACKS - TABLES], "prefix", &prefix_count);
	uint32_t *offsets = jcolumn_indexes(t[STACKS - TABLES], "prefixOffset", &offset_count);
	uint32_t *funcs = jcolumn_indexes(t[FRAMES - TABLES], "func", &func_count);
	bool located = funcs == NULL;
	uint32_t *methods;

	if (located)
		funcs = jcolumn_indexes(t[FRAMES - TABLES], "location", &func_count);
	f->row_count = frame_count;
	f->rows = frame_count > 0 ? mem_zero(frame_count, sizeof(*f->rows)) : NULL;
	methods = func_count > 0 ? mem_zero(func_count, sizeof(*methods)) : NULL;
	for (size_t i = 0; i < frame_count; i++) {
		uint32_t below = cell_at(prefixes, prefix_count, (uint32_t)i), func = frames[i];
		uint32_t offset = cell_at(offsets, offset_count, (uint32_t)i);

		if (offset != CELL_NONE && offset > 0)
			below = offset <= i ? (uint32_t)i - offset : (uint32_t)frame_count;
		f->rows[i] = (struct stack_row){.below = below != CELL_NONE ? below + 1 : 0,
		    .method = METHOD_NONE};
		if (func >= func_count) {
			samples_fault(&f->s, DAMAGE_UNKNOWN_METHOD);
			continue;
		}
		if (methods[func] == 0)
			methods[func] = method_of(f, n, funcs[func], located) + 1;
		f->rows[i].method = methods[func] - 1;
	}
	mem_free(frames);
	mem_free(prefixes);
	mem_free(offsets);
	mem_free(funcs);
	mem_free(methods);
}

static void
tables_read(struct firefox_json *f)
{
	const struct str *t = f->tables;
	struct firefox_names n = {0};
	struct jscan_value strings = {'[', t[STRINGS - TABLES]};

	if (strings.text.n == 0)
		strings.text = t[STRING_TABLE - TABLES];
	if (strings.text.n > 0 && *strings.text.p == '{')
		strings = jscan_find(strings.text, "_array");
	n.strings = jcolumn_texts(strings, &n.string_count);
	n.names = jcolumn_indexes(t[FUNCS - TABLES], "name", &n.name_count);
	n.files = jcolumn_indexes(t[FUNCS - TABLES], "fileName", &n.file_count);
	n.resources = jcolumn_indexes(t[FUNCS - TABLES], "resource", &n.resource_count);
	n.resource_names = jcolumn_indexes(t[RESOURCES - TABLES], "name", &n.resource_name_count);
	if (n.files == NULL) {
		n.files = jcolumn_indexes(t[FUNCS - TABLES], "source", &n.file_count);
		n.sources = jcolumn_indexes(t[SOURCES - TABLES], "filename", &n.source_count);
	}
	rows_make(f, &n);
	mem_free(n.strings);
	mem_free(n.names);
	mem_free(n.files);
	mem_free(n.resources);
	mem_free(n.sources);
	mem_free(n.resource_names);
}

/* Finds a thread's tables; those of the thread before stay where they are the same. */
static void
tables_find(struct firefox_json *f, const struct jscan_value *own, struct str shared)
{
	struct jscan_value common[THREAD_MEMBERS];
	struct str tables[THREAD_MEMBERS - TABLES];

	(void)jscan_members(shared, thread_members, THREAD_MEMBERS, common);
	for (int i = TABLES; i < THREAD_MEMBERS; i++)
		tables[i - TABLES] = own[i].kind != 0 ? own[i].text : common[i].text;
	if (f->rows != NULL && memcmp(tables, f->tables, sizeof(tables)) == 0)
		return;
	mem_free(f->rows);
	memcpy(f->tables, tables, sizeof(tables));
	tables_read(f);
}

/* Threads ------------------------------------------------------------------------------ */

static const struct weights *
weights_of(const struct jscan_value *type)
{
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++) {
		if (str_equal(type->text, str_from(weights[i].type)))
			return &weights[i];
	}
	return &weights[0];
}

/* Threads of several processes may have the same id: the later ones get others. */
static uint32_t
thread_define(struct firefox_json *f, const struct jscan_value *tid, struct str name)
{
	struct jscan_value number = {'0', tid->text};
	uint32_t id = jcell_index(&number);

	if (id == CELL_NONE || idmap_get(&f->s.trace->thread_ids, id) != IDMAP_NONE)
		id = (UINT32_C(1) << 30) + f->number;
	return trace_thread_define(f->s.trace, id, jscan_text(&f->s.trace->arena, name), NULL);
}

/* Goes to the next thread; false when there are no more. */
static bool
thread_begin(struct firefox_json *f)
{
	struct firefox_profile *p = &f->profiles[f->profile_at];
	struct jscan_value thread, v[THREAD_MEMBERS], how[SAMPLES_MEMBERS];
	struct str samples;

	f->reads = false;
	if (!jcolumn_next(&p->threads, &thread)) {
		f->profile_at++;
		return f->profile_at < f->profile_count;
	}
	f->number++;
	(void)jscan_members(thread.text, thread_members, THREAD_MEMBERS, v);
	samples = v[SAMPLES].text;
	if (!jcolumn_open(&f->stacks, samples, "stack"))
		return true;
	(void)jscan_members(samples, samples_members, SAMPLES_MEMBERS, how);
	if (weights_of(&how[SAMPLES_TYPE]) != f->weights) {
		f->left_out++;
		return true;
	}
	f->reads = true;
	f->valued = jcolumn_open(&f->values, samples, "weight");
	f->timed = jcolumn_open(&f->times, samples, "time");
	f->deltas = !f->timed && jcolumn_open(&f->times, samples, "timeDeltas");
	f->clocked = f->cpu_power >= 0 && jcolumn_open(&f->clocks, samples, "threadCPUDelta") &&
	    jcolumn_next(&f->clocks, &thread);
	f->any = false;
	f->at = 0;
	f->later = p->later;
	tables_find(f, v, p->shared);
	f->thread = thread_define(f, &v[TID], v[NAME].text);
	return true;
}

/* The time of the sample that is read. */
static void
time_take(struct firefox_json *f)
{
	struct jscan_value v;
	int64_t at;

	if ((f->timed || f->deltas) && jcolumn_next(&f->times, &v) &&
	    jscan_scaled(v.text, MS_POWER, &at) &&
	    __builtin_add_overflow(at, f->deltas ? f->at : f->later, &f->at))
		samples_fault(&f->s, DAMAGE_MALFORMED_LINE);
	/* Weights that are times are the wall clock, which begins at the first sample. */
	if (!f->any && f->weights->unit == NULL && f->at > 0) {
		struct sampled_thread *t = samples_thread(&f->s, f->thread);

		if (f->s.walled)
			t->at = f->at;
		else
			t->weight = (uint64_t)f->at;
	}
	f->any = true;
}

/* Its weight; false when it is negative. */
static bool
weight_take(struct firefox_json *f, int64_t *weight)
{
	struct jscan_value v;

	*weight = f->weights->unit != NULL ? 1000 : 0;
	if (f->valued && jcolumn_next(&f->values, &v) &&
	    !jscan_scaled(v.text, f->weights->power, weight))
		samples_fault(&f->s, DAMAGE_MALFORMED_LINE);
	if (*weight < 0) {
		f->negative++;
		return false;
	}
	if (!f->s.walled)
		return true;
	f->s.wall = (uint64_t)*weight;
	if (!f->clocked || !jcolumn_next(&f->clocks, &v) ||
	    !jscan_scaled(v.text, f->cpu_power, weight) || *weight < 0)
		*weight = 0;
	return true;
}

static bool
firefox_take(struct sampler *s)
{
	struct firefox_json *f = (struct firefox_json *)s;
	const char *at = f->stacks.j.at; /* a row may lack its stack */
	struct jscan_value stack;
	int64_t value;
	uint32_t row;

	if (!f->reads || !jcolumn_next(&f->stacks, &stack))
		return f->profile_at < f->profile_count && thread_begin(f);
	samples_goto(s, (const uint8_t *)at);
	time_take(f);
	if (!weight_take(f, &value))
		return true;
	row = jcell_index(&stack);
	samples_add_stack(s, f->thread, (uint64_t)value, f->at,
	    row == CELL_NONE ? 0 : samples_row(s, f->rows, f->row_count, row));
	return true;
}

static void
firefox_end(struct sampler *s)
{
	const struct firefox_json *f = (struct firefox_json *)s;

	if (f->left_out > 0)
		trace_note(s->trace, "%llu threads in another unit than %s are left out",
		    (unsigned long long)f->left_out, f->weights->type);
	trace_note_count(s->trace, f->negative, "samples of negative weight are left out");
}

static void
firefox_free(struct sampler *s)
{
	struct firefox_json *f = (struct firefox_json *)s;

	mem_free(f->profiles);
	mem_free(f->rows);
}

static const struct samples_format firefox = {firefox_take, firefox_end, firefox_free};

/* Opening ------------------------------------------------------------------------------ */

/* Keeps a profile, and after it those of its processes, and of theirs. */
static void
profiles_find(struct firefox_json *f, struct str text, struct jscan_value main[META_MEMBERS])
{
	struct jscan_value v[PROFILE_MEMBERS], meta[META_MEMBERS], inner;
	struct jcolumn *waiting = NULL;
	size_t count = 0, room = 0;
	int64_t start, first = 0;

	for (;;) {
		(void)jscan_members(text, profile_members, PROFILE_MEMBERS, v);
		(void)jscan_members(v[META].text, meta_members, META_MEMBERS, meta);
		if (!jscan_scaled(meta[START].text, MS_POWER, &start))
			start = first;
		if (f->profile_count == 0) {
			first = start;
			memcpy(main, meta, sizeof(meta));
		}
		*MEM_ADD(f->profiles, f->profile_count, f->profile_room) = (struct firefox_profile){
		    .threads = jcolumn_of(v[THREADS]), .shared = v[SHARED].text,
		    .later = start > first ? start - first : 0};
		if (f->profile_count == PROFILES_MOST)
			break;
		*MEM_ADD(waiting, count, room) = jcolumn_of(v[PROCESSES]);
		while (count > 0 && !jcolumn_next(&waiting[count - 1], &inner))
			count--;
		if (count == 0)
			break;
		text = inner.text;
	}
	mem_free(waiting);
}

/* The first thread with samples tells the unit; `clocked`: and CPU time. */
static const struct weights *
weights_look(const struct firefox_json *f, bool *clocked)
{
	for (size_t i = 0; i < f->profile_count; i++) {
		struct jcolumn threads = f->profiles[i].threads, column;
		struct jscan_value thread, v[THREAD_MEMBERS], how[SAMPLES_MEMBERS], first;

		while (jcolumn_next(&threads, &thread)) {
			(void)jscan_members(thread.text, thread_members, THREAD_MEMBERS, v);
			if (!jcolumn_open(&column, v[SAMPLES].text, "stack") ||
			    !jcolumn_next(&column, &first))
				continue;
			(void)jscan_members(v[SAMPLES].text, samples_members, SAMPLES_MEMBERS, how);
			*clocked = jcolumn_open(&column, v[SAMPLES].text, "threadCPUDelta");
			return weights_of(&how[SAMPLES_TYPE]);
		}
	}
	*clocked = false;
	return &weights[0];
}

/* The power of ten that makes nanoseconds of CPU times; -1: they are no times. */
static int
cpu_power_of(const struct jscan_value *units)
{
	struct str unit = jscan_find(units->text, "threadCPUDelta").text;

	return str_equal(unit, STR("ns")) ? 0 :
	    str_equal(unit, STR("\\u00b5s")) || str_equal(unit, STR("\xc2\xb5s")) ? 3 : -1;
}

static void
unit_set(struct firefox_json *f, const struct jscan_value *units)
{
	struct trace *t = f->s.trace;
	bool clocked;

	f->weights = weights_look(f, &clocked);
	f->cpu_power = cpu_power_of(units);
	t->unit.name = f->weights->unit;
	t->unit.bytes = f->weights->unit != NULL && strcmp(f->weights->unit, "bytes") == 0;
	if (f->weights->unit != NULL)
		return;
	f->s.walled = clocked && f->cpu_power >= 0;
	t->clocks = f->s.walled ? HAS_BOTH : HAS_WALL;
	t->own_axes = false;
}

bool
firefox_open(struct trace *t, struct input *in, struct str text, struct err *e)
{
	struct jscan_value v[PROFILE_MEMBERS];
	struct jscan_value meta[META_MEMBERS];
	struct firefox_json *f;
	struct str product;
	bool whole = jscan_members(text, profile_members, PROFILE_MEMBERS, v);

	if (v[THREADS].kind == 0 && v[PROFILE].kind == '{') {
		text = v[PROFILE].text;
		whole = jscan_members(text, profile_members, PROFILE_MEMBERS, v);
	}
	if (v[THREADS].kind != '[' && !whole)
		return err_set(e, ERR_TRUNCATED, "is a profile of Firefox that ends before its threads do");
	if (v[THREADS].kind != '[')
		return false;
	f = mem_zero(1, sizeof(*f));
	samples_open(&f->s, &firefox, t, in);
	t->format = "firefox";
	profiles_find(f, text, meta);
	unit_set(f, &meta[UNITS]);
	product = jscan_text(&t->arena, meta[PRODUCT].text);
	if (product.n > 0)
		trace_property_add(t, STR("product"), product);
	return true;
}
