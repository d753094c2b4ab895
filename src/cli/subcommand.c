#include <config.h>

#include "cli/subcommand.h"

#include <stddef.h>
#include <string.h>

#include "cli/browse.h"
#include "cli/commands.h"
#include "cli/dmtracedump.h"
#include "cli/traceview.h"

/* clang-format off */
const struct subcommand subcommands[COMMANDS] = {
	[COMMAND_BROWSE] = {
	    NULL, "TRACE",
	    "browse an Android method trace by keyboard; report it\n"
	    "if standard output is no terminal",
	    .run = browse,
	},
	[COMMAND_REPORT] = {
	    "report", "TRACE",
	    "print times and calls of methods, and who calls whom",
	    .run = print_report,
	},
	[COMMAND_INFO] = {
	    "info", "TRACE",
	    "print what the trace is: format, header, threads,\n"
	    "and what was lost",
	    .run = print_info,
	},
	[COMMAND_FLAME] = {
	    "flame", "TRACE",
	    "draw a flame graph, or write the stacks for one",
	    .run = flame,
	},
	[COMMAND_HTML] = {
	    "html", "TRACE",
	    "write the report as a page to read in a browser",
	    .run = html,
	},
	[COMMAND_DUMP] = {
	    "dump", "TRACE",
	    "print the records, each with clocks, thread, depth\n"
	    "and method",
	    .run = dump,
	},
	[COMMAND_CONVERT] = {
	    "convert", "--to=FORMAT TRACE",
	    "write the trace as a file that another tool opens",
	    .run = convert,
	},
	[COMMAND_DIFF] = {
	    "diff", "A B",
	    "compare two traces: what got slower or faster, what\n"
	    "is in one only; browse, or report if standard output\n"
	    "is no terminal",
	    .run = diff,
	    .more = 1,
	},
	[COMMAND_DMTRACEDUMP] = {
	    "dmtracedump", "[-ho] [-d TRACE] [-g FILE] [-k] [-t N] TRACE",
	    "print what dmtracedump prints; also when called by\n"
	    "that name",
	    .drop_in = dmtracedump_main,
	    .usage = dmtracedump_usage,
	},
	[COMMAND_TRACEVIEW] = {
	    "traceview", "[-r] TRACE",
	    "with -r print what traceview -r prints, else browse;\n"
	    "also when called by that name",
	    .drop_in = traceview_main,
	    .usage = traceview_usage,
	},
};
/* clang-format on */

enum { WORD_MAX = 16 }; /* letters; no command is longer */

static int
least(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to change, put in, leave out, or swap with the next. */
static int
typing_errors(const char *typed, int length, const char *meant)
{
	int rows[3][WORD_MAX + 1] = {{0}}, width = (int)strlen(meant);

	for (int k = 0; k <= width; k++)
		rows[0][k] = k;
	for (int i = 1; i <= length; i++) {
		int *row = rows[i % 3];
		const int *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];

		row[0] = i;
		for (int k = 1; k <= width; k++) {
			row[k] = least(least(above[k], row[k - 1]) + 1,
			    above[k - 1] + (typed[i - 1] != meant[k - 1]));
			if (i > 1 && k > 1 && typed[i - 1] == meant[k - 2] &&
			    typed[i - 2] == meant[k - 1])
				row[k] = least(row[k], second[k - 2] + 1);
		}
	}
	return rows[length % 3][width];
}

const char *
subcommand_nearest(const char *name)
{
	const char *best = NULL;
	int length = (int)strnlen(name, WORD_MAX), errors = length / 3 > 1 ? length / 3 : 1;

	if (strcmp(name, "help") == 0)
		return "--help";
	if (strcmp(name, "version") == 0)
		return "--version";
	for (int i = 0; i < COMMANDS && length < WORD_MAX; i++) {
		int n = subcommands[i].name == NULL
		    ? WORD_MAX
		    : typing_errors(name, length, subcommands[i].name);

		if (n <= errors && (best == NULL || n < errors)) {
			best = subcommands[i].name;
			errors = n;
		}
	}
	return best;
}

enum subcommand_id
subcommand_find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (subcommands[i].name != NULL && strcmp(subcommands[i].name, name) == 0)
			return (enum subcommand_id)i;
	return COMMAND_BROWSE;
}
