// SPDX-License-Identifier: Apache-2.0
/*
 * lines: a text on a screen of its own, some lines of which can be chosen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct settings;

enum tui_line_kind { LINE_TEXT, LINE_TITLE, LINE_ROW, LINE_BAD /* a row to worry about */ };

struct tui_line {
	struct str text; /* borrowed */
	enum tui_line_kind kind;
};

struct tui_lines {
	const char *title, *hint; /* hint: the keys that are told below */
	struct tui_line *lines;   /* borrowed */
	size_t count, cursor, top;
};

/* `cursor` is the line that was chosen; or the user quits. */
enum tui_lines_end { LINES_QUIT, LINES_CHOSEN, LINES_TROUBLE };
enum tui_lines_end tui_lines(struct tui_lines *, const struct settings *);
