#include <config.h>

#include "cli/print.h"

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/report.h"

typedef int (*write_function)(const struct report *, FILE *, const atomic_bool *cancel);

/* Whoever reads a file, or its head only, does not see that it is about nothing. */
static void
say_unmatched(const struct report *r, const char *path)
{
	const struct report_options *o = r->options;

	if (report_is_empty(r) && o->filter_count + o->method_count > 0)
		(void)say_trouble(path, "nothing matches what was asked for by %s",
		    o->method_count == 0	? "--filter"
			: o->filter_count == 0 ? "--method or --calls"
					       : "--filter and --method or --calls");
}

static enum load_wants
wants_of(const struct report_options *o)
{
	return !range_is_all(&o->range) || o->view->decodes ? WANTS_ANYTHING
	    : report_is_flat(o)				    ? WANTS_FLAT
							    : WANTS_SUMS;
}

static int
print(const struct options *o, const char *path, write_function write)
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct report report = {.rows = NULL};
	struct load load = {.choice = o->choice, .unpack_most = o->unpack_most,
	    .mapping = o->mapping[DIFF_B],
	    .wants = wants_of(&o->report)};
	struct output out;
	int status;

	if (!output_open(&out, o->output, o->force, 0))
		return STATUS_TROUBLE;
	if (load_trace(&load, path, o->jobs, cancel, &e) &&
	    report_make(&report, load.profile, &o->report, cancel, &e)) {
		status = output_close(&out, write(&report, out.file, cancel), cancel);
		if (status == STATUS_OK && write == report_write)
			say_unmatched(&report, path);
		if (status == STATUS_OK && o->strict)
			status = load_say_damage(&load, path);
	} else {
		output_drop(&out);
		status = load_say(path, &e);
	}
	report_release(&report);
	load_release(&load);
	return status;
}

int
print_report(const struct options *o, const char *path)
{
	return print(o, path, report_write);
}

int
print_info(const struct options *o, const char *path)
{
	if (o->report.format->info == NULL)
		return say_usage(options_command(o), "'info' has no form '%s'",
		    o->report.format->name);
	return print(o, path, report_write_info);
}
