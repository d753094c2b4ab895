/*
 * clean: hostile bytes as text that is safe in a terminal's cells.
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
#ifndef SLOWTOP_BASE_CLEAN_H
#define SLOWTOP_BASE_CLEAN_H

#include "base/sbuf.h"
#include "base/str.h"

enum clean_flags {
	CLEAN_ASCII = 1 << 0,
	/*
	 * Take the bytes as Java's modified UTF-8: C0 80 is NUL, two surrogates of three
	 * bytes each are one character (Java VM specification 4.4.7), one alone is one
	 * malformed part.
	 */
	CLEAN_MUTF8 = 1 << 1,
};

/* As many as a curses cell holds on top of its base character. */
enum { CLEAN_MARKS_MAX = 4 };

/* Appends `in`, cleaned, to `out`: at most three bytes for one. */
void clean_append(struct sbuf *out, struct str in, unsigned flags);

#endif
