// SPDX-License-Identifier: Apache-2.0
/*
 * callgrind: Callgrind's profile format, for callgrind_annotate and KCachegrind.
 *
 * Source: "Callgrind Format Specification" (Valgrind manual): fl= and fn= with numbers for
 * names, cost lines "LINE COST...", and cfi=, cfn=, calls= with the inclusive cost of the
 * calls.  Costs are nanoseconds.
 *
 * Readers take the sum of the calls to a function for its inclusive cost.  So that
 * recursion counts no time twice, calls within a call of the same function have no cost,
 * as in what Callgrind itself writes; they are counted all the same.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "profile/sum/relations.h"
#include "report/convert/convert.h"

/* A frame of the present path. */
struct open {
	uint32_t method;
	bool recursive; /* within a call of the same method */
	uint64_t calls;
	nsec cost[CLOCKS]; /* of it and of all paths below it so far */
};

/* All calls of a method. */
struct function {
	nsec own[CLOCKS];
	uint32_t on; /* frames of the present path */
	bool met, named; /* named: was written in full */
};

struct callgrind {
	struct convert *convert;
	struct sbuf *out;
	enum clock_id clocks[CLOCKS]; /* that are written, the one asked for first */
	int clock_count;
	struct function *functions; /* by method */
	struct open *stack;
	size_t depth, stack_room;
	struct edges edges;
	struct fold sums; /* the edges by caller: its lists of children alone */
	struct sbuf text;
};

/* Frames beyond a depth are left: what they cost was of the calls that they came from. */
static void
frames_leave(struct callgrind *g, size_t depth)
{
	static const nsec none[CLOCKS];

	while (g->depth > depth) {
		const struct open *frame = &g->stack[--g->depth];
		struct open *caller = g->depth > 0 ? &g->stack[g->depth - 1] : NULL;

		edges_add(&g->edges, caller != NULL ? caller->method : METHOD_TOPLEVEL,
		    frame->method, false, false, frame->calls,
		    frame->recursive ? none : frame->cost);
		if (caller != NULL)
			clocks_add(caller->cost, frame->cost);
		g->functions[frame->method].on--;
	}
}

/* The root is the caller of the outermost calls. */
static bool
path_add(void *context, const struct convert_path *path)
{
	struct callgrind *g = context;
	uint32_t method = METHOD_TOPLEVEL;

	frames_leave(g, path->kept);
	g->functions[METHOD_TOPLEVEL].met = true;
	while (g->depth < path->depth) {
		method = path->methods[g->depth];
		*MEM_ADD(g->stack, g->depth, g->stack_room) =
		    (struct open){.method = method, .recursive = g->functions[method].on++ > 0};
		g->functions[method].met = true;
	}
	if (path->depth > 0) {
		struct open *frame = &g->stack[path->depth - 1];

		method = frame->method;
		frame->calls += path->calls;
		clocks_add(frame->cost, path->time);
	}
	clocks_add(g->functions[method].own, path->time);
	return sink_wanted(g->convert->sink);
}

/* Nanoseconds, or counts, whose thousandths are dropped. */
static int64_t
cost_of(const struct callgrind *g, nsec time)
{
	return unit_counts(&g->convert->trace->unit) ? time / 1000 : time;
}

/* The costs that are written after a line number. */
static void
costs(struct callgrind *g, int32_t line, const nsec time[CLOCKS])
{
	sbuf_number(g->out, line > 0 ? line : 0, 0);
	for (int i = 0; i < g->clock_count; i++) {
		sbuf_char(g->out, ' ');
		sbuf_number(g->out, cost_of(g, time[g->clocks[i]]), 0);
	}
	sbuf_char(g->out, '\n');
}

/* Makes one line of any text. */
static void
text_clean(struct callgrind *g, struct str text)
{
	clean_append(g->out, text, 0);
	sbuf_char(g->out, '\n');
}

/* The folder of the package, as sources are kept, before the file's base name. */
static void
file_text(struct callgrind *g, const struct method *m)
{
	size_t folder = m->class_name.n;

	sbuf_clear(&g->text);
	if (m->file.n == 0) {
		sbuf_text(&g->text, "???");
		return;
	}
	while (folder > 0 && m->class_name.p[folder - 1] != '.' && m->class_name.p[folder - 1] != '/')
		folder--;
	if (memchr(m->file.p, '/', m->file.n) == NULL)
		for (size_t i = 0; i < folder; i++)
			sbuf_char(&g->text, m->class_name.p[i] == '.' ? '/' : m->class_name.p[i]);
	if (g->text.n == 0 && m->file.p[0] == '(') /* or it would be taken for a number */
		sbuf_text(&g->text, "./");
	sbuf_str(&g->text, m->file);
}

/* "fn=(3) name", the name only the first time. */
static void
function(struct callgrind *g, const char *file_key, const char *key, uint32_t method)
{
	const struct method *m = trace_method(g->convert->trace, method);

	sbuf_printf(g->out, "%s=", file_key);
	file_text(g, m);
	text_clean(g, sbuf_view(&g->text));
	sbuf_printf(g->out, "%s=(%" PRIu32 ")", key, method + 1);
	if (g->functions[method].named) {
		sbuf_char(g->out, '\n');
		return;
	}
	g->functions[method].named = true;
	sbuf_char(g->out, ' ');
	text_clean(g, convert_name(g->convert, method));
}

/* The name of an event, a word, which Callgrind's readers print. */
static const char *
event_name(struct callgrind *g, enum clock_id clock)
{
	static const char *const names[CLOCKS] = {"Cpu", "Wall"};
	const struct trace_unit *unit = &g->convert->trace->unit;

	if (!unit_counts(unit))
		return names[clock];
	if (unit->bytes)
		return "Memory_(bytes)";
	sbuf_clear(&g->text);
	for (const char *c = unit->name; *c != '\0'; c++)
		sbuf_char(&g->text, (unsigned char)*c > ' ' ? *c : '_');
	return sbuf_cstr(&g->text);
}

static void
head_write(struct callgrind *g)
{
	static const char *const help[CLOCKS] = {"thread CPU time, ns", "wall time, ns"};
	bool counts = unit_counts(&g->convert->trace->unit);
	nsec total[CLOCKS] = {0};

	for (uint32_t i = 0; i < trace_method_count(g->convert->trace); i++)
		clocks_add(total, g->functions[i].own);
	sbuf_text(g->out, "# callgrind format\nversion: 1\ncreator: " PACKAGE_STRING "\ncmd: ");
	text_clean(g, convert_title(g->convert));
	sbuf_text(g->out, "positions: line\n");
	for (int i = 0; i < g->clock_count && !counts; i++)
		sbuf_printf(g->out, "event: %s : %s\n", event_name(g, g->clocks[i]), help[g->clocks[i]]);
	sbuf_text(g->out, "events:");
	for (int i = 0; i < g->clock_count; i++)
		sbuf_printf(g->out, " %s", event_name(g, g->clocks[i]));
	sbuf_text(g->out, "\nsummary:");
	for (int i = 0; i < g->clock_count; i++)
		sbuf_printf(g->out, " %" PRId64, cost_of(g, total[g->clocks[i]]));
	sbuf_text(g->out, "\n\n");
}

static bool
method_write(struct callgrind *g, uint32_t method)
{
	int32_t line = trace_method(g->convert->trace, method)->line;
	uint32_t count;
	const struct relation *callees = fold_relations(&g->sums, method, RELATION_CHILD, &count);

	function(g, "fl", "fn", method);
	costs(g, line, g->functions[method].own);
	for (uint32_t i = 0; i < count; i++) {
		int32_t to = trace_method(g->convert->trace, callees[i].method)->line;

		function(g, "cfi", "cfn", callees[i].method);
		sbuf_printf(g->out, "calls=%" PRIu64 " %d\n", callees[i].calls, to > 0 ? (int)to : 0);
		costs(g, line, callees[i].inclusive);
	}
	sbuf_char(g->out, '\n');
	return sink_row(g->convert->sink);
}

bool
convert_callgrind(struct convert *convert)
{
	struct callgrind g = {.convert = convert, .out = &convert->sink->text};
	uint32_t methods = trace_method_count(convert->trace);
	bool whole;

	g.clocks[g.clock_count++] = convert->clock;
	if ((convert->clocks & 1u << !convert->clock) != 0)
		g.clocks[g.clock_count++] = !convert->clock;
	g.functions = convert_zero(convert, methods, sizeof(*g.functions));
	whole = convert_paths(convert, path_add, &g);
	frames_leave(&g, 0);
	g.sums.method_count = methods;
	edges_relate(&g.edges, convert->trace, &g.sums, NULL);
	if (whole)
		head_write(&g);
	for (uint32_t i = 0; i < methods && whole; i++)
		if (g.functions[i].met)
			whole = method_write(&g, i);
	mem_free(g.stack);
	mem_free(g.sums.first);
	mem_free(g.sums.relations);
	edges_release(&g.edges);
	sbuf_release(&g.text);
	return whole;
}
