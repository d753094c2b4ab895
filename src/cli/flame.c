#include <config.h>

#include "cli/flame.h"

#include <string.h>

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/flame.h"

/* Options ------------------------------------------------------------------------ */

const char *
flame_word_format(int i)
{
	return i < flame_format_count ? flame_formats[i].name : NULL;
}

bool
flame_set_format(struct options *o, const char *value, struct err *why)
{
	(void)why;
	for (int i = 0; i < flame_format_count; i++) {
		if (strcmp(value, flame_formats[i].name) != 0)
			continue;
		o->flame.format = &flame_formats[i];
		return true;
	}
	return false;
}

bool
flame_set_title(struct options *o, const char *value, struct err *why)
{
	(void)why;
	o->flame.title = value;
	return true;
}

bool
flame_set_count_name(struct options *o, const char *value, struct err *why)
{
	(void)why;
	o->flame.count_name = value;
	return true;
}

bool
flame_set_chart(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	o->flame.chart = true;
	return true;
}

bool
flame_set_min_width(struct options *o, const char *value, struct err *why)
{
	return option_thousandths(value, 100, &o->flame.min_width, why);
}

/* Command ------------------------------------------------------------------------ */

int
flame(const struct options *o, const char *path)
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct report report = {.rows = NULL};
	struct flame made = {.paths = NULL};
	struct load load = {.choice = o->choice};
	struct output out;
	int status;

	if (!output_open(&out, o->output, o->force))
		return STATUS_TROUBLE;
	if (load_trace(&load, path, o->jobs, cancel, &e) &&
	    report_open(&report, load.profile, &o->report, &e) &&
	    flame_make(&made, &report, &o->flame, cancel, &e)) {
		status = output_close(&out, flame_write(&made, out.file), cancel);
		if (status == STATUS_OK && o->strict)
			status = load_say_damage(&load, path);
	} else {
		output_drop(&out);
		status = load_say(path, &e);
	}
	flame_release(&made);
	report_release(&report);
	load_release(&load);
	return status;
}
