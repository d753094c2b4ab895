#include <config.h>

#include "cli/browse.h"

#include <unistd.h>

#include "cli/load.h"
#include "cli/print.h"
#include "cli/say.h"
#include "tui/tui.h"

int
browse(const struct options *o, const char *path)
{
	struct tui_options tui = o->tui;
	struct err e = {.kind = ERR_NONE};
	struct trace *trace;
	char text[256];
	int status;

	if (!isatty(STDOUT_FILENO))
		return print_report(o, path);
	trace = load_open(path, NULL, &e);
	if (trace == NULL)
		return say_trouble(path, "%s", err_text(&e, text, sizeof(text)));
	tui.strict = o->strict;
	status = tui_run(trace, &tui);
	trace_free(trace);
	return status;
}
