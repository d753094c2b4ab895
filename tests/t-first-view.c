/*
 * The view that slowtop begins with is the first one: q goes to it from others, and quits
 * there.
 */
#include <config.h>

#include "tap/tap.h"

#ifndef HAVE_VTERM
int
main(void)
{
	skip_all("built without libvterm");
}
#else

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/pty.h"

enum { PATH = 4096 };
static char program[PATH], trace[PATH];

/* What tells a view, and keys that go to another one and what tells that. */
static const struct {
	const char *name, *words[3]; /* of the command line, before the trace */
	const char *first, *away, *other;
} table[] = {
	{"profile", {NULL}, "Calls Method", "2", "Call tree"},
	{"call tree", {"--view=tree"}, "Call tree", "1", "Calls Method"},
	{"comparison", {"diff", trace}, "only in B", "1", "Calls Method"},
	{"information", {"--view=info"}, "TRACE", "q", "Calls Method"},
};

static void
first(size_t at)
{
	const char *argv[6] = {program};
	struct pty_options o = {0};
	struct pty *p;
	int n = 1, status = -1;

	for (int i = 0; i < 3 && table[at].words[i] != NULL; i++)
		argv[n++] = table[at].words[i];
	argv[n++] = trace;
	p = pty_start(&o, argv);
	ok(pty_expect(p, table[at].first), "%s: begun with", table[at].name);
	pty_keys(p, table[at].away);
	ok(pty_expect(p, table[at].other), "%s: another one", table[at].name);
	if (*table[at].away != 'q') {
		pty_keys(p, "q");
		ok(pty_expect(p, table[at].first), "%s: q goes back to it", table[at].name);
	}
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "%s: q quits there", table[at].name);
	pty_free(p);
}

int
main(void)
{
	const char *source = getenv("SRCDIR"), *build = getenv("BUILDDIR");
	char command[4 * PATH];

	if (source == NULL || build == NULL)
		skip_all("run by make check");
	snprintf(program, sizeof(program), "%s/slowtop", build);
	snprintf(trace, sizeof(trace), "%s/t-first-view.%d.trace", build, (int)getpid());
	snprintf(command, sizeof(command),
	    "'%s/tests/gen/tracegen' --output='%s' '%s/tests/tui/sample.trace.txt'", build, trace,
	    source);
	if (!ok(system(command) == 0, "a trace"))
		return tap_done();
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		first(i);
	unlink(trace);
	return tap_done();
}
#endif
