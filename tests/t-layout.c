/*
 * layout: the size of a streaming trace's records is what both sizes, tried over all of it
 * one after the other, come to; of sound traces, of harmed ones and of bytes of anything.
 */
#include <config.h>

#include "format/method/method.h"

#include <stdlib.h>
#include <string.h>

#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"

enum { SIZE_MOST = 16 << 20, HEADER = 32 };

static struct trace unnamed; /* its text names no thread */

struct tried {
	uint64_t sense, reached;
	bool zero, possible;
};

/* How far records of a size lead, and what of them makes sense. */
static struct tried
tried_whole(const uint8_t *p, uint64_t size, uint32_t record)
{
	static bool named[1 << 16], seen[1 << 16];
	struct tried t = {0, 0, true, true};

	memset(named, 0, sizeof(named));
	memset(seen, 0, sizeof(seen));
	while (size - t.reached >= 2) {
		const uint8_t *at = p + t.reached;
		uint64_t left = size - t.reached;
		uint32_t id = get_u16(at);
		struct packet k;

		if (id != 0) {
			if (left < record)
				break;
			t.possible &= (at[2] & 3) != 3;
			t.sense += named[id] && (at[2] & 3) != 3 ? record : 0;
			t.zero &= seen[id] || get_u32(at + 6) == 0;
			seen[id] = true;
			t.reached += record;
			continue;
		}
		if (packet_read(&k, at, left) != PACKET_WHOLE)
			break;
		if (k.kind == PACKET_THREAD)
			named[k.thread] = true;
		t.reached += k.size;
	}
	return t;
}

static bool
fourteen_is_better(struct tried fourteen, struct tried ten, uint64_t size)
{
	bool clean = fourteen.possible && fourteen.reached == size;

	if (clean != (ten.possible && ten.reached == size))
		return clean;
	if (fourteen.sense != ten.sense)
		return fourteen.sense > ten.sense;
	if ((fourteen.reached == size) != (ten.reached == size))
		return fourteen.reached == size;
	return fourteen.reached > ten.reached;
}

/* The size that was found, 0 when it is not what it should be. */
static uint32_t
found(const uint8_t *bytes, size_t from, size_t to)
{
	struct filemap file = {.bytes = bytes, .size = to, .borrowed = true};
	struct tried ten = tried_whole(bytes + from, to - from, 10);
	struct tried fourteen = tried_whole(bytes + from, to - from, 14);
	bool better = fourteen_is_better(fourteen, ten, to - from);
	struct layout with = layout_find(&file, &unnamed, from, to, true);
	struct layout without = layout_find(&file, &unnamed, from, to, false);

	if (with.record != (better ? 14 : 10) || without.record != with.record ||
	    with.starts_at_zero != (better ? fourteen : ten).zero)
		return 0;
	return with.record;
}

static void
harmed(const uint8_t *bytes, size_t size, int places, const char *what)
{
	uint8_t *copy = malloc(size);
	int wrong = 0;

	for (int turn = 0; turn < 60; turn++) {
		memcpy(copy, bytes, size);
		for (int i = 0; i < places; i++) {
			uint8_t *at = copy + HEADER + random_below((uint32_t)size - HEADER - 8);

			for (uint32_t k = 1 + random_below(8); k-- > 0;)
				at[k] = random_below(2) == 0 ? 0 : (uint8_t)random_below(256);
		}
		wrong += found(copy, HEADER, size - random_below(200)) == 0;
	}
	is_int(wrong, 0, "%s, harmed at %d places", what, places);
	free(copy);
}

static void
traces(const char *options, uint32_t record)
{
	size_t size;
	uint8_t *bytes = generate(options, SIZE_MOST, &size);

	if (!ok(bytes != NULL, "%s", options))
		return;
	is_int(found(bytes, HEADER, size), record, "records of %u bytes", record);
	for (int places = 1; places <= 64 && size < 1 << 20; places *= 8)
		harmed(bytes, size, places, options);
	free(bytes);
}

static void
anything(uint32_t below)
{
	static uint8_t bytes[5000];
	int wrong = 0;

	for (int turn = 0; turn < 300; turn++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)random_below(below);
		wrong += found(bytes, 0, random_below(sizeof(bytes))) == 0;
	}
	is_int(wrong, 0, "bytes below %u", below);
}

/*
 * One record of a thread that a packet names, then many of one that none does: of those of
 * 10 bytes, only 10 bytes make sense, and of one record of 14 bytes more.  Both the end and
 * the thread's name in the text tell which it is; the former when the file is whole.
 */
static void
named_elsewhere(uint32_t record, bool cut)
{
	static const uint8_t name[] = {0, 0, 2, 100, 0, 4, 0, 'm', 'a', 'i', 'n'};
	static uint8_t bytes[sizeof(name) + (size_t)14 * 201];
	struct filemap file = {.bytes = bytes, .borrowed = true};
	struct trace *t = &unnamed;
	uint8_t *p = bytes + sizeof(name);

	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, name, sizeof(name));
	for (uint8_t i = 0; i <= 200; i++, p += record) {
		p[0] = i == 0 ? 100 : 200;
		p[2] = 0x10 + i % 2;
		p[6] = 10 + i;
	}
	file.size = (size_t)(p - bytes) - cut;
	if (cut) {
		t = trace_new("");
		trace_thread_add(t, 200);
	}
	is_int(layout_find(&file, t, 0, file.size, false).record, record,
	    "records of %u bytes, a thread that %s", record,
	    cut ? "only the text names, the last one cut" : "nothing names");
	if (cut)
		trace_free(t);
}

int
main(void)
{
	random_trace_make(9, 0);
	traces("--format=streaming --data-version=2 --clock=wall --records=2k --threads=3", 14);
	traces("--format=streaming --data-version=2 --clock=thread-cpu --records=2k", 14);
	traces("--format=streaming14 --data-version=2 --clock=wall --records=2k --threads=3", 10);
	traces("--format=streaming14 --data-version=2 --clock=thread-cpu --records=2k", 10);
	/* Both go through several stretches, or one does. */
	traces("--format=streaming --data-version=2 --clock=thread-cpu --records=900k", 14);
	traces("--format=streaming14 --data-version=2 --clock=wall --records=900k", 10);
	for (int cut = 0; cut <= 1; cut++) {
		named_elsewhere(10, cut);
		named_elsewhere(14, cut);
	}
	for (uint32_t below = 2; below <= 256; below *= 2)
		anything(below);
	return tap_done();
}
