// SPDX-License-Identifier: Apache-2.0
/*
 * funcgraph: calls that the kernel's tracer function_graph printed, as `cat trace` and
 * trace-cmd report have them.
 *
 *	[TIME |] CPU) [TASK-PID |] [MARK] [DURATION us] | INDENT name(ARGS) { | name(); | }
 *
 * Without times each core's clock is made of the durations: a call begins where its core is,
 * and the end of a call is its beginning and its duration; cores are not aligned then.  Calls are
 * those of tasks where tasks are told, else of cores.
 */
#include <config.h>

#include <inttypes.h>

#include "base/compat.h"
#include "base/mem.h"
#include "format/log/line.h"
#include "format/log/reader.h"

enum {
	HEAD_BYTES = 1 << 16, /* tell the form */
	INDENT = 2,           /* blanks of each call that is open */
};

struct graph_call {
	uint32_t method, depth;
	nsec begin;
};

/* The open calls of a thread's row. */
struct graph_stack {
	struct graph_call *calls;
	size_t count, room;
};

struct graph_core {
	nsec now;
	uint32_t row; /* of its task; THREAD_NONE: not known yet */
	bool met;
};

struct funcgraph {
	struct reader r;
	const char *at;
	struct graph_core *cores;
	size_t core_count, core_room;
	struct graph_stack *stacks; /* by row */
	size_t stack_count, stack_room;
	struct idmap unknown; /* core -> row of what ran there before a task was told */
	bool timed;
};

/* A line, taken apart. */
struct graph_line {
	uint32_t cpu;
	struct str comm;
	uint32_t pid;
	bool has_task, has_time, has_duration, is_switch;
	nsec at, duration;
	struct str text; /* after the bar, with its blanks */
};

/* Lines ----------------------------------------------------------------------------- */

/* Sums of two stay in range. */
#define TIME_MOST (INT64_MAX / 4)

/* "1.663" of a unit that is `scale` ns. */
static bool
decimal_parse(struct str s, nsec scale, nsec *out)
{
	const char *end = s.p + s.n, *p;
	uint64_t whole, part = 0;

	p = digits_take(s.p, end, 12, &whole);
	if (p == s.p || whole > (uint64_t)(TIME_MOST / scale))
		return false;
	*out = (nsec)whole * scale;
	if (p < end && *p == '.') {
		for (p++; p < end && is_digit(*p); p++) {
			scale /= 10;
			part += (uint64_t)(*p - '0') * (uint64_t)scale;
		}
	}
	*out += (nsec)part;
	return p == end;
}

/* "TASK-PID" */
static bool
task_parse(struct str s, struct str *comm, uint32_t *pid)
{
	size_t n = (s = str_trim(s)).n;
	uint64_t number;

	while (n > 0 && is_digit(s.p[n - 1]))
		n--;
	if (n == s.n || n < 2 || s.p[n - 1] != '-')
		return false;
	(void)digits_take(s.p + n, s.p + s.n, 10, &number);
	*comm = (struct str){s.p, n - 1};
	*pid = (uint32_t)number;
	return true;
}

/* The duration in what is before the bar; false when there is something else. */
static bool
duration_parse(struct graph_line *l, struct str s)
{
	size_t n;

	s = str_trim(s);
	if (s.n == 0)
		return true;
	if (s.n < 3 || memcmp(s.p + s.n - 2, "us", 2) != 0)
		return false;
	s = str_trim((struct str){s.p, s.n - 2});
	for (n = s.n; n > 0 && !is_blank(s.p[n - 1]);)
		n--;
	l->has_duration = decimal_parse((struct str){s.p + n, s.n - n}, 1000, &l->duration);
	return l->has_duration;
}

/* The lines of cat trace. */
static bool
graph_parse(struct graph_line *l, struct str line)
{
	struct str rest = line, field;
	const char *end;
	uint64_t cpu;

	*l = (struct graph_line){.has_task = false};
	field = str_cut(&rest, '|');
	if (rest.p != NULL && decimal_parse(str_trim(field), 1000000000, &l->at)) {
		l->has_time = true;
	} else {
		rest = line;
	}
	field = str_trim_left(rest);
	end = digits_take(field.p, field.p + field.n, 5, &cpu);
	if (field.n == 0 || end == field.p || end == field.p + field.n || *end != ')' ||
	    cpu >= LOGLINE_CPUS)
		return false;
	l->cpu = (uint32_t)cpu;
	rest = (struct str){end + 1, (size_t)(field.p + field.n - end) - 1};
	field = str_cut(&rest, '|');
	if (rest.p == NULL) {
		struct str after = field, before = str_cut(&after, '=');

		l->is_switch = after.n > 0 && *after.p == '>' && task_parse(before, &l->comm, &l->pid) &&
		    task_parse((struct str){after.p + 1, after.n - 1}, &l->comm, &l->pid);
		return l->is_switch;
	}
	if (!duration_parse(l, field)) {
		l->has_task = task_parse(field, &l->comm, &l->pid);
		if (!l->has_task || !duration_parse(l, str_cut(&rest, '|')) || rest.p == NULL)
			return false;
	}
	l->text = rest;
	return true;
}

/* The lines of trace-cmd report. */
static bool
event_parse(struct graph_line *l, struct str line)
{
	struct logline record;

	*l = (struct graph_line){.has_task = true, .has_time = true};
	if (!logline_parse(&record, line) || record.ticks || record.cpu >= LOGLINE_CPUS ||
	    record.tid == LOGLINE_NOBODY || record.ns > INT64_MAX / 2 ||
	    (!str_equal(record.func, STR("funcgraph_entry")) &&
		!str_equal(record.func, STR("funcgraph_exit"))))
		return false;
	l->cpu = record.cpu;
	l->comm = record.comm;
	l->pid = record.tid;
	l->at = (nsec)record.ns;
	l->text = record.payload;
	return duration_parse(l, str_cut(&l->text, '|')) && l->text.p != NULL;
}

/* Calls ----------------------------------------------------------------------------- */

static struct graph_stack *
stack_of(struct funcgraph *g, uint32_t row)
{
	if (row >= g->stack_count) {
		MEM_GROW_ZERO(g->stacks, g->stack_room, (size_t)row + 1);
		g->stack_count = (size_t)row + 1;
	}
	return &g->stacks[row];
}

static struct graph_core *
core_of(struct funcgraph *g, uint32_t cpu)
{
	if (cpu >= g->core_count) {
		MEM_GROW(g->cores, g->core_room, (size_t)cpu + 1);
		for (; g->core_count <= cpu; g->core_count++)
			g->cores[g->core_count] = (struct graph_core){.row = THREAD_NONE};
	}
	if (!g->cores[cpu].met) {
		g->cores[cpu].met = true;
		g->r.log->summary.cpus++;
	}
	return &g->cores[cpu];
}

/* The row of a task; the idle one is its core's. */
static uint32_t
row_of_task(struct funcgraph *g, const struct graph_line *l)
{
	uint32_t rows = trace_thread_count(g->r.trace), row;

	if (l->pid == 0)
		return row_of_core(&g->r, l->cpu);
	row = row_of_tid(&g->r, l->pid);
	row_name(&g->r, row, l->comm);
	g->r.log->summary.threads += trace_thread_count(g->r.trace) - rows;
	return row;
}

/* "core 3", as long as its task is not told. */
static uint32_t
row_of_unknown(struct funcgraph *g, uint32_t cpu)
{
	uint32_t row = idmap_get(&g->unknown, cpu);
	struct thread thread = {.id = cpu, .listed = true, .kind = THREAD_CORE};

	if (row != IDMAP_NONE)
		return row;
	thread.name = trace_print(g->r.trace, "core %" PRIu32, cpu);
	row = row_add(&g->r, &thread);
	if (row != THREAD_NONE)
		idmap_put(&g->unknown, cpu, row);
	return row;
}

static void
call_end(struct funcgraph *g, uint32_t row, uint32_t method, nsec at)
{
	event_keep(&g->r, row, slice_word(method, ACTION_EXIT), at);
}

/* Ends the calls of a row that are at least so deep: their ends are missing. */
static void
calls_end(struct funcgraph *g, uint32_t row, uint32_t depth, nsec at)
{
	struct graph_stack *s = stack_of(g, row);

	while (s->count > 0 && s->calls[s->count - 1].depth >= depth) {
		damage_add(g->r.damage, DAMAGE_LOST_EXIT, 1, g->r.line_at);
		call_end(g, row, s->calls[--s->count].method, at);
	}
}

/* The name in the comment after a call's end; empty without. */
static struct str
end_name(struct str text)
{
	struct str rest = {text.p + 1, text.n - 1}, mark = str_word(&rest);

	return str_equal(mark, STR("/*")) ? str_word(&rest) : (struct str){"", 0};
}

/* Takes what is after the bar; false when it is no call. */
static bool
call_take(struct funcgraph *g, struct graph_core *core, uint32_t row, const struct graph_line *l)
{
	struct str text = str_trim(l->text), name = text;
	uint32_t depth = (uint32_t)(text.p - l->text.p) / INDENT, method;
	struct graph_stack *s = stack_of(g, row);
	const char *comment = text.n > 0 ? memmem(text.p, text.n, "/*", 2) : NULL;
	nsec begin, end;
	char last;

	if (text.n == 0 || comment == text.p)
		return false;
	if (*text.p == '}') {
		calls_end(g, row, depth + 1, core->now);
		if (s->count > 0 && s->calls[s->count - 1].depth == depth) {
			end = s->calls[--s->count].begin + l->duration;
			method = s->calls[s->count].method;
		} else {
			name = end_name(text);
			end = core->now;
			method = slice_method(&g->r, name.n > 0 ? name : STR("(unknown)"), false);
		}
		core->now = l->has_time ? l->at : end > core->now ? end : core->now;
		call_end(g, row, method, core->now);
		return true;
	}
	if (comment != NULL)
		text = str_trim((struct str){text.p, (size_t)(comment - text.p)});
	last = text.n > 0 ? text.p[text.n - 1] : 0;
	if (last != '{' && last != ';')
		return false;
	name = str_trim(str_cut(&text, '('));
	if (name.n == 0)
		return false;
	if (l->has_time)
		core->now = l->at;
	begin = core->now;
	calls_end(g, row, depth, begin);
	method = slice_method(&g->r, name, false);
	event_keep(&g->r, row, slice_word(method, ACTION_ENTER), begin);
	if (last == ';') {
		core->now = begin + l->duration;
		call_end(g, row, method, core->now);
		return true;
	}
	*MEM_ADD(s->calls, s->count, s->room) = (struct graph_call){method, depth, begin};
	return true;
}

static enum feed_result
graph_take(struct reader *r)
{
	struct funcgraph *g = (struct funcgraph *)r;
	const char *bytes = (const char *)r->in.data.bytes, *end = bytes + r->in.data.size;
	struct log_summary *sum = &r->log->summary;
	struct graph_core *core;
	struct graph_line l;
	struct str line;
	uint32_t row;

	r->line_at = (uint64_t)(g->at - bytes);
	if (!logtext_line(&g->at, end, &line))
		return FEED_END;
	r->consumed = (uint64_t)(g->at - bytes);
	if (str_trim(line).n == 0 || *line.p == '#' || str_starts(str_trim(line), STR("-----")))
		return FEED_TAKEN;
	if (!graph_parse(&l, line) && !event_parse(&l, line)) {
		if (!logtext_is_remark(str_trim_left(line)))
			damage_add(r->damage, DAMAGE_SKIPPED_LINE, 1, r->line_at);
		return FEED_TAKEN;
	}
	sum->events++;
	core = core_of(g, l.cpu);
	row = l.is_switch || l.has_task ? row_of_task(g, &l)
	    : core->row != THREAD_NONE ? core->row : row_of_unknown(g, l.cpu);
	core->row = row;
	if (row == THREAD_NONE || l.is_switch)
		return FEED_TAKEN;
	if (l.has_time) {
		if (!g->timed)
			r->log->origin = (uint64_t)l.at;
		g->timed = true;
		l.at = (uint64_t)l.at > r->log->origin ? l.at - (nsec)r->log->origin : 0;
	}
	if (l.at > (nsec)SPAN_MOST || l.duration > (nsec)SPAN_MOST || core->now > (nsec)SPAN_MOST) {
		record_broken(r);
		return FEED_TAKEN;
	}
	if (call_take(g, core, row, &l))
		sum->used++;
	else
		sum->unread++;
	if ((uint64_t)core->now + r->log->origin > r->last_ns)
		r->last_ns = (uint64_t)core->now + r->log->origin;
	return FEED_TAKEN;
}

static void
stacks_release(struct funcgraph *g)
{
	for (size_t i = 0; i < g->stack_count; i++)
		mem_free(g->stacks[i].calls);
	mem_free(g->stacks);
	mem_free(g->cores);
	g->stacks = NULL;
	g->cores = NULL;
	g->stack_count = g->stack_room = g->core_count = g->core_room = 0;
}

static void
graph_rewind(struct reader *r)
{
	struct funcgraph *g = (struct funcgraph *)r;

	g->at = (const char *)r->in.data.bytes;
	g->timed = false;
	stacks_release(g);
}

static uint64_t
graph_left(struct reader *r, bool ask)
{
	uint64_t left = filemap_left(&r->in.data, ask);

	return left < r->in.data.size ? left : UINT64_MAX;
}

static void
graph_free(struct reader *r)
{
	struct funcgraph *g = (struct funcgraph *)r;

	stacks_release(g);
	idmap_release(&g->unknown);
}

static const struct feed graph_feed = {
	.take = graph_take,
	.rewind = graph_rewind,
	.left = graph_left,
	.free = graph_free,
};

/* Opening --------------------------------------------------------------------------- */

static bool
no_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	return false;
}

/* Calls in the beginning, and no records of events; `times`: they have some. */
static bool
is_graph(struct str file, bool *times)
{
	struct str head = str_head(file, HEAD_BYTES), line;
	const char *at = head.p, *end = head.p + head.n;
	struct logline record;
	struct graph_line l;
	size_t calls = 0;

	while (at != NULL && logtext_line(&at, end, &line)) {
		if (event_parse(&l, line) || (graph_parse(&l, line) && !l.is_switch)) {
			*times |= l.has_time;
			calls++;
		} else if (logline_parse(&record, line)) {
			return false;
		}
	}
	return calls > 0;
}

bool
funcgraph_open(struct trace *t, struct input *input, struct err *e)
{
	struct str file = {(const char *)input->data.bytes, input->data.size};
	struct funcgraph *g;
	bool times = false;

	if (!logtext_is_text(file) || !is_graph(file, &times))
		return false;
	g = mem_zero(1, sizeof(*g));
	reader_init(&g->r, t, input);
	g->r.feed = &graph_feed;
	g->r.source.past = input->data.size / 64 + 1024;
	g->r.source.end = input->data.size + g->r.source.past;
	g->r.log->detail = no_detail;
	g->r.log->kind = "calls of function_graph";
	t->format = "ftrace";
	if (!times)
		trace_note(t, "no times, only durations: cores are not aligned");
	reader_begin(&g->r);
	return true;
}
