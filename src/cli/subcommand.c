#include <config.h>

#include "cli/subcommand.h"

#include <stddef.h>
#include <string.h>

#include "cli/browse.h"
#include "cli/convert.h"
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
	},
	[COMMAND_REPORT] = {
	    "report", "TRACE",
	    "print times and calls of methods, and who calls whom",
	    print_report,
	    NULL,
	},
	[COMMAND_INFO] = {
	    "info", "TRACE",
	    "print what the trace is: format, header, threads,\n"
	    "and what was lost",
	    print_info,
	    NULL,
	},
	[COMMAND_FLAME] = {
	    "flame", "TRACE",
	    "draw a flame graph, or write the stacks for one",
	    flame,
	    NULL,
	},
	[COMMAND_HTML] = {
	    "html", "TRACE",
	    "write the report as a page to read in a browser",
	    html,
	    NULL,
	},
	[COMMAND_DUMP] = {
	    "dump", "TRACE",
	    "print the records, each with clocks, thread, depth\n"
	    "and method",
	    dump,
	    NULL,
	},
	[COMMAND_CONVERT] = {
	    "convert", "--to=FORMAT TRACE",
	    "write the trace as a file that another tool opens",
	    convert,
	    NULL,
	},
	[COMMAND_DMTRACEDUMP] = {
	    "dmtracedump", "[-ho] [-d TRACE] [-g FILE] [-k] [-t N] TRACE",
	    "print what dmtracedump prints; also when called by\n"
	    "that name",
	    NULL,
	    dmtracedump_main,
	},
	[COMMAND_TRACEVIEW] = {
	    "traceview", "[-r] TRACE",
	    "with -r print what traceview -r prints, else browse;\n"
	    "also when called by that name",
	    NULL,
	    traceview_main,
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
