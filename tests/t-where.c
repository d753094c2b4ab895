// SPDX-License-Identifier: Apache-2.0
/* where: conditions on figures: what is read, and which rows of a list meet them. */
#include <config.h>

#include <string.h>

#include "tap/tap.h"
#include "view/list/list.h"
#include "view/list/where.h"

enum { CALLS, TIME, SHARE, REAL, COUNT, HIDDEN, NAME, COUNTED };

static const char letters[] = "abcd";

/* Figures by row; what is not here is empty. */
static const struct value values[][HIDDEN] = {
    {[CALLS] = {.kind = VALUE_CALLS, .a = 1}, [TIME] = {.kind = VALUE_TIME, .a = 16000000},
	[SHARE] = {.kind = VALUE_PERCENT, .a = 1, .b = 4}, [COUNT] = {.kind = VALUE_COUNT, .a = INT64_MAX}},
    {[CALLS] = {.kind = VALUE_CALLS, .a = 1, .b = 2}, [TIME] = {.kind = VALUE_TIME, .a = -5},
	[SHARE] = {.kind = VALUE_PERCENT}, [COUNT] = {.kind = VALUE_COUNT, .a = -3}},
    {[CALLS] = {.kind = VALUE_CALLS}, [SHARE] = {.kind = VALUE_PERCENT, .a = -1, .b = 2},
	[COUNT] = {.kind = VALUE_COUNT}},
    {[CALLS] = {.kind = VALUE_OF, .a = 7, .b = 9}, [TIME] = {.kind = VALUE_TIME, .a = INT64_MAX}},
};
static const char *const names[] = {"one", "late frame", "", "17 one"};
static const double reals[] = {0.5, -0.25, 1e300, 0};

static void
children(void *of, struct list *l, const struct list_row *row)
{
	for (uint32_t i = 0; row == NULL && letters[i] != '\0'; i++)
		list_add(l, (struct list_id){i, 0}, i);
	if (row == NULL)
		list_add(l, (struct list_id){9, 0}, 3)->flags = LIST_LAST;
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	struct value v;

	if (column == REAL)
		return value_real(reals[row->item], 3);
	if (column < HIDDEN)
		return values[row->item][column];
	v = value_text(str_from(names[row->item]));
	v.b = row->item == 3 ? 2 : 0;
	return v;
}

static const struct column columns[] = {
    [CALLS] = {"calls", "Calls", "", .kind = VALUE_CALLS},
    [TIME] = {"max", "Max", "", .kind = VALUE_TIME, .was = "longest"},
    [SHARE] = {"incl%", "Incl%", "", .kind = VALUE_PERCENT},
    [REAL] = {"load", "Load", "", .kind = VALUE_REAL},
    [COUNT] = {"count", "Count", "", .kind = VALUE_COUNT, .flags = LIST_FOR_PROGRAMS},
    [HIDDEN] = {"sign", "Sign", "", .kind = VALUE_TEXT, .flags = LIST_FOR_PEOPLE},
    [NAME] = {"name", "Name", "", .kind = VALUE_TEXT, .flags = LIST_REST | LIST_WITH_ID},
    {.id = NULL},
};

static const struct list_source source = {
    .word = "things", .empty = "", .columns = columns, .sort = NAME, .get = get,
    .children = children};

/* Which rows of the list meet the line: their letters, in order of the list's own. */
static void
meets(struct list *l, struct wheres *all, const char *line, const char *want)
{
	struct err e = {0};
	char got[sizeof(letters)] = "";
	size_t n = 0;

	ok(wheres_set(all, l, str_from(line), &e), "read: %s %s", line, e.what);
	list_set_size(l, 20, 80);
	for (size_t i = 0; letters[i] != '\0'; i++)
		if (list_find(l, (struct list_id){i, 0}) != NULL)
			got[n++] = letters[i];
	is_str(got, want, "rows: %s", line);
}

static void
refuses(struct list *l, struct wheres *all, const char *line, const char *words, uint64_t at)
{
	struct err e = {0};

	ok(!wheres_set(all, l, str_from(line), &e), "not read: %s", line);
	ok(strstr(e.what, words) != NULL, "%s: \"%s\"", line, e.what);
	is_int((int64_t)(e.has_offset ? e.offset : 999), (int64_t)at, "where it is: %s", line);
}

static void
test_figures(struct list *l, struct wheres *all)
{
	meets(l, all, "calls=1", "a");
	meets(l, all, "calls=3", "b"); /* recursive ones, too */
	meets(l, all, "calls>=3", "bd");
	meets(l, all, "calls<1", "c");
	meets(l, all, "calls<=1.5", "ac");
	meets(l, all, "max>15.999ms", "ad");
	meets(l, all, "max=16ms", "a");
	meets(l, all, "max=0.016s", "a");
	meets(l, all, "longest<=16000us", "ab");
	meets(l, all, "max<16000000ns", "b");
	meets(l, all, "max<-4ns", "b");
	meets(l, all, "max>=-5ns max<1s", "ab");
	meets(l, all, "incl%=25%", "a");
	meets(l, all, "incl%>-50.5%", "ac");
	meets(l, all, "incl%<0%", "c");
	meets(l, all, "load>0", "ac");
	meets(l, all, "load<=-25e-2", "b");
	meets(l, all, "load<1e300", "abd");
	meets(l, all, "count=9223372036854775807", "a");
	meets(l, all, "count>=9223372036854775808", "");
	meets(l, all, "count=-3", "b");
	meets(l, all, "name=one", "ad"); /* the id before it is no part */
	meets(l, all, "name=\"late frame\"", "b");
	meets(l, all, "name=\"\"", "c");
	meets(l, all, "  calls=1   max>1ms ", "a");
	meets(l, all, "calls=1 max>17ms", "");
	is_int((int64_t)l->at.count, 1, "what comes last stays");
	meets(l, all, "", "abcd");
	ok(wheres_of(all, &source) == NULL, "no conditions are none");
}

static void
test_bad(struct list *l, struct wheres *all)
{
	meets(l, all, "calls=1", "a");
	refuses(l, all, "nothing=1", "'things' has no column 'nothing', only calls, max,", 0);
	refuses(l, all, "calls=1 sign=x", "no column 'sign'", 8);
	refuses(l, all, "calls", "expected conditions such as", 0);
	refuses(l, all, "=1", "expected conditions", 0);
	refuses(l, all, "calls!=1", "no column 'calls!'", 0);
	refuses(l, all, "max > 1ms", "expected conditions", 0);
	refuses(l, all, "max>", "max expects a figure", 4);
	refuses(l, all, "calls==1", "a number", 6);
	refuses(l, all, "calls=1,max>1ms", "a number", 6);
	refuses(l, all, "calls=0x10", "a number", 6);
	refuses(l, all, "calls=inf", "a number", 6);
	refuses(l, all, "calls<nan", "a number", 6);
	refuses(l, all, "calls<1e400", "a number", 6);
	refuses(l, all, "calls>-1e400", "a number", 6);
	refuses(l, all, "calls=1k", "a number", 6);
	refuses(l, all, "calls=1ms", "a number", 6);
	refuses(l, all, "max>16", "a time with its unit", 4);
	refuses(l, all, "max>16min", "a time with its unit", 4);
	refuses(l, all, "max>1.0000000001s", "a time with its unit", 4);
	refuses(l, all, "max>99999999999s", "a time with its unit", 4);
	refuses(l, all, "max>--1s", "a time with its unit", 4);
	refuses(l, all, "incl%>5", "a percentage", 6);
	refuses(l, all, "incl%>%", "a percentage", 6);
	refuses(l, all, "name>one", "the whole text", 5);
	refuses(l, all, "name=", "name expects a figure", 5);
	refuses(l, all, "name=\"one", "name expects a figure", 5);
	refuses(l, all, "name=\"one\"x", "name expects a figure", 5);
	is_str(wheres_of(all, &source)->text, "calls=1", "those of before hold on");
}

static void
test_copies(struct list *l, struct wheres *all)
{
	struct wheres copy = {.list = NULL};

	meets(l, all, "name=\"late frame\" calls>1", "b");
	wheres_copy(&copy, all);
	ok(wheres_equal(&copy, all), "a copy is equal");
	meets(l, all, "calls=0", "c");
	ok(!wheres_equal(&copy, all), "until one of them changes");
	wheres_copy(all, &copy);
	wheres_release(&copy);
	list_set_size(l, 20, 80);
	ok(l->at.count == 2 && l->passed == 2 && l->total == 5, "and holds in its place");
	ok(!wheres_equal(&copy, all) && !wheres_equal(all, &copy), "none is another one");
	wheres_copy(all, &copy);
	list_set_size(l, 20, 80);
	is_int((int64_t)l->at.count, 5, "none: all rows");
}

int
main(void)
{
	static const struct trace trace;
	struct wheres all = {.list = NULL};
	struct figures figures = {.trace = &trace, .wheres = &all};
	struct list l;

	list_init(&l, &source, NULL, &figures);
	list_set_size(&l, 20, 80);
	test_figures(&l, &all);
	test_bad(&l, &all);
	test_copies(&l, &all);
	list_release(&l);
	wheres_release(&all);
	return tap_done();
}
