// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/spool.h"
#include "base/worker.h"

extern char **environ;

enum {
	TICK_MS = 100,
	/* Another program may keep a stream open after the end (a server that it started). */
	END_MS = 10,
	TERM_MS = 2000, /* from the request to end until it is ended */
};

void
program_release(struct program_result *r)
{
	sbuf_release(&r->out);
	sbuf_release(&r->err);
}

/* Standard input: the text in a file, so that a program that does not read cannot block us. */
static bool
input_open(struct str text, int *fd, struct err *e)
{
	static const struct tempfile_how how = {.folder = NULL};
	struct tempfile file;

	*fd = -1;
	if (text.n == 0) {
		*fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		return *fd >= 0 || err_system(e, "cannot open /dev/null");
	}
	if (!tempfile_begin(&file, &how, e))
		return false;
	if (tempfile_write(&file, text.p, text.n, e) && tempfile_rewind(&file, e))
		*fd = fcntl(file.fd, F_DUPFD_CLOEXEC, 3);
	tempfile_drop(&file);
	return *fd >= 0;
}

int
program_spawn(const char *const *argv, const int files[3], const sigset_t *mask,
    const sigset_t *usual, bool group, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	int error;

	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3; i++)
		if (files[i] >= 0)
			posix_spawn_file_actions_adddup2(&actions, files[i], i);
	posix_spawnattr_init(&how);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, mask);
	posix_spawnattr_setsigdefault(&how, usual);
	posix_spawnattr_setflags(&how, (group ? POSIX_SPAWN_SETPGROUP : 0) |
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(child, argv[0], &actions, &how, (char *const *)argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

int
program_start(const char *const *argv, const int files[3], pid_t *child)
{
	sigset_t usual, none;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGTERM);
	sigaddset(&usual, SIGPIPE);
	return program_spawn(argv, files, &none, &usual, true, child);
}

/* Takes what is there, up to so many bytes in all; false at the end of the stream. */
static bool
take(int fd, struct sbuf *text, size_t most)
{
	char part[16384];
	ssize_t n = read(fd, part, sizeof(part));

	if (n > 0)
		sbuf_bytes(text, part, (size_t)n < most - text->n ? (size_t)n : most - text->n);
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Has it ended?  It stays a zombie, so that its group's number is not used again. */
static bool
has_ended(pid_t child)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid != 0;
}

/* Reads both streams until the program has ended and they are empty, or `until`. */
static bool
hear(const struct program *p, struct program_result *r, struct pollfd fds[2], pid_t child,
    int64_t until)
{
	size_t most = p->kept > 0 ? p->kept : PROGRAM_KEPT;
	struct sbuf *const texts[2] = {&r->out, &r->err};

	for (;;) {
		bool open = fds[0].fd >= 0 || fds[1].fd >= 0, ended = has_ended(child);
		int64_t left = until - clock_ms();
		int n = poll(fds, 2, left <= 0 ? 0 : ended || !open ? END_MS : (int)left);

		for (int i = 0; n > 0 && i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents != 0 && !take(fds[i].fd, texts[i], most))
				fds[i].fd = -1; /* poll passes over it */
		if (ended && (n == 0 || !open))
			return true;
		if (left <= 0)
			return false;
	}
}

/* While it runs. */
static void
attend(const struct program *p, struct program_result *r, struct pollfd fds[2], pid_t child)
{
	int64_t end = clock_ms() + p->limit;
	int status = 0;

	r->end = PROGRAM_ENDED;
	while (r->end == PROGRAM_ENDED && !hear(p, r, fds, child, clock_ms() + TICK_MS))
		if (p->limit > 0 && clock_ms() >= end)
			r->end = PROGRAM_LATE;
		else if (p->go_on != NULL && !p->go_on(p->context))
			r->end = PROGRAM_CANCELLED;
	if (r->end != PROGRAM_ENDED) {
		killpg(child, SIGTERM);
		(void)hear(p, r, fds, child, clock_ms() + TERM_MS);
		killpg(child, SIGKILL);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void
program_run(const struct program *p, struct program_result *r, struct err *e)
{
	int in = -1, out[2] = {-1, -1}, err[2] = {-1, -1}, error;
	pid_t child;

	r->end = PROGRAM_FAILED;
	if (!input_open(p->input, &in, e))
		return;
	error = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0
	    ? program_start(p->argv, (int[]){in, out[1], err[1]}, &child)
	    : errno;
	close(in);
	if (out[1] >= 0)
		close(out[1]);
	if (err[1] >= 0)
		close(err[1]);
	if (error == 0) {
		struct pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};

		attend(p, r, fds, child);
	} else {
		r->end = error == ENOENT || error == ENOTDIR ? PROGRAM_MISSING : PROGRAM_FAILED;
		err_set(e, ERR_SYSTEM, "cannot run %.100s: %s", p->argv[0], strerror(error));
	}
	if (out[0] >= 0)
		close(out[0]);
	if (err[0] >= 0)
		close(err[0]);
}
