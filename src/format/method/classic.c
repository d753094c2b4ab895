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

static uint32_t
classic_in_place(struct source *s, struct cursor *at, uint32_t max, const uint8_t **records)
{
	struct classic *c = (struct classic *)s;
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
	records_decode(((struct classic *)s)->trace, &s->layout, records, b, damage);
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
	.free = classic_free,
};

static bool
layout_choose(struct record_layout *l, const struct header *h, unsigned clocks, struct err *e)
{
	static const uint8_t fixed[] = { [1] = 9, [2] = 10 };
	uint32_t need = clocks == HAS_BOTH ? 14 : 10;

	l->thread_bytes = h->version == 1 ? 1 : 2;
	l->clocks = (uint8_t)clocks;
	if (h->version < 3) {
		l->size = fixed[h->version];
		return true;
	}
	if (h->record < need || h->record > RECORD_MAX)
		return err_at(e, ERR_MALFORMED, h->begin + 16,
		    "record size is %u (expected %" PRIu32 " to %d)", h->record, need, RECORD_MAX);
	l->size = (uint8_t)h->record;
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
	struct record_layout layout;
	struct classic *c;
	uint64_t size = input->data.size, partial;

	if (header_text_converted(in->p, bytes_left(in)))
		return header_text_refuse(in->offset, e);
	if (!header_read(&h, in, e))
		return false;
	if (h.streaming)
		return streaming_open_records(t, input, &h, in->offset, key, e);
	t->clocks = clocks_choose(t, key->clock, h.version, h.record);
	if (!layout_choose(&layout, &h, t->clocks, e))
		return false;
	if (key->version != (int)h.version)
		trace_note(t, "the key section says version %d, the data header %u; taken as %u",
		    key->version, h.version, h.version);
	keytext_narrow_threads(t, h.version == 1 ? 8 : 16);

	t->format = "classic";
	t->version = (int)h.version;
	t->key_version = key->version;
	t->record_size = layout.size;
	t->start_us = h.start_us;
	t->own_axes = !trace_has_clock(t, CLOCK_WALL);
	c = mem_zero(1, sizeof(*c));
	c->trace = t;
	c->in = *input;
	c->source = (struct source){
		.ops = &classic_ops,
		.map = &c->in.data,
		.first = {.offset = in->offset},
		.begin = in->offset,
		.end = size,
		.layout = layout,
		.by_thread = threads_by_turns(t),
	};
	clocks_bound(t, &c->source, layout.size);
	t->source = &c->source;
	threads_by_turns_note(t, t->source);

	partial = (size - in->offset) % layout.size;
	records_missing(t, (size - in->offset) / layout.size, size);
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
