// SPDX-License-Identifier: Apache-2.0
/*
 * query: a question about a trace as a value, and its answer.
 *
 * Of each kind a screen asks one query or none.  Queries are compared by value: what a kind
 * does not depend on stays as query_of made it.  The query of an answer says what it is of.
 */
#pragma once

#include "profile/findings/findings.h"
#include "profile/log/usage.h"
#include "profile/log/wakers.h"
#include "profile/sum/callers.h"
#include "profile/sum/fold.h"
#include "profile/sum/same.h"
#include "profile/sum/transform.h"
#include "profile/timeline/calls.h"
#include "profile/timeline/jank.h"
#include "profile/timeline/sequence.h"
#include "profile/timeline/timeline.h"
#include "profile/timeline/tracks.h"
#include "trace/log.h"
#include "view/diff/pathpair.h"

/* The most urgent first. */
enum query_kind {
#define QUERY(number, ...) QUERY_##number,
#include "view/query/query.def"
#undef QUERY
	QUERY_KINDS
};

/* The part of a trace that is counted. */
struct subset {
	struct scope *scope; /* NULL: all threads */
	struct range range;  /* from >= to: the whole trace */
	struct transforms transforms;
	bool folded;         /* methods are counted by folded names (trace/folded.h) */
};

/* The calls that are compared, slow ones with the others (percall.h). */
struct slow_calls {
	enum slow_of { SLOW_NONE, SLOW_FRAMES, SLOW_METHOD } of;
	uint32_t method; /* SLOW_METHOD */
	uint32_t thread; /* that they are on; THREAD_NONE: the one with most */
	nsec over;       /* slow ones take longer on the axis; 0: frames as they are judged */
};

struct query {
	struct subset of;
	bool together;           /* paths: one tree for all threads */
	enum same_by by;         /* groups, */
	bool relations;          /* with those that call and are called */
	struct usage_ask usage;

	struct range window;     /* that is drawn; from == to: all that is loaded */
	uint32_t columns;
	uint32_t row_count;
	struct track *rows;      /* TRACK_CALLS: of all depths */

	uint32_t method;         /* METHOD_NONE: of a point, the innermost call */
	struct track point;      /* depth 0: the innermost */
	nsec at;
	enum clock_id clock;
	nsec budget;             /* calls above it, on that clock; of frames, 0: the trace tells it */

	struct slow_calls slow;  /* paths: of these, too */
	struct str frames;       /* their pattern, where they are frames; empty: jank_frames */

	struct str pattern;      /* frames: of methods; empty: jank_frames; sums: idle ones; findings: rules */

	unsigned serial;         /* near: each is answered once */
	int direction;
	struct call_place from;
};

/* Methods counted as one: the sums of those that stand for a group. */
struct engine_groups {
	struct fold *fold;
	struct same same;
};

struct engine_timeline {
	struct range window;
	uint32_t columns, rows;
	uint32_t *threads;
	struct cell *cells;
};

/* Marks of a method's calls: of all threads in scope by column, then of each row. */
struct engine_marks {
	struct range window;
	uint32_t columns, method;
	uint32_t rows;
	uint32_t *threads; /* by row */
	uint8_t marks[];
};

/* Tracks with their cells; those of TRACK_CALLS one a depth, as far as there are calls. */
struct engine_tracks {
	struct range window;
	uint32_t columns;
	uint32_t asked_count;
	struct track *asked;
	uint32_t count, room;
	struct track *tracks;
	struct track_cell *cells;
	struct track_scale *scales; /* of the first ones */
	uint32_t scale_count;
};

/* Call tree and callers, of the same part of the trace; these borrow those. */
struct engine_paths {
	struct paths *paths;
	struct callers *callers;
	struct pathpair *pair; /* of slow calls and the others; NULL: none were asked for, or a side has none */
	uint64_t calls[DIFF_SIDES]; /* that it is of */
	uint32_t thread;            /* that they are on */
	struct slow_calls slow;     /* as asked */
	struct range range;
	bool together;
};

/* A log's details of the time cursor's thread and call. */
struct engine_slice {
	bool state_known; /* what the thread did then: */
	struct interval state;
	bool known; /* the call's line was found */
	struct log_detail detail;
	bool end_known; /* and that of its end: */
	uint32_t end_tid;
	bool split_known;
	struct usage_split split;
	struct instants_near near; /* markers of a moment that the thread wrote */
	bool woken; /* from the call's longest sleep; or else last before */
	struct wake wake;
};

/* The content of a row of the timeline at a time. */
struct engine_point {
	struct track row;
	nsec at;
	struct call call; /* METHOD_NONE: none, or it is no row of calls, then: */
	struct track_point point;
	uint32_t *stack; /* the call's methods, outermost first; owned, call.depth of them */
	struct engine_slice slice; /* of a text log */
};

/* The call of a method next to a place in time. */
struct engine_near {
	struct call_place place;
	struct call call; /* METHOD_NONE: there is none */
};

struct answer {
	void *value;     /* NULL: there is no answer */
	struct query of;
	struct err err;  /* what of the query could not be met */
};

/* Queries of a screen; all that it points to is borrowed. */
struct asked {
	struct subset of;
	struct str idle; /* pattern of idle methods */
	unsigned kinds; /* 1 << enum query_kind */
	struct query queries[QUERY_KINDS];
};

/* Asks that kind, of the subset as far as the kind depends on it; the caller sets the rest. */
struct query *query_ask(struct asked *, enum query_kind);
/* True if an answer of that kind is of threads that the user chose: see scope_chosen. */
bool query_is_chosen(enum query_kind);
/* The copy owns what it points to. */
struct query query_copy(const struct query *);
void query_release(struct query *);
bool query_equal(const struct query *, const struct query *);
struct subset subset_copy(const struct subset *);
void subset_release(struct subset *);
bool subset_equal(const struct subset *, const struct subset *);

/* Frees value and query. */
void answer_release(struct answer *, enum query_kind);
void engine_groups_free(void *);
void engine_paths_free(void *);
void engine_point_free(void *);
void engine_timeline_free(void *);
void engine_marks_free(void *);
void engine_tracks_free(void *);
