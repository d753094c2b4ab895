/*
 * html: hostile bytes as text of an HTML or SVG document in UTF-8.
 */
#ifndef SLOWTOP_BASE_HTML_H
#define SLOWTOP_BASE_HTML_H

#include "base/sbuf.h"
#include "base/str.h"

/*
 * Good between tags and in quoted attributes: & < > " ' become references, what would be
 * invisible or is not allowed there is shown as base/clean.h says.
 */
void html_text(struct sbuf *out, struct str in);

#endif
