// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/opener.h"

#include <string.h>

#include "base/mem.h"

static void
open_trace(unsigned index, void *arg)
{
	struct opener *o = arg;
	const struct tui_options *options = o->options;

	o->found = options->open(
	    options->open_context, o->side, o->path, o->watch, &o->cancel, &o->err);
}

bool
opener_begin(struct opener *o, const struct tui_options *options, enum tui_side side,
    const char *path, struct watch *watch, const struct notify *ended, struct err *e)
{
	if (options->open == NULL)
		return err_set(e, ERR_UNSUPPORTED, "no other trace can be opened here");
	o->options = options;
	o->side = side;
	o->watch = watch;
	o->path = mem_dup(path, strlen(path) + 1, 1);
	o->err = (struct err){0};
	atomic_store(&o->cancel, false);
	if (worker_start(&o->thread, 1, open_trace, o, ended, e))
		return true;
	opener_end(o);
	return false;
}

bool
opener_ended(const struct opener *o)
{
	return o->thread != NULL && worker_running(o->thread) == 0;
}

struct trace *
opener_take(struct opener *o, struct err *e)
{
	struct trace *found;

	if (o->thread == NULL)
		return NULL;
	worker_join(o->thread);
	found = o->found;
	o->thread = NULL;
	o->found = NULL;
	*e = o->err;
	return found;
}

void
opener_end(struct opener *o)
{
	struct err e;

	if (o->path == NULL)
		return;
	atomic_store(&o->cancel, true);
	trace_free(opener_take(o, &e));
	mem_free(o->path);
	o->path = NULL;
}
