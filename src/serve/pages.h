// SPDX-License-Identifier: Apache-2.0
/*
 * pages: what the server writes itself, as HTML; all that clients sent is escaped.
 *
 * Links are relative, so that a proxy may give the server any address.
 */
#pragma once

#include <stdbool.h>

#include "base/sbuf.h"
#include "serve/serve.h"
#include "serve/store.h"

/*
 * The form for uploads, and the traces whose names hold `search`, from the `from`-th on, which
 * can be compared: two, or some with others.  False when they cannot be read: see errno.
 */
bool page_list(struct sbuf *out, struct str search, unsigned from, const struct serve_options *);
/* The form's script, where scripts are on: it shows progress, and takes what is dropped. */
extern const char upload_script[];
/* A line of text as a page of its own; `root` is the way to the list from there. */
void page_message(struct sbuf *out, const char *title, struct str text, const char *root);
/* The report of a trace with links to its other forms in front. */
void page_trace(struct sbuf *out, const char *id, struct str report);
/* Traces that are compared, those of A first. */
struct compared {
	const char (*ids)[ID_SIZE];
	const struct sbuf *names;
	int count[2];
};

/*
 * The report of a comparison with ways to its traces in front; 409: B is too slow, 422: that
 * cannot be told.
 */
void page_comparison(struct sbuf *out, int status, const struct compared *, struct str report);
