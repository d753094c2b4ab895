// SPDX-License-Identifier: Apache-2.0
/*
 * theme: what a role looks like, for terminals with different numbers of colours.
 *
 * Plain data, no curses.  Background is always the terminal's own.  A theme is the
 * built-in one of a name with changes on top, role by role, in the words of the
 * configuration: "bold bright-red", "underline 31", "#0087af", "default".
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "view/canvas.h"

enum colour_level {
	COLOUR_NONE,
	COLOUR_8,
	COLOUR_16,
	COLOUR_256,
	COLOUR_DIRECT, /* 24 bits in the colour number */
	COLOUR_LEVELS
};

enum style_bits {
	STYLE_BOLD = 1 << 0,
	STYLE_DIM = 1 << 1,
	STYLE_UNDERLINE = 1 << 2,
	STYLE_REVERSE = 1 << 3,
};

struct style {
	int colour; /* of the text; -1: the terminal's own */
	unsigned bits;
};

/* The text of one role. */
struct paint {
	int colour[COLOUR_LEVELS]; /* -1: the terminal's own */
	unsigned bits, mono_bits;  /* the latter where there is no colour */
};

struct theme {
	struct paint roles[ROLES];
	bool mono; /* no colours at all */
};

extern const char *const theme_names[]; /* NULL after the last */
void theme_load(struct theme *, int theme);
/* The roles' names, "header" or "hue-1"; NULL after the last. */
const char *theme_role(int role);
/* False when there is no such role, or the words make no sense. */
bool theme_set(struct theme *, struct str role, struct str words, struct err *);

/* The level for a terminal that knows `colours` of them. */
enum colour_level theme_level(int colours);
struct style theme_style(const struct theme *, look, enum colour_level);
