// SPDX-License-Identifier: Apache-2.0
/*
 * loggen: makes text logs of HiTrace, systrace, atrace and trace-cmd, and Perfetto traces,
 * for tests and benchmarks (loggen.h).
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "loggen.h"
#include "optrows.h"

struct settings {
	const char *output, *pack, *lines, *marks;
	struct log_params log;
	bool help;
};

static const struct option_row option_rows[] = {
#define ROW(n, a, k, field, lo, hi, h)                                                   \
	{                                                                                \
		n, a, k, offsetof(struct settings, field), lo, hi, h                     \
	}
    ROW("output", "FILE", KIND_TEXT, output, 0, 0, "write there, not to standard output"),
    ROW("container", "NAME", KIND_TEXT, pack, 0, 0, "one of those below (plain)"),
    ROW("lines", "FORM", KIND_TEXT, lines, 0, 0, "ftrace, pre32, trace-cmd or brief; bundles or tracks: a Perfetto trace"),
    ROW("marks", "FORM", KIND_TEXT, marks, 0, 0, "android, hitrace-old, hitrace or mixed"),
    ROW("events", "N", KIND_COUNT, log.events, 0, UINT64_MAX, "length; k, M and G are known"),
    ROW("size", "N", KIND_COUNT, log.size, 0, UINT64_MAX, "no longer than so many bytes of lines"),
    ROW("seed", "N", KIND_COUNT, log.seed, 0, UINT64_MAX, "another log of the same kind"),
    ROW("threads", "N", KIND_UNSIGNED, log.threads, 1, 100000, "threads at a time"),
    ROW("processes", "N", KIND_UNSIGNED, log.processes, 1, 100000, "of them (four threads each)"),
    ROW("cores", "N", KIND_UNSIGNED, log.cores, 1, LOG_CORES_MAX, "cores"),
    ROW("depth", "N", KIND_UNSIGNED, log.depth, 1, 100000, "slices within each other, at most"),
    ROW("tgid", "N", KIND_UNSIGNED, log.columns, 0, 7, "width of that column; 0: none"),
    ROW("flags", "N", KIND_UNSIGNED, log.flags, 0, 5, "columns of flags: 0, 4 or 5"),
    ROW("nanoseconds", NULL, KIND_FLAG, log.nanoseconds, 0, 0, "times of 9 digits"),
    ROW("no-sched", NULL, KIND_FLAG, log.no_sched, 0, 0, "markers only"),
    ROW("no-marks", NULL, KIND_FLAG, log.no_marks, 0, 0, "the scheduler's events only"),
    ROW("waking", NULL, KIND_FLAG, log.waking, 0, 0, "sched_waking, too"),
    ROW("tracks", NULL, KIND_FLAG, log.tracks, 0, 0, "Android's G, H, I and N, too"),
    ROW("regular", NULL, KIND_FLAG, log.regular, 0, 0, "few call paths: two names at each depth"),
    ROW("captures", "N", KIND_UNSIGNED, log.captures, 0, 100, "joined, the latest first"),
    ROW("lost", "N", KIND_UNSIGNED, log.lost, 0, 10000, "gaps, to 10 000 lines"),
    ROW("damaged", "N", KIND_UNSIGNED, log.damaged, 0, 10000, "of 10 000 lines, broken ones"),
    ROW("backward", "N", KIND_UNSIGNED, log.backward, 0, 10000, "of 10 000 lines, late ones"),
    ROW("stray", "N", KIND_UNSIGNED, log.stray, 0, 10000, "ends of nothing, to 10 000 slices"),
    ROW("open", "N", KIND_UNSIGNED, log.open, 0, 10000, "of 10 000 ends, those left out"),
    ROW("exits", "N", KIND_UNSIGNED, log.exits, 0, 10000, "threads that end, to 10 000 lines"),
    ROW("cut", "N", KIND_UNSIGNED, log.cut, 0, 10000, "of 10 000 markers, too long ones"),
    ROW("help", NULL, KIND_FLAG, help, 0, 0, "this text"),
#undef ROW
};

enum { OPTIONS = sizeof option_rows / sizeof *option_rows };

static _Noreturn void
die(const char *what, const char *detail)
{
	fprintf(stderr, "loggen: %s: %s\n", what, detail);
	exit(2);
}

void
mem_exhausted(size_t size)
{
	(void)size;
	die("memory", strerror(ENOMEM));
}

static void
print_help(void)
{
	const char *name, *help;

	puts("Usage: loggen [OPTION]...\nMakes a text log of traces, or a Perfetto trace.\n");
	option_rows_print(option_rows, OPTIONS);
	puts("\nContainers:");
	for (size_t i = 0; (name = log_pack_name(i, &help)) != NULL; i++)
		printf("  %-22s %s\n", name, help);
}

static unsigned
word_find(const char *option, const char *word, const char *const *words)
{
	for (unsigned i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	die(option, "no such form");
}

int
main(int argc, char **argv)
{
	static const char *const lines[] = {"ftrace", "pre32", "trace-cmd", "brief", "bundles",
	    "tracks", NULL};
	static const char *const marks[] = {"android", "hitrace-old", "hitrace", "mixed", NULL};
	struct settings s = {.pack = "plain", .lines = "ftrace", .marks = "mixed",
	    .log = {.events = 10000, .seed = 1, .threads = 40, .cores = 8, .depth = 8,
		.columns = 5, .flags = 4}};
	struct log_model *m;
	int at = option_rows_parse("loggen", option_rows, OPTIONS, &s, argc, argv);

	if (s.help) {
		print_help();
		return fflush(stdout) == 0 ? 0 : 2;
	}
	if (at < argc)
		die(argv[at], "unexpected");
	if (s.log.size > 0 && s.log.events == 10000)
		s.log.events = UINT64_MAX;
	s.log.lines = (enum log_lines)word_find("lines", s.lines, lines);
	s.log.marks = (enum log_marks)word_find("marks", s.marks, marks);
	if (s.log.lines >= LINES_BUNDLES &&
	    (s.log.lost || s.log.damaged || s.log.backward || s.log.captures > 1))
		die(s.lines, "lost, damaged, late and joined lines are those of text logs");
	m = gen_alloc(1, sizeof *m);
	memset(m, 0, sizeof *m);
	m->params = &s.log;
	m->file = log_file_new(s.pack, s.output);
	if (m->file == NULL)
		die(s.output ? s.output : s.pack, errno ? strerror(errno) : "no such container");
	log_model_run(m);
	if (!log_file_close(m->file))
		die(s.output ? s.output : "standard output", strerror(errno));
	free(m);
	return 0;
}
