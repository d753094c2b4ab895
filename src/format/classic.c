#include <config.h>

#include "format/classic.h"

#include <inttypes.h>
#include <string.h>

#include "format/keytext.h"

#define WRAP_US ((uint64_t)1 << 32) /* records hold 32 bits of microseconds */

enum {
	HEADER_SIZE = 16,    /* magic, version, offset, start time */
	HEADER_SIZE_V3 = 18, /* and the record size */
	RECORD_MAX = 64,
};

struct classic {
	struct source source;
	struct trace *trace;
	struct filemap map;
	uint32_t record; /* bytes */
	void (*decode)(struct classic *, const uint8_t *, uint64_t, struct batch *,
	    struct damage *);
};

/* Ids that the file does not name: a row each, made when first met. */
static uint32_t
method_unknown(struct classic *c, uint32_t word, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_METHOD, 1, offset);
	return trace_method_adopt(c->trace, word & ~3u);
}

static uint32_t
thread_unknown(struct classic *c, uint32_t id, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_THREAD, 1, offset);
	return trace_thread_adopt(c->trace, id);
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
			method = method_unknown(c, word, damage, b->offset + i * (uint64_t)size);
		if (__builtin_expect(thread == IDMAP_NONE, 0))
			thread = thread_unknown(c, id, damage, b->offset + i * (uint64_t)size);
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
	c->decode(c, c->map.bytes + at->offset, count, b, damage);
	at->offset += count * c->record;
}

static bool
classic_cut(struct source *s, uint64_t offset, struct cursor *at)
{
	uint64_t step = (uint64_t)BATCH_EVENTS * ((struct classic *)s)->record;

	at->offset = s->begin + (offset - s->begin) / step * step;
	return true;
}

static void
classic_behind(struct source *s, uint64_t from, uint64_t to)
{
	filemap_behind(&((struct classic *)s)->map, from, to);
}

static bool
classic_cached(struct source *s)
{
	return filemap_cached(&((struct classic *)s)->map, s->begin, s->end);
}

static void
classic_free(struct source *s)
{
	struct classic *c = (struct classic *)s;

	filemap_close(&c->map);
	mem_free(c);
}

static const struct source_ops classic_ops = {
	.read = classic_read,
	.cut = classic_cut,
	.behind = classic_behind,
	.cached = classic_cached,
	.free = classic_free,
};

struct header {
	uint16_t version, offset, record; /* record: 0 before version 3 */
	uint64_t start_us;
};

static bool
header_read(struct header *h, struct bytes *in, struct err *e)
{
	uint64_t begin = in->offset;
	uint32_t magic;
	uint16_t least = HEADER_SIZE;

	*h = (struct header){0};
	if (!bytes_u32(in, &magic, e, "data header") ||
	    !bytes_u16(in, &h->version, e, "data header"))
		return false;
	if (h->version < 1 || h->version > 3)
		return err_at(e, ERR_UNSUPPORTED, begin + 4,
		    "data version %u is not known (expected 1, 2 or 3)", h->version);
	if (!bytes_u16(in, &h->offset, e, "data header") ||
	    !bytes_u64(in, &h->start_us, e, "data header"))
		return false;
	if (h->version == 3) {
		least = HEADER_SIZE_V3;
		if (!bytes_u16(in, &h->record, e, "record size"))
			return false;
	}
	if (h->offset < least)
		return err_at(e, ERR_MALFORMED, begin + 6,
		    "offset to the records is %u (expected at least %u)", h->offset, least);
	return bytes_skip(in, h->offset - least, e, "data header");
}

/*
 * A copy in text mode replaces each byte that is no UTF-8 by EF BF BD; then neither
 * sizes nor numbers can be trusted.
 */
static bool
text_converted(const uint8_t *p, size_t n)
{
	int hits = 0;

	if (n > 4096)
		n = 4096;
	for (size_t i = 0; i + 3 <= n; i++)
		hits += p[i] == 0xef && p[i + 1] == 0xbf && p[i + 2] == 0xbd;
	return hits >= 3 && (size_t)hits * 32 >= n;
}

/* Which clocks the key text names, checked against what a record can hold. */
static unsigned
clocks_choose(struct trace *t, const struct keytext *key, const struct header *h)
{
	static const struct {
		struct str name;
		unsigned clocks;
	} names[] = {
		{ STR("thread-cpu"), 1u << CLOCK_CPU },
		{ STR("wall"), 1u << CLOCK_WALL },
		{ STR("global"), 1u << CLOCK_WALL }, /* Dalvik without POSIX clocks */
		{ STR("dual"), 1u << CLOCK_CPU | 1u << CLOCK_WALL },
	};
	bool dual_fits = h->version == 3 && h->record >= 14;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!str_equal(key->clock, names[i].name))
			continue;
		if (names[i].clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL) && h->version < 3) {
			trace_note(t, "clock=dual, but version %u records hold one clock; "
				      "taken as thread-cpu", h->version);
			return 1u << CLOCK_CPU;
		}
		return names[i].clocks;
	}
	trace_note(t, "%s; taken as %s",
	    key->clock.n > 0 ? "the clock is not one that is known" : "no clock is stated",
	    dual_fits ? "dual" : "wall");
	return dual_fits ? 1u << CLOCK_CPU | 1u << CLOCK_WALL : 1u << CLOCK_WALL;
}

static void
layout_choose(struct classic *c, const struct header *h, unsigned clocks)
{
	bool wall = clocks == 1u << CLOCK_WALL;

	if (h->version == 1)
		c->decode = wall ? decode_v1_wall : decode_v1_cpu;
	else if (clocks != (1u << CLOCK_CPU | 1u << CLOCK_WALL))
		c->decode = wall ? decode_v2_wall : decode_v2_cpu;
	else
		c->decode = c->record == 14 ? decode_dual_14 : decode_dual;
}

static bool
record_size(struct classic *c, const struct header *h, unsigned clocks, uint64_t begin,
    struct err *e)
{
	static const uint32_t fixed[] = { [1] = 9, [2] = 10 };
	uint32_t need = clocks == (1u << CLOCK_CPU | 1u << CLOCK_WALL) ? 14 : 10;

	if (h->version < 3) {
		c->record = fixed[h->version];
		return true;
	}
	if (h->record < need || h->record > RECORD_MAX)
		return err_at(e, ERR_MALFORMED, begin + 16,
		    "record size is %u (expected %" PRIu32 " to %d)", h->record, need, RECORD_MAX);
	c->record = h->record;
	return true;
}

/* How often 32-bit clocks can have started again, by the stated length of the trace. */
static uint64_t
wraps_bound(const struct trace *t)
{
	uint64_t us = (uint64_t)t->elapsed / 1000;

	/* Records may be a little later than the stated end. */
	return us > 0 ? (us + us / 16 + 1000000) / WRAP_US : UINT64_MAX;
}

bool
classic_open(struct trace *t, const struct filemap *map, struct err *e)
{
	struct bytes in = {map->bytes, map->bytes + map->size, 0};
	struct keytext key;
	struct header h;
	struct classic *c;
	uint64_t partial;

	if (!keytext_parse(&key, t, &in, e))
		return false;
	if (text_converted(in.p, bytes_left(&in)))
		return err_at(e, ERR_MALFORMED, key.data,
		    "file damaged by text conversion (EF BF BD in place of bytes)");
	if (!header_read(&h, &in, e))
		return false;
	c = mem_zero(1, sizeof(*c));
	t->clocks = clocks_choose(t, &key, &h);
	if (!record_size(c, &h, t->clocks, key.data, e)) {
		mem_free(c);
		return false;
	}
	if (key.version != h.version)
		trace_note(t, "the key section says version %d, the data header %u; taken as %u",
		    key.version, h.version, h.version);
	keytext_narrow_threads(t, h.version == 1 ? 8 : 16);

	t->format = "classic";
	t->version = h.version;
	t->start_us = h.start_us;
	t->own_axes = !trace_has_clock(t, CLOCK_WALL);
	layout_choose(c, &h, t->clocks);
	c->trace = t;
	c->map = *map;
	c->source = (struct source){
		.ops = &classic_ops,
		.first = {in.offset},
		.begin = in.offset,
		.end = map->size,
		.clock_modulus = WRAP_US * 1000,
		.wraps_max = wraps_bound(t),
	};
	t->source = &c->source;

	partial = (map->size - in.offset) % c->record;
	damage_add(&t->damage, DAMAGE_PARTIAL_RECORD, partial > 0, map->size - partial);
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, map->size - partial);
	return true;
}
