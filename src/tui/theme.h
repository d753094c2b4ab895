/*
 * theme: what a role looks like, for terminals with different numbers of colours.
 *
 * Plain data, no curses.  Background is always the terminal's own.
 */
#ifndef SLOWTOP_TUI_THEME_H
#define SLOWTOP_TUI_THEME_H

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

/* The level for a terminal that knows `colours` of them. */
enum colour_level theme_level(int colours);
struct style theme_style(look, enum colour_level);

#endif
