// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"

/* Clocks ---------------------------------------------------------------------------- */

uint64_t
clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int64_t
clock_ms(void)
{
	return (int64_t)(clock_us() / 1000);
}

/* Wakeups --------------------------------------------------------------------------- */

bool
notify_open(struct notify *n, struct err *e)
{
	int ends[2];

	*n = (struct notify){-1, -1};
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return err_system(e, "cannot make a pipe");
	*n = (struct notify){ends[0], ends[1]};
	return true;
}

void
notify_post(const struct notify *n)
{
	int saved = errno;
	ssize_t written;

	/* A full pipe is fine: the loop will wake up anyhow. */
	do
		written = write(n->in, "", 1);
	while (written < 0 && errno == EINTR);
	errno = saved;
}

bool
notify_take(const struct notify *n)
{
	char posts[1024];
	bool any = false;
	ssize_t got;

	do {
		got = read(n->fd, posts, sizeof(posts));
		any |= got > 0;
	} while (got == (ssize_t)sizeof(posts) || (got < 0 && errno == EINTR));
	return any;
}

void
notify_close(struct notify *n)
{
	if (n->fd >= 0) {
		close(n->fd);
		close(n->in);
	}
	*n = (struct notify){-1, -1};
}

/* Threads --------------------------------------------------------------------------- */

struct worker {
	pthread_t thread;
	struct worker_pool *pool;
	unsigned index;
};

struct worker_pool {
	pthread_mutex_t starting; /* held until all are started */
	bool never;               /* not all could be; under the lock */
	worker_run *run;
	void *arg;
	const struct notify *done;
	atomic_uint running;
	unsigned started;
	struct worker workers[];
};

static void *
worker_main(void *arg)
{
	struct worker *w = arg;
	struct worker_pool *pool = w->pool;
	bool never;

	pthread_mutex_lock(&pool->starting);
	never = pool->never;
	pthread_mutex_unlock(&pool->starting);
	if (never)
		return NULL;
	pool->run(w->index, pool->arg);
	/* Release: a thread that sees the count sees what this thread wrote. */
	atomic_fetch_sub_explicit(&pool->running, 1, memory_order_release);
	if (pool->done != NULL)
		notify_post(pool->done);
	return NULL;
}

void
worker_block_signals(sigset_t *old)
{
	static const int faults[] = {
	    SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t all;

	sigfillset(&all);
	for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, old);
}

bool
worker_start(struct worker_pool **out, unsigned count, worker_run *run, void *arg,
    const struct notify *done, struct err *e)
{
	struct worker_pool *pool;
	sigset_t old;
	int error = 0;

	*out = NULL;
	if (count > WORKER_MAX)
		return err_set(e, ERR_LIMIT, "more than %d threads", WORKER_MAX);
	pool = mem_zero(1, sizeof(*pool) + count * sizeof(pool->workers[0]));
	pthread_mutex_init(&pool->starting, NULL);
	pool->run = run;
	pool->arg = arg;
	pool->done = done;
	atomic_init(&pool->running, count);
	worker_block_signals(&old);
	pthread_mutex_lock(&pool->starting);
	while (pool->started < count && error == 0) {
		struct worker *w = &pool->workers[pool->started];

		w->pool = pool;
		w->index = pool->started;
		error = pthread_create(&w->thread, NULL, worker_main, w);
		pool->started += error == 0;
	}
	pool->never = error != 0;
	pthread_mutex_unlock(&pool->starting);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error != 0) {
		worker_join(pool);
		errno = error;
		return err_system(e, "cannot start a thread");
	}
	*out = pool;
	return true;
}

unsigned
worker_running(const struct worker_pool *pool)
{
	return atomic_load_explicit(&pool->running, memory_order_acquire);
}

void
worker_join(struct worker_pool *pool)
{
	if (pool == NULL)
		return;
	for (unsigned i = 0; i < pool->started; i++)
		pthread_join(pool->workers[i].thread, NULL);
	pthread_mutex_destroy(&pool->starting);
	mem_free(pool);
}

void
worker_behind(void)
{
#ifdef __linux__
	enum { BEHIND = 5, LAST = 19 };
	int nice;

	/* Linux has this for each thread, others for the process; 0 is the calling one. */
	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno == 0)
		(void)setpriority(PRIO_PROCESS, 0, nice + BEHIND < LAST ? nice + BEHIND : LAST);
#endif
}

unsigned
worker_processors(void)
{
	long count;
#if HAVE_DECL_SCHED_GETAFFINITY
	cpu_set_t set;

	/* Fails on machines with more processors than the set holds. */
	count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : WORKER_MAX;
#else
	count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return count > 0 ? (unsigned)count : 1;
}

struct all {
	worker_run *run;
	void *arg;
};

static void
all_other(unsigned index, void *arg)
{
	const struct all *all = arg;

	all->run(index + 1, all->arg);
}

void
worker_all(unsigned count, worker_run *run, void *arg)
{
	struct all all = {run, arg};
	struct worker_pool *pool = NULL;

	if (count > 1)
		(void)worker_start(&pool, count - 1, all_other, &all, NULL, NULL);
	for (unsigned i = 0; i < (pool != NULL ? 1 : count); i++)
		run(i, arg);
	worker_join(pool);
}

/* Rounds ---------------------------------------------------------------------------- */

struct crew {
	crew_work *work;
	void *arg;
	struct worker_pool *pool; /* the others beside the caller; NULL: none */
	unsigned count;           /* with the caller */
	bool quit;                /* written before a round begins */

	pthread_mutex_t lock;
	pthread_cond_t all_met;
	unsigned met, meetings; /* how many are there, and how often all were */
};

/* Where a round begins, and ends (macOS has no pthread_barrier_wait). */
static void
crew_meet(struct crew *crew)
{
	unsigned meeting;

	pthread_mutex_lock(&crew->lock);
	meeting = crew->meetings;
	if (++crew->met == crew->count) {
		crew->met = 0;
		crew->meetings++;
		pthread_cond_broadcast(&crew->all_met);
	}
	while (meeting == crew->meetings)
		pthread_cond_wait(&crew->all_met, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

static void
other_work(unsigned index, void *arg)
{
	struct crew *crew = arg;

	for (;;) {
		crew_meet(crew);
		if (crew->quit)
			return;
		crew->work(crew->arg, index + 1);
		crew_meet(crew);
	}
}

struct crew *
crew_new(unsigned count, crew_work *work, void *arg)
{
	struct crew *crew = mem_zero(1, sizeof(*crew));

	crew->work = work;
	crew->arg = arg;
	crew->count = count;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->all_met, NULL);
	if (count == 1 || worker_start(&crew->pool, count - 1, other_work, crew, NULL, NULL))
		return crew;
	crew_free(crew);
	return NULL;
}

void
crew_round(struct crew *crew)
{
	crew_meet(crew);
	crew->work(crew->arg, 0);
	crew_meet(crew);
}

void
crew_free(struct crew *crew)
{
	if (crew == NULL)
		return;
	crew->quit = true;
	if (crew->pool != NULL)
		crew_meet(crew);
	worker_join(crew->pool);
	pthread_cond_destroy(&crew->all_met);
	pthread_mutex_destroy(&crew->lock);
	mem_free(crew);
}
