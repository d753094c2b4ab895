// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/worker.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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
	n->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return n->fd >= 0 || err_system(e, "cannot make an event descriptor");
}

void
notify_post(const struct notify *n)
{
	static const uint64_t one = 1;
	int saved = errno;
	ssize_t written;

	/* A full counter is fine: the loop will wake up anyhow. */
	do
		written = write(n->fd, &one, sizeof(one));
	while (written < 0 && errno == EINTR);
	errno = saved;
}

bool
notify_take(const struct notify *n)
{
	uint64_t posts;
	ssize_t got;

	do
		got = read(n->fd, &posts, sizeof(posts));
	while (got < 0 && errno == EINTR);
	return got > 0;
}

void
notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
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
	enum { BEHIND = 5, LAST = 19 };
	int nice;

	/* Linux has this for each thread, which 0 is the calling one of. */
	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno == 0)
		(void)setpriority(PRIO_PROCESS, 0, nice + BEHIND < LAST ? nice + BEHIND : LAST);
}

unsigned
worker_processors(void)
{
	cpu_set_t set;
	int count;

	/* Fails on machines with more processors than the set holds. */
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return WORKER_MAX;
	count = CPU_COUNT(&set);
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
	struct worker_pool *pool;  /* the others beside the caller; NULL: none */
	pthread_barrier_t barrier; /* where a round begins, and ends */
	bool quit;                 /* written before a round begins */
};

static void
other_work(unsigned index, void *arg)
{
	struct crew *crew = arg;

	for (;;) {
		pthread_barrier_wait(&crew->barrier);
		if (crew->quit)
			return;
		crew->work(crew->arg, index + 1);
		pthread_barrier_wait(&crew->barrier);
	}
}

struct crew *
crew_new(unsigned count, crew_work *work, void *arg)
{
	struct crew *crew = mem_zero(1, sizeof(*crew));

	crew->work = work;
	crew->arg = arg;
	pthread_barrier_init(&crew->barrier, NULL, count);
	if (count == 1 || worker_start(&crew->pool, count - 1, other_work, crew, NULL, NULL))
		return crew;
	crew_free(crew);
	return NULL;
}

void
crew_round(struct crew *crew)
{
	pthread_barrier_wait(&crew->barrier);
	crew->work(crew->arg, 0);
	pthread_barrier_wait(&crew->barrier);
}

void
crew_free(struct crew *crew)
{
	if (crew == NULL)
		return;
	crew->quit = true;
	if (crew->pool != NULL)
		pthread_barrier_wait(&crew->barrier);
	worker_join(crew->pool);
	pthread_barrier_destroy(&crew->barrier);
	mem_free(crew);
}
