/*
 * table: what all views of a trace share: the newest fold and how its figures are shown, which
 * methods and columns, how names are written, and the search.
 *
 * A view that is made of it goes by the numbers of changes.
 */
#ifndef SLOWTOP_VIEW_TABLE_H
#define SLOWTOP_VIEW_TABLE_H

#include "view/figures.h"
#include "view/filters.h"

struct pattern;

struct table {
	struct fold *fold; /* owned; NULL before the first */
	struct figures figures; /* what is shown of it */
	struct filters filters; /* change it, then call table_refilter */
	struct columnset columns; /* of methods and trees; METHOD stays last */
	int beside;          /* columns of the screen that another pane has */
	enum elision elision;
	int name_skip; /* columns of the full name; NAME_FITTED */

	unsigned fold_changes, filter_changes, search_changes; /* for others that go by them */

	struct pattern *search; /* owned; NULL: none */
	struct err search_err;  /* pattern too costly; what was found before stays */
	uint8_t *hits;          /* by method; of this search */
	size_t hit_room;
	uint8_t *thread_hits; /* the same by thread */
	size_t thread_hit_room;
};

enum { NAME_FITTED = -1 };

void table_init(struct table *, const struct trace *, struct names *);
void table_release(struct table *);
/* A copy of what writing rows needs, independent of the table; table_kept_free. */
struct table *table_kept(const struct table *);
void table_kept_free(struct table *);

/* Takes the fold over. */
void table_set_fold(struct table *, struct fold *);
/* After a change of the filters. */
void table_refilter(struct table *);

/* Search.  Takes the pattern over; NULL ends it. */
void table_search(struct table *, struct pattern *);
bool table_is_hit(const struct table *, uint32_t method);
/* Does the search find the thread, by its id and name? */
bool table_is_thread_hit(const struct table *, uint32_t thread);

#endif
