// SPDX-License-Identifier: Apache-2.0
/*
 * worker, notify: every thread runs once, stops when asked, wakes a poll loop.  crew: each
 * worker has its part of every round, and sees what all did in the one before.  A sort that is
 * cancelled ends soon, with all its items.
 */
#include <config.h>

#include "base/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "tap/tap.h"

struct shared {
	atomic_uint next;
	unsigned char done[10000];
	atomic_uint seen[WORKER_MAX];
	atomic_bool blocked, fault_blocked;
};

static bool
readable(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, timeout_ms) == 1;
}

static void
divide_work(unsigned index, void *arg)
{
	struct shared *s = arg;
	sigset_t mask;
	unsigned i;

	atomic_fetch_add(&s->seen[index], 1);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	atomic_store(&s->blocked, sigismember(&mask, SIGTERM) == 1);
	atomic_store(&s->fault_blocked, sigismember(&mask, SIGBUS) == 1);
	while ((i = atomic_fetch_add(&s->next, 1)) < sizeof(s->done))
		s->done[i]++;
}

static void
test_notify(void)
{
	struct notify n;
	int more = 0;

	if (!ok(notify_open(&n, NULL), "opened"))
		return;
	ok(!readable(n.fd, 0), "nothing to read");
	ok(!notify_take(&n), "nothing to take");
	notify_post(&n);
	ok(readable(n.fd, 0), "a post wakes up");
	ok(notify_take(&n), "and is taken");
	ok(!readable(n.fd, 0), "once");
	for (int i = 0; i < 100000; i++) /* must not wait */
		notify_post(&n);
	ok(notify_take(&n), "many posts are one");
	more = notify_take(&n);
	is_int(more, 0, "really");
	ok((fcntl(n.fd, F_GETFD) & FD_CLOEXEC) != 0,
	    "programs that are started do not inherit it");
	notify_close(&n);
	ok(n.fd == -1, "closed");
	notify_close(&n);
}

static void
test_run(unsigned count)
{
	static struct shared s;
	struct worker_pool *pool;
	struct notify done;
	unsigned wrong = 0;
	sigset_t before, after;

	s = (struct shared){0};
	if (!ok(notify_open(&done, NULL), "a notify"))
		return;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	ok(worker_start(&pool, count, divide_work, &s, &done, NULL), "%u threads", count);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	is_int(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM),
	    "the starting thread's signals are as before");
	while (worker_running(pool) > 0 && readable(done.fd, 20000))
		notify_take(&done);
	is_int(worker_running(pool), 0, "all returned and said so");
	for (size_t i = 0; i < sizeof(s.done); i++)
		wrong += s.done[i] != (count > 0);
	is_int(wrong, 0, "each piece of work was done once");
	worker_join(pool);
	for (unsigned i = 0; i < WORKER_MAX; i++)
		wrong += atomic_load(&s.seen[i]) != (i < count);
	is_int(wrong, 0, "each index ran once");
	is_int(atomic_load(&s.blocked), count > 0, "workers do not take SIGTERM");
	is_int(atomic_load(&s.fault_blocked), 0, "but their own faults");
	notify_close(&done);
}

static pthread_t caller;

static void
all_work(unsigned index, void *arg)
{
	unsigned char *ran = arg;

	ran[index] += 1 + (pthread_equal(pthread_self(), caller) != 0);
}

static void
test_limit(void)
{
	struct worker_pool *pool = (struct worker_pool *)&pool;
	struct err e = {0};

	ok(!worker_start(&pool, WORKER_MAX + 1, all_work, NULL, NULL, &e),
	    "too many");
	ok(pool == NULL, "no pool comes out");
	is_int(e.kind, ERR_LIMIT, "a limit");
	ok(worker_processors() >= 1, "%u processors", worker_processors());
}

static void
test_all(unsigned count, bool apart)
{
	unsigned char ran[WORKER_MAX + 3] = {0};
	unsigned good = 0;

	caller = pthread_self();
	worker_all(count, all_work, ran);
	for (unsigned i = 0; i < count; i++)
		good += ran[i] == (apart && i > 0 ? 1 : 2);
	ok(good == count && ran[count] == 0, "%u times, each once, %s", count,
	    apart ? "at once" : "one after the other");
}

enum { ROUNDS = 200 };

/* By worker: the rounds that each had a part in, not shared within one. */
struct rounds {
	unsigned workers, round;
	unsigned had[WORKER_MAX + 1];
	unsigned missed[WORKER_MAX + 1];
};

static void
round_work(void *arg, unsigned worker)
{
	struct rounds *r = arg;

	for (unsigned i = 0; r->round % 2 > 0 && i < r->workers; i++)
		r->missed[worker] += r->had[i] != r->round / 2 + 1;
	if (r->round % 2 == 0)
		r->had[worker]++;
}

static void
test_crew(unsigned workers)
{
	struct rounds r = {.workers = workers};
	struct crew *crew = crew_new(workers, round_work, &r);
	unsigned missed = 0;

	if (!ok(crew != NULL, "a crew of %u", workers))
		return;
	for (; r.round < 2 * ROUNDS; r.round++)
		crew_round(crew);
	crew_free(crew);
	for (unsigned i = 0; i < workers; i++)
		missed += r.missed[i] + ROUNDS - r.had[i];
	is_int(missed, 0, "all have a part in every round, and see that of all");
}

static void
behind_run(unsigned index, void *arg)
{
	int *nice = arg;

	(void)index;
	nice[0] = getpriority(PRIO_PROCESS, 0);
	worker_behind();
	nice[1] = getpriority(PRIO_PROCESS, 0);
	for (int i = 0; i < 10; i++)
		worker_behind();
	nice[2] = getpriority(PRIO_PROCESS, 0);
}

/* Only the thread that asks for it comes later. */
static void
test_behind(void)
{
	int nice[3] = {0}, before = getpriority(PRIO_PROCESS, 0);
	struct worker_pool *pool;

	if (!ok(worker_start(&pool, 1, behind_run, nice, NULL, NULL), "a thread to come later"))
		return;
	worker_join(pool);
	is_int(nice[0], before, "it begins as the one that started it");
	ok(nice[1] > nice[0] || nice[0] == 19, "it comes later: %d, then %d", nice[0], nice[1]);
	is_int(nice[2], 19, "but not later than last");
	is_int(getpriority(PRIO_PROCESS, 0), before, "the others do not");
}

enum { SORTED = 1000000 };

/* What orders numbers, and cancels after so many comparisons. */
struct counted {
	unsigned comparisons, last;
	atomic_bool cancel;
};

static int
order_counted(const void *left, const void *right, const void *context)
{
	struct counted *c = *(struct counted *const *)context;
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

	if (++c->comparisons == c->last)
		atomic_store(&c->cancel, true);
	return (a > b) - (a < b);
}

static void
test_sort(unsigned last)
{
	struct counted counted = {.last = last}, *c = &counted;
	unsigned *items = mem_alloc(SORTED * sizeof(*items)), wrong = 0;
	unsigned char *there = mem_zero(SORTED, 1);

	/* All numbers once, since the factor and their count share no divisor. */
	for (unsigned i = 0; i < SORTED; i++)
		items[i] = (unsigned)(i * 7919ULL % SORTED);
	msort_items_until(items, SORTED, sizeof(*items), order_counted, &c, &counted.cancel);
	for (unsigned i = 0; i < SORTED; i++)
		wrong += there[items[i]]++ != 0 || (last == 0 && items[i] != i);
	is_int(wrong, 0, "sort, cancelled after %u comparisons: all items", last);
	if (last > 0)
		ok(counted.comparisons < last + 100000, "and ends soon (%u)", counted.comparisons);
	mem_free(there);
	mem_free(items);
}

int
main(void)
{
	test_sort(0);
	test_sort(1);
	test_sort(5000000);
	test_notify();
	test_run(0);
	test_run(1);
	test_run(2);
	test_run(16);
	test_limit();
	test_behind();
	test_all(0, false);
	test_all(1, false);
	test_all(3, true);
	test_all(WORKER_MAX + 2, false);
	test_crew(1);
	test_crew(2);
	test_crew(WORKER_MAX + 1);
	ok(crew_new(WORKER_MAX + 2, round_work, NULL) == NULL, "too many for a crew");
	crew_free(NULL);
	return tap_done();
}
