// SPDX-License-Identifier: Apache-2.0
/*
 * display: what all screens of a trace share: its newest fold and how figures are shown, which
 * methods and columns, how names are written, and the search.
 *
 * Screens ask what has changed since they last did (display_changed).
 */
#pragma once

#include "view/canvas.h"
#include "view/figures.h"
#include "view/filters.h"
#include "view/list/where.h"
#include "view/diff/rates.h"

struct pattern;

struct display {
	struct fold *fold; /* owned; NULL before the first */
	struct figures figures; /* what is shown of it; owns the identities */
	struct filters filters; /* count the changes in refilters */
	struct wheres wheres;   /* the same: conditions on the figures of lists */
	struct columnset columns; /* of methods and trees; METHOD stays last */
	enum elision elision;
	struct rates rates; /* of a trace that is followed; see figures.rates */
	bool clock_chosen; /* by the user: else by the threads that are shown */
	int name_skip; /* columns of the full name; NAME_FITTED */

	unsigned folds, refilters, searches; /* how often they changed: display_changed */

	struct pattern *search; /* owned; NULL: none */
	struct err search_err;  /* pattern too costly; what was found before stays */
	struct hits {
		uint8_t *of;
		size_t room;
	} hits, thread_hits; /* of this search, by method and by thread */
};

enum { NAME_FITTED = -1 };

/* The state of a display that a screen has seen. */
struct display_seen {
	unsigned folds, refilters, searches;
	enum clock_id clock;
	enum percent_base base;
};

enum display_change {
	CHANGED_FOLD = 1 << 0,
	CHANGED_FILTERS = 1 << 1,
	CHANGED_SEARCH = 1 << 2,
	CHANGED_FIGURES = 1 << 3, /* clock or base */
};

void display_init(struct display *, const struct trace *, struct names *);
void display_release(struct display *);
/* Returns the changes since `seen`, a set of enum display_change, and brings `seen` up to date. */
unsigned display_changed(const struct display *, struct display_seen *);

/* Number of methods that pass the filters, and the sum of their own times. */
struct passing {
	uint32_t methods;
	nsec own;
};

/* Costs the methods. */
struct passing display_passing(struct display *);

/* Takes the fold over. */
void display_set_fold(struct display *, struct fold *);

/* Search.  Takes the pattern over; NULL ends it. */
void display_search(struct display *, struct pattern *);
bool display_is_hit(const struct display *, uint32_t method);
/* As display_is_hit, of a method that may be in no fold: it is matched once. */
bool display_matches(struct display *, uint32_t method);
/* True if the search finds the thread, by its id and name. */
bool display_is_thread_hit(const struct display *, uint32_t thread);

/*
 * Draws a name from `column` on, shortened to end before `right`, scrolled like the
 * display's names, with the hits of its search.  Returns the column after it.
 */
int name_draw(struct canvas *, int row, int column, int right, const struct display *,
    uint32_t method, enum elision, look);

/*
 * A block in the method's colour and a blank, which a method has everywhere on the screen; nothing
 * without such a character, or columns for it.  `look` is the name's.  Returns the column after it.
 */
int name_swatch(struct canvas *, int row, int column, int right, const struct display *,
    uint32_t method, look);

/* "Adapter.bind" when it fits, else the beginning of "bind"; in `out` or as names_head says. */
struct str name_short(struct names *, uint32_t method, int room, char *out, size_t size);
