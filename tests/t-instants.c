// SPDX-License-Identifier: Apache-2.0
/*
 * Markers of a moment in text logs: cells of their rows and what is around a time, compared
 * with a plain look at all of them.
 */
#include <config.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "opened-log.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/tracks.h"
#include "tap/tap.h"

#define MARK(us, tid, what)                                                               \
	"t" #tid "-" #tid " (1) [000] .... 10." us ": tracing_mark_write: " what "\n"

/* Thread 1 has a slice and three moments, of which two at once; thread 2 one without slices. */
static const char text[] = "# tracer: nop\n"
    MARK("000010", 1, "B|1|outer") MARK("000020", 1, "I|1|resume")
    MARK("000030", 2, "I|1|tick") MARK("000040", 1, "N|1|Frames|jank")
    MARK("000050", 1, "I|1|pause") MARK("000050", 1, "I|1|stop") MARK("000100", 1, "E|1");

static nsec
at_us(int us)
{
	return (nsec)us * 1000;
}

static void
point_is(const struct opened *o, const struct track *t, int us, const char *want)
{
	struct track_point at;
	char got[200];

	track_point_find(o->p, t, at_us(us), &at, NULL);
	snprintf(got, sizeof(got), "%.*s %.*s",
	    STR_ARG(at.near.has_last ? at.near.last_detail.name : STR("-")),
	    STR_ARG(at.near.has_next ? at.near.next_detail.name : STR("-")));
	is_str(got, want, "at %d us", us);
	ok(at.known, "is known");
}

static void
points_check(void)
{
	struct opened o = open_text(text);
	struct track one = {TRACK_INSTANTS, thread_of(&o, "t1"), 1};
	struct track process = {TRACK_POINTS, 1, 0};
	struct track_point at;

	/* Times are since the first line. */
	point_is(&o, &one, 0, "- resume");
	point_is(&o, &one, 10, "resume pause");
	point_is(&o, &one, 39, "resume pause");
	point_is(&o, &one, 40, "stop -");
	point_is(&o, &process, 29, "- jank");
	point_is(&o, &process, 90, "jank -");
	track_point_find(o.p, &one, at_us(60), &at, NULL);
	is_int(at.near.earlier, at_us(10), "the one before two at one time");
	track_point_find(o.p, &one, at_us(10), &at, NULL);
	ok(at.near.earlier == INSTANTS_NONE, "none before the first");
	track_point_find(o.p, &(struct track){TRACK_POINTS, 0, 0}, at_us(50), &at, NULL);
	ok(!at.known, "another process has none");
	done(&o);
}

/* Many of three threads and two processes. */
enum { MANY = 20000, CELLS = 37 };

static char *
many_log(void)
{
	char *log = mem_alloc((size_t)MANY * 90);
	size_t n = (size_t)sprintf(log, "# tracer: nop\n");
	unsigned at = 0, seed = 1;

	for (int i = 0; i < MANY; i++) {
		seed = seed * 1103515245u + 12345u;
		at += seed >> 16 & 31;
		n += (size_t)sprintf(log + n,
		    "t-%u (9) [000] .... %u.%06u: tracing_mark_write: %s%u|%sm%d\n",
		    10 + (seed >> 22 & 3) % 3, 10 + at / 1000000, at % 1000000,
		    seed >> 24 & 1 ? "N|" : "I|", 100 + (seed >> 25 & 1),
		    seed >> 24 & 1 ? "stack|" : "", i);
	}
	return log;
}

static bool
is_of(const struct log_instant *i, const struct track *t)
{
	return t->kind == TRACK_INSTANTS
	    ? i->thread == t->index
	    : i->thread == THREAD_NONE && i->process == t->index;
}

static int
differ(const struct opened *o, const struct track *t, const struct raster *g)
{
	const struct spool *all = &o->p->trace->log->instants;
	struct track_cell cells[CELLS];
	int wrong = !tracks_draw(o->p, g->from, g->to, CELLS, t, 1, cells, NULL, NULL);

	for (uint32_t c = 0; c < CELLS; c++) {
		nsec from = raster_edge(g, c), to = raster_edge(g, c + 1);
		int parts = 0;
		nsec last = INSTANTS_NONE, next = INT64_MAX;
		struct track_point at;

		for (uint64_t n = 0; n < all->count; n++) {
			const struct log_instant *i = spool_peek(all, n);

			if (!is_of(i, t))
				continue;
			parts += i->at >= from && i->at < to;
			if (i->at <= from)
				last = i->at;
			else if (i->at < next)
				next = i->at;
		}
		wrong += cells[c].parts != (parts < UINT8_MAX ? parts : UINT8_MAX) ||
		    (cells[c].what == TRACK_NOTHING) != (parts == 0);
		track_point_find(o->p, t, from, &at, NULL);
		wrong += (at.near.has_last ? at.near.last : INSTANTS_NONE) != last ||
		    (at.near.has_next ? at.near.next : INT64_MAX) != next;
	}
	return wrong;
}

static void
many_check(void)
{
	char *log = many_log();
	struct opened o = open_text(log);
	nsec end = o.p->trace->log->end;

	is_int((int64_t)o.p->trace->log->instants.count, MANY, "all are there");
	for (int row = 0; row < 5; row++) {
		struct track t = {TRACK_INSTANTS, (uint32_t)row, 1};
		struct raster whole = {0, end, CELLS};
		struct raster part = {end / 2, end / 2 + at_us(200), CELLS};

		if (row >= 3)
			t = (struct track){TRACK_POINTS, (uint32_t)row - 2, 0};
		is_int(differ(&o, &t, &whole), 0, "row %d, the whole log", row);
		is_int(differ(&o, &t, &part), 0, "row %d, a part", row);
	}
	done(&o);
	mem_free(log);
}

/* On the timeline ------------------------------------------------------------------ */

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	points_check();
	many_check();
	return tap_done();
}
