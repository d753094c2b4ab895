/*
 * A text log from anywhere: read, counted, folded, replayed, drawn; and what cores and
 * threads did adds up.
 */
#include <config.h>

#include "format/format.h"
#include "fuzz/consume.h"
#include "fuzz/fuzz.h"
#include "profile/usage.h"
#include "trace/log.h"

/* Two halves of a log have as much as the whole. */
static void
halves(const struct profile *p, const struct usage *whole)
{
	nsec middle = whole->range.to / 2;
	struct range left = {0, middle}, right = {middle, INT64_MAX};
	struct usage *a = usage_new(p, NULL, &left, NULL), *b = usage_new(p, NULL, &right, NULL);

	fuzz_check(a->ran + b->ran == whole->ran);
	for (uint32_t t = 0; t < whole->thread_count; t++)
		fuzz_check(a->threads[t].ran + b->threads[t].ran == whole->threads[t].ran);
	usage_free(a);
	usage_free(b);
}

static void
usage_check(const uint8_t *bytes, size_t size)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, "log", &e);
	struct profile *p;
	struct usage *u;

	if (t == NULL)
		return;
	p = profile_new(t);
	while (profile_load(p, 1000, &e) == LOAD_MORE) {
	}
	if (t->log != NULL) {
		const struct sched *s = &t->log->sched;

		u = usage_new(p, NULL, NULL, NULL);
		for (uint32_t i = 0; i < u->core_count; i++) {
			const struct sched_cpu *c = &s->cpus[i];

			fuzz_check(c->ran >= 0 && c->idle >= 0 && c->lost >= 0);
			fuzz_check(c->ran + c->idle + c->lost <= t->log->end);
			fuzz_check(u->cores[i].ran == c->ran);
		}
		for (uint64_t n = 0; n < s->intervals.count; n++) {
			const struct interval *i = sched_interval(s, n);

			fuzz_check(i->from <= i->to && i->from >= 0 && i->to <= t->log->end);
			fuzz_check(i->thread < trace_thread_count(t));
		}
		halves(p, u);
		usage_free(u);
	}
	profile_free(p);
	trace_free(t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct consumed c;
	struct err e = {0};

	consume_trace(bytes, size, &c, &e);
	usage_check(bytes, size);
	return 0;
}
