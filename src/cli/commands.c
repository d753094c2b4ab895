// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "cli/commands.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "cli/traces.h"
#include "format/input.h"
#include "report/convert/convert.h"
#include "report/flame/flame.h"
#include "report/report.h"
#include "report/text/html.h"
#include "serve/serve.h"
#include "view/sheet.h"

/* Which there are ----------------------------------------------------------------- */

/* clang-format off */
const struct subcommand subcommands[COMMANDS] = {
	[COMMAND_BROWSE] = {
	    NULL, "TRACE...",
	    "browse traces; without a terminal print their reports",
	    .run = browse,
	    .many = true,
	},
	[COMMAND_REPORT] = {
	    "report", "TRACE...",
	    "print times and calls of methods, and who calls whom",
	    .run = print_report,
	    .many = true,
	},
	[COMMAND_INFO] = {
	    "info", "TRACE...",
	    "print format, header, threads, and what was lost",
	    .run = print_info,
	    .many = true,
	},
	[COMMAND_TRIAGE] = {
	    "triage", "TRACE...",
	    "tell what is slow, where, and how that is known",
	    .run = triage,
	    .many = true,
	},
	[COMMAND_FLAME] = {
	    "flame", "TRACE",
	    "draw a flame graph, or write the stacks for one",
	    .run = flame,
	},
	[COMMAND_HTML] = {
	    "html", "TRACE",
	    "write the report as a page for a web browser",
	    .run = html,
	},
	[COMMAND_DUMP] = {
	    "dump", "TRACE",
	    "print each record: clocks, thread, depth and method",
	    .run = dump,
	},
	[COMMAND_CONVERT] = {
	    "convert", "--to=FORMAT TRACE",
	    "write the trace as a file for another tool",
	    .run = convert,
	},
	[COMMAND_DIFF] = {
	    "diff", "A B",
	    "compare traces: what got slower or faster",
	    .run = diff,
	    .many = true,
	    .more = 1,
	},
	[COMMAND_RECORD] = {
	    "record", "[APP]",
	    "record on a device by adb or hdc, then browse it",
	    .run = record,
	    .bare = true,
	},
	[COMMAND_SERVE] = {
	    "serve", "DIR",
	    "serve traces as web pages; they are uploaded",
	    .run = serve,
	    .folder = true,
	},
	[COMMAND_DMTRACEDUMP] = {
	    "dmtracedump", "[-ho] [-d TRACE] [-g FILE] [-k] [-t N] TRACE",
	    "print what dmtracedump prints",
	    .drop_in = dmtracedump_main,
	    .usage = dmtracedump_usage,
	},
	[COMMAND_TRACEVIEW] = {
	    "traceview", "[-r] TRACE",
	    "browse, or with -r print what traceview -r prints",
	    .drop_in = traceview_main,
	    .usage = traceview_usage,
	},
};
/* clang-format on */

/* Letters between what both words begin with and end with; two that are swapped are one. */
static int
typing_errors(const char *word, const char *meant)
{
	size_t a = strlen(word), b = strlen(meant);

	for (; a > 0 && *word == *meant; a--, b--) {
		word++;
		meant++;
	}
	for (; a > 0 && b > 0 && word[a - 1] == meant[b - 1]; a--)
		b--;
	if (a == 2 && b == 2 && word[0] == meant[1] && word[1] == meant[0])
		return 1;
	return (int)(a > b ? a : b);
}

const char *
subcommand_nearest(const char *name)
{
	int errors = (int)strnlen(name, 32) / 3 > 1 ? (int)strnlen(name, 32) / 3 : 1;
	const char *best = NULL;

	if (strcmp(name, "help") == 0)
		return "--help";
	if (strcmp(name, "version") == 0)
		return "--version";
	for (int i = 0; i < COMMANDS; i++) {
		int n = subcommands[i].name != NULL ? typing_errors(name, subcommands[i].name) : INT_MAX;

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

/* Reports --------------------------------------------------------------------------- */

/* A warning on the terminal: an empty report in a file is easily overlooked. */
static void
say_unmatched(const struct report *r, const char *path)
{
	const struct report_options *o = r->options;

	if (report_is_empty(r) && o->where.count > 0)
		(void)say_trouble(input_name(path), "no match for --where%s",
		    o->filters.count + o->methods.count > 0 ? " and the other filters" : "");
	else if (report_is_empty(r) && o->filters.count + o->methods.count > 0)
		(void)say_trouble(input_name(path), "no match for %s",
		    o->methods.count == 0	? "--filter"
			: o->filters.count == 0 ? "--method or --calls"
					       : "--filter and --method or --calls");
}

bool
sums_suffice(const struct report_options *o)
{
	return range_is_all(&o->range) && !o->view->decodes;
}

/* The name of a trace in rows of several. */
static const char *
run_name(const struct report_options *o, const char *path)
{
	return o->run != NULL ? o->run : path_base(input_name(path));
}

/* Writes a report, or what is known of its trace. */
typedef int report_writer(const struct report *, FILE *, const atomic_bool *cancel);

/* A report, and the words that its rows begin with. */
struct printed {
	report_writer *write;
	struct report report;
	struct sheet_runs runs;
};

static bool
report_prepare(struct run_job *j)
{
	const struct report_options *o = &j->options->report;
	const struct profile *profile = j->load.profile;
	struct printed *p = j->context;

	if (!report_make(&p->report, profile, o, j->cancel, &j->e))
		return false;
	if (o->format->named || o->run != NULL) {
		p->runs = (struct sheet_runs){.word = "run", .name = run_name(o, j->path),
		    .at = profile->end - profile->begin};
		p->report.runs = &p->runs;
	}
	return true;
}

static int
report_out(struct run_job *j, FILE *file)
{
	const struct printed *p = j->context;

	return p->write(&p->report, file, j->cancel);
}

static int
print(const struct options *o, const char *path, report_writer *write)
{
	struct printed printed = {.write = write};
	int status = job_run(&(struct run_job){.options = o, .path = path,
	    .sums = sums_suffice(&o->report),
	    .flags = o->watch != NULL ? OUTPUT_MORE : 0, .context = &printed,
	    .make = report_prepare, .write = report_out});

	if ((status == STATUS_OK || status == STATUS_DAMAGED) && write == report_write)
		say_unmatched(&printed.report, path);
	report_release(&printed.report);
	sbuf_release(&printed.runs.heading);
	return status;
}

/* The reports of several traces, one after the other in the same output. */
struct reports {
	FILE *file;
	report_writer *write;
	struct sheet_runs runs;
};

static int
report_one(struct traces *t, const char *path, bool among)
{
	const struct options *o = t->options;
	struct reports *all = t->context;
	struct load load = {.options = o, .side = DIFF_B, .sums = sums_suffice(&o->report)};
	struct report r = {.rows = NULL};
	struct err e = {.kind = ERR_NONE};
	int status = STATUS_OK, error;

	if (load_trace(&load, path, t->cancel, &e) &&
	    report_make(&r, load.profile, &o->report, t->cancel, &e)) {
		if (t->taken++ > 0)
			fputs(o->report.format->between, all->file);
		all->runs.word = "run";
		all->runs.name = run_name(&o->report, path);
		all->runs.at = -1;
		all->runs.differs = false;
		r.runs = &all->runs;
		error = all->write(&r, all->file, t->cancel);
		if (error == ECANCELED)
			status = STATUS_INTERRUPTED;
		else if (all->runs.differs)
			status = say_trouble(input_name(path),
			    "has other columns than the first trace; --format=jsonl takes them, too");
		else if (o->strict)
			status = load_say_damage(&load, path, ~0u);
		if (all->write == report_write)
			say_unmatched(&r, path);
	} else if (!among || load.trace != NULL || e.kind != ERR_UNSUPPORTED) {
		status = load_say(path, &e);
	}
	report_release(&r);
	load_release(&load);
	return status;
}

static int
print_reports(const struct options *o, const char *path, report_writer *write)
{
	struct reports all = {.write = write};
	const struct report_format *form = o->report.format;
	struct traces t = {.options = o, .cancel = interrupt_watch(), .context = &all, .one = report_one};
	struct output out;
	int status = output_open(&out, o->output, o->force, 0);

	if (status != STATUS_OK)
		return status;
	all.file = out.file;
	if (traces_many(o))
		fputs(form->begin, out.file);
	status = traces_each(&t, path);
	if (traces_many(o))
		fputs(form->end, out.file);
	sbuf_release(&all.runs.heading);
	if (t.taken == 0 && status != STATUS_OK && o->output != NULL) { /* an empty file would seem a result */
		output_drop(&out);
		return status;
	}
	return status_worse(status, output_close(&out, status == STATUS_INTERRUPTED ? ECANCELED
		: ferror(out.file) != 0 ? EIO : 0, t.cancel));
}

int
print_report(const struct options *o, const char *path)
{
	const bool follows = o->watch != NULL || o->follow || o->follow_name || o->every != 0;
	/* A followed path was one file; a folder that takes its name is waited for to go. */
	const bool many = o->watch == NULL && traces_many(o);

	if (many && follows)
		return say_usage(options_command(o), "one trace at a time is followed");
	if (!follows && (many || o->report.run != NULL || o->report.format->named))
		return print_reports(o, path, report_write);
	if (o->watch == NULL && (o->follow || o->follow_name || o->every != 0))
		return follow_report(o, path);
	return print(o, path, report_write);
}

int
print_info(const struct options *o, const char *path)
{
	if (o->report.format->info == NULL)
		return say_usage(options_command(o), "'info' has no form '%s'",
		    o->report.format->name);
	if (traces_many(o) || o->report.format->named)
		return print_reports(o, path, report_write_info);
	return print(o, path, report_write_info);
}

/* Pictures and pages ------------------------------------------------------------------ */

struct command_drawing {
	struct report_options what; /* a borrowed copy: the original owns its content */
	struct report report;
	struct flame flame;
};

static bool
flame_prepare(struct run_job *j)
{
	struct command_drawing *d = j->context;

	return report_open(&d->report, j->load.profile, &d->what, j->cancel, &j->e) &&
	       flame_make(&d->flame, &d->report, &j->options->flame, j->cancel, &j->e);
}

static int
flame_out(struct run_job *j, FILE *file)
{
	const struct flame *drawn = &((struct command_drawing *)j->context)->flame;
	struct sink sink = sink_to(file, j->cancel);

	j->options->flame.format->write(&sink, drawn);
	return sink_end(&sink);
}

int
flame(const struct options *o, const char *path)
{
	struct command_drawing d = {.what = o->report};
	int status;

	/* Stacks are for programs. */
	if (d.what.names == NAMES_BY_FORM && o->flame.format->write == folded_write)
		d.what.names = NAMES_WRITTEN;
	status = job_run(&(struct run_job){
	    .options = o, .path = path, .context = &d, .make = flame_prepare, .write = flame_out});
	flame_release(&d.flame);
	report_release(&d.report);
	return status;
}

static bool
html_prepare(struct run_job *j)
{
	return htmlreport_make(j->context, j->load.profile, &j->options->report,
	    &j->options->flame, j->cancel, &j->e);
}

static int
html_out(struct run_job *j, FILE *file)
{
	struct sink sink = {.file = file, .cancel = j->cancel};

	htmlreport_write(&sink, j->context);
	return sink_end(&sink);
}

int
html(const struct options *o, const char *path)
{
	struct htmlreport page = {.report = {.options = NULL}};
	int status = job_run(&(struct run_job){
	    .options = o, .path = path, .context = &page, .make = html_prepare, .write = html_out});

	htmlreport_release(&page);
	return status;
}

/* Other formats ----------------------------------------------------------------------- */

/* Formats of other commands, except those with a table of forms. */
static const struct other {
	const char *command;
	enum convert_kind kind;
	const char *help;
} others[] = {
    {"html", CONVERT_PATHS, "the report as a page, for a browser"},
    {"dmtracedump", CONVERT_PATHS, "what dmtracedump prints; -h, -d, -g: pages and graphs"},
    {"dmtracedump -o", CONVERT_CALLS, "the same, records"},
    {"traceview -r", CONVERT_CALLS, "what traceview -r prints"},
};

static const char *
kind_word(enum convert_kind kind)
{
	return kind == CONVERT_CALLS ? "calls" : "sums";
}

static void
list_other(const char *command, const char *form, enum convert_kind kind, const char *help)
{
	int used = printf("  %s%s%s", command, form[0] != '\0' ? " --format=" : "", form);

	printf("%*s %-6s %s\n", used < 28 ? 28 - used : 0, "", kind_word(kind), help);
}

int
convert_list(void)
{
	for (int i = 0; i < convert_format_count; i++) {
		const struct convert_format *f = &convert_formats[i];

		printf("%-11s %-16s %-6s %s\n", f->name, f->suffix, kind_word(f->kind), f->help);
	}
	puts("\nBy other commands:");
	for (int i = 0; i < report_format_count; i++)
		list_other("report", report_formats[i].name, CONVERT_PATHS, report_formats[i].help);
	for (int i = 0; i < dump_format_count; i++)
		list_other("dump", dump_formats[i].name, dump_formats[i].kind, dump_formats[i].help);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		list_other(others[i].command, "", others[i].kind, others[i].help);
	return output_end(stdout, 0);
}

static int
convert_out(struct run_job *j, FILE *file)
{
	int error = 0;

	(void)convert_write(j->context, j->load.profile, &j->options->report, load_folder(), file,
	    j->cancel, &error, &j->e);
	return error;
}

static int
write_as(const struct convert_format *format, const struct options *o, const char *path)
{
	bool packed = strstr(format->suffix, ".gz") != NULL;

	return job_run(&(struct run_job){.options = o, .path = path, .context = (void *)format,
	    .flags = (format->binary ? OUTPUT_BINARY : 0u) | (packed ? OUTPUT_PACKED : 0u),
	    .write = convert_out});
}
int
convert(const struct options *o, const char *path)
{
	if (o->convert == NULL)
		return say_usage(options_command(o),
		    "'convert' needs --to=FORMAT; --list shows which there are");
	return write_as(o->convert, o, path);
}

int
dump(const struct options *o, const char *path)
{
	return write_as(o->convert != NULL ? o->convert : &dump_formats[0], o, path);
}

/* A server ---------------------------------------------------------------------------- */

int
serve(const struct options *o, const char *folder)
{
	struct serve_options what = o->serve;
	struct err e = {.kind = ERR_NONE};

	what.folder = folder;
	what.out = stdout;
	what.log = stderr;
	return serve_run(&what, &e) ? STATUS_OK : say_trouble(folder, "%s", e.what);
}
