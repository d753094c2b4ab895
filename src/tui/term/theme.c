#include <config.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tui/term/theme.h"

/* One colour for terminals with different numbers of them ----------------------------- */

/* The sixteen as xterm has them; others differ, but not in their names. */
static const unsigned basic[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

enum { CUBE = 16, GREYS = 232, PALETTE = 256, DIRECT_MIN = 8 };

/* 16 to 231 are a cube of 6 levels each, 232 to 255 greys. */
static unsigned
palette_rgb(int colour)
{
	static const unsigned levels[6] = {0, 95, 135, 175, 215, 255};
	unsigned grey;

	if (colour < CUBE)
		return basic[colour];
	if (colour < GREYS) {
		colour -= CUBE;
		return levels[colour / 36] << 16 | levels[colour / 6 % 6] << 8 |
		       levels[colour % 6];
	}
	grey = 8 + 10 * (unsigned)(colour - GREYS);
	return grey << 16 | grey << 8 | grey;
}

static int
distance(unsigned a, unsigned b)
{
	int red = (int)(a >> 16 & 0xff) - (int)(b >> 16 & 0xff);
	int green = (int)(a >> 8 & 0xff) - (int)(b >> 8 & 0xff);
	int blue = (int)(a & 0xff) - (int)(b & 0xff);

	/* The eye tells greens apart best. */
	return 3 * red * red + 6 * green * green + blue * blue;
}

static int
nearest(unsigned rgb, int from, int to)
{
	int best = from, least = INT_MAX;

	for (int i = from; i < to; i++) {
		int d = distance(rgb, palette_rgb(i));

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

/* Of a colour of the 256, of 24 bits (0xRRGGBB), the nearest others. */
static void
theme_paint_palette(struct paint *p, int colour)
{
	unsigned rgb = palette_rgb(colour);

	p->colour[COLOUR_NONE] = -1;
	p->colour[COLOUR_256] = colour;
	p->colour[COLOUR_16] = colour < CUBE ? colour : nearest(rgb, 0, CUBE);
	p->colour[COLOUR_8] = p->colour[COLOUR_16] % 8;
	p->colour[COLOUR_DIRECT] = colour < DIRECT_MIN ? colour : direct(rgb);
}

static void
theme_paint_direct(struct paint *p, unsigned rgb)
{
	theme_paint_palette(p, nearest(rgb, CUBE, PALETTE));
	p->colour[COLOUR_DIRECT] = direct(rgb);
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
} roles[ROLE_RANK] = {
    [ROLE_TEXT] = {"text", PLAIN(0)},
    [ROLE_TITLE] = {"title", PLAIN(STYLE_BOLD)},
    [ROLE_HEADER] = {"header", PAINT(6, 6, 31, 0x0087af, 0, STYLE_UNDERLINE)},
    [ROLE_FOOTER] = {"footer", PLAIN(0)},
    [ROLE_KEY] = {"key", PLAIN(STYLE_BOLD)},
    [ROLE_DIM] = {"dim", PAINT(-1, 8, 244, 0x808080, 0, 0)},
    [ROLE_PARENT] = {"parent", PAINT(4, 12, 68, 0x5f87d7, 0, 0)},
    [ROLE_CHILD] = {"child", PAINT(3, 3, 136, 0xaf8700, 0, 0)},
    [ROLE_MARK] = {"mark", PAINT(5, 13, 166, 0xd75f00, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_CURSOR] = {"cursor", PLAIN(STYLE_REVERSE)},
    [ROLE_ERROR] = {"error", PAINT(1, 9, 160, 0xd70000, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_WARNING] = {"warning", PAINT(1, 9, 166, 0xd75f00, STYLE_BOLD, STYLE_REVERSE)},
    [ROLE_POPUP] = {"popup", PLAIN(0)},
    [ROLE_SLOWER] = {"slower", PAINT(1, 9, 166, 0xd75f00, STYLE_BOLD, STYLE_BOLD)},
    [ROLE_FASTER] = {"faster", PAINT(4, 12, 68, 0x5f87d7, 0, 0)},
};

/*
 * The sixteen colours of Traceview, in the order of rank: exact, the nearest of the 256,
 * and the nearest of the sixteen that black and white grounds leave.
 */
static const struct paint ranks[16] = {
    PAINT(4, 12, 63, 0x5a5aff, 0, 0),
    PAINT(2, 10, 46, 0x00f000, 0, 0),
    PAINT(1, 9, 196, 0xff0000, 0, 0),
    PAINT(6, 14, 51, 0x00ffff, 0, 0),
    PAINT(5, 13, 207, 0xff50ff, 0, 0),
    PAINT(3, 11, 184, 0xc8c800, 0, 0),
    PAINT(4, 4, 56, 0x2800c8, 0, 0),
    PAINT(2, 10, 120, 0x96ff96, 0, 0),
    PAINT(1, 1, 88, 0x960000, 0, 0),
    PAINT(6, 6, 30, 0x1e9696, 0, 0),
    PAINT(6, 14, 189, 0xc8c8ff, 0, 0),
    PAINT(2, 2, 28, 0x007800, 0, 0),
    PAINT(1, 9, 210, 0xff9696, 0, 0),
    PAINT(5, 5, 96, 0x8c508c, 0, 0),
    PAINT(3, 3, 94, 0x966432, 0, 0),
    PAINT(-1, 8, 238, 0x464646, 0, 0),
};

/* Themes' changes to that, each a role and the words of the configuration. */
static const char *const dark[] = {
    "header 80", "dim 245", "parent 111", "child 221", "mark bold 215", "error bold 203",
    "warning bold 215", "slower bold 215", "faster 111", "rank-1 75", "rank-3 203",
    "rank-7 141", "rank-9 167", "rank-10 37", "rank-12 71", "rank-14 139", "rank-15 173",
    "rank-16 246", NULL
};

static const char *const light[] = {
    "header 24", "dim 242", "parent 25", "child 94", "mark bold 130", "error bold 124",
    "warning bold 130", "slower bold 130", "faster 25", "rank-1 21", "rank-2 34", "rank-3 160",
    "rank-4 31", "rank-5 163", "rank-6 100", "rank-8 64", "rank-11 61", "rank-13 131", NULL
};

/*
 * The eight colours of Okabe and Ito, which people with any colour vision tell apart
 * (black and white grounds leave seven of them), and the same lighter and darker.
 */
static const char *const colour_blind[] = {
    "header #0072b2", "parent #56b4e9", "child #e69f00", "mark bold #cc79a7",
    "error bold #d55e00", "warning bold #d55e00", "slower bold #d55e00", "faster #0072b2",
    "rank-1 #0072b2", "rank-2 #e69f00", "rank-3 #56b4e9", "rank-4 #d55e00", "rank-5 #009e73",
    "rank-6 #cc79a7", "rank-7 #f0e442", "rank-8 #005280", "rank-9 #ffaf5f", "rank-10 #87d7ff",
    "rank-11 #9c4400", "rank-12 #5fd7af", "rank-13 #8f4f75", "rank-14 #af8700",
    "rank-15 #afafaf", "rank-16 #6c6c6c", NULL
};

const char *const theme_names[] = {"default", "dark", "light", "mono", "colour-blind", NULL};

static const struct {
	const char *const *changes; /* NULL: none */
	bool mono;
} themes[] = {{NULL, false}, {dark, false}, {light, false}, {NULL, true}, {colour_blind, false}};

enum { RANKS = ROLES - ROLE_RANK };

const char *
theme_role(int role)
{
	static const char *const rank_names[RANKS] = {"rank-1", "rank-2", "rank-3",
	    "rank-4", "rank-5", "rank-6", "rank-7", "rank-8", "rank-9", "rank-10",
	    "rank-11", "rank-12", "rank-13", "rank-14", "rank-15", "rank-16"};

	if (role < 0 || role >= ROLES)
		return NULL;
	return role < ROLE_RANK ? roles[role].name : rank_names[role - ROLE_RANK];
}

void
theme_load(struct theme *t, int theme)
{
	const char *const *changes = themes[theme].changes;

	for (int i = 0; i < ROLE_RANK; i++)
		t->roles[i] = roles[i].paint;
	memcpy(t->roles + ROLE_RANK, ranks, sizeof(ranks));
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
	uint64_t n;

	if (str_equal(word, STR("default"))) {
		for (int i = 0; i < COLOUR_LEVELS; i++)
			p->colour[i] = -1;
		return true;
	}
	if (word.n == 7 && word.p[0] == '#') {
		memcpy(hex, word.p + 1, 6);
		theme_paint_direct(p, (unsigned)strtoul(hex, NULL, 16));
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

	if (l & LOOK_HIT)
		style.bits |= STYLE_UNDERLINE;
	if (l & LOOK_BOLD)
		style.bits |= STYLE_BOLD;
	if ((l & LOOK_BLOCK) && style.colour >= 0)
		style.bits |= STYLE_REVERSE;
	/* The cursor line is one bar: coloured text in reverse would be patches. */
	if (l & LOOK_SELECTED) {
		style.colour = -1;
		style.bits |= STYLE_REVERSE;
	}
	return style;
}
