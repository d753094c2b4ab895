#include <config.h>

#include "tui/screen.h"

#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

enum {
	LOOKS = 1 << 4,
	LOOK_SHIFT = 8,
	SHORT_GAP = 10,
	LOOK_NONE = 0xffff /* of blanks, for the terminal's own colours */
};

/* Curses' idea of a look. */
struct made_look {
	bool made;
	attr_t attributes;
	int pair;
};

struct screen {
	enum colour_level level;
	struct theme theme;
	bool utf8;
	bool visible; /* the terminal's cursor */
	/* What stands in stdscr, to pass over what did not change. */
	int rows, columns;
	struct glyph *shown;
	struct made_look looks[LOOKS][ROLES]; /* made when first used */
};

static enum colour_level
screen_level(enum tui_colour wish)
{
	const char *no_color = getenv("NO_COLOR");

	if (wish == TUI_COLOUR_NEVER)
		return COLOUR_NONE;
	if (wish == TUI_COLOUR_AUTO && no_color != NULL && *no_color != '\0')
		return COLOUR_NONE;
	if (!has_colors() || start_color() == ERR)
		return COLOUR_NONE;
	/* Without "default colours" a background would be forced on the terminal. */
	if (use_default_colors() == ERR)
		return COLOUR_NONE;
	return theme_level(COLORS);
}

struct screen *
screen_new(enum tui_colour wish, const struct theme *theme, bool utf8)
{
	struct screen *s = mem_zero(1, sizeof(*s));

	s->level = screen_level(wish);
	s->theme = *theme;
	s->utf8 = utf8;
	curs_set(0);
	return s;
}

void
screen_set_theme(struct screen *s, enum tui_colour wish, const struct theme *theme)
{
	s->level = screen_level(wish);
	s->theme = *theme;
	memset(s->looks, 0, sizeof(s->looks));
	s->rows = s->columns = 0; /* each cell may look different */
}

void
screen_free(struct screen *s)
{
	if (s == NULL)
		return;
	mem_free(s->shown);
	mem_free(s);
}

void
screen_spoil(struct screen *s)
{
	s->rows = s->columns = 0;
	clearok(curscr, TRUE);
}

static void
make_look(struct screen *s, look l, unsigned bits, unsigned role)
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
	int pair = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (style.bits & table[i].bit)
			attributes |= table[i].attribute;
	if (style.colour >= 0) {
		pair = alloc_pair(style.colour, -1);
		if (pair < 0)
			pair = 0;
	}
	s->looks[bits][role].made = true;
	s->looks[bits][role].attributes = attributes;
	s->looks[bits][role].pair = pair;
}

static const struct made_look *
find_look(struct screen *s, look l)
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

/* Writes what `put_row` made of a cell. */
static void
put_glyph(struct screen *s, int row, int column, const struct glyph *g)
{
	static const struct made_look plain;
	const struct made_look *l = g->look == LOOK_NONE ? &plain : find_look(s, g->look);
	wchar_t text[CCHARW_MAX + 1];
	cchar_t cell;
	int n = 0, pair;

	for (size_t i = 0; i < 4 && g->text[i] != 0 && n < CCHARW_MAX; i++)
		text[n++] = (wchar_t)(s->utf8 || g->text[i] < 0x7f ? g->text[i] : '?');
	if (n == 0)
		text[n++] = L' ';
	text[n] = L'\0';
	pair = l->pair;
	if (setcchar(&cell, text, l->attributes, (short)(pair > SHRT_MAX ? 0 : pair),
		&pair) == OK)
		mvadd_wch(row, column, &cell);
	else
		mvaddch(row, column, '?' | l->attributes);
}

static bool
glyph_equal(const struct glyph *a, const struct glyph *b)
{
	return memcmp(a->text, b->text, sizeof(a->text)) == 0 && a->width == b->width &&
	       a->look == b->look;
}

static bool
is_blank(const struct glyph *g)
{
	return g->text[0] == ' ' && g->text[1] == 0;
}

/* The end of a short run of blanks between other characters; `from` when it is none. */
static int
short_gap(const struct glyph *row, int from, int columns)
{
	int to = from;

	while (to < columns && to - from <= SHORT_GAP && is_blank(&row[to]))
		to++;
	return from > 0 && to < columns && to - from <= SHORT_GAP ? to : from;
}

/* `before`: whose look a blank may have where it cannot be seen; NULL: none. */
static look
blank_look(struct screen *s, look l, const struct glyph *before)
{
	if (shows_on_blank(find_look(s, l)))
		return l;
	if (before == NULL || shows_on_blank(find_look(s, before->look)))
		return LOOK_NONE;
	return before->look;
}

/*
 * A wide character is written by its left half.  When anything about a pair of cells
 * changed, both are written, so that no half of an old one stays.
 *
 * Blanks have no colour, so that ncurses can clear to the end of a line; but in short
 * gaps they keep that of the text before, since turning it off and on takes more bytes.
 * What is compared is what ncurses got: rows that look alike are alike for it, too, and
 * it can scroll them.
 */
static void
put_row(struct screen *s, const struct canvas *c, int row, bool all)
{
	const struct glyph *now = &c->cells[(size_t)row * (size_t)c->columns];
	struct glyph *was = &s->shown[(size_t)row * (size_t)c->columns];
	const struct glyph *before = NULL;
	int gap_end = 0;

	for (int i = 0; i < c->columns; i++) {
		int width = now[i].width == 2 && i + 1 < c->columns ? 2 : 1;
		struct glyph g = now[i];
		bool same;

		if (!is_blank(&now[i])) {
			before = &now[i];
			gap_end = short_gap(now, i + width, c->columns);
		} else {
			g.look = blank_look(s, g.look, i < gap_end ? before : NULL);
		}
		same = !all && glyph_equal(&g, &was[i]) &&
		       (width == 1 || glyph_equal(&now[i + 1], &was[i + 1]));
		if (!same && now[i].width != 0)
			put_glyph(s, row, i, &g);
		was[i] = g;
		if (width == 2)
			was[i + 1] = now[i + 1];
		i += width - 1;
	}
}

void
screen_draw(struct screen *s, const struct canvas *c, int row, int column, bool visible)
{
	bool all = s->rows != c->rows || s->columns != c->columns;
	int rows = c->rows < LINES ? c->rows : LINES;

	if (c->rows < 1 || c->columns < 1)
		return;
	if (all) {
		s->shown = mem_resize(
		    s->shown, (size_t)c->rows * (size_t)c->columns, sizeof(*s->shown));
		s->rows = c->rows;
		s->columns = c->columns;
		erase();
	}
	for (int i = 0; i < rows; i++)
		put_row(s, c, i, all);
	if (visible != s->visible) {
		curs_set(visible);
		s->visible = visible;
	}
	move(row < LINES ? row : LINES - 1, column < COLS ? column : COLS - 1);
	wnoutrefresh(stdscr);
	doupdate();
}
