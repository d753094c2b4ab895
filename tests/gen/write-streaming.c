// SPDX-License-Identifier: Apache-2.0
/*
 * Streaming traces: records with names between them, a summary at the end; ART 6 and
 * later (runtime/trace.cc).
 *
 *   header as in classic files, the version with F0 set
 *   record       u2 thread, u4 method word, u4 time(s); 14 bytes even with one time, but
 *                since Android 14 10
 *   method       u2 0, u1 1, u2 length, method line
 *   thread       u2 0, u1 2, u2 id, u2 length, name
 *   summary      u2 0, u1 3, u4 length, key text
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "lookup.h"
#include "writer.h"

enum { BATCH = 4096, HEADER_SIZE = 18 };

enum style {
	STYLE_ART8,  /* the summary lists threads */
	STYLE_ART14, /* it lists methods; threads one after another; 10-byte records */
	STYLE_BARE,  /* no summary */
	STYLE_LATE,  /* as STYLE_ART8, but names come after the records */
};

struct state {
	const struct gen_trace *trace;
	struct gen_out *out;
	enum style style;
	struct lookup methods, threads;
	bool *method_told, *thread_told; /* by line */
	bool both, wall;
};

static const char *
check(const struct gen_trace *t)
{
	if (t->version < 2 || t->version > 3)
		return "streaming traces have data version 2 or 3";
	if (t->record_size)
		return "streaming traces have records of a fixed size";
	if (t->data_offset < HEADER_SIZE || t->data_offset > 65535)
		return "the data offset must hold the header and fit in 16 bits";
	return NULL;
}

static void
write_method(struct state *s, const struct gen_method *m)
{
	struct gen_out line;

	out_memory(&line);
	key_method(s->trace, &line, m);
	out_text(&line, "\n");
	put_u2(put_u1(put_u2(out_room(s->out, 5), 0), 1), out_position(&line));
	out_append(s->out, &line);
}

static void
write_thread(struct state *s, const struct gen_thread *t)
{
	put_u2(put_u2(put_u1(put_u2(out_room(s->out, 7), 0), 2), t->id), t->name.n);
	out_bytes(s->out, t->name.p, t->name.n);
}

/* Names what the event uses, once. */
static void
introduce(struct state *s, const struct gen_event *e)
{
	uint32_t thread = lookup_find(&s->threads, e->thread);
	uint32_t method = lookup_find(&s->methods, e->method);

	if (thread != LOOKUP_NONE && !s->thread_told[thread]) {
		s->thread_told[thread] = true;
		if (!s->trace->threads.p[thread].hidden)
			write_thread(s, &s->trace->threads.p[thread]);
	}
	if (method != LOOKUP_NONE && !s->method_told[method]) {
		s->method_told[method] = true;
		if (!s->trace->methods.p[method].hidden)
			write_method(s, &s->trace->methods.p[method]);
	}
}

static void
write_record(struct state *s, const struct gen_event *e)
{
	static const unsigned char waste[4] = {0xa5, 0x5a, 0, 0x3c};
	unsigned char *p = out_room(s->out, 10);

	p = put_u4(put_u2(p, e->thread), e->method | e->action);
	put_u4(p, key_microseconds(s->wall ? e->wall_ns : e->cpu_ns));
	if (s->both)
		put_u4(out_room(s->out, 4), key_microseconds(e->wall_ns));
	else if (s->style != STYLE_ART14)
		out_bytes(s->out, waste, sizeof waste);
}

static void
write_event(struct state *s, const struct gen_event *e)
{
	if (e->action == GEN_RAW) {
		out_bytes(s->out, s->trace->raw.p[e->method].p, s->trace->raw.p[e->method].n);
		return;
	}
	if (s->style != STYLE_LATE)
		introduce(s, e);
	write_record(s, e);
}

/* Everything is kept, since it is wanted in another order or twice. */
static void
write_kept(struct state *s, struct gen_stream *events)
{
	size_t count, i;
	struct gen_event *all = gen_events_keep(events, &count);
	const struct gen_event **order;

	order = gen_alloc(count + 1, sizeof(*order));
	for (i = 0; i < count; i++)
		order[i] = &all[i];
	if (s->style == STYLE_ART14)
		qsort(order, count, sizeof(*order), gen_by_thread);
	for (i = 0; i < count; i++)
		write_event(s, order[i]);
	for (i = 0; i < count && s->style == STYLE_LATE; i++)
		if (order[i]->action != GEN_RAW)
			introduce(s, order[i]);
	free(order);
	free(all);
}

static void
write_events(struct state *s, struct gen_stream *events)
{
	static struct gen_event batch[BATCH];
	size_t i, n;

	if (s->style == STYLE_ART14 || s->style == STYLE_LATE) {
		write_kept(s, events);
		return;
	}
	while ((n = events->pull(events, batch, BATCH)) != 0)
		for (i = 0; i < n; i++)
			write_event(s, &batch[i]);
}

static void
write_header(const struct gen_trace *t, struct gen_out *o, bool both)
{
	unsigned char header[HEADER_SIZE], *p = header;

	p = put_u4(p, 0x574f4c53);
	p = put_u2(p, t->version | 0xf0);
	p = put_u2(p, t->data_offset);
	p = put_u8(p, t->start_us);
	put_u2(p, both ? 14 : 10);
	out_mark(o, GEN_BASE_HEADER);
	out_bytes(o, header, HEADER_SIZE);
	out_zeros(o, t->data_offset - HEADER_SIZE);
}

static void
write_summary(struct state *s)
{
	struct gen_out text;

	out_memory(&text);
	key_version(s->trace, &text);
	key_threads(s->trace, &text, s->style != STYLE_ART14);
	key_methods(s->trace, &text, s->style == STYLE_ART14);
	key_end(s->trace, &text);
	put_u4(put_u1(put_u2(out_room(s->out, 7), 0), 3), out_position(&text));
	out_append(s->out, &text);
}

static void
write_styled(const struct gen_trace *t, struct gen_stream *events, struct gen_out *o,
    enum style style)
{
	struct state s = {.trace = t, .out = o, .style = style};

	s.both = t->times ? t->times == 2 : t->version == 3;
	s.wall = !s.both && (key_clock_is(t, "wall") || key_clock_is(t, "global"));
	lookup_methods(&s.methods, t);
	lookup_threads(&s.threads, t);
	s.method_told = gen_alloc(t->methods.n + 1, sizeof *s.method_told);
	s.thread_told = gen_alloc(t->threads.n + 1, sizeof *s.thread_told);
	out_mark(o, GEN_BASE_FILE);
	write_header(t, o, s.both);
	out_mark(o, GEN_BASE_RECORDS);
	write_events(&s, events);
	if (style != STYLE_BARE)
		write_summary(&s);
	lookup_free(&s.methods);
	lookup_free(&s.threads);
	free(s.method_told);
	free(s.thread_told);
}

#define WRITER(id, title, use, style)                                                    \
	static void write_##id(const struct gen_trace *t, struct gen_stream *events,     \
	    struct gen_out *o)                                                           \
	{                                                                                \
		write_styled(t, events, o, style);                                       \
	}                                                                                \
	const struct gen_writer writer_##id = {                                          \
	    .name = title, .help = use, .check = check, .write = write_##id}

WRITER(streaming, "streaming", "as Android 8 to 13 writes it while recording", STYLE_ART8);
WRITER(streaming14, "streaming14", "the same since Android 14, thread by thread",
    STYLE_ART14);
WRITER(streaming_bare, "streaming-bare", "streaming, the summary missing", STYLE_BARE);
WRITER(streaming_late, "streaming-late", "streaming, names only after the records",
    STYLE_LATE);
