/* v2-read: the records of V2 blocks as events, from any place (v2-source.h). */
#include <config.h>

#include "format/v2-packet.h"
#include "format/v2-source.h"

/* What a cursor remembers inside a block. */
enum state {
	STATE_END,    /* offset where its records end; 0 between packets */
	STATE_THREAD, /* index */
	STATE_FIRST,  /* the running values: V2a method word, V2b ticks and action */
	STATE_TIME,   /* V2a the first clock, V2b cpu */
	STATE_SECOND, /* V2a the second clock, V2b method */
};

static __attribute__((noinline)) uint32_t
method_unknown(struct v2 *v, uint64_t id, struct damage *damage, uint64_t offset)
{
	damage_add(damage, DAMAGE_UNKNOWN_METHOD, 1, offset);
	return trace_method_adopt(v->trace, id & ~(uint64_t)3);
}

/*
 * The rest of a block makes no sense, or the file ends inside its last record.  `whole`:
 * its numbers can be read, and are no times.
 */
static void
block_leave(struct v2 *v, struct cursor *at, bool whole, struct damage *damage)
{
	uint64_t end = at->state[STATE_END];
	bool cut = !whole && end == v->source.end && end - at->offset < 3 * LEB_MAX;

	damage_add(
	    damage, cut ? DAMAGE_PARTIAL_RECORD : DAMAGE_UNREADABLE_DATA, 1, at->offset);
	at->offset = end;
}

/*
 * Records from the cursor to the end of its block.  One loop for all forms, of which the
 * compiler makes one for each of the callers below; `usual`: two clocks in nanoseconds.
 */
static inline __attribute__((always_inline)) void
block_decode(struct v2 *v, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage, bool exits_named, bool usual)
{
	const uint8_t *bytes = v->in.data.bytes;
	const uint8_t *p = bytes + at->offset, *end = bytes + at->state[STATE_END];
	const uint8_t *begin = bytes + b->offset;
	uint32_t thread = (uint32_t)at->state[STATE_THREAD];
	bool listed = trace_thread(v->trace, thread)->listed;
	/* Of its own, so that it is seen not to change meanwhile. */
	struct v2_coding coding = v->coding;
	const struct idmap methods = v->trace->method_ids;
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
	const uint8_t *bytes = v->in.data.bytes;

	while (at->offset < v->source.end) {
		struct v2_packet k;
		enum v2_fit fit =
		    v2_packet_read(&k, bytes + at->offset, v->source.end - at->offset);

		if (k.tag != V2_BLOCK || k.body.p == NULL || fit == V2_BAD) {
			at->offset += k.size;
			continue;
		}
		at->offset = (uint64_t)((const uint8_t *)k.body.p - bytes);
		*at = (struct cursor){.offset = at->offset};
		at->state[STATE_END] = at->offset + k.body.n;
		at->state[STATE_THREAD] = idmap_get(&v->trace->thread_ids, k.id);
		if (at->state[STATE_THREAD] == IDMAP_NONE)
			at->state[STATE_THREAD] =
			    trace_thread_adopt(v->trace, (uint32_t)k.id);
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
	if (at->offset >= at->state[STATE_END] && !packet_enter(v, at))
		return;
	b->offset = at->offset;
	block_read(v, at, b, max, damage);
}

static uint64_t
v2_left(struct source *s, bool ask)
{
	return filemap_left(&((struct v2 *)s)->in.data, ask);
}

static void
v2_behind(struct source *s, uint64_t from, uint64_t to)
{
	filemap_behind(&((struct v2 *)s)->in.data, from, to);
}

static bool
v2_cached(struct source *s)
{
	return filemap_cached(&((struct v2 *)s)->in.data, s->begin, s->end);
}

static void
v2_free(struct source *s)
{
	struct v2 *v = (struct v2 *)s;

	input_close(&v->in);
	mem_free(v);
}

const struct source_ops v2_ops = {
    .read = v2_read,
    .behind = v2_behind,
    .left = v2_left,
    .cached = v2_cached,
    .free = v2_free,
};
