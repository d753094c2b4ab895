// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/convert/convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/text/views.h"

/* clang-format off */
const struct convert_format convert_formats[] = {
	{ "callgrind", ".callgrind", "for KCachegrind and callgrind_annotate",
	    CONVERT_PATHS, false, convert_callgrind },
	{ "chrome", ".json", "Trace Event JSON, for chrome://tracing and Perfetto",
	    CONVERT_CALLS, false, convert_chrome },
	{ "firefox", ".json", "the Firefox Profiler's own JSON",
	    CONVERT_CALLS, false, convert_firefox },
	{ "folded", ".folded", "stacks on a line each, for flamegraph.pl and inferno",
	    CONVERT_FLAME, false, convert_folded },
	{ "perfetto", ".pftrace", "Perfetto's trace of track events",
	    CONVERT_CALLS, true, convert_perfetto },
	{ "pprof", ".pb.gz", "pprof's profile, compressed",
	    CONVERT_PATHS, true, convert_pprof },
	{ "speedscope", ".speedscope.json", "speedscope's JSON, a profile for each thread",
	    CONVERT_CALLS, false, convert_speedscope },
	{ "svg", ".svg", "a flame graph to zoom and search in, for a browser",
	    CONVERT_FLAME, false, convert_svg },
	{ "trace", ".trace", "classic method trace: version 3 with two clocks, else 2",
	    CONVERT_CALLS, true, convert_trace },
	{ "trace-v1", ".trace", "the same, version 1: one clock, at most 255 threads",
	    CONVERT_CALLS, true, convert_trace1 },
	{ "trace-v2", ".trace", "the same, version 2: one clock",
	    CONVERT_CALLS, true, convert_trace2 },
};
/* clang-format on */
const int convert_format_count = (int)(sizeof(convert_formats) / sizeof(convert_formats[0]));

/* The selection --------------------------------------------------------------------- */

static bool
convert_choose(struct convert *c, const atomic_bool *cancel)
{
	struct report_options all = *c->options; /* a borrowed copy */
	const struct report_options *o = &all;
	struct report *r = &c->report;

	all.axis_clock = true;
	if (!report_clock(o, c->trace, &c->clock, c->err) ||
	    !report_range(o, c->profile, cancel, c->err) || !report_scope(o, c->trace, &r->scope, c->err))
		return false;
	c->clocks = o->clock_given ? 1u << c->clock : c->trace->clocks;
	c->both = c->clock == CLOCK_WALL && (c->clocks & 1u << CLOCK_CPU) != 0;
	c->range = o->range;
	c->scope = r->scope;
	if (c->format->kind == CONVERT_CALLS && transforms_active(&o->transforms))
		return err_set(c->err, ERR_UNSUPPORTED,
		    "--transform changes sums, and '%s' is made of calls", c->format->name);
	if (c->format->kind == CONVERT_PATHS && !report_source(r, cancel, c->err))
		return false;
	if (o->filters.count == 0)
		return true;
	r->figures.trace = c->trace;
	r->figures.names = names_new(c->trace, !o->ascii);
	return methods_hidden(r, &c->hidden, cancel, c->err);
}

bool
convert_write(const struct convert_format *format, const struct profile *profile,
    const struct report_options *o, const char *folder, FILE *file, const atomic_bool *cancel,
    int *error, struct err *e)
{
	struct sink sink = sink_to(file, cancel);
	struct sbuf text = {0};
	struct convert c = {.format = format, .profile = profile, .trace = profile->trace,
	    .options = o, .ascii = o->ascii, .folder = folder, .text = &text, .sink = &sink, .err = e,
	    .report = {.options = o, .profile = profile, .trace = profile->trace}};

	*error = 0;
	if (convert_choose(&c, cancel))
		(void)format->write(&c);
	if (e->kind == ERR_NONE)
		*error = sink_end(&sink);
	else
		sbuf_release(&sink.text);
	sbuf_release(&text);
	arena_release(&c.kept);
	report_release(&c.report);
	mem_free(c.hidden);
	return e->kind == ERR_NONE;
}

void *
convert_zero(struct convert *c, size_t count, size_t size)
{
	return memset(arena_alloc(&c->kept, count * size), 0, count * size);
}

/* Paths ----------------------------------------------------------------------------- */

struct pathing {
	struct convert *convert;
	const struct paths_source *source;
	bool (*visit)(void *, const struct convert_path *);
	void *context;
	uint32_t *methods;
	size_t room;
	size_t kept; /* of the path visited last */
};

static bool
path_visit(struct pathing *p, uint32_t thread, uint32_t node, size_t depth, bool hidden)
{
	const struct count count = tree_count_of(p->source->tree, p->source->counts, node);
	struct convert_path path = {thread, p->methods, depth, p->kept,
	    hidden || depth == 0 ? 0 : count.calls, {count.time[0], count.time[1]}};

	if (p->source->idle && p->source->tree->nodes[node].parent == NODE_NONE)
		return true;
	if (path.calls == 0 && path.time[CLOCK_CPU] == 0 && path.time[CLOCK_WALL] == 0)
		return true;
	p->kept = depth;
	return p->visit(p->context, &path);
}

/* Down to the first child and on to the next one, without recursion. */
static bool
paths_of(struct pathing *p, uint32_t thread, uint32_t root)
{
	const struct tree *tree = p->source->tree;
	const struct node *nodes = tree->nodes;
	uint32_t node = root;
	size_t depth = 0;

	p->kept = 0;
	for (;;) {
		uint32_t next = tree_child(tree, node);
		bool left_out = convert_hides(p->convert, nodes[node].method);

		if (node != root && !left_out)
			*MEM_ADD(p->methods, depth, p->room) = nodes[node].method;
		if (!path_visit(p, thread, node, depth, left_out))
			return false;
		while (next == NODE_NONE) {
			if (node == root)
				return true;
			depth -= !convert_hides(p->convert, nodes[node].method);
			p->kept = depth < p->kept ? depth : p->kept;
			next = tree_sibling(tree, node);
			if (next == NODE_NONE)
				node = nodes[node].parent;
		}
		node = next;
	}
}

bool
convert_paths(struct convert *c, bool (*visit)(void *, const struct convert_path *),
    void *context)
{
	const struct report *r = &c->report;
	const struct transformed *x = r->source.of;
	struct paths_source source =
	    paths_source_of(c->profile, c->scope, x == NULL ? r->source.sums : NULL);
	const struct paths_source of = x != NULL ? transformed_source(x, &source) : source;
	struct pathing p = {.convert = c, .visit = visit, .context = context, .source = &of};
	bool whole = true;

	for (uint32_t i = 0; i < of.thread_count && whole; i++)
		if (of.roots[i] != NODE_NONE && scope_has(c->scope, i))
			whole = sink_wanted(c->sink) && paths_of(&p, i, of.roots[i]);
	mem_free(p.methods);
	paths_source_release(&source);
	return whole;
}

/* Texts ----------------------------------------------------------------------------- */

struct str
convert_thread_name(const struct convert *c, uint32_t thread)
{
	const struct thread *th = trace_thread(c->trace, thread);

	if (th->name.n > 0)
		return th->name;
	sbuf_clear(c->text);
	sbuf_printf(c->text, "thread %" PRIu32, th->id);
	return sbuf_view(c->text);
}

void
convert_thread_ids(const struct convert *c, uint32_t *ids)
{
	uint32_t count = c->profile->stack_count, free_id = 1;
	struct idmap taken = {0};

	/* Threads first: it is the other rows that give way. */
	for (int other = 0; other < 2; other++) {
		for (uint32_t i = 0; i < count; i++) {
			const struct thread *th = trace_thread(c->trace, i);

			if ((th->kind != THREAD_TASK) != (other != 0))
				continue;
			ids[i] = th->id;
			if (other == 0 && th->id >= free_id && th->id < UINT32_MAX)
				free_id = th->id + 1;
			while (idmap_get(&taken, ids[i]) != IDMAP_NONE)
				ids[i] = free_id++;
			idmap_put(&taken, ids[i], i);
		}
	}
	idmap_release(&taken);
}

struct str
convert_name(const struct convert *c, uint32_t method)
{
	const struct method *m = trace_method(c->trace, method);

	sbuf_clear(c->text);
	if (m->word == NULL)
		name_raw(c->text, c->trace, method);
	else
		sbuf_printf(c->text, "(%s)", m->word);
	return sbuf_view(c->text);
}

void
convert_utf8(struct sbuf *out, struct str in)
{
	const char *plain = in.p;

	while (in.n > 0) {
		const char *at = in.p;

		if (utf8_next(&in) != UTF8_MALFORMED)
			continue;
		sbuf_bytes(out, plain, (size_t)(at - plain));
		sbuf_text(out, UTF8_REPLACEMENT);
		plain = in.p;
	}
	sbuf_bytes(out, plain, (size_t)(in.p - plain));
}

uint64_t
convert_pid(const struct convert *c)
{
	return c->trace->pid != 0 ? c->trace->pid : 1;
}

uint64_t
convert_thread_pid(const struct convert *c, uint32_t thread)
{
	return c->trace->log == NULL
	    ? convert_pid(c)
	    : convert_log_process(c, trace_thread(c->trace, thread)->process)->pid;
}

struct str
convert_title(const struct convert *c)
{
	return str_from(trace_title(c->trace));
}

/* Parts of text logs beside slices -------------------------------------------------- */

const struct log_process *
convert_log_process(const struct convert *c, uint32_t process)
{
	static const struct log_process none;

	return process == 0 || c->trace->log == NULL
	    ? &none
	    : seg_at(&c->trace->log->processes, process - 1);
}

/* True if each piece is key=value. */
static bool
are_pairs(struct str args, char mark)
{
	struct str rest = args;

	while (rest.p != NULL) {
		struct str piece = str_cut(&rest, mark);

		if (piece.n > 0 && memchr(piece.p, '=', piece.n) == NULL)
			return false;
	}
	return true;
}

static void
args_each(struct str args, void (*each)(void *, struct str, struct str), void *context)
{
	char mark = memchr(args.p, ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;

	if (!are_pairs(args, mark)) {
		each(context, STR("args"), args);
		return;
	}
	while (rest.p != NULL) {
		struct str value = str_cut(&rest, mark), key = str_cut(&value, '=');

		if (value.p != NULL)
			each(context, str_trim_left(key), value);
	}
}

void
convert_log_args(const struct convert *c, uint64_t offset,
    void (*each)(void *context, struct str key, struct str value), void *context)
{
	struct log_detail d;
	char id[32];

	if (c->trace->log == NULL || offset == UINT64_MAX ||
	    !c->trace->log->detail(c->trace->log, offset, &d))
		return;
	if (d.has_id) {
		snprintf(id, sizeof(id), "%" PRId64, d.id);
		each(context, STR("task_id"), str_from(id));
	}
	const struct {
		struct str key, value;
	} members[] = {{STR("category"), d.category}, {STR("level"), d.level},
	    {STR("chain_id"), d.chain}, {STR("span_id"), d.span}, {STR("parent_span_id"), d.parent}};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (members[i].value.n > 0)
			each(context, members[i].key, members[i].value);
	}
	if (d.args.n > 0)
		args_each(d.args, each, context);
}

struct group_members {
	struct sbuf *out;
	bool any;
};

static void
member(void *context, struct str key, struct str value)
{
	struct group_members *m = context;

	sbuf_text(m->out, m->any ? "," : ",\"args\":{");
	json_quoted(m->out, key);
	sbuf_char(m->out, ':');
	json_quoted(m->out, value);
	m->any = true;
}

void
convert_log_json(struct sbuf *out, const struct convert *c, uint64_t offset)
{
	struct group_members members = {out, false};

	convert_log_args(c, offset, member, &members);
	if (members.any)
		sbuf_char(out, '}');
}

/* True if a chosen thread belongs to the process. */
static bool
process_chosen(const struct convert *c, uint32_t process)
{
	for (uint32_t i = 0; c->scope != NULL && i < c->scope->count; i++) {
		if (scope_has(c->scope, i) && trace_thread(c->trace, i)->process == process)
			return true;
	}
	return c->scope == NULL;
}

/* True if the time is in the range, both ends of which belong to it. */
static bool
is_ranged(const struct convert *c, nsec at)
{
	return at >= c->range.from && at <= c->range.to;
}

bool
convert_log_visit(const struct convert *c, const struct log_visitor *v, void *context)
{
	const struct log *log = c->trace->log;
	struct log_detail d;
	bool *chosen, more = true;
	uint32_t count;

	if (log == NULL)
		return true;
	count = seg_count(&log->counters);
	chosen = mem_zero((size_t)count + 1, sizeof(*chosen));
	for (uint32_t i = 0; i < count; i++)
		chosen[i] = process_chosen(c, ((struct log_counter *)seg_at(&log->counters, i))->process);
	for (uint64_t n = 0; n < log->samples.count && more; n++) {
		const struct log_sample *s = spool_peek(&log->samples, n);

		if (chosen[s->counter] && is_ranged(c, s->at))
			more = v->sample(context, s->counter, s);
	}
	mem_free(chosen);
	for (uint64_t n = 0; n < log->instants.count && more; n++) {
		const struct log_instant *i = spool_peek(&log->instants, n);

		if ((i->thread != THREAD_NONE ? scope_has(c->scope, i->thread)
					      : process_chosen(c, i->process)) &&
		    is_ranged(c, i->at) && log->detail(log, i->offset, &d))
			more = v->instant(context, i, &d);
	}
	for (uint64_t n = 0; n < log->steps.count && more; n++) {
		const struct log_step *s = spool_peek(&log->steps, n);

		if (is_ranged(c, s->at))
			more = v->step(context, s);
	}
	return more;
}
