// SPDX-License-Identifier: Apache-2.0
/* bookmarks: lines of the file, hostile ones too. */
#include <config.h>

#include "view/bookmarks.h"

#include <string.h>

#include "tap/tap.h"

static const char file[] =
    "/a/b.trace\tk\t5\t4100\t1500\t0\t0\t-9223372036854775808\t9223372036854775807\t"
    "a.B.f%20x\n"
    "/other\tk\t1\t1\t1\t0\t0\t0\t5\tx\n"
    "no line\n"
    "/a/b.trace\tK\t5\t1\t1\t0\t0\t0\t5\tx\n"
    "/a/b.trace\tm\t5\t1\t1\t0\t0\t5\t5\tempty window\n"
    "/a/b.trace\tn\t5\t1\tx\t0\t0\t0\t5\tno number\n"
    "/a/b.trace\to\t5\t1\t1\t0\t0\t0\t5\tbad%2\n"
    "/a/b.trace\tp\t5\t1\t1\t0\t0\t0\t5\n"
    "/a/%62.trace\tr\t2\t1\t7\t3\t9\t0\t5\t\n";

static void
test_read(void)
{
	struct bookmarks b = {0};

	bookmarks_read(&b, STR(file), STR("/a/b.trace"));
	ok(b.items['k' - 'a'].set, "k is there");
	is_int(b.items['k' - 'a'].view, '5', "its view");
	is_int(b.items['k' - 'a'].thread, 4100, "its thread");
	is_int(b.items['k' - 'a'].cursor, 1500, "its time");
	ok(range_is_all(&b.items['k' - 'a'].window), "of the whole trace");
	ok(str_equal(sbuf_view(&b.items['k' - 'a'].method), STR("a.B.f x")), "its method");
	for (const char *c = "mnopx"; *c != '\0'; c++)
		ok(!b.items[*c - 'a'].set, "%c is not", *c);
	ok(b.items['r' - 'a'].set && b.items['r' - 'a'].shown.to == 9, "escapes in the trace's name");
	bookmarks_release(&b);
}

static void
test_write(void)
{
	struct bookmarks b = {0}, again = {0};
	struct bookmark *x = &b.items['x' - 'a'];
	struct sbuf out = {0}, more = {0};

	*x = (struct bookmark){.set = true, .view = '1', .thread = 7, .cursor = -5,
	    .window = {1, 2}};
	sbuf_text(&x->method, "n\ta\n\x1b%");
	bookmarks_write(&b, 'x' - 'a', STR(file), STR("/a\n/t"), &out);
	ok(strstr(sbuf_cstr(&out), "/other\tk") != NULL, "other traces' stay");
	ok(strstr(sbuf_cstr(&out), "no line") == NULL, "what makes no sense goes");
	ok(strchr(sbuf_cstr(&out), '\x1b') == NULL, "no control characters");
	bookmarks_read(&again, sbuf_view(&out), STR("/a\n/t"));
	ok(again.items['x' - 'a'].set, "read again");
	is_int(again.items['x' - 'a'].cursor, -5, "with its time");
	ok(str_equal(sbuf_view(&again.items['x' - 'a'].method), sbuf_view(&x->method)),
	    "and its method");
	for (int i = 0; i < 2 * BOOKMARK_LINES; i++)
		sbuf_printf(&more, "/t%d\ta\t1\t1\t1\t0\t0\t0\t5\tx\n", i);
	sbuf_clear(&out);
	bookmarks_write(&b, 'x' - 'a', sbuf_view(&more), STR("/t"), &out);
	ok(strstr(sbuf_cstr(&out), "/t1001\t") != NULL, "the newest stay");
	ok(strstr(sbuf_cstr(&out), "/t1000\t") == NULL, "older ones go");
	sbuf_release(&out);
	sbuf_release(&more);
	bookmarks_release(&b);
	bookmarks_release(&again);
}

int
main(void)
{
	test_read();
	test_write();
	return tap_done();
}
