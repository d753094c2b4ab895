#include <config.h>

#include "tui/capability.h"

#include <string.h>

#include <curses.h>
#include <term.h>

static const char *
find(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

bool
capability_has(const char *name)
{
	return find(name) != NULL;
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
