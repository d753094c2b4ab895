// SPDX-License-Identifier: Apache-2.0
/* A file that is cut while it is mapped: what it still has counts, the loss is told. */
#include <config.h>

#include "base/filemap.h"
#include "format/format.h"
#include "profile/index/replay.h"
#include "profile/load/loader.h"
#include "profile/timeline/timeline.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random-trace.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "tests/folded.h"

enum { HANGS = 300 }; /* seconds: no test takes so long */

static char path[] = "t-shrink.XXXXXX";

static bool
file_write(const char *name, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(name, "wb");

	return f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0;
}

static struct trace *
trace_of(const uint8_t *bytes, size_t size)
{
	static const struct tempfile_how how;
	struct err e = {0};

	return file_write(path, bytes, size) ? format_open(path, &how, &e) : NULL;
}

static struct fold *
fold_of(const uint8_t *bytes, size_t size)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, "cut", &e);
	struct profile *p = profile_new(t);
	struct fold *f;

	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	f = fold_new(p, NULL, NULL, NULL);
	profile_free(p);
	trace_free(t);
	return f;
}

/* Reads `before` records, cuts the file, and goes on. */
static void
cut_check(const uint8_t *bytes, size_t size, uint64_t before, size_t cut)
{
	struct trace *t = trace_of(bytes, size);
	struct profile *p;
	struct fold *got, *want = fold_of(bytes, cut);
	struct err e = {0};
	struct call call;

	if (!ok(t != NULL, "cut at %zu after %d records: opens", cut, (int)before))
		return;
	p = profile_new(t);
	if (before > 0)
		profile_load(p, before, &e);
	ok(truncate(path, (off_t)cut) == 0, "is cut");
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	is_int(p->state, LOAD_DONE, "is read to its end");
	is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].count, 1, "the loss is told");
	is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].offset, (int64_t)cut, "with its place");
	got = fold_new(p, NULL, NULL, NULL);
	is_int((int64_t)got->records, (int64_t)want->records, "records");
	is_int((int64_t)got->calls, (int64_t)want->calls, "calls");
	is_int(got->total[CLOCK_WALL], want->total[CLOCK_WALL], "time");
	ok(truncate(path, (off_t)cut / 2) == 0, "is cut again");
	timeline_call(p, 0, p->end, 0, METHOD_NONE, &call, NULL);
	ok(true, "questions about what is gone do no harm");
	fold_free(got);
	fold_free(want);
	profile_free(p);
	trace_free(t);
}

/* Does a step go from a frame to a frame, of methods that were met? */
static bool
step_sound(void *context, const struct step *step)
{
	const struct profile *p = context;

	return step->thread < p->stack_count && step->before != NODE_NONE &&
	    step->after != NODE_NONE && step->before < p->tree.count &&
	    step->after < p->tree.count;
}

/* Are all calls that are found of methods that were met? */
static bool
calls_sound(const struct profile *p, uint32_t methods)
{
	enum { TIMES = 40 };
	bool sound = true;

	for (uint32_t thread = 0; thread < p->stack_count; thread++) {
		for (int i = 0; i <= TIMES; i++) {
			struct call call;

			timeline_call(p, thread, p->begin + (p->end - p->begin) / TIMES * i, 0, METHOD_NONE,
			    &call, NULL);
			sound &= call.method == METHOD_NONE || call.method < methods;
		}
	}
	return sound;
}

/* Other bytes in place of those that were counted: what is read again rests on none of them. */
static void
foreign_check(const char *options, const char *other)
{
	size_t size, other_size;
	uint8_t *bytes = generate(options, 1 << 22, &size);
	uint8_t *foreign = other != NULL ? generate(other, 1 << 22, &other_size) : NULL;
	struct trace *t = trace_of(bytes, size);
	struct profile *p = profile_new(t);
	uint32_t methods, threads;
	uint64_t begin = t->source->begin;
	struct err e = {0};
	struct range half;
	struct fold *fold;
	FILE *f;

	blocks_choose(p->blocks, 1, BLOCK_BYTES);
	is_int(loader_run(p, 1, NULL, &e), LOAD_DONE, "%s: read", options);
	methods = trace_method_count(t);
	threads = trace_thread_count(t);
	/* In place: the file keeps its size, nothing of it is lost. */
	f = fopen(path, "r+b");
	fseek(f, (long)begin, SEEK_SET);
	for (size_t i = begin; i < size; i++)
		fputc(foreign != NULL && i - begin < other_size ? foreign[other_size - 1 - (i - begin)]
								 : 0, f);
	ok(fclose(f) == 0, "then overwritten with %s", other != NULL ? other : "zeros");
	ok(replay_window(p, NULL, p->begin, p->end, step_sound, p, NULL), "its steps are sound");
	ok(calls_sound(p, methods), "and its calls");
	half = (struct range){p->begin + 1, p->begin + (p->end - p->begin) / 2};
	fold = fold_new(p, NULL, &half, NULL);
	ok(fold != NULL, "a range is counted");
	fold_free(fold);
	ok(trace_method_count(t) == methods && trace_thread_count(t) == threads,
	    "no method and no thread came");
	profile_free(p);
	trace_free(t);
	free(bytes);
	free(foreign);
}

/* Nothing is left of the records: loading ends, with none of them. */
static void
gone_check(const char *options, unsigned jobs)
{
	size_t size;
	uint8_t *bytes = generate(options, 1 << 20, &size);

	for (uint64_t before = 0; bytes != NULL && before <= 20000; before += 20000) {
		struct trace *t = trace_of(bytes, size);
		struct profile *p = profile_new(t);
		struct err e = {0};
		int64_t cut = (int64_t)t->source->begin - 10;

		if (before > 0) {
			profile_load(p, before, &e);
			/* As if enough had been read to tell what made the trace. */
			sampling_free(p->sampling);
			p->sampling = NULL;
		}
		ok(truncate(path, cut) == 0, "%s, cut within its head after %d records", options,
		    (int)before);
		is_int(loader_run(p, jobs, NULL, &e), LOAD_DONE, "is read to its end");
		is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].offset, cut, "its loss is told");
		profile_free(p);
		trace_free(t);
	}
	ok(bytes != NULL, "made");
	free(bytes);
}

/* It gets the same bytes again: these are not believed. */
static void
regrown_check(const uint8_t *bytes, size_t size)
{
	struct trace *t = trace_of(bytes, size);
	struct source *s = t->source;

	ok(truncate(path, 5000) == 0 && source_left(s, true) == 5000, "cut");
	ok(file_write(path, bytes, size), "and written again");
	is_int((int64_t)source_left(s, true), 5000, "stays cut");
	trace_free(t);
}

/* A source with a file that is cut at the n-th question of how much is left. */
static struct {
	const struct source_ops *real;
	atomic_int asked;
	int cut_when;
	size_t cut;
	bool failed;
} cutter;

static void
cutter_set(const struct trace *t, int cut_when, size_t cut)
{
	cutter.real = t->source->ops;
	cutter.asked = 0;
	cutter.cut_when = cut_when;
	cutter.cut = cut;
}

static uint64_t
cutter_left(struct source *s, bool ask)
{
	if (atomic_fetch_add(&cutter.asked, 1) + 1 != cutter.cut_when)
		return filemap_left(s->map, ask);
	cutter.failed = truncate(path, (off_t)cutter.cut) != 0;
	return filemap_left(s->map, true);
}

/* What is left was read to its end, and the loss is told; frees the profile and its trace. */
static void
result_check(struct profile *p, const uint8_t *bytes, size_t cut)
{
	struct trace *t = p->trace;
	struct fold *got = fold_new(p, NULL, NULL, NULL), *want = fold_of(bytes, cut);

	is_int((int64_t)p->damage.kind[DAMAGE_TRUNCATED_FILE].offset, (int64_t)cut, "the loss is told");
	is_int((int64_t)got->records, (int64_t)want->records, "records");
	is_int((int64_t)got->calls, (int64_t)want->calls, "calls");
	is_int(got->total[CLOCK_WALL], want->total[CLOCK_WALL], "time");
	fold_free(got);
	fold_free(want);
	profile_free(p);
	t->source->ops = cutter.real;
	trace_free(t);
}

/*
 * Records that are decoded are asked about when they were, batch by batch.  Without workers: in
 * one pass.
 */
static void
torn_check(const uint8_t *bytes, size_t size, int cut_when, size_t cut, unsigned jobs)
{
	struct trace *t = trace_of(bytes, size);
	struct source_ops ops = *t->source->ops;
	struct profile *p = profile_new(t);
	struct err e = {0};

	cutter_set(t, jobs == 0 ? cut_when : 0, cut);
	ops.left = cutter_left;
	t->source->ops = &ops;
	/* As if enough had been read to tell what made the trace. */
	sampling_free(p->sampling);
	p->sampling = NULL;
	if (jobs > 0) {
		struct loader *l = loader_new(p, jobs);

		profile_load(p, 1000, &e);
		loader_divide(l, jobs);
		cutter.asked = 0;
		cutter.cut_when = cut_when;
		while (loader_round(l, 8192)) {
		}
		loader_free(l);
	}
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	ok(!cutter.failed, "was cut");
	ok(p->restarts > 0, "question %d, cut at %zu, %u workers: counting begins again",
	    cut_when, cut, jobs);
	result_check(p, bytes, cut);
}

/*
 * The same of chunks in place: the file is asked for when one is taken, and again when it was
 * counted.
 */
static void
swept_check(const uint8_t *bytes, size_t size, int cut_when, size_t cut, unsigned jobs, bool again)
{
	struct trace *t = trace_of(bytes, size);
	struct source_ops ops = *t->source->ops;
	struct profile *p = profile_new(t);
	struct loader *l = loader_new(p, jobs);
	struct err e = {0};

	sampling_free(p->sampling);
	p->sampling = NULL;
	profile_load(p, 1000, &e);
	cutter_set(t, cut_when, cut);
	ops.left = cutter_left;
	t->source->ops = &ops;
	loader_divide(l, jobs);
	while (loader_round(l, 8192)) {
	}
	loader_free(l);
	ok(!cutter.failed && cutter.asked >= cut_when && p->at.offset < cut,
	    "question %d of stretches, cut at %zu, %u workers", cut_when, cut, jobs);
	ok((p->restarts > 0) == again, "%s", again ? "counting begins again" : "one pass goes on");
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	result_check(p, bytes, cut);
}

/* A file that is cut while a range of it is counted: what is left counts, maybe some more. */
static void
range_check(const uint8_t *bytes, size_t size, int cut_when, size_t cut, unsigned jobs)
{
	struct trace *t = trace_of(bytes, size);
	struct source_ops ops = *t->source->ops;
	struct profile *p = profile_new(t);
	struct err e = {0};
	struct fold *whole, *torn, *after;
	struct range range;

	blocks_choose(p->blocks, 1, BLOCK_BYTES);
	is_int(loader_run(p, jobs, NULL, &e), LOAD_DONE, "all is read");
	p->jobs = jobs;
	range = (struct range){p->begin + (p->end - p->begin) / 50, p->end - (p->end - p->begin) / 40};
	whole = fold_new(p, NULL, &range, NULL);
	cutter_set(t, cut_when, cut);
	ops.left = cutter_left;
	t->source->ops = &ops;
	torn = fold_new(p, NULL, &range, NULL);
	ok(!cutter.failed && cutter.asked >= cut_when, "question %d of a range, cut at %zu, %u workers",
	    cut_when, cut, jobs);
	after = fold_new(p, NULL, &range, NULL);
	ok(torn->calls >= after->calls && torn->calls <= whole->calls, "its calls");
	ok(torn->total[CLOCK_WALL] >= after->total[CLOCK_WALL] &&
	    torn->total[CLOCK_WALL] <= whole->total[CLOCK_WALL], "and its time");
	fold_free(whole);
	fold_free(torn);
	fold_free(after);
	profile_free(p);
	t->source->ops = cutter.real;
	trace_free(t);
}

/* Records with names between them, which are read ahead. */
static void
streaming_check(void)
{
	size_t size;
	uint8_t *bytes = generate("--format=streaming --records=30k --methods=300 --threads=5 "
				  "--entered=2 --open", 1 << 20, &size);

	if (!ok(bytes != NULL, "a streaming trace"))
		return;
	cut_check(bytes, size, 8192, 200000);
	torn_check(bytes, size, 100, 5000, 0);
	torn_check(bytes, size, 1, 70000, 1);
	torn_check(bytes, size, 2, 4096 * 50, 2);
	torn_check(bytes, size, 3, 300000, 3);
	torn_check(bytes, size, 30, 68000, 1);
	torn_check(bytes, size, 30, 200000, 2);
	free(bytes);
}

/* Is the file that a trace was read from still the same? */
static void
mark_check(const uint8_t *bytes, size_t size)
{
	struct trace *t = trace_of(bytes, size);
	char other[sizeof(path) + 4];

	is_int(trace_file_now(t), FILEMARK_SAME, "an unchanged file");
	ok(truncate(path, (off_t)size - 1) == 0, "one byte less");
	is_int(trace_file_now(t), FILEMARK_CHANGED, "is a change");
	snprintf(other, sizeof(other), "%s.new", path);
	ok(file_write(other, bytes, size) && rename(other, path) == 0, "another takes its name");
	is_int(trace_file_now(t), FILEMARK_REPLACED, "is another file");
	unlink(path);
	is_int(trace_file_now(t), FILEMARK_GONE, "and none");
	trace_free(t);
}

/* A file that is written to while it is read is damage; one that is not is none. */
static void
written_check(const uint8_t *bytes, size_t size, bool writes)
{
	static const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	struct trace *t = trace_of(bytes, size);
	struct profile *p = profile_new(t);
	struct err e = {0};

	profile_load(p, 5000, &e);
	if (writes)
		ok(utimensat(AT_FDCWD, path, times, 0) == 0, "is written to at another time");
	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	is_int((int64_t)p->damage.kind[DAMAGE_CHANGED_FILE].count, writes,
	    writes ? "which is told" : "a file that rests is whole");
	profile_free(p);
	trace_free(t);
}

/* A signal from outside is no fault of a map: it ends the program. */
static void
sent_check(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		raise(SIGBUS);
		_exit(0);
	}
	ok(child > 0 && waitpid(child, &status, 0) == child, "a process that gets a SIGBUS");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS, "ends by it");
}

int
main(void)
{
	size_t size;
	uint8_t *bytes;
	int fd = mkstemp(path);

	if (fd < 0)
		skip_all("no temporary file");
	close(fd);
	mapguard_install(NULL);
	random_trace_make(5, 0);
	bytes = random_trace_bytes(&size);
	alarm(HANGS);
	sent_check();
	mark_check(bytes, size);
	written_check(bytes, size, false);
	written_check(bytes, size, true);
	regrown_check(bytes, size);
	cut_check(bytes, size, 0, 200000);
	cut_check(bytes, size, 8192, 200000);
	cut_check(bytes, size, 8192, 4096 * 60);
	cut_check(bytes, size, 24576, size - 100);
	torn_check(bytes, size, 2, 5000, 0);   /* the first batch was counted */
	torn_check(bytes, size, 11, 68000, 0); /* the page with the end was read before */
	swept_check(bytes, size, 1, 68000, 1, false); /* the first chunk is taken */
	swept_check(bytes, size, 2, 68000, 1, true);   /* and counted */
	swept_check(bytes, size, 2, 200000, 2, false); /* the second is lost, the first counted */
	swept_check(bytes, size, 2, 68000, 2, true);
	swept_check(bytes, size, 4, 150000, 3, true);
	swept_check(bytes, size, 4, 4096 * 70, 2, false);
	for (unsigned jobs = 1; jobs <= 3; jobs++)
		for (int when = 1; when <= 12; when++)
			range_check(bytes, size, when, 4096 * 30, jobs);
	free(bytes);
	foreign_check("--records=30k --threads=5", NULL);
	foreign_check("--records=30k --threads=5", "--records=60k --seed=2 --threads=40");
	foreign_check("--format=streaming --records=30k", "--records=60k --seed=2 --threads=40");
	foreign_check("--format=v2b-stream --records=30k", "--format=v2a --records=60k --seed=2");
	foreign_check("--format=v2b-stream --records=30k", NULL);
	gone_check("--records=30k", 1);
	gone_check("--records=30k", 2);
	gone_check("--format=streaming --records=30k", 2);
	gone_check("--format=v2b-stream --records=30k", 2);
	streaming_check();
	unlink(path);
	return tap_done();
}
