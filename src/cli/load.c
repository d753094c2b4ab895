#include <config.h>

#include "cli/load.h"

#include "format/format.h"
#include "profile/loader.h"

bool
load_trace(struct load *l, const char *path, unsigned jobs, const atomic_bool *cancel,
    struct err *e)
{
	l->trace = format_open(path, e);
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
