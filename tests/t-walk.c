// SPDX-License-Identifier: Apache-2.0
/*
 * walk: rules of stacks and clocks where they are hard to keep: very deep stacks, exits
 * that look for their entry again and again, threads that start after the clock wrapped.
 */
#include <config.h>

#include "format/format.h"
#include "profile/load/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap/tap.h"

enum { DEEP = 100000, ASKED = 400000, METHODS = 1000 };

/* A version 2 file with wall clock, as it grows. */
struct file {
	uint8_t *bytes;
	size_t size;
};

static struct file
file_new(size_t records)
{
	static const char text[] = "*version\n2\nclock=wall\n*threads\n*methods\n*end\n";
	struct file f = {malloc(sizeof(text) + 16 + records * 10), sizeof(text) - 1};

	memcpy(f.bytes, text, f.size);
	memcpy(f.bytes + f.size, "SLOW\2\0\20\0\0\0\0\0\0\0\0\0", 16);
	f.size += 16;
	return f;
}

static void
record(struct file *f, unsigned thread, uint32_t method, enum action action, uint32_t us)
{
	uint8_t *p = f->bytes + f->size;
	uint32_t word = method << 2 | action;

	p[0] = (uint8_t)thread;
	p[1] = (uint8_t)(thread >> 8);
	for (int i = 0; i < 4; i++) {
		p[2 + i] = (uint8_t)(word >> 8 * i);
		p[6 + i] = (uint8_t)(us >> 8 * i);
	}
	f->size += 10;
}

static struct profile *
load(struct trace **t, const struct file *f)
{
	struct err e = {0};
	struct profile *p;

	*t = format_open_memory(f->bytes, f->size, "made", &e);
	p = profile_new(*t);
	while (profile_load(p, 100000, &e) == LOAD_MORE) {
	}
	return p;
}

static void
unload(struct trace *t, struct profile *p, struct file *f)
{
	profile_free(p);
	trace_free(t);
	free(f->bytes);
}

/* Were every exit to look at every frame, this would take minutes; it is ended before. */
static void
deep_stack(void)
{
	struct file f = file_new(DEEP + ASKED + 2);
	struct trace *t;
	struct profile *p;

	record(&f, 1, METHODS, ACTION_ENTER, 0);
	for (uint32_t i = 1; i < DEEP; i++)
		record(&f, 1, i % METHODS, ACTION_ENTER, i);
	for (uint32_t i = 0; i < ASKED; i++)
		record(&f, 1, METHODS + 1 + i % METHODS, ACTION_EXIT, DEEP);
	record(&f, 1, METHODS, ACTION_EXIT, DEEP + 1);
	alarm(60);
	p = load(&t, &f);
	alarm(0);
	is_int((int64_t)p->damage.kind[DAMAGE_UNMATCHED_EXIT].count, ASKED,
	    "exits of what is not open");
	is_int((int64_t)p->damage.kind[DAMAGE_LOST_EXIT].count, DEEP - 1,
	    "an exit finds its frame at the bottom");
	is_int((int64_t)p->damage.kind[DAMAGE_UNFINISHED_CALL].count, 0, "nothing is open then");
	unload(t, p, &f);
}

/* The same question on stacks that change in between, on two threads. */
static void
changing_stack(void)
{
	enum { BASE = 200, TURNS = 50 };
	struct file f = file_new(2 * (BASE + TURNS * (2 * TURNS + 2) + 1));
	struct trace *t;
	struct profile *p;
	int64_t stray = 0;

	for (uint32_t i = 0; i < BASE; i++) {
		record(&f, 1, i, ACTION_ENTER, 0);
		record(&f, 2, BASE + i, ACTION_ENTER, 0);
	}
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		for (unsigned thread = 1; thread <= 2; thread++) {
			uint32_t own = thread == 1 ? 0 : BASE, other = BASE - own;

			/* Leaves its innermost frames, then calls some of the other's. */
			for (uint32_t i = 0; i < turn; i++)
				record(&f, thread, turn % 2 == 0 ? own + BASE - 1 - i : other + i,
				    turn % 2 == 0 ? ACTION_EXIT : ACTION_ENTER, turn);
			record(&f, thread, 2 * BASE + turn, ACTION_EXIT, turn);
			stray++;
			/* Back to the base by an exit that skips frames. */
			if (turn % 2 == 0)
				for (uint32_t i = turn; i-- > 0;)
					record(&f, thread, own + BASE - 1 - i, ACTION_ENTER, turn);
			else if (turn > 0)
				record(&f, thread, other, ACTION_EXIT, turn);
		}
	}
	record(&f, 1, 0, ACTION_EXIT, TURNS);
	record(&f, 2, BASE, ACTION_EXIT, TURNS);
	p = load(&t, &f);
	is_int((int64_t)p->damage.kind[DAMAGE_UNMATCHED_EXIT].count, stray, "turns: strays");
	is_int((int64_t)p->damage.kind[DAMAGE_LOST_EXIT].count,
	    2 * (BASE - 1) + 2 * (TURNS / 2) * (TURNS / 2 - 1), "turns: lost exits");
	is_int((int64_t)p->damage.kind[DAMAGE_UNFINISHED_CALL].count, 0, "turns: all is left");
	unload(t, p, &f);
}

/* Threads are moved to where the others are when they start, also within one batch. */
static void
late_threads(unsigned threads)
{
	struct file f = file_new(2 * threads + 4);
	struct trace *t;
	struct profile *p;
	const nsec wrap = ((nsec)1 << 32) * 1000;
	int wrong = 0;

	for (unsigned i = 1; i <= threads; i++)
		record(&f, i, 1, ACTION_ENTER, i);
	record(&f, 1, 1, ACTION_EXIT, 0xf0000000u);
	record(&f, threads + 1, 1, ACTION_ENTER, 0xf0000001u);
	record(&f, 1, 1, ACTION_ENTER, 5);
	for (unsigned i = 0; i < threads; i++)
		record(&f, threads + 2 + i, 1, ACTION_ENTER, 6 + i);
	p = load(&t, &f);
	is_int((int64_t)p->stack_count, 2 * (int64_t)threads + 1, "%u threads", p->stack_count);
	for (uint32_t i = 0; i < p->stack_count; i++) {
		nsec first = i <= threads ? 0 : wrap;

		first += (i < threads ? (nsec)i + 1
			: i == threads ? (nsec)0xf0000001u : (nsec)(6 + i - threads - 1)) * 1000;
		wrong += p->stacks[i].first[CLOCK_WALL] != first;
	}
	is_int(wrong, 0, "each starts when it did");
	is_int(p->begin, 1000, "the trace begins with the first");
	unload(t, p, &f);
}

/* Steps back and forth that would add up to more than 63 bits of nanoseconds. */
static void
back_and_forth(const char *name, uint32_t high)
{
	enum { TURNS = 4400000 };
	struct file f = file_new(2 * (size_t)TURNS);
	struct trace *t;
	struct profile *p;

	for (int i = 0; i < TURNS; i++) {
		record(&f, 1, 1, ACTION_ENTER, 0);
		record(&f, 1, 1, ACTION_EXIT, high);
	}
	p = load(&t, &f);
	ok(p->end > (nsec)16 * 3600 * 1000000000 && p->end < (nsec)24 * 3600 * 1000000000,
	    "%s: time ends after some hours", name);
	is_int(p->tree.nodes[p->stacks[0].root].time[CLOCK_WALL] +
	    p->tree.nodes[p->stacks[0].root + 1].time[CLOCK_WALL], p->end, "and adds up");
	unload(t, p, &f);
}

int
main(void)
{
	deep_stack();
	changing_stack();
	late_threads(3);
	late_threads(3000);
	back_and_forth("backward", 0x7fffffff);
	back_and_forth("wrapping", 0xffffffff);
	return tap_done();
}
