#include <config.h>

#include "cli/load.h"

#include <stdlib.h>

#include "format/format.h"
#include "profile/loader.h"

struct trace *
load_open(const char *path, const atomic_bool *cancel, struct err *e)
{
	const struct tempfile_how how = {.folder = getenv("TMPDIR"), .cancel = cancel};

	return format_open(path, &how, e);
}

bool
load_trace(struct load *l, const char *path, unsigned jobs, const atomic_bool *cancel,
    struct err *e)
{
	l->trace = load_open(path, cancel, e);
	if (l->trace == NULL)
		return false;
	l->profile = profile_new(l->trace);
	switch (loader_run(l->profile, jobs, cancel, e)) {
	case LOAD_DONE:
		return true;
	case LOAD_STOPPED:
		return err_set(e, ERR_CANCELLED, "interrupted");
	default:
		return false;
	}
}

void
load_release(struct load *l)
{
	profile_free(l->profile);
	trace_free(l->trace);
	*l = (struct load){0};
}
