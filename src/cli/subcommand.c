#include <config.h>

#include "cli/subcommand.h"

#include <stddef.h>
#include <string.h>

#include "cli/browse.h"
#include "cli/convert.h"
#include "cli/diff.h"
#include "cli/dmtracedump.h"
#include "cli/flame.h"
#include "cli/print.h"
#include "cli/traceview.h"

/* clang-format off */
const struct subcommand subcommands[COMMANDS] = {
	[COMMAND_BROWSE] = {
	    NULL, "TRACE",
	    "browse an Android method trace by keyboard; report it\n"
	    "if standard output is no terminal",
	    browse,
	    NULL,
	    0,
	},
	[COMMAND_REPORT] = {
	    "report", "TRACE",
	    "print times and calls of methods, and who calls whom",
	    print_report,
	    NULL,
	    0,
	},
	[COMMAND_INFO] = {
	    "info", "TRACE",
	    "print what the trace is: format, header, threads,\n"
	    "and what was lost",
	    print_info,
	    NULL,
	    0,
	},
	[COMMAND_FLAME] = {
	    "flame", "TRACE",
	    "draw a flame graph, or write the stacks for one",
	    flame,
	    NULL,
	    0,
	},
	[COMMAND_HTML] = {
	    "html", "TRACE",
	    "write the report as a page to read in a browser",
	    html,
	    NULL,
	    0,
	},
	[COMMAND_DUMP] = {
	    "dump", "TRACE",
	    "print the records, each with clocks, thread, depth\n"
	    "and method",
	    dump,
	    NULL,
	    0,
	},
	[COMMAND_CONVERT] = {
	    "convert", "--to=FORMAT TRACE",
	    "write the trace as a file that another tool opens",
	    convert,
	    NULL,
	    0,
	},
	[COMMAND_DIFF] = {
	    "diff", "A B",
	    "compare two traces: what got slower or faster, what\n"
	    "is in one only; browse, or report if standard output\n"
	    "is no terminal",
	    diff,
	    NULL,
	    1,
	},
	[COMMAND_DMTRACEDUMP] = {
	    "dmtracedump", "[-ho] [-d TRACE] [-g FILE] [-k] [-t N] TRACE",
	    "print what dmtracedump prints; also when called by\n"
	    "that name",
	    NULL,
	    dmtracedump_main,
	    0,
	},
	[COMMAND_TRACEVIEW] = {
	    "traceview", "[-r] TRACE",
	    "with -r print what traceview -r prints, else browse;\n"
	    "also when called by that name",
	    NULL,
	    traceview_main,
	    0,
	},
};
/* clang-format on */

enum subcommand_id
subcommand_find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (subcommands[i].name != NULL && strcmp(subcommands[i].name, name) == 0)
			return (enum subcommand_id)i;
	return COMMAND_BROWSE;
}
