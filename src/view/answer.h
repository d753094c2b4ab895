/*
 * answer: one question of the screen, answered from a profile.
 *
 * The worker of the engine asks; there are no threads and no locks here.  A wish owns
 * what it points to.  What was counted of the trace within a range is kept, so that it is
 * decoded once for all that is asked about it; the same holds for the transformed tree.
 */
#ifndef SLOWTOP_VIEW_ANSWER_H
#define SLOWTOP_VIEW_ANSWER_H

#include "view/engine.h"

/* A want that owns what it points to. */
struct wish {
	struct scope *scope;
	struct range range;
	struct transforms transforms;
	enum engine_trees trees;
	bool usage;
	struct usage_ask usage_ask;
	nsec from, to;
	uint32_t columns, rows;
	uint32_t *threads;
	uint32_t marks_method;
	uint32_t track_count;
	struct track *tracks;
	bool call_wanted;
	struct track point;
	nsec call_at;
	uint32_t call_method;
	uint32_t calls_method;
	enum clock_id calls_clock;
	nsec calls_budget;
	unsigned near_serial;
	uint32_t near_method;
	int near_direction;
	struct call_place near_from;
};

struct wish wish_make(const struct engine_want *);
struct wish wish_copy(const struct wish *);
void wish_release(struct wish *);
bool wish_same_window(const struct wish *, const struct wish *);
bool wish_same_rows(const struct wish *, const struct wish *);
bool wish_same_calls(const struct wish *, const struct wish *);
bool wish_same_tracks(const struct wish *, const struct wish *);
bool wish_same_point(const struct wish *, const struct wish *);
/* The timeline's window, "whole trace" resolved. */
struct range wish_window(const struct wish *, const struct profile *);

/* What answers are made from. */
struct answerer {
	const struct profile *profile;
	const struct overview *overview; /* may be NULL */
	share_done done;                     /* of the range being counted */

	/* The range counted last, for all threads, when so many records were read. */
	struct range range;
	uint64_t records;
	bool known;
	struct range_sums sums;

	/* The search for calls that is under way; NULL: none. */
	struct calls_search *search;
	uint64_t search_due; /* ms: when what was found is told again */
	struct {
		struct wish wish;
		uint64_t records; /* + 1, that were read; 0: there is no wish */
	} searched;

	/* Tracks that are being drawn: what was made of them, and from what. */
	struct engine_tracks *tracks;
	struct chart *chart;
	uint64_t tracks_records;
	atomic_uint tracks_done; /* in CHART_ALLths */

	/*
	 * The tree transformed last, and what was summed of the recorded one for it, of that
	 * scope and range, when so many records were read.
	 */
	struct transforms transforms;
	struct scope *scope;
	struct range transformed_range;
	uint64_t transformed_records;
	struct transformed *transformed;
	struct fold *recorded;
};

void answerer_release(struct answerer *);

/*
 * The counts within the wish's range, by node, for all threads: NULL for the whole trace
 * (what the tree has).  False when cancelled.
 */
bool answer_counts(struct answerer *, const struct wish *, const struct range_sums **,
    const atomic_bool *cancel);

/*
 * The tree that the wish's transforms make of these counts: NULL without any.  False when
 * cancelled.
 */
bool answer_transformed(struct answerer *, const struct wish *, const struct range_sums *,
    const struct transformed **, const atomic_bool *cancel);

/*
 * Answers what the wish says of one question into the parts of `news` that are about it;
 * they are the caller's.  False when cancelled, and then there is nothing.
 */
bool answer_find(enum job, struct answerer *, const struct wish *, struct engine_news *news,
    const atomic_bool *cancel);

/*
 * answer-calls.c.  The first returns false with a part of the answer, too, and wants to be
 * asked again then; not while loading goes on.
 */
bool answer_calls(struct answerer *, const struct wish *, struct engine_news *,
    const atomic_bool *cancel);
bool answer_next_call(struct answerer *, const struct wish *, struct engine_news *,
    const atomic_bool *cancel);
void answer_calls_stop(struct answerer *);

/* answer-point.c */
bool answer_point(struct answerer *, const struct wish *, struct engine_news *,
    const atomic_bool *cancel);

/* answer-tracks.c.  What was begun is kept and gone on with when the same is asked again. */
bool answer_tracks(struct answerer *, const struct wish *, struct engine_news *,
    const atomic_bool *cancel);
void answer_tracks_stop(struct answerer *);

#endif
