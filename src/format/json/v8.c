// SPDX-License-Identifier: Apache-2.0
/*
 * v8.c: CPU profiles of V8 among Chrome's events, as slices of a thread beside the one that they are
 * of (chrome.h).
 *
 * Source: what Chrome's developer tools write.  An event P "Profile" tells when a profile began;
 * "ProfileChunk" of the same process and id have nodes {id, parent, callFrame}, samples as ids of
 * nodes and timeDeltas in microseconds.  Older ones write the whole as one moment "CpuProfile", whose
 * nodes have ids of children, which come after them.  A run of samples with a frame is a slice, which
 * ends at the first sample without it; the root is no frame, and while V8 idles there is none.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/chrome.h"
#include "format/json/table.h"
#include "format/samples/samples.h"

enum { DEPTH_MOST = 512 };

/* A frame, and the row of the stack below it. */
struct v8_row {
	uint32_t below; /* + 1; 0: it is the outermost */
	uint32_t name, depth;
};

struct chrome_profile {
	uint32_t thread;
	int64_t at;
	bool timed;
	struct idmap ids;    /* of nodes -> row + 1; 0: no frame */
	struct idmap parents; /* of nodes that a node before them calls its children */
	struct v8_row *rows;
	size_t count, room;
	uint32_t now;        /* the row of the last sample, + 1; 0: an empty stack */
	uint64_t offset;
};

/* Nodes ---------------------------------------------------------------------------------- */

static uint32_t
frame_name(struct chrome_trace *c, struct str frame, bool *none)
{
	struct sbuf name = {0}, file = {0};
	uint32_t index;

	cpuprofile_frame(frame, &name, &file);
	*none = str_equal(sbuf_view(&name), STR("(root)")) || str_equal(sbuf_view(&name), STR("(idle)"));
	index = intern_find(&c->names, sbuf_view(&name), 0);
	if (index == IDMAP_NONE)
		index = intern_add(&c->names, arena_str(&c->kept, sbuf_view(&name)), 0);
	sbuf_release(&name);
	sbuf_release(&file);
	return index;
}

static void
nodes_read(struct chrome_trace *c, struct chrome_profile *p, struct jscan_value nodes)
{
	static const char *const members[] = {"id", "parent", "callFrame", "children"};
	struct jcolumn column = jcolumn_of(nodes), children;
	struct jscan_value node, child, v[4];

	while (jcolumn_next(&column, &node)) {
		struct v8_row row = {.below = 0};
		uint32_t id, parent, below = 0;
		bool none;

		(void)jscan_members(node.text, members, 4, v);
		id = jcell_index(&v[0]);
		if (id == CELL_NONE)
			continue;
		parent = v[1].kind != 0 ? jcell_index(&v[1]) : idmap_get(&p->parents, id);
		children = jcolumn_of(v[3]);
		while (jcolumn_next(&children, &child))
			(void)idmap_add(&p->parents, jcell_index(&child), id);
		if (parent != CELL_NONE && (below = idmap_get(&p->ids, parent)) == IDMAP_NONE)
			below = 0;
		row.name = frame_name(c, v[2].text, &none);
		row.below = below;
		row.depth = below > 0 ? p->rows[below - 1].depth + 1 : 1;
		if (none || row.depth > DEPTH_MOST) {
			idmap_put(&p->ids, id, none ? 0 : below);
			continue;
		}
		*MEM_ADD(p->rows, p->count, p->room) = row;
		idmap_put(&p->ids, id, (uint32_t)p->count);
	}
}

/* Slices ---------------------------------------------------------------------------------- */

static void
edge_keep(struct chrome_trace *c, const struct chrome_profile *p, uint32_t row, enum chrome_kind kind)
{
	struct chrome_thread *t = &c->threads[p->thread];
	struct chrome_event e = {.ts = p->at, .end = p->at, .ran = CHROME_NOT_TOLD,
	    .ran_end = CHROME_NOT_TOLD, .offset = p->offset & ((UINT64_C(1) << 48) - 1), .kind = kind,
	    .of = p->thread, .name = p->rows[row - 1].name};

	t->used = t->works = true;
	t->last = nsec_max(t->last, p->at);
	c->pairs++;
	c->slices += kind == CHROME_BEGIN;
	chrome_keep(c, &e);
}

/* Ends what the stack has not any more, and begins what is new. */
static void
stack_go(struct chrome_trace *c, struct chrome_profile *p, uint32_t to)
{
	uint32_t begun[DEPTH_MOST], count = 0, from = p->now, at = to;

	while (from != at) {
		uint32_t depth = from > 0 ? p->rows[from - 1].depth : 0;

		if (at > 0 && p->rows[at - 1].depth >= depth) {
			begun[count++] = at;
			at = p->rows[at - 1].below;
		} else {
			edge_keep(c, p, from, CHROME_END);
			from = p->rows[from - 1].below;
		}
	}
	while (count > 0)
		edge_keep(c, p, begun[--count], CHROME_BEGIN);
	p->now = to;
}

static void
samples_read(struct chrome_trace *c, struct chrome_profile *p, struct jscan_value samples,
    struct jscan_value deltas)
{
	struct jcolumn ids = jcolumn_of(samples), times = jcolumn_of(deltas);
	struct jscan_value id, delta;
	int64_t ns, at;

	while (jcolumn_next(&ids, &id) && jcolumn_next(&times, &delta)) {
		uint32_t row = idmap_get(&p->ids, jcell_index(&id));

		if (!jscan_ns(delta.text, &ns) || __builtin_add_overflow(p->at, ns, &at) ||
		    !chrome_time_fits(c, at))
			continue;
		p->at = at > p->at ? at : p->at;
		stack_go(c, p, row != IDMAP_NONE ? row : 0);
	}
}

/* Events ---------------------------------------------------------------------------------- */

void
chrome_profile_take(struct chrome_trace *c, struct chrome_profile_event e)
{
	static const char *const data[] = {"startTime", "cpuProfile", "timeDeltas"},
			  *const profile[] = {"nodes", "samples", "timeDeltas", "startTime", "endTime"};
	struct jscan_value v[3], inner[5];
	struct chrome_profile *p;
	int64_t end;

	if (e.profile > c->profile_count)
		return;
	if (e.profile == c->profile_count) {
		*MEM_ADD(c->profiles, c->profile_count, c->profile_room) = mem_zero(1, sizeof(*p));
		c->profiles[e.profile]->thread = e.thread;
		c->profiles[e.profile]->at = e.ts;
	}
	p = c->profiles[e.profile];
	p->offset = e.offset;
	(void)jscan_members(jscan_find(e.args, "data").text, data, 3, v);
	(void)jscan_members(v[1].text, profile, 5, inner);
	if (!p->timed && jscan_ns(v[0].kind != 0 ? v[0].text : inner[3].text, &p->at))
		p->timed = chrome_time_fits(c, p->at);
	if (!p->timed)
		p->at = e.ts;
	p->timed = true;
	nodes_read(c, p, inner[0]);
	samples_read(c, p, inner[1], v[2].kind != 0 ? v[2] : inner[2]);
	if (jscan_ns(inner[4].text, &end) && end > p->at && chrome_time_fits(c, end))
		p->at = end;
}

/* The name of a thread of samples is that of the one that they are of. */
static void
threads_name(struct chrome_trace *c)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chrome_thread *t = &c->threads[i];
		const struct chrome_thread *of = t->samples_of > 0 ? &c->threads[t->samples_of - 1] : NULL;
		struct sbuf name = {0};

		if (of == NULL)
			continue;
		sbuf_str(&name, of->name);
		if (of->name.n == 0)
			sbuf_printf(&name, "thread %u", (unsigned)of->id);
		sbuf_text(&name, " (samples)");
		t->name = arena_str(&c->kept, sbuf_view(&name));
		t->sort = of->sort;
		sbuf_release(&name);
	}
}

void
chrome_profiles_end(struct chrome_trace *c)
{
	threads_name(c);
	for (size_t i = 0; i < c->profile_count; i++) {
		struct chrome_profile *p = c->profiles[i];

		stack_go(c, p, 0);
		idmap_release(&p->ids);
		idmap_release(&p->parents);
		mem_free(p->rows);
		mem_free(p);
	}
	if (c->profile_count > 0)
		trace_note(c->r.trace, "samples of V8 are slices of threads beside those that they are of");
	mem_free(c->profiles);
	c->profiles = NULL;
	c->profile_count = c->profile_room = 0;
}
