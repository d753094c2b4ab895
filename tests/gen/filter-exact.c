// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdlib.h>

#include "filter.h"

struct exact {
	struct gen_stream stream;
	struct gen_stream *source;
};

static size_t
pull(struct gen_stream *stream, struct gen_event *out, size_t max)
{
	struct exact *x = (struct exact *)stream;
	size_t n = x->source->pull(x->source, out, max), i;

	for (i = 0; i < n; i++) {
		out[i].cpu_ns -= out[i].cpu_ns % 1000;
		out[i].wall_ns -= out[i].wall_ns % 1000;
	}
	return n;
}

static void
exact_free(struct gen_stream *stream)
{
	struct exact *x = (struct exact *)stream;

	x->source->free(x->source);
	free(x);
}

struct gen_stream *
filter_exact(struct gen_stream *source)
{
	struct exact *x = gen_alloc(1, sizeof *x);

	x->stream = (struct gen_stream){pull, exact_free};
	x->source = source;
	return &x->stream;
}
