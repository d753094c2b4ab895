// SPDX-License-Identifier: Apache-2.0
/*
 * v2: packets of names and of variable-length records; data versions 4 and 5.
 *
 * Written by ART since 2024 when asked for output version 2 (runtime/trace.cc,
 * TraceWriter; "v2a"), in another form since 2026 ("v2b": absolute counter ticks, exits
 * without method).  Layout: doc/formats.md.
 *
 * Opening steps over all packets by their sizes, so that names are known wherever in the
 * file they are; records are decoded as they are read.  A file that grows is stepped over from
 * its last whole packet on.
 */
#include <config.h>

#include "format/method/method.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "format/input.h"
#include "trace/event.h"
#include "trace/trace.h"

/* How a file's records are written. */
struct v2_coding {
	uint64_t start_ticks, frequency; /* frequency 0: V2a, or ticks are nanoseconds */
	uint64_t unit;                   /* V2a: nanoseconds */
	uint64_t most;                   /* nanoseconds: later times are not believed */
	uint64_t most_units;             /* the same in units */
	bool exits_named;                /* V2a */
	enum clock_id first;             /* of the first time field */
	bool second;                     /* the cpu clock follows it */
};

/* The running values, with one record's steps added, and that record; not yet checked. */
struct v2_record {
	uint64_t value[3]; /* running: V2a method word, clocks; V2b ticks and action, cpu, method */
	uint64_t method;
	uint64_t time[CLOCKS];
	unsigned action;
};

/*
 * A running value in units of `unit` as nanoseconds; false when it is more than `most`
 * units.  Before the start counts as the start.
 */
static inline __attribute__((always_inline)) bool
v2_time_scaled(uint64_t value, uint64_t unit, uint64_t most, uint64_t *ns)
{
	*ns = value * unit;
	if (__builtin_expect(value <= most, 1))
		return true;
	*ns = 0;
	return value >> 63 != 0 && 0 - value <= most;
}

/* Counter ticks since the start; no product here can overflow. */
static inline __attribute__((always_inline)) bool
v2_time_ticks(const struct v2_coding *v, uint64_t ticks, uint64_t *ns)
{
	uint64_t value = ticks - v->start_ticks, f = v->frequency, rest, fraction;
	bool negative = value >> 63 != 0;
	uint64_t size = negative ? 0 - value : value;

	if (size / f > v->most / 1000000000)
		return false;
	rest = size % f;
	fraction = f <= UINT64_MAX / 1000000000 ? rest * 1000000000 / f
						: rest / (f / 1000000000);
	*ns = negative ? 0 : size / f * 1000000000 + fraction;
	return true;
}

/* A step in 32 bits of microseconds is signed; one in 64 bits is anyway. */
static inline __attribute__((always_inline)) uint64_t
v2_step_signed(const struct v2_coding *v, uint64_t step)
{
	return v->unit != 1 && step >> 31 == 1 ? step - ((uint64_t)1 << 32) : step;
}

static inline __attribute__((always_inline)) bool
v2_record_v2a(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	uint64_t step;

	if (!leb_signed(p, end, &step))
		return false;
	r->value[0] += step;
	r->method = r->value[0];
	r->action = (unsigned)r->value[0] & 3;
	if (!leb_unsigned(p, end, &step))
		return false;
	r->value[1] += v2_step_signed(v, step);
	if (!v->second)
		return true;
	if (!leb_unsigned(p, end, &step))
		return false;
	r->value[2] += v2_step_signed(v, step);
	return true;
}

static inline __attribute__((always_inline)) bool
v2_times_v2a(const struct v2_coding *v, struct v2_record *r)
{
	return v2_time_scaled(r->value[1], v->unit, v->most_units, &r->time[v->first]) &&
	       (!v->second || v2_time_scaled(r->value[2], v->unit, v->most_units,
				  &r->time[CLOCK_CPU]));
}

static inline __attribute__((always_inline)) bool
v2_record_v2b(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	uint64_t step;

	if (!leb_signed(p, end, &step))
		return false;
	r->value[0] += step;
	r->action = (unsigned)r->value[0] & 3;
	if (v->second) {
		if (!leb_unsigned(p, end, &step))
			return false;
		r->value[1] += step;
	}
	if (r->action != ACTION_ENTER)
		return true;
	if (!leb_signed(p, end, &step))
		return false;
	r->value[2] += step;
	r->method = r->value[2];
	return true;
}

static inline __attribute__((always_inline)) bool
v2_times_v2b(const struct v2_coding *v, struct v2_record *r)
{
	uint64_t ticks = r->value[0] >> 2;

	if (v->frequency == 0 ? !v2_time_scaled(ticks, 1, v->most, &r->time[v->first])
			      : !v2_time_ticks(v, ticks, &r->time[v->first]))
		return false;
	return !v->second || v2_time_scaled(r->value[1], 1, v->most, &r->time[CLOCK_CPU]);
}

static inline __attribute__((always_inline)) bool
v2_record_read(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	return v->exits_named ? v2_record_v2a(v, p, end, r) : v2_record_v2b(v, p, end, r);
}

/* The times that the running values mean; false when they cannot be times. */
static inline __attribute__((always_inline)) bool
v2_record_times(const struct v2_coding *v, struct v2_record *r)
{
	return v->exits_named ? v2_times_v2a(v, r) : v2_times_v2b(v, r);
}

enum v2_tag { V2_THREAD, V2_METHOD, V2_BLOCK, V2_SUMMARY };

enum v2_fit {
	V2_WHOLE,
	V2_CUT, /* the bytes end inside it; of a block, `body` is what is there */
	V2_BAD, /* no such tag */
};

struct v2_packet {
	enum v2_tag tag;
	uint64_t id;     /* of the thread or method */
	struct str body; /* name, records or text, as far as it is there; p NULL when it is cut before */
	uint64_t length; /* of the whole body */
	uint64_t size;   /* of all of it, as far as the bytes go */
};

struct v2 {
	struct method_source m;
	struct v2_coding coding;
	struct cursor tail;  /* the record that the end cuts; offset 0: it cuts none */
	bool told;           /* a summary says which clocks there are */
	/* So far (v2_survey): */
	uint64_t first;      /* offset of the first block; UINT64_MAX: none */
	uint64_t end;        /* of what can be read */
	uint64_t next;       /* of the packets that are whole */
	uint64_t left;       /* `next` when the rest of the block there made no sense */
	bool bad;            /* what follows is none */
	bool starts_at_zero; /* the first time of every thread's first block */
	bool renamed;        /* a name came for what was met without */
	struct idmap seen;   /* threads with blocks, by id */
};

/* Packets --------------------------------------------------------------------------- */

enum { SUMMARY_HEAD = 3 };

static enum v2_fit
v2_packet_read(struct v2_packet *k, const uint8_t *p, uint64_t left)
{
	static const uint8_t heads[] = {
		[V2_THREAD] = 7, [V2_METHOD] = 11, [V2_BLOCK] = 12, [V2_SUMMARY] = SUMMARY_HEAD};
	uint64_t head, body;
	uint8_t tag;

	*k = (struct v2_packet){.size = left};
	if (left == 0)
		return V2_CUT;
	tag = *(const volatile uint8_t *)p; /* read once: the file may change meanwhile */
	if (tag > V2_SUMMARY)
		return V2_BAD;
	k->tag = (enum v2_tag)tag;
	head = heads[k->tag];
	if (left < head)
		return V2_CUT;
	if (k->tag == V2_METHOD)
		k->id = get_u64(p + 1);
	else if (k->tag != V2_SUMMARY)
		k->id = get_u32(p + 1);
	body = k->tag == V2_BLOCK ? get_u32(p + head - 4) : get_u16(p + head - 2);
	k->length = body;
	k->body = (struct str){(const char *)p + head, body < left - head ? body : left - head};
	if (left - head < body)
		return V2_CUT;
	k->size = head + body;
	return V2_WHOLE;
}

/* The offset of a summary that ends where the bytes do, or UINT64_MAX. */
static uint64_t
v2_find_summary(struct v2_packet *k, const uint8_t *p, uint64_t size)
{
	static const char line[] = "*version\n";
	uint64_t most = SUMMARY_HEAD + UINT16_MAX;
	uint64_t at = size > most ? size - most : 0;

	for (; size - at >= SUMMARY_HEAD + sizeof(line) - 1; at++) {
		if (p[at] == V2_SUMMARY && get_u16(p + at + 1) + (uint64_t)SUMMARY_HEAD == size - at &&
		    memcmp(p + at + SUMMARY_HEAD, line, sizeof(line) - 1) == 0 &&
		    v2_packet_read(k, p + at, size - at) == V2_WHOLE)
			return at;
	}
	return UINT64_MAX;
}

/* Records --------------------------------------------------------------------------- */

/* Values that a cursor remembers inside a block. */
enum state {
	STATE_END,    /* offset where its records end, perhaps beyond the file; 0 between packets */
	STATE_THREAD, /* index */
	STATE_FIRST,  /* the running values: V2a method word, V2b ticks and action */
	STATE_TIME,   /* V2a the first clock, V2b cpu */
	STATE_SECOND, /* V2a the second clock, V2b method */
};

static __attribute__((noinline)) uint32_t
method_unknown(struct v2 *v, uint64_t id, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_METHOD, 1, offset);
	return trace_method_adopt(v->m.trace, id & ~(uint64_t)3);
}

/* Where the records of the cursor's block end, as far as the file goes. */
static uint64_t
block_end(const struct v2 *v, const struct cursor *at)
{
	return at->state[STATE_END] < v->m.source.end ? at->state[STATE_END] : v->m.source.end;
}

/*
 * The rest of a block makes no sense, or the file ends inside its last record.  `whole`:
 * its numbers can be read, and are no times.
 */
static void
block_leave(struct v2 *v, struct cursor *at, bool whole, struct damage *damage)
{
	uint64_t end = block_end(v, at);
	bool cut = !whole && end == v->m.source.end && end - at->offset < 3 * LEB_MAX;

	if (damage != NULL && cut)
		v->tail = *at;
	else if (damage != NULL && end < at->state[STATE_END])
		v->left = v->next;
	damage_add(
	    damage, cut ? DAMAGE_PARTIAL_RECORD : DAMAGE_UNREADABLE_DATA, 1, at->offset);
	at->offset = end;
}

/* Sets the cursor's running values to those before a record; it stands on one earlier. */
static __attribute__((noinline)) void
values_before(const struct v2_coding *v, const uint8_t *p, const uint8_t *record, struct cursor *at)
{
	struct v2_record r = {
	    .value = {at->state[STATE_FIRST], at->state[STATE_TIME], at->state[STATE_SECOND]}};

	while (p < record)
		(void)v2_record_read(v, &p, record, &r);
	for (int i = 0; i < 3; i++)
		at->state[STATE_FIRST + i] = r.value[i];
}

/*
 * Records from the cursor to the end of its block.  One source for all forms: the
 * compiler makes a loop for each of the callers below; `usual`: two clocks in
 * nanoseconds.
 */
static inline __attribute__((always_inline)) void
block_decode(struct v2 *v, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage, bool exits_named, bool usual)
{
	const uint8_t *bytes = v->m.in.data.bytes;
	const uint8_t *p = bytes + at->offset, *end = bytes + block_end(v, at);
	const uint8_t *begin = bytes + b->offset;
	uint32_t thread = (uint32_t)at->state[STATE_THREAD];
	bool listed = trace_thread(v->m.trace, thread)->listed;
	/* Copies, so that the compiler sees that they do not change. */
	struct v2_coding coding = v->coding;
	const struct idmap methods = v->m.trace->method_ids;
	struct v2_record r = {
	    .value = {at->state[STATE_FIRST], at->state[STATE_TIME], at->state[STATE_SECOND]}};
	uint32_t n = 0;

	coding.exits_named = exits_named;
	if (usual) {
		coding.first = CLOCK_WALL;
		coding.second = true;
		coding.unit = 1;
	}
	for (; n < max && p < end; n++) {
		const uint8_t *from = p;
		struct event *ev = &b->ev[n];
		uint32_t method = METHOD_TOP;

		bool whole = v2_record_read(&coding, &p, end, &r);

		if (__builtin_expect(!whole || !v2_record_times(&coding, &r), 0)) {
			values_before(&coding, begin, from, at);
			at->offset = (uint64_t)(from - bytes);
			block_leave(v, at, whole, damage);
			b->count = n;
			return;
		}
		if (exits_named || r.action == ACTION_ENTER) {
			method = idmap_get(&methods, r.method >> 2);
			if (__builtin_expect(method == IDMAP_NONE, 0))
				method = method_unknown(
				    v, r.method, damage, (uint64_t)(from - bytes));
		}
		ev->thread = thread;
		ev->word = method << 2 | r.action;
		ev->time[CLOCK_CPU] = r.time[CLOCK_CPU];
		ev->time[CLOCK_WALL] = r.time[CLOCK_WALL];
		if (__builtin_expect(!listed, 0))
			damage_add(damage, DAMAGE_UNKNOWN_THREAD, 1, (uint64_t)(from - bytes));
		b->place[n] = (uint32_t)(from - begin);
	}
	b->count = n;
	at->offset = (uint64_t)(p - bytes);
	for (int i = 0; i < 3; i++)
		at->state[STATE_FIRST + i] = r.value[i];
}

static void
block_read(
    struct v2 *v, struct cursor *at, struct batch *b, uint32_t max, struct damage *damage)
{
	bool usual = v->coding.second && v->coding.unit == 1;

	if (v->coding.exits_named && usual)
		block_decode(v, at, b, max, damage, true, true);
	else if (usual)
		block_decode(v, at, b, max, damage, false, true);
	else
		block_decode(v, at, b, max, damage, v->coding.exits_named, false);
}

/* Steps over names and into the next block; false at the end. */
static bool
packet_enter(struct v2 *v, struct cursor *at)
{
	const uint8_t *bytes = v->m.in.data.bytes;

	while (at->offset < v->m.source.end) {
		struct v2_packet k;
		enum v2_fit fit =
		    v2_packet_read(&k, bytes + at->offset, v->m.source.end - at->offset);

		if (k.tag != V2_BLOCK || k.body.p == NULL || fit == V2_BAD) {
			at->offset += k.size;
			continue;
		}
		at->offset = (uint64_t)((const uint8_t *)k.body.p - bytes);
		*at = (struct cursor){.offset = at->offset};
		at->state[STATE_END] = at->offset + k.length;
		at->state[STATE_THREAD] = idmap_get(&v->m.trace->thread_ids, k.id);
		if (at->state[STATE_THREAD] == IDMAP_NONE)
			at->state[STATE_THREAD] =
			    trace_thread_adopt(v->m.trace, (uint32_t)k.id);
		return true;
	}
	return false;
}

/* A batch ends with its block, at the latest; without events when there is none in it. */
static void
v2_read(struct source *s, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct v2 *v = (struct v2 *)s;

	b->stride = 0;
	b->count = 0;
	if (at->offset >= v->m.source.end || (at->offset >= at->state[STATE_END] && !packet_enter(v, at)))
		return;
	b->offset = at->offset;
	block_read(v, at, b, max, damage);
}

/* Stepping over the packets --------------------------------------------------------- */

enum {
	HEADER_SIZE = 32,
};

static bool
method_take(struct trace *t, const struct v2_packet *k)
{
	struct str line = trace_keep(t, k->body);
	struct method m;
	bool was_unknown = false;

	if (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	if (!methodline_parse_named(line, &m))
		return false;
	m.id = k->id & ~(uint64_t)3;
	m.known = true;
	(void)trace_method_define(t, m.id >> 2, &m, &was_unknown);
	return was_unknown;
}

static void
block_survey(struct v2 *v, const struct v2_packet *k)
{
	const uint8_t *p = (const uint8_t *)k->body.p;
	struct v2_record r = {0};

	if (idmap_get(&v->m.trace->thread_ids, k->id) == IDMAP_NONE)
		(void)trace_thread_adopt(v->m.trace, (uint32_t)k->id);
	if (!v->coding.exits_named || idmap_get(&v->seen, k->id) != IDMAP_NONE)
		return;
	if (!v2_record_read(&v->coding, &p, p + k->body.n, &r))
		return; /* cut: it may come */
	idmap_put(&v->seen, k->id, 0);
	if (r.value[1] != 0)
		v->starts_at_zero = false;
}

/* Steps from the last whole packet to `end`, or to where no packet is. */
static void
v2_survey(struct v2 *v, uint64_t end, struct damage *damage)
{
	struct trace *t = v->m.trace;
	const uint8_t *bytes = v->m.in.data.bytes;
	struct v2_packet k;

	v->end = end;
	for (uint64_t at = v->next; at < end; at += k.size) {
		enum v2_fit fit = v2_packet_read(&k, bytes + at, end - at);
		bool was_unknown = false;

		v->bad = fit == V2_BAD;
		if (v->bad || (fit == V2_CUT && (k.tag != V2_BLOCK || k.body.p == NULL))) {
			damage_add(damage, v->bad ? DAMAGE_UNREADABLE_DATA : DAMAGE_PARTIAL_RECORD, 1, at);
			v->end = at;
			break;
		}
		if (k.tag == V2_THREAD)
			(void)trace_thread_define(
			    t, (uint32_t)k.id, trace_keep(t, k.body), &was_unknown);
		else if (k.tag == V2_METHOD)
			was_unknown = method_take(t, &k);
		else if (k.tag == V2_BLOCK)
			block_survey(v, &k);
		v->renamed |= was_unknown;
		if (k.tag == V2_BLOCK && v->first == UINT64_MAX)
			v->first = at;
		if (fit == V2_WHOLE)
			v->next = at + k.size;
	}
}

/* Opening --------------------------------------------------------------------------- */

/* Which clocks, and in which units. */
static void
clocks_take(struct v2 *v, const struct keytext *key)
{
	struct trace *t = v->m.trace;
	unsigned clocks = key != NULL ? clocks_named(key->clock) : 0;

	if (t->version == 5) {
		t->clocks = HAS_BOTH;
	} else if (clocks == HAS_CPU || clocks == HAS_WALL) {
		t->clocks = clocks;
	} else {
		t->clocks = v->coding.exits_named && v->starts_at_zero && key == NULL
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

/* The row for frames that were entered before the trace: their exits name no method. */
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
	const struct filemap *data = &v->m.in.data;
	struct trace *t = v->m.trace;
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

/*
 * Goes on with what was written since.  With a summary, or names for what was met without, the trace
 * is another; so it may be when a thread comes whose first time tells the clock.
 */
static bool
v2_grow(struct source *source, uint64_t size, struct cursor *at, struct damage *damage)
{
	struct v2 *v = (struct v2 *)source;
	struct trace *t = v->m.trace;
	const uint32_t methods = t->methods.count, threads = t->threads.count;
	const uint64_t packet = v->next;
	const bool from_zero = v->starts_at_zero;
	const struct cursor tail = v->tail;
	struct v2_packet k;

	if (v->told || v->bad || v->first == UINT64_MAX || !filemap_grow(&v->m.in.data, size) ||
	    v2_find_summary(&k, v->m.in.data.bytes + HEADER_SIZE, size - HEADER_SIZE) != UINT64_MAX)
		return false;
	method_damage_set(t, damage, DAMAGE_TRUNCATED_FILE, 1, size);
	method_damage_set(t, damage, DAMAGE_PARTIAL_RECORD, 0, 0);
	v->tail = (struct cursor){.offset = 0};
	v2_survey(v, size, damage);
	source->end = v->end;
	t->damage.kind[DAMAGE_PARTIAL_RECORD] = damage->kind[DAMAGE_PARTIAL_RECORD];
	if (v->bad || v->renamed || v->starts_at_zero != from_zero || time_most(t) != v->coding.most ||
	    (damage->kind[DAMAGE_UNKNOWN_METHOD].count > 0 && t->methods.count > methods) ||
	    (damage->kind[DAMAGE_UNKNOWN_THREAD].count > 0 && t->threads.count > threads))
		return false;
	if (tail.offset > 0)
		*at = tail;
	else if (v->left == packet)
		at->offset = block_end(v, at);
	return true;
}

static void
v2_free(struct source *source)
{
	idmap_release(&((struct v2 *)source)->seen);
	method_source_free(source);
}

static const struct source_ops v2_ops = {
    .read = v2_read,
    .grow = v2_grow,
    .free = v2_free,
};

bool
v2_open(struct trace *t, struct input *input, struct err *e)
{
	struct v2 *v = mem_zero(1, sizeof(*v));
	struct v2_packet summary;
	struct keytext key;
	struct bytes text;
	uint64_t end;

	v->first = UINT64_MAX;
	v->next = HEADER_SIZE;
	v->starts_at_zero = true;
	v->m.trace = t;
	v->m.in = *input;
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
		v->told = keytext_parse(&key, t, &text, KEYTEXT_ALONE, NULL);
	} else {
		end = input->data.size;
	}
	if (!v->told) {
		keytext_none(t);
		trace_note(t,
		    "the summary at its end is missing: the recording was not ended, "
		    "or the file was cut");
	}
	if (!v->coding.exits_named)
		pseudo_add(t);
	v2_survey(v, end, &t->damage);
	end = v->first < v->end ? v->first : v->end;
	clocks_take(v, v->told ? &key : NULL);
	if (!v->coding.exits_named || v->coding.unit == 1)
		t->start_us /= 1000;
	v->coding.most = time_most(t);
	v->coding.most_units = v->coding.most / v->coding.unit;
	v->m.source = (struct source){
	    .ops = &v2_ops,
	    .map = &v->m.in.data,
	    .first = {.offset = end},
	    .begin = end,
	    .end = v->end,
	    .time_most = v->coding.most,
	    .by_thread = true,
	};
	t->source = &v->m.source;
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, v->end);
	damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, !v->told, input->data.size);
	return true;
}
