#include <config.h>

#include "profile/load/sampling.h"

#include <stdlib.h>

#include "base/mem.h"

enum {
	RECORDS_LEAST = 32, /* fewer say nothing */
	GAPS_KEPT = 4096,
	EQUAL_PERCENT = 60, /* of the records */
	SHORT_PERCENT = 5,  /* of the gaps */
	LOW_PERCENT = 20,   /* gaps of the estimate: others span several samples */
};

#define GAP_SHORT ((nsec)100000)

struct last {
	bool seen;
	uint64_t time[CLOCKS];
};

struct sampling {
	struct last *last; /* by thread */
	size_t count, room;
	uint64_t records, equal, gaps, gaps_short;
	bool unrolls;
	nsec kept[GAPS_KEPT]; /* the first gaps */
};

struct sampling *
sampling_new(void)
{
	return mem_zero(1, sizeof(struct sampling));
}

void
sampling_free(struct sampling *s)
{
	if (s == NULL)
		return;
	mem_free(s->last);
	mem_free(s);
}

static struct last *
last_of(struct sampling *s, uint32_t thread)
{
	MEM_GROW(s->last, s->room, (size_t)thread + 1);
	while (s->count < s->room)
		s->last[s->count++] = (struct last){.seen = false};
	return &s->last[thread];
}

static void
event_watch(struct sampling *s, const struct event *ev)
{
	struct last *last = last_of(s, ev->thread);
	/* The clock of a trace with one is 0 on the other. */
	nsec cpu = (nsec)(ev->time[CLOCK_CPU] - last->time[CLOCK_CPU]);
	nsec wall = (nsec)(ev->time[CLOCK_WALL] - last->time[CLOCK_WALL]);
	nsec gap = ev->time[CLOCK_WALL] != 0 ? wall : cpu;

	s->records++;
	s->unrolls |= event_action(ev) == ACTION_UNROLL;
	if (last->seen && cpu == 0 && wall == 0) {
		s->equal++;
	} else if (last->seen && gap > 0) {
		s->gaps_short += gap < GAP_SHORT;
		if (s->gaps < GAPS_KEPT)
			s->kept[s->gaps] = gap;
		s->gaps++;
	}
	last->seen = true;
	last->time[CLOCK_CPU] = ev->time[CLOCK_CPU];
	last->time[CLOCK_WALL] = ev->time[CLOCK_WALL];
}

bool
sampling_watch(struct sampling *s, const struct batch *b)
{
	for (uint32_t i = 0; i < b->count && s->records < SAMPLING_RECORDS; i++)
		event_watch(s, &b->ev[i]);
	return s->records < SAMPLING_RECORDS;
}

static int
gap_order(const void *left, const void *right)
{
	const nsec *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

struct sampled
sampling_judge(struct sampling *s)
{
	size_t kept = s->gaps < GAPS_KEPT ? s->gaps : GAPS_KEPT;
	size_t low = (kept * LOW_PERCENT + 99) / 100;
	struct sampled result = {0};

	if (s->unrolls || s->records < RECORDS_LEAST ||
	    s->equal * 100 <= s->records * EQUAL_PERCENT ||
	    s->gaps_short * 100 > s->gaps * SHORT_PERCENT)
		return result;
	result.yes = true;
	qsort(s->kept, kept, sizeof(*s->kept), gap_order);
	for (size_t i = 0; i < low; i++)
		result.interval += s->kept[i] / (nsec)low;
	return result;
}
