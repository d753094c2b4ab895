// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "filter.h"

#include <stdlib.h>

#include "rng.h"

enum { BATCH = 1024, BACKWARD_NS = 500000 };

struct harm_stream {
	struct gen_stream base;
	struct gen_stream *from;
	struct harm harm;
	const struct gen_trace *trace;
	struct rng rng;
	struct gen_event batch[BATCH];
	size_t next, count;
};

static int64_t
earlier(struct rng *r, int64_t ns)
{
	int64_t step = (int64_t)rng_below(r, BACKWARD_NS);

	return step < ns ? ns - step : 0;
}

/* Writes 0 to 2 events for one. */
static size_t
harm_one(struct harm_stream *h, const struct gen_event *e, struct gen_event *out)
{
	struct rng *r = &h->rng;
	size_t n = 0;

	if (e->action == GEN_EXIT && rng_chance(r, h->harm.lost))
		return 0;
	if (rng_chance(r, h->harm.stray)) {
		out[n] = *e;
		out[n].action = rng_chance(r, 2000) ? GEN_UNROLL : GEN_EXIT;
		out[n++].method =
		    h->trace->methods.p[rng_below(r, (uint32_t)h->trace->methods.n)].id;
	} else if (rng_chance(r, h->harm.reserved)) {
		out[n] = *e;
		out[n++].action = GEN_RESERVED;
	}
	out[n] = *e;
	if (rng_chance(r, h->harm.backward)) {
		/* One clock or the other or both. */
		unsigned which = 1 + rng_below(r, 3);

		if (which & 1)
			out[n].cpu_ns = earlier(r, e->cpu_ns);
		if (which & 2)
			out[n].wall_ns = earlier(r, e->wall_ns);
	}
	return n + 1;
}

static size_t
harm_pull(struct gen_stream *stream, struct gen_event *out, size_t max)
{
	struct harm_stream *h = (struct harm_stream *)stream;
	size_t n = 0;

	while (n + 2 <= max) {
		if (h->next == h->count) {
			h->next = 0;
			h->count = h->from->pull(h->from, h->batch, BATCH);
			if (!h->count)
				break;
		}
		n += harm_one(h, &h->batch[h->next++], out + n);
	}
	return n;
}

static void
harm_free(struct gen_stream *stream)
{
	struct harm_stream *h = (struct harm_stream *)stream;

	h->from->free(h->from);
	free(h);
}

struct gen_stream *
filter_harm(
    struct gen_stream *from, const struct harm *harm, const struct gen_trace *trace)
{
	struct harm_stream *h = gen_alloc(1, sizeof *h);

	h->base = (struct gen_stream){harm_pull, harm_free};
	h->from = from;
	h->harm = *harm;
	h->trace = trace;
	h->rng.state = harm->seed * 2 + 77;
	return &h->base;
}
