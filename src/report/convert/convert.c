#include <config.h>

#include "report/convert/convert.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/report.h"
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

/* What is asked for ----------------------------------------------------------------- */

static bool
convert_choose(struct convert *c, const atomic_bool *cancel)
{
	const struct report_options *o = c->options;
	struct report *r = &c->report;

	if (!report_clock(o, c->trace, &c->clock, c->err) ||
	    !report_scope(o, c->trace, &r->scope, c->err))
		return false;
	c->clocks = o->clock_given ? 1u << c->clock : c->trace->clocks;
	c->range = o->range;
	c->scope = r->scope;
	if (c->format->kind == CONVERT_CALLS && transforms_active(&o->transforms))
		return err_set(c->err, ERR_UNSUPPORTED,
		    "--transform changes sums, and '%s' is made of calls", c->format->name);
	if (c->format->kind == CONVERT_PATHS && !report_sums(r, r->scope, cancel, c->err))
		return false;
	if (o->filter_count == 0)
		return true;
	r->figures.names = names_new(c->trace, !o->ascii);
	return methods_hidden(r, &c->hidden, cancel, c->err);
}

bool
convert_write(const struct convert_format *format, const struct profile *profile,
    const struct report_options *o, const char *folder, FILE *file, const atomic_bool *cancel,
    int *error, struct err *e)
{
	struct sink sink = sink_to(file, cancel);
	struct convert c = {.format = format, .profile = profile, .trace = profile->trace,
	    .options = o, .ascii = o->ascii, .folder = folder, .sink = &sink, .err = e,
	    .report = {.options = o, .profile = profile, .trace = profile->trace}};

	*error = 0;
	if (convert_choose(&c, cancel))
		(void)format->write(&c);
	if (e->kind == ERR_NONE)
		*error = sink_end(&sink);
	else
		sbuf_release(&sink.text);
	report_release(&c.report);
	mem_free(c.hidden);
	return e->kind == ERR_NONE;
}

bool
convert_visit(struct convert *c, const struct visitor *visitor, void *context)
{
	const struct visit visit = {c->profile, c->scope, c->range, c->hidden, c->sink->cancel};

	return visit_run(&visit, visitor, context);
}

/* Paths ----------------------------------------------------------------------------- */

struct pathing {
	struct convert *convert;
	const struct tree *tree;
	const struct count *counts; /* of a range; NULL: the tree's */
	bool idle; /* as in struct paths_source */
	bool (*visit)(void *, const struct convert_path *);
	void *context;
	uint32_t *methods;
	size_t room;
	size_t kept; /* of the path visited last */
};

static bool
path_visit(struct pathing *p, uint32_t thread, uint32_t node, size_t depth, bool hidden)
{
	const struct count count = tree_count_of(p->tree, p->counts, node);
	struct convert_path path = {thread, p->methods, depth, p->kept,
	    hidden || depth == 0 ? 0 : count.calls, {count.time[0], count.time[1]}};

	if (p->idle && node_parent(&p->tree->nodes[node]) == NODE_NONE)
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
	const struct tree *tree = p->tree;
	const struct node *nodes = tree->nodes;
	const uint8_t *hidden = p->convert->hidden;
	uint32_t node = root;
	size_t depth = 0;

	p->kept = 0;
	for (;;) {
		uint32_t next = tree_child(tree, node);
		bool left_out = hidden != NULL && hidden[nodes[node].method];

		if (node != root && !left_out) {
			MEM_GROW(p->methods, p->room, depth + 1);
			p->methods[depth++] = nodes[node].method;
		}
		if (!path_visit(p, thread, node, depth, left_out))
			return false;
		while (next == NODE_NONE) {
			if (node == root)
				return true;
			depth -= hidden == NULL || !hidden[nodes[node].method];
			p->kept = depth < p->kept ? depth : p->kept;
			next = tree_sibling(tree, node);
			if (next == NODE_NONE)
				node = node_parent(&nodes[node]);
		}
		node = next;
	}
}

/* All threads' paths. */
static bool
paths_visit(struct pathing *p, const struct paths_source *source)
{
	bool whole = true;

	p->tree = source->tree;
	p->counts = source->counts;
	p->idle = source->idle;
	for (uint32_t i = 0; i < source->thread_count && whole; i++)
		if (source->roots[i] != NODE_NONE && scope_has(p->convert->scope, i))
			whole = sink_wanted(p->convert->sink) && paths_of(p, i, source->roots[i]);
	mem_free(p->methods);
	return whole;
}

bool
convert_paths(struct convert *c, bool (*visit)(void *, const struct convert_path *),
    void *context)
{
	struct pathing pathing = {.convert = c, .visit = visit, .context = context};
	const struct report *r = &c->report;
	struct paths_source source = paths_source_of(
	    c->profile, c->scope, r->of == NULL && r->sums.counts != NULL ? &r->sums : NULL);
	struct paths_source of = r->of != NULL ? transformed_source(r->of, &source) : source;
	bool whole = paths_visit(&pathing, &of);

	paths_source_release(&source);
	return whole;
}

/* Texts ----------------------------------------------------------------------------- */

void
convert_thread_name(struct sbuf *out, const struct convert *c, uint32_t thread)
{
	const struct thread *th = trace_thread(c->trace, thread);

	if (th->name.n > 0)
		sbuf_str(out, th->name);
	else
		sbuf_printf(out, "thread %" PRIu32, th->id);
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

void
convert_name(struct sbuf *out, const struct convert *c, uint32_t method)
{
	const struct method *m = trace_method(c->trace, method);

	if (m->word == NULL)
		name_raw(out, c->trace, method);
	else
		sbuf_printf(out, "(%s)", m->word);
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

void
convert_us(struct sbuf *out, nsec ns)
{
	int decimals = 3;

	for (; decimals > 0 && ns % 10 == 0; decimals--)
		ns /= 10;
	sbuf_decimal(out, ns, decimals);
}

uint64_t
convert_pid(const struct convert *c)
{
	return c->trace->pid != 0 ? c->trace->pid : 1;
}

struct str
convert_title(const struct convert *c)
{
	const char *slash = strrchr(c->trace->path, '/');

	return str_from(slash != NULL ? slash + 1 : c->trace->path);
}
