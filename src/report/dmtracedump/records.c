// SPDX-License-Identifier: Apache-2.0
/*
 * records: dmtracedump's list of records (-o), byte for byte.
 *
 * Records in the order of the file, with the first clock unchanged and dots for the depth
 * of the thread's stack.  Reads the trace once; memory does not grow with it.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

enum {
	DEPTH_FIRST = 2,   /* of a thread, before its first record */
	DEPTH_MAX = 10000, /* dots on a line */
};

struct records_dumper {
	struct sink *sink;
	struct trace *trace;
	enum clock_id clock;
	int64_t *depth; /* by thread, from DEPTH_FIRST */
	size_t depth_count, depth_room;
	struct dm_list list; /* of the methods that were named when reading began */
	struct sbuf name;    /* of one method */
	char dots[DEPTH_MAX];
};

static int
lines_order(const void *left, const void *right, const void *context)
{
	const struct thread_line *a = left, *b = right;

	return ORDER(a->id, b->id);
}

/* Without a key section, the threads that the file names some other way. */
static struct thread_line *
lines_list(const struct trace *t, size_t *count)
{
	uint32_t threads = trace_thread_count(t);
	struct thread_line *list = mem_alloc((t->thread_line_count + threads + 1) * sizeof(*list));
	size_t n = 0;

	for (; n < t->thread_line_count; n++)
		list[n] = t->thread_lines[n];
	for (uint32_t i = 0; i < threads && t->thread_line_count == 0; i++) {
		const struct thread *thread = trace_thread(t, i);

		if (thread->listed)
			list[n++] = (struct thread_line){thread->id, thread->name};
	}
	*count = n;
	return list;
}

static void
threads_write(struct records_dumper *d)
{
	struct sbuf *out = &d->sink->text;
	size_t count;
	struct thread_line *lines = lines_list(d->trace, &count);

	msort_items(lines, count, sizeof(*lines), lines_order, NULL);
	sbuf_printf(out, "Threads (%zu):\n", count);
	for (size_t i = 0; i < count && sink_row(d->sink); i++) {
		sbuf_printf(out, "%2" PRIu32 " ", lines[i].id);
		sbuf_str(out, lines[i].name);
		sbuf_char(out, '\n');
	}
	mem_free(lines);
}

/* The end of a line; borrowed until the next call. */
static struct str
method_text(struct records_dumper *d, uint32_t index)
{
	struct sbuf *out = &d->name;
	struct dm_method late = {0};
	const struct dm_method *names = &late;
	const struct method *m;

	sbuf_clear(out);
	if (index == METHOD_TOP)
		return STR("(the innermost call)");
	m = trace_method(d->trace, index);
	if (!m->known) {
		sbuf_printf(out, "???.??? methodId: %#" PRIx64, m->id);
		return sbuf_view(out);
	}
	if (index < d->list.row_count && d->list.row[index] != DM_UNKNOWN)
		names = &d->list.methods[d->list.row[index]];
	else
		dm_names(&late, m);
	dm_method_write(out, names, false);
	return sbuf_view(out);
}

static void
event_write(struct records_dumper *d, const struct event *ev)
{
	/* A blank after it leaves room for the mark of a mismatch, which dmtracedump never sets. */
	static const char *const action[] = {" ent  ", " xit  ", " unr  ", " ???  "};
	struct sbuf *out = &d->sink->text;
	bool enter = event_action(ev) == ACTION_ENTER;
	int64_t depth = d->depth[ev->thread] + enter;
	char note = ' ';

	d->depth[ev->thread] += enter ? 1 : -1;
	if (depth < 0) {
		depth = 0;
		note = '-';
	} else if (depth > DEPTH_MAX) {
		depth = DEPTH_MAX;
		note = '+';
	}
	sbuf_number(out, trace_thread(d->trace, ev->thread)->id, 2);
	sbuf_text(out, action[event_action(ev)]);
	sbuf_number(out, (int64_t)(ev->time[d->clock] / 1000), 8);
	sbuf_char(out, note);
	sbuf_bytes(out, d->dots, (size_t)depth);
	sbuf_str(out, method_text(d, ev->word >> 2));
	sbuf_char(out, '\n');
}

static void
threads_extend(struct records_dumper *d)
{
	size_t need = trace_thread_count(d->trace);

	MEM_GROW(d->depth, d->depth_room, need);
	for (; d->depth_count < need; d->depth_count++)
		d->depth[d->depth_count] = DEPTH_FIRST;
}

void
dmdump_write(struct sink *sink, struct trace *t)
{
	struct records_dumper *d = mem_zero(1, sizeof(*d));
	struct batch_room *room = mem_alloc(sizeof(*room));
	struct batch batch = batch_in(room);
	struct cursor at = t->source->first;
	struct damage damage = {0};
	bool whole;
	uint64_t behind = at.offset, from;

	dm_list_make(&d->list, t);
	d->sink = sink;
	d->trace = t;
	d->clock = trace_has_clock(t, CLOCK_CPU) ? CLOCK_CPU : CLOCK_WALL;
	memset(d->dots, '.', sizeof(d->dots));
	sbuf_printf(&sink->text, "VERSION: %d\n",
	    t->key_version != 0 ? t->key_version : t->version);
	threads_write(d);
	sbuf_text(&sink->text, "Trace (threadID action usecs class.method signature):\n");
	do {
		from = at.offset;
		whole = source_read_safe(t->source, &at, &batch, BATCH_EVENTS, &damage, true);
		threads_extend(d);
		for (uint32_t i = 0; i < batch.count && sink_row(sink); i++)
			event_write(d, &batch.ev[i]);
		if (at.offset - behind >= 4 << 20) {
			source_behind(t->source, behind, at.offset);
			behind = at.offset;
		}
	} while (whole && (batch.count > 0 || at.offset > from) && sink_wanted(sink));
	dm_list_release(&d->list);
	sbuf_release(&d->name);
	mem_free(d->depth);
	mem_free(room);
	mem_free(d);
}
