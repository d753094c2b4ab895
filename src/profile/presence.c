#include <config.h>

#include "profile/presence.h"

#include "base/mem.h"
#include "profile/checkpoint.h"

enum {
	STRETCHES = 1024,
	STRETCH_MIN = 4096, /* bytes of the file */
	BITS_MIN = 1024,
	BITS_MAX = 32768,
};

struct stretch_seen {
	nsec first, last;
	uint64_t *bits; /* NULL: nothing was entered */
	bool any;
};

struct presence {
	const struct profile *profile;
	uint64_t begin, size, reached; /* file offsets */
	uint32_t bit_count; /* of each stretch, a power of two */
	size_t count;
	struct stretch_seen seen[];
};

struct presence *
presence_new(const struct profile *p)
{
	const struct source *s = p->trace->source;
	uint64_t begin = s->begin, size = (s->end - s->begin) / STRETCHES + 1;
	struct presence *out;
	size_t count;

	if (size < STRETCH_MIN)
		size = STRETCH_MIN;
	/* So that no run of a thread's records (partition.h) is in two of them. */
	if (source_in_place(s)) {
		uint64_t batch = (uint64_t)BATCH_EVENTS * s->layout.size;

		begin = s->first.offset;
		size = (size + batch - 1) / batch * batch;
	}
	count = (size_t)((s->end - s->begin) / size + 1);
	out = mem_zero(1, sizeof(*out) + count * sizeof(out->seen[0]));
	out->profile = p;
	out->begin = out->reached = begin;
	out->size = size;
	out->count = count;
	out->bit_count = BITS_MIN;
	while (out->bit_count < BITS_MAX && out->bit_count < trace_method_count(p->trace))
		out->bit_count *= 2;
	return out;
}

void
presence_free(struct presence *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->seen[i].bits);
	mem_free(p);
}

size_t
presence_count(const struct presence *p)
{
	return p->count;
}

uint64_t
presence_end(const struct presence *p, size_t number)
{
	return p->begin + (number + 1) * p->size;
}

size_t
presence_at(const struct presence *p, uint64_t offset)
{
	size_t number = offset > p->begin ? (size_t)((offset - p->begin) / p->size) : 0;

	return number < p->count ? number : p->count - 1;
}

static void
stretch_met(struct stretch_seen *s, nsec at)
{
	if (!s->any || at < s->first)
		s->first = at;
	if (!s->any || at > s->last)
		s->last = at;
	s->any = true;
}

static struct entered
stretch_entered(const struct presence *p, struct stretch_seen *s)
{
	if (s->bits == NULL)
		s->bits = mem_zero(p->bit_count / 64, sizeof(*s->bits));
	return (struct entered){s->bits, p->bit_count - 1};
}

struct entered
presence_run(struct presence *p, size_t number, nsec first)
{
	stretch_met(&p->seen[number], first);
	return stretch_entered(p, &p->seen[number]);
}

void
presence_run_end(struct presence *p, size_t number, nsec last)
{
	stretch_met(&p->seen[number], last);
}

static void
stretch_take(const struct presence *p, struct stretch_seen *into, struct stretch_seen *more)
{
	if (!more->any)
		return;
	stretch_met(into, more->first);
	stretch_met(into, more->last);
	if (into->bits == NULL) {
		into->bits = more->bits;
		more->bits = NULL;
	}
	for (uint32_t i = 0; more->bits != NULL && i < p->bit_count / 64; i++)
		into->bits[i] |= more->bits[i];
	mem_free(more->bits);
	*more = (struct stretch_seen){0};
}

void
presence_take(struct presence *p, struct presence *more, uint64_t from, uint64_t to)
{
	for (size_t i = presence_at(p, from); i < p->count && from < to; i++) {
		stretch_take(p, &p->seen[i], &more->seen[i]);
		from = presence_end(p, i);
	}
}

void
presence_reach(struct presence *p, uint64_t offset)
{
	p->reached = offset;
}

struct stretch
presence_of(const struct presence *p, size_t number, uint32_t method)
{
	const struct stretch_seen *s = &p->seen[number];
	struct stretch out = {.begin = p->begin + number * p->size, .first = s->first,
	    .last = s->last, .empty = !s->any};
	uint32_t bit = method & (p->bit_count - 1);

	out.end = presence_end(p, number);
	out.known = out.end <= p->reached || p->reached >= p->profile->trace->source->end;
	out.may = s->bits != NULL && (s->bits[bit / 64] >> bit % 64 & 1) != 0;
	out.does = out.may && trace_method_count(p->profile->trace) <= p->bit_count;
	return out;
}

size_t
presence_part(const struct presence *p, size_t part, size_t *end)
{
	uint64_t behind = replay_part_end(p->profile, part);
	size_t first = presence_at(p, p->profile->checkpoints[part].at.offset);

	*end = behind > 0 ? presence_at(p, behind - 1) + 1 : first + 1;
	return first;
}

bool
presence_may(const struct presence *p, size_t part, uint32_t method)
{
	size_t end;

	for (size_t i = presence_part(p, part, &end); i < end; i++) {
		struct stretch s = presence_of(p, i, method);

		if (!s.known || s.may)
			return true;
	}
	return false;
}
