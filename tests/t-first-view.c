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

#include "tui/desk.h"

/* What tells a view, and keys that go to another one and what tells that. */
static const struct {
	const char *name, *words; /* of the command line */
	const char *first, *away, *other;
} table[] = {
	{"profile", "some.trace", "Calls Method", "2", "Call tree"},
	{"call tree", "--view=tree some.trace", "Call tree", "1", "Calls Method"},
	{"comparison", "diff some.trace some.trace", "only in B", "1", "Calls Method"},
	{"information", "--view=info some.trace", "TRACE", "q", "Calls Method"},
};

static void
first(size_t at)
{
	struct pty *p = desk_start(NULL, table[at].words);

	ok(pty_expect(p, table[at].first), "%s: begun with", table[at].name);
	pty_keys(p, table[at].away);
	ok(pty_expect(p, table[at].other), "%s: another one", table[at].name);
	if (*table[at].away != 'q') {
		pty_keys(p, "q");
		ok(pty_expect(p, table[at].first), "%s: q goes back to it", table[at].name);
	}
	desk_quit(p, "q", table[at].name);
}

int
main(void)
{
	desk_begin("t-first-view");
	desk_sample("some.trace", "sample.trace.txt");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		first(i);
	return desk_end();
}
#endif
