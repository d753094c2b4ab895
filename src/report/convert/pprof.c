// SPDX-License-Identifier: Apache-2.0
/*
 * pprof: pprof's profile (proto/profile.proto); its tools read it compressed with gzip.
 *
 * A sample for each path of calls of each thread: calls, and the time at its end on each
 * clock, or what the trace counts in their place; the thread is a label.  A location for each method, and one for what is deeper than
 * stacks are told (view/tree/folded.h).
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "report/convert/convert.h"
#include "view/tree/folded.h"

/* Numbers of fields, by message, as profile.proto has them. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,

	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1, /* innermost first */
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_START_LINE = 5,
};

struct pprof {
	struct convert *convert;
	struct sbuf *out;
	uint64_t strings;
	uint8_t *located;  /* by method: is one of a path's */
	uint64_t *threads; /* by thread: string of its name, 0 not yet */
	uint64_t thread_key, tid_key;
	uint64_t *locations; /* of a sample */
	size_t location_room;
	struct depth_count *depths;
	size_t depth_room, deepest;
	size_t depth_max; /* of a stack */
	struct convert_path cut; /* the sum of those cut at one frame; depth 0: there is none */
	uint32_t *cut_methods;
};

/* The string's index. */
static uint64_t
string_add(struct pprof *p, struct str text)
{
	size_t at = wire_begin(p->out, PROFILE_STRING_TABLE);

	convert_utf8(p->out, text);
	wire_end(p->out, at);
	return p->strings++;
}

static void
type_add(struct pprof *p, struct str type_text, struct str unit_text)
{
	uint64_t type = string_add(p, type_text), unit = string_add(p, unit_text);
	size_t at = wire_begin(p->out, PROFILE_SAMPLE_TYPE);

	wire_number(p->out, TYPE_TYPE, type);
	wire_number(p->out, TYPE_UNIT, unit);
	wire_end(p->out, at);
}

static void
clock_type_add(struct pprof *p, enum clock_id clock)
{
	static const struct str names[CLOCKS] = {{"cpu", 3}, {"wall", 4}};
	const struct trace_unit *unit = &p->convert->trace->unit;

	if (unit_counts(unit))
		type_add(p, str_from(unit->name), unit->bytes ? STR("bytes") : STR("count"));
	else
		type_add(p, names[clock], STR("nanoseconds"));
}

/* A time of a path, or what is counted in its place. */
static uint64_t
clock_value(const struct pprof *p, const struct convert_path *path, enum clock_id clock)
{
	return (uint64_t)path->time[clock] / (unit_counts(&p->convert->trace->unit) ? 1000 : 1);
}

/* True if the trace's methods are of classes: full names have both, and the signature. */
static bool
has_classes(const struct trace *t)
{
	for (uint32_t m = 0; m < trace_method_count(t); m++)
		if (trace_method(t, m)->class_name.n > 0)
			return true;
	return false;
}

static void
comment_write(struct pprof *p, struct sbuf *text)
{
	wire_number(p->out, PROFILE_COMMENT, string_add(p, sbuf_view(text)));
	sbuf_clear(text);
}

/* Writes what the profile was saved of: its reports say it, too. */
static void
comments_write(struct pprof *p)
{
	const struct convert *c = p->convert;
	struct sbuf text = {0};

	sbuf_str(&text, TRACE_SAVED);
	sbuf_text(&text, c->trace->format);
	comment_write(p, &text);
	if (c->profile->sampled.yes) {
		sbuf_str(&text, TRACE_SAMPLED);
		sbuf_printf(&text, "%" PRId64, c->profile->sampled.interval);
		comment_write(p, &text);
	}
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		const struct damage_entry *entry = &c->profile->damage.kind[i];

		if (entry->count == 0)
			continue;
		sbuf_str(&text, TRACE_DAMAGE);
		sbuf_printf(&text, "%s %" PRIu64 " %" PRIu64, damage_kinds[i].name, entry->count, entry->offset);
		comment_write(p, &text);
	}
	sbuf_release(&text);
}

/* Calls, and the times that are written; the clock asked for last, where pprof begins. */
static void
types_write(struct pprof *p)
{
	const struct convert *c = p->convert;

	string_add(p, STR(""));
	type_add(p, STR("calls"), STR("count"));
	if ((c->clocks & 1u << !c->clock) != 0)
		clock_type_add(p, !c->clock);
	wire_number(p->out, PROFILE_DEFAULT_SAMPLE_TYPE, p->strings);
	clock_type_add(p, c->clock);
	p->thread_key = string_add(p, STR("thread"));
	p->tid_key = string_add(p, STR("tid"));
	if (trace_start_is_date(c->trace))
		wire_number(p->out, PROFILE_TIME_NANOS, c->trace->start_us * 1000);
	wire_number(p->out, PROFILE_DURATION_NANOS,
	    (uint64_t)(c->profile->end - c->profile->begin));
	if (has_classes(c->trace))
		wire_number(p->out, PROFILE_COMMENT, string_add(p, TRACE_CLASSES));
	comments_write(p);
}

/*
 * The system's name is the method's id: where it is the name itself, pprof takes one with a
 * bracket for C++ and leaves out what is in parentheses, so that methods of one name are one.
 */
static void
location_write(struct pprof *p, uint64_t id, struct str name, struct str word,
    const struct method *m)
{
	uint64_t name_at = string_add(p, name), word_at = string_add(p, word);
	uint64_t file_at = m->file.n > 0 ? string_add(p, m->file) : 0;
	size_t at = wire_begin(p->out, PROFILE_FUNCTION), inside;

	wire_number(p->out, FUNCTION_ID, id);
	wire_number(p->out, FUNCTION_NAME, name_at);
	wire_number(p->out, FUNCTION_SYSTEM_NAME, word_at);
	if (m->file.n > 0)
		wire_number(p->out, FUNCTION_FILE, file_at);
	if (m->line > 0)
		wire_number(p->out, FUNCTION_START_LINE, (uint64_t)m->line);
	wire_end(p->out, at);
	at = wire_begin(p->out, PROFILE_LOCATION);
	wire_number(p->out, LOCATION_ID, id);
	inside = wire_begin(p->out, LOCATION_LINE);
	wire_number(p->out, LINE_FUNCTION, id);
	if (m->line > 0)
		wire_number(p->out, LINE_LINE, (uint64_t)m->line);
	wire_end(p->out, inside);
	wire_end(p->out, at);
}

/* Returns the id of a method's location and function, its index + 1: 0 is none.  METHOD_NONE: the cut. */
static uint64_t
location_of(const struct pprof *p, uint32_t method)
{
	return (uint64_t)(method == METHOD_NONE ? trace_method_count(p->convert->trace) : method) + 1;
}

/* Writes them in the order of the trace's methods, which decides between equal ones. */
static void
locations_write(struct pprof *p)
{
	static const struct method none;
	const struct trace *t = p->convert->trace;
	char word[NAME_ID_SIZE];

	for (uint32_t m = 0; m < trace_method_count(t); m++)
		if (p->located[m])
			location_write(p, location_of(p, m), convert_name(p->convert, m), name_id(word, t, m),
			    trace_method(t, m));
	if (p->deepest > p->depth_max)
		location_write(p, location_of(p, METHOD_NONE), FRAMES_CUT, STR("deeper"), &none);
}

static void
label_write(struct pprof *p, uint64_t key, unsigned field, uint64_t value)
{
	size_t at = wire_begin(p->out, SAMPLE_LABEL);

	wire_number(p->out, LABEL_KEY, key);
	wire_number(p->out, field, value);
	wire_end(p->out, at);
}

/* The string of a thread that is new comes before it. */
static bool
sample_write(struct pprof *p, const struct convert_path *path, bool cut)
{
	const struct convert *c = p->convert;
	uint64_t *name = &p->threads[path->thread];
	size_t n = 0, at, inside;

	MEM_GROW(p->locations, p->location_room, path->depth + 2);
	if (cut)
		p->locations[n++] = location_of(p, METHOD_NONE);
	for (size_t i = path->depth; i > 0; i--)
		p->locations[n++] = location_of(p, path->methods[i - 1]);
	p->locations[n++] = location_of(p, METHOD_TOPLEVEL);
	if (*name == 0)
		*name = string_add(p, convert_thread_name(c, path->thread));
	at = wire_begin(p->out, PROFILE_SAMPLE);
	inside = wire_begin(p->out, SAMPLE_LOCATIONS);
	for (size_t i = 0; i < n; i++)
		wire_packed(p->out, p->locations[i]);
	wire_end(p->out, inside);
	inside = wire_begin(p->out, SAMPLE_VALUES);
	wire_packed(p->out, path->calls);
	if ((c->clocks & 1u << !c->clock) != 0)
		wire_packed(p->out, clock_value(p, path, !c->clock));
	wire_packed(p->out, clock_value(p, path, c->clock));
	wire_end(p->out, inside);
	label_write(p, p->thread_key, LABEL_STRING, *name);
	label_write(p, p->tid_key, LABEL_NUMBER, trace_thread(c->trace, path->thread)->id);
	wire_end(p->out, at);
	return sink_row(p->convert->sink);
}

static bool
cut_write(struct pprof *p)
{
	const struct convert_path cut = p->cut;

	p->cut.depth = 0;
	return cut.depth == 0 || sample_write(p, &cut, true);
}

/* Paths below one frame come one after the other. */
static bool
path_write(void *context, const struct convert_path *path)
{
	struct pprof *p = context;

	if ((path->depth <= p->depth_max || path->kept < p->depth_max) && !cut_write(p))
		return false;
	if (path->depth <= p->depth_max)
		return sample_write(p, path, false);
	if (p->cut.depth == 0) {
		memcpy(p->cut_methods, path->methods, p->depth_max * sizeof(*p->cut_methods));
		p->cut = (struct convert_path){.thread = path->thread,
			.methods = p->cut_methods, .depth = p->depth_max};
	}
	p->cut.calls += path->calls;
	clocks_add(p->cut.time, path->time);
	return sink_wanted(p->convert->sink);
}

static bool
path_count(void *context, const struct convert_path *path)
{
	struct pprof *p = context;

	MEM_GROW_ZERO(p->depths, p->depth_room, path->depth + 1);
	for (size_t i = path->kept; i < path->depth; i++) {
		p->depths[i].below += !p->depths[i].counted;
		p->depths[i].counted = true;
		p->depths[i + 1].counted = false;
		p->located[path->methods[i]] = 1;
	}
	p->depths[path->depth].stacks++;
	p->deepest = path->depth > p->deepest ? path->depth : p->deepest;
	return sink_wanted(p->convert->sink);
}

/* Looks through the paths first, to know their methods, and how deep stacks may be. */
static bool
paths_write(struct pprof *p)
{
	bool whole = convert_paths(p->convert, path_count, p);

	if (p->deepest > 0)
		p->depth_max = frames_depth(p->depths, (uint32_t)p->deepest);
	if (p->deepest > 0 && p->depth_max == 0)
		p->depth_max = 1;
	p->located[METHOD_TOPLEVEL] = 1;
	locations_write(p);
	p->cut_methods = convert_zero(p->convert, p->depth_max, sizeof(*p->cut_methods));
	whole = whole && convert_paths(p->convert, path_write, p) && cut_write(p);
	mem_free(p->depths);
	return whole;
}

bool
convert_pprof(struct convert *convert)
{
	struct pprof p = {.convert = convert, .out = &convert->sink->text};
	bool whole;

	p.located = convert_zero(convert, trace_method_count(convert->trace), 1);
	p.threads = convert_zero(convert, convert->profile->stack_count, sizeof(*p.threads));
	types_write(&p);
	whole = paths_write(&p);
	mem_free(p.locations);
	return whole;
}
