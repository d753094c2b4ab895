// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "bench/opened.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/filemap.h"
#include "base/mem.h"
#include "format/format.h"
#include "profile/load/loader.h"

void
mem_exhausted(size_t size)
{
	fprintf(stderr, "bench: out of memory (%zu bytes)\n", size);
	exit(1);
}

double
seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool
opened_trace(struct opened *o, const char *path, struct err *e)
{
	static const struct tempfile_how how;

	mapguard_install(NULL);
	o->trace = format_open(path, &how, e);
	return o->trace != NULL;
}

bool
opened_load(struct opened *o, unsigned jobs, struct err *e)
{
	o->profile = profile_new(o->trace);
	if (loader_run(o->profile, jobs, NULL, e) != LOAD_DONE)
		return false;
	for (; o->rows < o->profile->stack_count && o->rows < ROWS_MAX; o->rows++)
		o->threads[o->rows] = o->rows;
	return true;
}

void
opened_overview(struct opened *o)
{
	o->overview = overview_new(o->profile, OVERVIEW_BYTES);
	while (overview_advance(o->overview, 1 << 20)) {
	}
}

void
opened_draw(struct opened *o, nsec from, nsec to)
{
	timeline_draw(o->profile, o->overview, from, to, COLUMNS, o->threads, o->rows, o->cells,
	    NULL);
}

void
opened_release(struct opened *o)
{
	overview_free(o->overview);
	profile_free(o->profile);
	trace_free(o->trace);
}
