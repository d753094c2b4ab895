// SPDX-License-Identifier: Apache-2.0
/*
 * utf8: characters in bytes that may be anything, and the columns they take.
 *
 * Strict UTF-8 (Unicode table 3-7): overlong forms, surrogates and values above U+10FFFF
 * are malformed.  Malformed bytes are cut into maximal subparts (Unicode section 3.9), so
 * that one U+FFFD for each part gives the same text as in other programs.
 *
 * Columns are those of a terminal: a character takes 0, 1 or 2.  In a UTF-8 locale
 * the C library decides, as it does for curses; elsewhere it does as in C.UTF-8.  A
 * cluster is a character and those without width that follow it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/str.h"

#define UTF8_MALFORMED   UINT32_MAX     /* no character: one maximal subpart */
#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* True if the locale's character set is UTF-8 (setlocale must have been called). */
bool utf8_locale(void);

/* The first character of `rest`, which must not be empty, or UTF8_MALFORMED; steps past it. */
uint32_t utf8_next(struct str *rest);

/* Returns the length, 0 when `c` is no character (a surrogate, above U+10FFFF). */
size_t utf8_put(char out[static 4], uint32_t c);

/* Columns; -1 for what cannot be printed, such as controls and malformed bytes. */
int utf8_char_width(uint32_t c);

/*
 * True if `c` shows nothing or changes how others are shown: controls, bidirectional marks, line
 * separators, joiners, variation selectors, fillers, noncharacters.
 */
bool utf8_hidden(uint32_t c);

/* Columns of a text; what cannot be printed counts 1, as its replacement does. */
size_t utf8_width(struct str);

/*
 * The longest run of whole clusters from the start (head) or up to the end (tail)
 * that fits in `columns`; `*used` (or NULL) is what it takes, which can be one less
 * than wanted before a wide character.
 */
struct str utf8_head(struct str, size_t columns, size_t *used);
struct str utf8_tail(struct str, size_t columns, size_t *used);

/*
 * Hostile bytes as text that is safe in a terminal's cells.
 *
 * Names in a trace may hold anything.  In the result nothing moves the cursor,
 * starts an escape sequence, reorders, joins or hides; every character has a width,
 * and cleaning it again changes nothing.  It is for display: what is matched,
 * compared or exported is the original.
 *
 *	controls, DEL             caret notation: ^[ ^J ^?
 *	malformed UTF-8           one U+FFFD for each maximal subpart
 *	C1 controls, characters
 *	that utf8_hidden names,
 *	unassigned characters     U+FFFD
 *	a combining mark with
 *	no base before it         U+FFFD
 *	more marks on a base
 *	than a cell can hold      one U+FFFD for all that are too many
 *
 * With CLEAN_ASCII each of these but the first, and each other character outside of
 * ASCII, becomes one `?`.
 */

enum clean_flags {
	CLEAN_ASCII = 1 << 0,
	/*
	 * Take the bytes as Java's modified UTF-8: C0 80 is NUL, two surrogates of three
	 * bytes each are one character (Java VM specification 4.4.7), one alone is one
	 * malformed part.
	 */
	CLEAN_MUTF8 = 1 << 1,
};

/* Combining characters that a curses cell holds on top of its base character. */
enum { CLEAN_MARKS_MAX = 4 };

/* Appends `in`, cleaned, to `out`: at most three bytes for one. */
void clean_append(struct sbuf *out, struct str in, unsigned flags);
