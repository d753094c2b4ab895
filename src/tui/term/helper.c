// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "base/spool.h"

enum { FEED_SECONDS = 3, TICK_MS = 10 };

void
helper_add(struct helper *h, struct str argument)
{
	MEM_GROW(h->argv, h->room, h->count + 2);
	h->argv[h->count++] = mem_text(argument);
	h->argv[h->count] = NULL;
}

void
helper_release(struct helper *h)
{
	for (size_t i = 0; i < h->count; i++)
		mem_free(h->argv[i]);
	mem_free(h->argv);
	*h = (struct helper){0};
}

bool
helper_split(struct helper *h, struct str command, struct err *e)
{
	struct sbuf word = {0};
	bool inside = false;
	char quote = '\0';

	for (size_t i = 0; i < command.n; i++) {
		char c = command.p[i];

		if (c == '\\' && quote != '\'' && i + 1 < command.n) {
			sbuf_char(&word, command.p[++i]);
			inside = true;
		} else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
			quote = quote != '\0' ? '\0' : c;
			inside = true;
		} else if (quote == '\0' && (c == ' ' || c == '\t')) {
			if (inside)
				helper_add(h, sbuf_view(&word));
			sbuf_clear(&word);
			inside = false;
		} else {
			sbuf_char(&word, c);
			inside = true;
		}
	}
	if (inside)
		helper_add(h, sbuf_view(&word));
	sbuf_release(&word);
	if (quote != '\0')
		return err_set(e, ERR_MALFORMED, "a quote has no end");
	if (h->count == 0)
		return err_set(e, ERR_MALFORMED, "no program is named");
	return true;
}

/* In the child: sets standard input and output, then runs the program. */
static _Noreturn void
become(const struct helper *h, const struct signals *s, int in, int out, int report)
{
	int error;

	if (in >= 0 && in != STDIN_FILENO)
		dup2(in, STDIN_FILENO);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
	}
	signals_in_child(s);
	execvp(h->argv[0], h->argv);
	error = errno;
	while (write(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Starts it; the pid, or -1 when it cannot be. */
static pid_t
start(const struct helper *h, const struct signals *s, int in, int out, struct err *e)
{
	int report[2], error = 0;
	pid_t child;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) != 0) {
		err_system(e, "cannot start a program");
		return -1;
	}
	child = fork();
	if (child == 0)
		become(h, s, in, out, report[1]);
	close(report[1]);
	if (child < 0)
		error = errno;
	else
		do
			n = read(report[0], &error, sizeof(error));
		while (n < 0 && errno == EINTR);
	close(report[0]);
	if (error == 0)
		return child;
	if (child > 0)
		waitpid(child, NULL, 0);
	err_set(e, ERR_SYSTEM, "cannot run %.60s: %s", h->argv[0], strerror(error));
	return -1;
}

static bool
judge(const struct helper *h, int status, struct err *e)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status))
		return err_set(e, ERR_SYSTEM, "%.60s ended with status %d", h->argv[0],
		    WEXITSTATUS(status));
	return err_set(e, ERR_SYSTEM, "%.60s was ended by a signal", h->argv[0]);
}

bool
helper_run(const struct helper *h, const struct signals *s, int in, struct err *e)
{
	struct signals_lent lent;
	pid_t child, ended;
	int status = 0;

	signals_lend(&lent);
	child = start(h, s, in, -1, e);
	if (child > 0)
		do {
			ended = waitpid(child, &status, 0);
			/* The program must not stay on the terminal without us. */
			if (ended < 0 && signals_ended_by() != 0)
				kill(child, signals_ended_by());
		} while (ended < 0 && errno == EINTR);
	signals_take_back(&lent);
	return child > 0 && judge(h, status, e);
}

/* False when it has not ended in time. */
static bool
wait_some_time(pid_t child, int *status)
{
	for (int i = 0; i < FEED_SECONDS * 1000 / TICK_MS; i++) {
		if (waitpid(child, status, WNOHANG) != 0)
			return true;
		poll(NULL, 0, TICK_MS);
	}
	return false;
}

bool
helper_feed(
    const struct helper *h, const struct signals *s, struct str text, struct err *e)
{
	/* The text is in a file, so that a program that does not read cannot block us. */
	struct tempfile_how how = {.folder = getenv("TMPDIR")};
	struct tempfile file;
	int nowhere, status = 0;
	pid_t child;

	if (!tempfile_begin(&file, &how, e))
		return false;
	if (!tempfile_write(&file, text.p, text.n, e) || !tempfile_rewind(&file, e)) {
		tempfile_drop(&file);
		return false;
	}
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	child = start(h, s, file.fd, nowhere, e);
	if (nowhere >= 0)
		close(nowhere);
	tempfile_drop(&file);
	if (child < 0)
		return false;
	if (!wait_some_time(child, &status)) {
		kill(child, SIGTERM);
		waitpid(child, &status, 0);
		return err_set(e, ERR_SYSTEM, "%.60s did not end", h->argv[0]);
	}
	return judge(h, status, e);
}
