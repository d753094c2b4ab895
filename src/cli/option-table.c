/* option-table: what options there are, and what each does (options.h). */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/timetext.h"
#include "base/worker.h"
#include "cli/flame.h"
#include "cli/options.h"
#include "tui/tui.h"

/* Lists of words ---------------------------------------------------------------- */

static const char *
word_format(int i)
{
	return i < report_format_count ? report_formats[i].name : NULL;
}

static const char *
word_view(int i)
{
	return i < report_view_count ? report_views[i].name : NULL;
}

static const char *
word_convert(int i)
{
	return i < convert_format_count ? convert_formats[i].name : NULL;
}

static const char *
word_dump(int i)
{
	return i < dump_format_count ? dump_formats[i].name : NULL;
}

static const char *
word_clock(int i)
{
	static const char *const words[] = {[CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};

	return i < CLOCKS ? words[i] : NULL;
}

static const char *
word_colour(int i)
{
	static const char *const words[] = {
	    [TUI_COLOUR_AUTO] = "auto",
	    [TUI_COLOUR_NEVER] = "never",
	    [TUI_COLOUR_ALWAYS] = "always",
	};

	return i < (int)(sizeof words / sizeof words[0]) ? words[i] : NULL;
}

static const char *
word_column(int i)
{
	return i < COLUMNS ? column_table[i].id : NULL;
}

/* The place of `value` in the list, or -1. */
static int
word_find(const char *(*word)(int), const char *value)
{
	for (int i = 0; word(i) != NULL; i++)
		if (strcmp(word(i), value) == 0)
			return i;
	return -1;
}

/* Values ------------------------------------------------------------------------ */

static bool
number(const char *value, uint64_t least, uint64_t most, uint64_t *out, struct err *why)
{
	uint64_t n = 0;
	const char *p = value;

	for (; *p >= '0' && *p <= '9' && n <= most; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p == value || *p != '\0' || n < least || n > most)
		return err_set(why, ERR_MALFORMED, "want a number from %llu to %llu",
		    (unsigned long long)least, (unsigned long long)most);
	*out = n;
	return true;
}

static bool
set_format(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_format, value);

	(void)why;
	if (i < 0)
		return false;
	o->report.format = &report_formats[i];
	return true;
}

static bool
set_view(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_view, value);

	(void)why;
	if (i < 0)
		return false;
	o->report.view = &report_views[i];
	return true;
}

static bool
set_convert(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_convert, value);

	(void)why;
	if (i < 0)
		return false;
	o->convert = &convert_formats[i];
	return true;
}

static bool
set_dump(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_dump, value);

	(void)why;
	if (i < 0)
		return false;
	o->convert = &dump_formats[i];
	return true;
}

static bool
set_list(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->list = true;
	return true;
}

static bool
set_clock(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_clock, value);

	(void)why;
	if (i < 0)
		return false;
	o->report.clock_given = true;
	o->report.clock = (enum clock_id)i;
	return true;
}

static bool
set_sort(struct options *o, const char *value, struct err *why)
{
	char sign = *value == '+' || *value == '-' ? *value++ : '\0';
	enum column_id column = columns_find(str_from(value));

	(void)why;
	if (column == COLUMNS)
		return false;
	o->report.sort_given = true;
	o->report.sort = column;
	o->report.rising = sign != '\0' ? sign == '+' : column_table[column].rises;
	return true;
}

static bool
set_limit(struct options *o, const char *value, struct err *why)
{
	uint64_t n;

	if (!number(value, 0, UINT32_MAX - 1, &n, why))
		return false;
	o->report.limit = (uint32_t)n;
	return true;
}

static bool
set_from(struct options *o, const char *value, struct err *why)
{
	return timetext_parse(str_from(value), &o->report.range.from, why);
}

static bool
set_to(struct options *o, const char *value, struct err *why)
{
	return timetext_parse(str_from(value), &o->report.range.to, why);
}

static bool
set_jobs(struct options *o, const char *value, struct err *why)
{
	uint64_t n;

	if (!number(value, 1, WORKER_MAX, &n, why))
		return false;
	o->jobs = (unsigned)n;
	return true;
}

static bool
set_filter(struct options *o, const char *value, struct err *why)
{
	return report_filter_add(&o->report, value, why);
}

static bool
set_transform(struct options *o, const char *value, struct err *why)
{
	return report_transform_add(&o->report, value, why);
}

static bool
set_thread(struct options *o, const char *value, struct err *why)
{
	(void)why;
	report_thread_add(&o->report, value);
	return true;
}

static bool
set_process(struct options *o, const char *value, struct err *why)
{
	(void)why;
	report_process_add(&o->report, value);
	return true;
}

static bool
set_tag(struct options *o, const char *value, struct err *why)
{
	int tag = log_tag_find(str_from(value));

	if (tag < 0)
		return err_set(why, ERR_MALFORMED, "want the name or number of a HiTrace tag");
	o->choice.tags |= UINT64_C(1) << tag;
	return true;
}

static const char *
word_level(int i)
{
	static const char *const words[] = {"debug", "info", "critical", "commercial"};

	return i < (int)(sizeof words / sizeof words[0]) ? words[i] : NULL;
}

static bool
set_level(struct options *o, const char *value, struct err *why)
{
	int i = word_find(word_level, value);

	(void)why;
	if (i < 0)
		return false;
	o->choice.level = "DICM"[i];
	return true;
}

static bool
set_method(struct options *o, const char *value, struct err *why)
{
	return report_method_add(&o->report, value, why);
}

static bool
set_calls(struct options *o, const char *value, struct err *why)
{
	return report_calls_add(&o->report, value, why);
}

static bool
set_budget(struct options *o, const char *value, struct err *why)
{
	o->report.budget_given = true;
	return timetext_parse(str_from(value), &o->report.budget, why);
}

static bool
set_relations(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->report.relations = true;
	return true;
}

static bool
set_together(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->report.together = true;
	return true;
}

static bool
set_min_percent(struct options *o, const char *value, struct err *why)
{
	o->report.min_given = true;
	return option_thousandths(value, 100, &o->report.min_percent, why);
}

static bool
set_output(struct options *o, const char *value, struct err *why)
{
	if (*value == '\0')
		return err_set(why, ERR_MALFORMED, "want the name of a file");
	o->output = strcmp(value, "-") == 0 ? NULL : value;
	return true;
}

static bool
set_force(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->force = true;
	return true;
}

/* The last of a name counts. */
static void
override(struct options *o, const char *name, const char *value)
{
	int i = 0;

	while (i < o->override_count && strcmp(o->overrides[i].name, name) != 0)
		i++;
	if (i == OVERRIDES_MAX)
		return;
	o->overrides[i] = (struct override){name, value};
	if (i == o->override_count)
		o->override_count++;
}

static bool
set_config(struct options *o, const char *value, struct err *why)
{
	if (*value == '\0')
		return err_set(why, ERR_MALFORMED, "want the name of a file");
	o->config = value;
	o->no_config = false;
	return true;
}

static bool
set_no_config(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->no_config = true;
	return true;
}

static bool
set_color(struct options *o, const char *value, struct err *why)
{
	(void)why;
	if (word_find(word_colour, value) < 0)
		return false;
	override(o, "color", value);
	return true;
}

static bool
set_ascii(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	override(o, "ascii", "on");
	o->report.ascii = true;
	return true;
}

static bool
set_escape_time(struct options *o, const char *value, struct err *why)
{
	uint64_t ms;

	if (!number(value, 1, 5000, &ms, why))
		return false;
	override(o, "escape-time", value);
	return true;
}

static bool
set_strict(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->strict = true;
	return true;
}

static bool
set_help(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->help = true;
	return true;
}

static bool
set_version(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->version = true;
	return true;
}

/* The table --------------------------------------------------------------------- */

#define BROWSE COMMAND_BIT(COMMAND_BROWSE)
#define REPORT COMMAND_BIT(COMMAND_REPORT)
#define INFO   COMMAND_BIT(COMMAND_INFO)
#define FLAME  COMMAND_BIT(COMMAND_FLAME)
#define HTML   COMMAND_BIT(COMMAND_HTML)
#define CONVERT COMMAND_BIT(COMMAND_CONVERT)
#define DUMP   COMMAND_BIT(COMMAND_DUMP)

/* clang-format off */
const struct option_row option_rows[] = {
	{ "format", 0, "FORMAT", REPORT | INFO, "Printing options",
	    "form of what is printed, text unless given;\n"
	    "asks for the report; csv is for it alone",
	    word_format, set_format },
	{ "output", 'o', "FILE", REPORT | INFO | FLAME | HTML | CONVERT | DUMP, NULL,
	    "write to this file, which appears whole or not at\n"
	    "all; - is standard output",
	    NULL, set_output },
	{ "force", 0, NULL, REPORT | INFO | FLAME | HTML | CONVERT | DUMP, NULL,
	    "write it even if there is such a file already",
	    NULL, set_force },
	{ "view", 0, "VIEW", REPORT, "Report options (any of them asks for the report)",
	    "what the rows are, methods unless given",
	    word_view, set_view },
	{ "clock", 0, "CLOCK", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "time to go by; wall when the trace has it",
	    word_clock, set_clock },
	{ "sort", 0, "[+|-]COLUMN", REPORT, NULL,
	    "order of the rows, + smallest first, - largest first;\n"
	    "inclusive time unless given",
	    word_column, set_sort },
	{ "limit", 0, "N", REPORT, NULL,
	    "at most N rows",
	    NULL, set_limit },
	{ "filter", 0, "REGEX", REPORT | HTML | CONVERT | DUMP, NULL,
	    "only rows that match, or with ! in front do not;\n"
	    "given again, all must hold",
	    NULL, set_filter },
	{ "transform", 0, "NAME:ARG", BROWSE | REPORT | FLAME | HTML, NULL,
	    "change the call tree first: focus, merge, drop...\n"
	    "given again, one after the other",
	    NULL, set_transform },
	{ "thread", 0, "THREAD", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "only this thread, by id or name; given again, these",
	    NULL, set_thread },
	{ "process", 0, "PROCESS", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "of a log only this process, by id or name; given\n"
	    "again, these",
	    NULL, set_process },
	{ "tag", 0, "TAG", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "of a log only slices with this HiTrace tag, by\n"
	    "name or number; given again, any of these",
	    NULL, set_tag },
	{ "level", 0, "LEVEL", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "of a log only slices of this level or higher",
	    word_level, set_level },
	{ "from", 0, "TIME", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "only from this time of the trace on, in seconds, or\n"
	    "with a unit: 1250ms",
	    NULL, set_from },
	{ "to", 0, "TIME", REPORT | FLAME | HTML | DUMP, NULL,
	    "only up to this time of the trace",
	    NULL, set_to },
	{ "until", 0, "TIME", REPORT | FLAME | HTML | CONVERT | DUMP, NULL,
	    "the same; also where --to is something else",
	    NULL, set_to },
	{ "method", 0, "REGEX", REPORT, NULL,
	    "parents and children of the methods that match; given\n"
	    "again, of these too",
	    NULL, set_method },
	{ "calls", 0, "REGEX", REPORT, NULL,
	    "single calls of the methods that match, with\n"
	    "percentiles: --view=calls --method=REGEX",
	    NULL, set_calls },
	{ "budget", 0, "TIME", REPORT, NULL,
	    "mark calls that took longer; 16.7ms unless given",
	    NULL, set_budget },
	{ "relations", 0, NULL, REPORT, NULL,
	    "parents and children of every method",
	    NULL, set_relations },
	{ "together", 0, NULL, REPORT | FLAME, NULL,
	    "threads as one in trees, not each for itself",
	    NULL, set_together },
	{ "min-percent", 0, "PERCENT", REPORT, NULL,
	    "fold in trees what is less of the total; 0.5\n"
	    "unless given",
	    NULL, set_min_percent },
	{ "format", 0, "FORMAT", FLAME, "Options of flame and html",
	    "picture or stacks, svg unless given:",
	    flame_word_format, flame_set_format },
	{ "chart", 0, NULL, FLAME, NULL,
	    "calls in the order of time, thread by thread, not\n"
	    "their sums",
	    NULL, flame_set_chart },
	{ "title", 0, "TEXT", FLAME | HTML, NULL,
	    "of the picture; made from the trace's name\n"
	    "unless given",
	    NULL, flame_set_title },
	{ "count-name", 0, "TEXT", FLAME, NULL,
	    "times in the picture in microseconds, called so;\n"
	    "milliseconds unless given",
	    NULL, flame_set_count_name },
	{ "min-width", 0, "PIXELS", FLAME, NULL,
	    "leave out of the picture what is narrower;\n"
	    "0.1 unless given",
	    NULL, flame_set_min_width },
	{ "format", 0, "FORMAT", DUMP, "Options of dump",
	    "text unless given; json: an object a line",
	    word_dump, set_dump },
	{ "to", 0, "FORMAT", CONVERT, "Options of convert",
	    "what to write; --list says more:",
	    word_convert, set_convert },
	{ "list", 0, NULL, CONVERT, NULL,
	    "list the formats: name, usual suffix, what they are\n"
	    "made of, what opens them",
	    NULL, set_list },
	{ "color", 0, "WHEN", BROWSE, "Browser options",
	    "colours; auto: as the terminal can, unless\n"
	    "NO_COLOR is set",
	    word_colour, set_color },
	{ "config", 0, "FILE", BROWSE, NULL,
	    "settings from this file; see slowtop-config(5)",
	    NULL, set_config },
	{ "no-config", 0, NULL, BROWSE, NULL,
	    "no file of settings",
	    NULL, set_no_config },
	{ "escape-time", 0, "MS", BROWSE, NULL,
	    "milliseconds that a lone Esc waits for more;\n"
	    "50 unless given",
	    NULL, set_escape_time },
	{ "ascii", 0, NULL, BROWSE | REPORT | INFO | FLAME | HTML | DUMP, "General options",
	    "nothing outside of ASCII on the screen and in text",
	    NULL, set_ascii },
	{ "jobs", 'j', "N", COMMAND_ANY, NULL,
	    "threads that read the trace; as many as\n"
	    "pay unless given",
	    NULL, set_jobs },
	{ "strict", 0, NULL, COMMAND_ANY, NULL,
	    "end with status 3 when the trace is damaged",
	    NULL, set_strict },
	{ "help", 'h', NULL, COMMAND_ANY, NULL,
	    "show this, or what the command takes",
	    NULL, set_help },
	{ "version", 'V', NULL, COMMAND_ANY, NULL,
	    "show the version",
	    NULL, set_version },
};
/* clang-format on */

const int option_count = (int)(sizeof option_rows / sizeof option_rows[0]);
