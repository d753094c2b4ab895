// SPDX-License-Identifier: Apache-2.0
/*
 * firefox: a processed profile of the Firefox Profiler, format version 57.
 *
 * Source: docs-developer/CHANGELOG-formats.md and src/types/profile.ts of the Firefox
 * Profiler; newer ones upgrade older versions when they load them.  A sample marks each
 * change of a thread's stack; its weight is the time until the next one ("tracing-ms"),
 * threadCPUDelta the thread's CPU time since the one before.  The stack table is the tree
 * of call paths.  Tables are arrays by column, so a thread's events are read once a
 * column.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/convert/events.h"
#include "report/convert/convert.h"

/* From a change of a thread's stack to the next one. */
struct sample {
	uint32_t node; /* on top; NODE_NONE: no call */
	nsec at[CLOCKS], before[CLOCKS];
};

struct firefox {
	struct convert *convert;
	struct sbuf *out;
	struct bythread calls;
	enum clock_id clock;
	uint32_t *strings; /* by method: index among the strings of its name */
	uint32_t *files;   /* of its file, NOTHING without */
	uint32_t *tids;    /* by thread */
	uint32_t *funcs;   /* by method: + 1, within the present thread */
	uint32_t *stacks;  /* by node: + 1, within its thread */
	uint32_t *list;    /* methods, or nodes, of the present thread */
	uint32_t list_count;
	size_t list_room;
	bool any;
	struct sample sample; /* the present one */
	void (*cell)(struct firefox *, const struct sample *, const nsec until[CLOCKS]);
};

#define NOTHING UINT32_MAX

/* Columns --------------------------------------------------------------------------- */

/* `,"name":[`; what follows are its items. */
static void
column(struct firefox *f, const char *name)
{
	sbuf_printf(f->out, ",\n\"%s\":[", name);
	f->any = false;
}

/* Before each item. */
static void
item(struct firefox *f)
{
	if (f->any)
		sbuf_char(f->out, ',');
	f->any = true;
}

static void
number(struct firefox *f, uint64_t n)
{
	item(f);
	sbuf_number(f->out, (int64_t)n, 0);
}

static void
number_or_null(struct firefox *f, bool there, uint64_t n)
{
	if (there) {
		number(f, n);
		return;
	}
	item(f);
	sbuf_text(f->out, "null");
}

/* Milliseconds, exact. */
static void
milliseconds(struct firefox *f, nsec ns)
{
	item(f);
	if (ns % 1000 == 0)
		sbuf_decimal(f->out, ns / 1000, 3);
	else
		sbuf_decimal(f->out, ns, 6);
}

/* Strings --------------------------------------------------------------------------- */

static uint32_t
string_add(struct firefox *f, struct str text, uint32_t *count)
{
	item(f);
	sbuf_char(f->out, '\n');
	json_quoted(f->out, text);
	return (*count)++;
}

/* Names of methods that are on any path, and of their files. */
static void
strings_write(struct firefox *f)
{
	const struct tree *tree = &f->convert->profile->tree;
	const struct trace *t = f->convert->trace;
	uint32_t count = 0;

	for (uint32_t n = 1; n < tree->count; n++)
		f->strings[tree->nodes[n].method] = 1;
	sbuf_text(f->out, "\"stringArray\":[");
	f->any = false;
	for (uint32_t i = 0; i < trace_method_count(t) && sink_row(f->convert->sink); i++) {
		const struct method *m = trace_method(t, i);

		if (f->strings[i] == 0)
			continue;
		f->strings[i] = string_add(f, convert_name(f->convert, i), &count);
		f->files[i] = m->file.n > 0 ? string_add(f, m->file, &count) : NOTHING;
	}
	sbuf_char(f->out, ']');
}

/* Stacks of a thread ---------------------------------------------------------------- */

/* The node that a path ends at once hidden methods are taken from it; NODE_NONE: no call. */
static uint32_t
node_shown(const struct firefox *f, uint32_t node)
{
	const struct node *nodes = f->convert->profile->tree.nodes;

	while (nodes[node].parent != NODE_NONE && convert_hides(f->convert, nodes[node].method))
		node = nodes[node].parent;
	return nodes[node].parent != NODE_NONE ? node : NODE_NONE;
}

/* Tables of a thread ------------------------------------------------------------------ */

struct table_column {
	const char *name;
	const char *constant; /* in every row; or: */
	void (*cell)(struct firefox *, uint32_t row);
};

static void
table_write(struct firefox *f, const char *name, const struct table_column *columns, size_t count,
    uint32_t rows)
{
	sbuf_printf(f->out, ",\n\"%s\":{\"length\":%" PRIu32, name, rows);
	for (size_t c = 0; c < count; c++) {
		column(f, columns[c].name);
		for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++) {
			if (columns[c].cell != NULL) {
				columns[c].cell(f, i);
				continue;
			}
			item(f);
			sbuf_text(f->out, columns[c].constant);
		}
		sbuf_char(f->out, ']');
	}
	sbuf_char(f->out, '}');
}

static void
cell_prefix(struct firefox *f, uint32_t row)
{
	const struct node *nodes = f->convert->profile->tree.nodes;
	uint32_t parent = node_shown(f, nodes[f->list[row]].parent);

	number_or_null(f, parent != NODE_NONE, (uint64_t)f->stacks[parent] - 1);
}

/* Leaves methods in place of nodes in the list, which is read before it is written. */
static void
cell_frame(struct firefox *f, uint32_t row)
{
	uint32_t method = f->convert->profile->tree.nodes[f->list[row]].method;

	if (f->funcs[method] == 0) {
		f->list[f->list_count++] = method;
		f->funcs[method] = f->list_count;
	}
	number(f, f->funcs[method] - 1);
}

/* A frame for each method: calls have no lines. */
static void
cell_func(struct firefox *f, uint32_t row)
{
	number(f, row);
}

static void
cell_name(struct firefox *f, uint32_t row)
{
	number(f, f->strings[f->list[row]]);
}

static void
cell_file(struct firefox *f, uint32_t row)
{
	number_or_null(f, f->files[f->list[row]] != NOTHING, f->files[f->list[row]]);
}

static void
cell_line(struct firefox *f, uint32_t row)
{
	int32_t line = trace_method(f->convert->trace, f->list[row])->line;

	number_or_null(f, line > 0, (uint64_t)line);
}

/* Stack, frame and function table of a thread; its stacks are numbered before. */
static void
tables_write(struct firefox *f)
{
	static const struct table_column stacks[] = {
	    {"prefix", NULL, cell_prefix}, {"frame", NULL, cell_frame}};
	static const struct table_column frames[] = {{"address", "-1", NULL},
	    {"inlineDepth", "0", NULL}, {"category", "0", NULL}, {"subcategory", "0", NULL},
	    {"func", NULL, cell_func}, {"nativeSymbol", "null", NULL}, {"innerWindowID", "0", NULL},
	    {"line", "null", NULL}, {"column", "null", NULL}};
	static const struct table_column funcs[] = {{"isJS", "false", NULL},
	    {"relevantForJS", "false", NULL}, {"name", NULL, cell_name}, {"resource", "-1", NULL},
	    {"fileName", NULL, cell_file}, {"lineNumber", NULL, cell_line},
	    {"columnNumber", "null", NULL}};
	uint32_t rows = f->list_count;

	f->list_count = 0; /* of methods, from here on */
	table_write(f, "stackTable", stacks, sizeof(stacks) / sizeof(stacks[0]), rows);
	rows = f->list_count;
	table_write(f, "frameTable", frames, sizeof(frames) / sizeof(frames[0]), rows);
	table_write(f, "funcTable", funcs, sizeof(funcs) / sizeof(funcs[0]), rows);
	for (uint32_t i = 0; i < rows; i++)
		f->funcs[f->list[i]] = 0;
	f->list_count = 0;
}

/* Samples --------------------------------------------------------------------------- */

static void
cell_stack(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	number_or_null(f, s->node != NODE_NONE, (uint64_t)f->stacks[s->node] - 1);
}

static void
cell_time(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	milliseconds(f, s->at[f->clock]);
}

static void
cell_weight(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	milliseconds(f, until[f->clock] - s->at[f->clock]);
}

static void
cell_cpu(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	number(f, (uint64_t)(s->at[CLOCK_CPU] - s->before[CLOCK_CPU]));
}

static bool
sample_next(void *context, const struct bythread_event *ev)
{
	struct firefox *f = context;
	const struct node *nodes = f->convert->profile->tree.nodes;
	struct sample *s = &f->sample;

	f->cell(f, s, ev->at);
	/* A path is numbered when it is first entered: after its parent, as a prefix must be. */
	if (ev->enter && f->stacks[ev->node] == 0) {
		*MEM_ADD(f->list, f->list_count, f->list_room) = ev->node;
		f->stacks[ev->node] = f->list_count;
	}
	s->node = ev->enter ? ev->node : node_shown(f, nodes[ev->node].parent);
	memcpy(s->before, s->at, sizeof(s->before));
	memcpy(s->at, ev->at, sizeof(s->at));
	return sink_row(f->convert->sink);
}

static bool
samples_column(struct firefox *f, uint32_t thread, const char *name,
    void (*cell)(struct firefox *, const struct sample *, const nsec until[CLOCKS]))
{
	const struct bythread_stack *stack = &f->calls.stacks[thread];

	column(f, name);
	f->cell = cell;
	f->sample = (struct sample){NODE_NONE, {stack->begin[0], stack->begin[1]},
	    {stack->begin[0], stack->begin[1]}};
	if (!bythread_read(&f->calls, thread, sample_next, f))
		return false;
	f->cell(f, &f->sample, stack->end);
	sbuf_char(f->out, ']');
	return true;
}

static bool
samples_write(struct firefox *f, uint32_t thread)
{
	sbuf_printf(f->out, ",\n\"samples\":{\"length\":%" PRIu64 ",\"weightType\":\"tracing-ms\"",
	    f->calls.stacks[thread].events + 1);
	if (!samples_column(f, thread, "stack", cell_stack) ||
	    !samples_column(f, thread, "time", cell_time) ||
	    !samples_column(f, thread, "weight", cell_weight) ||
	    (f->convert->both && !samples_column(f, thread, "threadCPUDelta", cell_cpu)))
		return false;
	sbuf_char(f->out, '}');
	return true;
}

/* Threads, all ------------------------------------------------------------------------ */

/* Threads are grouped by process; a log tells of several, and their main threads by id. */
static void
process_write(struct firefox *f, uint32_t thread, struct str name)
{
	const struct trace *t = f->convert->trace;
	const struct thread *th = trace_thread(t, thread);
	struct str process = convert_title(f->convert);
	uint64_t pid = convert_thread_pid(f->convert, thread);
	bool main_thread = str_equal(name, STR("main"));

	if (t->log != NULL) {
		main_thread = th->kind == THREAD_TASK && th->process != 0 && th->id == pid;
		process = convert_log_process(f->convert, th->process)->name;
	}
	sbuf_printf(f->out, ",\"isMainThread\":%s,\"pid\":\"%" PRIu64 "\",\"tid\":%" PRIu32,
	    main_thread ? "true" : "false", pid, f->tids[thread]);
	if (process.n > 0) {
		sbuf_text(f->out, ",\"processName\":");
		json_quoted(f->out, process);
	}
}

static bool
thread_write(struct firefox *f, uint32_t thread)
{
	const struct bythread_stack *stack = &f->calls.stacks[thread];
	struct str name = convert_thread_name(f->convert, thread);

	item(f);
	sbuf_text(f->out, "\n{\"processType\":\"default\",\"processStartupTime\":0,"
			  "\"processShutdownTime\":null,\"pausedRanges\":[],\"name\":");
	json_quoted(f->out, name);
	process_write(f, thread, name);
	f->any = false;
	sbuf_text(f->out, ",\"registerTime\":");
	milliseconds(f, stack->begin[f->clock]);
	f->any = false;
	sbuf_text(f->out, ",\"unregisterTime\":");
	milliseconds(f, stack->end[f->clock]);
	sbuf_text(f->out, ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],"
			  "\"endTime\":[],\"phase\":[],\"category\":[]}");
	sbuf_text(f->out, ",\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
			  "\"type\":[]}");
	sbuf_text(f->out, ",\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
			  "\"name\":[],\"functionSize\":[]}");
	if (!samples_write(f, thread)) /* tells which stacks there are */
		return false;
	tables_write(f);
	sbuf_char(f->out, '}');
	f->any = true;
	return true;
}

static void
meta_write(struct firefox *f)
{
	const struct trace *t = f->convert->trace;

	sbuf_text(f->out, "{\"meta\":{\"version\":30,\"preprocessedProfileVersion\":57,\"interval\":1,"
			  "\"processType\":0,\"stackwalk\":0,\"symbolicated\":true,\"startTime\":");
	sbuf_printf(f->out, "%" PRIu64, trace_start_is_date(t) ? t->start_us / 1000 : 0);
	sbuf_text(f->out, ",\"product\":");
	json_quoted(f->out, convert_title(f->convert));
	sbuf_text(f->out, ",\"importedFrom\":\"" PACKAGE_STRING "\",\"sampleUnits\":{\"time\":\"ms\","
			  "\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\"markerSchema\":[],"
			  "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
			  "\"subcategories\":[\"Other\"]}]},\n\"libs\":[],\"pages\":[],\"shared\":{");
	strings_write(f);
	sbuf_text(f->out, "},\n\"threads\":[");
	f->any = false;
}

bool
convert_firefox(struct convert *convert)
{
	struct firefox f = {
	    .convert = convert, .out = &convert->sink->text, .clock = convert->clock};
	uint32_t methods = trace_method_count(convert->trace);
	bool whole;

	f.strings = convert_zero(convert, methods, sizeof(*f.strings));
	f.files = convert_zero(convert, methods, sizeof(*f.files));
	f.funcs = convert_zero(convert, methods, sizeof(*f.funcs));
	f.stacks = convert_zero(convert, convert->profile->tree.count, sizeof(*f.stacks));
	f.tids = convert_zero(convert, convert->profile->stack_count, sizeof(*f.tids));
	convert_thread_ids(convert, f.tids);
	whole = bythread_make(&f.calls, convert);
	if (whole)
		meta_write(&f);
	for (uint32_t i = 0; i < f.calls.stack_count && whole; i++)
		if (f.calls.stacks[i].events > 0)
			whole = thread_write(&f, i);
	if (whole)
		sbuf_text(f.out, "\n]}\n");
	bythread_release(&f.calls);
	mem_free(f.list);
	return whole;
}
