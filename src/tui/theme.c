#include <config.h>

#include "tui/theme.h"

#include <stddef.h>

/* Colours by level; the same numbers mean the same for 8 and 16. */
struct paint {
	int c8, c16, c256, direct;
	unsigned bits, mono_bits;
};

#define PLAIN(b)                                                                         \
	{                                                                                \
		-1, -1, -1, -1, b, b                                                     \
	}

/* Middle tones, which can be read on a light and on a dark ground. */
static const struct paint roles[ROLE_RANK] = {
    [ROLE_TEXT] = PLAIN(0),
    [ROLE_TITLE] = PLAIN(STYLE_BOLD),
    [ROLE_HEADER] = {6, 6, 31, 0x0087af, 0, STYLE_UNDERLINE},
    [ROLE_FOOTER] = PLAIN(0),
    [ROLE_KEY] = PLAIN(STYLE_BOLD),
    [ROLE_DIM] = {-1, 8, 244, 0x808080, 0, 0},
    [ROLE_PARENT] = {4, 12, 68, 0x5f87d7, 0, 0},
    [ROLE_CHILD] = {3, 3, 136, 0xaf8700, 0, 0},
    [ROLE_MARK] = {5, 13, 166, 0xd75f00, STYLE_BOLD, STYLE_BOLD},
    [ROLE_CURSOR] = PLAIN(STYLE_REVERSE),
    [ROLE_ERROR] = {1, 9, 160, 0xd70000, STYLE_BOLD, STYLE_BOLD},
    [ROLE_WARNING] = {1, 9, 166, 0xd75f00, STYLE_BOLD, STYLE_REVERSE},
    [ROLE_POPUP] = PLAIN(0),
};

/*
 * The sixteen colours of Traceview, in the order of rank: as they are, the nearest of
 * the 256, and the nearest of the sixteen that black and white grounds leave.
 */
static const struct paint ranks[16] = {
    {4, 12, 63, 0x5a5aff, 0, 0},
    {2, 10, 46, 0x00f000, 0, 0},
    {1, 9, 196, 0xff0000, 0, 0},
    {6, 14, 51, 0x00ffff, 0, 0},
    {5, 13, 207, 0xff50ff, 0, 0},
    {3, 11, 184, 0xc8c800, 0, 0},
    {4, 4, 56, 0x2800c8, 0, 0},
    {2, 10, 120, 0x96ff96, 0, 0},
    {1, 1, 88, 0x960000, 0, 0},
    {6, 6, 30, 0x1e9696, 0, 0},
    {6, 14, 189, 0xc8c8ff, 0, 0},
    {2, 2, 28, 0x007800, 0, 0},
    {1, 9, 210, 0xff9696, 0, 0},
    {5, 5, 96, 0x8c508c, 0, 0},
    {3, 3, 94, 0x966432, 0, 0},
    {-1, 8, 238, 0x464646, 0, 0},
};

enum colour_level
theme_level(int colours)
{
	if (colours < 8)
		return COLOUR_NONE;
	if (colours < 16)
		return COLOUR_8;
	if (colours < 256)
		return COLOUR_16;
	return colours < 1 << 24 ? COLOUR_256 : COLOUR_DIRECT;
}

static int
paint_colour(const struct paint *paint, enum colour_level level)
{
	switch (level) {
	case COLOUR_8:
		return paint->c8;
	case COLOUR_16:
		return paint->c16;
	case COLOUR_256:
		return paint->c256;
	case COLOUR_DIRECT:
		return paint->direct;
	default:
		return -1;
	}
}

struct style
theme_style(look l, enum colour_level level)
{
	unsigned role = l & 0xff;
	const struct paint *paint = role < ROLE_RANK ? &roles[role]
				    : role < ROLES   ? &ranks[role - ROLE_RANK]
						     : &roles[ROLE_TEXT];
	struct style style = {
	    .colour = paint_colour(paint, level),
	    .bits = level == COLOUR_NONE ? paint->mono_bits : paint->bits,
	};

	if (l & LOOK_HIT)
		style.bits |= STYLE_UNDERLINE;
	if (l & LOOK_BOLD)
		style.bits |= STYLE_BOLD;
	/* The cursor line is one bar: coloured text in reverse would be patches. */
	if (l & LOOK_SELECTED) {
		style.colour = -1;
		style.bits |= STYLE_REVERSE;
	}
	return style;
}
