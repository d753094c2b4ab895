// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tui/term/theme.h"
#include "view/names/looks.h"

/* One colour for terminals with different numbers of them ----------------------------- */

enum { CUBE = 16, PALETTE = 256, DIRECT_MIN = 8 };

static int
nearest(unsigned rgb, int from, int to)
{
	int best = from, least = INT_MAX;

	for (int i = from; i < to; i++) {
		unsigned other = palette_rgb(i);
		int red = (int)(rgb >> 16 & 0xff) - (int)(other >> 16 & 0xff);
		int green = (int)(rgb >> 8 & 0xff) - (int)(other >> 8 & 0xff);
		int blue = (int)(rgb & 0xff) - (int)(other & 0xff);
		/* The eye tells greens apart best. */
		int d = 3 * red * red + 6 * green * green + blue * blue;

		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

/* Small numbers of a terminal with direct colours are those of the palette. */
static int
direct(unsigned rgb)
{
	return rgb >= DIRECT_MIN ? (int)rgb : DIRECT_MIN;
}

/* Sets a paint to a colour of the 256, or of 24 bits (0xRRGGBB), and the nearest others. */
static void
theme_paint_palette(struct paint *p, int colour)
{
	unsigned rgb = palette_rgb(colour);

	p->colour[COLOUR_NONE] = -1;
	p->colour[COLOUR_256] = colour;
	p->colour[COLOUR_16] = colour < CUBE ? colour : nearest(rgb, 0, CUBE);
	/* The eight colours lack grey. */
	p->colour[COLOUR_8] = colour >= CUBE && p->colour[COLOUR_16] == 8
	    ? -1 : p->colour[COLOUR_16] % 8;
	p->colour[COLOUR_DIRECT] = colour < DIRECT_MIN ? colour : direct(rgb);
}

#define PLAIN(b)                                                                         \
	{                                                                                \
		{-1, -1, -1, -1, -1}, b, b                                               \
	}
#define PAINT(c8, c16, c256, direct, bits, mono)                                         \
	{                                                                                \
		{-1, c8, c16, c256, direct}, bits, mono                                  \
	}

/* Middle tones, which can be read on a light and on a dark ground. */
static const struct {
	const char *name;
	struct paint paint;
} roles[ROLES] = {
    [ROLE_TEXT] = {"text", PLAIN(0)},
    [ROLE_TITLE] = {"title", PLAIN(STYLE_BOLD)},
    [ROLE_HEADER] = {"header", PAINT(6, 6, 31, 0x0087af, 0, STYLE_UNDERLINE)},
    [ROLE_FOOTER] = {"footer", PLAIN(0)},
    [ROLE_KEY] = {"key", PLAIN(STYLE_BOLD)},
    [ROLE_DIM] = {"dim", PAINT(-1, 8, 244, 0x808080, 0, 0)},
    [ROLE_PARENT] = {"parent", PAINT(4, 12, 68, 0x5f87d7, 0, 0)},
    [ROLE_CHILD] = {"child", PAINT(3, 3, 130, 0xaf5f00, 0, 0)},
    [ROLE_MARK] = {"mark", PAINT(5, 13, 166, 0xd75f00, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_CURSOR] = {"cursor", PLAIN(STYLE_REVERSE)},
    [ROLE_ERROR] = {"error", PAINT(1, 9, 160, 0xd70000, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_WARNING] = {"warning", PAINT(1, 9, 166, 0xd75f00, STYLE_BOLD, STYLE_REVERSE)},
    [ROLE_POPUP] = {"popup", PLAIN(0)},
    [ROLE_SLOWER] = {"slower", PAINT(1, 9, 166, 0xd75f00, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_FASTER] = {"faster", PAINT(4, 12, 68, 0x5f87d7, 0, 0)},
    [ROLE_MORE] = {"more-1", PAINT(3, 11, 137, 0xa07850, 0, 0)},
    [ROLE_MORE + 1] = {"more-2", PAINT(3, 3, 166, 0xd75f00, 0, 0)},
    [ROLE_MORE + 2] = {"more-3", PAINT(1, 1, 124, 0xb84300, 0, 0)},
    [ROLE_LESS] = {"less-1", PAINT(6, 14, 66, 0x6b879f, 0, 0)},
    [ROLE_LESS + 1] = {"less-2", PAINT(6, 6, 68, 0x5f87d7, 0, 0)},
    [ROLE_LESS + 2] = {"less-3", PAINT(4, 4, 26, 0x005fd7, 0, 0)},
    [ROLE_IDLE] = {"idle", PAINT(-1, 8, 243, 0x767676, 0, 0)},
    /*
     * Twelve hues of groups, which differ for people with any colour vision as much as they can, and
     * four muted ones of the platform; as the text of a black ground or a white one, at 4 to 1.  The
     * first three are blue, orange and green, as states on the timeline want it.
     */
    [ROLE_HUE] = {"hue-1", PAINT(4, 12, 27, 0x005fff, 0, 0)},
    {"hue-2", PAINT(3, 11, 130, 0xaf5f00, 0, 0)},
    {"hue-3", PAINT(2, 10, 28, 0x008700, 0, 0)},
    {"hue-4", PAINT(5, 13, 163, 0xd700af, 0, 0)},
    {"hue-5", PAINT(6, 14, 30, 0x008787, 0, 0)},
    {"hue-6", PAINT(1, 9, 131, 0xaf5f5f, 0, 0)},
    {"hue-7", PAINT(4, 4, 98, 0x875fd7, 0, 0)},
    {"hue-8", PAINT(3, 3, 64, 0x5f8700, 0, 0)},
    {"hue-9", PAINT(5, 5, 162, 0xd70087, 0, 0)},
    {"hue-10", PAINT(6, 6, 29, 0x00875f, 0, 0)},
    {"hue-11", PAINT(5, 13, 97, 0x875faf, 0, 0)},
    {"hue-12", PAINT(1, 1, 132, 0xaf5f87, 0, 0)},
    {"hue-13", PAINT(-1, 7, 66, 0x5f8787, 0, 0)},
    {"hue-14", PAINT(-1, 7, 96, 0x875f87, 0, 0)},
    {"hue-15", PAINT(-1, 7, 65, 0x5f875f, 0, 0)},
    {"hue-16", PAINT(-1, 7, 244, 0x808080, 0, 0)},
};

/* Themes' changes to that, each a role and the words of the configuration. */
static const char *const dark[] = {
    "header bold 75", "dim 245", "parent 110", "child 180", "mark bold 215", "error bold 203",
    "warning bold 215", "slower bold 215", "faster 111", "more-1 223", "more-2 215", "more-3 208",
    "less-1 153", "less-2 117", "less-3 75", "idle 243", NULL
};

static const char *const light[] = {
    "header 24", "dim 242", "parent 25", "child 94", "mark bold 130", "error bold 124",
    "warning bold 130", "slower bold 130", "faster 25", "more-1 #8f6b45", "more-2 #b34700",
    "more-3 #8a2d00", "less-1 #547490", "less-2 #2f6fb0", "less-3 #084594", "idle 243", "hue-1 25", "hue-2 130",
    "hue-3 22", "hue-4 125", "hue-5 23", "hue-6 131", "hue-7 90", "hue-8 63", "hue-9 126",
    "hue-10 94", "hue-11 57", "hue-12 162", "hue-13 60", "hue-14 59", "hue-15 96", "hue-16 242", NULL
};

/*
 * The eight colours of Okabe and Ito, which people with any colour vision tell apart
 * (black and white grounds leave seven of them), and the same lighter and darker.
 */
static const char *const colour_blind[] = {
    "header #0072b2", "parent #56b4e9", "child #e69f00", "mark bold #cc79a7",
    "error bold #d55e00", "warning bold #d55e00", "slower bold #d55e00", "faster #0072b2",
    "hue-1 #0072b2", "hue-2 #e69f00", "hue-3 #56b4e9", "hue-4 #d55e00", "hue-5 #009e73",
    "hue-6 #cc79a7", "hue-7 #f0e442", "hue-8 #005280", "hue-9 #ffaf5f", "hue-10 #87d7ff",
    "hue-11 #9c4400", "hue-12 #5fd7af", "hue-13 #8f4f75", "hue-14 #af8700",
    "hue-15 #afafaf", "hue-16 #6c6c6c", NULL
};

const char *const theme_names[] = {"default", "dark", "light", "mono", "colour-blind", NULL};

static const struct {
	const char *const *changes; /* NULL: none */
	const unsigned char *hues; /* of the 256; NULL: those that are for any ground */
	bool mono;
} themes[] = {{NULL, NULL, false}, {dark, looks_hues, false}, {light, NULL, false},
    {NULL, NULL, true}, {colour_blind, NULL, false}};

const char *
theme_role(int role)
{
	return role >= 0 && role < ROLES ? roles[role].name : NULL;
}

void
theme_load(struct theme *t, int theme)
{
	const char *const *changes = themes[theme].changes;

	for (int i = 0; i < ROLES; i++)
		t->roles[i] = roles[i].paint;
	for (int i = 0; i < HUES && themes[theme].hues != NULL; i++) {
		/* The nearest of few would mostly be greys. */
		static const int few[] = {6, 3, 2, 5, 1};
		struct paint *p = &t->roles[ROLE_HUE + i];
		bool platform = i >= HUES - 4;

		theme_paint_palette(p, themes[theme].hues[i]);
		p->colour[COLOUR_8] = platform ? -1 : few[i % 5];
		p->colour[COLOUR_16] = platform ? 8 : i == 0 ? 12 : few[i % 5] + 8;
	}
	t->mono = themes[theme].mono;
	for (; changes != NULL && *changes != NULL; changes++) {
		struct str words = str_from(*changes), role = str_cut(&words, ' ');

		theme_set(t, role, words, NULL);
	}
}

/* Words of the configuration -------------------------------------------------- */

static bool
read_colour(struct str word, struct paint *p)
{
	static const char *const names[] = {
	    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"};
	bool bright = str_starts(word, STR("bright-"));
	char hex[8] = "";
	unsigned rgb;
	uint64_t n;

	if (str_equal(word, STR("default"))) {
		for (int i = 0; i < COLOUR_LEVELS; i++)
			p->colour[i] = -1;
		return true;
	}
	if (word.n == 7 && word.p[0] == '#') {
		memcpy(hex, word.p + 1, 6);
		rgb = (unsigned)strtoul(hex, NULL, 16);
		theme_paint_palette(p, nearest(rgb, CUBE, PALETTE));
		p->colour[COLOUR_DIRECT] = direct(rgb);
		return strspn(hex, "0123456789abcdefABCDEF") == 6;
	}
	if (word.n > 0 && digits_take(word.p, word.p + word.n, 3, &n) == word.p + word.n) {
		theme_paint_palette(p, n < PALETTE ? (int)n : 0);
		return n < PALETTE;
	}
	if (bright) {
		word.p += strlen("bright-");
		word.n -= strlen("bright-");
	}
	for (int i = 0; i < 8; i++) {
		if (str_equal(word, str_from(names[i]))) {
			theme_paint_palette(p, i + (bright ? 8 : 0));
			return true;
		}
	}
	return false;
}

static bool
read_bits(struct str word, unsigned *bits)
{
	static const struct {
		const char *name;
		unsigned bit;
	} table[] = {
	    {"bold", STYLE_BOLD},
	    {"dim", STYLE_DIM},
	    {"underline", STYLE_UNDERLINE},
	    {"reverse", STYLE_REVERSE},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (str_equal(word, str_from(table[i].name))) {
			*bits |= table[i].bit;
			return true;
		}
	}
	return str_equal(word, STR("normal"));
}

bool
theme_set(struct theme *t, struct str role, struct str words, struct err *e)
{
	struct paint p;
	unsigned bits = 0;
	bool any = false, styled = false;
	int i = 0;

	while (i < ROLES && !str_equal(role, str_from(theme_role(i))))
		i++;
	if (i == ROLES)
		return err_set(e, ERR_MALFORMED, "nothing on the screen is named '%.*s'",
		    (int)(role.n < 40 ? role.n : 40), role.p);
	p = t->roles[i];
	while (words.n > 0) {
		struct str word = str_cut(&words, ' ');

		if (word.n == 0)
			continue;
		if (read_bits(word, &bits))
			styled = true;
		else if (!read_colour(word, &p))
			return err_set(e, ERR_MALFORMED,
			    "'%.*s' is no colour (a name, 0 to 255, #rrggbb)",
			    (int)(word.n < 40 ? word.n : 40), word.p);
		any = true;
	}
	if (!any)
		return err_set(e, ERR_MALFORMED, "no colour is given");
	/* Without a colour these bits distinguish the role from text. */
	p.bits = bits;
	if (styled)
		p.mono_bits = bits;
	t->roles[i] = p;
	return true;
}

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

struct style
theme_style(const struct theme *t, look l, enum colour_level level)
{
	unsigned role = l & 0xff;
	const struct paint *paint = &t->roles[role < ROLES ? role : ROLE_TEXT];
	bool mono = t->mono || level == COLOUR_NONE;
	struct style style = {
	    .colour = mono ? -1 : paint->colour[level],
	    .bits = mono ? paint->mono_bits : paint->bits,
	};

	if (l & (LOOK_HIT | LOOK_UNDERLINE))
		style.bits |= STYLE_UNDERLINE;
	if (l & LOOK_BOLD)
		style.bits |= STYLE_BOLD;
	if ((l & LOOK_BLOCK) && !mono)
		style.bits |= STYLE_REVERSE;
	/* The cursor line is one bar: coloured text in reverse would be patches. */
	if (l & LOOK_SELECTED) {
		style.colour = -1;
		style.bits |= STYLE_REVERSE;
	}
	if (l & LOOK_HIT)
		style.bits ^= STYLE_REVERSE;
	return style;
}
