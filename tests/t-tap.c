// SPDX-License-Identifier: Apache-2.0
/*
 * The TAP helper itself: failing checks in a child must read as failures.
 */
#include <config.h>

#include "tap/tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
failing_checks(void)
{
	ok(false, "a name\nnot ok 77 with a # and a newline");
	is_int(3, 4, "integers");
	is_str("a\033b", NULL, "strings");
	is_mem("ab", 2, "abc", 3, "bytes");
	return tap_done();
}

/* What `checks` prints, in a child; its exit status. */
static int
child_output(int (*checks)(void), char *text, size_t size)
{
	int fds[2], status = 0;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	fflush(stdout);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		status = checks();
		fflush(stdout);
		_exit(status);
	}
	close(fds[1]);
	while (n < size - 1 && (got = read(fds[0], text + n, size - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
main(void)
{
	char text[4096], none[100];
	int no_checks = child_output(tap_done, none, sizeof none);
	int status = child_output(failing_checks, text, sizeof text);

	is_int(status, 1, "failed checks make the exit status");
	ok(strncmp(text, "not ok 1 - a name not ok 77 with a ' and a newline\n", 51) == 0,
	    "a name stays on one line");
	ok(strstr(text, "tests/t-tap.c:17") != NULL, "file and line are named");
	ok(strstr(text, "got 3, want 4") != NULL, "both integers are shown");
	ok(strstr(text, "got  \"a\\x1bb\" (3 bytes)\n#   want NULL\n") != NULL,
	    "strings are shown escaped");
	ok(strstr(text, "not ok 4 - bytes") != NULL, "a shorter prefix is not equal");
	ok(strstr(text, "1..4\n# 4 of 4 checks failed\n") != NULL, "the plan comes last");
	ok(is_str("x", "x", "equal strings") && is_mem("a\0b", 3, "a\0b", 3, "equal bytes"),
	    "checks return what they found");
	ok(no_checks == 1 && strncmp(none, "not ok 1 - something was checked\n", 33) == 0,
	    "no check at all is a failure");
	return tap_done();
}
