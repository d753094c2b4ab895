/*
 * csv: a field of comma-separated values (RFC 4180).
 *
 * Quotes where a comma, a quote or a line end asks for it, doubles quotes, and leaves
 * all other bytes alone.  A field that a spreadsheet would take for a formula, because it
 * begins with = + - @, a tab or a line end, gets an apostrophe before it, unless it is a
 * number.  Commas between fields and CR LF behind records are the
 * caller's.
 */
#ifndef SLOWTOP_BASE_CSV_H
#define SLOWTOP_BASE_CSV_H

#include "base/sbuf.h"
#include "base/str.h"

void csv_field(struct sbuf *out, struct str field);

#endif
