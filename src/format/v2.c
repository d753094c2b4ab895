#include <config.h>

#include "format/v2.h"

#include "format/header.h"
#include "format/keytext.h"
#include "format/methodline.h"
#include "format/v2-packet.h"
#include "format/v2-source.h"

enum {
	HEADER_SIZE = 32,
};

/* What stepping over the packets found. */
struct survey {
	uint64_t first;      /* offset of the first block, or the end */
	uint64_t end;        /* of what can be read */
	bool starts_at_zero; /* the first time of every thread's first block */
	struct idmap seen;   /* threads by id */
};

static void
method_take(struct trace *t, const struct v2_packet *k)
{
	struct str line = trace_keep(t, k->body);
	struct method m;
	bool was_unknown;

	if (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	if (!methodline_parse_named(line, &m))
		return;
	m.id = k->id & ~(uint64_t)3;
	m.known = true;
	(void)trace_method_define(t, m.id >> 2, &m, &was_unknown);
}

static void
block_survey(struct v2 *v, const struct v2_packet *k, struct survey *found)
{
	const uint8_t *p = (const uint8_t *)k->body.p;
	struct v2_record r = {0};

	if (idmap_get(&v->trace->thread_ids, k->id) == IDMAP_NONE)
		(void)trace_thread_adopt(v->trace, (uint32_t)k->id);
	if (!v->coding.exits_named || idmap_get(&found->seen, k->id) != IDMAP_NONE)
		return;
	idmap_put(&found->seen, k->id, 0);
	if (v2_record_read(&v->coding, &p, p + k->body.n, &r) && r.value[1] != 0)
		found->starts_at_zero = false;
}

static struct survey
v2_survey(struct v2 *v, uint64_t end)
{
	struct survey found = {.first = UINT64_MAX, .end = end, .starts_at_zero = true};
	struct trace *t = v->trace;
	const uint8_t *bytes = v->in.data.bytes;
	struct v2_packet k;
	bool was_unknown;

	for (uint64_t at = HEADER_SIZE; at < end; at += k.size) {
		enum v2_fit fit = v2_packet_read(&k, bytes + at, end - at);

		if (fit == V2_BAD) {
			damage_add(&t->damage, DAMAGE_UNREADABLE_DATA, 1, at);
			found.end = at;
			break;
		}
		if (fit == V2_CUT && (k.tag != V2_BLOCK || k.body.p == NULL)) {
			damage_add(&t->damage, DAMAGE_PARTIAL_RECORD, 1, at);
			found.end = at;
			break;
		}
		if (k.tag == V2_THREAD)
			(void)trace_thread_define(
			    t, (uint32_t)k.id, trace_keep(t, k.body), &was_unknown);
		else if (k.tag == V2_METHOD)
			method_take(t, &k);
		else if (k.tag == V2_BLOCK)
			block_survey(v, &k, &found);
		if (k.tag == V2_BLOCK && found.first == UINT64_MAX)
			found.first = at;
	}
	idmap_release(&found.seen);
	if (found.first > found.end)
		found.first = found.end;
	return found;
}

/* Which clocks, and in which units. */
static void
clocks_take(struct v2 *v, const struct keytext *key, const struct survey *found)
{
	struct trace *t = v->trace;
	unsigned clocks = key != NULL ? clocks_named(key->clock) : 0;

	if (t->version == 5) {
		t->clocks = HAS_BOTH;
	} else if (clocks == HAS_CPU || clocks == HAS_WALL) {
		t->clocks = clocks;
	} else {
		t->clocks = v->coding.exits_named && found->starts_at_zero && key == NULL
				? HAS_CPU
				: HAS_WALL;
		trace_note(t, "%s; taken as %s",
		    key != NULL ? "the clock is not one that version 4 can have"
				: "no clock is stated",
		    t->clocks == HAS_CPU ? "thread-cpu" : "wall");
	}
	v->coding.first = t->clocks == HAS_CPU ? CLOCK_CPU : CLOCK_WALL;
	v->coding.second = t->clocks == HAS_BOTH;
	if (t->clocks == HAS_CPU)
		v->coding.frequency = 0; /* such ticks are nanoseconds of the thread */
	v->coding.unit = trace_property(t, "elapsed-time-usec").p != NULL &&
				 trace_property(t, "elapsed-time-nsec").p == NULL
			     ? 1000
			     : 1;
	t->own_axes = t->clocks == HAS_CPU;
}

/* The row of frames whose exits do not name a method and whose entries are not there. */
static void
pseudo_add(struct trace *t)
{
	struct method *m = trace_method_add(t, 0);

	if (m == NULL)
		return;
	m->name = STR("(entered before trace)");
	m->word = "entered-before-trace";
	m->known = true;
	t->method_before = t->methods.count - 1;
}

static bool
header_take(struct v2 *v, struct err *e)
{
	const struct filemap *data = &v->in.data;
	struct trace *t = v->trace;
	unsigned word;

	if (data->size < HEADER_SIZE)
		return err_at(e, ERR_TRUNCATED, data->size,
		    "the file ends inside the data header (need %d bytes, have %zu)",
		    HEADER_SIZE, data->size);
	word = get_u16(data->bytes + 4);
	t->version = (int)(word & ~(unsigned)HEADER_STREAMING);
	v->coding.frequency = word <= 5 ? get_u64(data->bytes + 22) : 0;
	v->coding.exits_named = v->coding.frequency == 0;
	v->coding.start_ticks = get_u64(data->bytes + 14);
	t->start_us = get_u64(data->bytes + 6);
	t->format = v->coding.exits_named ? "v2a" : "v2b";
	return true;
}

/* Times above this are no times; what they add up to fits in 63 bits. */
static uint64_t
time_most(const struct trace *t)
{
	uint64_t most = ((uint64_t)1 << 60) / (t->threads.count + 1);

	return most < (uint64_t)1 << 52 ? most : (uint64_t)1 << 52;
}

bool
v2_open(struct trace *t, struct input *input, struct err *e)
{
	struct v2 *v = mem_zero(1, sizeof(*v));
	struct v2_packet summary;
	struct survey found;
	struct keytext key;
	struct bytes text;
	uint64_t end;
	bool told = false;

	v->trace = t;
	v->in = *input;
	v->coding.unit = 1;
	if (!header_take(v, e)) {
		mem_free(v);
		return false;
	}
	end = v2_find_summary(
	    &summary, input->data.bytes + HEADER_SIZE, input->data.size - HEADER_SIZE);
	if (end != UINT64_MAX) {
		end += HEADER_SIZE;
		text = (struct bytes){(const uint8_t *)summary.body.p,
		    (const uint8_t *)summary.body.p + summary.body.n, end + 3};
		told = keytext_parse(&key, t, &text, KEYTEXT_ALONE, NULL);
	} else {
		end = input->data.size;
	}
	if (!told) {
		keytext_none(t);
		trace_note(t,
		    "the summary at its end is missing: the recording was not ended, "
		    "or the file was cut");
	}
	if (!v->coding.exits_named)
		pseudo_add(t);
	found = v2_survey(v, end);
	clocks_take(v, told ? &key : NULL, &found);
	if (!v->coding.exits_named || v->coding.unit == 1)
		t->start_us /= 1000;
	v->coding.most = time_most(t);
	v->coding.most_units = v->coding.most / v->coding.unit;
	v->source = (struct source){
	    .ops = &v2_ops,
	    .first = {.offset = found.first},
	    .begin = found.first,
	    .end = found.end,
	    .time_most = v->coding.most,
	    .by_thread = true,
	};
	t->source = &v->source;
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, found.end);
	damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, !told, input->data.size);
	return true;
}
