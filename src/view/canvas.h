// SPDX-License-Identifier: Apache-2.0
/*
 * canvas: a screen of character cells, before any terminal.
 *
 * Views draw here; tui/ copies it to the terminal, tests compare it as text.  A cell
 * holds one cluster (base and combining marks), its width and a look: the role of the
 * text, not a colour.  Meaning is never by the look alone.  Nothing drawn leaves the
 * canvas: everything is clipped, and a wide character that would cross an edge becomes
 * a space.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"

enum role {
	ROLE_TEXT,
	ROLE_TITLE,  /* first line */
	ROLE_HEADER, /* column headers, axis */
	ROLE_FOOTER,
	ROLE_KEY,    /* a key in the footer or help */
	ROLE_DIM,    /* sleep, unimportant */
	ROLE_PARENT, /* relation rows */
	ROLE_CHILD,
	ROLE_MARK,   /* calls of the selected method */
	ROLE_CURSOR, /* time cursor */
	ROLE_ERROR,
	ROLE_WARNING, /* damage badge */
	ROLE_POPUP,   /* frame and background of a popup */
	ROLE_SLOWER,  /* of two traces: what takes more time in the second */
	ROLE_FASTER,  /* what takes less */
	ROLE_IDLE,    /* a thread only waits */
	ROLE_MORE,    /* frames of two traces that take more time in the second: some, more, most */
	ROLE_LESS = ROLE_MORE + 3, /* less: likewise */
	ROLE_HUE = ROLE_LESS + 3, /* colours of methods: ROLE_HUE + 0 to HUES - 1, the last for the platform */
	HUES = 16,
	ROLES = ROLE_HUE + HUES
};

/* Added to a role. */
enum {
	LOOK_SELECTED = 1 << 8, /* the cursor line: reverse */
	LOOK_HIT = 1 << 9,      /* search hit: underlined, and reverse where the rest is not */
	LOOK_BOLD = 1 << 10,    /* active pane */
	LOOK_UNDERLINE = 1 << 12, /* what reverse would make another sign: a cell's height */
	LOOK_BLOCK = 1 << 11,   /* an area in the role's colour, where there are colours */
};

typedef uint16_t look; /* enum role | LOOK_* */

struct glyph {
	uint32_t text[4]; /* code points, 0-filled; text[0] 0: right half of a wide one */
	uint8_t width;    /* 1 or 2; 0 for the right half */
	look look;
};

/* A part of one: rows [row, row + rows), columns [column, column + columns). */
struct rect {
	int row, column, rows, columns;
};

struct canvas {
	int rows, columns;
	struct glyph *cells; /* rows * columns */
	bool utf8;           /* line and block characters may be used */
	bool colours;        /* looks differ in colour: no signs are needed in their place */
};

void canvas_init(struct canvas *, bool utf8);
/* New size, all blank. */
void canvas_resize(struct canvas *, int rows, int columns);
void canvas_clear(struct canvas *);
void canvas_release(struct canvas *);

/*
 * Writes text that is clean already (base/utf8.h) at a row, from `column`, up to and not
 * including `limit`.  Returns the column after the last one written.
 */
int canvas_text(struct canvas *, int row, int column, int limit, struct str text, look);
/* printf; at most 1024 bytes. */
int canvas_format(struct canvas *, int row, int column, int limit, look,
    const char *format, ...) __attribute__((format(printf, 6, 7)));
void canvas_put(struct canvas *, int row, int column, uint32_t code_point, look);
void canvas_fill(struct canvas *, int row, int from, int to, uint32_t code_point, look);
/* Adds LOOK_* bits to cells [from, to) of a row, keeping what they show. */
void canvas_add_look(struct canvas *, int row, int from, int to, look bits);

/* A cell; NULL outside. */
struct glyph *canvas_at(const struct canvas *, int row, int column);
bool glyph_is_blank(const struct glyph *);
/* One row as UTF-8 without trailing blanks, for tests and logs; a new string. */
char *canvas_row(const struct canvas *, int row);
/* The rows from one to before the other, a line each. */
void canvas_lines(const struct canvas *, int from, int to, struct sbuf *out);
