// SPDX-License-Identifier: Apache-2.0
/*
 * cpuprofile: CPU profiles of V8, as node --cpu-prof and Chrome's developer tools write them.
 *
 * Source: Profiler.Profile of the Chrome DevTools Protocol.  An object with nodes {id, callFrame,
 * children or parent}, samples as ids of nodes, and timeDeltas in microseconds, which may go back.
 * A sample weighs as much as the time until the next one.  Without samples or times, or where the
 * file ends before all of them, the nodes' hitCounts are the weights.  Some tools write ids as texts.  The
 * root is no frame; "(idle)" is one, and told in the properties.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/table.h"
#include "format/samples/samples.h"

enum { NODES, SAMPLES, DELTAS, BEGIN, END, MEMBERS };

static const char *const members[MEMBERS] = {
    [NODES] = "nodes", [SAMPLES] = "samples", [DELTAS] = "timeDeltas", [BEGIN] = "startTime",
    [END] = "endTime"};

enum { ID, FRAME, CHILDREN, PARENT, HITS, NODE_MEMBERS };

static const char *const node_members[NODE_MEMBERS] = {
    [ID] = "id", [FRAME] = "callFrame", [CHILDREN] = "children", [PARENT] = "parent",
    [HITS] = "hitCount"};

enum { FUNCTION, URL, LINE, FRAME_MEMBERS };

static const char *const frame_members[FRAME_MEMBERS] = {
    [FUNCTION] = "functionName", [URL] = "url", [LINE] = "lineNumber"};

struct cpuprofile {
	struct sampler s;
	struct jscan_value member[MEMBERS];
	struct jcolumn samples, deltas;
	bool counted;      /* weights are hitCounts: `samples` are the nodes */
	bool any;
	nsec begin, at;    /* at: the sum of deltas */
	uint32_t thread, unknown; /* unknown: the row of nodes that are not there, + 1 */
	uint32_t idle;     /* method */
	nsec idle_from, idled;
	bool idles;
	struct idmap ids;  /* of nodes -> row */
	struct stack_row *rows;
	size_t count, room;
};

void
cpuprofile_frame(struct str frame, struct sbuf *name, struct sbuf *file)
{
	struct jscan_value v[FRAME_MEMBERS];
	int64_t line = -1;

	(void)jscan_members(frame, frame_members, FRAME_MEMBERS, v);
	jscan_unescape(name, v[FUNCTION].text);
	jscan_unescape(file, v[URL].text);
	(void)jscan_scaled(v[LINE].text, 0, &line);
	if (name->n == 0 && file->n == 0)
		sbuf_text(name, "(anonymous)");
	else if (name->n == 0)
		sbuf_printf(name, "(anonymous %s:%lld)", path_base(sbuf_cstr(file)), (long long)line + 1);
}

/* Names the function of a node; the root's has none. */
static uint32_t
node_method(struct cpuprofile *c, struct str frame)
{
	struct sbuf name = {0}, file = {0};
	uint32_t method = METHOD_NONE;

	cpuprofile_frame(frame, &name, &file);
	if (!str_equal(sbuf_view(&name), STR("(root)")))
		method = samples_method(&c->s, sbuf_view(&name), sbuf_view(&file), true);
	if (str_equal(sbuf_view(&name), STR("(idle)")))
		c->idle = method;
	sbuf_release(&name);
	sbuf_release(&file);
	return method;
}

/* A node's id, which may be a number in a text; CELL_NONE of what is none. */
static uint32_t
id_of(const struct jscan_value *v)
{
	struct jscan_value id = *v;

	if (id.kind == '"')
		id.kind = '0';
	return jcell_index(&id);
}

/* The row of a node's id, made when it is met first. */
static uint32_t
row_of(struct cpuprofile *c, const struct jscan_value *id)
{
	uint32_t row = idmap_add(&c->ids, id_of(id), c->count);

	if (row == c->count)
		*MEM_ADD(c->rows, c->count, c->room) = (struct stack_row){.method = METHOD_NONE};
	return row;
}

/* Adds a node, and its children; the first of two parents holds. */
static void
node_read(struct cpuprofile *c, struct str text)
{
	struct jscan_value v[NODE_MEMBERS], child;
	struct jcolumn children;
	uint32_t row;

	(void)jscan_members(text, node_members, NODE_MEMBERS, v);
	if (id_of(&v[ID]) == CELL_NONE) {
		samples_fault(&c->s, DAMAGE_MALFORMED_LINE);
		return;
	}
	row = row_of(c, &v[ID]);
	c->rows[row].method = node_method(c, v[FRAME].text);
	if (id_of(&v[PARENT]) != CELL_NONE && c->rows[row].below == 0) {
		uint32_t parent = row_of(c, &v[PARENT]);

		c->rows[row].below = parent + 1;
	}
	children = jcolumn_of(v[CHILDREN]);
	while (jcolumn_next(&children, &child)) {
		uint32_t below = row_of(c, &child);

		if (c->rows[below].below == 0)
			c->rows[below].below = row + 1;
	}
}

static void
nodes_read(struct cpuprofile *c)
{
	struct jcolumn nodes = jcolumn_of(c->member[NODES]);
	struct jscan_value v;

	while (jcolumn_next(&nodes, &v)) {
		samples_goto(&c->s, (const uint8_t *)v.text.p);
		node_read(c, v.text);
	}
}

/* The row of a sample's node; what is not among the nodes has a row of its own. */
static uint32_t
sample_row(struct cpuprofile *c, const struct jscan_value *id)
{
	uint32_t row = idmap_get(&c->ids, id_of(id));

	if (row != IDMAP_NONE)
		return row;
	if (c->unknown == 0) {
		*MEM_ADD(c->rows, c->count, c->room) = (struct stack_row){
		    .method = samples_method(&c->s, STR("(unknown)"), STR(""), true)};
		c->unknown = (uint32_t)c->count;
	}
	samples_fault(&c->s, DAMAGE_MALFORMED_LINE);
	return c->unknown - 1;
}

/* A node's hitCount, where there are no samples. */
static bool
hits_take(struct cpuprofile *c)
{
	struct jscan_value node, v[NODE_MEMBERS];
	int64_t hits;

	if (!jcolumn_next(&c->samples, &node))
		return false;
	(void)jscan_members(node.text, node_members, NODE_MEMBERS, v);
	if (jscan_scaled(v[HITS].text, 3, &hits) && hits > 0 && id_of(&v[ID]) != CELL_NONE)
		samples_add_stack(&c->s, c->thread, (uint64_t)hits, 0,
		    samples_row(&c->s, c->rows, c->count, sample_row(c, &v[ID])));
	return true;
}

/* Adds the time until now, where it was idle. */
static void
idle_until(struct cpuprofile *c, nsec at, bool idles)
{
	if (c->idles && at > c->idle_from)
		c->idled += at - c->idle_from;
	c->idle_from = at > c->idle_from ? at : c->idle_from;
	c->idles = idles;
}

/* The last sample lasts until the profile ends. */
static void
last_end(struct cpuprofile *c)
{
	int64_t end;

	if (!c->any || !jscan_ns(c->member[END].text, &end) ||
	    __builtin_sub_overflow(end, c->s.origin, &end))
		return;
	idle_until(c, end, false);
	samples_stop(&c->s, c->thread, end);
}

static bool
cpuprofile_take(struct sampler *s)
{
	struct cpuprofile *c = (struct cpuprofile *)s;
	struct jscan_value id, delta;
	bool sampled, told;
	int64_t ns = 0;
	uint32_t row;

	if (c->counted)
		return hits_take(c);
	sampled = jcolumn_next(&c->samples, &id);
	told = jcolumn_next(&c->deltas, &delta);
	if (!sampled || !told) {
		if (sampled != told) /* one of them is shorter */
			samples_fault(s, DAMAGE_MALFORMED_LINE);
		last_end(c);
		return false;
	}
	samples_goto(s, (const uint8_t *)id.text.p);
	if (!jscan_ns(delta.text, &ns) || __builtin_add_overflow(c->at, ns, &c->at))
		samples_fault(s, DAMAGE_MALFORMED_LINE);
	if (!c->any)
		s->origin = c->at;
	c->any = true;
	row = sample_row(c, &id);
	ns = c->at > s->origin ? c->at - s->origin : 0;
	if (c->at < s->origin)
		samples_fault(s, DAMAGE_BACKWARD_CLOCK);
	idle_until(c, ns, c->rows[row].method == c->idle && c->idle != METHOD_NONE);
	samples_stamp(s, c->thread, ns, samples_row(s, c->rows, c->count, row));
	return true;
}

static void
cpuprofile_end(struct sampler *s)
{
	const struct cpuprofile *c = (struct cpuprofile *)s;
	char text[FMT_SIZE];

	if (c->idled > 0)
		trace_note(s->trace, "nothing was to be done for %s of it, the method (idle)",
		    unit_text(&s->trace->unit, text, c->idled));
}

static void
cpuprofile_free(struct sampler *s)
{
	struct cpuprofile *c = (struct cpuprofile *)s;

	idmap_release(&c->ids);
	mem_free(c->rows);
}

static const struct samples_format cpuprofile = {cpuprofile_take, cpuprofile_end, cpuprofile_free};

/* True if one of the nodes has a hitCount. */
static bool
has_hits(const struct jscan_value *nodes)
{
	struct jcolumn column = jcolumn_of(*nodes);
	struct jscan_value node, v[NODE_MEMBERS];

	while (jcolumn_next(&column, &node)) {
		(void)jscan_members(node.text, node_members, NODE_MEMBERS, v);
		if (v[HITS].text.n > 0)
			return true;
	}
	return false;
}

bool
cpuprofile_open(struct trace *t, struct input *in, struct str object, struct err *e)
{
	struct cpuprofile *c = mem_zero(1, sizeof(*c));
	bool closed = jscan_members(object, members, MEMBERS, c->member);

	c->counted = c->member[SAMPLES].kind != '[' || c->member[DELTAS].kind != '[';
	if (c->counted && !has_hits(&c->member[NODES])) {
		mem_free(c);
		return !closed && err_set(e, ERR_TRUNCATED, "is a CPU profile of V8 that ends before its samples");
	}
	samples_open(&c->s, &cpuprofile, t, in);
	t->format = "cpuprofile";
	c->idle = METHOD_NONE;
	nodes_read(c);
	if (!closed && c->counted)
		samples_fault(&c->s, DAMAGE_TRUNCATED_FILE);
	c->samples = jcolumn_of(c->member[c->counted ? NODES : SAMPLES]);
	c->deltas = jcolumn_of(c->member[DELTAS]);
	c->thread = samples_thread_one(&c->s);
	if (c->counted) {
		t->unit.name = "samples";
		return true;
	}
	if (!jscan_ns(c->member[BEGIN].text, &c->begin))
		c->begin = 0;
	c->at = c->begin;
	samples_clocks(&c->s, HAS_BOTH);
	return true;
}
