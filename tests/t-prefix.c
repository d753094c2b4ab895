/*
 * Small traces of every kind, cut after every byte and with single bytes changed.
 * Each is put before a page that cannot be read, so that a look behind its end stops
 * the test at once, in any build.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/consume.h"
#include "tap/tap.h"

enum { SIZE_LIMIT = 1 << 16, CHANGES = 1000 };

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

/* 0 when the generator fails. */
static size_t
generate(const char *options, uint8_t *bytes, size_t room)
{
	const char *build = getenv("BUILDDIR");
	char command[512];
	size_t n;
	FILE *in;

	snprintf(command, sizeof(command), "'%s'/tests/gen/tracegen %s",
	    build != NULL ? build : ".", options);
	in = popen(command, "r");
	if (in == NULL)
		return 0;
	n = fread(bytes, 1, room, in);
	return pclose(in) == 0 && n < room ? n : 0;
}

/* Where the records begin, and their size: after the *end line that SLOW follows. */
static bool
find_records(const uint8_t *bytes, size_t size, size_t *data, size_t *record)
{
	static const char mark[] = "*end\nSLOW";
	const uint8_t *end = memmem(bytes, size, mark, sizeof(mark) - 1), *header;

	if (end == NULL)
		return false;
	header = end + 5;
	*data = (size_t)(header - bytes) + header[6] + 256u * header[7];
	*record = header[4] == 1   ? 9
		  : header[4] == 2 ? 10
				   : header[16] + 256u * header[17];
	return *data < size && *record >= 9;
}

static void
try_prefixes(const struct guarded *g, const uint8_t *bytes, size_t size)
{
	size_t data = 0, record = 1, n, wrong = 0, opened = 0, first = 0;

	if (!ok(find_records(bytes, size, &data, &record), "its records are found"))
		return;
	for (n = 0; n <= size; n++) {
		struct consumed c;
		struct err e = {0};
		bool got = consume_trace(guarded_put(g, bytes, n), n, &c, &e);

		opened += got;
		/* All before the cut is there; without any data there is nothing. */
		if (got ? n < data || c.records != (n - data) / record : n >= data) {
			first = wrong++ == 0 ? n : first;
		}
	}
	ok(wrong == 0,
	    "every prefix of %zu bytes gives its whole records (%zu wrong, first %zu)",
	    size, wrong, first);
	is_int((int64_t)opened, (int64_t)(size - data + 1), "those with data open");
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
	static uint8_t bytes[SIZE_LIMIT];
	struct guarded g;

	if (!ok(guarded_new(&g, SIZE_LIMIT), "memory before a page that cannot be read"))
		return tap_done();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t size = generate(kinds[i], bytes, sizeof(bytes));

		if (!ok(size > 0, "a trace: %s", kinds[i]))
			continue;
		try_prefixes(&g, bytes, size);
		try_changes(&g, bytes, size);
	}
	return tap_done();
}
