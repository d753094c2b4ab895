// SPDX-License-Identifier: Apache-2.0
/*
 * classic: key text, then fixed-size records; data versions 1, 2 and 3.
 *
 * Written by Dalvik (vm/Profile.c) and by ART (runtime/trace.cc, Trace::FinishTracing)
 * when not streaming.  Header offsets and record layouts: doc/formats.md.
 */
#include <config.h>

#include "format/method/method.h"

#include <inttypes.h>

/* Text before the records ---------------------------------------------------------- */

enum {
	HEADER_SIZE = 16,       /* magic, version, offset, start time */
	HEADER_SIZE_SIZED = 18, /* and the record size, when the version word is 3 or more */
};

bool
header_read(struct header *h, struct bytes *in, struct err *e)
{
	const uint8_t *p = bytes_take(in, HEADER_SIZE, e, "data header");
	uint16_t word, offset, least = HEADER_SIZE;

	if (p == NULL)
		return false;
	word = get_u16(p + 4);
	offset = get_u16(p + 6);
	*h = (struct header){.begin = in->offset - HEADER_SIZE, .start_us = get_u64(p + 8)};
	h->streaming = (word & HEADER_STREAMING) == HEADER_STREAMING;
	h->version = h->streaming ? word ^ HEADER_STREAMING : word;
	if (h->version < (h->streaming ? 2u : 1u) || h->version > 3)
		return err_at(e, ERR_UNSUPPORTED, h->begin + 4,
		    "data version %u is not known (expected 1, 2 or 3)", word);
	if (word >= 3 && (h->version == 3 || offset >= HEADER_SIZE_SIZED)) {
		least = HEADER_SIZE_SIZED;
		p = bytes_take(in, least - HEADER_SIZE, e, "record size");
		if (p == NULL)
			return false;
		h->record = get_u16(p);
	}
	if (offset < least)
		return err_at(e, ERR_MALFORMED, h->begin + 6,
		    "offset to the records is %u (expected at least %u)", offset, least);
	return bytes_take(in, offset - least, e, "data header") != NULL;
}

bool
header_text_converted(const uint8_t *p, size_t n)
{
	int hits = 0;

	if (n > 4096)
		n = 4096;
	for (size_t i = 0; i + 3 <= n; i++)
		hits += p[i] == 0xef && p[i + 1] == 0xbf && p[i + 2] == 0xbd;
	return hits >= 3 && (size_t)hits * 32 >= n;
}

bool
header_text_refuse(uint64_t offset, struct err *e)
{
	return err_at(e, ERR_MALFORMED, offset,
	    "file damaged by text conversion (EF BF BD in place of bytes); copy it again as "
	    "binary");
}

unsigned
clocks_named(struct str clock)
{
	static const struct {
		struct str name;
		unsigned clocks;
	} names[] = {
		{ STR("thread-cpu"), HAS_CPU },
		{ STR("wall"), HAS_WALL },
		{ STR("global"), HAS_WALL }, /* Dalvik without POSIX clocks */
		{ STR("dual"), HAS_BOTH },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_equal(clock, names[i].name))
			return names[i].clocks;
	}
	return 0;
}

unsigned
clocks_choose(struct trace *t, struct str clock, unsigned version, uint32_t record)
{
	bool dual_fits = version == 3 && record >= 14;
	unsigned clocks = clocks_named(clock);

	if (clocks == HAS_BOTH && version < 3) {
		trace_note(t, "clock=dual, but version %u records hold one clock; "
			      "taken as thread-cpu", version);
		return HAS_CPU;
	}
	if (clocks != 0)
		return clocks;
	trace_note(t, "%s; taken as %s",
	    clock.n > 0 ? "the clock is not one that is known" : "no clock is stated",
	    dual_fits ? "dual" : "wall");
	return dual_fits ? HAS_BOTH : HAS_WALL;
}

/* Clocks count 32 bits of microseconds. */
#define WRAP_US ((uint64_t)1 << 32)

/* Nanoseconds; that of all 65536 threads fits, and no two million steps exceed it. */
#define TIME_MOST ((uint64_t)1 << 46)
enum { RECORDS_MANY = 2000000 };

/*
 * Sets what clocks that go back and forth can add up to: how often they can have started
 * again, by the stated length of the trace, and, with so many records that all together
 * might not fit in 63 bits, what a thread's time ends at.
 */
static void
clocks_bound(const struct trace *t, struct source *s, uint32_t record)
{
	uint64_t us = (uint64_t)t->elapsed / 1000;

	s->clock_modulus = WRAP_US * 1000;
	/* Records may be a little later than the stated end. */
	us += us / 16 + 1000000;
	s->wraps_max = t->elapsed > 0 ? us / WRAP_US : UINT64_MAX;
	if ((s->end - s->begin) / record <= RECORDS_MANY)
		return;
	s->time_most = TIME_MOST;
	/* A recording of some days is believed. */
	if (us > TIME_MOST / 1000 && us < 16 * TIME_MOST / 1000)
		s->time_most = us * 1000;
	if (s->wraps_max > s->time_most / s->clock_modulus)
		s->wraps_max = s->time_most / s->clock_modulus;
}

/*
 * Since Android 14 thread ids are numbers of the recorder's own and threads are written
 * one after another; told by the process's main thread not being among them.
 */
static bool
threads_by_turns(const struct trace *t)
{
	if (t->pid == 0 || t->threads.count == 0)
		return false;
	for (uint32_t i = 0; i < t->threads.count; i++) {
		/* The records may hold no more than the low half of a thread's id. */
		if (trace_thread(t, i)->id == (uint32_t)t->pid ||
		    trace_thread(t, i)->id == (t->pid & 0xffff))
			return false;
		/* Numbers given in turn leave no gaps; the system's are spread. */
		if (trace_thread(t, i)->id > 2 * t->threads.count + 16)
			return false;
	}
	return true;
}

bool
layout_choose(struct record_layout *l, const struct header *h, unsigned clocks, uint32_t size,
    struct err *e)
{
	uint32_t need = h->version == 1 ? 9 : clocks == HAS_BOTH ? 14 : 10;

	if (size < need || size > RECORD_MAX)
		return err_at(e, ERR_MALFORMED, h->begin + 16,
		    "record size is %" PRIu32 " (expected %" PRIu32 " to %d)", size, need, RECORD_MAX);
	*l = (struct record_layout){(uint8_t)size, h->version == 1 ? 1 : 2, (uint8_t)clocks};
	return true;
}

void
records_begin(struct method_source *m, struct trace *t, const struct input *in,
    const struct header *h, struct source source)
{
	t->format = h->streaming ? "streaming" : "classic";
	t->version = (int)h->version;
	t->record_size = source.layout.size;
	t->start_us = h->start_us;
	t->clocks = source.layout.clocks;
	t->own_axes = !trace_has_clock(t, CLOCK_WALL);
	t->source = &m->source;
	*m = (struct method_source){source, t, *in};
	m->source.map = &m->in.data;
	m->source.first.offset = source.begin;
	clocks_bound(t, t->source, source.layout.size);
	if (source.by_thread && t->source->wraps_max > 0)
		trace_note(t, "threads that begin after 71 minutes cannot be told from "
			      "others; each is taken to begin in the first 71");
}

void
method_source_free(struct source *s)
{
	struct method_source *m = (struct method_source *)s;

	if (s->ops->anew != NULL)
		s->ops->anew(s);
	input_close(&m->in);
	mem_free(m);
}

void
method_damage_set(struct trace *t, struct damage *damage, enum damage_kind kind, uint64_t count,
    uint64_t offset)
{
	damage_set(damage, kind, count, offset);
	damage_set(&t->damage, kind, count, offset);
}

bool
method_source_grow(struct method_source *m, uint64_t size)
{
	struct source bound = m->source;

	bound.end = size;
	bound.time_most = 0;
	clocks_bound(m->trace, &bound, bound.layout.size);
	return bound.wraps_max == m->source.wraps_max && bound.time_most == m->source.time_most &&
	    filemap_grow(&m->in.data, size);
}

/* Records ------------------------------------------------------------------------- */

/* Ids that the file does not name: a row each, made when first met. */
static uint32_t
classic_method_unknown(struct source *s, uint32_t word, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_METHOD, 1, offset);
	return trace_method_adopt(((struct method_source *)s)->trace, word & ~3u);
}

static uint32_t
classic_thread_unknown(struct source *s, uint32_t id, uint64_t records, struct damage *damage,
    uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_THREAD, records, offset);
	return trace_thread_adopt(((struct method_source *)s)->trace, id);
}

static uint32_t
classic_in_place(struct source *s, struct cursor *at, uint32_t max, const uint8_t **records)
{
	struct method_source *c = (struct method_source *)s;
	uint64_t count = (s->end - at->offset) / s->layout.size;

	if (count > max)
		count = max;
	*records = c->in.data.bytes + at->offset;
	at->offset += count * s->layout.size;
	return (uint32_t)count;
}

static void
classic_read(struct source *s, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	const uint8_t *records;

	b->offset = at->offset;
	b->stride = s->layout.size;
	b->count = classic_in_place(s, at, max, &records);
	records_decode(((struct method_source *)s)->trace, &s->layout, records, b, damage);
}

/* A text that states how many records there are says at the end how many are missing. */
static bool
classic_grow(struct source *s, uint64_t size, struct cursor *at, struct damage *damage)
{
	struct method_source *c = (struct method_source *)s;
	struct trace *t = c->trace;
	uint64_t partial = (size - s->begin) % s->layout.size;

	if (t->text_apart || trace_property(t, "num-method-calls").n > 0 || !method_source_grow(c, size))
		return false;
	s->end = size;
	method_damage_set(t, damage, DAMAGE_PARTIAL_RECORD, partial > 0, size - partial);
	if (t->overflow)
		method_damage_set(t, damage, DAMAGE_BUFFER_OVERFLOW, 1, size - partial);
	return true;
}

static const struct source_ops classic_ops = {
	.read = classic_read,
	.grow = classic_grow,
	.in_place = classic_in_place,
	.method_unknown = classic_method_unknown,
	.thread_unknown = classic_thread_unknown,
	.free = method_source_free,
};

/* The text states how many records there were; a file cut between two has fewer. */
static void
records_missing(struct trace *t, uint64_t count, uint64_t size)
{
	struct str stated = trace_property(t, "num-method-calls"), rest;
	uint64_t number;

	if (!number_parse(stated, 10, &number, &rest) || rest.n > 0 || number <= count)
		return;
	trace_note(t, "%" PRIu64 " of %" PRIu64 " records are missing at the end",
	    number - count, number);
	damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, 1, size);
}

static bool
classic_open_data(struct trace *t, struct input *input, struct bytes *in,
    const struct keytext *key, struct err *e)
{
	static const uint8_t fixed[] = { [1] = 9, [2] = 10 };
	struct header h;
	struct record_layout layout;
	unsigned clocks;
	uint64_t size = input->data.size, count, partial;

	if (header_text_converted(in->p, bytes_left(in)))
		return header_text_refuse(in->offset, e);
	if (!header_read(&h, in, e))
		return false;
	if (h.streaming)
		return streaming_open_records(t, input, &h, in->offset, key, e);
	clocks = clocks_choose(t, key->clock, h.version, h.record);
	if (!layout_choose(&layout, &h, clocks, h.version < 3 ? fixed[h.version] : h.record, e))
		return false;
	if (key->version != (int)h.version)
		trace_note(t, "the key section says version %d, the data header %u; taken as %u",
		    key->version, h.version, h.version);
	keytext_narrow_threads(t, h.version == 1 ? 8 : 16);
	t->key_version = key->version;
	count = (size - in->offset) / layout.size;
	partial = (size - in->offset) % layout.size;
	records_begin(mem_alloc(sizeof(struct method_source)), t, input, &h,
	    (struct source){.ops = &classic_ops, .begin = in->offset, .end = size,
		.layout = layout, .by_thread = threads_by_turns(t)});
	records_missing(t, count, size);
	damage_add(&t->damage, DAMAGE_PARTIAL_RECORD, partial > 0, size - partial);
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, size - partial);
	return true;
}

bool
classic_open(struct trace *t, struct input *input, struct err *e)
{
	const struct filemap *text = input->key.size > 0 ? &input->key : &input->data;
	struct bytes in = {text->bytes, text->bytes + text->size, 0};
	struct keytext key;

	if (!keytext_parse(&key, t, &in,
		text == &input->data ? KEYTEXT_BEFORE_DATA : KEYTEXT_ALONE, e))
		return false;
	t->text_apart = text != &input->data;
	if (t->text_apart)
		in = (struct bytes){input->data.bytes, input->data.bytes + input->data.size, 0};
	return classic_open_data(t, input, &in, &key, e);
}
