// SPDX-License-Identifier: Apache-2.0
/*
 * term-echo: shows what the terminal layer tells, for t-term.
 *
 *	term-echo [ascii] [never|always] [wait MS] [full]
 *
 * Row 0: the size.  Row 1: the last keys by name, pasted ones with a `~`.  Row 2: how
 * many events.  The next rows: one sample of each look, and wide and combining
 * characters; or, with `full`, no empty cell at all.  The key q ends it, C faults, E is out of memory, ^Z suspends.
 */
#include <config.h>

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/term/term.h"
#include "tui/tui.h"

_Noreturn void
mem_exhausted(size_t size)
{
	tui_emergency_restore();
	fprintf(stderr, "out of memory: %zu\n", size);
	_exit(2);
}

static void
show(struct term *t, struct canvas *c, const char *keys, int redraws, bool full)
{
	const char *name;
	int rows, columns;

	term_size(t, &rows, &columns);
	if (rows != c->rows || columns != c->columns)
		canvas_resize(c, rows, columns);
	canvas_clear(c);
	canvas_format(c, 0, 0, columns, ROLE_TITLE, "size %dx%d", columns, rows);
	canvas_format(c, 1, 0, columns, ROLE_TEXT, "keys %s", keys);
	canvas_format(c, 2, 0, columns, ROLE_DIM, "redraws %d", redraws);
	if (term_taken_for(t, &name) != NULL)
		canvas_format(c, 5, 0, columns, ROLE_TEXT, "taken for %s",
		    term_taken_for(t, &name));
	canvas_text(c, 3, 0, columns, STR("rank"), ROLE_HUE + 1);
	canvas_text(c, 3, 6, columns, STR("cursor"), ROLE_HUE | LOOK_SELECTED);
	canvas_text(c, 3, 14, columns, STR("hit"), LOOK_HIT);
	if (c->utf8)
		canvas_text(c, 4, 0, columns,
		    STR("wide \xe6\x97\xa5\xe6\x9c\xac e\xcc\x81."), ROLE_TEXT);
	for (int row = 5; row < rows && full; row++)
		canvas_fill(c, row, 0, columns, (uint32_t)('a' + row % 26), ROLE_TEXT);
	term_draw(t, c, rows - 1, 0, false);
	term_show(t);
}

int
main(int argc, char **argv)
{
	struct settings settings;
	struct canvas c;
	struct err e = {0};
	struct term *t;
	char keys[400] = "";
	int redraws = 0, ended_by;
	bool quit = false, full = false;

	setlocale(LC_CTYPE, "");
	settings_init(&settings);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "ascii") == 0)
			settings.ascii = true;
		else if (strcmp(argv[i], "never") == 0)
			settings.color = TUI_COLOUR_NEVER;
		else if (strcmp(argv[i], "always") == 0)
			settings.color = TUI_COLOUR_ALWAYS;
		else if (strcmp(argv[i], "wait") == 0 && i + 1 < argc)
			settings.escape_time = atoi(argv[++i]);
		else if (strcmp(argv[i], "full") == 0)
			full = true;
	}
	t = term_open(&settings, &e);
	if (t == NULL) {
		printf("refused: %s\n", e.what);
		settings_release(&settings);
		return 2;
	}
	canvas_init(&c, term_utf8(t) && !settings.ascii);
	while (!quit) {
		unsigned events;
		struct key key;

		show(t, &c, keys, redraws, full);
		events = term_wait(t, -1, -1);
		if (events & TERM_END)
			break;
		if (events & TERM_REDRAW)
			redraws++;
		while ((events & TERM_INPUT) && term_key(t, &key)) {
			size_t n = strlen(keys);

			if (n > sizeof(keys) - 40)
				keys[n = 0] = '\0';
			snprintf(keys + n, sizeof(keys) - n, "%s%s%s ",
			    key.pasted ? "~" : "", key.name,
			    key.text[0] != '\0' ? "" : "!");
			if (key.pasted)
				continue;
			if (strcmp(key.name, "q") == 0)
				quit = true;
			if (strcmp(key.name, "C") == 0)
				raise(SIGSEGV);
			if (strcmp(key.name, "E") == 0)
				mem_exhausted(7);
			if (strcmp(key.name, "<C-l>") == 0) {
				keys[0] = '\0';
				term_spoil(t);
			}
			if (strcmp(key.name, "<C-z>") == 0)
				term_suspend(t);
		}
	}
	ended_by = term_ended_by(t);
	term_close(t);
	settings_release(&settings);
	canvas_release(&c);
	if (ended_by != 0)
		raise(ended_by);
	return quit ? 0 : 3;
}
