// SPDX-License-Identifier: Apache-2.0
/*
 * A text log from anywhere: read, counted, folded, replayed, drawn; and what cores and
 * threads did adds up.
 */
#include <config.h>

#include "format/format.h"
#include "fuzz/consume.h"
#include "fuzz/fuzz.h"
#include "profile/log/usage.h"
#include "trace/log.h"

enum { ASKED = 16 }; /* chains and threads that are looked at */

/* Two halves of a log have as much as the whole. */
static void
halves(const struct profile *p, const struct usage *whole)
{
	nsec middle = whole->range.to / 2;
	struct range left = {0, middle}, right = {middle, INT64_MAX};
	struct usage *a = usage_new(p, NULL, &left, NULL, NULL),
		     *b = usage_new(p, NULL, &right, NULL, NULL);

	fuzz_check(a->ran + b->ran == whole->ran);
	for (uint32_t t = 0; t < whole->thread_count; t++)
		fuzz_check(a->threads[t].ran + b->threads[t].ran == whole->threads[t].ran);
	usage_free(a);
	usage_free(b);
}

/* Each slice of a chain once, none below itself. */
static void
chains_check(const struct profile *p, const struct usage *whole)
{
	for (uint32_t i = 0; i < whole->chain_count && i < ASKED; i++) {
		struct usage_ask ask = USAGE_ASK_NONE;
		struct usage *u;

		ask.what = USAGE_ASK_CHAIN;
		ask.chain = i;
		u = usage_new(p, NULL, NULL, &ask, NULL);
		fuzz_check(u->list.link_count <= u->list.total);
		for (size_t k = 0; k < u->list.link_count; k++) {
			const struct usage_link *l = &u->list.links[k];

			fuzz_check(l->link.chain == i && l->link.from <= l->link.to);
			fuzz_check(l->depth <= (k > 0 ? l[-1].depth + 1 : 0));
		}
		usage_free(u);
	}
}

/* The leaves of a wait have all of its time, once. */
static void
waits_check(const struct profile *p)
{
	for (uint32_t t = 0; t < trace_thread_count(p->trace) && t < ASKED; t++) {
		nsec spent = 0, leaves = 0;
		struct waits w;

		fuzz_check(waits_find(p, t, p->trace->log->end / 2, &w, NULL));
		for (int i = 0; i < WAIT_KINDS; i++)
			spent += w.spent[i];
		for (size_t i = 0; i < w.count; i++) {
			const struct wait_row *row = &w.rows[i];

			fuzz_check(row->from < row->to && row->depth < WAITS_DEPTH + 1);
			if (row->kind == WAIT_FOLLOWED)
				fuzz_check(i + 1 < w.count && row[1].depth == row->depth + 1);
			else
				leaves += row->to - row->from;
		}
		fuzz_check(spent == w.range.to - w.range.from && leaves == spent);
		waits_release(&w);
	}
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

		u = usage_new(p, NULL, NULL, NULL, NULL);
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
		chains_check(p, u);
		waits_check(p);
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
