// SPDX-License-Identifier: Apache-2.0
/* columns: values of each kind of row, order, titles, and how figures are written. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "tap/tap.h"
#include "view/list/list.h"
#include "view/fixture.h"

static void
test_format(const struct figures *base)
{
	static const struct {
		struct value v;
		int width;
		const char *want;
	} cases[] = {
	    {{.kind = VALUE_TIME, .a = 1961183000}, 9, "1961.183"},
	    {{.kind = VALUE_TIME, .a = 1961183000}, 8, "1961.183"},
	    {{.kind = VALUE_TIME, .a = 1961183000}, 7, "1961.18"},
	    {{.kind = VALUE_TIME, .a = 1961183000}, 5, "1961"},
	    {{.kind = VALUE_TIME, .a = 1961183000}, 4, "1961"},
	    {{.kind = VALUE_TIME, .a = 1961183000}, 3, "2 s"},
	    {{.kind = VALUE_TIME, .a = 0}, 9, "0.000"},
	    {{.kind = VALUE_PERCENT, .a = 1, .b = 1}, 6, "100.00"},
	    {{.kind = VALUE_PERCENT, .a = 401250, .b = 10000}, 6, "4012.5"},
	    {{.kind = VALUE_PERCENT, .a = 401250, .b = 10000}, 5, "4012"},
	    {{.kind = VALUE_PERCENT, .a = 1, .b = 1000000}, 6, "<.01"},
	    {{.kind = VALUE_PERCENT, .a = 0, .b = 0}, 6, "-"},
	    {{.kind = VALUE_OF, .a = 936, .b = 1152}, 8, "936/1152"},
	    {{.kind = VALUE_OF, .a = 936, .b = 1152}, 7, "936"},
	    {{.kind = VALUE_CALLS, .a = 1, .b = 99}, 7, "1+99"},
	    {{.kind = VALUE_CALLS, .a = 1152, .b = 99}, 4, "1 k"},
	    {{.kind = VALUE_COUNT, .a = 11234}, 4, "11 k"},
	    {{.kind = VALUE_COUNT, .a = 11234}, 3, "11k"},
	    {{.kind = VALUE_COUNT, .a = -1960000}, 5, "-2 M"},
	    {{.kind = VALUE_TIME, .a = INT64_C(1961183000000)}, 6, "1961 s"},
	    {{.kind = VALUE_TIME, .a = INT64_C(1961183000000)}, 4, "33 m"},
	    {{.kind = VALUE_COUNT, .a = 12}, 4, "12"},
	    {{.kind = VALUE_EMPTY}, 4, ""},
	};
	struct figures f = *base;
	char out[FMT_SIZE];
	struct str text;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		text = value_format(&f, cases[i].v, cases[i].width, out);
		is_mem(text.p, text.n, cases[i].want, strlen(cases[i].want), "format %s",
		    cases[i].want);
	}
	f.auto_units = true;
	text =
	    value_format(&f, (struct value){.kind = VALUE_TIME, .a = 1961183000}, 9, out);
	is_mem(text.p, text.n, "1.961 s", 7, "units of their own");
}

static void
test_table(const struct figures *base)
{
	static const struct trace one = {.clocks = HAS_CPU}, runs = {.clocks = HAS_BOTH, .sampled = true};
	struct figures f = *base;
	char out[FMT_SIZE];
	int unnamed = 0;

	for (int i = 0; i < COLUMNS; i++) {
		const struct column *c = &column_table[i];

		unnamed += c->id == NULL || c->title == NULL || c->help == NULL;
		is_int(columns_find(str_from(c->id)), i, "%s is found by its id", c->id);
		ok(strlen(column_title(&f, &column_table[i], out)) <
			(size_t)column_width(&f, (enum column_id)i),
		    "%s has room for its title and an arrow", c->id);
		is_int(column_exists(&column_table[i], &one),
		    (c->flags & (LIST_BOTH_CLOCKS | LIST_RATE | LIST_COMPARED)) == 0,
		    "%s with one clock", c->id);
		is_int(column_exists(&column_table[i], &runs), 
		    (c->flags & (LIST_PER_CALL | LIST_RATE | LIST_COMPARED)) == 0,
		    "%s of runs", c->id);
	}
	is_int(unnamed, 0, "every column is filled in");
	is_int(columns_find(STR("inc")), COLUMNS, "no such id");
	is_str(column_title(&f, &column_table[COLUMN_INCL], out), "Incl ms", "title");
	is_str(column_title(&f, &column_table[COLUMN_OTHER_INCL], out), "Incl wall ms",
	    "title of the other");
	f.clock = CLOCK_WALL;
	is_str(column_title(&f, &column_table[COLUMN_OTHER_INCL], out), "Incl cpu ms", "and back");
	f.auto_units = true;
	is_str(column_title(&f, &column_table[COLUMN_INCL], out), "Incl", "title without unit");
	ok(value_key((struct value){.kind = VALUE_EMPTY}) <
		value_key((struct value){.kind = VALUE_TIME, .a = 0}),
	    "empty is less than nothing");
	is_int(value_key((struct value){.kind = VALUE_CALLS, .a = 2, .b = 3}), 5,
	    "calls are ordered by all of them");
}

/* Figures of any size find room. */
static void
test_widths(void)
{
	struct method_sum sums[2] = {
	    {.present = true},
	    {.present = true,
		.calls = 1234567890,
		.recursive_calls = 77,
		.inclusive = {123456789012345, 0}},
	};
	uint32_t met[] = {0, 1};
	struct fold fold = {.method_count = 2, .methods = sums, .met = met, .met_count = 2,
	    .total = {1, 1}};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);
	struct figures f = {.trace = t, .names = n, .fold = &fold, .clock = CLOCK_CPU};

	is_int(column_width(&f, COLUMN_CALLS), 13, "1234567890+77");
	is_int(column_width(&f, COLUMN_INCL), 13, "123456789.012");
	is_int(column_width(&f, COLUMN_EXCL), 9, "no more than needed");
	names_free(n);
	trace_free(t);
}

/* "0:1+6 1:8+4": which column is where, and how wide. */
static void
is_layout(struct list *l, int columns, bool more, const char *want)
{
	struct list_layout layout;
	char got[200] = "";

	list_layout(&layout, l, columns);
	for (int i = 0; i < layout.count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%d:%d+%d",
		    i > 0 ? " " : "", layout.slots[i].column, layout.slots[i].from,
		    layout.slots[i].to - layout.slots[i].from);
	is_str(got, want, "layout, %d columns", columns);
	ok(layout.more_right == more, "%s left out", more ? "some are" : "none is");
}

/* Column 1, a name, gets what is left: up to 12, and all of it as the last. */
static void
test_layout(void)
{
	static const struct column columns[] = {{"a", "A", "", VALUE_COUNT, .width = 6},
	    {"name", "Name", "", VALUE_TEXT, .flags = LIST_REST, .width = 12},
	    {"b", "B", "", VALUE_COUNT, .width = 4}, {"c", "C", "", VALUE_COUNT, .width = 8},
	    {.id = NULL}};
	static const struct list_source source = {
	    .columns = columns, .name_least = 5};
	struct list l;

	list_init(&l, &source, NULL, NULL);
	for (int i = 0; i < l.count; i++)
		l.width[i] = columns[i].width;
	is_layout(&l, 60, false, "0:1+6 1:8+12 2:21+4 3:26+8");
	is_layout(&l, 30, false, "0:1+6 1:8+8 2:17+4 3:22+8");
	is_layout(&l, 26, true, "0:1+6 1:8+12 2:21+4");
	is_layout(&l, 14, true, "0:1+6 1:8+6");
	is_layout(&l, 4, true, "0:1+3");
	ok(list_shift(&l, 1, 1) && list_shift(&l, 1, 1), "a column moves to the end");
	is_layout(&l, 60, false, "0:1+6 2:8+4 3:13+8 1:22+38");
	is_layout(&l, 18, true, "0:1+6 2:8+4 1:13+5");
	l.columns->of[3].shown = SHOWN_NO;
	is_layout(&l, 60, false, "0:1+6 2:8+4 1:13+47");
	list_release(&l);
}

static bool
all_but_two(const void *of, int column)
{
	(void)of;
	return column != 2;
}

static void
test_set(void)
{
	static const struct column columns[] = {{"a", "A", "", VALUE_COUNT, .width = 6},
	    {"b", "B", "", VALUE_COUNT, .width = 4}, {"c", "C", "", VALUE_COUNT, .width = 4},
	    {"d", "D", "", VALUE_COUNT, .width = 4}, {.id = NULL}};
	static const struct list_source source = {.columns = columns, .has = all_but_two};
	struct list l;

	list_init(&l, &source, NULL, NULL);
	l.width[1] = 4;
	ok(list_shift(&l, 1, 1) && l.columns->order[3] == 1, "over one that the list has not");
	ok(!list_shift(&l, 1, 1), "no further");
	ok(list_widen(&l, 1, 1) && l.columns->of[1].width == 5, "wider");
	ok(list_widen(&l, 1, -1) && !list_widen(&l, 1, -1) && l.columns->of[1].width == 4,
	    "not below its values");
	ok(!list_widen(&l, 1, COLUMN_WIDTH_MAX), "not for ever");
	l.columns->last = 3;
	ok(!list_shift(&l, 0, 1), "the last stays the last");
	ok(!list_shift(&l, 3, -1), "in either direction");
	list_release(&l);
}

/* Files have times on each clock: the other one's are a column's of its own. */
static void
test_twins(void)
{
	const unsigned alone = LIST_AXIS | LIST_BOTH_CLOCKS | LIST_OTHER_CLOCK;

	for (const struct column *c = column_table; c->id != NULL; c++) {
		char twin[64];

		if (c->kind != VALUE_TIME || (c->flags & LIST_CSV) == 0 || (c->flags & alone) != 0)
			continue;
		snprintf(twin, sizeof(twin), "other-%s", c->id);
		ok(columns_find(str_from(twin)) < COLUMNS,
		    "%s is in files: figures.def has %s, with OTHER_TIME", c->id, twin);
	}
}

int
main(void)
{
	struct fixture fixture;
	struct figures f;
	struct fold *fold;

	fixture_worked(&fixture, true);
	fold = fixture_fold(&fixture);
	f = (struct figures){.trace = fixture.trace,
	    .names = fixture.names,
	    .fold = fold,
	    .clock = CLOCK_CPU};
	test_format(&f);
	test_table(&f);
	test_widths();
	test_set();
	test_layout();
	test_twins();
	fold_free(fold);
	fixture_close(&fixture);
	return tap_done();
}
