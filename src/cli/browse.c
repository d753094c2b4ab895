#include <config.h>

#include "cli/browse.h"

#include <unistd.h>

#include "cli/config.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/say.h"
#include "tui/tui.h"

int
browse(const struct options *o, const char *path)
{
	struct settings settings;
	struct tui_options tui = {.settings = &settings, .jobs = o->jobs, .strict = o->strict,
	    .transforms = &o->report.transforms};
	struct err e = {.kind = ERR_NONE};
	struct trace *trace;
	char text[256];
	int status;

	if (!isatty(STDOUT_FILENO))
		return print_report(o, path);
	settings_init(&settings);
	if (!config_load(&settings, o)) {
		status = STATUS_TROUBLE;
	} else if ((trace = load_open(path, NULL, &e)) == NULL) {
		status = say_trouble(path, "%s", err_text(&e, text, sizeof(text)));
	} else {
		status = tui_run(trace, &tui);
		trace_free(trace);
	}
	settings_release(&settings);
	return status;
}
