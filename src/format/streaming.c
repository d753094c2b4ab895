#include <config.h>

#include "format/streaming.h"

#include "format/layout.h"
#include "format/packet.h"
#include "format/streaming-source.h"

/* Without a text: two clocks in version 3; in version 2 by what the times look like. */
static unsigned
clocks_infer(struct trace *t, const struct header *h, const struct layout *layout)
{
	unsigned clocks = HAS_BOTH;

	if (h->version == 2)
		clocks = layout->starts_at_zero ? HAS_CPU : HAS_WALL;
	trace_note(t, "the summary at its end is missing: the recording was not ended, or the "
		      "file was cut; the clock is taken as %s",
	    clocks == HAS_BOTH       ? "dual"
		: clocks == HAS_CPU ? "thread-cpu"
				    : "wall");
	return clocks;
}

static bool
record_choose(struct streaming *s, const struct header *h, unsigned clocks,
    const struct layout *layout, struct err *e)
{
	uint32_t need = clocks == HAS_BOTH ? 14 : 10;

	s->record = h->version == 2 ? layout->record : h->record;
	if (s->record < need || s->record > RECORD_MAX)
		return err_at(e, ERR_MALFORMED, h->begin + 16,
		    "record size is %u (expected %u to %d)", s->record, need, RECORD_MAX);
	return true;
}

/* Android 14 and later count threads from 1, which no process's thread had before. */
static bool
threads_counted(const uint8_t *p, uint64_t left)
{
	struct packet k;

	while (left >= 2 && get_u16(p) == 0 && packet_read(&k, p, left) == PACKET_WHOLE) {
		if (k.kind == PACKET_THREAD)
			return k.thread == 1;
		p += k.size;
		left -= k.size;
	}
	return false;
}

/* `end`: of the records; the summary's packet, or the end of the file. */
static bool
records_open(struct trace *t, struct input *input, const struct header *h, uint64_t first,
    uint64_t end, const struct keytext *key, struct err *e)
{
	const uint8_t *bytes = input->data.bytes;
	struct layout layout = {0};
	struct streaming *s;
	unsigned clocks;

	if (h->version == 2)
		layout = layout_find(&input->data, t, first, end, key == NULL);
	clocks = key != NULL ? clocks_choose(t, key->clock, h->version, h->record)
			     : clocks_infer(t, h, &layout);
	s = mem_zero(1, sizeof(*s));
	if (!record_choose(s, h, clocks, &layout, e)) {
		mem_free(s);
		return false;
	}
	if (key != NULL && key->version != (int)h->version)
		trace_note(t, "the summary says version %d, the data header %u; taken as %u",
		    key->version, h->version, h->version);
	t->format = "streaming";
	t->version = (int)h->version;
	t->start_us = h->start_us;
	t->record_size = s->record;
	t->clocks = clocks;
	t->own_axes = !trace_has_clock(t, CLOCK_WALL);
	pthread_mutex_init(&s->lock, NULL);
	s->trace = t;
	s->in = *input;
	s->source = (struct source){
		.ops = &streaming_ops,
		.first = {.offset = first},
		.begin = first,
		.end = end,
		.by_thread = threads_counted(bytes + first, end - first),
	};
	streaming_form_choose(s, clocks);
	clocks_bound(t, &s->source, s->record);
	t->source = &s->source;
	threads_by_turns_note(t, t->source);
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, end);
	damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, key == NULL, input->data.size);
	return true;
}

bool
streaming_open_records(struct trace *t, struct input *input, const struct header *h,
    uint64_t first, const struct keytext *key, struct err *e)
{
	keytext_narrow_threads(t, 16);
	return records_open(t, input, h, first, input->data.size, key, e);
}

bool
streaming_open(struct trace *t, struct input *input, struct err *e)
{
	const struct filemap *data = &input->data;
	struct bytes in = {data->bytes, data->bytes + data->size, 0}, text = {0};
	uint64_t first, end, stray = 0;
	struct keytext key;
	struct packet summary;
	struct header h;
	bool told, text_apart = false;

	if (!header_read(&h, &in, e))
		return false;
	first = in.offset;
	end = packet_find_summary(&summary, data->bytes + first, data->size - first);
	if (end != UINT64_MAX) {
		end += first;
		text = (struct bytes){(const uint8_t *)summary.text.p,
		    (const uint8_t *)summary.text.p + summary.text.n, end + 7};
		stray = data->size - (end + summary.size);
	} else {
		end = data->size;
		text_apart = input->key.size > 0;
		if (text_apart)
			text = (struct bytes){input->key.bytes,
			    input->key.bytes + input->key.size, 0};
	}
	told = bytes_left(&text) > 0 && keytext_parse(&key, t, &text, KEYTEXT_ALONE, NULL);
	if (!told)
		keytext_none(t);
	t->text_apart = told && text_apart;
	keytext_narrow_threads(t, 16);
	if (!records_open(t, input, &h, first, end, told ? &key : NULL, e))
		return false;
	damage_add(&t->damage, DAMAGE_UNREADABLE_DATA, stray > 0, data->size - stray);
	return true;
}
