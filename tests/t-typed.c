/*
 * The screens of t-tui with all their keys in one piece: what keys do does not depend on
 * the speed of typing.
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
#include <string.h>

#include "tui/desk.h"
#include "tui/golden_screens.h"

/* Esc before another key is a key of its own only when it comes alone. */
static void
screen_is_typed(const struct screen *s, const char *start, const char *badge)
{
	char keys[400] = "";
	struct pty *p;

	if (s->steps[1].keys == NULL && strlen(s->steps[0].keys) < 2)
		return;
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++)
		snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), "%s", s->steps[i].keys);
	if (strchr(keys, '\033') != NULL)
		return;
	p = desk_start(&s->options, start);
	pty_expect(p, badge);
	pty_keys(p, keys);
	golden_is(p, s->name, "all keys at once");
	pty_free(p);
}

/* With words only the screens that have one in their name. */
int
main(int argc, char **argv)
{
	(void)argc;
	golden_begin("t-typed");
	golden_each(argv + 1, screen_is_typed);
	return desk_end();
}
#endif
