/* option-table: what options there are, and what each does (options.h). */
#include <config.h>

#include <stddef.h>

#include "cli/option_values.h"
#include "tui/start.h"

#define BROWSE COMMAND_BIT(COMMAND_BROWSE)
#define REPORT COMMAND_BIT(COMMAND_REPORT)
#define INFO   COMMAND_BIT(COMMAND_INFO)
#define FLAME  COMMAND_BIT(COMMAND_FLAME)
#define HTML   COMMAND_BIT(COMMAND_HTML)
#define CONVERT COMMAND_BIT(COMMAND_CONVERT)
#define DUMP   COMMAND_BIT(COMMAND_DUMP)
#define DIFF   COMMAND_BIT(COMMAND_DIFF)

#define FLAG(member) offsetof(struct options, member)

/* clang-format off */
const struct option_row option_rows[] = {
	{ "format", 0, "FORMAT", REPORT | INFO, "Printing options",
	    "form of what is printed, text unless given;\n"
	    "asks for the report; csv is for it alone",
	    option_word_format, .apply = option_format },
	{ "output", 'o', "FILE", REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "write to this file, which appears whole or not at\n"
	    "all; - is standard output",
	    .apply = option_output, .prints = true },
	{ "force", 0, NULL, REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "write it even if there is such a file already",
	    .flag = FLAG(force) },
	{ "view", 0, "VIEW", BROWSE, "Browser and report options",
	    "what the browser begins with, or its key (2); where\n"
	    "standard output is no terminal, as for the report:",
	    start_view, .apply = option_start_view },
	{ "clock", 0, "CLOCK", BROWSE | REPORT | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "time to go by; wall when the trace has it",
	    option_word_clock, .apply = option_clock },
	{ "sort", 0, "[+|-]COLUMN", BROWSE | REPORT, NULL,
	    "order of the rows, + smallest first, - largest first;\n"
	    "of --view=log-... a column of its CSV, else\n"
	    "inclusive time unless given",
	    option_word_column, .apply = option_sort },
	{ "filter", 0, "REGEX", BROWSE | REPORT | HTML | CONVERT | DUMP | DIFF, NULL,
	    "only rows that match, or with ! in front do not;\n"
	    "given again, all must hold",
	    .apply = option_filter },
	{ "transform", 0, "NAME:ARG", BROWSE | REPORT | FLAME | HTML | CONVERT | DIFF, NULL,
	    "change the call tree first: focus, merge, drop...\n"
	    "given again, one after the other",
	    .apply = option_transform },
	{ "thread", 0, "THREAD", BROWSE | REPORT | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "only this thread, by id or name; given again, these",
	    .apply = option_thread },
	{ "process", 0, "PROCESS", BROWSE | REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "of a log only this process, by id or name; given\n"
	    "again, these",
	    .apply = option_process },
	{ "tag", 0, "TAG", BROWSE | REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "of a log only slices with this HiTrace tag, by\n"
	    "name or number; given again, any of these",
	    .apply = option_tag },
	{ "level", 0, "LEVEL", BROWSE | REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "of a log only slices of this level or higher",
	    option_word_level, .apply = option_level },
	{ "from", 0, "TIME", BROWSE | REPORT | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "only from this time of the trace on, in seconds, or\n"
	    "with a unit: 1250ms",
	    .apply = option_from },
	{ "to", 0, "TIME", BROWSE | REPORT | FLAME | HTML | DUMP | DIFF, NULL,
	    "only up to this time of the trace",
	    .apply = option_to },
	{ "until", 0, "TIME", BROWSE | REPORT | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "the same; also where --to is something else",
	    .apply = option_to },
	{ "method", 0, "REGEX", BROWSE | REPORT, NULL,
	    "parents and children of the methods that match; given\n"
	    "again, of these too; the browser begins at the first",
	    .apply = option_method },
	{ "calls", 0, "REGEX", BROWSE | REPORT, NULL,
	    "single calls of the methods that match, with\n"
	    "percentiles: --view=calls --method=REGEX",
	    .apply = option_calls },
	{ "budget", 0, "TIME", BROWSE | REPORT, NULL,
	    "mark calls that took longer; 16.7ms unless given",
	    .apply = option_budget },
	{ "together", 0, NULL, BROWSE | REPORT | FLAME, NULL,
	    "threads as one in trees, not each for itself",
	    .flag = FLAG(report.together) },
	{ "view", 0, "VIEW", REPORT, "Report options (any of them asks for the report)",
	    "what the rows are, methods unless given",
	    option_word_view, .apply = option_view },
	{ "limit", 0, "N", REPORT, NULL,
	    "at most N rows",
	    .apply = option_limit },
	{ "relations", 0, NULL, REPORT, NULL,
	    "parents and children of every method",
	    .flag = FLAG(report.relations) },
	{ "min-percent", 0, "PERCENT", REPORT, NULL,
	    "fold in trees what is less of the total; 0.5\n"
	    "unless given",
	    .apply = option_min_percent },
	{ "format", 0, "FORMAT", FLAME, "Options of flame and html",
	    "picture or stacks, svg unless given:",
	    option_word_flame, .apply = option_flame_format },
	{ "chart", 0, NULL, FLAME, NULL,
	    "calls in the order of time, thread by thread, not\n"
	    "their sums",
	    .flag = FLAG(flame.chart) },
	{ "title", 0, "TEXT", FLAME | HTML, NULL,
	    "of the picture; made from the trace's name\n"
	    "unless given",
	    .apply = option_flame_title },
	{ "count-name", 0, "TEXT", FLAME, NULL,
	    "times in the picture in microseconds, called so;\n"
	    "milliseconds unless given",
	    .apply = option_flame_count_name },
	{ "min-width", 0, "PIXELS", FLAME, NULL,
	    "leave out of the picture what is narrower;\n"
	    "0.1 unless given",
	    .apply = option_flame_min_width },
	{ "format", 0, "FORMAT", DUMP, "Options of dump",
	    "text unless given; json: an object a line",
	    option_word_dump, .apply = option_dump },
	{ "to", 0, "FORMAT", CONVERT, "Options of convert",
	    "what to write; --list says more:",
	    option_word_convert, .apply = option_convert },
	{ "list", 0, NULL, CONVERT, NULL,
	    "list the formats: name, usual suffix, what they are\n"
	    "made of, what opens them; and what else is written",
	    .flag = FLAG(list) },
	{ "format", 0, "FORMAT", DIFF, "Options of diff",
	    "text unless given; asks for the report also on\n"
	    "a terminal, as do --output, --limit, --fail-above",
	    option_word_diff_format, .apply = option_diff_format, .prints = true },
	{ "value", 0, "VALUE", DIFF, NULL,
	    "compare inclusive or exclusive time; incl unless\n"
	    "given",
	    option_word_diff_value, .apply = option_diff_value },
	{ "min", 0, "TIME", DIFF, NULL,
	    "less is no change; 1ms unless given, but at most a\n"
	    "thousandth of the longer trace",
	    .apply = option_diff_min },
	{ "sort", 0, "[+|-]COLUMN", DIFF, NULL,
	    "order of each list; the largest change first\n"
	    "unless given",
	    option_word_diff_column, .apply = option_diff_sort },
	{ "limit", 0, "N", DIFF, NULL,
	    "at most N rows in each list",
	    .apply = option_limit, .prints = true },
	{ "fail-above", 0, "TIME|PERCENT", DIFF, NULL,
	    "end with status 1 when a method is slower by more,\n"
	    "as 5ms or 10%; given in both ways, by both",
	    .apply = option_diff_fail, .prints = true },
	{ "color", 0, "WHEN", BROWSE | DIFF, "Browser options",
	    "colours; auto: as the terminal can, unless\n"
	    "NO_COLOR is set",
	    option_word_colour, .apply = option_color },
	{ "config", 0, "FILE", BROWSE | DIFF, NULL,
	    "settings from this file; see slowtop-config(5)",
	    .apply = option_config },
	{ "escape-time", 0, "MS", BROWSE | DIFF, NULL,
	    "milliseconds that a lone Esc waits for more;\n"
	    "50 unless given",
	    .apply = option_escape_time },
	{ "ascii", 0, NULL, BROWSE | REPORT | INFO | FLAME | HTML | DUMP | DIFF, "General options",
	    "nothing outside of ASCII on the screen and in text",
	    .apply = option_ascii },
	{ "jobs", 'j', "N", COMMAND_ANY, NULL,
	    "threads that read the trace; as many as\n"
	    "pay unless given",
	    .apply = option_jobs },
	{ "unpack-limit", 0, "SIZE", COMMAND_ANY, NULL,
	    "compressed traces may become so large, as 20G;\n"
	    "200 times their size unless given",
	    .apply = option_unpack_limit },
	{ "mapping", 0, "FILE", COMMAND_ANY, NULL,
	    "names of the source, by the mapping.txt that R8 or\n"
	    "ProGuard wrote; given again for diff, that of B",
	    .apply = option_mapping },
	{ "no-config", 0, NULL, COMMAND_ANY, NULL,
	    "read no file of settings; only the screen does",
	    .flag = FLAG(no_config) },
	{ "strict", 0, NULL, COMMAND_ANY, NULL,
	    "end with status 3 when the trace is damaged",
	    .flag = FLAG(strict) },
	{ "help", 'h', NULL, COMMAND_ANY, NULL,
	    "show this, or what the command takes",
	    .flag = FLAG(help) },
	{ "version", 'V', NULL, COMMAND_ANY, NULL,
	    "show the version",
	    .flag = FLAG(version) },
};
/* clang-format on */

const int option_count = (int)(sizeof option_rows / sizeof option_rows[0]);
