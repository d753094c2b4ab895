// SPDX-License-Identifier: Apache-2.0
/*
 * Real traces against figures found without this program: another decoder's counts, and
 * golden times; and what hiding idle time takes out of all of them.  They are not part of the
 * project; without them everything skips.
 */
#include <config.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "profile/load/profile.h"
#include "profile/sum/transform.h"
#include "tap/tap.h"
#include "tests/folded.h"

static const struct sample {
	const char *file, *format;
	int version;
	uint64_t records;
	uint32_t threads; /* with events */
	uint64_t before, open, unknown; /* calls entered before, left open; records of unknown ids */
	bool sampled;
} samples[] = {
	{ "fxprof-art-regular.trace", "classic", 3, 13295, 40, 0, 259, 62, true },
	{ "fxprof-art-streaming.trace", "streaming", 3, 39377, 52, 0, 393, 38, true },
	{ "gracker-flutter-wanandroid.trace", "streaming", 3, 140846, 4, 11, 11, 0, false },
	{ "aosp-perflib-exception.trace", "classic", 3, 23, 1, 3, 2, 0, false },
	{ "burroak-dmtrace.trace", "classic", 3, 26875, 3, 10, 9, 0, false },
	{ "chanjin-sns-4-logout.trace", "classic", 1, 56923, 6, 4, 9, 0, false },
	{ "defrag-SplashTrace.trace", "classic", 3, 61136, 5, 49, 41, 0, false },
	{ "easternhong-methodtrace-test.trace", "classic", 3, 62867, 6, 17, 20, 0, false },
	{ "forever001-launcher-app.trace", "classic", 3, 144, 2, 4, 2, 0, false },
	{ "lilong-example_dmtrace.trace", "classic", 3, 48054, 45, 0, 376, 0, true },
	{ "noname-game-mytrace-old.trace", "classic", 3, 56379, 8, 19, 2, 0, false },
	{ "setapp-deck.trace", "classic", 3, 2649, 1, 3, 2, 0, false },
	{ "setapp-game.trace", "classic", 3, 143107, 7, 17, 22, 0, false },
	{ "testsomething-trace_test-2.trace", "classic", 3, 691, 1, 3, 2, 0, false },
	{ "vroom-data_file_overflow.trace", "classic", 3, 70, 6, 0, 70, 0, true },
	{ "vroom-missing_internal_specto_thread.trace", "classic", 3, 334, 9, 0, 60, 0, true },
};

/* Exclusive wall time in us, calls of one method; sum of the threads' spans. */
static const struct golden {
	const char *file, *class_name, *name;
	int64_t exclusive;
	uint64_t calls;
	int64_t total;
} goldens[] = {
	{ "fxprof-art-regular.trace", "java.lang.Object", "wait", 39241450, 120, 52599734 },
	{ "fxprof-art-streaming.trace", "java.lang.Object", "wait", 50079753, 70, 74942933 },
	{ "fxprof-art-streaming.trace", "java.lang.Thread", "sleep", 8690121, 263, 74942933 },
	{ "fxprof-art-streaming.trace", "android.os.MessageQueue", "nativePollOnce", 1611314,
	    23, 74942933 },
};

/* In `folder` of the samples; NULL, and a line of output, when it is no trace. */
static struct profile *
load(const char *folder, const char *file)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	static const struct tempfile_how how = {.folder = NULL};
	struct err e = {0};
	struct trace *t;
	struct profile *p;
	char path[1024];

	snprintf(path, sizeof(path), "%s/samples/%s/%s", shared != NULL ? shared : ".", folder, file);
	t = format_open(path, &how, &e);
	if (t == NULL) {
		diag("%s: %s", file, e.what);
		return NULL;
	}
	p = profile_new(t);
	while (profile_load(p, 100000, &e) == LOAD_MORE)
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

static void
check_sample(const struct sample *s)
{
	struct profile *p = load("art", s->file);
	uint32_t threads = 0;

	if (!ok(p != NULL, "%s opens", s->file))
		return;
	for (uint32_t i = 0; i < p->stack_count; i++)
		threads += p->stacks[i].records > 0;
	is_str(p->trace->format, s->format, "its format");
	is_int(p->trace->version, s->version, "its version");
	is_int((int64_t)p->records, (int64_t)s->records, "its records");
	is_int(threads, s->threads, "its threads with records");
	is_int((int64_t)p->damage.kind[DAMAGE_EXIT_WITHOUT_ENTRY].count, (int64_t)s->before,
	    "calls entered before it began");
	is_int((int64_t)p->damage.kind[DAMAGE_UNFINISHED_CALL].count, (int64_t)s->open,
	    "calls left open");
	is_int((int64_t)p->damage.kind[DAMAGE_UNKNOWN_METHOD].count, (int64_t)s->unknown,
	    "records of unknown ids");
	is_int((int64_t)(p->damage.kind[DAMAGE_LOST_EXIT].count +
		   p->damage.kind[DAMAGE_UNMATCHED_EXIT].count +
		   p->damage.kind[DAMAGE_UNKNOWN_THREAD].count +
		   p->damage.kind[DAMAGE_PARTIAL_RECORD].count +
		   p->damage.kind[DAMAGE_TRUNCATED_FILE].count +
		   p->damage.kind[DAMAGE_UNREADABLE_DATA].count),
	    0, "no other damage");
	ok(p->sampled.yes == s->sampled, "%s", s->sampled ? "sampled" : "traced");
	done(p);
}

/* The methods of that name with most time. */
static void
check_golden(const struct golden *g)
{
	struct profile *p = load("art", g->file);
	const struct method_sum *best = NULL;
	struct fold *f;

	if (!ok(p != NULL, "%s opens", g->file))
		return;
	f = fold_new(p, NULL, NULL, NULL);
	for (uint32_t i = 0; i < f->method_count; i++) {
		const struct method *m = trace_method(p->trace, i);

		if (str_equal(m->class_name, str_from(g->class_name)) &&
		    str_equal(m->name, str_from(g->name)) &&
		    (best == NULL ||
			f->methods[i].exclusive[CLOCK_WALL] > best->exclusive[CLOCK_WALL]))
			best = &f->methods[i];
	}
	is_int(f->total[CLOCK_WALL] / 1000, g->total, "the threads' time");
	if (ok(best != NULL, "%s.%s is there", g->class_name, g->name)) {
		is_int(best->exclusive[CLOCK_WALL] / 1000, g->exclusive, "its exclusive time");
		is_int((int64_t)(best->calls + best->recursive_calls), (int64_t)g->calls,
		    "its calls");
	}
	fold_free(f);
	done(p);
}

/* Without idle time: all CPU time is left, and what went is the own wall time of calls that wait. */
/* Whether it is a trace. */
static bool
check_idle(const char *folder, const char *file)
{
	struct transforms list = {0};
	struct profile *p = load(folder, file);
	struct fold *before, *after;
	struct transformed *x;
	nsec waited = 0;
	uint8_t *idle;

	if (p == NULL)
		return false;
	transforms_add_line(&list, STR("idle"), NULL);
	before = fold_new(p, NULL, NULL, NULL);
	idle = transform_matches(
	    list.list, p->trace, before->method_count, list.list[0].text, NULL, NULL);
	for (uint32_t m = 0; m < before->method_count; m++)
		waited += idle[m] != 0 ? before->methods[m].exclusive[CLOCK_WALL] : 0;
	x = transform_profile(&list, p, NULL, NULL, false, NULL);
	after = fold_make(p, &(struct fold_query){.of = x}, NULL);
	is_int(after->total[CLOCK_CPU], before->total[CLOCK_CPU], "%s: all CPU time is left", file);
	is_int(before->total[CLOCK_WALL] - after->total[CLOCK_WALL], waited,
	    "%s: what went was spent waiting", file);
	fold_free(after);
	fold_free(before);
	transformed_free(x);
	mem_free(idle);
	transforms_release(&list);
	done(p);
	return true;
}

static void
check_all_idle(const char *folder)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	char path[1024];
	bool any = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/samples/%s", shared != NULL ? shared : ".", folder);
	dir = opendir(path);
	for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
		if (entry->d_name[0] != '.')
			any |= check_idle(folder, entry->d_name);
	if (dir != NULL)
		closedir(dir);
	ok(any, "%s: there are traces", folder);
}

int
main(void)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	char path[1024];
	FILE *in;

	snprintf(path, sizeof(path), "%s/samples/figures.md", shared != NULL ? shared : ".");
	in = fopen(path, "r");
	if (in == NULL)
		skip_all("no samples beside the source tree");
	fclose(in);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		check_sample(&samples[i]);
	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
		check_golden(&goldens[i]);
	check_all_idle("art");
	check_all_idle("ftrace");
	check_all_idle("perfetto");
	return tap_done();
}
