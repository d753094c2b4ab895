#include <config.h>

#include "cli/print.h"

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/report.h"

static int
say_err(const char *path, const struct err *e)
{
	char text[256];

	if (e->kind == ERR_CANCELLED)
		return STATUS_INTERRUPTED;
	return say_trouble(path, "%s", err_text(e, text, sizeof(text)));
}

typedef int (*write_function)(const struct report *, FILE *, const atomic_bool *cancel);

/* Under --strict: a line for each kind that was met. */
static int
say_damage(const char *path, const struct damage *damage)
{
	char text[128];

	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage->kind[i].count > 0)
			say_trouble(path, "%s: %s", damage_kinds[i].name,
			    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
	return damage_count(damage) > 0 ? STATUS_DAMAGED : STATUS_OK;
}

static int
print(const struct options *o, const char *path, write_function write)
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct report report = {.rows = NULL};
	struct load load = {0};
	struct output out;
	int status;

	if (!output_open(&out, o->output, o->force))
		return STATUS_TROUBLE;
	if (load_trace(&load, path, o->jobs, cancel, &e) &&
	    report_make(&report, load.profile, &o->report, cancel, &e)) {
		status = output_close(&out, write(&report, out.file, cancel), cancel);
		if (status == STATUS_OK && o->strict)
			status = say_damage(path, &load.profile->damage);
	} else {
		output_drop(&out);
		status = say_err(path, &e);
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
		return say_usage("'info' has no form '%s'", o->report.format->name);
	return print(o, path, report_write_info);
}
