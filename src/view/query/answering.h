// SPDX-License-Identifier: Apache-2.0
/*
 * answering: one query answered from a profile.
 *
 * The engine's worker asks; there are no threads and no locks here.  What was counted of
 * the trace within a range is kept, so that it is decoded once for all that is asked about
 * it; the same holds for the transformed tree.  All that is kept is of the profile as it
 * is: when it changes, answering_release comes first.
 */
#pragma once

#include <stdatomic.h>

#include "view/query/query.h"

/* The data that answers are made from. */
struct answering {
	const struct profile *profile;
	const struct overview *overview; /* may be NULL */
	share_done done;                 /* of the range being counted */

	/* The range counted last, for all threads. */
	struct range range;
	bool known;
	struct range_sums sums;

	/* The search for calls that is under way; NULL: none. */
	struct calls_search *search;
	int64_t search_due;  /* ms: when the next partial answer is due */
	struct query searched;

	/* Tracks that are being drawn. */
	struct engine_tracks *tracks;
	struct chart *chart;
	struct query drawn;
	atomic_uint tracks_done; /* in CHART_ALLths */

	/* The tree transformed last, and the methods as recorded, of that subset. */
	struct subset of;
	struct transformed *transformed;
	struct fold *recorded;

	struct same folded; /* `as` NULL: names were not folded yet */
	unsigned folding;   /* enum name_folding of the trace; 0: FOLD_NAMES */

	/* The methods that are idle, by the query's pattern. */
	struct str idle_pattern; /* owned */
	uint8_t *idle;
	uint32_t idle_count;
};

void answering_release(struct answering *);

/*
 * Finds the parts that the query's sums are made from: counts of its range, the tree as transformed,
 * names counted as one, idle methods.  They stay until the next query.  False when cancelled; what a
 * transform could not do is in source->of->err.
 */
bool answering_source(struct answering *, const struct query *, struct fold_query *source,
    const atomic_bool *cancel);

/*
 * Answers into value and err; false when that was cancelled, or there is more to come: then
 * the same query is asked again.
 */
typedef bool answer_run(struct answering *, const struct query *, struct answer *,
    const atomic_bool *cancel);

enum query_flags {
	/* The answer depends on that part of the subset. */
	BY_SCOPE = 1,
	BY_CHOICE = 64, /* the threads that the user chose: all, where the scope is scope_front's */
	BY_RANGE = 2,
	BY_TRANSFORMS = 4,
	BY_IDLE = 8, /* the pattern is that of idle methods */
	QUERY_LOADED = 16, /* not answered before all is loaded */
	QUERY_KEPT = 32,  /* its answer stays valid while it is not asked for */
};

struct query_way {
	answer_run *run;
	void (*free)(void *);
	unsigned flags; /* enum query_flags */
};

extern const struct query_way query_ways[QUERY_KINDS];

/* sums.c, timeline.c, calls.c, point.c */
#define QUERY(number, type, release, run, ...) answer_run run;
#include "view/query/query.def"
#undef QUERY

void answering_calls_stop(struct answering *);
void answering_tracks_stop(struct answering *);
