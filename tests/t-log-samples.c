// SPDX-License-Identifier: Apache-2.0
/*
 * Real logs against figures found without this program.  They are not part of the project;
 * without them everything skips.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/load/profile.h"
#include "profile/sum/fold.h"
#include "tap/tap.h"
#include "trace/log.h"

enum { B, E, S, F, C, LETTERS };

static const struct sample {
	const char *file;
	uint64_t events, threads;
	uint64_t markers[LETTERS];
	uint64_t open, ends, open_async, ends_async; /* unmatched */
	uint64_t switches;
	uint64_t cpus;
	int64_t ran_us; /* on all cores; -1 not known */
	int64_t ms;     /* from the first record to the last; 0 not known */
} samples[] = {
	{ "gracker_flutter_wanandroid.html.gz", 141632, 262, {22213, 23231, 20, 20, 2650}, 4, 1022,
	    0, 0, 30458, 8, 6595758, 4174 },
	{ "gracker_xiaomi_launcher_scroll.html.gz", 225940, 351, {29505, 29505, 92, 92, 13007}, 2,
	    2, 0, 0, 60835, 8, 5452448, 3015 },
	{ "atrace_video_5col_flags.systrace.gz", 28606, 34, {4484, 4484, 0, 0, 19636}, 1, 1, 0, 0,
	    0, 4, -1, 6039 },
	{ "catapult_atrace_z_compressed.ctrace", 1042, 6, {463, 463, 17, 9, 88}, 0, 0, 8, 0, 0, 6,
	    -1, 998 },
	{ "catapult_atrace_decompressed.txt", 1042, 6, {463, 463, 17, 9, 88}, 0, 0, 8, 0, 0, 6,
	    -1, 998 },
	{ "catapult_atrace_missing_tgids.txt", 116, 23, {0}, 0, 0, 0, 0, 72, 0, -1, 0 },
	{ "catapult_pre32_escaped_newlines.txt", 91, 13, {0}, 0, 0, 0, 0, 58, 0, -1, 0 },
	{ "catapult_trivial_legacy_systrace.html", 4, 3, {0, 0, 0, 0, 4}, 0, 0, 0, 0, 0, 0, -1, 0 },
	{ "trappy_legacy_systrace.html", 15, 3, {0}, 0, 0, 0, 0, 3, 0, -1, 0 },
	{ "trappy_surfaceflinger_systrace.html", 2506, 82, {70, 70, 0, 0, 18}, 0, 0, 0, 0, 715, 0,
	    -1, 0 },
	{ "lisa_tracecmd_report_numeric_state.txt", 2941, 51, {0}, 0, 0, 0, 0, 1856, 6, 4022211,
	    6676 },
	{ "trappy_filesystem_noflags.txt", 69, 8, {0}, 0, 0, 0, 0, 0, 0, -1, 0 },
	{ "trappy_tracecmd_sched.txt", 11, 7, {0}, 0, 0, 0, 0, 0, 0, -1, 0 },
	{ "servo_v1.ftrace", 56, 4, {3, 0, 0, 0, 53}, 3, 0, 0, 0, 0, 0, -1, 0 },
	{ "servo_v5_1_1_FCP.ftrace", 65, 6, {7, 0, 0, 0, 58}, 7, 0, 0, 0, 0, 0, -1, 0 },
	{ "ut_bytrace_input_thread.txt", 30, 7, {0}, 0, 0, 0, 0, 15, 0, -1, 0 },
	{ "docs_hitrace_dump_snapshot.ftrace", 13, 2, {6, 7, 0, 0, 0}, 0, 1, 0, 0, 0, 0, -1, 0 },
	{ "docs_myTest_api18.ftrace", 7, 1, {1, 0, 2, 2, 2}, 1, 0, 0, 0, 0, 0, -1, 0 },
	{ "docs_myTest_api19.ftrace", 9, 1, {1, 0, 3, 3, 2}, 1, 0, 0, 0, 0, 0, -1, 0 },
	{ "docs_myTest_api19_5col.ftrace", 7, 1, {1, 0, 2, 2, 2}, 1, 0, 0, 0, 0, 0, -1, 0 },
};

/* Sums over all threads in us. */
static const struct golden {
	const char *file, *name;
	uint64_t calls, recursive;
	int64_t wall, cpu;
	int64_t own_wall, own_cpu; /* exclusive; -1 not known */
} goldens[] = {
	{ "gracker_xiaomi_launcher_scroll.html.gz", "DrawFrame", 111, 0, 698760, 636630, -1, -1 },
	{ "gracker_xiaomi_launcher_scroll.html.gz", "present", 138, 138, 587138, 128384, 19222,
	    19222 },
	{ "gracker_flutter_wanandroid.html.gz", "onMessageReceived", 498, 0, 948568, 554207, -1,
	    -1 },
};

static struct profile *
load(const char *file, struct err *e)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	static const struct tempfile_how how = {.folder = NULL};
	struct trace *t;
	struct profile *p;
	char path[1024];

	snprintf(path, sizeof(path), "%s/samples/ftrace/%s", shared != NULL ? shared : ".", file);
	t = format_open(path, &how, e);
	if (t == NULL)
		return NULL;
	p = profile_new(t);
	while (profile_load(p, 100000, e) == LOAD_MORE)
		;
	return p;
}

static void
done(struct profile *p)
{
	struct trace *t = p->trace;

	profile_free(p);
	trace_free(t);
}

/* Each core ran something or was idle all the time; nothing was lost in these logs. */
static void
accounting(const char *file, const struct profile *p)
{
	const struct sched *s = &p->trace->log->sched;
	nsec length = p->trace->log->end;
	int wrong = 0;

	for (size_t i = 0; i < s->cpu_count; i++) {
		const struct sched_cpu *c = &s->cpus[i];

		if (c->switched)
			wrong += c->ran + c->idle != length;
	}
	is_int(wrong, 0, "%s: what ran and idle time make up each core's time", file);
}

static void
sample_test(const struct sample *want)
{
	struct err e = {0};
	struct profile *p = load(want->file, &e);
	const struct log_summary *s;
	nsec ran = 0;

	if (!ok(p != NULL, "%s opens", want->file)) {
		diag("%s", e.what);
		return;
	}
	s = &p->trace->log->summary;
	is_int((int64_t)s->events, (int64_t)want->events, "%s: events", want->file);
	is_int((int64_t)s->threads, (int64_t)want->threads, "%s: threads", want->file);
	for (int i = 0; i < LETTERS; i++)
		is_int((int64_t)s->markers[i], (int64_t)want->markers[i], "%s: markers %c",
		    want->file, "BESFC"[i]);
	is_int((int64_t)s->unfinished, (int64_t)want->open, "%s: slices left open", want->file);
	is_int((int64_t)s->unmatched_ends, (int64_t)want->ends, "%s: ends of nothing", want->file);
	is_int((int64_t)s->unfinished_async, (int64_t)want->open_async,
	    "%s: asynchronous slices left open", want->file);
	is_int((int64_t)s->unmatched_async_ends, (int64_t)want->ends_async,
	    "%s: asynchronous ends of nothing", want->file);
	is_int((int64_t)p->trace->log->sched.switches, (int64_t)want->switches, "%s: switches",
	    want->file);
	if (want->cpus > 0)
		is_int((int64_t)s->cpus, (int64_t)want->cpus, "%s: cores", want->file);
	for (size_t i = 0; i < p->trace->log->sched.cpu_count; i++)
		ran += p->trace->log->sched.cpus[i].ran;
	if (want->ran_us >= 0)
		is_int(ran / 1000, want->ran_us, "%s: us that ran", want->file);
	if (want->ms > 0)
		is_int((p->end - p->begin + 500000) / 1000000, want->ms, "%s: ms", want->file);
	accounting(want->file, p);
	done(p);
}

static void
golden_test(const struct golden *want)
{
	struct err e = {0};
	struct profile *p = load(want->file, &e);
	struct fold *fold;
	bool found = false;

	if (p == NULL) {
		ok(false, "%s opens", want->file);
		return;
	}
	fold = fold_make(p, &(struct fold_query){0}, NULL);
	for (uint32_t i = 1; i < fold->method_count; i++) {
		const struct method *m = trace_method(p->trace, i);
		const struct method_sum *sum = &fold->methods[i];

		if (m->async || !str_equal(m->name, str_from(want->name)))
			continue;
		found = true;
		is_int((int64_t)sum->calls, (int64_t)want->calls, "%s: calls", want->name);
		is_int((int64_t)sum->recursive_calls, (int64_t)want->recursive, "%s: recursive",
		    want->name);
		is_int(sum->inclusive[CLOCK_WALL] / 1000, want->wall, "%s: wall", want->name);
		is_int(sum->inclusive[CLOCK_CPU] / 1000, want->cpu, "%s: cpu", want->name);
		if (want->own_wall >= 0) {
			is_int(sum->exclusive[CLOCK_WALL] / 1000, want->own_wall, "%s: own wall",
			    want->name);
			is_int(sum->exclusive[CLOCK_CPU] / 1000, want->own_cpu, "%s: own cpu",
			    want->name);
		}
	}
	ok(found, "%s is there", want->name);
	fold_free(fold);
	done(p);
}

int
main(void)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	struct err e = {0};
	char path[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/samples/ftrace/%s", shared != NULL ? shared : ".",
	    samples[0].file);
	file = fopen(path, "r");
	if (file == NULL)
		skip_all("the sample logs are not here");
	fclose(file);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		sample_test(&samples[i]);
	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
		golden_test(&goldens[i]);
	ok(load("docs_format_table_payloads.txt", &e) == NULL, "a list of payloads is no log");
	return tap_done();
}
