/*
 * engine: loading and queries on a worker thread, for a front end that never waits.
 *
 * The front end says what it wants to see (engine_want); the worker loads in steps and
 * answers the wants between steps, newest first, cancelling what is no longer wanted.
 * Results are values that the front end owns from then on.  engine_fd becomes readable
 * when there are new ones.
 *
 * While loading, folds arrive about four times a second and are partial; timelines are
 * drawn again when the trace grew.  When all is read and every want answered, the
 * worker sleeps and costs nothing.
 */
#ifndef SLOWTOP_VIEW_ENGINE_H
#define SLOWTOP_VIEW_ENGINE_H

#include "profile/callers.h"
#include "profile/fold.h"
#include "profile/calls.h"
#include "profile/timeline.h"
#include "profile/tracks.h"
#include "profile/usage.h"
#include "trace/log.h"

/* The questions, the most urgent first. */
enum job {
	JOB_TIMELINE,
	JOB_FOLD,
	JOB_USAGE,
	JOB_PATHS,
	JOB_MARKS,
	JOB_CALL,
	JOB_TRACKS,
	JOB_NEAR,
	JOB_CALLS,
	JOBS
};

enum engine_trees {
	TREES_NONE,
	TREES_APART,    /* one a thread */
	TREES_TOGETHER, /* one for all threads */
};

/* What a screen needs.  Equal parts are not computed again. */
struct engine_want {
	const struct scope *scope; /* copied; NULL: all threads */
	struct range range;        /* that is counted; from == to: the whole trace */

	/* Of call tree and fold; copied; NULL: none. */
	const struct transforms *transforms;

	/* The call tree; the last one stays good while nobody wants it. */
	enum engine_trees trees;

	/* Of a text log: what cores and threads did; NULL: not wanted. */
	const struct usage_ask *usage;

	/* The timeline; columns 0: not shown. */
	nsec from, to; /* from == to: the whole trace, as far as it is known */
	uint32_t columns, rows;
	const uint32_t *threads; /* rows of them; copied */

	/* Marks of a method's calls over the same columns; METHOD_NONE: none. */
	uint32_t marks_method;

	/* Other rows of the timeline, over the same columns; TRACK_CALLS: of all depths; copied. */
	uint32_t track_count;
	const struct track *tracks;

	/*
	 * The call of a row under the time cursor, or what else it has then.
	 */
	bool call_wanted;
	struct track point; /* depth 0: the innermost */
	nsec call_at;
	uint32_t call_method; /* whose call it shall be; METHOD_NONE: the innermost */

	/*
	 * All calls of a method, the longest and those over budget on that clock; METHOD_NONE:
	 * none.  They come from time to time while they are found, once loading is over.
	 */
	uint32_t calls_method;
	enum clock_id calls_clock;
	nsec calls_budget;

	/* The call of a method next to a place in time, answered once for each serial. */
	unsigned near_serial; /* 0: none */
	uint32_t near_method;
	int near_direction;
	struct call_place near_from;
};

struct engine_timeline {
	nsec from, to;
	uint32_t columns, rows;
	uint32_t *threads;
	struct cell *cells;
};

struct engine_marks {
	nsec from, to;
	uint32_t columns, method;
	uint8_t *marks;
};

/* Tracks with their cells; those of TRACK_CALLS one a depth, as far as there are calls. */
struct engine_tracks {
	nsec from, to;
	uint32_t columns;
	uint32_t asked_count;
	struct track *asked; /* as they were wanted */
	uint32_t count, room;
	struct track *tracks;
	struct track_cell *cells;
};

/* Call tree and callers, of the same part of the trace; these borrow those. */
struct engine_paths {
	struct paths *paths;
	struct callers *callers;
	struct range range;
	bool together;
};

/* What a log tells of the time cursor's thread and call. */
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

/* New since the last engine_take; pointers are NULL where nothing is new. */
struct engine_news {
	struct fold *fold;                 /* fold_free */
	struct err transform_err; /* with a fold: of a transform that cannot be met */
	struct usage *usage;               /* usage_free */
	struct engine_paths *paths;        /* engine_paths_free */
	struct engine_timeline *timeline;  /* engine_timeline_free */
	struct engine_marks *marks;        /* engine_marks_free */
	struct engine_tracks *tracks;      /* engine_tracks_free */
	bool call_fresh;
	struct track point; /* what they answer: */
	nsec call_at;
	struct call call;
	struct track_point at_point;
	struct engine_slice slice; /* of a text log; with the call */
	struct calls *calls;               /* calls_free */
	unsigned near_serial;              /* of the answer below; 0: nothing new */
	struct call_place near_place;
	struct call near_call;             /* method METHOD_NONE: there is none */

	/* How things stand; always filled. */
	enum load_state state;
	bool waiting;   /* a want is not answered yet */
	bool summing;   /* the call tree is being made */
	bool counting;  /* the fold is being counted: so much of it was done, 0 to 1 */
	double counted;
	bool drawing;   /* tracks: so much of it was done */
	double drawn;
	double progress;
	uint64_t bytes_done, bytes_total; /* of the data part */
	uint64_t records;
	nsec begin, end;       /* axis, as far as known */
	struct damage damage;
	struct sampled sampled;
	struct log_summary log; /* of a text log */
	struct log_choice choice; /* what was read of it */
	struct err err;        /* of LOAD_FAILED */
};

/*
 * Fills in how things stand with a profile of which the share `progress` was read; what
 * else is in the news stays.
 */
void engine_news_stand(struct engine_news *, const struct profile *, double progress);

struct engine;

/* Borrows the trace; `jobs` as in loader_new.  NULL when no thread can be started. */
struct engine *engine_new(struct trace *, unsigned jobs, struct err *);
/* Stops the worker, soon (within some milliseconds), and frees. */
void engine_free(struct engine *);

int engine_fd(const struct engine *); /* poll for reading; engine_take drains it */
void engine_want(struct engine *, const struct engine_want *);
void engine_take(struct engine *, struct engine_news *);
/*
 * Waits until what can be answered within `ms`, as the last time, is: keeps quick answers
 * in the same screen update and does not wait for slow ones.  `loaded`: also until the
 * whole trace is loaded, if it is a small one.  At most `ms`.
 */
void engine_wait(struct engine *, int ms, bool loaded);
/*
 * Is one of these questions, a set of 1 << enum job, still to be answered as it was wanted
 * last?  While loading a partial answer is one, and what is not looked for then is not.
 */
bool engine_pending(struct engine *, unsigned jobs);
/* Of a text log: reads it again, with this choice of slices. */
void engine_choose(struct engine *, const struct log_choice *);
/*
 * Between these this engine's worker begins nothing: who draws its screen is to have a
 * processor to itself, after what is being done at most.
 */
void engine_hold(struct engine *);
void engine_go_on(struct engine *);
/* Ends loading; what was read stays. */
void engine_stop_loading(struct engine *);

void engine_paths_free(struct engine_paths *);
void engine_timeline_free(struct engine_timeline *);
void engine_marks_free(struct engine_marks *);
void engine_tracks_free(struct engine_tracks *);

#endif
