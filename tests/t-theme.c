/* Looks by number of colours, and keys that came with Esc. */
#include <config.h>

#include "tap/tap.h"

#include <string.h>

#include "tui/key.h"
#include "tui/theme.h"

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
			int c = theme_style((look)role, (enum colour_level)level).colour;

			if (c > worst)
				worst = c;
		}
		ok(worst <= most[level], "level %d: no colour above %d", level,
		    most[level]);
	}
	/* Below eight, a direct colour would be taken for one of the palette. */
	for (int role = 0; role < ROLES; role++) {
		int c = theme_style((look)role, COLOUR_DIRECT).colour;

		ok(c == -1 || c >= 8, "role %d: direct colour", role);
	}
}

static void
ranks_differ(void)
{
	for (int i = 0; i < 16; i++)
		for (int k = 0; k < i; k++)
			if (theme_style((look)(ROLE_RANK + i), COLOUR_256).colour ==
			    theme_style((look)(ROLE_RANK + k), COLOUR_256).colour)
				ok(false, "ranks %d and %d have one colour", i, k);
	is_int(theme_style(ROLE_RANK, COLOUR_DIRECT).colour, 0x5a5aff, "rank 0 is blue");
	is_int(theme_style(ROLE_RANK + 1, COLOUR_DIRECT).colour, 0x00f000,
	    "rank 1 is green");
}

static void
meaning_without_colour(void)
{
	struct style s = theme_style(ROLE_RANK | LOOK_SELECTED, COLOUR_256);

	ok(s.bits & STYLE_REVERSE, "the cursor line is reverse");
	is_int(s.colour, -1, "without patches of colour");
	ok(theme_style(LOOK_HIT, COLOUR_NONE).bits & STYLE_UNDERLINE,
	    "hits are underlined");
	ok(theme_style(ROLE_WARNING, COLOUR_NONE).bits != 0,
	    "a warning is seen without colour");
	ok(theme_style(ROLE_ERROR, COLOUR_NONE).bits != 0, "an error, too");
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
	colours_are_in_range();
	ranks_differ();
	meaning_without_colour();
	meta();
	return tap_done();
}
