// SPDX-License-Identifier: Apache-2.0
/*
 * frames: SurfaceFlinger's timeline of Perfetto traces that are made packet by packet.
 */
#include <config.h>

#include <string.h>

#include "base/bytes.h"
#include "opened-log.h"
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

int
main(void)
{
	list_test();
	janks_test();
	return tap_done();
}
