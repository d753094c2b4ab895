#include <config.h>

#include "format/logscan.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/worker.h"

enum {
	CHUNK_BYTES = 1 << 16,
	CHUNK_LINES = 1024,
	CHUNKS = 16,
	CHUNKS_FEW = CHUNKS / 2, /* to parse: fewer are not worth waking the thread */
};

enum chunk_state { CHUNK_READY, CHUNK_TAKEN, CHUNK_PARSED };

struct chunk {
	const char *from, *to; /* from: what is not parsed */
	enum chunk_state state;
	uint32_t count, next;  /* lines parsed, and handed out */
	struct scanned *lines;
};

/* What a parsing thread knows of the lines before. */
struct scan_memory {
	struct logline_memory *lines;
	uint8_t known[LOGLINE_FUNCS]; /* enum func, + 1, by the function's number */
	uint8_t events[LOGLINE_FUNCS];
};

struct logscan {
	const char *bytes;
	const struct log_ranges *ranges;
	size_t range;   /* of what is not in a chunk yet */
	const char *at; /* in it; NULL: its beginning */
	struct chunk chunks[CHUNKS];
	/* Chunks in use: [head, tail) modulo `ring`; alone one, whose memory stays near. */
	uint64_t head, tail;
	unsigned ring;
	struct chunk *current; /* the first one, while its lines are handed out */
	struct scan_memory memory[LOGLINE_MEMORIES]; /* the caller's and the thread's */
	struct worker_pool *pool;
	pthread_mutex_t lock; /* of states, head and tail, with a thread */
	pthread_cond_t work, parsed;
	bool stop;
};

/* One line ------------------------------------------------------------------------ */

enum func { FUNC_OTHER, FUNC_MARKER, FUNC_PRINT, FUNC_SCHED };

/* What a function's payloads are; `event` of the scheduler's. */
static enum func
func_of(struct str func, enum sched_event *event)
{
	*event = EVENT_NONE;
	if (str_equal(func, STR("tracing_mark_write")) || str_equal(func, STR("0")))
		return FUNC_MARKER;
	if (func.n < 5)
		return FUNC_OTHER;
	if (str_equal(func, STR("print")))
		return FUNC_PRINT;
	/* All begin with one of these. */
	if (memcmp(func.p, "sched", 5) != 0 && memcmp(func.p, "cpu_", 4) != 0 &&
	    memcmp(func.p, "task_", 5) != 0)
		return FUNC_OTHER;
	*event = schedline_event(func);
	return *event != EVENT_NONE ? FUNC_SCHED : FUNC_OTHER;
}

/* What the columns before it leave to be found out: the payload. */
static void
payload_scan(struct scanned *s, enum func func, enum sched_event event)
{
	if (s->line.ns == 0 && logline_excluded(&s->line)) {
		s->kind = SCAN_EXCLUDED;
		return;
	}
	switch (func) {
	case FUNC_MARKER:
		s->kind = SCAN_MARKER;
		marker_parse(&s->marker, s->line.payload);
		break;
	case FUNC_PRINT:
		s->kind = SCAN_MARKER;
		marker_parse(&s->marker, marker_unprint(s->line.payload));
		break;
	case FUNC_SCHED:
		s->event = (uint8_t)event;
		s->kind = schedline_parse(&s->sched, event, s->line.payload) ? SCAN_SCHED
									     : SCAN_BROKEN;
		break;
	case FUNC_OTHER:
		s->kind = SCAN_RECORD;
		break;
	}
}

void
logscan_line(struct scanned *s, struct str text)
{
	enum sched_event event;
	enum func func;

	s->text = text;
	s->event = EVENT_NONE;
	s->kind = SCAN_OTHER;
	if (!logline_parse(&s->line, text))
		return;
	func = func_of(s->line.func, &event);
	payload_scan(s, func, event);
}

/* The same, with what is known of the lines before. */
static void
line_scan(struct scanned *s, struct str text, struct scan_memory *m)
{
	enum sched_event event;
	enum func func;
	uint8_t number;

	s->text = text;
	s->event = EVENT_NONE;
	s->kind = SCAN_OTHER;
	if (!logline_recall(m->lines, &s->line, text))
		return;
	number = s->line.func_number;
	if (m->known[number] > 0) {
		func = (enum func)(m->known[number] - 1);
		event = (enum sched_event)m->events[number];
	} else {
		func = func_of(s->line.func, &event);
		if (number > 0) {
			m->known[number] = (uint8_t)(func + 1);
			m->events[number] = (uint8_t)event;
		}
	}
	payload_scan(s, func, event);
}

/* Chunks -------------------------------------------------------------------------- */

static void
chunk_parse(struct chunk *c, struct scan_memory *memory)
{
	struct str text;

	if (c->lines == NULL) /* a short log needs one chunk only */
		c->lines = mem_alloc(CHUNK_LINES * sizeof(*c->lines));
	c->count = c->next = 0;
	while (c->count < CHUNK_LINES && logtext_line(&c->from, c->to, &text))
		line_scan(&c->lines[c->count++], text, memory);
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
chunk_take(struct logscan *s, struct chunk *c, struct scan_memory *memory)
{
	c->state = CHUNK_TAKEN;
	pthread_mutex_unlock(&s->lock);
	chunk_parse(c, memory);
	pthread_mutex_lock(&s->lock);
	c->state = CHUNK_PARSED;
}

static void
help(struct worker_pool *pool, unsigned index, void *context)
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

/* Gives the first chunk back when it was handed out; returns the next one, parsed. */
static struct chunk *
chunk_await(struct logscan *s)
{
	struct chunk *first, *c;
	unsigned ready;

	pthread_mutex_lock(&s->lock);
	s->head += s->current != NULL;
	s->current = NULL;
	for (;;) {
		while (s->tail - s->head < s->ring && chunk_cut(s, chunk_at(s, s->tail)))
			s->tail++;
		first = s->head < s->tail ? chunk_at(s, s->head) : NULL;
		c = chunk_ready(s, &ready);
		if (s->pool != NULL && ready >= CHUNKS_FEW)
			pthread_cond_signal(&s->work);
		if (first == NULL || first->state == CHUNK_PARSED)
			break;
		if (c != NULL)
			chunk_take(s, c, &s->memory[0]);
		else
			pthread_cond_wait(&s->parsed, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return first;
}

const struct scanned *
logscan_next(struct logscan *s)
{
	struct chunk *c = s->current;

	while (c == NULL || c->next == c->count) {
		if (c != NULL && c->from < c->to) {
			chunk_parse(c, &s->memory[0]); /* it has more lines than there was room for */
			continue;
		}
		c = s->current = chunk_await(s);
		if (c == NULL)
			return NULL;
	}
	return &c->lines[c->next++];
}

uint64_t
logscan_at(const struct logscan *s)
{
	const struct chunk *c = s->current;

	if (c == NULL)
		return s->ranges->items[s->ranges->count - 1].to;
	if (c->next < c->count)
		return (uint64_t)(c->lines[c->next].text.p - s->bytes);
	return (uint64_t)((c->from < c->to ? c->from : c->to) - s->bytes);
}

/* Opening and closing ------------------------------------------------------------- */

struct logscan *
logscan_new(const char *bytes, const struct log_ranges *ranges)
{
	struct logscan *s = mem_zero(1, sizeof(*s));

	s->ring = 1;
	s->memory[0].lines = logline_memory_new(0);
	s->bytes = bytes;
	s->ranges = ranges;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->work, NULL);
	pthread_cond_init(&s->parsed, NULL);
	return s;
}

void
logscan_help(struct logscan *s)
{
	/* Chunks that are in use keep their places. */
	if (s->pool != NULL || s->head < s->tail)
		return;
	if (s->memory[1].lines == NULL)
		s->memory[1].lines = logline_memory_new(1);
	s->ring = CHUNKS;
	if (!worker_start(&s->pool, 1, help, s, NULL, NULL)) {
		s->pool = NULL;
		s->ring = 1;
	}
}

void
logscan_rewind(struct logscan *s)
{
	pthread_mutex_lock(&s->lock);
	for (uint64_t i = s->head; i < s->tail; i++) {
		while (chunk_at(s, i)->state == CHUNK_TAKEN)
			pthread_cond_wait(&s->parsed, &s->lock);
		chunk_at(s, i)->state = CHUNK_PARSED;
	}
	s->head = s->tail = 0;
	s->range = 0;
	s->at = NULL;
	s->current = NULL;
	pthread_mutex_unlock(&s->lock);
}

void
logscan_free(struct logscan *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	worker_join(s->pool);
	pthread_cond_destroy(&s->work);
	pthread_cond_destroy(&s->parsed);
	pthread_mutex_destroy(&s->lock);
	logline_memory_free(s->memory[0].lines);
	logline_memory_free(s->memory[1].lines);
	for (int i = 0; i < CHUNKS; i++)
		mem_free(s->chunks[i].lines);
	mem_free(s);
}
