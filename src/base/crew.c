#include <config.h>

#include "base/crew.h"

#include <pthread.h>

#include "base/mem.h"

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
