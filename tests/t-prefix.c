// SPDX-License-Identifier: Apache-2.0
/*
 * Small traces of every kind, cut after every byte and with single bytes changed.  Each
 * is put before a page that cannot be read, so that a read beyond its end stops the test
 * at once, in any build.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/compat.h"
#include "fuzz/consume.h"
#include "tap/generate.h"
#include "tap/tap.h"

/* Sanitizers make it slow and see what single bytes do in other tests: a part is enough. */
#if defined(TAP_SANITIZED)
enum { CUT_EVERY = 5, CHANGES = 200 };
#else
enum { CUT_EVERY = 1, CHANGES = 1000 };
#endif
enum { SIZE_LIMIT = 1 << 16, RECORDS_MAX = 1000 };

/* What the generator is told. */
static const char *const kinds[] = {
    "--methods=5 --threads=3 --records=120",
    "--methods=5 --threads=3 --records=120 --data-version=1 --clock=thread-cpu "
    "--ids=dalvik",
    "--methods=5 --threads=3 --records=120 --data-version=2 --clock=wall "
    "--data-offset=16",
    "--methods=5 --threads=2 --records=90 --record-size=23 --data-offset=40 --clock=none",
    "--methods=5 --threads=4 --records=150 --entered=3 --open --unknown-methods=3000 "
    "--unknown-threads=3000 --unroll=500 --recursion=4000",
    "--methods=5 --threads=3 --records=150 --lost=800 --stray=500 --reserved=60 "
    "--backward=400 --overflow --trailing=5",
    "--methods=5 --threads=2 --records=100 --span=20000 --depth=3",
    "--methods=5 --threads=2 --records=400 --sampling=40",
    "--format=streaming --methods=5 --threads=3 --records=120",
    "--format=streaming14 --methods=5 --threads=3 --records=120 --unroll=500",
    "--format=streaming-bare --methods=5 --threads=3 --records=120 --open",
    "--format=streaming-late --methods=5 --threads=4 --records=120 --unknown-methods=3000 "
    "--unknown-threads=3000",
    "--format=v2a --methods=5 --threads=3 --records=120 --unroll=500",
    "--format=v2a-stream --methods=5 --threads=4 --records=240 --unknown-threads=3000",
    "--format=v2b --methods=5 --threads=3 --records=120 --entered=3 --open "
    "--unknown-methods=3000",
};

/* Memory that ends where a page begins that cannot be read. */
struct guarded {
	uint8_t *map;
	size_t page, room;
};

static bool
guarded_new(struct guarded *g, size_t size)
{
	g->page = (size_t)sysconf(_SC_PAGESIZE);
	g->room = (size + g->page - 1) / g->page * g->page;
	g->map = mmap(NULL, g->room + g->page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return g->map != MAP_FAILED &&
	       mprotect(g->map + g->room, g->page, PROT_NONE) == 0;
}

static uint8_t *
guarded_put(const struct guarded *g, const uint8_t *bytes, size_t size)
{
	uint8_t *at = g->map + g->room - size;

	memcpy(at, bytes, size);
	return at;
}

/* What the file holds: opens from `data` bytes on; record i is whole in `end[i]` bytes. */
struct anatomy {
	size_t data;
	size_t count;
	size_t end[RECORDS_MAX];
};

static void
record_at(struct anatomy *a, size_t end)
{
	if (a->count < RECORDS_MAX)
		a->end[a->count++] = end;
}

/* After the *end line and SLOW come records of one size. */
static bool
find_classic(struct anatomy *a, const uint8_t *bytes, size_t size)
{
	static const char mark[] = "*end\nSLOW";
	const uint8_t *end = memmem(bytes, size, mark, sizeof(mark) - 1), *header;
	size_t record;

	if (end == NULL)
		return false;
	header = end + 5;
	a->data = (size_t)(header - bytes) + header[6] + 256u * header[7];
	record = header[4] == 1   ? 9
		 : header[4] == 2 ? 10
				  : header[16] + 256u * header[17];
	for (size_t at = a->data + record; record >= 9 && at <= size; at += record)
		record_at(a, at);
	return a->data < size && record >= 9;
}

static size_t
number(const uint8_t *p, int bytes)
{
	return bytes == 0 ? 0 : p[0] + 256 * number(p + 1, bytes - 1);
}

/* Packets between the records: a thread id of 0, an opcode, lengths. */
static bool
find_streaming(struct anatomy *a, const uint8_t *bytes, size_t size)
{
	size_t at = bytes[6];

	a->data = at;
	while (at + 7 <= size) {
		const uint8_t *p = bytes + at;

		if (number(p, 2) != 0) {
			at += 14;
			record_at(a, at);
		} else {
			at += p[2] == 1	  ? 5 + number(p + 3, 2)
			      : p[2] == 2 ? 7 + number(p + 5, 2)
					  : 7 + number(p + 3, 4);
		}
	}
	return at == size;
}

/* A signed LEB128 number. */
static int64_t
leb(const uint8_t *bytes, size_t *at)
{
	uint64_t v = 0;
	int shift = 0;
	uint8_t byte;

	do {
		byte = bytes[(*at)++];
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40) != 0)
		v |= UINT64_MAX << shift;
	return (int64_t)v;
}

/* Packets; records with two clocks; exits have no method when there is a counter. */
static bool
find_v2(struct anatomy *a, const uint8_t *bytes, size_t size)
{
	static const size_t heads[] = {7, 11, 12, 3};
	bool counter = number(bytes + 22, 4) != 0;
	size_t at = 32;

	a->data = at;
	while (at + 12 <= size && bytes[at] < 4) {
		bool block = bytes[at] == 2;
		size_t head = heads[bytes[at]];
		size_t next = at + head +
			      (block ? number(bytes + at + 8, 4)
				     : number(bytes + at + head - 2, 2));
		int64_t word = 0;

		for (at += head; block && at < next; record_at(a, at)) {
			word += leb(bytes, &at);
			(void)leb(bytes, &at);
			if (!counter || (word & 3) == 0)
				(void)leb(bytes, &at);
		}
		at = next;
	}
	return at == size;
}

static bool
find_records(struct anatomy *a, const uint8_t *bytes, size_t size)
{
	a->count = 0;
	if (bytes[0] == '*')
		return find_classic(a, bytes, size);
	return bytes[4] == 0xf3 ? find_streaming(a, bytes, size) : find_v2(a, bytes, size);
}

static void
try_prefixes(const struct guarded *g, const uint8_t *bytes, size_t size)
{
	static struct anatomy a;
	size_t n, whole = 0, wrong = 0, opened = 0, data = 0, first = 0;

	if (!ok(find_records(&a, bytes, size), "its records are found"))
		return;
	for (n = size % CUT_EVERY; n <= size; n += CUT_EVERY) {
		struct consumed c;
		struct err e = {0};
		bool got = consume_trace(guarded_put(g, bytes, n), n, &c, &e);

		opened += got;
		data += n >= a.data;
		while (whole < a.count && a.end[whole] <= n)
			whole++;
		/* All before the cut is there; without any data there is nothing. */
		if (got ? n < a.data || c.records != whole : n >= a.data) {
			first = wrong++ == 0 ? n : first;
		}
	}
	ok(wrong == 0,
	    "every prefix of %zu bytes gives its whole records (%zu wrong, first %zu)",
	    size, wrong, first);
	is_int((int64_t)opened, (int64_t)data, "those with data open");
}

static void
try_changes(const struct guarded *g, const uint8_t *bytes, size_t size)
{
	uint32_t random = 12345;
	unsigned opened = 0, refused = 0;

	for (int i = 0; i < CHANGES; i++) {
		uint8_t *copy = guarded_put(g, bytes, size);
		struct consumed c;
		struct err e = {0};

		random = random * 1664525 + 1013904223;
		/* Every third hits the text and the header, which are short. */
		copy[(random >> 8) % (i % 3 == 0 ? size < 600 ? size : 600 : size)] ^=
		    (uint8_t)(1 + random % 255);
		if (consume_trace(copy, size, &c, &e))
			opened++;
		else
			refused++;
	}
	ok(opened > 0 && opened + refused == CHANGES,
	    "%d single changes: %u open, %u are refused", CHANGES, opened, refused);
}

int
main(void)
{
	struct guarded g;

	if (!ok(guarded_new(&g, SIZE_LIMIT), "memory before a page that cannot be read"))
		return tap_done();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t size;
		uint8_t *bytes = generate(kinds[i], SIZE_LIMIT, &size);

		if (!ok(bytes != NULL, "a trace: %s", kinds[i]))
			continue;
		try_prefixes(&g, bytes, size);
		try_changes(&g, bytes, size);
		free(bytes);
	}
	return tap_done();
}
