#include <config.h>

#include "report/traceview/traceview.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clean.h"
#include "base/mem.h"

struct writer {
	struct sink *sink;
	struct sbuf *out;
	const struct trace *trace;
	struct tvcalls *calls;
	struct sbuf names; /* of methods, one after the other, safe to show */
	size_t *name_end;  /* by method: behind its name in `names` */
	uint32_t *threads; /* by id */
};

/* Names ------------------------------------------------------------------------- */

static void
method_name(struct sbuf *raw, const struct method *m)
{
	if (!m->known) {
		sbuf_printf(raw, "(0x%" PRIx64 ")", m->id);
		return;
	}
	if (m->class_name.n > 0) {
		sbuf_str(raw, m->class_name);
		sbuf_char(raw, '.');
	}
	sbuf_str(raw, m->name);
	if (m->signature.n > 0) {
		sbuf_char(raw, ' ');
		sbuf_str(raw, m->signature);
	}
}

static void
names_make(struct writer *w)
{
	uint32_t count = w->calls->method_count;
	struct sbuf raw = {0};

	w->name_end = mem_alloc((count + 1) * sizeof(*w->name_end));
	for (uint32_t m = 0; m < count; m++) {
		sbuf_clear(&raw);
		method_name(&raw, trace_method(w->trace, m));
		clean_append(&w->names, sbuf_view(&raw), 0);
		w->name_end[m] = w->names.n;
	}
	sbuf_release(&raw);
}

static struct str
name_of(const struct writer *w, uint32_t method)
{
	size_t from;

	if (method == TV_SWITCH)
		return STR("(context switch)");
	from = method > 0 ? w->name_end[method - 1] : 0;
	return (struct str){w->names.p + from, w->name_end[method] - from};
}

/* A thread that the file does not name goes by its id, once more. */
static void
thread_name(struct sbuf *out, const struct thread *th)
{
	sbuf_printf(out, "[%" PRIu32 "] ", th->id);
	if (th->listed)
		clean_append(out, th->name, 0);
	else
		sbuf_printf(out, "[%" PRIu32 "]", th->id);
}

/* Orders ------------------------------------------------------------------------ */

struct ranked {
	int64_t time;
	struct str name;
	uint32_t index;
};

static int
by_id(const void *left, const void *right, const void *context)
{
	const struct ranked *a = left, *b = right;

	(void)context;
	return (a->time > b->time) - (a->time < b->time);
}

static int
by_time_ascending_name(const void *left, const void *right, const void *context)
{
	const struct ranked *a = left, *b = right;

	(void)context;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return str_compare(a->name, b->name);
}

static int
by_time_descending_name(const void *left, const void *right, const void *context)
{
	const struct ranked *a = left, *b = right;

	(void)context;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return str_compare(b->name, a->name);
}

/* Indexes of the items in order; frees the items. */
static uint32_t *
order_make(struct ranked *items, size_t count, msort_order *order)
{
	struct ranked **sorted = mem_alloc((count + 1) * sizeof(struct ranked *));
	uint32_t *indexes = mem_alloc((count + 1) * sizeof(*indexes));

	for (size_t i = 0; i < count; i++)
		sorted[i] = &items[i];
	msort((void **)sorted, count, order, NULL);
	for (size_t i = 0; i < count; i++)
		indexes[i] = sorted[i]->index;
	mem_free(sorted);
	mem_free(items);
	return indexes;
}

static uint32_t *
threads_by_id(const struct writer *w)
{
	uint32_t count = w->calls->thread_count;
	struct ranked *items = mem_alloc((count + 1) * sizeof(*items));

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct ranked){trace_thread(w->trace, i)->id, {NULL, 0}, i};
	return order_make(items, count, by_id);
}

/* Blocks ------------------------------------------------------------------------ */

static void
totals_write(struct writer *w)
{
	const struct tv_method *top = &w->calls->methods[METHOD_TOPLEVEL];

	sbuf_printf(w->out, "totalCpuTime %" PRId64 "us\ntotalRealTime %" PRId64 "us\n",
	    top->cpu_inclusive, top->real_inclusive);
}

static void
times_write(struct writer *w, uint32_t thread, const int64_t cpu[2], const int64_t real[2])
{
	const int64_t times[] = {cpu[0], cpu[1], real[0], real[1]};

	sbuf_number(w->out, trace_thread(w->trace, thread)->id, 2);
	for (int i = 0; i < 4; i++) {
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, times[i], 8);
	}
}

static void
threads_write(struct writer *w)
{
	sbuf_text(w->out, "\nThread Times\nid  t-start    t-end  g-start    g-end     name\n");
	for (uint32_t i = 0; i < w->calls->thread_count && sink_row(w->sink); i++) {
		uint32_t thread = w->threads[i];
		const struct tv_thread *th = &w->calls->threads[thread];

		times_write(w, thread, th->cpu, th->real);
		sbuf_text(w->out, "  ");
		thread_name(w->out, trace_thread(w->trace, thread));
		sbuf_char(w->out, '\n');
	}
}

static void
line_end(struct writer *w, struct str name)
{
	sbuf_text(w->out, "  ");
	sbuf_str(w->out, name);
	sbuf_char(w->out, '\n');
}

static void
calls_write(struct writer *w)
{
	sbuf_text(w->out, "\nCall Times\n"
			  "id  t-start    t-end  g-start    g-end    excl.    incl.  method\n");
	for (uint64_t i = 0; i < w->calls->calls.count && sink_row(w->sink); i++) {
		const struct tv_call *call = spool_at(&w->calls->calls, i);

		times_write(w, call->thread, call->cpu, call->real);
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, call->exclusive, 8);
		sbuf_char(w->out, ' ');
		sbuf_number(w->out, call->cpu[1] - call->cpu[0], 8);
		line_end(w, name_of(w, call->method));
	}
}

static void
methods_write(struct writer *w)
{
	bool wall = w->calls->clock == TV_WALL;
	struct ranked *items = mem_alloc((w->calls->method_count + 1) * sizeof(*items));
	uint32_t *order;
	size_t count = 0;

	for (uint32_t m = 0; m < w->calls->method_count; m++) {
		const struct tv_method *sum = &w->calls->methods[m];
		int64_t time = wall ? sum->real_inclusive : sum->cpu_inclusive;

		if (time != 0)
			items[count++] = (struct ranked){time, name_of(w, m), m};
	}
	order = order_make(items, count, by_time_ascending_name);
	sbuf_text(w->out, "\nMethod Stats\n"
			  "Excl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method\n");
	for (size_t rank = 0; rank < count && sink_row(w->sink); rank++) {
		const struct tv_method *sum = &w->calls->methods[order[rank]];
		char calls[48];

		snprintf(calls, sizeof(calls), "%" PRIu64 "+%" PRIu64, sum->calls,
		    sum->recursive_calls);
		sbuf_printf(w->out,
		    "%9" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %9s  %zu ",
		    sum->cpu_exclusive, sum->cpu_inclusive, sum->real_exclusive,
		    sum->real_inclusive, calls, rank);
		sbuf_str(w->out, name_of(w, order[rank]));
		sbuf_char(w->out, '\n');
	}
	mem_free(order);
}

/* Those with calls, by time descending; equal ones by label descending, as Traceview has it. */
static uint32_t *
roots_order(struct writer *w, struct sbuf *labels, size_t *count)
{
	uint32_t threads = w->calls->thread_count;
	struct ranked *items = mem_alloc((threads + 1) * sizeof(*items));
	size_t *end = mem_alloc((threads + 1) * sizeof(*end));
	size_t n = 0;

	for (uint32_t i = 0; i < threads; i++) {
		const struct tv_thread *th = &w->calls->threads[i];

		thread_name(labels, trace_thread(w->trace, i));
		end[i] = labels->n;
		if (!th->called || trace_thread(w->trace, i)->id == 0)
			continue;
		items[n++] = (struct ranked){
			w->calls->clock == TV_WALL ? th->real_inclusive : th->cpu_inclusive,
			{NULL, 0}, i};
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = items[i].index > 0 ? end[items[i].index - 1] : 0;

		items[i].name = (struct str){labels->p + from, end[items[i].index] - from};
	}
	mem_free(end);
	*count = n;
	return order_make(items, n, by_time_descending_name);
}

static void
records_write(struct writer *w)
{
	struct sbuf labels = {0};
	size_t count;
	uint32_t *roots = roots_order(w, &labels, &count);

	sbuf_text(w->out, "\nTime Records\nid  t-start    t-end  g-start    g-end  method\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		const struct tv_thread *th = &w->calls->threads[roots[i]];

		times_write(w, roots[i], th->cpu, th->real);
		line_end(w, name_of(w, METHOD_TOPLEVEL));
	}
	for (uint64_t i = 0; i < w->calls->calls.count && sink_row(w->sink); i++) {
		const struct tv_call *call = spool_at(&w->calls->calls, i);

		times_write(w, call->thread, call->cpu, call->real);
		line_end(w, name_of(w, call->method));
	}
	mem_free(roots);
	sbuf_release(&labels);
}

void
traceview_write(struct sink *sink, const struct trace *trace, struct tvcalls *calls)
{
	struct writer w = {.sink = sink, .out = &sink->text, .trace = trace, .calls = calls};

	names_make(&w);
	w.threads = threads_by_id(&w);
	totals_write(&w);
	threads_write(&w);
	calls_write(&w);
	methods_write(&w);
	records_write(&w);
	sbuf_release(&w.names);
	mem_free(w.name_end);
	mem_free(w.threads);
}
