#include <config.h>

#include "base/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
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

uint64_t
clock_ms(void)
{
	return clock_us() / 1000;
}

/* Wakeups --------------------------------------------------------------------------- */

static bool
set_flags(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

bool
notify_open(struct notify *n, struct err *e)
{
	int fds[2];

	*n = (struct notify){-1, -1};
	if (pipe(fds) != 0)
		return err_system(e, "cannot make a pipe");
	*n = (struct notify){fds[0], fds[1]};
	if (set_flags(n->fd) && set_flags(n->post_fd))
		return true;
	err_system(e, "cannot set up a pipe");
	notify_close(n);
	return false;
}

void
notify_post(const struct notify *n)
{
	int saved = errno;
	ssize_t written;

	/* A full pipe is fine: the loop will wake up anyhow. */
	do
		written = write(n->post_fd, "", 1);
	while (written < 0 && errno == EINTR);
	errno = saved;
}

bool
notify_take(const struct notify *n)
{
	char bytes[256];
	bool any = false;
	ssize_t got;

	do {
		got = read(n->fd, bytes, sizeof(bytes));
		any = any || got > 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	return any;
}

void
notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	if (n->post_fd >= 0)
		close(n->post_fd);
	*n = (struct notify){-1, -1};
}

/* Threads --------------------------------------------------------------------------- */

struct worker {
	pthread_t thread;
	struct worker_pool *pool;
	unsigned index;
};

enum gate { GATE_CLOSED, GATE_OPEN, GATE_NEVER };

struct worker_pool {
	pthread_mutex_t lock;
	pthread_cond_t decided;
	enum gate gate; /* none runs before all are started; under the lock */
	worker_run *run;
	void *arg;
	const struct notify *done;
	atomic_bool cancelled;
	atomic_uint running;
	unsigned started;
	struct worker workers[];
};

static void
gate_set(struct worker_pool *pool, enum gate gate)
{
	pthread_mutex_lock(&pool->lock);
	pool->gate = gate;
	pthread_cond_broadcast(&pool->decided);
	pthread_mutex_unlock(&pool->lock);
}

static bool
gate_pass(struct worker_pool *pool)
{
	bool open;

	pthread_mutex_lock(&pool->lock);
	while (pool->gate == GATE_CLOSED)
		pthread_cond_wait(&pool->decided, &pool->lock);
	open = pool->gate == GATE_OPEN;
	pthread_mutex_unlock(&pool->lock);
	return open;
}

static void *
worker_main(void *arg)
{
	struct worker *w = arg;
	struct worker_pool *pool = w->pool;

	if (!gate_pass(pool))
		return NULL;
	pool->run(pool, w->index, pool->arg);
	/* Release: who sees the count sees what this thread wrote. */
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
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->decided, NULL);
	pool->run = run;
	pool->arg = arg;
	pool->done = done;
	atomic_init(&pool->cancelled, false);
	atomic_init(&pool->running, count);
	worker_block_signals(&old);
	while (pool->started < count && error == 0) {
		struct worker *w = &pool->workers[pool->started];

		w->pool = pool;
		w->index = pool->started;
		error = pthread_create(&w->thread, NULL, worker_main, w);
		pool->started += error == 0;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	gate_set(pool, error == 0 ? GATE_OPEN : GATE_NEVER);
	if (error != 0) {
		worker_join(pool);
		errno = error;
		return err_system(e, "cannot start a thread");
	}
	*out = pool;
	return true;
}

void
worker_cancel(struct worker_pool *pool)
{
	atomic_store_explicit(&pool->cancelled, true, memory_order_relaxed);
}

bool
worker_cancelled(const struct worker_pool *pool)
{
	return atomic_load_explicit(&pool->cancelled, memory_order_relaxed);
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
	pthread_cond_destroy(&pool->decided);
	pthread_mutex_destroy(&pool->lock);
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

void
worker_all(unsigned count, worker_run *run, void *arg)
{
	struct worker_pool *pool;

	if (count > 1 && worker_start(&pool, count, run, arg, NULL, NULL)) {
		worker_join(pool);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		run(NULL, i, arg);
}

/* Rounds ---------------------------------------------------------------------------- */

struct crew {
	crew_work *work;
	void *arg;
	unsigned others; /* beside the caller */
	struct worker_pool *pool;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t begun, ended;
	unsigned round, busy;
	bool quit;
};

/* Waits for the round after `*round`; false when there is none. */
static bool
round_wait(struct crew *crew, unsigned *round)
{
	bool more;

	pthread_mutex_lock(&crew->lock);
	while (crew->round == *round && !crew->quit)
		pthread_cond_wait(&crew->begun, &crew->lock);
	*round = crew->round;
	more = !crew->quit;
	pthread_mutex_unlock(&crew->lock);
	return more;
}

static void
other_work(struct worker_pool *pool, unsigned index, void *arg)
{
	struct crew *crew = arg;
	unsigned round = 0;

	(void)pool;
	while (round_wait(crew, &round)) {
		crew->work(crew->arg, index + 1);
		pthread_mutex_lock(&crew->lock);
		if (--crew->busy == 0)
			pthread_cond_signal(&crew->ended);
		pthread_mutex_unlock(&crew->lock);
	}
}

struct crew *
crew_new(unsigned count, crew_work *work, void *arg)
{
	struct crew *crew = mem_zero(1, sizeof(*crew));

	crew->work = work;
	crew->arg = arg;
	crew->others = count - 1;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begun, NULL);
	pthread_cond_init(&crew->ended, NULL);
	if (count == 1 || worker_start(&crew->pool, count - 1, other_work, crew, NULL, NULL))
		return crew;
	crew->pool = NULL;
	crew_free(crew);
	return NULL;
}

void
crew_round(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->round++;
	crew->busy = crew->others;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	crew->work(crew->arg, 0);
	pthread_mutex_lock(&crew->lock);
	while (crew->busy > 0)
		pthread_cond_wait(&crew->ended, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

void
crew_free(struct crew *crew)
{
	if (crew == NULL)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->quit = true;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	worker_join(crew->pool);
	pthread_cond_destroy(&crew->ended);
	pthread_cond_destroy(&crew->begun);
	pthread_mutex_destroy(&crew->lock);
	mem_free(crew);
}
