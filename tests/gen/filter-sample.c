// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "filter.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

struct sampled {
	GEN_ARRAY(uint64_t) now, seen; /* methods, outermost first */
	struct gen_event last;
	int64_t next_ns;
};

struct sample_stream {
	struct gen_stream base;
	struct gen_stream *from;
	int64_t interval_ns;
	GEN_ARRAY(struct sampled) threads;
	uint32_t thread_of[65536]; /* index + 1 */
	GEN_ARRAY(struct gen_event) ready;
	size_t next;
	struct gen_event batch[BATCH];
};

static void
emit(struct sample_stream *s, struct sampled *thread, uint64_t method, enum gen_action action)
{
	struct gen_event e = thread->last;

	e.method = method;
	e.action = (uint8_t)action;
	*gen_grow(&s->ready) = e;
}

/* Samples the stack as of `last`. */
static void
sample(struct sample_stream *s, struct sampled *thread)
{
	size_t same = 0, i;

	while (same < thread->now.n && same < thread->seen.n &&
	       thread->now.p[same] == thread->seen.p[same])
		same++;
	for (i = thread->seen.n; i > same; i--)
		emit(s, thread, thread->seen.p[i - 1], GEN_EXIT);
	for (i = same; i < thread->now.n; i++)
		emit(s, thread, thread->now.p[i], GEN_ENTER);
	thread->seen.n = same;
	for (i = same; i < thread->now.n; i++)
		*gen_grow(&thread->seen) = thread->now.p[i];
}

static struct sampled *
thread_of(struct sample_stream *s, uint32_t id)
{
	uint32_t *slot = &s->thread_of[id & 65535];

	if (!*slot) {
		*gen_grow(&s->threads) = (struct sampled){.next_ns = 0};
		*slot = (uint32_t)s->threads.n;
	}
	return &s->threads.p[*slot - 1];
}

static void
take(struct sample_stream *s, const struct gen_event *e)
{
	struct sampled *thread = thread_of(s, e->thread);

	if (e->wall_ns >= thread->next_ns) {
		if (thread->next_ns) {
			/* The stack has not changed since `last`, only time went on. */
			thread->last.cpu_ns = e->cpu_ns;
			thread->last.wall_ns = e->wall_ns;
			sample(s, thread);
		}
		thread->next_ns = (e->wall_ns / s->interval_ns + 1) * s->interval_ns;
	}
	thread->last = *e;
	if (e->action == GEN_ENTER)
		*gen_grow(&thread->now) = e->method;
	else if (thread->now.n)
		thread->now.n--;
}

static size_t
sample_pull(struct gen_stream *stream, struct gen_event *out, size_t max)
{
	struct sample_stream *s = (struct sample_stream *)stream;
	size_t n, i;

	while (s->next == s->ready.n) {
		s->next = s->ready.n = 0;
		n = s->from->pull(s->from, s->batch, BATCH);
		if (!n)
			return 0;
		for (i = 0; i < n; i++)
			take(s, &s->batch[i]);
	}
	n = s->ready.n - s->next < max ? s->ready.n - s->next : max;
	memcpy(out, s->ready.p + s->next, n * sizeof *out);
	s->next += n;
	return n;
}

static void
sample_free(struct gen_stream *stream)
{
	struct sample_stream *s = (struct sample_stream *)stream;
	size_t i;

	for (i = 0; i < s->threads.n; i++) {
		free(s->threads.p[i].now.p);
		free(s->threads.p[i].seen.p);
	}
	free(s->threads.p);
	free(s->ready.p);
	s->from->free(s->from);
	free(s);
}

struct gen_stream *
filter_sample(struct gen_stream *from, int64_t interval_ns)
{
	struct sample_stream *s = gen_alloc(1, sizeof *s);

	s->base = (struct gen_stream){sample_pull, sample_free};
	s->from = from;
	s->interval_ns = interval_ns;
	return &s->base;
}
