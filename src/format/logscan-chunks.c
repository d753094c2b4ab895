/* logscan-chunks: a log's text in pieces, parsed by whoever is free (logscan-chunks.h). */
#include <config.h>

#include "format/logscan-chunks.h"

#include "base/mem.h"

static void
times_note(struct chunk *c, uint64_t ns)
{
	if (c->records++ == 0) {
		c->first = c->earliest = c->latest = ns;
	} else {
		if (ns < c->last) {
			c->late++;
			c->jumps += c->last - ns > LOGSCAN_JUMP_NS;
		}
		if (ns < c->earliest)
			c->earliest = ns;
		if (ns > c->latest)
			c->latest = ns;
	}
	c->last = ns;
}

void
chunk_parse(struct chunk *c, struct logline_memory *memory)
{
	struct str text;

	if (c->lines == NULL) /* a short log needs one chunk only */
		c->lines = mem_alloc(CHUNK_LINES * sizeof(*c->lines));
	c->count = c->next = c->records = c->late = c->jumps = 0;
	c->turned = false;
	while (c->count < CHUNK_LINES && logtext_line(&c->from, c->to, &text)) {
		struct scanned *line = &c->lines[c->count++];

		logscan_line(line, text, memory);
		if (scan_is_record(line))
			times_note(c, line->line.ns);
	}
}

/* Cuts the next chunk off the text; false at its end. */
static bool
chunk_cut(struct logscan *s, struct chunk *c)
{
	const char *end;

	while (s->range < s->ranges->count) {
		const struct log_range *range = &s->ranges->items[s->range];

		if (s->at == NULL)
			s->at = s->bytes + range->from;
		end = s->bytes + range->to;
		if (s->at < end) {
			c->from = s->at;
			c->to = end;
			if (end - s->at > CHUNK_BYTES) {
				const char *line = memchr(s->at + CHUNK_BYTES, '\n',
				    (size_t)(end - s->at - CHUNK_BYTES));

				c->to = line != NULL ? line + 1 : end;
			}
			c->state = CHUNK_READY;
			s->at = c->to;
			return true;
		}
		s->range++;
		s->at = NULL;
	}
	return false;
}

static struct chunk *
chunk_at(struct logscan *s, uint64_t number)
{
	return &s->chunks[number % s->ring];
}

/* Under the lock: the first chunk that nobody parses yet. */
static struct chunk *
chunk_ready(struct logscan *s, unsigned *ready)
{
	struct chunk *first = NULL;

	*ready = 0;
	for (uint64_t i = s->head; i < s->tail; i++) {
		if (chunk_at(s, i)->state != CHUNK_READY)
			continue;
		if (first == NULL)
			first = chunk_at(s, i);
		++*ready;
	}
	return first;
}

/* Takes a chunk, parses it, tells; the lock is held before and after. */
static void
chunk_take(struct logscan *s, struct chunk *c, struct logline_memory *memory)
{
	c->state = CHUNK_TAKEN;
	pthread_mutex_unlock(&s->lock);
	chunk_parse(c, memory);
	pthread_mutex_lock(&s->lock);
	c->state = CHUNK_PARSED;
}

void
chunks_help(struct worker_pool *pool, unsigned index, void *context)
{
	struct logscan *s = context;
	struct chunk *c;
	unsigned ready;

	(void)pool;
	(void)index;
	pthread_mutex_lock(&s->lock);
	while (!s->stop) {
		c = chunk_ready(s, &ready);
		if (c == NULL) {
			pthread_cond_wait(&s->work, &s->lock);
			continue;
		}
		chunk_take(s, c, &s->memory[1]);
		pthread_cond_signal(&s->parsed);
	}
	pthread_mutex_unlock(&s->lock);
}

void
chunks_advance(struct logscan *s)
{
	struct chunk *first, *second, *c;
	unsigned ready;

	pthread_mutex_lock(&s->lock);
	s->head += s->current != NULL;
	for (;;) {
		while (s->tail - s->head < s->ring && chunk_cut(s, chunk_at(s, s->tail)))
			s->tail++;
		first = s->head < s->tail ? chunk_at(s, s->head) : NULL;
		second = s->head + 1 < s->tail ? chunk_at(s, s->head + 1) : NULL;
		c = chunk_ready(s, &ready);
		if (s->pool != NULL && ready >= CHUNKS_FEW)
			pthread_cond_signal(&s->work);
		if (first == NULL || (first->state == CHUNK_PARSED &&
			(second == NULL || second->state == CHUNK_PARSED)))
			break;
		if (c != NULL)
			chunk_take(s, c, &s->memory[0]);
		else
			pthread_cond_wait(&s->parsed, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	s->current = first;
	s->following = second;
}
