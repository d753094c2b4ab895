// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/capability.h"

#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <term.h>

enum capability_level { CAPABILITY_UNKNOWN, CAPABILITY_POOR, CAPABILITY_FULL };

/* NULL when the terminal has none. */
static const char *
find(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

/* Finds out whether terminfo knows the terminal, and whether that can place its cursor. */
static enum capability_level
probe(const char *name, int fd)
{
	enum capability_level level;
	int error;

	if (setupterm(name, fd, &error) == ERR)
		return CAPABILITY_UNKNOWN;
	level = find("cup") != NULL ? CAPABILITY_FULL : CAPABILITY_POOR;
	del_curterm(cur_term);
	return level;
}

/*
 * Finds a terminal that one of that name most likely behaves like.  Machines that one
 * logs in to often have the entries of ncurses-base only.
 */
static const char *
find_like(const char *name, int fd)
{
	static const char *const likely[] = {
	    "screen-256color", "screen", "xterm-256color", "xterm", "vt100"};
	bool screen = strncmp(name, "screen", 6) == 0 || strncmp(name, "tmux", 4) == 0;

	for (size_t i = screen ? 0 : 2; i < sizeof(likely) / sizeof(likely[0]); i++)
		if (probe(likely[i], fd) == CAPABILITY_FULL)
			return likely[i];
	return NULL;
}

bool
capability_check(int fd, const char **as, struct err *e)
{
	const char *name = getenv("TERM");

	*as = NULL;
	if (name == NULL || *name == '\0')
		return err_set(e, ERR_SYSTEM, "no terminal type is set (TERM)");
	switch (probe(name, fd)) {
	case CAPABILITY_UNKNOWN:
		*as = find_like(name, fd);
		if (*as != NULL)
			return setenv("TERM", *as, 1) == 0;
		return err_set(e, ERR_SYSTEM,
		    "terminal type '%.64s' is not known here (TERM)", name);
	case CAPABILITY_POOR:
		return err_set(
		    e, ERR_SYSTEM, "terminal type '%.64s' cannot place its cursor", name);
	default:
		return true;
	}
}

size_t
capability_append(char *to, size_t used, size_t room, const char *name)
{
	const char *p = find(name);

	if (p == NULL)
		return used;
	for (; *p != '\0' && used < room; p++) {
		const char *end = p[0] == '$' && p[1] == '<' ? strchr(p, '>') : NULL;

		if (end != NULL)
			p = end;
		else
			to[used++] = *p;
	}
	return used;
}

bool
capability_mixes(void)
{
	return tigetnum("ncv") <= 0;
}
