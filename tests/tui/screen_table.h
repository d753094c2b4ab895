// SPDX-License-Identifier: Apache-2.0
/*
 * screen_table: the screens that t-tui compares, and the keys that lead to them.
 *
 * tests/tui/golden has a screen of each name; one with "~" is that screen but for its last line.
 */
#pragma once

#include <stddef.h>

#include "tui/pty.h"

enum { STEPS_MAX = 8 };

struct step {
	const char *keys, *expect; /* to be seen before the next step; NULL: nothing */
};

struct screen {
	const char *name; /* of the file */
	struct pty_options options;
	const char *option; /* of the program */
	struct step steps[STEPS_MAX];
};

extern const struct screen screens[];     /* of the sample trace */
extern const size_t screen_count;
extern const struct screen log_screens[]; /* of the sample log */
extern const size_t log_screen_count;
