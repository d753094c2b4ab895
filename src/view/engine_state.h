/*
 * engine_state: the engine as its worker and its front end share it; for its own files only.
 */
#ifndef SLOWTOP_VIEW_ENGINE_STATE_H
#define SLOWTOP_VIEW_ENGINE_STATE_H

#include <pthread.h>

#include "profile/loader.h"
#include "view/answer.h"

struct engine {
	struct trace *trace;
	struct profile *profile; /* the worker's alone */
	struct loader *loader;
	struct overview *overview; /* NULL: the trace is too short for one */
	struct answerer answerer;
	unsigned jobs;
	pthread_t worker;
	int fd;

	pthread_mutex_t lock;
	pthread_cond_t wake;  /* for the worker */
	pthread_cond_t ready; /* for engine_wait */

	/* Below: under the lock, but for `cancel`. */
	bool quit, stop;
	bool hold; /* the front end needs the processors */
	bool choose;             /* the log is to be read again: */
	struct log_choice choice;
	struct wish wish;
	struct wish trees_of;    /* what the call tree was wanted for; TREES_NONE: outdated */
	bool open[JOBS];         /* wished and not answered */
	bool asked[JOBS];        /* not even in part, since the wish changed */
	unsigned put_off[JOBS];  /* times that a newer partial answer made room for those */
	enum job running;        /* one of them is being worked on; JOBS: none */
	uint64_t took[JOBS];     /* ms, the last of each kind */
	atomic_bool cancel[JOBS]; /* the question that is being worked on is outdated */
	unsigned restarts;       /* of the profile, when the overview was begun */
	bool overview_drawn;     /* the timeline that was drawn with all of it */
	bool news;               /* something for engine_take */
	struct engine_news result;
};

/* All of these under the lock. */

/* Can the question be worked on now?  Some wait until the trace stays as it is. */
bool engine_can(const struct engine *, enum job);
/* The most urgent question that can be worked on; JOBS: none. */
enum job engine_next(const struct engine *);
/* How things stand becomes part of the news. */
void engine_publish(struct engine *);
/* There are news. */
void engine_announce(struct engine *);

/* What the worker runs; `context`: the engine. */
void *engine_work(void *context);

/* What was answered takes the place of what nobody fetched. */
void engine_news_take(struct engine_news *into, const struct engine_news *answer);
void engine_news_release(struct engine_news *);

#endif
