#include <config.h>

#include "format/method/header.h"

enum {
	HEADER_SIZE = 16,       /* magic, version, offset, start time */
	HEADER_SIZE_SIZED = 18, /* and the record size, when the version word is 3 or more */
};

bool
header_read(struct header *h, struct bytes *in, struct err *e)
{
	uint32_t magic;
	uint16_t word, offset, least = HEADER_SIZE;

	*h = (struct header){.begin = in->offset};
	if (!bytes_u32(in, &magic, e, "data header") ||
	    !bytes_u16(in, &word, e, "data header"))
		return false;
	h->streaming = (word & HEADER_STREAMING) == HEADER_STREAMING;
	h->version = h->streaming ? word ^ HEADER_STREAMING : word;
	if (h->version < (h->streaming ? 2u : 1u) || h->version > 3)
		return err_at(e, ERR_UNSUPPORTED, h->begin + 4,
		    "data version %u is not known (expected 1, 2 or 3)", word);
	if (!bytes_u16(in, &offset, e, "data header") ||
	    !bytes_u64(in, &h->start_us, e, "data header"))
		return false;
	if (word >= 3 && (h->version == 3 || offset >= HEADER_SIZE_SIZED)) {
		least = HEADER_SIZE_SIZED;
		if (!bytes_u16(in, &h->record, e, "record size"))
			return false;
	}
	if (offset < least)
		return err_at(e, ERR_MALFORMED, h->begin + 6,
		    "offset to the records is %u (expected at least %u)", offset, least);
	return bytes_skip(in, offset - least, e, "data header");
}

bool
header_text_converted(const uint8_t *p, size_t n)
{
	int hits = 0;

	if (n > 4096)
		n = 4096;
	for (size_t i = 0; i + 3 <= n; i++)
		hits += p[i] == 0xef && p[i + 1] == 0xbf && p[i + 2] == 0xbd;
	return hits >= 3 && (size_t)hits * 32 >= n;
}

bool
header_text_refuse(uint64_t offset, struct err *e)
{
	return err_at(e, ERR_MALFORMED, offset,
	    "file damaged by text conversion (EF BF BD in place of bytes); copy it again as "
	    "binary");
}

unsigned
clocks_named(struct str clock)
{
	static const struct {
		struct str name;
		unsigned clocks;
	} names[] = {
		{ STR("thread-cpu"), HAS_CPU },
		{ STR("wall"), HAS_WALL },
		{ STR("global"), HAS_WALL }, /* Dalvik without POSIX clocks */
		{ STR("dual"), HAS_BOTH },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_equal(clock, names[i].name))
			return names[i].clocks;
	}
	return 0;
}

unsigned
clocks_choose(struct trace *t, struct str clock, unsigned version, uint32_t record)
{
	bool dual_fits = version == 3 && record >= 14;
	unsigned clocks = clocks_named(clock);

	if (clocks == HAS_BOTH && version < 3) {
		trace_note(t, "clock=dual, but version %u records hold one clock; "
			      "taken as thread-cpu", version);
		return HAS_CPU;
	}
	if (clocks != 0)
		return clocks;
	trace_note(t, "%s; taken as %s",
	    clock.n > 0 ? "the clock is not one that is known" : "no clock is stated",
	    dual_fits ? "dual" : "wall");
	return dual_fits ? HAS_BOTH : HAS_WALL;
}

/* Nanoseconds; that of all 65536 threads fits, and no two million steps exceed it. */
#define TIME_MOST ((uint64_t)1 << 46)
enum { RECORDS_MANY = 2000000 };

void
clocks_bound(const struct trace *t, struct source *s, uint32_t record)
{
	uint64_t us = (uint64_t)t->elapsed / 1000;

	s->clock_modulus = WRAP_US * 1000;
	/* Records may be a little later than the stated end. */
	us += us / 16 + 1000000;
	s->wraps_max = t->elapsed > 0 ? us / WRAP_US : UINT64_MAX;
	if ((s->end - s->begin) / record <= RECORDS_MANY)
		return;
	s->time_most = TIME_MOST;
	/* A recording of some days is believed. */
	if (us > TIME_MOST / 1000 && us < 16 * TIME_MOST / 1000)
		s->time_most = us * 1000;
	if (s->wraps_max > s->time_most / s->clock_modulus)
		s->wraps_max = s->time_most / s->clock_modulus;
}

bool
threads_by_turns(const struct trace *t)
{
	if (t->pid == 0 || t->threads.count == 0)
		return false;
	for (uint32_t i = 0; i < t->threads.count; i++) {
		/* The records may hold no more than the low half of a thread's id. */
		if (trace_thread(t, i)->id == (uint32_t)t->pid ||
		    trace_thread(t, i)->id == (t->pid & 0xffff))
			return false;
		/* Numbers given in turn leave no gaps; the system's are spread. */
		if (trace_thread(t, i)->id > 2 * t->threads.count + 16)
			return false;
	}
	return true;
}

void
threads_by_turns_note(struct trace *t, const struct source *s)
{
	if (s->by_thread && s->wraps_max > 0)
		trace_note(t, "threads that begin after 71 minutes cannot be told from "
			      "others; each is taken to begin in the first 71");
}
