// SPDX-License-Identifier: Apache-2.0
/* samplegen: makes profiles of other tools for tests (samplegen.h). */
#include <config.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abstract.h"
#include "optrows.h"
#include "rng.h"
#include "samplegen.h"

struct settings {
	const char *output, *format;
	uint64_t seed, samples;
	unsigned methods, threads, depth;
	bool odd, crlf, bom, gaps, fractions, events, figures, paths, help;
};

static const struct option_row option_rows[] = {
#define ROW(n, a, k, field, lo, hi, h)                                                   \
	{                                                                                \
		n, a, k, offsetof(struct settings, field), lo, hi, h                     \
	}
    ROW("output", "FILE", KIND_TEXT, output, 0, 0, "write there, not to standard output"),
    ROW("format", "NAME", KIND_TEXT, format, 0, 0, "one of those below (folded)"),
    ROW("seed", "N", KIND_COUNT, seed, 0, UINT64_MAX, "other samples of the same kind"),
    ROW("samples", "N", KIND_COUNT, samples, 0, 1000000, "how many"),
    ROW("methods", "N", KIND_UNSIGNED, methods, 1, 100000, "names of frames"),
    ROW("threads", "N", KIND_UNSIGNED, threads, 1, 10000, "threads"),
    ROW("depth", "N", KIND_UNSIGNED, depth, 1, SAMPLE_FRAMES_MAX, "frames of a stack, at most"),
    ROW("odd", NULL, KIND_FLAG, odd, 0, 0, "names with blanks, quotes, <, \\ and others"),
    ROW("crlf", NULL, KIND_FLAG, crlf, 0, 0, "lines end in CR LF"),
    ROW("bom", NULL, KIND_FLAG, bom, 0, 0, "a byte order mark comes first"),
    ROW("gaps", NULL, KIND_FLAG, gaps, 0, 0, "threads have no samples for a while"),
    ROW("fractions", NULL, KIND_FLAG, fractions, 0, 0, "weights have three decimals"),
    ROW("events", NULL, KIND_FLAG, events, 0, 0, "another event has weights, too"),
    ROW("figures", NULL, KIND_FLAG, figures, 0, 0, "no profile: inclusive and own weight, method"),
    ROW("paths", NULL, KIND_FLAG, paths, 0, 0, "no profile: depth, the same, method of each path"),
    ROW("help", NULL, KIND_FLAG, help, 0, 0, "this text"),
#undef ROW
};

enum { OPTIONS = sizeof option_rows / sizeof *option_rows, MARKS = 7 };

/* A call path that weighs as much is no small part of all, which would not be shown by itself. */
enum { WEIGHT_SHOWN = 200 };

static _Noreturn void
die(const char *what, const char *detail)
{
	fprintf(stderr, "samplegen: %s: %s\n", what, detail);
	exit(2);
}

static const struct sample_format *
format_find(const char *name)
{
	for (const struct sample_format *f = sample_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	die(name, "no such format");
}

static void
print_help(void)
{
	puts("Usage: samplegen [OPTION]...\nMakes a profile of another tool.\n");
	option_rows_print(option_rows, OPTIONS);
	puts("\nFormats:");
	for (const struct sample_format *f = sample_formats; f->name; f++)
		printf("  %-22s %s\n", f->name, f->help);
}

static void
make_frames(const struct sample_list *l, const struct sample_format *f, struct sample *s,
    struct rng *rng)
{
	for (unsigned d = 0; d < s->depth; d++) {
		/* Near the root few methods, so that stacks have beginnings in common. */
		if (!f->one_caller)
			s->frames[d] = rng_below(rng, d + 2 < l->methods ? d + 2 : l->methods);
		else
			s->frames[d] = d == 0 ? 0 : s->frames[d - 1] * 2 + 1 + rng_below(rng, 2);
		if (s->frames[d] >= l->methods)
			s->depth = d;
	}
}

/* Makes samples; without gaps a thread's follow each other, as calls do. */
static void
make_samples(struct sample_list *l, const struct sample_format *f)
{
	static const char *const marks[MARKS] = {"f", "a \"q\" ", "b\\", "c<d>", "\xc3\xa9\xe6\x97\xa5",
	    "ns::g(int)", "op>>"};
	struct rng rng = {l->seed};
	uint64_t *clocks;

	if (f->one_thread)
		l->threads = 1;
	l->odd &= !f->plain;
	l->gaps &= f->gaps;
	l->fractions &= f->fractions;
	l->events &= f->events;
	clocks = gen_alloc(l->threads, sizeof *clocks);
	l->samples = gen_alloc(l->count + 1, sizeof *l->samples);
	l->names = gen_alloc(l->methods, sizeof *l->names);
	for (unsigned i = 0; i < l->methods; i++)
		snprintf(l->names[i], sizeof l->names[i], "%s%u", marks[l->odd ? i % MARKS : 0], i);
	for (uint64_t i = 0; i < l->count; i++) {
		struct sample *s = &l->samples[i];

		s->thread = rng_below(&rng, l->threads);
		s->weight = f->counted ? 1 : (f->one_caller ? WEIGHT_SHOWN : 1) + rng_below(&rng, 1000);
		s->at = clocks[s->thread];
		if (l->fractions)
			s->weight = s->weight * 1000 + rng_below(&rng, 1000);
		clocks[s->thread] += s->weight;
		if (l->gaps && rng_below(&rng, 4) == 0)
			clocks[s->thread] += rng_below(&rng, 100000);
		s->depth = f->no_empty + rng_below(&rng, l->depth + !f->no_empty);
		make_frames(l, f, s, &rng);
	}
	free(clocks);
}

/* Copies text, lines ending as they shall. */
static void
copy_text(FILE *from, FILE *to, const struct sample_list *l, bool binary)
{
	if (l->bom && !binary)
		fputs("\xef\xbb\xbf", to);
	rewind(from);
	for (int c; (c = getc(from)) != EOF;) {
		if (c == '\n' && l->crlf && !binary)
			putc('\r', to);
		putc(c, to);
	}
}

int
main(int argc, char **argv)
{
	struct settings s = {.format = "folded", .seed = 1, .samples = 200, .methods = 12,
	    .threads = 3, .depth = 8};
	int at = option_rows_parse("samplegen", option_rows, OPTIONS, &s, argc, argv);
	const struct sample_format *format = format_find(s.format);
	struct sample_list l = {.count = s.samples, .seed = s.seed, .methods = s.methods,
	    .threads = s.threads, .depth = s.depth, .odd = s.odd, .crlf = s.crlf, .bom = s.bom,
	    .gaps = s.gaps, .fractions = s.fractions, .events = s.events};
	FILE *text = tmpfile(), *out = s.output ? fopen(s.output, "wb") : stdout;

	if (s.help)
		print_help();
	if (at < argc)
		die(argv[at], "unexpected");
	if (text == NULL || out == NULL)
		die(s.output ? s.output : "temporary file", strerror(errno));
	make_samples(&l, format);
	if (s.figures)
		sample_figures(out, &l);
	else if (s.paths)
		sample_paths(out, &l);
	else if (!s.help) {
		format->write(text, &l);
		copy_text(text, out, &l, format->binary);
	}
	if (ferror(text) || fclose(text) != 0 || ferror(out) || fclose(out) != 0)
		die(s.output ? s.output : "standard output", strerror(errno));
	free(l.samples);
	free(l.names);
	return 0;
}
