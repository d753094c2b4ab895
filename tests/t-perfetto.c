// SPDX-License-Identifier: Apache-2.0
/*
 * Perfetto traces, made packet by packet: sequences, clocks, tracks, the kernel's events in
 * both forms, and damage.
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

enum { PACKET = 1, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, INTERNED = 12, FLAGS = 13,
	DROPPED = 42, CLOCK = 58, DEFAULTS = 59, TRACK = 60 };
enum { CLEARED = 1, NEEDS = 2, BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4 };

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

/* An event whose name is interned; with the name if that is told. */
static void
interned_write(struct sbuf *out, unsigned sequence, unsigned flags, uint64_t ns, unsigned type,
    unsigned iid, const char *name)
{
	size_t packet = packet_begin(out, sequence, flags), at;

	wire_number(out, TIMESTAMP, ns);
	at = wire_begin(out, TRACK_EVENT);
	wire_number(out, 9, type);
	wire_number(out, 11, 7);
	if (iid != 0)
		wire_number(out, 10, iid);
	wire_end(out, at);
	if (name != NULL) {
		size_t interned = wire_begin(out, INTERNED), entry = wire_begin(out, 2);

		wire_number(out, 1, iid);
		text_write(out, 2, name);
		wire_end(out, entry);
		wire_end(out, interned);
	}
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
threads_test(void)
{
	struct sbuf out = {0};
	struct opened o;

	thread_write(&out, 7, 100, 101, "main");
	interned_write(&out, 1, NEEDS, 1000, BEGIN, 1, "load");
	event_write(&out, 1, 1600, BEGIN, 7, "parse");
	event_write(&out, 1, 2100, END, 7, NULL);
	event_write(&out, 1, 3000, END, 7, NULL);
	o = opened_of(&out);
	sum_is(&o, "load", 1, 2000);
	sum_is(&o, "parse", 1, 500);
	is_int(sum_of(&o, "load")->exclusive[CLOCK_WALL], 1500, "parse is within load");
	is_int(pid_of(&o, thread_of(&o, "main")), 100, "the thread and its process are named");
	is_int(events_of(o.p->trace), 4, "the events are kept");
	o.p->trace->source->ops->restart(o.p->trace->source);
	is_int(events_of(o.p->trace), 4, "and are the same when reading begins again");
	done(&o);

	sbuf_release(&out);
}

/* The kernel's events ---------------------------------------------------------------- */

/* An event of a thread on core 0 with up to three numbers, by field. */
static void
kernel_write(struct sbuf *out, uint64_t ns, unsigned tid, unsigned event,
    const unsigned (*numbers)[2], unsigned count)
{
	size_t packet = packet_begin(out, 1, 0), bundle = wire_begin(out, 1), at, payload;

	wire_number(out, 1, 0);
	at = wire_begin(out, 2);
	wire_number(out, 1, ns);
	wire_number(out, 2, tid);
	payload = wire_begin(out, event);
	for (unsigned i = 0; i < count; i++)
		wire_number(out, numbers[i][0], numbers[i][1]);
	wire_end(out, payload);
	wire_end(out, at);
	wire_end(out, bundle);
	wire_end(out, packet);
}

/* Numbers of the statistics of core 0: at the beginning (phase 1) or the end (2). */
static void
ftrace_stats_write(struct sbuf *out, unsigned phase, unsigned overrun)
{
	size_t packet = packet_begin(out, 1, 0), stats = wire_begin(out, 34), core;

	wire_number(out, 1, phase);
	core = wire_begin(out, 2);
	wire_number(out, 3, overrun);
	wire_end(out, core);
	wire_end(out, stats);
	wire_end(out, packet);
}

static void
processes_test(void)
{
	static const unsigned new_thread[][2] = {{1, 22}, {3, 0x10f00}};
	struct sbuf out = {0};
	struct opened o;
	size_t packet, tree, thread;
	uint32_t made = 0;

	packet = packet_begin(&out, 1, 0);
	tree = wire_begin(&out, 2);
	thread = wire_begin(&out, 2);
	wire_number(&out, 1, 11);
	text_write(&out, 2, "maker");
	wire_number(&out, 3, 10);
	wire_end(&out, thread);
	thread = wire_begin(&out, 1);
	wire_number(&out, 1, 10);
	text_write(&out, 3, "server --fast");
	wire_end(&out, thread);
	wire_end(&out, tree);
	wire_end(&out, packet);
	ftrace_stats_write(&out, 1, 100);
	kernel_write(&out, 100, 11, 235, new_thread, 2);
	ftrace_stats_write(&out, 2, 130);
	o = opened_of(&out);
	is_int(pid_of(&o, thread_of(&o, "maker")), 10, "the tree's process of a thread");
	is_int((int64_t)((const struct log_process *)seg_at(&o.p->trace->log->processes, 0))->name.n,
	    6, "its command is cut at the first blank");
	for (uint32_t i = 0; i < trace_thread_count(o.p->trace); i++) {
		if (trace_thread(o.p->trace, i)->id == 22)
			made = pid_of(&o, i);
	}
	is_int(made, 10, "a thread is of its maker's process");
	is_int((int64_t)o.s->lost, 30, "events that the kernel lost in between");
	is_int(damage_of(&o, DAMAGE_LOST_RECORDS), 1, "are damage");
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

/* Call stacks ------------------------------------------------------------------------ */

/* An interned entry: its number, and up to three fields of one number each. */
static void
entry_write(struct sbuf *out, unsigned kind, uint64_t iid, unsigned field, const uint64_t *numbers,
    unsigned count)
{
	size_t at = wire_begin(out, kind);

	wire_number(out, 1, iid);
	for (unsigned i = 0; i < count; i++)
		wire_number(out, field, numbers[i]);
	wire_end(out, at);
}

static void
entry_text(struct sbuf *out, unsigned kind, uint64_t iid, const char *text)
{
	size_t at = wire_begin(out, kind);

	wire_number(out, 1, iid);
	text_write(out, 2, text);
	wire_end(out, at);
}

/* Stacks 1: run, draw; 2: run, and a frame without a symbol; 3: run. */
static void
stacks_write(struct sbuf *out)
{
	size_t interned = wire_begin(out, INTERNED), frame;

	entry_text(out, 5, 1, "run");
	entry_text(out, 5, 2, "draw");
	entry_text(out, 17, 1, "system");
	entry_text(out, 17, 2, "libc.so");
	entry_write(out, 19, 1, 7, (uint64_t[]){1, 2}, 2);
	entry_write(out, 6, 1, 2, (uint64_t[]){1}, 1);
	entry_write(out, 6, 2, 2, (uint64_t[]){2}, 1);
	frame = wire_begin(out, 6);
	wire_number(out, 1, 3);
	wire_number(out, 3, 1);
	wire_number(out, 4, 0x1a2b);
	wire_end(out, frame);
	entry_write(out, 7, 1, 2, (uint64_t[]){1, 2}, 2);
	entry_write(out, 7, 2, 2, (uint64_t[]){1, 3}, 2);
	entry_write(out, 7, 3, 2, (uint64_t[]){1}, 1);
	wire_end(out, interned);
}

static void
perf_write(struct sbuf *out, uint64_t ns, uint64_t stack)
{
	size_t packet = packet_begin(out, 2, NEEDS), at;

	wire_number(out, TIMESTAMP, ns);
	at = wire_begin(out, 66);
	wire_number(out, 2, 100);
	wire_number(out, 3, 101);
	if (stack != 0)
		wire_number(out, 4, stack);
	else
		wire_number(out, 18, 1); /* skipped */
	wire_end(out, at);
	wire_end(out, packet);
}

static void
samples_test(void)
{
	const struct method_sum *sum;
	struct sbuf out = {0};
	struct opened o;
	size_t packet, at, inner;

	thread_write(&out, 7, 100, 101, "main");
	event_write(&out, 1, 1000000, BEGIN, 7, "slice");
	event_write(&out, 1, 30000000, END, 7, NULL);
	packet = packet_begin(&out, 2, CLEARED);
	at = wire_begin(&out, DEFAULTS);
	inner = wire_begin(&out, 12);
	{
		size_t base = wire_begin(&out, 1);

		wire_number(&out, 2, 1000); /* samples a second */
		wire_end(&out, base);
	}
	wire_end(&out, inner);
	wire_end(&out, at);
	stacks_write(&out);
	wire_end(&out, packet);
	perf_write(&out, 2000000, 1);
	perf_write(&out, 3000000, 1);
	perf_write(&out, 4100000, 2); /* a little late */
	perf_write(&out, 5000000, 0);
	perf_write(&out, 5000000, 3);
	perf_write(&out, 20000000, 1); /* it did not run before */
	perf_write(&out, 21000000, 9); /* of no stack */
	o = opened_of(&out);
	ok(o.p->sampled.yes, "samples: the trace is marked");
	sum = sum_of(&o, "draw");
	is_int((int64_t)sum->calls, 2, "samples: calls are what they saw");
	is_int(sum->inclusive[CLOCK_CPU], 3000000, "samples: each is worth as much CPU time");
	is_int(sum->inclusive[CLOCK_WALL], 2100000 + 1000000,
	    "samples: a call lasts until the next one, but not where that is late");
	is_int(sum_of(&o, "run")->inclusive[CLOCK_CPU], 5000000, "samples: of all");
	is_int(sum_of(&o, "run")->exclusive[CLOCK_CPU], 1000000, "samples: and its own");
	is_int(sum_of(&o, "libc.so+0x1a2b")->exclusive[CLOCK_CPU], 1000000,
	    "samples: a frame without a symbol is its module's");
	is_int(pid_of(&o, thread_of(&o, "main (samples)")), 100,
	    "samples: the thread has a row for them");
	sum_is(&o, "slice", 1, 29000000);
	is_int((int64_t)o.s->malformed, 1, "samples: one of no stack is told");
	done(&o);
	sbuf_release(&out);
}

/* Chrome's sampler: times are differences, several samples may be in a packet. */
static void
profile_test(void)
{
	struct sbuf out = {0};
	struct opened o;
	size_t packet, at;

	for (int told = 0; told < 2; told++) {
		packet = packet_begin(&out, 3, CLEARED);
		if (told) {
			at = wire_begin(&out, 44);
			wire_number(&out, 1, 200);
			wire_number(&out, 2, 201);
			text_write(&out, 5, "Renderer");
			wire_number(&out, 6, 500); /* us */
			wire_end(&out, at);
		}
		wire_end(&out, packet);
		packet = packet_begin(&out, 3, NEEDS);
		stacks_write(&out);
		at = wire_begin(&out, 54);
		wire_number(&out, 1, 1);
		wire_number(&out, 1, 3);
		wire_number(&out, 2, 10);
		wire_number(&out, 2, 20);
		wire_end(&out, at);
		wire_end(&out, packet);
		packet = packet_begin(&out, 3, NEEDS);
		at = wire_begin(&out, 54);
		wire_number(&out, 1, 2);
		wire_number(&out, 2, 5);
		wire_end(&out, at);
		wire_end(&out, packet);
		packet = packet_begin(&out, 3, NEEDS);
		at = wire_begin(&out, 54);
		wire_number(&out, 1, 1);
		wire_end(&out, at);
		wire_end(&out, packet);
		/* Times in a clock that the trace has. */
		packet = packet_begin(&out, 3, 0);
		at = wire_begin(&out, 6);
		for (unsigned id = 3; id <= 6; id += 3) {
			size_t clock = wire_begin(&out, 1);

			wire_number(&out, 1, id);
			wire_number(&out, 2, 1000);
			wire_end(&out, clock);
		}
		wire_end(&out, at);
		wire_end(&out, packet);
		o = opened_of(&out);
		if (!told) {
			is_int(damage_of(&o, DAMAGE_SKIPPED_PACKET), 3,
			    "profile: of no thread they are skipped");
		} else {
			sum_is(&o, "run", 1, 25000);
			sum_is(&o, "draw", 1, 20000);
			ok(thread_of(&o, "Renderer (samples)") != THREAD_NONE,
			    "profile: on a row of the sequence's thread");
			is_int(damage_of(&o, DAMAGE_SKIPPED_PACKET), 1,
			    "profile: a sample without a time is none");
			is_int((int64_t)o.p->trace->log->origin, 510000,
			    "profile: it begins with the first");
		}
		done(&o);
		sbuf_clear(&out);
	}
	sbuf_release(&out);
}

/* A message of Android's log; its time is in REALTIME. */
static void
message_write(struct sbuf *out, uint64_t ns, const char *text)
{
	size_t at = wire_begin(out, 1);

	wire_number(out, 2, 100);
	wire_number(out, 3, 101);
	wire_number(out, 5, ns);
	text_write(out, 6, "Tag");
	text_write(out, 8, text);
	wire_end(out, at);
}

static void
messages_test(void)
{
	const struct log_instant *first;
	struct log_detail d = {.name = {"", 0}};
	struct sbuf out = {0};
	struct log *log;
	int left = 0;
	struct opened o;
	size_t packet, at;

	thread_write(&out, 7, 100, 101, "main");
	event_write(&out, 1, 1000, BEGIN, 7, "slice");
	event_write(&out, 1, 9000, END, 7, NULL);
	packet = packet_begin(&out, 4, 0);
	at = wire_begin(&out, 6);
	for (unsigned id = 1; id <= 6; id += 5) {
		size_t clock = wire_begin(&out, 1);

		wire_number(&out, 1, id);
		wire_number(&out, 2, id == 1 ? 500000 : 0);
		wire_end(&out, clock);
	}
	wire_end(&out, at);
	wire_end(&out, packet);
	packet = packet_begin(&out, 4, 0);
	at = wire_begin(&out, 39);
	message_write(&out, 505000, "later");
	message_write(&out, 502000, "sooner");
	wire_number(&out, 1, 5);
	wire_end(&out, at);
	wire_end(&out, packet);
	/* What is not read. */
	for (int i = 0; i < 2; i++) {
		packet = packet_begin(&out, 4, 0);
		wire_end(&out, wire_begin(&out, i == 0 ? 56 : 200));
		wire_end(&out, packet);
	}
	o = opened_of(&out);
	log = o.p->trace->log;
	if (ok(log->instants.count == 2, "messages: moments")) {
		first = spool_at(&log->instants, 0);
		is_int(first->at, 1000, "messages: in order of time");
		is_int(first->thread, thread_of(&o, "main"), "messages: of their thread");
		ok(log->detail(log, first->offset, &d) && str_equal(d.name, STR("sooner")) &&
		    str_equal(d.category, STR("Tag")), "messages: with text and tag");
	}
	for (uint32_t i = 0; i < seg_count(&log->funcs); i++) {
		const struct log_func *f = seg_at(&log->funcs, i);

		if (str_equal(f->name, STR("(not read) heap dump (heap_graph)")) ||
		    str_equal(f->name, STR("(not read) packet 200")))
			left += f->count == 1 && f->bytes > 0 && f->bytes < 16;
	}
	is_int(left, 2, "what is not read is told by name or number, with its size");
	done(&o);
	sbuf_release(&out);
}

static void
kinds_test(void)
{
	struct opened o = open_text("\n" LINE_AT("000100") "B|1|work\n" LINE_AT("000300") "E|1\n");

	sum_is(&o, "work", 1, 200);
	done(&o);
	/* profile.proto begins with messages of the same number. */
	o = open_bytes("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x0a\x04\x08\x05\x10\x06", 18);
	ok(o.p == NULL, "other messages are no Perfetto trace");
}

int
main(void)
{
	threads_test();
	processes_test();
	samples_test();
	profile_test();
	messages_test();
	damage_test();
	kinds_test();
	return tap_done();
}
