/*
 * The terminal program, end to end: keys in, whole screens out.
 *
 * The right screens are in tests/tui/golden.  After a change that is meant to change
 * them, SLOWTOP_ACCEPT=1 makes this test write them anew (t-tui WORD... those with a word
 * in their name); look at the difference before committing it.
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

#include <stdlib.h>

#include "tui/desk.h"
#include "tui/golden_screens.h"

static void
screen_is_right(const struct screen *s, const char *start, const char *badge)
{
	struct pty *p = desk_start(&s->options, start);

	pty_expect(p, s->options.columns == 39 ? "slowtop needs" : badge);
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++) {
		pty_keys(p, s->steps[i].keys);
		if (s->steps[i].expect != NULL)
			ok(pty_expect(p, s->steps[i].expect), "%s: %s", s->name,
			    s->steps[i].expect);
		else
			pty_settle(p, 40);
	}
	if (getenv("SLOWTOP_ACCEPT") != NULL)
		golden_accept(p, s->name);
	golden_is(p, s->name, "the screen");
	/* Esc ends a prompt, if there is one. */
	desk_quit(p, "\033Q", s->name);
}

int
main(int argc, char **argv)
{
	(void)argc;
	golden_begin("t-tui");
	golden_each(argv + 1, screen_is_right);
	return desk_end();
}
#endif
