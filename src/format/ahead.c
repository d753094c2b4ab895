#include <config.h>

#include "format/ahead.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/packet.h"
#include "trace/event.h"

uint32_t
stream_run(const struct stream *s, uint64_t offset, uint32_t max)
{
	uint64_t left = (s->end - offset) / s->record;
	const uint8_t *p = s->bytes + offset;
	uint32_t n = 0;

	if (left < max)
		max = (uint32_t)left;
	for (; n < max && get_u16(p) != 0; n++)
		p += s->record;
	return n;
}

/* Behind the batch or packet that begins at an offset; the offset itself when neither does. */
static uint64_t
piece_end(const struct stream *s, uint64_t offset)
{
	uint64_t size = (uint64_t)stream_run(s, offset, BATCH_EVENTS) * s->record;
	struct packet k;

	if (size == 0 && s->end - offset >= 2 && get_u16(s->bytes + offset) == 0 &&
	    packet_read(&k, s->bytes + offset, s->end - offset) == PACKET_WHOLE)
		size = k.size;
	return offset + size;
}

/* The first mark behind an offset. */
static size_t
mark_behind(const struct ahead *a, uint64_t offset)
{
	size_t low = a->first, high = a->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (a->marks[middle] <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t
ahead_look(struct ahead *a, const struct stream *s, uint64_t from, uint64_t to)
{
	size_t behind;

	/* Somebody read on without looking ahead. */
	if (a->reached < from || a->first == a->count || a->marks[a->first] > from) {
		a->first = a->count = 0;
		a->reached = from;
	}
	while (a->reached < to) {
		uint64_t end = piece_end(s, a->reached);

		if (end == a->reached)
			break;
		MEM_GROW(a->marks, a->room, a->count + 1);
		a->marks[a->count++] = a->reached;
		a->reached = end;
	}
	if (a->reached <= to)
		return a->reached;
	behind = mark_behind(a, to);
	return behind > a->first && a->marks[behind - 1] > from ? a->marks[behind - 1] : from;
}

uint64_t
ahead_batch(const struct ahead *a, const struct stream *s, uint64_t offset)
{
	size_t at = mark_behind(a, offset);

	if (at > a->first)
		at--;
	while (at + 1 < a->count && get_u16(s->bytes + a->marks[at]) == 0)
		at++;
	return at < a->count ? a->marks[at] : offset;
}

void
ahead_drop(struct ahead *a, uint64_t offset)
{
	while (a->first < a->count && a->marks[a->first] < offset)
		a->first++;
	if (a->first < a->count / 2)
		return;
	memmove(a->marks, a->marks + a->first, (a->count - a->first) * sizeof(*a->marks));
	a->count -= a->first;
	a->first = 0;
}

void
ahead_release(struct ahead *a)
{
	mem_free(a->marks);
	*a = (struct ahead){0};
}
