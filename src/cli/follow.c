// SPDX-License-Identifier: Apache-2.0
/*
 * follow: a trace that is still being written: waited for, and reported again and again.
 */
#include <config.h>

#include "cli/commands.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "format/input.h"

/* A file that cannot be opened with HOPELESS_BYTES of it is not a trace. */
enum { HOPELESS_BYTES = 1 << 18, NS_PER_MS = 1000000 };

/* Waits for a change, at most so long (< 0: for ever); false when interrupted. */
static bool
wait_for(const struct notify *changes, int64_t ms, const atomic_bool *cancel)
{
	struct pollfd fd = {.fd = changes->fd, .events = POLLIN};

	/* A signal between the test and the poll is noticed a second later. */
	if (!atomic_load(cancel))
		(void)poll(&fd, 1, ms < 0 || ms > 1000 ? 1000 : (int)ms);
	(void)notify_take(changes);
	return !atomic_load(cancel);
}

static const struct err taken = {
    .kind = ERR_SYSTEM, .what = "is now a folder, or no file that can be read"};
static const struct err none = {.kind = ERR_SYSTEM, .what = "has nothing yet"};

/* Once for each reason; `told` is the one before. */
static void
say_waiting(const char *path, const struct err *e, char told[static ERR_SIZE])
{
	char text[ERR_SIZE];

	if (strcmp(err_text(e, text), told) == 0)
		return;
	memcpy(told, text, sizeof(text));
	(void)say_trouble(input_name(path), "%s; waiting for more (^C ends)", text);
}

/* Until the trace can be opened, which its first bytes cannot always. */
static int
wait_first(const struct options *o, const char *path, const struct notify *changes)
{
	const atomic_bool *cancel = interrupt_watch();
	char told[ERR_SIZE] = "";
	uint64_t tried = 0;

	for (;;) {
		struct watch_now now = watch_ask(o->watch);
		bool over = watch_over(o->watch, now.state);
		struct err e = {0}, why = {0};
		struct trace *trace;

		if (now.version != tried || tried == 0 || over) {
			tried = now.version;
			trace = load_open(o, DIFF_B, path, NULL, &e);
			trace_free(trace);
			if (trace != NULL)
				return STATUS_OK;
			if (over || (!watch_by_name(o->watch) && now.size >= HOPELESS_BYTES))
				return load_say(path, now.state == WATCH_FAILED ? &now.err : &e);
			say_waiting(path, now.state == WATCH_TAKEN ? &taken
				: now.size == 0 && now.version > 0 ? &none : &e, told);
		}
		/* Nothing of the file was shown: the one that took its name is followed. */
		if (now.state == WATCH_REPLACED && !watch_by_name(o->watch)) {
			if (watch_again(o->watch, &why)) {
				tried = 0;
				continue;
			}
			say_waiting(path, &why, told);
		}
		if (!wait_for(changes, -1, cancel))
			return STATUS_INTERRUPTED;
	}
}

int
follow_pipe(struct options *o, const char *path, int pipe)
{
	const struct tempfile_how how = {.folder = getenv("TMPDIR"), .unpack_most = o->unpack_most};
	struct notify changes;
	struct err e = {0};
	int status = STATUS_TROUBLE;

	if (!notify_open(&changes, &e))
		return load_say(path, &e);
	o->watch = watch_new(path, pipe, o->follow_name && pipe < 0, &how, &e);
	if (o->watch == NULL) {
		status = load_say(path, &e);
	} else {
		watch_tell(o->watch, &changes);
		status = wait_first(o, path, &changes);
		watch_tell(o->watch, NULL);
	}
	notify_close(&changes);
	return status;
}

int
follow_begin(struct options *o, const char *path)
{
	const bool piped = strcmp(path, INPUT_STDIN) == 0;

	if (piped && isatty(STDIN_FILENO))
		return say_trouble(input_name(path), "standard input is a terminal, expected a pipe");
	return follow_pipe(o, path, piped ? STDIN_FILENO : -1);
}

void
follow_end(struct options *o)
{
	watch_free(o->watch);
	o->watch = NULL;
}

/* Why nothing more comes; NULL: the input is at its end. */
static const char *
why_over(enum watch_state state)
{
	return state == WATCH_CUT	? "was cut short; -F goes on with what is there"
	    : state == WATCH_CHANGED ? "was overwritten; -F goes on with what is there"
				     : NULL;
}

/* By name all that cannot be reported is waited for to become a trace again. */
static int
report_all(const struct options *o, const char *path, const struct notify *changes, struct err *failed)
{
	const atomic_bool *cancel = interrupt_watch();
	const struct err removed = {.kind = ERR_SYSTEM, .what = "was removed"};
	char told[ERR_SIZE] = "";
	int64_t next = 0, changed = 0;
	uint64_t seen = 0, rested = 0; /* versions */
	bool first = true;

	for (;;) {
		struct watch_now now = watch_ask(o->watch);
		bool over = watch_over(o->watch, now.state);
		const struct source *source = o->loaded->trace != NULL ? o->loaded->trace->source : NULL;
		bool waits = over && source != NULL && source->waits;
		bool held = !over && source != NULL && source->held > 0 && rested != now.version;
		bool more = first || now.version != now.opened || waits;
		int64_t ms = clock_ms();
		int status;

		changed = now.version != seen ? ms : changed;
		seen = now.version;
		if (held && !more && ms - changed >= SOURCE_REST_MS) {
			rested = now.version;
			more = true;
		}

		if (over && why_over(now.state) != NULL)
			return say_trouble(input_name(path), "%s", why_over(now.state));
		if (more && (over || ms >= next)) {
			first = false;
			next = ms + o->every / NS_PER_MS;
			*failed = (struct err){0};
			status = print_report(o, path);
			if (failed->kind != ERR_NONE)
				say_waiting(path, failed, told);
			else if (status == STATUS_OK || status == STATUS_DAMAGED)
				told[0] = '\0';
			else
				return status;
			continue;
		}
		if (now.state == WATCH_FAILED)
			return load_say(path, &now.err);
		if (over)
			return STATUS_OK;
		if (now.state == WATCH_GONE && watch_by_name(o->watch))
			say_waiting(path, &removed, told);
		if (now.state == WATCH_TAKEN)
			say_waiting(path, &taken, told);
		if (!wait_for(changes, more ? next - ms : held ? changed + SOURCE_REST_MS - ms : -1, cancel))
			return STATUS_INTERRUPTED;
	}
}

int
follow_report(const struct options *o, const char *path)
{
	struct options followed = *o;
	struct load kept = {.options = NULL};
	struct report_past past = {.methods = NULL};
	struct notify changes;
	struct err e = {0}, failed = {0};
	int status;

	if (!o->follow && !o->follow_name)
		return say_usage(options_command(o), "--every is of what -f follows");
	if (o->every <= 0)
		return say_usage(options_command(o), "-f needs a terminal, or --every=TIME to print reports");
	if (o->output != NULL)
		return say_usage(options_command(o), "-f prints to standard output, not with --output");
	if (!notify_open(&changes, &e))
		return load_say(path, &e);
	status = follow_begin(&followed, path);
	if (status == STATUS_OK) {
		watch_tell(followed.watch, &changes);
		followed.loaded = &kept;
		/* Columns of now are for people, and the order by them. */
		if (o->report.format == &report_formats[0])
			followed.report.past = &past;
		followed.failed = watch_by_name(followed.watch) ? &failed : NULL;
		status = report_all(&followed, path, &changes, &failed);
		load_release(&kept);
		report_past_release(&past);
		watch_tell(followed.watch, NULL);
	}
	follow_end(&followed);
	notify_close(&changes);
	return status;
}
