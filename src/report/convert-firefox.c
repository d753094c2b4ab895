/*
 * convert-firefox: a processed profile of the Firefox Profiler, format version 57.
 *
 * Source: docs-developer/CHANGELOG-formats.md and src/types/profile.ts of the Firefox
 * Profiler; newer ones upgrade older versions when they load them.  A sample stands where
 * the stack of a thread changes; its weight is the time until the next one ("tracing-ms"),
 * threadCPUDelta the thread's CPU time since the one before.  The stack table is the tree
 * of call paths.  Tables are arrays by column, so a thread's events are read once a column.
 */
#include <config.h>

#include <inttypes.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/convert-firefox.h"
#include "report/convert-log.h"

/* Samples --------------------------------------------------------------------------- */

static void
cell_stack(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	(void)until;
	firefox_number_or_null(f, s->node != NODE_NONE, (uint64_t)f->stacks[s->node] - 1);
}

static void
cell_time(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	(void)until;
	firefox_ms(f, s->at[f->clock]);
}

static void
cell_weight(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	firefox_ms(f, until[f->clock] - s->at[f->clock]);
}

static void
cell_cpu(struct firefox *f, const struct sample *s, const nsec until[CLOCKS])
{
	(void)until;
	firefox_number(f, (uint64_t)(s->at[CLOCK_CPU] - s->before[CLOCK_CPU]));
}

static bool
sample_next(void *context, const struct bythread_event *ev)
{
	struct firefox *f = context;
	const struct node *nodes = f->convert->profile->tree.nodes;
	struct sample *s = &f->sample;

	f->cell(f, s, ev->at);
	if (ev->enter)
		firefox_stack_number(f, ev->node);
	s->node = ev->enter ? ev->node : firefox_node_shown(f, node_parent(&nodes[ev->node]));
	for (int c = 0; c < CLOCKS; c++) {
		s->before[c] = s->at[c];
		s->at[c] = ev->at[c];
	}
	return sink_row(f->convert->sink);
}

static bool
samples_column(struct firefox *f, uint32_t thread, const char *name,
    void (*cell)(struct firefox *, const struct sample *, const nsec until[CLOCKS]))
{
	const struct bythread_lane *lane = &f->calls.lanes[thread];

	firefox_column(f, name);
	f->cell = cell;
	f->sample = (struct sample){NODE_NONE, {lane->begin[0], lane->begin[1]},
	    {lane->begin[0], lane->begin[1]}};
	if (!bythread_read(&f->calls, thread, sample_next, f))
		return false;
	f->cell(f, &f->sample, lane->end);
	sbuf_char(f->out, ']');
	return true;
}

static bool
samples_write(struct firefox *f, uint32_t thread)
{
	sbuf_printf(f->out, ",\n\"samples\":{\"length\":%" PRIu64 ",\"weightType\":\"tracing-ms\"",
	    f->calls.lanes[thread].events + 1);
	if (!samples_column(f, thread, "stack", cell_stack) ||
	    !samples_column(f, thread, "time", cell_time) ||
	    !samples_column(f, thread, "weight", cell_weight) ||
	    (f->cpu && !samples_column(f, thread, "threadCPUDelta", cell_cpu)))
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
	uint64_t pid = convert_pid(f->convert);
	bool main_thread = str_equal(name, STR("main"));

	if (t->log != NULL) {
		pid = convert_log_pid(f->convert, th->process);
		main_thread = th->kind == THREAD_TASK && th->process != 0 && th->id == pid;
		process = convert_log_process_name(f->convert, th->process);
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
	const struct bythread_lane *lane = &f->calls.lanes[thread];
	struct sbuf name = {0};

	convert_thread_name(&name, f->convert, thread);
	firefox_item(f);
	sbuf_text(f->out, "\n{\"processType\":\"default\",\"processStartupTime\":0,"
			  "\"processShutdownTime\":null,\"pausedRanges\":[],\"name\":");
	json_quoted(f->out, sbuf_view(&name));
	process_write(f, thread, sbuf_view(&name));
	sbuf_release(&name);
	f->any = false;
	sbuf_text(f->out, ",\"registerTime\":");
	firefox_ms(f, lane->begin[f->clock]);
	f->any = false;
	sbuf_text(f->out, ",\"unregisterTime\":");
	firefox_ms(f, lane->end[f->clock]);
	sbuf_text(f->out, ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],"
			  "\"endTime\":[],\"phase\":[],\"category\":[]}");
	sbuf_text(f->out, ",\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
			  "\"type\":[]}");
	sbuf_text(f->out, ",\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
			  "\"name\":[],\"functionSize\":[]}");
	if (!samples_write(f, thread)) /* tells which stacks there are */
		return false;
	firefox_tables(f);
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
	firefox_strings(f);
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

	f.cpu = f.clock == CLOCK_WALL && (convert->clocks & 1u << CLOCK_CPU) != 0;
	f.strings = mem_zero(methods, sizeof(*f.strings));
	f.files = mem_zero(methods, sizeof(*f.files));
	f.funcs = mem_zero(methods, sizeof(*f.funcs));
	f.stacks = mem_zero(convert->profile->tree.count + 1, sizeof(*f.stacks));
	f.tids = mem_zero((size_t)convert->profile->lane_count + 1, sizeof(*f.tids));
	convert_thread_ids(convert, f.tids);
	whole = bythread_make(&f.calls, convert);
	if (whole)
		meta_write(&f);
	for (uint32_t i = 0; i < f.calls.lane_count && whole; i++)
		if (f.calls.lanes[i].events > 0)
			whole = thread_write(&f, i);
	if (whole)
		sbuf_text(f.out, "\n]}\n");
	bythread_release(&f.calls);
	mem_free(f.strings);
	mem_free(f.files);
	mem_free(f.funcs);
	mem_free(f.stacks);
	mem_free(f.tids);
	mem_free(f.list);
	return whole;
}
