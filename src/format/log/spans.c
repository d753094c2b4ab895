// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/spans.h"

/* Binder --------------------------------------------------------------------------- */

/* The effect of a transaction where it is received; its link is above these bits. */
enum binder_next { NEXT_REPLY, NEXT_END, NEXT_MOMENT, NEXT_BITS = 2 };

enum { LINKS_MOST = 1 << 29, ONE_WAY = 1 };

bool
binder_marker(struct marker *m, const struct kernel_values *v)
{
	bool one_way = (v->number[KERNEL_VALUE] & ONE_WAY) != 0;

	*m = (struct marker){.kind = MARKER_INSTANT, .kernel = true, .name = STR("binder async rcv")};
	if (v->event->field == BINDER_SENT && v->number[KERNEL_SECOND] != 0) {
		*m = (struct marker){.kind = MARKER_END, .kernel = true, .exact = true,
		    .name = STR("binder reply")};
	} else if (v->event->field == BINDER_SENT) {
		m->name = one_way ? STR("binder transaction async") : STR("binder transaction");
		m->kind = one_way ? MARKER_INSTANT : MARKER_BEGIN;
		m->value = v->number[KERNEL_OF];
	}
	m->chain = v->row;
	return v->event->field == BINDER_SENT || v->event->field == BINDER_RECEIVED;
}

/* Sets what a transaction does where it is received; false: it was not sent. */
static bool
received_marker(struct marker *m, uint32_t next)
{
	if ((next & ((1 << NEXT_BITS) - 1)) == NEXT_REPLY)
		*m = (struct marker){.kind = MARKER_BEGIN, .name = STR("binder reply"), .kernel = true,
		    .chain = m->chain};
	else if ((next & ((1 << NEXT_BITS) - 1)) == NEXT_END)
		*m = (struct marker){.kind = MARKER_END, .kernel = true, .exact = true,
		    .name = STR("binder transaction")};
	return next != IDMAP_NONE;
}

/* Sets the size of the data of a call. */
static void
size_take(struct reader *r, uint32_t next, int64_t size)
{
	if (next != IDMAP_NONE && next >> NEXT_BITS != 0 && size >= 0)
		((struct log_link *)spool_at(&r->log->links, (next >> NEXT_BITS) - 1))->size =
		    size < UINT32_MAX ? (uint32_t)size + 1 : UINT32_MAX;
}

static bool
is_failure(int64_t told)
{
	static const int64_t failures[] = {0x7205 /* BR_DEAD_REPLY */, 0x7211 /* BR_FAILED_REPLY */,
	    0x7212 /* BR_FROZEN_REPLY */};

	return told == failures[0] || told == failures[1] || told == failures[2];
}

void
binder_take(struct reader *r, const struct logline *line, const struct kernel_values *v,
    uint32_t writer)
{
	uint32_t id = (uint32_t)v->number[KERNEL_ID], next = idmap_get(&r->binder, id);
	uint64_t links = r->log->links.count;
	struct marker m;

	if (v->event->field == BINDER_SIZE)
		size_take(r, next, v->number[KERNEL_VALUE]);
	else if (v->event->field == BINDER_RETURN && writer != SCHED_NONE && is_failure(v->number[KERNEL_ID]))
		call_fail(r, writer, reader_time(r, line->ns));
	if (!binder_marker(&m, v))
		return;
	if (v->event->field == BINDER_SENT) {
		r->log->summary.unpaired += next != IDMAP_NONE;
		next = m.kind == MARKER_BEGIN ? NEXT_REPLY : m.kind == MARKER_END ? NEXT_END : NEXT_MOMENT;
		slice_take(r, line, writer, &m);
		if (r->log->links.count > links && links < LINKS_MOST)
			next |= (uint32_t)(links + 1) << NEXT_BITS;
		idmap_put(&r->binder, id, next);
		return;
	}
	if (received_marker(&m, next))
		slice_take(r, line, writer, &m);
	r->log->summary.unpaired += next == IDMAP_NONE;
	idmap_put(&r->binder, id, IDMAP_NONE);
}

/* Other slices ------------------------------------------------------------------------ */

/* Keeps a text that was made as long as the trace. */
static struct str
text_hold(struct reader *r, struct str text)
{
	uint32_t index = intern_find(&r->texts, text, 0);

	if (index == IDMAP_NONE) {
		text = trace_copy(r->trace, text);
		index = intern_add(&r->texts, text, 0);
	}
	return r->texts.items[index].text;
}

static enum span_edge
edge_of(const struct kernel_values *v)
{
	enum span_edge edge = v->event->span.edge;

	if (edge == SPAN_TELLS && (v->told & 1u << KERNEL_EDGE_KIND) != 0)
		return v->number[KERNEL_EDGE_KIND] == 0 ? SPAN_BEGINS
		    : v->number[KERNEL_EDGE_KIND] == 1  ? SPAN_ENDS : SPAN_TELLS;
	return edge == SPAN_TELLS ? (enum span_edge)v->number[KERNEL_EDGE] : edge;
}

void
span_take(struct reader *r, const struct logline *line, const struct kernel_values *values,
    uint32_t writer)
{
	const struct kernel_span *span = &values->event->span;
	struct kernel_values v = *values;
	enum span_edge edge = edge_of(&v);
	bool begins = edge == SPAN_BEGINS;
	struct marker m = {.kind = begins ? MARKER_BEGIN : MARKER_END, .kernel = true, .exact = true};

	r->block_io |= span->block == BLOCK_IO;
	if (edge >= SPAN_TELLS || (span->block == BLOCK_REQUEST && r->block_io))
		return;
	if ((v.told & 1u << KERNEL_PLACE) == 0)
		v.number[KERNEL_PLACE] = line->cpu;
	m.name = text_hold(r, kernel_text(&r->text, span->name, &v));
	if (span->row != NULL) {
		m.kind = begins ? MARKER_TRACK_BEGIN : MARKER_TRACK_END;
		m.pid = LOGLINE_NOBODY;
		m.track = text_hold(r, kernel_text(&r->text, span->row, &v));
		/* Events without an id have one slice of a name at a time. */
		m.value = span->alone                   ? 0
		    : (v.told & 1u << KERNEL_ID) == 0 ? (int64_t)slice_name(r, m.name, NAME_ASYNC)
		    : (int64_t)((uint64_t)v.number[KERNEL_ID] ^ (uint64_t)v.number[KERNEL_OF] << 32);
	}
	if (span->alone && begins)
		async_end(r, &(struct marker){.pid = m.pid, .track = m.track, .kind = MARKER_TRACK_END,
		    .kernel = true}, reader_time(r, line->ns));
	slice_take(r, line, writer, &m);
}

void
spans_again(struct reader *r)
{
	idmap_release(&r->binder);
	r->block_io = false;
}
