// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "told.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap/tap.h"
#include "tests/folded.h"

TAP_PRINTF(2, 3) static void
add(struct told *told, const char *fmt, ...)
{
	va_list ap;

	if (told->count == told->room) {
		told->room = 2 * told->room + 100;
		told->line = realloc(told->line, told->room * TOLD_LINE);
	}
	va_start(ap, fmt);
	vsnprintf(told->line[told->count++], TOLD_LINE, fmt, ap);
	va_end(ap);
}

static void
add_methods(struct told *told, const struct trace *t, const struct fold *f)
{
	for (uint32_t i = 0; i < f->method_count; i++) {
		const struct method_sum *m = &f->methods[i];
		const struct method *row = trace_method(t, i);

		if (m->present)
			add(told,
			    "%.*s.%.*s%.*s %.*s %s calls %" PRIu64 "+%" PRIu64 " cpu %" PRId64 "/%" PRId64
			    " wall %" PRId64 "/%" PRId64,
			    STR_ARG(row->class_name), STR_ARG(row->name), STR_ARG(row->signature),
			    STR_ARG(row->file), row->known ? "" : "unknown", m->calls,
			    m->recursive_calls, m->inclusive[CLOCK_CPU], m->exclusive[CLOCK_CPU],
			    m->inclusive[CLOCK_WALL], m->exclusive[CLOCK_WALL]);
	}
}

static void
add_threads(struct told *told, const struct trace *t, const struct fold *f)
{
	for (uint32_t i = 0; i < f->thread_count; i++) {
		const struct fold_thread *th = &f->threads[i];
		const struct thread *row = trace_thread(t, i);

		if (th->records > 0)
			add(told,
			    "thread %" PRIu32 " %.*s records %" PRIu64 " cpu %" PRId64 "-%" PRId64
			    " wall %" PRId64 "-%" PRId64,
			    row->id, STR_ARG(row->name), th->records, th->first[CLOCK_CPU],
			    th->last[CLOCK_CPU], th->first[CLOCK_WALL], th->last[CLOCK_WALL]);
	}
}

/* What is not in all formats alike. */
static void
add_more(struct told *told, const struct trace *t, const struct fold *f)
{
	for (uint32_t m = 0; m < f->method_count; m++) {
		const struct method_sum *sum = &f->methods[m];

		if (sum->present)
			add(told, "more of %" PRIx64 " rank %" PRIu32 " threads %" PRIu32 " self %" PRId64
			    "/%" PRId64, trace_method(t, m)->id, sum->rank, sum->threads,
			    sum->self[CLOCK_CPU], sum->self[CLOCK_WALL]);
		for (int kind = 0; kind < RELATION_KINDS; kind++) {
			uint32_t count;
			const struct relation *r = fold_relations(f, m, (enum relation_kind)kind, &count);

			for (uint32_t i = 0; i < count; i++)
				add(told, "relation %" PRIx64 " %d %" PRIx64 " calls %" PRIu64
				    " %" PRId64 "/%" PRId64, trace_method(t, m)->id, kind,
				    trace_method(t, r[i].method)->id, r[i].calls,
				    r[i].inclusive[CLOCK_CPU], r[i].inclusive[CLOCK_WALL]);
		}
	}
	for (uint32_t i = 0; i < f->thread_count; i++)
		add(told, "more of thread %" PRIu32 ": calls %" PRIu64 " open %" PRIu32 " deepest %"
		    PRIu32 " covered %" PRId64, trace_thread(t, i)->id, f->threads[i].calls,
		    f->threads[i].open, f->threads[i].deepest,
		    f->threads[i].covered);
}

static int
line_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct told
tell_fold(const struct profile *p, struct fold *f, bool more)
{
	struct told told = {.count = 0};
	size_t n = 0;

	add_methods(&told, p->trace, f);
	add_threads(&told, p->trace, f);
	if (more)
		add_more(&told, p->trace, f);
	if (told.count > 0)
		qsort(told.line, told.count, TOLD_LINE, line_order);
	for (int k = 0; k < DAMAGE_KINDS; k++) {
		if (p->damage.kind[k].count > 0)
			n += (size_t)snprintf(told.damage + n, TOLD_LINE - n, "%s%s %" PRIu64,
			    n > 0 ? ", " : "", damage_kinds[k].name, p->damage.kind[k].count);
	}
	fold_free(f);
	return told;
}

struct told
tell(const struct profile *p)
{
	return tell_fold(p, fold_make(p, &(struct fold_query){0}, NULL), false);
}

struct told
tell_relations(const struct profile *p, const struct range *range)
{
	return tell_fold(p, fold_new(p, NULL, range, NULL), true);
}

bool
told_same(const struct told *a, const struct told *b)
{
	for (size_t i = 0; i < a->count || i < b->count; i++) {
		const char *left = i < a->count ? a->line[i] : "(nothing)";
		const char *right = i < b->count ? b->line[i] : "(nothing)";

		if (strcmp(left, right) == 0)
			continue;
		diag("  %s", left);
		diag("  %s", right);
		return false;
	}
	return true;
}

void
told_free(struct told *told)
{
	free(told->line);
}
