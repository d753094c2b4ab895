// SPDX-License-Identifier: Apache-2.0
/*
 * conf: text of `key = value` lines in sections, read and changed without losing a
 * comment.
 *
 *	# a comment is a line of its own, since values may hold any character
 *	key = value
 *	[section]
 *	other = blanks around key and value do not count
 *
 * Nothing is copied when reading; results point into the text.
 */
#pragma once

#include "base/sbuf.h"
#include "base/str.h"

struct conf_entry {
	struct str section; /* empty before the first heading */
	struct str key, value;
	int line;
	const char *fault; /* NULL, or why the line is none; nothing else is set then */
};

/* Calls `take` for each line that is neither blank nor a comment nor a heading. */
void conf_read(struct str text, void (*take)(void *context, const struct conf_entry *),
    void *context);
/*
 * Gives the key this value: in its last line, or in a new one at the end of its section,
 * which is made when there is none.  All other lines stay unchanged.  Neither key nor
 * value may hold a line feed.
 */
void conf_set(struct sbuf *text, struct str section, struct str key, struct str value);
