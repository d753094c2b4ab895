/*
 * golden_screens: screens that are right, in tests/tui/golden, and the samples that they
 * show.
 */
#ifndef TESTS_TUI_GOLDEN_SCREENS_H
#define TESTS_TUI_GOLDEN_SCREENS_H

#include "tui/pty.h"
#include "tui/screen_table.h"

/* In place of desk_begin. */
void golden_begin(const char *test);
/*
 * Calls it for each screen of the table, or for those with any of `words` (up to NULL) in
 * their names: slowtop's own words for it, and what is to be seen when its trace is read.
 */
void golden_each(char **words,
    void (*check)(const struct screen *, const char *start, const char *badge));
/* Whether the screen comes to be that of the name; the difference is shown. */
bool golden_is(struct pty *, const char *name, const char *what);
/* Makes the present screen the golden one. */
void golden_accept(struct pty *, const char *name);

#endif
