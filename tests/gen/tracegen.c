// SPDX-License-Identifier: Apache-2.0
/*
 * tracegen: makes Android method traces for tests, benchmarks and the demo, from a
 * text description (describe.h) or from parameters (simulate.h).
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe.h"
#include "filter.h"
#include "optrows.h"
#include "out.h"
#include "simulate.h"
#include "writer.h"

struct settings {
	const char *output, *format, *clock;
	struct sim_params sim;
	struct harm harm;
	uint64_t sampling; /* us; 0: tracing */
	unsigned version, record_size, data_offset, trailing;
	const char *ids;
	bool overflow, demo, exact, help;
};

static const struct settings defaults = {
    .format = "classic",
    .clock = "dual",
    .version = 3,
    .data_offset = 32,
    .ids = "art",
    .sim =
	{
	    .records = 100000,
	    .seed = 1,
	    .threads = 12,
	    .methods = 4000,
	    .depth = 40,
	    .cores = 4,
	    .slowness = 1,
	    .recursion = 200,
	},
};

/* One row an option: the parser and --help read this table. */
static const struct option_row option_rows[] = {
#define ROW(n, a, k, field, lo, hi, h)                                                   \
	{                                                                                \
		n, a, k, offsetof(struct settings, field), lo, hi, h                     \
	}
    ROW("output", "FILE", KIND_TEXT, output, 0, 0, "write there, not to standard output"),
    ROW("format", "NAME", KIND_TEXT, format, 0, 0,
	"one of those below (classic)"),
    ROW("demo", NULL, KIND_FLAG, demo, 0, 0,
	"five seconds of an app that starts and scrolls"),
    ROW("records", "N", KIND_COUNT, sim.records, 0, UINT64_MAX,
	"length; k and M are known"),
    ROW("threads", "N", KIND_UNSIGNED, sim.threads, 1, 65535, "threads with events"),
    ROW("methods", "N", KIND_UNSIGNED, sim.methods, 1, 1 << 26, "methods, about"),
    ROW("depth", "N", KIND_UNSIGNED, sim.depth, 1, 100000, "frames of the deepest stack"),
    ROW("cores", "N", KIND_UNSIGNED, sim.cores, 1, 64, "threads that run at once"),
    ROW("span", "SECONDS", KIND_SECONDS, sim.span, 0, 0,
	"wall time to stretch or shrink to"),
    ROW("slowness", "N", KIND_UNSIGNED, sim.slowness, 1, 100000,
	"so many times the usual time between events"),
    ROW("seed", "N", KIND_COUNT, sim.seed, 0, UINT64_MAX,
	"another trace of the same kind"),
    ROW("data-version", "N", KIND_UNSIGNED, version, 1, 3, "1, 2 or 3"),
    ROW("clock", "NAME", KIND_TEXT, clock, 0, 0,
	"dual, wall, thread-cpu, global or none"),
    ROW("ids", "STYLE", KIND_TEXT, ids, 0, 0, "art (0, 4, 8 ...), pointer or dalvik"),
    ROW("record-size", "N", KIND_UNSIGNED, record_size, 0, 4096,
	"bytes a record, version 3"),
    ROW("data-offset", "N", KIND_UNSIGNED, data_offset, 16, 65535,
	"bytes of the data header"),
    ROW("trailing", "N", KIND_UNSIGNED, trailing, 0, 4096, "stray bytes at the end"),
    ROW("overflow", NULL, KIND_FLAG, overflow, 0, 0, "say that the buffer overflowed"),
    ROW("sampling", "USEC", KIND_COUNT, sampling, 1, 1000000000,
	"as a sampler writes it"),
    ROW("open", NULL, KIND_FLAG, sim.open, 0, 0, "leave calls open at the end"),
    ROW("entered", "N", KIND_UNSIGNED, sim.entered, 0, 100000,
	"frames a thread entered before the trace"),
    ROW("recursion", "N", KIND_UNSIGNED, sim.recursion, 0, 10000,
	"of 10 000 methods, those that recurse"),
    ROW("unroll", "N", KIND_UNSIGNED, sim.unroll, 0, 10000,
	"of 10 000 exits, those by exception"),
    ROW("unknown-methods", "N", KIND_UNSIGNED, sim.unknown_methods, 0, 10000,
	"of 10 000 methods, those not listed"),
    ROW("unknown-threads", "N", KIND_UNSIGNED, sim.unknown_threads, 0, 10000,
	"of 10 000 threads, those not listed"),
    ROW("lost", "N", KIND_UNSIGNED, harm.lost, 0, 10000,
	"of 10 000 exits, those left out"),
    ROW("stray", "N", KIND_UNSIGNED, harm.stray, 0, 10000,
	"exits without a call, to 10 000 events"),
    ROW("reserved", "N", KIND_UNSIGNED, harm.reserved, 0, 10000,
	"records of the unused action, to 10 000"),
    ROW("backward", "N", KIND_UNSIGNED, harm.backward, 0, 10000,
	"of 10 000 events, those with a clock stepping back"),
    ROW("exact-us", NULL, KIND_FLAG, exact, 0, 0, "times of whole microseconds"),
    ROW("help", NULL, KIND_FLAG, help, 0, 0, "this text"),
#undef ROW
};

enum { OPTIONS = sizeof option_rows / sizeof *option_rows };

static _Noreturn void
die(const char *what, const char *detail)
{
	fprintf(
	    stderr, "tracegen: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	exit(2);
}

static void
print_help(void)
{
	puts("Usage: tracegen [OPTION]... [DESCRIPTION]\n"
	     "Makes an Android method trace from a description (\"-\" is standard "
	     "input), or\n"
	     "without one from the options below.\n");
	option_rows_print(option_rows, OPTIONS);
	puts("\nFormats:");
	for (size_t i = 0; gen_writers[i]; i++)
		printf("  %-22s %s\n", gen_writers[i]->name, gen_writers[i]->help);
	puts("\nWith a description only --output and --format count.\n\nDESCRIPTIONS\n");
	fputs(describe_help, stdout);
}

static struct gen_stream *
from_description(const char *path, struct gen_trace *t)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char error[DESCRIBE_ERROR];
	struct gen_stream *events;

	if (!in)
		die(path, strerror(errno));
	events = describe_read(in, t, error);
	if (!events)
		die(path, error);
	if (in != stdin)
		fclose(in);
	return events;
}

static void
demo_settings(struct settings *s)
{
	s->sim.records = 600000;
	s->sim.span = 5;
	s->sim.threads = 22;
	s->sim.methods = 1800;
	s->sim.depth = 48;
	s->sim.slowness = 8;
	s->sim.unroll = 3;
	s->sim.entered = 0;
	s->sim.open = true;
	s->sim.rare = true; /* a few slow frames */
}

static void
add_option(struct gen_trace *t, const char *key, uint64_t value)
{
	*gen_grow(&t->options) =
	    gen_bytes_format("%s=%llu", key, (unsigned long long)value);
}

/* Lines of the version section as ART writes them. */
static void
add_options(struct gen_trace *t, const struct settings *s, int64_t elapsed_ns, bool exact)
{
	*gen_grow(&t->options) =
	    gen_bytes_format("data-file-overflow=%s", s->overflow ? "true" : "false");
	add_option(t, "elapsed-time-usec", (uint64_t)elapsed_ns / 1000);
	if (exact)
		add_option(t, "num-method-calls", s->sim.records);
	add_option(t, "clock-call-overhead-nsec", 371);
	*gen_grow(&t->options) =
	    gen_bytes_format("vm=%s", s->sim.dalvik ? "dalvik" : "art");
	if (!s->sim.dalvik)
		add_option(t, "pid", 4321);
}

static void
set_ids(struct settings *s, struct gen_trace *t)
{
	static const char *const names[] = {"art", "pointer", "dalvik"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], s->ids))
			break;
	if (i == sizeof names / sizeof *names)
		die("unknown style of ids", s->ids);
	t->id_style = (enum gen_id_style)i;
	s->sim.dalvik = t->id_style == GEN_ID_DALVIK;
}

static struct gen_stream *
from_parameters(struct settings *s, struct gen_trace *t)
{
	const struct harm *h = &s->harm;
	bool harmed = h->lost || h->stray || h->reserved || h->backward;
	struct gen_stream *events;
	int64_t elapsed_ns;

	if (s->demo)
		demo_settings(s);
	t->version = s->version;
	t->record_size = s->record_size;
	t->data_offset = s->data_offset;
	t->start_us = UINT64_C(749848949749);
	free(t->clock.p);
	t->clock = (struct gen_bytes){NULL, 0};
	if (strcmp(s->clock, "none"))
		t->clock = gen_bytes_copy(s->clock, strlen(s->clock));
	set_ids(s, t);
	if (s->version == 1 && s->sim.threads > 255)
		die("data version 1 has at most 255 threads", NULL);
	if (s->sim.dalvik || s->version == 1)
		s->sim.small_threads = true;
	if (s->sampling)
		s->sim.open = true;
	events = simulate_new(&s->sim, t, &elapsed_ns);
	add_options(t, s, elapsed_ns, !harmed && !s->sampling);
	if (s->sampling)
		events = filter_sample(events, (int64_t)s->sampling * 1000);
	if (harmed) {
		s->harm.seed = s->sim.seed;
		events = filter_harm(events, &s->harm, t);
	}
	return s->exact ? filter_exact(events) : events;
}

int
main(int argc, char **argv)
{
	struct settings s = defaults;
	const struct gen_writer *writer;
	struct gen_stream *events;
	struct gen_trace t;
	struct gen_out out;
	const char *problem;
	int at = option_rows_parse("tracegen", option_rows, OPTIONS, &s, argc, argv);

	if (s.help) {
		print_help();
		return fflush(stdout) == 0 ? 0 : 2;
	}
	if (argc - at > 1)
		die("more than one description", argv[at + 1]);
	if (!s.output && isatty(STDOUT_FILENO))
		die("a trace is binary: use --output", NULL);
	writer = writer_find(s.format);
	if (!writer)
		die("unknown format", s.format);
	gen_trace_init(&t);
	events = at < argc ? from_description(argv[at], &t) : from_parameters(&s, &t);
	problem = writer->check(&t);
	if (problem)
		die(problem, NULL);
	if (!out_open(&out, s.output))
		die(s.output, strerror(errno));
	writer->write(&t, events, &out);
	out_zeros(&out, s.trailing);
	if (!out_close(&out, &t))
		die(s.output ? s.output : "standard output", strerror(errno));
	events->free(events);
	gen_trace_free(&t);
	return 0;
}
