/*
 * t-engine: the engine's own beginning and end: without a thread it is refused and leaves
 * nothing behind (which a build with sanitizers sees), with one it loads.
 */
#include <config.h>

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mapguard.h"
#include "format/format.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "view/engine.h"
#include "view/fixture.h"

/* More than any machine can give a thread for its stack. */
static const size_t stack_no_one_has = SIZE_MAX / 2 + 1;

static void
test_no_thread(struct trace *trace)
{
	struct err e = {.kind = ERR_NONE};
	pthread_attr_t usual, huge;

	pthread_attr_init(&huge);
	ok(pthread_getattr_default_np(&usual) == 0 &&
		pthread_attr_setstacksize(&huge, stack_no_one_has) == 0 &&
		pthread_setattr_default_np(&huge) == 0,
	    "no thread can be started");
	ok(engine_new(trace, 1, &e) == NULL, "there is no engine then");
	is_int(e.kind, ERR_SYSTEM, "and an error");
	ok(strstr(e.what, "cannot start a thread") != NULL, "which says so: %s", e.what);
	pthread_setattr_default_np(&usual);
	pthread_attr_destroy(&usual);
	pthread_attr_destroy(&huge);
}

static void
test_loaded(struct trace *trace)
{
	struct err e = {.kind = ERR_NONE};
	struct engine *engine = engine_new(trace, 1, &e);
	struct engine_news news = {.state = LOAD_MORE};

	ok(engine != NULL, "with a thread there is one");
	/* Each wait ends by itself, be it by an answer or by the clock. */
	for (int turn = 0; news.state == LOAD_MORE && turn < 10000; turn++) {
		engine_wait(engine, 10, true);
		engine_take(engine, &news);
		fold_free(news.fold);
		engine_timeline_free(news.timeline);
	}
	is_int(news.state, LOAD_DONE, "which loads the trace");
	engine_free(engine);
}

/* What was wanted while it was held is answered as soon as it goes on, and not before. */
static void
test_held(struct trace *trace)
{
	static const uint32_t first = 0;
	struct err e = {.kind = ERR_NONE};
	struct engine *engine = engine_new(trace, 1, &e);
	struct engine_want want = {.marks_method = METHOD_NONE, .call_method = METHOD_NONE,
	    .calls_method = METHOD_NONE, .near_method = METHOD_NONE, .columns = 10, .rows = 1,
	    .threads = &first};
	struct engine_news news = {.state = LOAD_MORE};
	const unsigned job = 1u << JOB_TIMELINE;
	bool pending = true;

	if (!ok(engine != NULL, "an engine to be held"))
		return;
	engine_hold(engine);
	engine_want(engine, &want);
	engine_wait(engine, 20, false);
	ok(engine_pending(engine, job), "while it is held nothing is begun");
	engine_go_on(engine);
	for (int turn = 0; pending && turn < 10000; turn++) {
		/* However often. */
		engine_hold(engine);
		engine_go_on(engine);
		engine_wait(engine, 10, true);
		pending = engine_pending(engine, job);
		engine_take(engine, &news);
		fold_free(news.fold);
		engine_timeline_free(news.timeline);
	}
	ok(!pending, "then it is");
	engine_hold(engine);
	engine_free(engine);
	ok(true, "it ends while it is held");
}

/* Its thread, too, lives on when the file is cut under it, and answers. */
static void
test_cut(void)
{
	static const uint32_t first = 0;
	static const struct tempfile_how how;
	struct engine_want want = {.marks_method = METHOD_NONE, .call_method = METHOD_NONE,
	    .calls_method = METHOD_NONE, .near_method = METHOD_NONE, .columns = 10, .rows = 1,
	    .threads = &first};
	struct engine_news news = {.state = LOAD_MORE};
	struct err e = {.kind = ERR_NONE};
	char path[] = "t-engine.XXXXXX";
	size_t size;
	uint8_t *bytes = generate("--records=20k", 1 << 20, &size);
	int fd = mkstemp(path);
	struct trace *trace;
	struct engine *engine;

	mapguard_install(NULL);
	ok(bytes != NULL && write(fd, bytes, size) == (ssize_t)size, "a file");
	trace = format_open(path, &how, &e);
	engine = engine_new(trace, 1, &e);
	while (news.state == LOAD_MORE || engine_pending(engine, ~0u)) {
		engine_wait(engine, 10, true);
		engine_take(engine, &news);
		fold_free(news.fold);
		engine_timeline_free(news.timeline);
	}
	ok(ftruncate(fd, 0) == 0, "which is cut when it was read");
	want.from = news.begin;
	want.to = news.begin + (news.end - news.begin) / 2;
	engine_want(engine, &want);
	while (engine_pending(engine, 1u << JOB_TIMELINE))
		engine_wait(engine, 10, false);
	ok(true, "what is asked then has an answer");
	engine_free(engine);
	trace_free(trace);
	free(bytes);
	close(fd);
	unlink(path);
}

int
main(void)
{
	struct fixture fixture = {0};

	fixture_worked(&fixture, true);
	test_no_thread(fixture.trace);
	test_loaded(fixture.trace);
	test_held(fixture.trace);
	fixture_close(&fixture);
	test_cut();
	return tap_done();
}
