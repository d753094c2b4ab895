// SPDX-License-Identifier: Apache-2.0
/* past: rates of a trace that is followed, from one report to the next (report.h). */
#include <config.h>

#include "base/mem.h"
#include "report/tables.h"
#include "view/identity.h"

/* The methods and threads of the report before, by what they are, and those of this one. */
struct then_now {
	const struct report_past *then;
	struct identities *now;
};

static uint32_t
method_now(const void *of, uint32_t method)
{
	const struct then_now *both = of;

	return identity_to_method(both->now, both->then->methods[method]);
}

static uint32_t
thread_now(const void *of, uint32_t thread)
{
	const struct then_now *both = of;

	return identity_to_thread(both->now, both->then->threads[thread]);
}

void
past_take(struct report_past *past, const struct report *r)
{
	struct identities *now = identities_new(r->trace);
	const struct then_now both = {past, now};
	const struct rates_map map = {method_now, thread_now, &both};
	const uint32_t methods = r->fold->method_count, threads = r->fold->thread_count;
	struct rates next = {0};

	rates_take(&next, &past->rates, r->fold, r->trace, r->profile->end, 0, &map);
	rates_release(&past->rates);
	past->rates = next;
	past->methods = mem_resize(past->methods, methods, sizeof(*past->methods));
	past->threads = mem_resize(past->threads, threads, sizeof(*past->threads));
	for (uint32_t m = 0; m < methods; m++)
		past->methods[m] = identity_method(now, m);
	for (uint32_t t = 0; t < threads; t++)
		past->threads[t] = identity_thread(now, t);
	identities_free(now);
}

void
report_past_release(struct report_past *past)
{
	rates_release(&past->rates);
	mem_free(past->methods);
	mem_free(past->threads);
}
