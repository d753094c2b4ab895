// SPDX-License-Identifier: Apache-2.0
/*
 * V2 traces: packets of names and of variable-length records (ART since 2024 with
 * output version 2; runtime/trace.cc).
 *
 *   header   u4 SLOW, u2 version (4 one clock, 5 two; F0 when streaming, V2a only),
 *            u8 start ns, u8 start ticks and u8 frequency (V2b), zeros up to 32
 *   thread   u1 0, u4 id, u2 length, name
 *   method   u1 1, u8 id, u2 length, line without id
 *   block    u1 2, u4 thread, u3 records, u4 size, records; values start from 0
 *   summary  u1 3, u2 length, options
 *
 * V2a record: SLEB method word, ULEB time for each clock, wall first; all differences.
 * V2b record: SLEB ticks * 4 + action, ULEB cpu with two clocks, SLEB method of entries.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "writer.h"

enum {
	HEADER_SIZE = 32,
	BLOCK = 1 << 18, /* records; what the recorder's buffer of a thread holds */
	STREAM_BLOCK = 50,
};

enum style {
	STYLE_V2A,
	STYLE_V2A_US,     /* microseconds, as before 2025 */
	STYLE_V2A_STREAM, /* small blocks, names after them */
	STYLE_V2B,
	STYLE_V2B_STREAM, /* small blocks */
};

static const uint64_t ticks_start = 123456789012, frequency = 1000000000;

struct state {
	const struct gen_trace *trace;
	struct gen_out *out;
	enum style style;
	bool both, wall; /* wall: the one clock */
};

static bool
style_is_v2b(enum style style)
{
	return style == STYLE_V2B || style == STYLE_V2B_STREAM;
}

static const char *
check(const struct gen_trace *t)
{
	if (t->record_size)
		return "V2 traces have records of no fixed size";
	return NULL;
}

static void
put_uleb(struct gen_out *o, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		put_u1(out_room(o, 1), v | 0x80);
	put_u1(out_room(o, 1), v);
}

static void
put_sleb(struct gen_out *o, uint64_t difference)
{
	int64_t v = (int64_t)difference;

	while (v < -64 || v > 63) {
		put_u1(out_room(o, 1), (v & 0x7f) | 0x80);
		v = (v - (v & 0x7f)) / 128;
	}
	put_u1(out_room(o, 1), v & 0x7f);
}

/* Backward steps wrap in as many bits as the recorder counts with. */
static uint64_t
step(const struct state *s, uint64_t now, uint64_t before)
{
	return s->style == STYLE_V2A_US ? (uint32_t)(now - before) : now - before;
}

static void
put_record_v2a(const struct state *s, struct gen_out *o, const struct gen_event *e,
    uint64_t value[3])
{
	uint64_t unit = s->style == STYLE_V2A_US ? 1000 : 1;
	uint64_t word = e->method | e->action;
	uint64_t cpu = (uint64_t)e->cpu_ns / unit, wall = (uint64_t)e->wall_ns / unit;

	put_sleb(o, word - value[0]);
	value[0] = word;
	if (s->both || s->wall) {
		put_uleb(o, step(s, wall, value[1]));
		value[1] = wall;
	}
	if (s->both || !s->wall) {
		put_uleb(o, step(s, cpu, value[2]));
		value[2] = cpu;
	}
}

static void
put_record_v2b(const struct state *s, struct gen_out *o, const struct gen_event *e,
    uint64_t value[3])
{
	uint64_t ticks = s->both || s->wall ? (uint64_t)e->wall_ns + ticks_start
					    : (uint64_t)e->cpu_ns;
	uint64_t word = ticks << 2 | e->action;

	put_sleb(o, word - value[0]);
	value[0] = word;
	if (s->both) {
		put_uleb(o, (uint64_t)e->cpu_ns - value[1]);
		value[1] = (uint64_t)e->cpu_ns;
	}
	if (e->action == GEN_ENTER) {
		put_sleb(o, e->method - value[2]);
		value[2] = e->method;
	}
}

static void
write_block(const struct state *s, const struct gen_event *const *events, size_t n)
{
	uint64_t value[3] = {0};
	struct gen_out records;
	unsigned char *p;
	size_t i;

	out_memory(&records);
	for (i = 0; i < n; i++) {
		if (style_is_v2b(s->style))
			put_record_v2b(s, &records, events[i], value);
		else
			put_record_v2a(s, &records, events[i], value);
	}
	p = put_u4(put_u1(out_room(s->out, 12), 2), events[0]->thread);
	/* The recorder of V2a counts in 16 bits. */
	p = put_u2(p, n);
	p = put_u1(p, style_is_v2b(s->style) ? n >> 16 : 0);
	put_u4(p, out_position(&records));
	out_append(s->out, &records);
}

/* In the order of threads, or of the blocks' first records. */
static void
write_blocks(const struct state *s, const struct gen_event *const *order, size_t count)
{
	size_t most = s->style == STYLE_V2A_STREAM || s->style == STYLE_V2B_STREAM ? STREAM_BLOCK
										     : BLOCK;
	size_t i, n;

	for (i = 0; i < count; i += n) {
		for (n = 1; i + n < count && n < most &&
			    order[i + n]->thread == order[i]->thread;
		     n++)
			;
		write_block(s, order + i, n);
	}
}

static void
write_events(const struct state *s, struct gen_stream *events)
{
	size_t count, kept = 0, i;
	struct gen_event *all = gen_events_keep(events, &count);
	const struct gen_event **order;

	order = gen_alloc(count + 1, sizeof(*order));
	for (i = 0; i < count; i++)
		if (all[i].action != GEN_RAW)
			order[kept++] = &all[i];
	qsort(order, kept, sizeof(*order), gen_by_thread);
	write_blocks(s, order, kept);
	free(order);
	free(all);
}

static void
write_names(const struct state *s)
{
	const struct gen_trace *t = s->trace;
	size_t i;

	for (i = 0; i < t->threads.n; i++) {
		const struct gen_thread *thread = &t->threads.p[i];

		if (thread->hidden)
			continue;
		put_u2(put_u4(put_u1(out_room(s->out, 7), 0), thread->id), thread->name.n);
		out_bytes(s->out, thread->name.p, thread->name.n);
	}
	for (i = 0; i < t->methods.n; i++) {
		const struct gen_method *m = &t->methods.p[i];
		struct gen_out line;

		if (m->hidden)
			continue;
		out_memory(&line);
		key_columns(&line, m);
		out_text(&line, "\n");
		put_u2(put_u8(put_u1(out_room(s->out, 11), 1), m->id), out_position(&line));
		out_append(s->out, &line);
	}
}

static void
write_header(const struct state *s)
{
	const struct gen_trace *t = s->trace;
	unsigned char header[HEADER_SIZE] = {0}, *p = header;
	unsigned version = s->both ? 5 : 4;

	if (s->style == STYLE_V2A_STREAM)
		version |= 0xf0;
	p = put_u2(put_u4(p, 0x574f4c53), version);
	p = put_u8(p, s->style == STYLE_V2A_US ? t->start_us : t->start_us * 1000);
	if (style_is_v2b(s->style))
		put_u8(put_u8(p, ticks_start), frequency);
	out_bytes(s->out, header, sizeof header);
}

static void
write_summary(const struct state *s)
{
	static const char usec[] = "elapsed-time-usec=";
	struct gen_trace told = *s->trace;
	struct gen_bytes elapsed = {NULL, 0};
	struct gen_out text;
	size_t i;

	told.version = s->both ? 5 : 4;
	told.key_version = 0;
	memset(&told.options, 0, sizeof told.options);
	for (i = 0; i < s->trace->options.n; i++) {
		const struct gen_bytes *line = &s->trace->options.p[i];

		*gen_grow(&told.options) = *line;
		if (s->style == STYLE_V2A_US || line->n < sizeof usec ||
		    memcmp(line->p, usec, sizeof usec - 1) != 0)
			continue;
		elapsed = gen_bytes_format("elapsed-time-nsec=%.*s000",
		    (int)(line->n - (sizeof usec - 1)), line->p + sizeof usec - 1);
		told.options.p[told.options.n - 1] = elapsed;
	}
	out_memory(&text);
	key_version(&told, &text);
	key_end(&told, &text);
	put_u2(put_u1(out_room(s->out, 3), 3), out_position(&text));
	out_append(s->out, &text);
	free(told.options.p);
	free(elapsed.p);
}

static void
write_styled(const struct gen_trace *t, struct gen_stream *events, struct gen_out *o,
    enum style style)
{
	struct state s = {.trace = t, .out = o, .style = style};

	s.both = t->times ? t->times == 2 : t->version == 3;
	s.wall = !s.both && (key_clock_is(t, "wall") || key_clock_is(t, "global"));
	out_mark(o, GEN_BASE_FILE);
	out_mark(o, GEN_BASE_HEADER);
	write_header(&s);
	out_mark(o, GEN_BASE_RECORDS);
	if (style != STYLE_V2A_STREAM)
		write_names(&s);
	if (!t->no_data)
		write_events(&s, events);
	if (style == STYLE_V2A_STREAM)
		write_names(&s);
	if (!t->no_end)
		write_summary(&s);
}

#define WRITER(id, title, use, style)                                                    \
	static void write_##id(const struct gen_trace *t, struct gen_stream *events,     \
	    struct gen_out *o)                                                           \
	{                                                                                \
		write_styled(t, events, o, style);                                       \
	}                                                                                \
	const struct gen_writer writer_##id = {                                          \
	    .name = title, .help = use, .check = check, .write = write_##id}

WRITER(v2a, "v2a", "output version 2 of 2025", STYLE_V2A);
WRITER(v2a_us, "v2a-us", "the same of 2024, in microseconds", STYLE_V2A_US);
WRITER(v2a_stream, "v2a-stream", "the same of 2025 while recording, names last",
    STYLE_V2A_STREAM);
WRITER(v2b, "v2b", "output version 2 of 2026, exits without method", STYLE_V2B);
WRITER(v2b_stream, "v2b-stream", "the same in small blocks", STYLE_V2B_STREAM);
