#include <config.h>

#include "format/logscan.h"

#include "base/mem.h"
#include "format/logscan-chunks.h"

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
logscan_line(struct scanned *s, struct str text, struct logline_memory *m)
{
	enum sched_event event;
	enum func func;

	s->text = text;
	s->event = EVENT_NONE;
	s->kind = SCAN_OTHER;
	if (!logline_recall(m, &s->line, text))
		return;
	func = func_of(s->line.func, &event);
	payload_scan(s, func, event);
}

/* Handing out --------------------------------------------------------------------- */

const struct scanned *
logscan_next(struct logscan *s)
{
	struct chunk *c = s->current;

	while (c == NULL || c->next == c->count) {
		if (c != NULL && c->records > 0)
			s->before = c->last;
		if (c != NULL && c->from < c->to)
			chunk_parse(c, &s->memory[0]); /* there are more than there was room for */
		else
			chunks_advance(s);
		c = s->current;
		if (c == NULL)
			return NULL;
		turns_make(s);
	}
	return c->turned ? turns_next(s) : &c->lines[c->next++];
}

struct scan_disorder
logscan_disorder(const struct logscan *s)
{
	return s->disorder;
}

/* Opening and closing ------------------------------------------------------------- */

struct logscan *
logscan_new(const char *bytes, const struct log_ranges *ranges)
{
	struct logscan *s = mem_zero(1, sizeof(*s));

	s->ring = CHUNKS_ALONE;
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
	s->ring = CHUNKS;
	if (!worker_start(&s->pool, 1, chunks_help, s, NULL, NULL)) {
		s->pool = NULL;
		s->ring = CHUNKS_ALONE;
	}
}

void
logscan_rewind(struct logscan *s)
{
	pthread_mutex_lock(&s->lock);
	for (uint64_t i = s->head; i < s->tail; i++) {
		while (s->chunks[i % s->ring].state == CHUNK_TAKEN)
			pthread_cond_wait(&s->parsed, &s->lock);
		s->chunks[i % s->ring].state = CHUNK_PARSED;
	}
	s->head = s->tail = 0;
	s->range = 0;
	s->at = NULL;
	s->current = s->following = NULL;
	s->mixed = false;
	s->before = 0;
	s->disorder = (struct scan_disorder){0};
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
	for (int i = 0; i < CHUNKS; i++) {
		mem_free(s->chunks[i].lines);
		mem_free(s->chunks[i].turns);
	}
	mem_free(s);
}
