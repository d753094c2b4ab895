// SPDX-License-Identifier: Apache-2.0
/*
 * man-columns: columns for slowtop(1), in mdoc(7), from the tables that the program goes by:
 * those of methods ("columns"), what CSV has of them ("figures"), those of diff ("diff").
 * "make update-docs" puts them into the page, t-docs compares.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "mdoc.h"
#include "view/diff/columns.h"
#include "view/figures.h"

static void
put_list(const struct column *c, const char *width)
{
	printf(".Bl -tag -width %s -compact\n", width);
	for (; c->id != NULL; c++) {
		if ((c->flags & LIST_FOR_PROGRAMS) != 0)
			continue;
		fputs(".It Cm ", stdout);
		mdoc_put(c->id);
		putchar('\n');
		mdoc_put(c->help);
		putchar('\n');
	}
	puts(".El");
}

static void
put_field(const char *before, const char *id, const char *behind)
{
	static bool any;

	printf("%s%s%s%s", any ? " ,\n.Cm " : ".Cm ", before, id, behind);
	any = true;
}

static void
put_figures(void)
{
	/* Those of no clock, of each clock, and of the time axis. */
	for (int clock = -1; clock <= CLOCKS; clock++)
		for (const struct column *c = column_table; c->id != NULL; c++) {
			bool clocked = c->kind == VALUE_TIME && (c->flags & LIST_BOTH_CLOCKS) == 0;
			bool last = (c->flags & LIST_AXIS) != 0;

			if ((c->flags & LIST_CSV) == 0 || last != (clock == CLOCKS) ||
			    clocked != (clock >= 0))
				continue;
			put_field("", output_key(c->id, c->kind, "", FMT_BUF),
			    last		   ? "_us"
				: clock < 0	     ? c->kind == VALUE_TIME ? "_us" : ""
				: clock == CLOCK_CPU ? "_cpu_us"
						   : "_wall_us");
			if (c->kind == VALUE_CALLS)
				put_field("recursive_", c->id, "");
		}
	puts(" .");
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "figures") == 0)
		put_figures();
	else if (strcmp(what, "diff") == 0)
		put_list(diff_columns, "by-calls");
	else
		put_list(column_table, "\"other-incl%\"");
	return 0;
}
