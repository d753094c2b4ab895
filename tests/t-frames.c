// SPDX-License-Identifier: Apache-2.0
/*
 * frames: SurfaceFlinger's timeline of Perfetto traces that are made packet by packet, and what
 * threads did for it; frames of text logs and when they were to end.
 */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "opened-log.h"
#include "profile/findings/findings.h"
#include "profile/timeline/jank.h"
#include "tap/tap.h"

/* Writing packets; times are in ms, as processes are of 666 and 777 ----------------- */

enum { EXPECTED_DISPLAY = 1, ACTUAL_DISPLAY, EXPECTED, ACTUAL, FRAME_END };
enum { APP = 666, OTHER = 777 };

static size_t
packet_begin(struct sbuf *out, double ms)
{
	size_t at = wire_begin(out, 1);

	wire_number(out, 8, (uint64_t)(ms * 1e6));
	wire_number(out, 10, 1);
	return at;
}

static void
frame_begin(struct sbuf *out, int kind, double ms, unsigned cookie, uint64_t token, unsigned pid,
    unsigned janks)
{
	size_t packet = packet_begin(out, ms), event = wire_begin(out, 76);
	size_t frame = wire_begin(out, (unsigned)kind);
	const bool display = kind <= ACTUAL_DISPLAY;

	wire_number(out, 1, cookie);
	wire_number(out, 2, token);
	wire_number(out, display ? 3 : 4, pid);
	if (!display)
		wire_number(out, 3, token + 1000);
	if (kind == ACTUAL || kind == ACTUAL_DISPLAY)
		wire_number(out, display ? 7 : 9, janks);
	wire_end(out, frame);
	wire_end(out, event);
	wire_end(out, packet);
}

static void
frame_end(struct sbuf *out, double ms, unsigned cookie)
{
	size_t packet = packet_begin(out, ms), event = wire_begin(out, 76);
	size_t frame = wire_begin(out, FRAME_END);

	wire_number(out, 1, cookie);
	wire_end(out, frame);
	wire_end(out, event);
	wire_end(out, packet);
}

/* One with its end; to < 0: it has none. */
static void
frame(struct sbuf *out, int kind, double from, double to, uint64_t token, unsigned janks)
{
	static unsigned cookie;

	frame_begin(out, kind, from, ++cookie, token, APP, janks);
	if (to >= 0)
		frame_end(out, to, cookie);
}

/* Late, on time, open, early, and of two layers. */
static void
example_write(struct sbuf *out)
{
	frame(out, EXPECTED, 10, 14, 7, 0);
	frame(out, EXPECTED, 10.5, 90, 7, 0); /* of another layer: the first stands */
	frame(out, ACTUAL, 11, 20, 7, 0x40);
	frame(out, EXPECTED, 30, 56, 8, 0);
	frame(out, ACTUAL, 30, 55, 8, 1);
	frame(out, EXPECTED, 60, 76, 9, 0);
	frame(out, ACTUAL, 60, -1, 9, 1);
	frame(out, EXPECTED, 900, 916, 10, 0);
	frame(out, ACTUAL, 900, 910, 10, 1);
	frame(out, ACTUAL, 920, 925, 11, 1);
	frame(out, ACTUAL, 921, 934, 11, 0x80);
}

/* The list ------------------------------------------------------------------------- */

static void
list_test(void)
{
	struct sbuf out = {0};
	struct opened o;
	const struct log *log;
	const struct log_frame *f;

	example_write(&out);
	frame(&out, ACTUAL_DISPLAY, 940, 950, 1011, 1);
	o = open_bytes(out.p, out.n);
	log = o.p->trace->log;
	is_int((int64_t)log->frames.count, 11, "frames, of expected ones the first of a token");
	f = spool_peek(&log->frames, 1);
	is_int(f->from, 1000000, "one begins");
	is_int(f->to, 10000000, "and ends");
	is_int(f->token, 7, "its token");
	is_int(f->shown_by, 1007, "that of the display's frame");
	is_int(f->janks, 0x40, "why it was late");
	is_int((int64_t)f->process, 1, "its process");
	ok(!f->expected && !f->display, "it came of a surface");
	f = spool_peek(&log->frames, 0);
	ok(f->expected && f->to == 4000000, "what was expected of it");
	f = spool_peek(&log->frames, 5);
	is_int(f->to, LOG_OPEN, "one that does not end");
	f = spool_peek(&log->frames, 10);
	ok(f->display && !f->expected && f->to == 940000000, "one of the display");
	done(&o);
	sbuf_release(&out);
}

static void
janks_test(void)
{
	static const struct {
		uint32_t janks;
		bool slow;
		const char *words;
	} all[] = {{0, false, ""}, {1, false, "None"}, {0x800, false, "Non Animating"},
	    {0x2000, false, "Display not ON"}, {0x4000, false, "ModeChange in progress"},
	    {0x8000, false, "PowerModeChange in progress"},
	    {0x840, true, "App Deadline Missed, Non Animating"},
	    {0x41, true, "None, App Deadline Missed"},
	    {0x10c0, true, "App Deadline Missed, App Resynced Jitter, Buffer Stuffing"}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct sbuf words = {0};

		log_janks_put(&words, all[i].janks);
		ok(str_equal(sbuf_view(&words), str_from(all[i].words)) &&
		    log_janks_slow(all[i].janks) == all[i].slow, "%#x: %.*s, %s", all[i].janks,
		    (int)words.n, words.n > 0 ? words.p : "", all[i].slow ? "slow" : "not slow");
		sbuf_release(&words);
	}
}

/* Rows ------------------------------------------------------------------------------- */

#define MS(ms) ((nsec)((ms) * 1e6))

/* A slice of a thread, whose track has the thread's id. */
static void
slice(struct sbuf *out, unsigned tid, double from, double to, const char *name)
{
	for (int end = 0; end < 2; end++) {
		size_t packet = packet_begin(out, end ? to : from), event = wire_begin(out, 11), text;

		wire_number(out, 9, end ? 2 : 1);
		wire_number(out, 11, tid);
		if (!end) {
			text = wire_begin(out, 23);
			sbuf_text(out, name);
			wire_end(out, text);
		}
		wire_end(out, event);
		wire_end(out, packet);
	}
}

static void
thread(struct sbuf *out, unsigned pid, unsigned tid)
{
	size_t packet = packet_begin(out, 0), track = wire_begin(out, 60), told;

	wire_number(out, 1, tid);
	told = wire_begin(out, 4);
	wire_number(out, 1, pid);
	wire_number(out, 2, tid);
	wire_end(out, told);
	wire_end(out, track);
	wire_end(out, packet);
}

static struct jank *
rows_of(struct opened *o, struct sbuf *out)
{
	struct jank_query q = {.range = RANGE_ALL};
	struct err e = {0};
	struct jank *j;

	*o = open_bytes(out->p, out->n);
	j = jank_find(o->p, &q, NULL, &e);
	sbuf_release(out); /* names of a text log point there */
	return j;
}

static void
rows_done(struct opened *o, struct jank *j)
{
	jank_free(j);
	done(o);
}

struct row {
	int64_t token;
	double start, dur; /* dur < 0: it is open */
	double over;       /* NONE: not known */
	uint32_t janks, layers;
	bool slow;
};
#define NONE 1e6

static void
rows_are(const struct jank *j, const struct row *rows, uint32_t count, nsec origin)
{
	is_int(j->count, count, "rows");
	for (uint32_t i = 0; i < count && i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];
		const struct row *r = &rows[i];
		nsec end = f->start + f->time[CLOCK_WALL];

		ok(f->token == r->token && f->start == MS(r->start) - origin && f->open == (r->dur < 0) &&
		    (f->open || f->time[CLOCK_WALL] == MS(r->dur)) && f->janks == r->janks &&
		    f->layers == r->layers && log_janks_slow(f->janks) == r->slow &&
		    (f->open || (r->over == NONE ? f->deadline == -1 : end - f->deadline == MS(r->over))),
		    "row %u: token %d from %lld, %lld long, due at %lld, %#x, %u layers", i,
		    (int)f->token, (long long)f->start, (long long)f->time[CLOCK_WALL],
		    (long long)f->deadline, f->janks, f->layers);
	}
}

static const struct row example[] = {
    {7, 11, 9, 6, 0x40, 1, true}, {8, 30, 25, -1, 1, 1, false}, {9, 60, -1, NONE, 1, 1, false},
    {10, 900, 10, -6, 1, 1, false}, {11, 920, 14, NONE, 0x80, 2, true}};

static void
rows_test(void)
{
	struct sbuf out = {0};
	struct opened o;
	struct jank *j;

	example_write(&out);
	j = rows_of(&o, &out);
	rows_are(j, example, 5, MS(10));
	rows_done(&o, j);
}

/* Packets in another order, ends before the beginnings of others. */
static void
order_test(void)
{
	static const struct {
		int kind;
		double at;
		unsigned cookie, token, janks;
	} packets[] = {{FRAME_END, 934, 1, 0, 0}, {FRAME_END, 20, 2, 0, 0}, {ACTUAL, 921, 1, 11, 0x80},
	    {EXPECTED, 900, 3, 10, 0}, {FRAME_END, 916, 3, 0, 0}, {ACTUAL, 11, 2, 7, 0x40},
	    {ACTUAL, 920, 4, 11, 1}, {FRAME_END, 14, 5, 0, 0}, {EXPECTED, 10, 5, 7, 0},
	    {FRAME_END, 925, 4, 0, 0}, {ACTUAL, 60, 6, 9, 1}, {EXPECTED, 60, 7, 9, 0},
	    {FRAME_END, 910, 8, 0, 0}, {FRAME_END, 55, 9, 0, 0}, {FRAME_END, 56, 10, 0, 0},
	    {EXPECTED, 30, 10, 8, 0}, {ACTUAL, 30, 9, 8, 1}, {ACTUAL, 900, 8, 10, 1},
	    {FRAME_END, 76, 7, 0, 0}};
	struct sbuf out = {0};
	struct opened o;
	struct jank *j;

	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		if (packets[i].kind == FRAME_END)
			frame_end(&out, packets[i].at, packets[i].cookie);
		else
			frame_begin(&out, packets[i].kind, packets[i].at, packets[i].cookie,
			    packets[i].token, APP, packets[i].janks);
	}
	j = rows_of(&o, &out);
	rows_are(j, example, 5, MS(10));
	rows_done(&o, j);
}

/* Two layers, of which one never ends. */
static void
open_test(void)
{
	static const struct row rows[] = {
	    {1, 10, -1, NONE, 1, 2, false}, {2, 40, -1, NONE, 0x40, 2, true}};
	struct sbuf out = {0};
	struct opened o;
	struct jank *j;

	for (unsigned token = 1; token <= 2; token++) {
		double at = token == 1 ? 10 : 40;

		frame(&out, EXPECTED, at, at + 16, token, 0);
		frame(&out, ACTUAL, at, at + 5, token, 1);
		frame(&out, ACTUAL, at + 1, -1, token, token == 1 ? 1 : 0x40);
	}
	j = rows_of(&o, &out);
	rows_are(j, rows, 2, MS(10));
	rows_done(&o, j);
}

/* doFrames and DrawFrames, by their tokens or else by time; and those of another process. */
static void
join_test(void)
{
	static const struct {
		enum jank_source source;
		int64_t token;
		double start, dur, ui, render; /* < 0: not known */
		unsigned tid;
		int drew;
	} rows[] = {{JANK_TIMELINE, 12, 10, 12, 5, 7, APP, 1},
	    {JANK_CHOREOGRAPHER, 0, 30, 8, 4, 3, APP, 1}, {JANK_CHOREOGRAPHER, 0, 50, 4, 4, -1, APP, 0},
	    {JANK_CHOREOGRAPHER, 12, 52, 2, 2, -1, OTHER, -1},
	    {JANK_CHOREOGRAPHER, 13, 70, 9, 3, 4, APP, 1}};
	struct sbuf out = {0};
	struct opened o;
	struct jank *j;

	thread(&out, APP, APP);
	thread(&out, APP, APP + 1);
	thread(&out, APP, APP + 2);
	thread(&out, OTHER, OTHER);
	frame(&out, EXPECTED, 10, 26, 12, 0);
	frame(&out, ACTUAL, 10, 22, 12, 1);
	slice(&out, APP, 11, 13, "Choreographer#doFrame 12");
	frame(&out, ACTUAL_DISPLAY, 100, 110, 1012, 1);
	slice(&out, APP, 14, 17, "Choreographer#doFrame 12 extra");
	slice(&out, APP, 14.5, 15, "Choreographer#doFrame - resynced to 13");
	slice(&out, APP + 1, 14, 18, "DrawFrames 12");
	slice(&out, APP + 2, 15, 18, "DrawFrame 12");
	slice(&out, APP, 30, 34, "Choreographer#doFrame -1");
	slice(&out, APP + 1, 35, 38, "DrawFrames");
	slice(&out, APP, 50, 54, "Choreographer#doFrame 0");
	slice(&out, OTHER, 52, 54, "Choreographer#doFrame 12");
	slice(&out, APP, 70, 73, "Choreographer#doFrame 13");
	slice(&out, APP + 1, 75, 79, "DrawFrames 13");
	j = rows_of(&o, &out);
	is_int(j->count, 6, "rows, with that of the display");
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];

		ok(f->source == rows[i].source && f->token == rows[i].token &&
		    f->time[CLOCK_WALL] == MS(rows[i].dur) && f->ui == MS(rows[i].ui) &&
		    f->render == (rows[i].render < 0 ? -1 : MS(rows[i].render)) &&
		    trace_thread(o.p->trace, f->thread)->id == rows[i].tid && f->drew == rows[i].drew,
		    "row %u: token %d, %lld long, ui %lld, render %lld, thread %u, drew %d", i,
		    (int)f->token, (long long)f->time[CLOCK_WALL], (long long)f->ui,
		    (long long)f->render, trace_thread(o.p->trace, f->thread)->id, f->drew);
	}
	rows_done(&o, j);
}

/* Frames of text logs ------------------------------------------------------------------ */

/* The process of a thread. */
static unsigned
pid_for(unsigned tid)
{
	return tid < OTHER ? APP : OTHER;
}

/* Writes a marker of a thread. */
TAP_PRINTF(4, 5) static void
mark(struct sbuf *out, unsigned tid, double ms, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sbuf_printf(out, "app-%u (%u) [000] .... 10.%06u: tracing_mark_write: %s\n", tid, pid_for(tid),
	    (unsigned)(ms * 1000 + 0.5), text);
}

/* Writes a slice in which no other line is. */
static void
work(struct sbuf *out, unsigned tid, double from, double to, const char *name)
{
	mark(out, tid, from, "B|%u|%s", pid_for(tid), name);
	mark(out, tid, to, "E|%u", pid_for(tid));
}

struct due {
	double start, budget, over; /* over NONE: no deadline */
	enum jank_cause cause;
	int drew;
};

static void
dues_are(const char *what, struct sbuf *out, nsec budget, const struct due *dues, uint32_t count)
{
	struct opened o = open_bytes(out->p, out->n);
	struct jank_query q = {.range = RANGE_ALL, .budget = budget};
	struct err e = {0};
	struct jank *j = jank_find(o.p, &q, NULL, &e);

	is_int(j->count, count, "%s: rows", what);
	for (uint32_t i = 0; i < count && i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];
		nsec over;
		bool known = jank_over(f, CLOCK_WALL, &over);

		ok(f->start == MS(dues[i].start) && known == (dues[i].over != NONE) &&
		    (!known || (over == MS(dues[i].over) &&
			f->deadline - f->expected == MS(dues[i].budget))) &&
		    f->slow == (known && over > 0) && f->cause == dues[i].cause && f->drew == dues[i].drew,
		    "%s: row %u from %lld, vsync %lld, due %lld, over %lld, cause %d, drew %d", what, i,
		    (long long)f->start, (long long)f->expected, (long long)f->deadline,
		    (long long)over, f->cause, f->drew);
	}
	jank_free(j);
	done(&o);
}

static void
vsync_write(struct sbuf *out, unsigned app)
{
	for (unsigned i = 0; i < app; i++)
		mark(out, APP + 9, 1 + 0.1 * i, "C|%u|VSYNC-app|%u", APP + 9, i & 1);
	mark(out, APP + 9, 2, "C|%u|VSYNC-app|%u", APP + 9, (app - 1) & 1); /* no change */
	work(out, APP, 21, 30, "Choreographer#doFrame");
	work(out, APP, 40, 58, "Choreographer#doFrame");
}

/* The period that a counter tells, the time between vsyncs, or 60 Hz. */
static void
vsync_test(void)
{
	static const struct due told[] = {{21, 11.1, -1.1, JANK_UNTOLD, -1},
	    {33, 11.1, 3.8, JANK_UI, -1}, {60, 20, -9, JANK_UNTOLD, -1}};
	static const struct due set[] = {{21, 8, 2, JANK_UI, -1}, {33, 8, 6.9, JANK_UI, -1},
	    {60, 8, 3, JANK_UI, -1}};
	static const struct due none[] = {{21, 0, NONE, JANK_UNTOLD, -1},
	    {33, 0, NONE, JANK_UNTOLD, -1}, {60, 0, NONE, JANK_UNTOLD, -1}};
	static const struct due apart[] = {{20, 0.1, 8.9, JANK_UI, -1}, {39, 0.1, 17.9, JANK_UI, -1}};
	static const struct due untold[] = {
	    {20, 16.7, -7.7, JANK_UNTOLD, -1}, {39, 16.7, 1.3, JANK_UI, -1}};
	struct sbuf out = {0};

	mark(&out, APP + 9, 0, "C|%u|VsyncPeriod|16600000", APP + 9);
	mark(&out, APP + 9, 0, "C|%u|VSP-period|11100000", APP + 9);
	mark(&out, APP + 9, 0, "C|%u|VSP-period|1", APP + 9); /* no period of a display */
	mark(&out, APP + 9, 20, "C|%u|VSYNC-app|1", APP + 9);
	work(&out, APP, 21, 30, "Choreographer#doFrame 1");
	mark(&out, APP + 9, 31.1, "C|%u|VSYNC-app|0", APP + 9);
	work(&out, APP, 33, 46, "Choreographer#doFrame 2");
	mark(&out, APP + 9, 50, "C|%u|VSP-period|20000000", APP + 9);
	work(&out, APP, 60, 71, "Choreographer#doFrame 3"); /* the vsync is too early */
	dues_are("VSP-period", &out, 0, told, 3);
	dues_are("a budget", &out, MS(8), set, 3);
	dues_are("no budget", &out, JANK_NO_BUDGET, none, 3);
	out.n = 0;
	vsync_write(&out, 4);
	dues_are("four changes", &out, 0, apart, 2);
	out.n = 0;
	vsync_write(&out, 3);
	dues_are("three changes", &out, 0, untold, 2);
	sbuf_release(&out);
}

/* What most of a slow frame went to; buffers that are queued too late are not of it. */
static void
cause_test(void)
{
	static const struct due rows[] = {{0, 16.7, 13.3, JANK_RENDER, 1},
	    {100, 16.7, 3.3, JANK_UI, 1}, {201, 16.7, 6.3, JANK_VSYNC_DELAY, 0},
	    {300, 16.7, 16.3, JANK_DRAWING, 1}, {400, 16.7, -14.7, JANK_UNTOLD, 0}};
	struct sbuf out = {0};

	work(&out, APP, 0, 10, "Choreographer#doFrame");
	work(&out, APP + 1, 15, 30, "DrawFrame");
	work(&out, APP, 100, 112, "Choreographer#doFrame");
	mark(&out, APP + 1, 112.5, "B|%u|DrawFrame", APP);
	work(&out, APP + 1, 113, 114, "queueBuffer");
	mark(&out, APP + 1, 120, "E|%u", APP);
	mark(&out, APP + 9, 186, "C|%u|VSYNC-app|1", APP + 9);
	work(&out, APP, 201, 209, "Choreographer#doFrame");
	work(&out, APP, 300, 302, "Choreographer#doFrame");
	work(&out, APP + 2, 330, 333, "queueBuffer");
	work(&out, APP + 2, 340, 342, "queueBuffer");
	work(&out, APP, 400, 402, "Choreographer#doFrame");
	work(&out, APP + 2, 450.101, 451, "queueBuffer");
	dues_are("cause", &out, 0, rows, 5);
	sbuf_release(&out);
}

/* Frames of OpenHarmony end when their names say, on their own clock or the log's. */
static void
hitrace_test(void)
{
	static const struct due rows[] = {{1, 8.333, -3.333, JANK_UNTOLD, -1},
	    {11, 8.333, 3.667, JANK_UI, -1}, {31, 8.333, 2.667, JANK_UI, -1},
	    {51, 16.7, -6.7, JANK_UNTOLD, -1}, {71, 8.333, -3.333, JANK_UNTOLD, -1},
	    {72, 8.333, 1.667, JANK_UI, -1}, {91, 16.7, -15.7, JANK_UNTOLD, -1}};
	struct sbuf out = {0};

	mark(&out, APP, 0, "C|%u|count|1", APP);
	work(&out, APP, 1, 5,
	    "H:ReceiveVsync dataCount:24Bytes now:10000000000 expectedEnd:10008333000 vsyncId:5|M38");
	work(&out, APP, 11, 22,
	    "ReceiveVsync dataCount:24Bytes now:10010000000 expectedEnd:10018333000 vsyncId:6");
	work(&out, APP, 31, 42,
	    "H:ReceiveVsync dataCount:24Bytes now:5000000000 expectedEnd:5008333000 vsyncId:7");
	work(&out, APP, 51, 61, "H:ReceiveVsync dataCount:24Bytes now:10050000000 vsyncId:8");
	mark(&out, APP, 71, "B|%u|H:ReceiveVsync now: 10070000000 expectedEnd: 10078333000 vsyncId: 9",
	    APP);
	mark(&out, APP + 1, 72, "B|%u|H:OnVsyncEvent now:10070000000", APP);
	mark(&out, APP + 1, 72.5, "B|%u|H:UIVsyncTask[timestamp:10070000000][vsyncID:9]", APP);
	mark(&out, APP, 75, "E|%u", APP);
	mark(&out, APP + 1, 79, "E|%u", APP);
	mark(&out, APP + 1, 80, "E|%u", APP);
	work(&out, APP + 1, 81, 85, "H:OnVsyncEvent now:10080000000");
	work(&out, APP, 91, 92, "H:ReceiveVsync now:10090000000 expectedEnd:10080000000 vsyncId:10");
	dues_are("hitrace", &out, 0, rows, 7);
	sbuf_release(&out);
}

/* The frame of the render service that shows what an app sends, for itself or another thread. */
static void
shown_test(void)
{
	static const struct {
		double start, shown; /* shown < 0: not known */
		int64_t display;
		int drew;
		enum jank_cause cause;
	} rows[] = {{0, 33, 21, 1, JANK_SERVICE}, {13, -1, 0, -1, JANK_UI}, {40, -1, 0, 0, JANK_UNTOLD},
	    {60, 73, 22, 1, JANK_UNTOLD}, {61, -1, 0, 0, JANK_UNTOLD}, {70, -1, 0, -1, JANK_UNTOLD}};
	struct sbuf out = {0};
	struct opened o;
	struct jank *j;

	mark(&out, APP, 0, "B|%u|H:ReceiveVsync now:10000000000 expectedEnd:10008333000 vsyncId:1", APP);
	work(&out, APP, 4, 5, "H:MarshRSTransactionData cmdCount:3 transactionFlag:[666,8]");
	mark(&out, APP, 12, "E|%u", APP);
	mark(&out, OTHER, 13, "B|%u|H:ReceiveVsync now:10012000000 expectedEnd:10020000000 vsyncId:21",
	    OTHER);
	work(&out, OTHER, 14, 15, "H:RSMainThread::ProcessCommandUni [665,8] [666,8] [666,");
	mark(&out, OTHER, 33, "E|%u", OTHER);
	work(&out, APP, 40, 41, "H:ReceiveVsync now:10040000000 expectedEnd:10048000000 vsyncId:2");
	mark(&out, APP + 1, 60, "B|%u|H:ReceiveVsync now:10060000000 expectedEnd:10068000000 vsyncId:3",
	    APP);
	mark(&out, APP, 61, "B|%u|H:ReceiveVsync now:10061000000 expectedEnd:10069000000 vsyncId:4", APP);
	work(&out, APP, 62, 63,
	    "H:MarshRSTransactionData cmdCount:3 transactionFlag:[666,9],tid:667,timestamp:10060000000");
	mark(&out, APP, 64, "E|%u", APP);
	mark(&out, APP + 1, 65, "E|%u", APP);
	mark(&out, OTHER, 70, "B|%u|H:ReceiveVsync now:10070000000 expectedEnd:10078000000 vsyncId:22",
	    OTHER);
	work(&out, OTHER, 71, 72, "H:RSMainThread::ProcessCommandUni[666,9]");
	mark(&out, OTHER, 73, "E|%u", OTHER);
	j = rows_of(&o, &out);
	is_int(j->count, 6, "rows, with those of the render service");
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && i < j->count; i++) {
		const struct jank_frame *f = &j->frames[i];

		ok(f->start == MS(rows[i].start) && f->display == rows[i].display &&
		    f->shown == (rows[i].shown < 0 ? -1 : MS(rows[i].shown)) && f->drew == rows[i].drew &&
		    f->cause == rows[i].cause, "row %u: from %lld, shown at %lld by %d, drew %d, cause %d", i,
		    (long long)f->start, (long long)f->shown, (int)f->display, f->drew, f->cause);
	}
	rows_done(&o, j);
}

/* The finding: a late frame in a stall, two that overlap, and one that is not late by the app. */
static void
finding_test(void)
{
	struct finding_rules rules = {.patterns = NULL};
	struct finding_query q = {.rules = &rules, .range = RANGE_ALL};
	const struct finding *frames = NULL;
	struct findings *found;
	struct sbuf out = {0};
	struct err e = {0};
	struct opened o;

	thread(&out, APP, APP);
	slice(&out, APP, 100, 300, "work");
	frame(&out, EXPECTED, 150, 160, 1, 0);
	frame(&out, ACTUAL, 150, 180, 1, 0x40);
	frame(&out, EXPECTED, 400, 410, 2, 0);
	frame(&out, ACTUAL, 400, 430, 2, 0x1000);
	frame(&out, EXPECTED, 405, 420, 3, 0);
	frame(&out, ACTUAL, 405, 450, 3, 0xc0);
	frame(&out, EXPECTED, 500, 510, 4, 0);
	frame(&out, ACTUAL, 500, 540, 4, 0x80);
	frame(&out, ACTUAL, 600, -1, 5, 0x40);
	slice(&out, APP, 700, 701, "work");
	o = open_bytes(out.p, out.n);
	found = findings_find(o.p, &q, NULL, &e);
	for (uint32_t i = 0; found != NULL && i < found->count; i++) {
		if (found->list[i].kind == FINDING_FRAMES)
			frames = &found->list[i];
	}
	if (ok(frames != NULL, "late frames are found")) {
		is_int((int64_t)frames->of, 5, "of all of the app");
		is_int((int64_t)frames->count, 2, "those by the app, in no stall");
		is_int((int64_t)frames->framed, 1, "and one in a stall");
		is_int(frames->late, MS(40), "the union of what is late");
		is_int(frames->time, MS(75), "their lengths");
		is_int(frames->length, MS(45), "the worst");
		is_int(frames->worst_over, MS(30), "how late it was");
		is_int(frames->janks, 0xc0, "and why");
	}
	findings_free(found);
	done(&o);
	sbuf_release(&out); /* names point there */
}

int
main(void)
{
	list_test();
	janks_test();
	rows_test();
	order_test();
	open_test();
	join_test();
	vsync_test();
	cause_test();
	hitrace_test();
	shown_test();
	finding_test();
	return tap_done();
}
