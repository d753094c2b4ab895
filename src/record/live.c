// SPDX-License-Identifier: Apache-2.0
/* live: a recording that is read while it is made (record.h). */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/program.h"
#include "record/record.h"

enum { LOOK_MS = 50, COPY_BYTES = 1 << 16, END_MS = 2000 };

/*
 * Around the mode's command: what it complains of and its number go into files, since some adb
 * mix both outputs, and none ends what it runs when it ends itself.  The pipe to cat is for
 * Perfetto's service, which may write to pipes of the shell only.
 */
static const char before[] = "exec 2>{run}.err; (", behind[] = " & echo $! >{run}; wait) | cat";
#define KILL "kill -TERM $(cat {run})"
#define REMOVE "rm -f {run} {run}.err {run}.config"

/* Leaves the configuration on the device, where the mode has one. */
static bool
config_put(struct record *r)
{
	struct sbuf config = {0};
	bool good = true;

	mode_config(&r->what, blanks_get(&r->blanks, STR("tags")), &config);
	if (config.n > 0) {
		r->input = sbuf_view(&config);
		good = record_ask(r, "cat >{run}.config");
		r->input = (struct str){NULL, 0};
	}
	sbuf_release(&config);
	return good;
}

/* Starts the program whose output is the recording. */
static bool
stream(struct record *r, int *pipe)
{
	const struct tool *tool = &tools[r->device->tool];
	const char *argv[] = {r->host.program[r->device->tool], tool->serial, r->device->serial,
	    tool->stream, NULL, NULL};
	struct sbuf template = {0}, command = {0};
	int ends[2] = {-1, -1}, null = open("/dev/null", O_RDWR | O_CLOEXEC), error;

	sbuf_printf(&template, "%s%s%s", before, r->what.mode->live, behind);
	blanks_fill(&r->blanks, sbuf_cstr(&template), true, &command);
	argv[4] = sbuf_cstr(&command);
	error = null < 0 || pipe2(ends, O_CLOEXEC) != 0 ? errno
		: program_start(argv, (int[]){null, ends[1], null}, &r->live);
	if (error != 0) {
		blanks_set(&r->blanks, "line", str_from(strerror(error)));
		record_say(r, FAILURE_CANNOT_RUN);
	}
	if (null >= 0)
		close(null);
	if (ends[1] >= 0)
		close(ends[1]);
	if (error != 0 && ends[0] >= 0)
		close(ends[0]);
	*pipe = ends[0];
	sbuf_release(&template);
	sbuf_release(&command);
	return error == 0;
}

bool
record_live_begin(struct record *r, int *pipe)
{
	struct sbuf run = {0};
	bool good;

	r->patience = 1;
	record_phase(r, RECORD_PREPARING);
	sbuf_printf(&run, "/data/local/tmp/slowtop-%s.run", r->host.nonce);
	blanks_set(&r->blanks, "run", sbuf_view(&run));
	sbuf_release(&run);
	good = record_prepare(r);
	if (good) {
		r->patience = 2;
		r->undo[UNDO_LIVE] = KILL "; " REMOVE;
		good = r->what.mode->live_started ? record_start(r) : config_put(r);
	}
	record_moment(r, "started");
	if (good && !record_stopped(r, 1) && stream(r, pipe))
		return true;
	record_undo_all(r);
	return false;
}

/* Ends the program here, if it has not ended with what it ran. */
static void
stream_end(struct record *r)
{
	int64_t end = clock_ms() + END_MS;
	pid_t ended = 0;

	killpg(r->live, SIGTERM);
	while ((ended = waitpid(r->live, NULL, WNOHANG)) == 0 && clock_ms() < end)
		r->ui.look(r->ui.context, r, LOOK_MS);
	killpg(r->live, SIGKILL);
	if (ended == 0)
		waitpid(r->live, NULL, 0);
	r->live = 0;
}

/* Copies all that came; false: said. */
static bool
copy(struct record *r, int from, uint64_t *bytes)
{
	const char *part = sbuf_cstr(&r->keep->part);
	int to = from < 0 ? -1 : open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	char *buffer = mem_alloc(COPY_BYTES);
	bool good = from < 0 || to >= 0;
	ssize_t n = 0;

	*bytes = 0;
	while (to >= 0 && good && (n = pread(from, buffer, COPY_BYTES, (off_t)*bytes)) > 0) {
		good = write(to, buffer, (size_t)n) == n;
		*bytes += (uint64_t)n;
	}
	good = good && n >= 0;
	if (!good) {
		blanks_set(&r->blanks, "path", sbuf_view(&r->keep->folder));
		blanks_set(&r->blanks, "line", str_from(strerror(errno)));
		record_say(r, FAILURE_LOCAL);
	}
	if (to >= 0)
		close(to);
	mem_free(buffer);
	return good;
}

/* Keeps all that came by the pipe, once its end has come, too. */
static enum wholeness
take(struct record *r, struct watch *watch, bool answered)
{
	int64_t end = clock_ms() + r->host.limit;
	uint64_t bytes;
	int fd;
	bool good;

	if (watch == NULL)
		return WHOLE_NOTHING; /* why was said */
	while (answered && !watch_ended(watch) && clock_ms() < end && !record_stopped(r, 2))
		r->ui.look(r->ui.context, r, LOOK_MS);
	fd = watch_open(watch);
	good = copy(r, fd, &bytes);
	if (fd >= 0)
		close(fd);
	if (!good)
		return WHOLE_NOTHING;
	if (bytes > 0)
		return record_came(r, answered ? WHOLE : WHOLE_PARTLY);
	if (answered && record_ask(r, "cat {run}.err"))
		record_tell(r, r->reply.known == FAILURE_OTHER ? FAILURE_NOTHING_LIVE : r->reply.known);
	return WHOLE_NOTHING;
}

enum wholeness
record_live_end(struct record *r, struct watch *watch, struct sbuf *path)
{
	enum wholeness whole = WHOLE_NOTHING;
	bool answered;

	r->patience = 2;
	record_phase(r, RECORD_STOPPING);
	record_moment(r, "stopped");
	answered = record_ask(r, KILL);
	if (answered)
		r->undo[UNDO_LIVE] = REMOVE;
	if ((r->what.mode->takes & GROWS) == 0)
		whole = take(r, watch, answered);
	else if (answered && record_stop(r))
		whole = record_fetch(r);
	whole = record_keep(r, whole, path);
	stream_end(r);
	record_undo_all(r);
	return whole;
}
