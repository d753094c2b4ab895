// SPDX-License-Identifier: Apache-2.0
/*
 * graph: callers and callees as a graph in Graphviz's DOT language.
 *
 * A node for each method, an edge for each caller and callee, from (toplevel) along calls
 * that are not recursive.  An edge is kept when the time of its own calls is at least
 * `threshold` percent of the caller's, and a method when an edge leads to it.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"

/*
 * Part of a quoted label: quotes and backslashes are escaped, and &, which would begin
 * an entity.  In plain shapes nothing else means anything.
 */
static void
label_text(struct sbuf *out, struct str text)
{
	struct sbuf clean = {0};

	clean_append(&clean, text, 0);
	for (size_t i = 0; i < clean.n; i++) {
		if (clean.p[i] == '"' || clean.p[i] == '\\')
			sbuf_char(out, '\\');
		sbuf_char(out, clean.p[i]);
		if (clean.p[i] == '&')
			sbuf_text(out, "amp;");
	}
	sbuf_release(&clean);
}

static void
name_write(struct sbuf *out, const struct dm_method *m)
{
	label_text(out, m->class_name);
	if (!m->named)
		return;
	sbuf_char(out, '.');
	label_text(out, m->name);
}

static void
time_text(struct sbuf *out, uint64_t us)
{
	sbuf_text(out, fmt_ms(FMT_BUF, (int64_t)us * 1000));
	sbuf_text(out, " ms");
}

static void
node_write(struct sbuf *out, const struct dm_method *m)
{
	sbuf_printf(out, "node%" PRIu32 " [label=\"[%" PRIu32 "] ", m->index, m->index);
	name_write(out, m);
	sbuf_text(out, "\\nincl ");
	time_text(out, m->inclusive);
	sbuf_text(out, ", excl ");
	time_text(out, m->exclusive);
	sbuf_printf(out, ", calls %" PRIu64 "+%" PRIu64 "\" tooltip=\"", m->calls,
	    m->recursive_calls);
	name_write(out, m);
	if (m->named) {
		sbuf_char(out, ' ');
		label_text(out, m->signature);
	}
	sbuf_text(out, "\"];\n");
}

static void
edge_write(struct sbuf *out, const struct dm_method *from, const struct dm_relation *to)
{
	sbuf_printf(out, "node%" PRIu32 " -> node%" PRIu32 " [label=\"", from->index,
	    to->method->index);
	time_text(out, to->inclusive);
	sbuf_printf(out, "\\n%.1f%%, %" PRIu64 "/%" PRIu64 "\"];\n",
	    100.0 * (double)to->inclusive / (double)from->inclusive, to->calls,
	    to->method->calls + to->method->recursive_calls);
}

void
dmgraph_write(struct sbuf *out, const struct dmtrace *d, int threshold)
{
	const struct dm_method **queue = mem_alloc(d->list.count * sizeof(*queue));
	bool *queued = mem_zero(d->list.count, sizeof(*queued));
	struct sbuf edges = {0};
	size_t count = 0;

	sbuf_text(out, "digraph g {\nnode [shape=box, height=.1];\n");
	queue[count++] = &d->list.methods[DM_TOPLEVEL];
	queued[DM_TOPLEVEL] = true;
	for (size_t i = 0; i < count; i++) {
		const struct dm_method *from = queue[i];
		size_t n;
		struct dm_relation *list = dm_relations(d, from, RELATION_CHILD, &n);

		node_write(out, from);
		for (size_t j = 0; j < n && from->inclusive > 0; j++) {
			const struct dm_method *to = list[j].method;

			if ((double)list[j].inclusive * 100 <
			    (double)from->inclusive * (double)threshold)
				continue;
			edge_write(&edges, from, &list[j]);
			if (!queued[to - d->list.methods])
				queue[count++] = to;
			queued[to - d->list.methods] = true;
		}
		mem_free(list);
	}
	sbuf_str(out, sbuf_view(&edges));
	sbuf_text(out, "}\n");
	sbuf_release(&edges);
	mem_free(queued);
	mem_free(queue);
}
