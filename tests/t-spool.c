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
#include "format/log/kept.h"
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

/* Items of any number at once, each lot contiguous, over the ends of parts in memory and in the file. */
static void
test_append(const char *folder)
{
	enum { LOTS = 20000, LOT_MOST = 2500 };
	struct err e = {.kind = ERR_NONE};
	struct spool s;
	uint64_t *first = calloc(LOTS, sizeof(*first)), bad = 0;

	spool_init(&s, 1, folder);
	for (uint32_t i = 0; i < LOTS; i++) {
		size_t count = i * STEP % LOT_MOST + 1;
		uint8_t *lot = spool_append(&s, count, &first[i], &e);

		memset(lot, (int)(i & 0xff), count);
	}
	for (uint32_t i = 0; i < LOTS; i++) {
		size_t count = i * STEP % LOT_MOST + 1;
		const uint8_t *lot = spool_peek(&s, first[i]);

		bad += spool_run(&s, first[i]) < count || lot[0] != (i & 0xff) || lot[count - 1] != (i & 0xff);
	}
	is_int((int64_t)bad, 0, "lots of any number are contiguous and stay");
	spool_release(&s);
	free(first);
}

/* The numbers of an event of a log; every few blocks some go far. */
static struct event
event_made(uint64_t i)
{
	uint64_t far = i / 3000 % 4 == 3 ? i * 0x9e3779b97f4a7c15 : i * 0x9e37 % 251;

	return (struct event){.thread = (uint32_t)far, .word = i % 5 == 0 ? WORD_TICK : (uint32_t)(far >> 7),
	    .time = {[CLOCK_CPU] = far, [CLOCK_WALL] = i * 1000 + (far & 0x3fffffff)}};
}

static void
event_put(struct kept *k, uint64_t i, struct err *e)
{
	struct event ev = event_made(i);

	if (!kept_holds(k, (nsec)ev.time[CLOCK_WALL], i))
		(void)kept_close(k, i, e);
	kept_add(k, (nsec)ev.time[CLOCK_WALL], ev.time[CLOCK_CPU], i, ev.thread, ev.word);
}

/* Counts the events of all blocks that are not as they were put; the first is of number `i`. */
static uint64_t
events_bad(const struct kept *k, uint64_t *i)
{
	static struct batch_room room;
	struct batch b = batch_in(&room);
	uint64_t bad = 0;

	for (uint32_t block = 0; block < k->blocks.count; block++) {
		kept_read(k, kept_block(k, block), &b);
		for (uint32_t n = 0; n < b.count; n++, ++*i) {
			struct event ev = event_made(*i);

			bad += memcmp(&ev, &b.ev[n], sizeof(ev)) != 0 || b.offset + b.place[n] != *i;
		}
		bad += kept_block(k, block)->end != *i;
	}
	return bad;
}

static void
test_kept(const char *folder)
{
	enum { EVENTS = 3000000, CUT = 1000 };
	struct err e = {.kind = ERR_NONE};
	struct kept *k = calloc(1, sizeof(*k));
	uint64_t i = 0, bytes, from;

	kept_init(k, folder);
	for (uint64_t n = 0; n < EVENTS; n++)
		event_put(k, n, &e);
	(void)kept_close(k, EVENTS, &e);
	is_int((int64_t)events_bad(k, &i), 0, "events are as they were kept");
	is_int((int64_t)i, EVENTS, "all of them");
	bytes = k->bytes.count;
	ok(bytes < EVENTS * 20, "in less than 20 bytes each of these: %d", (int)(bytes / EVENTS));
	from = kept_block(k, CUT - 1)->end;
	kept_cut(k, CUT, kept_block(k, CUT)->first);
	for (uint64_t n = from; n < EVENTS; n++)
		event_put(k, n, &e);
	(void)kept_close(k, EVENTS, &e);
	i = 0;
	is_int((int64_t)events_bad(k, &i), 0, "such that come after a cut, too");
	is_int((int64_t)i, EVENTS, "all of them");
	is_int((int64_t)k->bytes.count, (int64_t)bytes, "in the same place");
	kept_release(k);
	free(k);
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
	test_append(folder);
	test_kept(folder);
	test_no_space();
	test_watch(folder);
	test_full(folder);
	return tap_done();
}
