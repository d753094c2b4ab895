// SPDX-License-Identifier: Apache-2.0
/*
 * escape: bytes that may be anything as fields of CSV, as text of HTML, in printing characters.
 */
#pragma once

#include "base/sbuf.h"
#include "base/str.h"

/*
 * A field of comma-separated values (RFC 4180).
 *
 * Quotes a field that has a comma, a quote or a line end, doubles its quotes, and leaves
 * all other bytes alone.  A spreadsheet would take a field for a formula that begins with
 * = + - @, a tab or a line end: it gets an apostrophe in front, unless it is a number.
 * The caller writes commas between fields and CR LF after records.
 */
void csv_field(struct sbuf *out, struct str field);

/*
 * Hostile bytes as text of an HTML or SVG document in UTF-8.
 *
 * Good between tags and in quoted attributes: & < > " ' become references, what would be
 * invisible or is not allowed there is shown as base/utf8.h says.
 */
void html_text(struct sbuf *out, struct str in);
/*
 * Hostile bytes between tags, of names and sentences with names: as html_text, but lines may
 * break after marks such as . and $ and before capitals, as in com.example.|Feed|Adapter, and
 * nowhere else in a word.
 */
void html_name(struct sbuf *out, struct str name);
/* Append a text, or a name, between pieces of HTML. */
void html_between(struct sbuf *out, const char *before, struct str text, const char *after);
void html_name_between(struct sbuf *out, const char *before, struct str name, const char *after);

/*
 * Bytes in 64 printing characters (RFC 4648, section 4), padded, on one line.
 */
void base64_append(struct sbuf *out, struct str bytes);
