#include <config.h>

#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/convert.h"
#include "report/dump.h"

/* What other commands write, but for those with a table of forms. */
static const struct other {
	const char *command;
	enum convert_kind kind;
	const char *help;
} others[] = {
    {"flame --chart", CONVERT_CALLS, "calls in the order of time, for a browser"},
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
	struct sbuf name = {0};

	sbuf_text(&name, command);
	if (form != NULL)
		sbuf_printf(&name, " --format=%s", form);
	printf("  %-26s %-6s %s\n", sbuf_cstr(&name), kind_word(kind), help);
	sbuf_release(&name);
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
		list_other(others[i].command, NULL, others[i].kind, others[i].help);
	return output_end(stdout, 0);
}

static int
write_as(const struct convert_format *format, const struct options *o, const char *path)
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct load load = {.choice = o->choice, .unpack_most = o->unpack_most,
	    .mapping = o->mapping[DIFF_B]};
	const char *gz = strstr(format->suffix, ".gz");
	struct output out;
	int status, error;

	if (!output_open(&out, o->output, o->force,
		(format->binary ? OUTPUT_BINARY : 0u) | (gz != NULL ? OUTPUT_PACKED : 0u)))
		return STATUS_TROUBLE;
	if (load_trace(&load, path, o->jobs, cancel, &e) &&
	    convert_write(format, load.profile, &o->report, load_folder(), out.file, cancel,
		&error, &e)) {
		status = output_close(&out, error, cancel);
		if (status == STATUS_OK && o->strict)
			status = load_say_damage(&load, path);
	} else {
		output_drop(&out);
		status = load_say(path, &e);
	}
	load_release(&load);
	return status;
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
