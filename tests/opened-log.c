// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "opened-log.h"

#include <string.h>

#include "format/format.h"
#include "tests/folded.h"

struct opened
open_trace(struct trace *t)
{
	struct opened o = {0};

	o.p = profile_new(t);
	while (profile_load(o.p, 1000, &o.e) == LOAD_MORE) {
	}
	o.fold = fold_new(o.p, NULL, NULL, NULL);
	o.s = t->log != NULL ? &t->log->summary : NULL;
	return o;
}

struct opened
open_bytes(const void *bytes, size_t size)
{
	struct opened o = {0};
	struct trace *t = format_open_memory(bytes, size, "log", &o.e);

	return t != NULL ? open_trace(t) : o;
}

struct opened
open_text(const char *text)
{
	return open_bytes(text, strlen(text));
}

void
done(struct opened *o)
{
	struct trace *t;

	if (o->p == NULL)
		return;
	t = o->p->trace;
	fold_free(o->fold);
	profile_free(o->p);
	trace_free(t);
}

const struct method_sum *
sum_of(const struct opened *o, const char *name)
{
	static const struct method_sum none;

	for (uint32_t i = 1; o->fold != NULL && i < o->fold->method_count; i++) {
		if (str_equal(trace_method(o->p->trace, i)->name, str_from(name)))
			return &o->fold->methods[i];
	}
	return &none;
}

uint32_t
thread_of(const struct opened *o, const char *name)
{
	uint32_t found = THREAD_NONE;

	for (uint32_t i = 0; i < trace_thread_count(o->p->trace); i++) {
		if (str_equal(trace_thread(o->p->trace, i)->name, str_from(name)))
			found = i;
	}
	return found;
}

uint32_t
pid_of(const struct opened *o, uint32_t thread)
{
	const struct log *log = o->p->trace->log;
	uint32_t process = trace_thread(o->p->trace, thread)->process;

	return process == 0
	    ? 0 : ((struct log_process *)seg_at(&log->processes, process - 1))->pid;
}
