/*
 * logscan-turns: lines that are a little late, in their places (logscan-chunks.h).
 *
 * Late lines are found among those of one chunk, and of the next one, so that most logs
 * that are not quite in order need no more than this.  What is later than that is the
 * reader's, who sorts all lines then.  Equal times keep the order of the file, and lines
 * that are no records stay behind the record before them.
 */
#include <config.h>

#include "format/logscan-chunks.h"

#include "base/mem.h"

/* `before`: of the last record in front of the chunk. */
static void
chunk_turn(struct chunk *c, uint64_t before)
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

void
turns_make(struct logscan *s)
{
	struct chunk *c = s->current, *f = s->following;

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
turn_take(struct chunk *c)
{
	return &c->lines[c->turns[c->next++].line];
}

const struct scanned *
turns_next(struct logscan *s)
{
	struct chunk *c = s->current, *f = s->following;

	if (s->mixed && f->next < f->count && f->turns[f->next].ns < c->turns[c->next].ns)
		return turn_take(f);
	return turn_take(c);
}
