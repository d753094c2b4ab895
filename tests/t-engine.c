// SPDX-License-Identifier: Apache-2.0
/*
 * t-engine: the engine's own beginning and end: without a thread it fails and leaks
 * nothing (which a build with sanitizers sees), with one it loads.
 */
#define _GNU_SOURCE 1 /* of the test, not of what it tests */
#include <config.h>

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/filemap.h"
#include "format/format.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "view/query/engine.h"
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
	ok(engine_new(trace, 1, NULL, &e) == NULL, "there is no engine then");
	is_int(e.kind, ERR_SYSTEM, "and an error");
	ok(strstr(e.what, "cannot start a thread") != NULL, "which says so: %s", e.what);
	pthread_setattr_default_np(&usual);
	pthread_attr_destroy(&usual);
	pthread_attr_destroy(&huge);
}

static void
take(struct engine *engine, struct load_status *status)
{
	struct answer answers[QUERY_KINDS];
	struct engine_work work;

	engine_take(engine, answers, status, &work);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		answer_release(&answers[kind], kind);
}

static void
ask_row(struct query *q, struct track *row)
{
	q->columns = 10;
	q->row_count = 1;
	q->rows = row;
}

static void
test_loaded(struct trace *trace)
{
	struct err e = {.kind = ERR_NONE};
	struct engine *engine = engine_new(trace, 1, NULL, &e);
	struct load_status status = {.state = LOAD_MORE};

	ok(engine != NULL, "with a thread there is one");
	/* Each wait ends by itself, be it by an answer or by the clock. */
	for (int turn = 0; status.state == LOAD_MORE && turn < 10000; turn++) {
		engine_wait(engine, 10, true);
		take(engine, &status);
	}
	is_int(status.state, LOAD_DONE, "which loads the trace");
	engine_free(engine);
}

/* What was wanted while it was held is answered as soon as it goes on, and not before. */
static void
test_held(struct trace *trace)
{
	struct track first = {.kind = TRACK_THREAD};
	struct err e = {.kind = ERR_NONE};
	struct engine *engine = engine_new(trace, 1, NULL, &e);
	struct asked asked = {.of.range = RANGE_ALL};
	struct query *q = query_ask(&asked, QUERY_TIMELINE);
	struct load_status status = {.state = LOAD_MORE};
	const unsigned kind = 1u << QUERY_TIMELINE;
	bool pending = true;

	if (!ok(engine != NULL, "an engine to be held"))
		return;
	ask_row(q, &first);
	engine_hold(engine, true);
	engine_ask(engine, &asked);
	engine_wait(engine, 20, false);
	ok(engine_pending(engine, kind), "while it is held nothing is begun");
	engine_hold(engine, false);
	for (int turn = 0; pending && turn < 10000; turn++) {
		/* However often. */
		engine_hold(engine, true);
		engine_hold(engine, false);
		engine_wait(engine, 10, true);
		pending = engine_pending(engine, kind);
		take(engine, &status);
	}
	ok(!pending, "then it is");
	engine_hold(engine, true);
	engine_free(engine);
	ok(true, "it ends while it is held");
}

/* Its thread, too, lives on when the file is cut under it, and answers. */
static void
test_cut(void)
{
	struct track first = {.kind = TRACK_THREAD};
	static const struct tempfile_how how;
	struct asked asked = {.of.range = RANGE_ALL};
	struct query *q = query_ask(&asked, QUERY_TIMELINE);
	struct load_status status = {.state = LOAD_MORE};
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
	engine = engine_new(trace, 1, NULL, &e);
	while (status.state == LOAD_MORE || engine_pending(engine, ~0u)) {
		engine_wait(engine, 10, true);
		take(engine, &status);
	}
	ok(ftruncate(fd, 0) == 0, "which is cut when it was read");
	ask_row(q, &first);
	q->window = (struct range){status.begin, status.begin + (status.end - status.begin) / 2};
	engine_ask(engine, &asked);
	while (engine_pending(engine, 1u << QUERY_TIMELINE)) {
		engine_wait(engine, 10, false);
		take(engine, &status);
	}
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
