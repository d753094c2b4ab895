// SPDX-License-Identifier: Apache-2.0
/* marks: where on the time line calls of a method are open. */
#include <config.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "profile/timeline/cells.h"
#include "profile/sum/tree.h"
#include "profile/timeline/timeline.h"

/*
 * Most marks are known without decoding: the frames below a stack's lowest point in a
 * block are open all the time, and the method index tells which blocks have entries of
 * the method.  Only the other blocks are decoded.
 */
struct marking {
	const struct profile *profile;
	const struct scope *scope;
	uint32_t method;
	struct raster raster;
	struct stackset open;
	const uint32_t *rows; /* by thread; NULL: all have the one there is */
	uint8_t *marks;
};

static uint8_t *
marks_of(const struct marking *m, uint32_t thread)
{
	return m->marks + (m->rows != NULL ? (size_t)m->rows[thread] * m->raster.columns : 0);
}

static void
mark_span(struct marking *m, uint32_t thread, nsec a, nsec b)
{
	uint8_t *marks = marks_of(m, thread);
	uint32_t column;

	if (b < m->raster.from || a > m->raster.to)
		return;
	column = raster_column(&m->raster, a > m->raster.from ? a : m->raster.from);
	marks[column] = 1;
	while (++column < m->raster.columns && raster_edge(&m->raster, column) < b)
		marks[column] = 1;
}

/* True if the span touches a column without a mark. */
static bool
span_wants(const struct marking *m, uint32_t thread, nsec a, nsec b)
{
	const uint8_t *marks = marks_of(m, thread);
	uint32_t column;

	if (a > b || b < m->raster.from || a > m->raster.to)
		return false;
	column = raster_column(&m->raster, a > m->raster.from ? a : m->raster.from);
	do {
		if (marks[column] == 0)
			return true;
	} while (++column < m->raster.columns && raster_edge(&m->raster, column) <= b);
	return false;
}

static bool
mark_step(void *context, const struct step *step)
{
	struct marking *m = context;
	enum clock_id axis = m->profile->axis;

	if (!step->first && stackset_has(&m->open, step->before))
		mark_span(m, step->thread, step->from[axis], step->to[axis]);
	/* A call that takes no time has a mark, too. */
	if (stackset_has(&m->open, step->after))
		mark_span(m, step->thread, step->to[axis], step->to[axis]);
	return true;
}

/* Marks where the method is certainly entered, if that is within one column. */
static void
entering_mark(struct marking *m)
{
	const struct raster *g = &m->raster;
	uint32_t count;
	struct block_span *spans = blocks_entering(m->profile->blocks, m->method, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct block_span *s = &spans[i];

		if (s->first >= g->from && s->last < g->to &&
		    raster_column(g, s->first) == raster_column(g, s->last))
			m->marks[raster_column(g, s->first)] = 1;
	}
	mem_free(spans);
}

/* Marks what the index tells: frames that are open all through a block, and entries in it. */
static void
known_mark(struct marking *m, const struct block_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		for (uint32_t k = 0; k < block_list_runs(list, i); k++) {
			struct block_run run = block_list_run(list, i, k);

			if (stackset_has(&m->open, run.low))
				mark_span(m, run.thread, run.from, run.to);
		}
	}
	/* The method may be entered by threads that are not asked for. */
	if (m->scope == NULL)
		entering_mark(m);
}

/* True if decoding a block can find something: a call that begins or ends in it. */
static bool
block_wants(const struct marking *m, const struct block_list *list, uint32_t item)
{
	bool may = blocks_may(m->profile->blocks, list->items[item].block, m->method);

	for (uint32_t k = 0; k < block_list_runs(list, item); k++) {
		struct block_run run = block_list_run(list, item, k);

		if (span_wants(m, run.thread, run.from, run.to) &&
		    (may || (stackset_has(&m->open, run.start) && !stackset_has(&m->open, run.low))))
			return true;
	}
	return false;
}

/* Marks by decoding the blocks for which the index does not suffice. */
static bool
rest_mark(struct marking *m, struct replay *r, const atomic_bool *cancel)
{
	const struct block_list *list = replay_list(r);
	bool whole = true;

	for (uint32_t i = 0; i < list->count && whole; i++) {
		whole = !is_cancelled(cancel);
		if (whole && block_wants(m, list, i))
			whole = replay_block(r, i, mark_step, m);
	}
	return whole;
}

static bool
marks_make(struct marking *m, bool rest, const atomic_bool *cancel)
{
	const struct raster *g = &m->raster;
	struct replay *r;
	bool whole;

	if (g->columns == 0 || g->from >= g->to)
		return true;
	r = replay_new(m->profile, m->scope, g->from, g->to, cancel);
	m->open = stackset_new(&m->profile->tree, m->profile->trace, m->method);
	known_mark(m, replay_list(r));
	whole = !rest || rest_mark(m, r, cancel);
	stackset_release(&m->open);
	replay_free(r);
	return whole;
}

bool
timeline_marks(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    uint32_t columns, uint32_t method, bool rest, uint8_t *marks, const atomic_bool *cancel)
{
	struct marking m = {.profile = p, .scope = scope, .method = method,
	    .raster = {from, to, columns}, .marks = marks};

	for (uint32_t c = 0; c < columns; c++)
		marks[c] = 0;
	return marks_make(&m, rest, cancel);
}

bool
timeline_marks_rows(const struct profile *p, const uint32_t *threads, uint32_t count, nsec from,
    nsec to, uint32_t columns, uint32_t method, bool rest, uint8_t *marks,
    const atomic_bool *cancel)
{
	uint32_t all = trace_thread_count(p->trace);
	uint32_t *rows = mem_zero(all, sizeof(*rows));
	struct scope *scope = scope_new(all, false);
	struct marking m = {.profile = p, .scope = scope, .method = method,
	    .raster = {from, to, columns}, .rows = rows, .marks = marks};
	bool whole;

	for (size_t i = 0; i < (size_t)count * columns; i++)
		marks[i] = 0;
	for (uint32_t i = 0; i < count; i++) {
		scope->in[threads[i]] = 1;
		rows[threads[i]] = i;
	}
	whole = marks_make(&m, rest, cancel);
	scope_free(scope);
	mem_free(rows);
	return whole;
}
