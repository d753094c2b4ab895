#include <config.h>

#include "format/method/classic.h"

#include <inttypes.h>
#include <string.h>

#include "format/method/header.h"
#include "format/method/keytext.h"
#include "format/method/streaming.h"

struct classic {
	struct source source;
	struct trace *trace;
	struct input in;
	uint32_t record; /* bytes */
	void (*decode)(struct classic *, const uint8_t *, uint64_t, struct batch *,
	    struct damage *);
};

/* Ids that the file does not name: a row each, made when first met. */
static uint32_t
classic_method_unknown(struct source *s, uint32_t word, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_METHOD, 1, offset);
	return trace_method_adopt(((struct classic *)s)->trace, word & ~3u);
}

static uint32_t
classic_thread_unknown(struct source *s, uint32_t id, uint64_t records, struct damage *damage,
    uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_THREAD, records, offset);
	return trace_thread_adopt(((struct classic *)s)->trace, id);
}

/*
 * One loop for all layouts; the compiler makes one for each of the callers below.
 * `id_bytes`: of the thread id.  `first`, `second`: the clock of the first and second
 * time field, CLOCKS for no second field.
 */
static inline __attribute__((always_inline)) void
decode(struct classic *c, const uint8_t *p, uint64_t count, struct batch *b,
    struct damage *damage, uint32_t size, int id_bytes, enum clock_id first,
    enum clock_id second)
{
	const struct idmap *methods = &c->trace->method_ids;
	const struct idmap *threads = &c->trace->thread_ids;

	for (uint32_t i = 0; i < count; i++, p += size) {
		struct event *ev = &b->ev[i];
		const uint8_t *field = p + id_bytes;
		uint32_t id = id_bytes == 1 ? p[0] : get_u16(p);
		uint32_t word = get_u32(field);
		uint32_t method = idmap_get(methods, word >> 2);
		uint32_t thread = idmap_get(threads, id);

		if (__builtin_expect(method == IDMAP_NONE, 0))
			method = classic_method_unknown(&c->source, word, damage,
			    b->offset + i * (uint64_t)size);
		if (__builtin_expect(thread == IDMAP_NONE, 0))
			thread = classic_thread_unknown(&c->source, id, 1, damage,
			    b->offset + i * (uint64_t)size);
		ev->thread = thread;
		ev->word = method << 2 | (word & 3);
		ev->time[CLOCK_CPU] = ev->time[CLOCK_WALL] = 0;
		ev->time[first] = (uint64_t)get_u32(field + 4) * 1000;
		if (second != CLOCKS)
			ev->time[second] = (uint64_t)get_u32(field + 8) * 1000;
	}
}

#define DECODER(name, size, id_bytes, first, second)                                       \
	static void name(struct classic *c, const uint8_t *p, uint64_t count,              \
	    struct batch *b, struct damage *damage)                                        \
	{                                                                                  \
		decode(c, p, count, b, damage, size, id_bytes, first, second);             \
	}

DECODER(decode_v1_cpu, 9, 1, CLOCK_CPU, CLOCKS)
DECODER(decode_v1_wall, 9, 1, CLOCK_WALL, CLOCKS)
DECODER(decode_v2_cpu, c->record, 2, CLOCK_CPU, CLOCKS)
DECODER(decode_v2_wall, c->record, 2, CLOCK_WALL, CLOCKS)
DECODER(decode_dual_14, 14, 2, CLOCK_CPU, CLOCK_WALL)
DECODER(decode_dual, c->record, 2, CLOCK_CPU, CLOCK_WALL)

static void
classic_read(struct source *s, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct classic *c = (struct classic *)s;
	uint64_t count = (s->end - at->offset) / c->record;

	if (count > max)
		count = max;
	b->offset = at->offset;
	b->stride = c->record;
	b->count = (uint32_t)count;
	c->decode(c, c->in.data.bytes + at->offset, count, b, damage);
	at->offset += count * c->record;
}

static uint32_t
classic_in_place(struct source *s, struct cursor *at, uint32_t max, const uint8_t **records)
{
	struct classic *c = (struct classic *)s;
	uint64_t count = (s->end - at->offset) / c->record;

	if (count > max)
		count = max;
	*records = c->in.data.bytes + at->offset;
	at->offset += count * c->record;
	return (uint32_t)count;
}

static uint64_t
classic_left(struct source *s, bool ask)
{
	return filemap_left(&((struct classic *)s)->in.data, ask);
}

static void
classic_behind(struct source *s, uint64_t from, uint64_t to)
{
	filemap_behind(&((struct classic *)s)->in.data, from, to);
}

static bool
classic_cached(struct source *s)
{
	return filemap_cached(&((struct classic *)s)->in.data, s->begin, s->end);
}

static void
classic_free(struct source *s)
{
	struct classic *c = (struct classic *)s;

	input_close(&c->in);
	mem_free(c);
}

static const struct source_ops classic_ops = {
	.read = classic_read,
	.in_place = classic_in_place,
	.method_unknown = classic_method_unknown,
	.thread_unknown = classic_thread_unknown,
	.behind = classic_behind,
	.left = classic_left,
	.cached = classic_cached,
	.free = classic_free,
};

static void
layout_choose(struct classic *c, const struct header *h, unsigned clocks)
{
	bool wall = clocks == HAS_WALL;

	if (h->version == 1)
		c->decode = wall ? decode_v1_wall : decode_v1_cpu;
	else if (clocks != HAS_BOTH)
		c->decode = wall ? decode_v2_wall : decode_v2_cpu;
	else
		c->decode = c->record == 14 ? decode_dual_14 : decode_dual;
}

/* Records with more behind their fields are decoded one by one. */
static enum plain_form
plain_form(const struct classic *c, const struct header *h, unsigned clocks)
{
	bool wall = clocks == HAS_WALL;
	enum plain_form form = PLAIN_14;

	if (h->version == 1)
		form = wall ? PLAIN_9_WALL : PLAIN_9_CPU;
	else if (clocks != HAS_BOTH)
		form = wall ? PLAIN_10_WALL : PLAIN_10_CPU;
	return plain_size(form) == c->record ? form : PLAIN_NONE;
}

static bool
record_size(struct classic *c, const struct header *h, unsigned clocks, struct err *e)
{
	static const uint32_t fixed[] = { [1] = 9, [2] = 10 };
	uint32_t need = clocks == HAS_BOTH ? 14 : 10;

	if (h->version < 3) {
		c->record = fixed[h->version];
		return true;
	}
	if (h->record < need || h->record > RECORD_MAX)
		return err_at(e, ERR_MALFORMED, h->begin + 16,
		    "record size is %u (expected %" PRIu32 " to %d)", h->record, need, RECORD_MAX);
	c->record = h->record;
	return true;
}

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
	struct header h;
	struct classic *c;
	uint64_t size = input->data.size, partial;

	if (header_text_converted(in->p, bytes_left(in)))
		return header_text_refuse(in->offset, e);
	if (!header_read(&h, in, e))
		return false;
	if (h.streaming)
		return streaming_open_records(t, input, &h, in->offset, key, e);
	c = mem_zero(1, sizeof(*c));
	t->clocks = clocks_choose(t, key->clock, h.version, h.record);
	if (!record_size(c, &h, t->clocks, e)) {
		mem_free(c);
		return false;
	}
	if (key->version != (int)h.version)
		trace_note(t, "the key section says version %d, the data header %u; taken as %u",
		    key->version, h.version, h.version);
	keytext_narrow_threads(t, h.version == 1 ? 8 : 16);

	t->format = "classic";
	t->version = (int)h.version;
	t->key_version = key->version;
	t->record_size = c->record;
	t->start_us = h.start_us;
	t->own_axes = !trace_has_clock(t, CLOCK_WALL);
	layout_choose(c, &h, t->clocks);
	c->trace = t;
	c->in = *input;
	c->source = (struct source){
		.ops = &classic_ops,
		.first = {.offset = in->offset},
		.begin = in->offset,
		.end = size,
		.plain = plain_form(c, &h, t->clocks),
		.by_thread = threads_by_turns(t),
	};
	clocks_bound(t, &c->source, c->record);
	t->source = &c->source;
	threads_by_turns_note(t, t->source);

	partial = (size - in->offset) % c->record;
	records_missing(t, (size - in->offset) / c->record, size);
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
