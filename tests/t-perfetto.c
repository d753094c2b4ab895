// SPDX-License-Identifier: Apache-2.0
/*
 * Perfetto traces, made packet by packet: read again, cut, damaged, and what is none.
 * tests/ref/perfetto_cases.py has what becomes of each kind of packet.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/format.h"
#include "opened-log.h"
#include "tap/tap.h"

/* Writing packets ----------------------------------------------------------------- */

enum { PACKET = 1, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, FLAGS = 13, TRACK = 60 };
enum { CLEARED = 1, NEEDS = 2, BEGIN = 1, END = 2 };

static void
text_write(struct sbuf *out, unsigned field, const char *text)
{
	size_t at = wire_begin(out, field);

	sbuf_text(out, text);
	wire_end(out, at);
}

static size_t
packet_begin(struct sbuf *out, unsigned sequence, unsigned flags)
{
	size_t at = wire_begin(out, PACKET);

	wire_number(out, SEQUENCE, sequence);
	if (flags != 0)
		wire_number(out, FLAGS, flags);
	return at;
}

static void
thread_write(struct sbuf *out, unsigned uuid, unsigned pid, unsigned tid, const char *name)
{
	size_t packet = packet_begin(out, 1, CLEARED), track = wire_begin(out, TRACK), thread;

	wire_number(out, 1, uuid);
	thread = wire_begin(out, 4);
	wire_number(out, 1, pid);
	wire_number(out, 2, tid);
	text_write(out, 5, name);
	wire_end(out, thread);
	wire_end(out, track);
	wire_end(out, packet);
}

/* An event with its name as text; NULL: without. */
static void
event_write(struct sbuf *out, unsigned sequence, uint64_t ns, unsigned type, unsigned uuid,
    const char *name)
{
	size_t packet = packet_begin(out, sequence, NEEDS), event;

	wire_number(out, TIMESTAMP, ns);
	event = wire_begin(out, TRACK_EVENT);
	wire_number(out, 9, type);
	if (uuid != 0)
		wire_number(out, 11, uuid);
	if (name != NULL)
		text_write(out, 23, name);
	wire_end(out, event);
	wire_end(out, packet);
}

static struct opened
opened_of(struct sbuf *out)
{
	struct opened o = open_bytes(out->p, out->n);

	if (o.p == NULL)
		diag("%s", o.e.what);
	return o;
}

static void
sum_is(const struct opened *o, const char *name, int64_t calls, int64_t ns)
{
	const struct method_sum *sum = sum_of(o, name);

	is_int((int64_t)sum->calls, calls, "%s: calls", name);
	is_int(sum->inclusive[CLOCK_WALL], ns, "%s: ns", name);
}

static int64_t
damage_of(const struct opened *o, enum damage_kind kind)
{
	return (int64_t)o->p->damage.kind[kind].count;
}

/* Tracks ---------------------------------------------------------------------------- */

/* All events from the first on. */
static int64_t
events_of(struct trace *t)
{
	struct cursor at = t->source->first;
	struct batch_room *room = mem_alloc(sizeof(*room));
	int64_t count = 0;

	do {
		struct batch b = batch_in(room);

		t->source->ops->read(t->source, &at, &b, BATCH_EVENTS, NULL);
		count += b.count;
		if (b.count == 0)
			break;
	} while (true);
	mem_free(room);
	return count;
}

static void
again_test(void)
{
	struct sbuf out = {0};
	struct opened o;

	thread_write(&out, 7, 100, 101, "main");
	event_write(&out, 1, 1000, BEGIN, 7, "load");
	event_write(&out, 1, 3000, END, 7, NULL);
	o = opened_of(&out);
	sum_is(&o, "load", 1, 2000);
	is_int(events_of(o.p->trace), 2, "the events are kept");
	o.p->trace->source->ops->restart(o.p->trace->source);
	is_int(events_of(o.p->trace), 2, "and are the same when reading begins again");
	done(&o);
	sbuf_release(&out);
}

/* Damage ---------------------------------------------------------------------------- */

static void
damage_test(void)
{
	static const char junk[] = "\x0b\xff\xff\xff";
	struct sbuf out = {0}, broken = {0};
	struct opened o;
	size_t events, packet, ends[5], whole = 0;
	unsigned wrong = 0;

	thread_write(&out, 7, 100, 101, "main");
	for (unsigned i = 1; i <= 4; i++) {
		ends[i - 1] = out.n;
		event_write(&out, 1, i * 100, i % 2 == 1 ? BEGIN : END, 7, "work");
	}
	events = ends[4] = out.n;

	/* Cut everywhere: whole packets are read, and a part of one is told. */
	for (size_t n = 1; n < events; n++) {
		o = open_bytes(out.p, n);
		if (o.p == NULL) {
			wrong += n >= ends[0];
			continue;
		}
		while (n >= ends[whole + 1])
			whole++;
		if (n >= ends[0] && (o.s->events != whole ||
		    damage_of(&o, DAMAGE_PARTIAL_RECORD) != (n > ends[whole]))) {
			wrong++;
			diag("%zu bytes, %zu events", n, whole);
		}
		done(&o);
	}
	is_int(wrong, 0, "cut anywhere, whole packets are read and the cut is told");
	o = open_bytes(out.p, events - 1);
	is_int((int64_t)sum_of(&o, "work")->calls, 2, "what came before the cut");
	is_int(damage_of(&o, DAMAGE_PARTIAL_RECORD), 1, "the cut is told");
	done(&o);

	/* Any byte is another. */
	for (size_t i = 0; i < events; i++) {
		sbuf_clear(&broken);
		sbuf_bytes(&broken, out.p, events);
		broken.p[i] = (char)~broken.p[i];
		o = open_bytes(broken.p, broken.n);
		if (o.p != NULL)
			done(&o);
	}

	/* Junk between packets: reading goes on at the next mark. */
	sbuf_clear(&broken);
	sbuf_bytes(&broken, out.p, events);
	sbuf_bytes(&broken, junk, sizeof(junk) - 1);
	packet = packet_begin(&broken, 1, 0);
	{
		static const uint8_t mark[] = {0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba,
		    0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79};
		size_t at = wire_begin(&broken, 36);

		sbuf_bytes(&broken, mark, sizeof(mark));
		wire_end(&broken, at);
	}
	wire_end(&broken, packet);
	event_write(&broken, 1, 900, BEGIN, 7, "work");
	o = opened_of(&broken);
	is_int((int64_t)sum_of(&o, "work")->calls, 3, "what comes after the junk");
	is_int(damage_of(&o, DAMAGE_UNREADABLE_DATA), 1, "the junk is told");
	is_int((int64_t)o.s->unfinished, 1, "a slice without an end");
	done(&o);
	sbuf_release(&out);
	sbuf_release(&broken);
}

/* A frame of the display that process 100 drew, expected in the time from 100 to 400. */
static void
frame_write(struct sbuf *out)
{
	for (unsigned end = 0; end < 2; end++) {
		size_t packet = packet_begin(out, 2, 0), frame, about;

		wire_number(out, TIMESTAMP, end ? 400 : 100);
		frame = wire_begin(out, 76);
		about = wire_begin(out, end ? 5 : 1);
		wire_number(out, 1, 9);
		if (!end)
			wire_number(out, 3, 100);
		wire_end(out, about);
		wire_end(out, frame);
		wire_end(out, packet);
	}
}

static void
display_test(void)
{
	struct sbuf out = {0};
	struct opened o;
	struct scope *scope;
	struct fold *fold;

	frame_write(&out);
	o = opened_of(&out);
	sum_is(&o, "expected frame", 1, 300);
	done(&o);
	thread_write(&out, 7, 100, 101, "main");
	event_write(&out, 1, 200, BEGIN, 7, "work");
	event_write(&out, 1, 300, END, 7, NULL);
	o = opened_of(&out);
	sum_is(&o, "expected frame", 0, 0);
	is_int(o.fold->total[CLOCK_WALL], 100, "frames of the display are in no total");
	is_int(fold_busy(o.fold, o.p->trace, thread_of(&o, "async: Expected Timeline")), 0,
	    "nor is anything busy with them");
	is_int(fold_known(o.fold, o.p->trace, thread_of(&o, "async: Expected Timeline")), 0,
	    "and it has no busy share");
	is_int(o.fold->threads[thread_of(&o, "async: Expected Timeline")].part[CLOCK_WALL], 0,
	    "nor have they a share");
	is_int((int64_t)o.fold->threads[thread_of(&o, "async: Expected Timeline")].calls, 0,
	    "nor are they counted");
	scope = scope_new(o.p->stack_count, false);
	scope->in[thread_of(&o, "async: Expected Timeline")] = 1;
	fold = fold_make(o.p, &(struct fold_query){.scope = scope}, NULL);
	is_int(fold->total[CLOCK_WALL], 300, "alone they are");
	fold_free(fold);
	scope_free(scope);
	done(&o);
	sbuf_release(&out);
}

/* A slice of the track that has the flow. */
static void
flow_write(struct sbuf *out, uint64_t ns, unsigned uuid, const char *name, uint64_t flow)
{
	size_t packet = packet_begin(out, 1, NEEDS), event;

	wire_number(out, TIMESTAMP, ns);
	event = wire_begin(out, TRACK_EVENT);
	wire_number(out, 9, BEGIN);
	wire_number(out, 11, uuid);
	text_write(out, 23, name);
	wire_number(out, 36, flow);
	wire_end(out, event);
	wire_end(out, packet);
	event_write(out, 1, ns + 10, END, uuid, NULL);
}

static void
chains_test(void)
{
	const struct log_link *link;
	const struct log *log;
	struct sbuf out = {0};
	struct log_detail d;
	struct opened o;

	thread_write(&out, 7, 100, 101, "main");
	thread_write(&out, 8, 100, 102, "worker");
	flow_write(&out, 100, 7, "post", 0x1a);
	flow_write(&out, 200, 8, "run", 0x1a);
	flow_write(&out, 300, 8, "other", 0x1b);
	o = opened_of(&out);
	log = o.p->trace->log;
	is_int(seg_count(&log->chains), 2, "flows are chains");
	if (is_int((int64_t)log->links.count, 3, "of the slices that have them")) {
		link = spool_at(&((struct log *)log)->links, 1);
		is_int(link->chain, 0, "the second is of the first one's");
		ok(log->detail(log, link->offset, &d) && str_equal(d.chain, STR("flow 1a")) &&
		    str_equal(d.args, STR("flow=1a")), "which it tells");
	}
	done(&o);
	sbuf_release(&out);
}

/* Any field of a packet may be the only one of a trace's first packet. */
static void
begins_test(void)
{
	static const unsigned numbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98},
	    ranges[][2] = {{1, 2}, {4, 7}, {9, 9}, {11, 12}, {33, 40}, {43, 49}, {51, 57},
		{59, 78}, {80, 84}, {86, 86}, {88, 97}, {99, 107}, {109, 135}, {138, 140},
		{900, 900}, {1000, 1001}, {1999, 1999}};
	struct sbuf out = {0};
	unsigned wrong = 0;

	for (unsigned field = 1; field <= ranges[sizeof(ranges) / sizeof(ranges[0]) - 1][1]; field++) {
		bool number = false, message = false;
		struct opened o;
		size_t packet;

		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			number |= numbers[i] == field;
		for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
			message |= field >= ranges[i][0] && field <= ranges[i][1];
		if (!number && !message)
			continue;
		sbuf_clear(&out);
		packet = wire_begin(&out, PACKET);
		if (number)
			wire_number(&out, field, 1);
		else
			wire_end(&out, wire_begin(&out, field));
		wire_end(&out, packet);
		thread_write(&out, 7, 100, 101, "main");
		event_write(&out, 1, 1000, BEGIN, 7, "load");
		event_write(&out, 1, 3000, END, 7, NULL);
		o = open_bytes(out.p, out.n);
		if (o.p == NULL || sum_of(&o, "load")->calls != 1) {
			wrong++;
			diag("field %u", field);
		}
		if (o.p != NULL)
			done(&o);
	}
	is_int(wrong, 0, "traces begin with any field of a packet");
	sbuf_release(&out);
}

static void
kinds_test(void)
{
	struct opened o = open_text("\n" LINE_AT("000100") "B|1|work\n" LINE_AT("000300") "E|1\n");

	sum_is(&o, "work", 1, 200);
	done(&o);
	begins_test();
	/* profile.proto begins with messages of the same number. */
	o = open_bytes("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x0a\x04\x08\x05\x10\x06", 18);
	ok(o.p == NULL, "other messages are no Perfetto trace");
	o = open_bytes("\x0a\x03\xc0\x0c\x01", 5);
	ok(o.p == NULL, "nor is a message of a field that no packet has");
	o = open_bytes("\x0a\x08\x0a\x06\x66ile.c", 10);
	ok(o.p == NULL, "nor one with a text where packets have a message");
	o = open_bytes("\x0a\x04\x12\x00\x18\x01\x0a\x02\x30\x05", 10);
	ok(o.p == NULL, "nor one with a number where packets have a message");
}

/* True if a number is read as it was written, with so many bytes after it, and no part of it is. */
static bool
number_reads(uint64_t number, size_t after)
{
	struct sbuf out = {0};
	const uint8_t *bytes;
	uint64_t got = 0;
	struct wire w;
	size_t size;
	bool good;

	wire_packed(&out, number);
	size = out.n;
	for (size_t i = 0; i < after; i++)
		sbuf_char(&out, (char)0xff);
	bytes = (const uint8_t *)out.p;
	w = (struct wire){bytes, bytes + out.n};
	good = wire_varint(&w, &got) && got == number && w.p == bytes + size;
	w.p = bytes;
	w.end = bytes + size - 1;
	good = good && !wire_varint(&w, &got) && w.p == bytes;
	sbuf_release(&out);
	return good;
}

static void
numbers_test(void)
{
	int wrong = 0;

	for (unsigned bits = 0; bits < 64; bits++) {
		for (size_t after = 0; after < 10; after++) {
			uint64_t one = UINT64_C(1) << bits;

			wrong += !number_reads(one, after) + !number_reads(one - 1, after) +
			    !number_reads(one | (0x5a5a5a5a5a5a5a5a & (one - 1)), after);
		}
	}
	is_int(wrong, 0, "numbers of any length, with more bytes after them or none");
}

int
main(void)
{
	numbers_test();
	again_test();
	damage_test();
	display_test();
	chains_test();
	kinds_test();
	return tap_done();
}
