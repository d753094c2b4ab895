// SPDX-License-Identifier: Apache-2.0
/* Sums of the samples, slowly: each sum looks at all samples (samplegen.h). */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "samplegen.h"

void
sample_put(FILE *f, const struct sample_list *l, uint64_t value)
{
	unsigned part = (unsigned)(value % 1000), digits = 3;

	if (!l->fractions) {
		fprintf(f, "%" PRIu64, value);
		return;
	}
	fprintf(f, "%" PRIu64, value / 1000);
	for (; part > 0 && part % 10 == 0; digits--)
		part /= 10;
	if (part > 0)
		fprintf(f, ".%0*u", (int)digits, part);
}

/* Writes both sums and the method. */
static void
figures_put(FILE *f, const struct sample_list *l, uint64_t inclusive, uint64_t own, unsigned method)
{
	sample_put(f, l, inclusive);
	putc(' ', f);
	sample_put(f, l, own);
	fprintf(f, " %s\n", l->names[method]);
}

static bool
has_frame(const struct sample *s, unsigned method)
{
	for (unsigned d = 0; d < s->depth; d++)
		if (s->frames[d] == method)
			return true;
	return false;
}

void
sample_figures(FILE *f, const struct sample_list *l)
{
	for (unsigned m = 0; m < l->methods; m++) {
		uint64_t own = 0, inclusive = 0;

		for (uint64_t i = 0; i < l->count; i++) {
			const struct sample *s = &l->samples[i];

			if (has_frame(s, m))
				inclusive += s->weight;
			if (s->depth > 0 && s->frames[s->depth - 1] == m)
				own += s->weight;
		}
		if (inclusive > 0)
			figures_put(f, l, inclusive, own, m);
	}
}

/* Returns whether a sample goes through the first frames of another of its thread. */
static bool
on_path(const struct sample *s, const struct sample *path, unsigned depth)
{
	return s->thread == path->thread && s->depth >= depth &&
	    !memcmp(s->frames, path->frames, depth * sizeof(*path->frames));
}

static void
path_figures(FILE *f, const struct sample_list *l, uint64_t at, unsigned depth)
{
	const struct sample *path = &l->samples[at];
	uint64_t own = 0, inclusive = 0;

	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		if (!on_path(s, path, depth))
			continue;
		if (i < at)
			return; /* that sample has written it */
		inclusive += s->weight;
		if (s->depth == depth)
			own += s->weight;
	}
	fprintf(f, "%u ", depth);
	figures_put(f, l, inclusive, own, path->frames[depth - 1]);
}

void
sample_paths(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++)
		for (unsigned d = 1; d <= l->samples[i].depth; d++)
			path_figures(f, l, i, d);
}
