// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/query/engine.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "profile/index/blocks.h"
#include "profile/load/loader.h"
#include "view/query/answering.h"

enum {
	STEP_FIRST = 8192,      /* records that are read at a time; later as many as take: */
	STEP_US = 2000,         /* how long a new query may wait */
	OVERVIEW_FIRST = 16384, /* the same for those that the overview takes in */
	OVERVIEW_US = 5000,
	STEP_LEAST = 512,     /* of what is slow to read, as text is */
	STEP_MOST = 1 << 19,  /* of what several workers read */
	PARTIAL_MS = 250,     /* between partial answers while loading */
	PARTIAL_SHARE = 4,    /* and at least this many times what the last one took */
	GROWN_SHARE = 16,     /* after growth: at least this many times what the last one took */
	PUT_OFF_MOST = 4,
	SOON_BYTES = 4 << 20, /* may be loaded before the first screen */
};

/* A kind of query. */
struct slot {
	bool asked;          /* by the present screen */
	struct query query;  /* the last one */
	bool open;           /* it has no answer of all that is read */
	bool unanswered;     /* nor a partial one */
	unsigned put_off;    /* times that a newer partial answer made room for another kind */
	int64_t took;        /* ms, the last answer */
	int64_t due;         /* ms, the next partial one */
	bool behind;         /* more came since, and the next answer is not due */
	int64_t answered;    /* ms, when the last one was */
	struct answer answer; /* for engine_take */
};

struct engine {
	struct trace *trace;
	struct profile *profile; /* the worker's alone */
	struct loader *loader;
	struct overview *overview; /* NULL: the trace is too short for one */
	struct answering answering;
	unsigned jobs;
	pthread_t worker;
	const struct notify *answered; /* borrowed; NULL: no front end waits */
	uint64_t behind;        /* records that the overview may take in while loading */
	uint64_t step;          /* records that are read at a time */
	uint64_t overview_step; /* and taken in by the overview, when all are read */
	bool overview_drawn;    /* the timeline that was drawn with all of it */

	pthread_mutex_t lock;
	pthread_cond_t wake;  /* for the worker */
	pthread_cond_t ready; /* for engine_wait */

	/* Members below are under the lock, except `cancel`. */
	bool quit, stop;
	bool hold;               /* the front end needs the processors */
	bool choose;             /* the log is to be read again: */
	struct log_choice choice;
	uint64_t grow;           /* the size that the file has now; 0: as before */
	nsec keep;               /* of its end, with engine_grow */
	enum engine_growth growth; /* for engine_take */
	struct slot slots[QUERY_KINDS];
	enum query_kind running; /* this is worked on; QUERY_KINDS: none is */
	struct query working;
	atomic_bool cancel;      /* that */
	struct load_status status;
};

void
load_status_of(struct load_status *status, const struct profile *p, double progress)
{
	const struct source *s = p->trace->source;

	status->state = p->state;
	status->progress = progress;
	status->bytes_total = source_bytes(s);
	status->bytes_done = (uint64_t)(progress * (double)status->bytes_total);
	status->records = p->records;
	status->begin = p->begin;
	status->end = p->end;
	status->waits = s->waits;
	status->held = s->held;
	status->kept = p->blocks->kept > 0 ? p->blocks->kept : 0;
	status->damage = p->damage;
	status->sampled = p->sampled;
	if (p->trace->log != NULL) {
		status->log = p->trace->log->summary;
		status->choice = p->trace->log->choice;
	}
}

/* Queries: under the lock ------------------------------------------------------------ */

/* Some kinds wait until the trace is loaded. */
static bool
can_run(const struct engine *e, enum query_kind kind)
{
	return e->slots[kind].asked && e->slots[kind].open &&
	    ((query_ways[kind].flags & QUERY_LOADED) == 0 || e->status.state != LOAD_MORE);
}

/* The most urgent query that can be worked on; QUERY_KINDS: none. */
static enum query_kind
next_query(const struct engine *e)
{
	enum query_kind next = QUERY_KINDS;

	for (enum query_kind kind = QUERY_KINDS; kind-- > 0;) {
		bool unanswered = e->slots[kind].unanswered;

		/*
		 * An outdated answer is better than none, so queries without an answer
		 * come first.
		 */
		if (can_run(e, kind) &&
		    (unanswered || next == QUERY_KINDS || !e->slots[next].unanswered))
			next = kind;
	}
	return next;
}

/* Marks the answer as outdated; with `unanswered`, or when it is not asked for, as missing. */
static void
outdate(struct slot *s, bool unanswered)
{
	s->open = true;
	s->unanswered |= unanswered || !s->asked;
}

/*
 * While loading, a query that already has an answer lets one without an answer go first,
 * a few times.
 */
static bool
makes_room(struct engine *e)
{
	struct slot *now = &e->slots[e->running];

	if (now->unanswered || now->put_off >= PUT_OFF_MOST)
		return false;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		if (e->slots[kind].unanswered && can_run(e, kind)) {
			now->put_off++;
			return true;
		}
	}
	return false;
}

/* Cancels what is worked on if it is not asked, or makes room for what is more urgent. */
static void
check_running(struct engine *e)
{
	const struct slot *s = &e->slots[e->running];

	if (e->running == QUERY_KINDS)
		return;
	if (e->quit || e->choose || !s->asked || !query_equal(&s->query, &e->working) ||
	    (e->running >= QUERY_PATHS && next_query(e) < e->running) || makes_room(e))
		atomic_store(&e->cancel, true);
}

void
engine_ask(struct engine *e, const struct asked *asked)
{
	pthread_mutex_lock(&e->lock);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		struct slot *s = &e->slots[kind];
		const struct query *query = &asked->queries[kind];
		bool was = s->asked || (query_ways[kind].flags & QUERY_KEPT) != 0;

		s->asked = (asked->kinds & 1u << kind) != 0;
		if (!s->asked || (was && query_equal(&s->query, query)))
			continue;
		query_release(&s->query);
		s->query = query_copy(query);
		outdate(s, true);
	}
	check_running(e);
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

/* True if a query is left that took at most `ms` the last time, and no slow one comes before it. */
static bool
answer_soon(const struct engine *e, int ms)
{
	bool soon = false;

	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		bool left = e->running == kind || can_run(e, kind);

		/* More urgent queries come first: after a slow one no answer is soon. */
		if (left && e->slots[kind].took > ms)
			return soon;
		soon |= left;
	}
	return soon;
}

bool
engine_pending(struct engine *e, unsigned kinds)
{
	bool pending = false;

	pthread_mutex_lock(&e->lock);
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		const struct slot *s = &e->slots[kind];

		pending |= (kinds & 1u << kind) != 0 && s->asked &&
		    (s->answer.value != NULL || (s->unanswered && can_run(e, kind)));
	}
	pthread_mutex_unlock(&e->lock);
	return pending;
}

/* There is something for engine_take. */
static void
announce(struct engine *e)
{
	load_status_of(&e->status, e->profile, loader_progress(e->loader));
	/* All answers will be dropped. */
	if (e->choose)
		e->status.state = LOAD_MORE;
	if (e->answered != NULL)
		notify_post(e->answered);
	pthread_cond_broadcast(&e->ready);
}

void
engine_take(struct engine *e, struct answer answers[QUERY_KINDS], struct load_status *status,
    struct engine_work *work)
{
	pthread_mutex_lock(&e->lock);
	*work = (struct engine_work){
		.waiting = e->running < QUERY_KINDS || next_query(e) < QUERY_KINDS ||
		    e->status.state == LOAD_MORE,
		.drawn = (double)atomic_load(&e->answering.tracks_done) / CHART_ALL,
		.growth = e->growth,
	};
	e->growth = GROWTH_NONE;
	if (e->running == QUERY_METHODS)
		work->counted = (double)atomic_load(&e->answering.done) / SHARE_ALL;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		struct slot *s = &e->slots[kind];

		if (s->asked && s->open)
			work->open |= 1u << kind;
		answers[kind] = s->answer;
		s->answer = (struct answer){0};
	}
	*status = e->status;
	pthread_mutex_unlock(&e->lock);
}

enum load_state
engine_loading(struct engine *e, struct load_status *status)
{
	bool open;

	pthread_mutex_lock(&e->lock);
	open = e->slots[QUERY_METHODS].open;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		open |= e->slots[kind].asked && e->slots[kind].unanswered;
	*status = e->status;
	pthread_mutex_unlock(&e->lock);
	return status->state != LOAD_FAILED && open ? LOAD_MORE : status->state;
}

static struct timespec
moment_after(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += ms % 1000 * 1000000;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

void
engine_wait(struct engine *e, int ms, bool loaded)
{
	struct timespec until = moment_after(ms);

	pthread_mutex_lock(&e->lock);
	while ((answer_soon(e, ms) ||
		   (loaded && e->status.state == LOAD_MORE && e->status.bytes_total <= SOON_BYTES)) &&
	    pthread_cond_timedwait(&e->ready, &e->lock, &until) != ETIMEDOUT) {
	}
	pthread_mutex_unlock(&e->lock);
}

void
engine_choose(struct engine *e, const struct log_choice *choice)
{
	pthread_mutex_lock(&e->lock);
	e->choose = true;
	e->choice = *choice;
	/* Answers of before are worth nothing. */
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		outdate(&e->slots[kind], true);
	check_running(e);
	e->status.state = LOAD_MORE;
	e->status.progress = 0;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

/* Tells the worker. */
static void
set_flag(struct engine *e, bool *flag, bool on)
{
	pthread_mutex_lock(&e->lock);
	*flag = on;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

void
engine_hold(struct engine *e, bool on)
{
	set_flag(e, &e->hold, on);
}

void
engine_stop_loading(struct engine *e)
{
	set_flag(e, &e->stop, true);
}

/* The worker: holds the lock but while it loads and answers -------------------------- */

/* Answers a query; it stays open when it was cancelled. */
static void
answer(struct engine *e, enum query_kind kind)
{
	struct slot *s = &e->slots[kind];
	struct answer found = {.value = NULL};
	int64_t begin = clock_ms(), took;
	bool whole;

	e->working = query_copy(&s->query);
	e->running = kind;
	s->behind = false;
	atomic_store(&e->cancel, false);
	pthread_mutex_unlock(&e->lock);
	e->answering.overview = e->overview;
	whole = query_ways[kind].run(&e->answering, &e->working, &found, &e->cancel);
	pthread_mutex_lock(&e->lock);
	e->running = QUERY_KINDS;
	s->answered = clock_ms();
	took = s->answered - begin;
	/* One that was given up would have taken at least as long. */
	if (whole || took > s->took)
		s->took = took;
	s->due = s->answered +
	    (took * PARTIAL_SHARE > PARTIAL_MS ? took * PARTIAL_SHARE : PARTIAL_MS);
	if (whole) {
		s->put_off = 0;
		if (!e->choose && query_equal(&s->query, &e->working))
			s->open = s->unanswered = false;
	}
	found.of = e->working;
	e->working = (struct query){0};
	if (found.value != NULL) {
		answer_release(&s->answer, kind);
		s->answer = found;
	} else {
		answer_release(&found, kind);
	}
	announce(e);
}

/* Adapts the records of a step to the time that the last step took. */
static void
step_adapt(uint64_t *step, uint64_t us, uint64_t us_most)
{
	if (us > us_most && *step / 2 >= STEP_LEAST)
		*step /= 2;
	else if (us < us_most / 2 && *step * 2 <= STEP_MOST)
		*step *= 2;
}

/*
 * The overview follows loading with a fifth of the time, and takes the rest when loading
 * is over.  Returns whether there was something to do.
 */
static bool
overview_step(struct engine *e)
{
	bool loading = e->profile->state == LOAD_MORE, more;
	uint64_t records = loading ? e->behind / 8 : e->overview_step, begin;

	if (!timeline_wants_overview(e->profile) ||
	    (loading && e->behind < 8 * OVERVIEW_FIRST))
		return false;
	e->behind = 0;
	if (e->overview == NULL)
		e->overview = overview_new(e->profile, OVERVIEW_BYTES);
	pthread_mutex_unlock(&e->lock);
	begin = clock_us();
	more = overview_advance(e->overview, records);
	if (!loading)
		step_adapt(&e->overview_step, clock_us() - begin, OVERVIEW_US);
	pthread_mutex_lock(&e->lock);
	if (!loading && (!more || clock_ms() >= e->slots[QUERY_TIMELINE].due) &&
	    !e->overview_drawn) {
		outdate(&e->slots[QUERY_TIMELINE], false);
		outdate(&e->slots[QUERY_MARKS], false);
	}
	if (!loading && !more)
		e->overview_drawn = true;
	return more;
}

static void
load_step(struct engine *e)
{
	unsigned restarts = e->profile->restarts;
	enum load_state state;
	int64_t now;

	if (e->stop) {
		loader_stop(e->loader);
		state = e->profile->state;
	} else {
		uint64_t before = e->profile->records, begin = clock_us();
		struct err err = {0};

		pthread_mutex_unlock(&e->lock);
		state = loader_step(e->loader, e->step, &err);
		step_adapt(&e->step, clock_us() - begin, STEP_US);
		e->behind += e->profile->records > before ? e->profile->records - before : 0;
		pthread_mutex_lock(&e->lock);
		if (state == LOAD_FAILED)
			e->status.err = err;
	}
	answering_release(&e->answering);
	if (e->profile->restarts != restarts) {
		overview_free(e->overview);
		e->overview = NULL;
	}
	/* Every answer given before is partial. */
	now = clock_ms();
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		if (state != LOAD_MORE ||
		    (kind <= QUERY_MARKS && now >= e->slots[kind].due))
			outdate(&e->slots[kind], false);
	}
	if (state != LOAD_MORE)
		announce(e);
}

/* The log is read again with another choice of slices. */
static void
choice_take(struct engine *e)
{
	struct log_choice choice = e->choice;

	e->choose = false;
	e->stop = false;
	pthread_mutex_unlock(&e->lock);
	loader_free(e->loader);
	answering_release(&e->answering);
	overview_free(e->overview);
	e->overview = NULL;
	e->trace->log->choice = choice;
	profile_restart(e->profile);
	e->loader = loader_new(e->profile, e->jobs);
	pthread_mutex_lock(&e->lock);
	e->overview_drawn = false;
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++)
		outdate(&e->slots[kind], true);
	load_status_of(&e->status, e->profile, loader_progress(e->loader));
}

/* Reads all that came to the file; false when that cannot be, or the engine ends. */
static bool
growth_read(struct engine *e, uint64_t size)
{
	enum load_state state = LOAD_MORE;
	struct err err = {0};
	bool quit = false;

	if (!profile_grow(e->profile, size))
		return false;
	if (e->overview != NULL)
		overview_grow(e->overview);
	loader_free(e->loader);
	e->loader = loader_new(e->profile, e->jobs);
	while (state == LOAD_MORE && !quit) {
		state = loader_step(e->loader, STEP_MOST, &err);
		pthread_mutex_lock(&e->lock);
		quit = e->quit;
		pthread_mutex_unlock(&e->lock);
	}
	return state == LOAD_DONE && !e->trace->source->stale;
}

/*
 * Outdates the answers of before more came: the figures at once, what takes long now and then.
 * Returns milliseconds until the next is due; -1: none is.
 */
static int64_t
growth_outdate(struct engine *e)
{
	int64_t now = clock_ms(), next = -1;

	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		struct slot *s = &e->slots[kind];
		int64_t left = kind == QUERY_METHODS ? 0 : s->answered + s->took * GROWN_SHARE - now;

		if (s->behind && (left <= 0 || !s->asked)) {
			s->behind = false;
			outdate(s, false);
		} else if (s->behind && (next < 0 || left < next)) {
			next = left;
		}
	}
	return next;
}

static void
growth_take(struct engine *e)
{
	uint64_t size = e->grow, forgotten = 0;
	unsigned restarts = e->profile->restarts;
	nsec keep = e->keep;
	bool good;

	e->grow = 0;
	pthread_mutex_unlock(&e->lock);
	good = growth_read(e, size);
	/* Gives up records that are older than what is kept; but the overview reads all once. */
	if (good && keep > 0 && e->overview != NULL && e->profile->end - e->profile->begin > keep)
		forgotten = profile_forget(e->profile, e->profile->end - keep,
		    overview_records(e->overview));
	pthread_mutex_lock(&e->lock);
	if (forgotten > 0)
		e->status.forgotten = forgotten;
	e->growth = good ? GROWTH_TAKEN : GROWTH_REFUSED;
	answering_release(&e->answering);
	if (e->profile->restarts != restarts) {
		overview_free(e->overview);
		e->overview = NULL;
	}
	for (enum query_kind kind = 0; kind < QUERY_KINDS && good; kind++)
		e->slots[kind].behind = true;
	(void)growth_outdate(e);
	announce(e);
}

void
engine_grow(struct engine *e, uint64_t size, nsec keep)
{
	pthread_mutex_lock(&e->lock);
	e->grow = size;
	e->keep = keep;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

/* Waits for the front end, or until an answer is due. */
static void
rest(struct engine *e)
{
	int64_t ms = growth_outdate(e);
	struct timespec until;

	if (next_query(e) < QUERY_KINDS)
		return;
	if (ms < 0) {
		pthread_cond_wait(&e->wake, &e->lock);
		return;
	}
	until = moment_after(ms);
	(void)pthread_cond_timedwait(&e->wake, &e->lock, &until);
}

static void *
work(void *context)
{
	struct engine *e = context;
	bool behind = false;

	pthread_mutex_lock(&e->lock);
	while (!e->quit) {
		bool loading;
		enum query_kind next;

		if (e->hold) {
			pthread_cond_wait(&e->wake, &e->lock);
			continue;
		}
		/* The first table is waited for; other threads come later. */
		if (!behind && e->profile->records > 0) {
			worker_behind();
			behind = true;
		}
		if (e->choose)
			choice_take(e);
		if (e->grow > 0 && e->profile->state != LOAD_MORE)
			growth_take(e);
		next = next_query(e);
		loading = e->profile->state == LOAD_MORE;
		/* An empty trace has answers, too. */
		if (next < QUERY_KINDS && (e->profile->records > 0 || !loading)) {
			answer(e, next);
			/* A long search, step by step, does not keep the timeline waiting. */
			if (next == QUERY_CALLS && !loading)
				(void)overview_step(e);
		} else if (overview_step(e)) {
			continue;
		} else if (loading) {
			load_step(e);
		} else if (next_query(e) == QUERY_KINDS && !e->quit && !e->choose && e->grow == 0) {
			/* The lock was given back meanwhile: nothing asked then is slept over. */
			rest(e);
		}
	}
	pthread_mutex_unlock(&e->lock);
	return NULL;
}

/* Beginning and end ------------------------------------------------------------------ */

/* The worker has ended, or never began. */
static void
release(struct engine *e)
{
	for (enum query_kind kind = 0; kind < QUERY_KINDS; kind++) {
		answer_release(&e->slots[kind].answer, kind);
		query_release(&e->slots[kind].query);
	}
	loader_free(e->loader);
	answering_release(&e->answering);
	overview_free(e->overview);
	profile_free(e->profile);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->wake);
	pthread_cond_destroy(&e->ready);
	mem_free(e);
}

struct engine *
engine_new(struct trace *t, unsigned jobs, const struct notify *answered, struct err *err)
{
	struct engine *e = mem_zero(1, sizeof(*e));
	struct asked first = {.of.range = RANGE_ALL};
	pthread_condattr_t steady;
	sigset_t old;
	int failed;

	e->trace = t;
	e->answered = answered;
	e->profile = profile_new(t);
	e->answering.profile = e->profile;
	e->jobs = jobs;
	e->loader = loader_new(e->profile, jobs);
	e->step = STEP_FIRST;
	e->overview_step = OVERVIEW_FIRST;
	e->running = QUERY_KINDS;
	/* A wait must not last longer because the clock of the day was set back. */
	pthread_condattr_init(&steady);
	pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, &steady);
	pthread_cond_init(&e->ready, &steady);
	pthread_condattr_destroy(&steady);
	load_status_of(&e->status, e->profile, loader_progress(e->loader));
	(void)query_ask(&first, QUERY_METHODS);
	engine_ask(e, &first);
	/* Signals are the front end's. */
	worker_block_signals(&old);
	failed = pthread_create(&e->worker, NULL, work, e);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed != 0) {
		err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(failed));
		release(e);
		return NULL;
	}
	return e;
}

void
engine_free(struct engine *e)
{
	if (e == NULL)
		return;
	pthread_mutex_lock(&e->lock);
	e->quit = true;
	check_running(e);
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	pthread_join(e->worker, NULL);
	release(e);
}
