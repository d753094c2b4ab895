// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/scan.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/worker.h"

enum {
	CHUNK_BYTES = 1 << 15,
	CHUNK_LINES = 512,
	CHUNKS = 32,
	CHUNKS_ALONE = 2,        /* without the thread: what they hold stays in the cache */
	CHUNKS_FEW = CHUNKS / 2, /* to parse: fewer are not worth waking the thread */
};

enum chunk_state { CHUNK_READY, CHUNK_TAKEN, CHUNK_PARSED };

struct scan_chunk {
	const char *from, *to; /* from: where the unparsed part begins */
	enum chunk_state state;
	uint32_t count, next;  /* lines parsed, and handed out */
	struct scanned *lines;
	/* Its records; times in nanoseconds. */
	uint32_t records;
	uint64_t first, last; /* in the order of the file */
	uint64_t earliest, latest;
	uint32_t late, jumps; /* records before the one above them, and by how much */
	bool turned;          /* lines are to be taken by `turns` */
	struct chunk_turn *turns;
};

struct chunk_turn {
	uint64_t ns; /* of the record, or of the last one before */
	uint32_t line;
};

struct logscan {
	const char *bytes;
	const struct log_ranges *ranges;
	size_t range;   /* the first with text that is in no chunk yet */
	const char *at; /* in it; NULL: its beginning */
	struct scan_chunk chunks[CHUNKS];
	uint64_t head, tail; /* chunks in use: [head, tail) modulo `ring` */
	unsigned ring;
	bool ticks;
	struct scan_chunk *current;   /* the first one, while its lines are handed out */
	struct scan_chunk *following; /* the next one, when it was parsed whole in time */
	bool mixed;      /* lines of the following one come before some of the current's */
	uint64_t before; /* of the last record in front of the current chunk; 0: none */
	struct scan_disorder disorder;
	struct logline_memory memory[2]; /* the caller's and the thread's */
	struct worker_pool *pool;
	pthread_mutex_t lock; /* of states, head and tail, with a thread */
	pthread_cond_t work, parsed;
	bool stop;
};

static inline bool
scan_is_record(const struct scanned *l)
{
	return l->kind != SCAN_OTHER && l->kind != SCAN_EXCLUDED;
}

/*
 * Late lines ------------------------------------------------------------------------
 *
 * They are looked for in one chunk and the next one, so that most logs that are not quite in
 * order need no more than this.  What is later than that is the reader's, which sorts all
 * lines then.  Equal times keep the order of the file, and lines that are no records stay
 * after the record before them.
 */

/* `before`: of the last record in front of the chunk. */
static void
chunk_turn(struct scan_chunk *c, uint64_t before)
{
	uint64_t ns = before;

	if (c->turned)
		return;
	if (c->turns == NULL)
		c->turns = mem_alloc(CHUNK_LINES * sizeof(*c->turns));
	/* Lines are nearly in order: each goes back a few places. */
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t place = i;

		if (scan_is_record(&c->lines[i]))
			ns = c->lines[i].line.ns;
		for (; place > 0 && c->turns[place - 1].ns > ns; place--)
			c->turns[place] = c->turns[place - 1];
		c->turns[place] = (struct chunk_turn){ns, i};
	}
	c->turned = true;
}

/* Sorts late lines of the current chunk and the next one. */
static void
turns_make(struct logscan *s)
{
	struct scan_chunk *c = s->current, *f = s->following;

	s->disorder.late += c->late;
	s->disorder.jumps += c->jumps;
	if (c->records > 0 && c->first < s->before) {
		s->disorder.late++;
		s->disorder.jumps += s->before - c->first > LOGSCAN_JUMP_NS;
	}
	if (c->late > 0)
		chunk_turn(c, s->before);
	/* A chunk of very many lines is handed out in pieces, each by itself. */
	s->mixed = f != NULL && c->from >= c->to && c->records > 0 && c->next < c->count &&
	    ((f->records > 0 && f->earliest < c->latest) || c->last < c->latest);
	if (s->mixed) {
		chunk_turn(c, s->before);
		chunk_turn(f, c->last);
	}
}

static const struct scanned *
turn_take(struct scan_chunk *c)
{
	return &c->lines[c->turns[c->next++].line];
}

/* The next line where some are not in order. */
static const struct scanned *
turns_next(struct logscan *s)
{
	struct scan_chunk *c = s->current, *f = s->following;

	if (s->mixed && f->next < f->count && f->turns[f->next].ns < c->turns[c->next].ns)
		return turn_take(f);
	return turn_take(c);
}

/* Chunks ---------------------------------------------------------------------------- */

static void
times_note(struct scan_chunk *c, uint64_t ns)
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

/* Parses what is left of a chunk, as far as there is room for lines. */
static void
chunk_parse(struct scan_chunk *c, bool ticks, struct logline_memory *memory)
{
	struct str text;

	if (c->lines == NULL) /* a short log needs one chunk only */
		c->lines = mem_alloc(CHUNK_LINES * sizeof(*c->lines));
	c->count = c->next = c->records = c->late = c->jumps = 0;
	c->turned = false;
	while (c->count < CHUNK_LINES && logtext_line(&c->from, c->to, &text)) {
		struct scanned *line = &c->lines[c->count++];

		logscan_line(line, text, ticks, memory);
		if (scan_is_record(line))
			times_note(c, line->line.ns);
	}
}

/* Cuts the next chunk off the text; false at its end. */
static bool
chunk_cut(struct logscan *s, struct scan_chunk *c)
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
				const char *from = s->at + CHUNK_BYTES;
				bool cut = end - from > LOGTEXT_LINE;
				const char *line = memchr(from, '\n',
				    cut ? LOGTEXT_LINE : (size_t)(end - from));

				c->to = line != NULL ? line + 1 : cut ? from + LOGTEXT_LINE : end;
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

static struct scan_chunk *
chunk_at(struct logscan *s, uint64_t number)
{
	return &s->chunks[number % s->ring];
}

/* Under the lock: the first chunk that no thread parses yet. */
static struct scan_chunk *
chunk_ready(struct logscan *s, unsigned *ready)
{
	struct scan_chunk *first = NULL;

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
chunk_take(struct logscan *s, struct scan_chunk *c, struct logline_memory *memory)
{
	c->state = CHUNK_TAKEN;
	pthread_mutex_unlock(&s->lock);
	chunk_parse(c, s->ticks, memory);
	pthread_mutex_lock(&s->lock);
	c->state = CHUNK_PARSED;
}

static void
chunks_help(unsigned index, void *context)
{
	struct logscan *s = context;
	struct scan_chunk *c;
	unsigned ready;

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

/*
 * Gives the current chunk back when it was handed out.  The next one becomes the current
 * one, and the one after that the next; both are parsed.
 */
static void
chunks_advance(struct logscan *s)
{
	struct scan_chunk *first, *second, *c;
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

/* One line ------------------------------------------------------------------------ */

/* Returns the event of a line's function; NULL: it is not read. */
static const struct kernel_event *
event_of(struct logline_memory *m, struct str func)
{
	struct logline_func *f;

	if (m == NULL)
		return kernel_of_text(func);
	f = &m->funcs[(func.n * 7 + (unsigned char)func.p[0] * 5 + (unsigned char)func.p[func.n - 1]) %
	    LOGLINE_FUNCS];
	if (!str_equal(f->name, func))
		*f = (struct logline_func){func, kernel_of_text(func)};
	return f->event;
}

/* Parses the payload, after the columns. */
static void
payload_scan(struct scanned *s, const struct kernel_event *e)
{
	struct str payload = s->line.payload;

	if (s->line.ns == 0 && logline_excluded(&s->line)) {
		s->kind = SCAN_EXCLUDED;
	} else if (e == NULL) {
		s->kind = SCAN_LEFT;
	} else if (e->does == KERNEL_MARKER) {
		s->kind = SCAN_MARKER;
		marker_parse(&s->marker, e->field != 0 ? marker_unprint(payload) : payload);
	} else if (e->does == KERNEL_SCHED) {
		s->event = e->sched;
		s->kind = schedline_parse(&s->sched, e->sched, payload) ? SCAN_SCHED : SCAN_BROKEN;
	} else {
		s->kind = kernel_values_parse(&s->values, e, payload) ? SCAN_VALUES : SCAN_BROKEN;
	}
}

void
logscan_line(struct scanned *s, struct str text, bool ticks, struct logline_memory *m)
{
	s->text = text;
	s->event = EVENT_NONE;
	s->kind = SCAN_OTHER;
	if (logline_recall(m, &s->line, text) && s->line.ticks == ticks)
		payload_scan(s, event_of(m, s->line.func));
}

/* Handing out --------------------------------------------------------------------- */

const struct scanned *
logscan_next(struct logscan *s)
{
	struct scan_chunk *c = s->current;

	while (c == NULL || c->next == c->count) {
		if (c != NULL && c->records > 0)
			s->before = c->last;
		if (c != NULL && c->from < c->to)
			chunk_parse(c, s->ticks, &s->memory[0]); /* there are more than there was room for */
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
logscan_new(const char *bytes, const struct log_ranges *ranges, bool ticks)
{
	struct logscan *s = mem_zero(1, sizeof(*s));

	s->ring = CHUNKS_ALONE;
	s->bytes = bytes;
	s->ticks = ticks;
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
logscan_more(struct logscan *s, uint64_t from)
{
	pthread_mutex_lock(&s->lock);
	s->range = s->ranges->count - 1;
	s->at = s->bytes + from;
	pthread_mutex_unlock(&s->lock);
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
