#include <config.h>

#include "profile/overview.h"

#include "base/mem.h"
#include "profile/overview_fill.h"
#include "profile/presence.h"
#include "profile/waypoint.h"

enum {
	BUCKETS = 262144,                 /* to begin with, when the length is known */
	POINT_EVERY = 8192,               /* records; some tenths of a millisecond */
	POINT_BYTES = 8 * 1024 * 1024,    /* of waypoints, beside the spans */
};

#define BUCKET_MIN ((nsec)1000) /* narrower ones are never drawn from here */
#define WIDTH_MAX  ((nsec)1 << 29) /* the raster must not overflow */

static void
grid_set(struct overview *o, nsec width)
{
	/* Far more columns than can be: the raster has no end that times could cross. */
	o->width = width;
	o->raster.columns = UINT32_MAX - 1;
	o->raster.to = o->raster.from + width * (nsec)o->raster.columns;
}

struct overview *
overview_new(const struct profile *p, size_t bytes)
{
	struct overview *o = mem_zero(1, sizeof(*o));
	nsec length = p->trace->elapsed > 0 ? p->trace->elapsed : p->trace->expected;
	nsec width = (length > p->end ? length : p->end) / BUCKETS;

	o->profile = p;
	o->bytes_max = bytes;
	o->raster.from = 0;
	grid_set(o, width < BUCKET_MIN ? BUCKET_MIN : width > WIDTH_MAX ? WIDTH_MAX : width);
	return o;
}

/* Everything that was taken in. */
static void
taken_release(struct overview *o)
{
	overview_comb_end(o);
	if (o->replay != NULL)
		replay_free(o->replay);
	for (uint32_t i = 0; i < o->lane_count; i++) {
		if (o->lanes[i] == NULL)
			continue;
		strip_release(&o->lanes[i]->strip);
		mem_free(o->lanes[i]->spans);
		mem_free(o->lanes[i]);
	}
	presence_free(o->presence);
	waypoints_free(o->points);
	o->replay = NULL;
	o->presence = NULL;
	o->points = NULL;
	o->lane_count = 0;
	o->bytes = 0;
}

void
overview_free(struct overview *o)
{
	if (o == NULL)
		return;
	taken_release(o);
	mem_free(o->lanes);
	mem_free(o);
}

static uint16_t
share_of(nsec part, nsec width)
{
	return part >= width ? BLEND_FULL
			     : (uint16_t)((double)part / (double)width * BLEND_FULL);
}

static void
span_append(struct lane_spans *l, struct span span)
{
	struct span *last = l->count > 0 ? &l->spans[l->count - 1] : NULL;

	if (last != NULL && last->start + last->count == span.start &&
	    last->method == span.method && last->blend.run == span.blend.run &&
	    last->blend.ran == span.blend.ran && last->blend.busy == span.blend.busy &&
	    last->blend.asleep == span.blend.asleep) {
		last->count += span.count;
		return;
	}
	MEM_GROW(l->spans, l->room, l->count + 1);
	l->spans[l->count++] = span;
	*l->bytes += sizeof(span);
}

static void
buckets_close(void *context, uint32_t column, uint32_t count, const struct cell_sum *sum)
{
	struct lane_spans *l = context;
	nsec width = l->overview->width;

	span_append(l, (struct span){column, count, sum->method,
			   {share_of(sum->run, width), share_of(sum->ran, width),
			       share_of(sum->busy, width), share_of(sum->asleep, width)}});
}

static void
bucket_close(void *context, uint32_t column, const struct cell_sum *sum)
{
	buckets_close(context, column, 1, sum);
}

/* Two neighbouring buckets, either of which may be empty, as one of double width. */
static struct span
bucket_join(const struct span *a, const struct span *b, uint32_t start)
{
	const struct blend *x = &a->blend, *y = &b->blend;
	bool other = a->method == METHOD_NONE || y->run > x->run ||
	    (x->run == 0 && y->run == 0 && y->asleep > x->asleep);
	uint16_t run = a->method == b->method ? (uint16_t)((x->run + y->run) / 2)
	    : other			      ? y->run / 2
					      : x->run / 2;

	return (struct span){start, 1, other ? b->method : a->method,
	    {run, (uint16_t)((x->ran + y->ran) / 2), (uint16_t)((x->busy + y->busy) / 2),
		(uint16_t)((x->asleep + y->asleep) / 2)}};
}

/* Rewrites a thread's spans in place for buckets of double width. */
static void
spans_halve(struct lane_spans *l)
{
	static const struct span none = {.method = METHOD_NONE};
	struct span *old = l->spans, held = none;
	size_t old_count = l->count;

	l->spans = NULL;
	l->count = l->room = 0;
	for (size_t i = 0; i < old_count; i++) {
		struct span s = old[i];

		if (held.method != METHOD_NONE) {
			/* The first half of a pair waits; its other half is this or empty. */
			bool other = s.start == held.start + 1;

			span_append(l, bucket_join(&held, other ? &s : &none, held.start / 2));
			held = none;
			if (other) {
				s.start++;
				s.count--;
			}
		}
		if (s.count > 0 && s.start % 2 == 1) {
			span_append(l, bucket_join(&none, &s, s.start / 2));
			s.start++;
			s.count--;
		}
		if (s.count > 1) {
			struct span pairs = s;

			pairs.start /= 2;
			pairs.count /= 2;
			span_append(l, pairs);
		}
		if (s.count % 2 == 1) {
			held = s;
			held.start += s.count - 1;
			held.count = 1;
		}
	}
	if (held.method != METHOD_NONE)
		span_append(l, bucket_join(&held, &none, held.start / 2));
	mem_free(old);
}

static void
strips_flush(struct overview *o)
{
	for (uint32_t i = 0; i < o->lane_count; i++) {
		if (o->lanes[i] != NULL)
			strip_flush(&o->lanes[i]->strip);
	}
}

static void
overview_halve(struct overview *o)
{
	strips_flush(o);
	o->bytes = 0;
	for (uint32_t i = 0; i < o->lane_count; i++) {
		if (o->lanes[i] != NULL)
			spans_halve(o->lanes[i]);
	}
	grid_set(o, o->width * 2);
	for (uint32_t i = 0; i < o->lane_count; i++) {
		struct strip *strip = o->lanes[i] != NULL ? &o->lanes[i]->strip : NULL;

		if (strip == NULL)
			continue;
		strip_even(strip, o->width, buckets_close);
		strip_reopen(strip, strip->column / 2);
	}
}

struct lane_spans *
overview_lane(struct overview *o, uint32_t thread)
{
	struct lane_spans *l;

	MEM_GROW(o->lanes, o->lane_room, (size_t)thread + 1);
	for (; o->lane_count <= thread; o->lane_count++)
		o->lanes[o->lane_count] = NULL;
	l = o->lanes[thread];
	if (l == NULL) {
		l = o->lanes[thread] = mem_zero(1, sizeof(*l));
		l->overview = o;
		l->bytes = &o->bytes;
		strip_init(&l->strip, o->profile->trace, &o->raster, bucket_close, l);
		strip_even(&l->strip, o->width, buckets_close);
	}
	return l;
}

static bool
take_step(void *context, const struct step *step)
{
	struct overview *o = context;

	strip_step(&overview_lane(o, step->thread)->strip, o->profile, step);
	presence_step(o->presence, step);
	return true;
}

/* What it fills on the way is made with the first records. */
static void
replay_begin(struct overview *o)
{
	o->replay = replay_new(o->profile, NULL, NULL);
	o->presence = presence_new(o->profile);
	o->points = waypoints_new(o->profile, POINT_EVERY, POINT_BYTES);
	replay_fills(o->replay, o->points);
}

/* What was taken in by either way. */
static void
records_taken(struct overview *o)
{
	presence_reach(o->presence, replay_place(o->replay));
	while (o->bytes > o->bytes_max && o->width < WIDTH_MAX)
		overview_halve(o);
}

bool
overview_steps(struct overview *o, uint64_t max_records)
{
	if (o->replay == NULL)
		replay_begin(o);
	if (!replay_follow(o->replay, max_records, take_step, o))
		return false;
	records_taken(o);
	return true;
}

bool
overview_advance(struct overview *o, uint64_t max_records)
{
	enum comb_end end = COMB_NEVER;
	bool more;

	if (o->replay == NULL)
		replay_begin(o);
	if (!o->by_steps)
		end = overview_comb(o, max_records);
	o->by_steps |= end == COMB_NEVER || end == COMB_TORN;
	if (end == COMB_TORN)
		taken_release(o);
	else if (o->by_steps)
		overview_comb_end(o);
	more = o->by_steps ? overview_steps(o, max_records) : end == COMB_DONE;
	if (end == COMB_DONE)
		records_taken(o);
	/* What is still open is all there will be of it. */
	if (!more && o->profile->state != LOAD_MORE) {
		overview_comb_end(o);
		strips_flush(o);
	}
	return more;
}

const struct presence *
overview_presence(const struct overview *o)
{
	return o->presence;
}

const struct waypoints *
overview_waypoints(const struct overview *o)
{
	return o->replay != NULL && replay_place(o->replay) == o->profile->at.offset ? o->points
										     : NULL;
}

nsec
overview_bucket(const struct overview *o)
{
	return o->width;
}

/* The first span of a thread that ends behind a time. */
static size_t
span_at(const struct overview *o, const struct lane_spans *l, nsec at)
{
	uint32_t first = at > 0 ? (uint32_t)(at / o->width) : 0;
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->spans[middle].start + l->spans[middle].count <= first)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t
overview_spans(const struct overview *o, nsec from, nsec to)
{
	uint64_t spans = 0;

	for (uint32_t t = 0; t < o->lane_count; t++) {
		if (o->lanes[t] != NULL)
			spans += span_at(o, o->lanes[t], to) - span_at(o, o->lanes[t], from);
	}
	return spans;
}

void
overview_draw(const struct overview *o, uint32_t thread, const struct raster *raster,
    struct strip *strip)
{
	const struct lane_spans *l = thread < o->lane_count ? o->lanes[thread] : NULL;

	if (l == NULL)
		return;
	for (size_t i = span_at(o, l, raster->from); i < l->count; i++) {
		const struct span *s = &l->spans[i];
		nsec from = (nsec)s->start * o->width, to = from + (nsec)s->count * o->width;

		if (from >= raster->to)
			break;
		strip_blend(strip, s->method, from, to, &s->blend);
	}
}
