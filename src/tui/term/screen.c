// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/screen.h"

#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "tui/term/capability.h"

enum {
	LOOKS = 1 << 4,
	LOOK_SHIFT = 8,
	SHORT_GAP = 10,
	PLAIN_PAIR = 1,
	FULL_BLOCK = 0x2588,
	FULL_LEAST = 16, /* cells */
	LOOK_NONE = 0xff /* of blanks, for the terminal's own colours */
};

static const struct glyph blank_glyph = {.text = {' '}, .width = 1, .look = LOOK_NONE};

/* Curses' idea of a look. */
struct made_look {
	bool made;
	attr_t attributes;
	int pair;
};

struct term_screen {
	enum colour_level level;
	struct theme theme;
	bool utf8;
	bool visible; /* the terminal's cursor */
	int plain;    /* pair of the terminal's own colours */
	struct made_look looks[LOOKS][ROLES]; /* made when first used */
};

static enum colour_level
screen_level(enum tui_colour wanted)
{
	const char *no_color = getenv("NO_COLOR");

	if (wanted == TUI_COLOUR_NEVER)
		return COLOUR_NONE;
	if (wanted == TUI_COLOUR_AUTO && no_color != NULL && *no_color != '\0')
		return COLOUR_NONE;
	if (!has_colors() || start_color() == ERR)
		return COLOUR_NONE;
	/* Without "default colours" a background would be forced on the terminal. */
	if (use_default_colors() == ERR)
		return COLOUR_NONE;
	return theme_level(COLORS);
}

/*
 * Text without a colour has a pair of its own: from the terminal's colours as a pair to
 * others and back is one short sequence, from no pair at all two.  Not where some attributes
 * cannot be had with colours: the pair would count as one.
 */
static void
set_level(struct term_screen *s, enum tui_colour wanted)
{
	static const wchar_t blank[] = L" ";
	cchar_t cell;

	s->level = screen_level(wanted);
	s->plain = 0;
	if (s->level != COLOUR_NONE && capability_mixes() &&
	    init_extended_pair(PLAIN_PAIR, -1, -1) == OK)
		s->plain = PLAIN_PAIR;
	if (setcchar(&cell, blank, A_NORMAL, (short)s->plain, &s->plain) == OK) {
		wbkgrndset(stdscr, &cell);
		wbkgrndset(curscr, &cell);
	}
}

struct term_screen *
screen_new(enum tui_colour wanted, const struct theme *theme, bool utf8)
{
	struct term_screen *s = mem_zero(1, sizeof(*s));

	set_level(s, wanted);
	s->theme = *theme;
	s->utf8 = utf8;
	curs_set(0);
	return s;
}

void
screen_set_theme(struct term_screen *s, enum tui_colour wanted, const struct theme *theme)
{
	set_level(s, wanted);
	s->theme = *theme;
	memset(s->looks, 0, sizeof(s->looks));
}

void
screen_free(struct term_screen *s)
{
	mem_free(s);
}

bool
screen_colours(const struct term_screen *s)
{
	return s->level != COLOUR_NONE && !s->theme.mono;
}

void
screen_spoil(struct term_screen *s)
{
	erase();
	clearok(curscr, TRUE);
}

static void
make_look(struct term_screen *s, look l, unsigned bits, unsigned role)
{
	static const struct {
		unsigned bit;
		attr_t attribute;
	} table[] = {
	    {STYLE_BOLD, A_BOLD},
	    {STYLE_DIM, A_DIM},
	    {STYLE_UNDERLINE, A_UNDERLINE},
	    {STYLE_REVERSE, A_REVERSE},
	};
	struct style style = theme_style(&s->theme, l, s->level);
	attr_t attributes = 0;
	int pair;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (style.bits & table[i].bit)
			attributes |= table[i].attribute;
	pair = style.colour >= 0 ? alloc_pair(style.colour, -1) : -1;
	if (pair < 0)
		pair = s->plain;
	s->looks[bits][role] = (struct made_look){true, attributes, pair};
}

static const struct made_look *
find_look(struct term_screen *s, look l)
{
	unsigned bits = (unsigned)l >> LOOK_SHIFT & (LOOKS - 1);
	unsigned role = l & 0xff;

	if (role >= ROLES)
		role = ROLE_TEXT;
	if (!s->looks[bits][role].made)
		make_look(s, l, bits, role);
	return &s->looks[bits][role];
}

static bool
shows_on_blank(const struct made_look *l)
{
	return (l->attributes & (A_REVERSE | A_UNDERLINE)) != 0;
}

/* Writes what `put_row` made of a cell, `reversed`: as a blank in reverse. */
static void
put_glyph(struct term_screen *s, int row, int column, const struct glyph *g, bool reversed)
{
	const struct made_look plain = {.pair = s->plain};
	const struct made_look *l = g->look == LOOK_NONE ? &plain : find_look(s, g->look);
	wchar_t text[CCHARW_MAX + 1];
	cchar_t cell;
	int n = 0, pair;

	/* ncurses writes the last cell by help of the one to its left, there or not. */
	if (COLS < 2 && tigetstr("rmam") == NULL)
		return;
	for (size_t i = 0; i < 4 && g->text[i] != 0 && n < CCHARW_MAX; i++)
		text[n++] = (wchar_t)(s->utf8 || g->text[i] < 0x7f ? g->text[i] : '?');
	if (n == 0)
		text[n++] = L' ';
	if (reversed)
		text[0] = L' ';
	text[n] = L'\0';
	pair = l->pair;
	if (setcchar(&cell, text, l->attributes | (reversed ? A_REVERSE : 0), (short)(pair > SHRT_MAX ? 0 : pair),
		&pair) == OK)
		mvadd_wch(row, column, &cell);
	else
		mvaddch(row, column, '?' | l->attributes);
}

/*
 * Blanks between [from, to) of a row.  A few have the colour of what is before them: turning
 * it off and on takes more bytes, and so does jumping over them.
 */
static void
put_gap(struct term_screen *s, int row, int from, int to, look before)
{
	struct glyph g = blank_glyph;

	if (to - from <= SHORT_GAP)
		g.look = before;
	for (int i = from; i < to; i++)
		put_glyph(s, row, i, &g, false);
}

/*
 * How many full blocks there are, if blanks in reverse take fewer bytes: one each or less,
 * while a block takes three.  Turning reverse on and off takes about thirty.
 */
static int
full_run(struct term_screen *s, const struct glyph *g, int most)
{
	int n = 0;

	while (n < most && g[n].text[0] == FULL_BLOCK && g[n].look == g->look)
		n++;
	return n >= FULL_LEAST && s->utf8 && !shows_on_blank(find_look(s, g->look)) ? n : 0;
}

/* A wide character is written by its left half. */
static void
put_row(struct term_screen *s, const struct canvas *c, int row)
{
	const struct glyph *now = &c->cells[(size_t)row * (size_t)c->columns];
	look before = LOOK_NONE; /* of the cell before, if it can be a blank's */
	int full = 0;            /* end of a long run of full blocks */

	for (int i = 0, to; i < c->columns; i = to) {
		/* Blanks that show nothing of their look. */
		for (to = i; to < c->columns && glyph_is_blank(&now[to]) &&
		     !shows_on_blank(find_look(s, now[to].look));)
			to++;
		if (to > i) {
			put_gap(s, row, i, to, before);
			continue;
		}
		to = i + (now[i].width == 2 && i + 1 < c->columns ? 2 : 1);
		if (i >= full)
			full = i + full_run(s, &now[i], c->columns - i);
		if (now[i].width != 0)
			put_glyph(s, row, i, &now[i], i < full);
		before = shows_on_blank(find_look(s, now[i].look)) ? LOOK_NONE : now[i].look;
	}
}

void
screen_draw(struct term_screen *s, const struct canvas *c, int row, int column, bool visible)
{
	int rows = c->rows < LINES ? c->rows : LINES;

	if (c->rows < 1 || c->columns < 1)
		return;
	for (int i = 0; i < rows; i++)
		put_row(s, c, i);
	if (visible != s->visible) {
		curs_set(visible);
		s->visible = visible;
	}
	move(row < LINES ? row : LINES - 1, column < COLS ? column : COLS - 1);
	wnoutrefresh(stdscr);
	doupdate();
}
