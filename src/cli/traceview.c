/* traceview: a replacement for the SDK's program of that name; -r prints, else it browses. */
#include <config.h>

#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "format/input.h"
#include "report/traceview/traceview.h"

enum { STATUS_UNREADABLE = 1 }; /* the original's */

const char traceview_usage[] =
	      "Usage: traceview [-r] TRACE\n"
	      "  -r  print totals, threads, calls and methods; else browse\n"
	      "slowtop stands in for Traceview here; see slowtop-traceview(1).\n";

static int
usage(FILE *out, int status)
{
	fputs(traceview_usage, out);
	return status;
}

static int
print(const char *path)
{
	const atomic_bool *cancel = interrupt_watch();
	struct sink sink = sink_to(stdout, cancel);
	struct err e = {.kind = ERR_NONE};
	struct tvcalls calls = {.calls.fd = -1};
	struct load load = {0};
	char text[256];
	int error, status;

	if (load_trace(&load, path, 0, cancel, &e) &&
	    tvcalls_make(&calls, load.profile, load_folder(), cancel, &e)) {
		traceview_write(&sink, load.trace, &calls);
		error = sink_end(&sink);
		status = error != 0 && atomic_load(cancel) ? STATUS_INTERRUPTED
							   : output_end(stdout, error);
	} else if (e.kind == ERR_CANCELLED) {
		status = STATUS_INTERRUPTED;
	} else {
		say_trouble(input_name(path), "%s", err_text(&e, text, sizeof(text)));
		status = STATUS_UNREADABLE;
	}
	tvcalls_release(&calls);
	load_release(&load);
	return status;
}

int
traceview_main(int argc, char **argv)
{
	struct options options;
	bool regression = false;
	int letter, status;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return output_end(stdout, usage(stdout, STATUS_OK));
	optind = 1;
	while ((letter = getopt(argc, argv, "r")) != -1) {
		if (letter != 'r')
			return usage(stderr, STATUS_TROUBLE);
		regression = true;
	}
	if (argc - optind != 1)
		return usage(stderr, STATUS_TROUBLE);
	if (regression)
		return print(argv[optind]);
	options_init(&options);
	status = browse(&options, argv[optind]);
	options_release(&options);
	return status;
}
