// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/spool.h"
#include "base/watch.h"
#include "tap/tap.h"

enum { ITEMS = 3000000, STEP = 7919 };

struct item {
	uint64_t a, b, c;
};

static void
test_many(const char *folder)
{
	struct err e = {.kind = ERR_NONE};
	struct spool s;
	uint64_t bad = 0;

	spool_init(&s, sizeof(struct item), folder);
	for (uint64_t i = 0; i < ITEMS; i++) {
		struct item *item = spool_add(&s, &e);

		if (item == NULL)
			break;
		bad += item->a != 0 || item->c != 0;
		item->a = i;
		/* An earlier one, as calls that end are. */
		((struct item *)spool_at(&s, i / 2))->b++;
	}
	is_int((int64_t)s.count, ITEMS, "items");
	is_int((int64_t)bad, 0, "new ones are clear");
	bad = 0;
	for (uint64_t i = 0, at = 0; i < 20000; i++, at = (at + STEP) % ITEMS) {
		const struct item *item = spool_at(&s, at);

		bad += item->a != at || item->b != (at < ITEMS / 2 ? 2 : 0);
	}
	is_int((int64_t)bad, 0, "all are as they were left");
	spool_release(&s);
}

/* Cuts near the ends of parts, in memory and in the file, each filled again a little. */
static void
test_cut(const char *folder)
{
	static const uint64_t cuts[] = {ITEMS + 5, ITEMS - 1, ITEMS - 70001, 2097152, 2097151, 1 << 20,
	    (1 << 20) - 1, 65536, 65535, 4096, 1, 0};
	struct err e = {.kind = ERR_NONE};
	struct spool s;
	uint64_t bad = 0, count = ITEMS;

	spool_init(&s, sizeof(struct item), folder);
	for (uint64_t i = 0; i < ITEMS; i++) {
		struct item *item = spool_add(&s, &e);

		item->a = item->b = item->c = i;
	}
	for (size_t n = 0; n < sizeof(cuts) / sizeof(cuts[0]); n++) {
		uint64_t first = cuts[n] < count ? cuts[n] : count;

		spool_cut(&s, cuts[n]);
		bad += s.count != first;
		for (uint64_t i = first; i < first + 9000; i++) {
			struct item *item = spool_add(&s, &e);

			bad += item->a != 0 || item->b != 0 || item->c != 0;
			item->a = item->b = item->c = i;
		}
		count = s.count;
		bad += count != first + 9000;
		for (uint64_t i = 0; i < count; i += 997) {
			const struct item *item = spool_at(&s, i);

			bad += item->a != i || item->c != i;
		}
	}
	is_int((int64_t)bad, 0, "what is cut off is clear when it comes again");
	spool_release(&s);
}

static void
test_no_space(void)
{
	struct err e = {.kind = ERR_NONE};
	struct spool s;
	int64_t made = 0;

	spool_init(&s, 4096, "/nonexistent");
	while (made < 100000 && spool_add(&s, &e) != NULL)
		made++;
	ok(made > 100 && made < 100000, "the first are in memory: %d", (int)made);
	is_int(e.kind, ERR_SYSTEM, "without a folder there is an error");
	ok(strstr(e.what, "/nonexistent") != NULL, "which names it");
	spool_release(&s);
}

static void
test_full(const char *folder)
{
	struct rlimit limit = {8 << 20, RLIM_INFINITY};
	struct err e = {.kind = ERR_NONE};
	struct spool s;
	int64_t made = 0;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	spool_init(&s, 4096, folder);
	while (made < 100000 && spool_add(&s, &e) != NULL)
		made++;
	ok(made < 100000, "a full disk is met: %d", (int)made);
	is_int(e.kind, ERR_SYSTEM, "and is an error");
	spool_release(&s);
}

/* What is opened at once, before the watch's thread looked at the file. */
static void
test_watch(const char *folder)
{
	const struct tempfile_how how = {.folder = folder};
	struct err e = {.kind = ERR_NONE};
	char path[4096];
	int same = 0;

	snprintf(path, sizeof(path), "%s/t-spool.watched", folder);
	fclose(fopen(path, "w"));
	for (int i = 0; i < 100; i++) {
		struct watch *w = watch_new(path, -1, false, &how, &e);

		if (w == NULL)
			break;
		close(watch_open(w));
		same += watch_same(w);
		watch_free(w);
	}
	unlink(path);
	is_int(same, 100, "a file is the same when it was opened at once");
}

int
main(void)
{
	const char *folder = getenv("BUILDDIR");

	folder = folder != NULL ? folder : ".";
	test_many(folder);
	test_cut(folder);
	test_no_space();
	test_watch(folder);
	test_full(folder);
	return tap_done();
}
