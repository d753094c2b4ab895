// SPDX-License-Identifier: Apache-2.0
/* Looks by number of colours, and keys that came with Esc. */
#include <config.h>

#include "tap/tap.h"

#include <math.h>
#include <string.h>

#include "tui/keys/key.h"
#include "tui/term/theme.h"
#include "view/names/looks.h"

static struct theme theme;

static void
levels(void)
{
	static const struct {
		int colours;
		enum colour_level level;
	} table[] = {
	    {-1, COLOUR_NONE},
	    {0, COLOUR_NONE},
	    {2, COLOUR_NONE},
	    {8, COLOUR_8},
	    {16, COLOUR_16},
	    {88, COLOUR_16},
	    {256, COLOUR_256},
	    {32767, COLOUR_256},
	    {1 << 24, COLOUR_DIRECT},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		is_int(theme_level(table[i].colours), table[i].level, "%d colours",
		    table[i].colours);
}

static void
colours_are_in_range(void)
{
	static const int most[COLOUR_LEVELS] = {-1, 7, 15, 255, 0xffffff};

	for (int level = 0; level < COLOUR_LEVELS; level++) {
		int worst = -1;

		for (int role = 0; role < ROLES; role++) {
			int c = theme_style(&theme, (look)role, (enum colour_level)level)
				    .colour;

			if (c > worst)
				worst = c;
		}
		ok(worst <= most[level], "level %d: no colour above %d", level,
		    most[level]);
	}
	/* Below eight, a direct colour would be taken for one of the palette. */
	for (int role = 0; role < ROLES; role++) {
		int c = theme_style(&theme, (look)role, COLOUR_DIRECT).colour;

		if (c != -1 && c < 8)
			ok(false, "role %d: direct colour", role);
	}
}

static void
hues_differ(const char *name)
{
	bool differ = true;

	for (int i = 0; i < HUES; i++)
		for (int k = 0; k < i; k++)
			if (theme_style(&theme, (look)(ROLE_HUE + i), COLOUR_256).colour ==
			    theme_style(&theme, (look)(ROLE_HUE + k), COLOUR_256).colour) {
				diag("hues %d and %d have one colour", i + 1, k + 1);
				differ = false;
			}
	ok(differ, "%s: each hue has a colour of its own", name);
}

static double
linear(int channel)
{
	double c = channel / 255.;

	return c <= .04045 ? c / 12.92 : pow((c + .055) / 1.055, 2.4);
}

/* Of a colour with black, or white (WCAG 2). */
static double
contrast(int rgb, bool black)
{
	double l = .2126 * linear(rgb >> 16 & 0xff) + .7152 * linear(rgb >> 8 & 0xff) +
	    .0722 * linear(rgb & 0xff);

	return black ? (l + .05) / .05 : 1.05 / (l + .05);
}

/* With few colours, as xterm has them: none is as dark as a black ground. */
static void
few_colours(void)
{
	for (int level = COLOUR_8; level <= COLOUR_16; level++) {
		for (int role = 0; role < ROLES; role++) {
			int c = theme_style(&theme, (look)role, (enum colour_level)level).colour;

			ok(c == -1 || contrast((int)palette_rgb(c), true) >= 3.5,
			    "dark, of %d: %s can be read", level == COLOUR_8 ? 8 : 16, theme_role(role));
		}
	}
}

/* Text of every role can be read; one theme is for both grounds, so no colour is far from either. */
static void
grounds(void)
{
	for (int i = 0; theme_names[i] != NULL; i++) {
		bool dark = strcmp(theme_names[i], "dark") == 0;
		bool light = strcmp(theme_names[i], "light") == 0;
		bool both = strcmp(theme_names[i], "default") == 0;

		theme_load(&theme, i);
		if (!theme.mono)
			hues_differ(theme_names[i]);
		colours_are_in_range();
		if (dark)
			few_colours();
		for (int role = 0; role < ROLES && (dark || light || both); role++) {
			int c = theme_style(&theme, (look)role, COLOUR_DIRECT).colour;
			double least = both ? 3.5 : 4.5;

			if (c == -1)
				continue;
			ok((light || contrast(c, true) >= least) && (dark || contrast(c, false) >= least),
			    "%s: %s can be read (contrast %.2f, %.2f)", theme_names[i],
			    theme_role(role), contrast(c, true), contrast(c, false));
		}
	}
}

static void
words(void)
{
	static const struct {
		const char *words;
		int c8, c16, c256, direct;
		unsigned bits;
	} table[] = {
	    {"default", -1, -1, -1, -1, 0},
	    {"bold default", -1, -1, -1, -1, STYLE_BOLD},
	    {"red", 1, 1, 1, 1, 0},
	    {"bright-cyan underline", 6, 14, 14, 0x00ffff, STYLE_UNDERLINE},
	    {" dim  reverse   208 ", 3, 3, 208, 0xff8700, STYLE_DIM | STYLE_REVERSE},
	    {"#ff0000", 1, 9, 196, 0xff0000, 0},
	    {"#0087AF", 6, 6, 31, 0x0087af, 0},
	    {"#000001", 0, 0, 16, 8, 0},
	    {"244", -1, 8, 244, 0x808080, 0},
	};
	static const char *const bad[] = {
	    "", "  ", "crimson", "256", "-1", "#12345", "#1234567", "#12345g", "bright-", "1 2x"};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct err e = {0};
		struct paint *p = &theme.roles[ROLE_HEADER];

		theme_load(&theme, 0);
		if (!ok(theme_set(&theme, STR("header"), str_from(table[i].words), &e),
			"'%s' is a colour", table[i].words))
			continue;
		is_int(p->colour[COLOUR_8], table[i].c8, "of eight");
		is_int(p->colour[COLOUR_16], table[i].c16, "of sixteen");
		is_int(p->colour[COLOUR_256], table[i].c256, "of 256");
		is_int(p->colour[COLOUR_DIRECT], table[i].direct, "of all");
		is_int(p->bits, table[i].bits, "style");
	}
	theme_load(&theme, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err e = {0};

		ok(!theme_set(&theme, STR("header"), str_from(bad[i]), &e) &&
			e.what[0] != '\0',
		    "'%s' is refused", bad[i]);
	}
	ok(!theme_set(&theme, STR("nose"), STR("red"), NULL), "nothing is named so");
	is_int(theme.roles[ROLE_HEADER].colour[COLOUR_256], 31, "nothing was changed");
	for (int i = 0; i < ROLES; i++)
		if (theme_role(i) == NULL)
			ok(false, "role %d has no name", i);
}

static void
meaning_without_colour(void)
{
	struct style s = theme_style(&theme, ROLE_HUE | LOOK_SELECTED, COLOUR_256);

	ok(s.bits & STYLE_REVERSE, "the cursor line is reverse");
	is_int(s.colour, -1, "without patches of colour");
	ok(theme_style(&theme, LOOK_HIT, COLOUR_NONE).bits & STYLE_UNDERLINE,
	    "hits are underlined");
	for (int level = 0; level < COLOUR_LEVELS; level++) {
		const enum colour_level l = (enum colour_level)level;

		ok(theme_style(&theme, ROLE_TEXT | LOOK_HIT, l).bits & STYLE_REVERSE,
		    "and reverse, level %d", level);
		ok((theme_style(&theme, ROLE_TEXT | LOOK_HIT | LOOK_SELECTED, l).bits & STYLE_REVERSE) == 0,
		    "but in the line that is reverse, level %d", level);
		ok((theme_style(&theme, ROLE_TEXT | LOOK_UNDERLINE, l).bits & STYLE_REVERSE) == 0,
		    "what is underlined is not, level %d", level);
	}
	ok(theme_style(&theme, ROLE_WARNING, COLOUR_NONE).bits != 0,
	    "a warning is seen without colour");
	ok(theme_style(&theme, ROLE_ERROR, COLOUR_NONE).bits != 0, "an error, too");
	ok(theme_style(&theme, (ROLE_HUE + HUES - 1) | LOOK_BLOCK, COLOUR_8).bits & STYLE_REVERSE,
	    "an area in a hue that eight colours lack is seen, too");
}

static void
meta(void)
{
	static const struct {
		const char *name, *plain, *text;
	} table[] = {
	    {"<M-j>", "j", "j"},
	    {"<M-\xc3\xa9>", "\xc3\xa9", "\xc3\xa9"},
	    {"<M-Enter>", "<Enter>", ""},
	    {"<M-C-a>", "<C-a>", ""},
	    {"<C-a>", NULL, NULL},
	    {"j", NULL, NULL},
	    {"<Escape>", NULL, NULL},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct key key = {0}, plain = {0};
		bool is;

		strcpy(key.name, table[i].name);
		is = key_without_meta(&key, &plain);
		is_int(
		    is, table[i].plain != NULL, "%s: is it Esc and a key", table[i].name);
		if (is) {
			is_str(plain.name, table[i].plain, "%s: the key", table[i].name);
			is_str(plain.text, table[i].text, "%s: its text", table[i].name);
		}
	}
}

int
main(void)
{
	levels();
	grounds();
	words();
	meaning_without_colour();
	meta();
	return tap_done();
}
