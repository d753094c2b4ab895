#include <config.h>

#include "tui/capability.h"

#include <string.h>

#include <curses.h>
#include <term.h>

/* NULL when the terminal has none. */
static const char *
find(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

enum capability_level
capability_probe(int fd)
{
	enum capability_level level;
	int error;

	if (setupterm(NULL, fd, &error) == ERR)
		return CAPABILITY_UNKNOWN;
	level = find("cup") != NULL ? CAPABILITY_FULL : CAPABILITY_POOR;
	del_curterm(cur_term);
	return level;
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
