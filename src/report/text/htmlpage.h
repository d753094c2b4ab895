/*
 * htmlpage: the head and foot of a self-contained HTML page.
 *
 * Style and script are in the page; nothing is fetched, so it opens from a file.  The
 * script sorts tables of class "sortable" (columns of class "n" by number, descending at
 * first) and opens or closes all <details>; without it the page is complete, but still.
 */
#ifndef SLOWTOP_REPORT_TEXT_HTMLPAGE_H
#define SLOWTOP_REPORT_TEXT_HTMLPAGE_H

#include "base/sbuf.h"
#include "base/str.h"

struct htmlpage {
	struct str title;
	const char *script_base; /* another sortable.js is loaded from below this URL; NULL: none */
	const char *style, *script; /* more of them; NULL: none */
	/* A link before all else leads to the element of this id; NULL: none. */
	const char *skip_to;
};

void htmlpage_begin(struct sbuf *, const struct htmlpage *);
void htmlpage_end(struct sbuf *, const struct htmlpage *);

#endif
