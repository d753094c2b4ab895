/* marks: where on the time line calls of a method are open. */
#include <config.h>

#include "base/mem.h"
#include "profile/presence.h"
#include "profile/stackset.h"
#include "profile/strip.h"
#include "profile/timeline.h"

/*
 * Most of the marks are known without decoding: a frame below which a thread's stack does
 * not fall is open all the time, and a stretch of the file in which the method is
 * entered, or is not, tells for its columns.  Only what is left is decoded.
 */
struct marking {
	const struct profile *profile;
	const struct scope *scope;
	const struct presence *presence; /* may be NULL */
	uint32_t method;
	struct raster raster;
	struct stackset open;
	uint8_t *marks;
};

static void
mark_span(struct marking *m, nsec a, nsec b)
{
	uint32_t column;

	if (b < m->raster.from || a > m->raster.to)
		return;
	column = raster_column(&m->raster, a > m->raster.from ? a : m->raster.from);
	m->marks[column] = 1;
	while (++column < m->raster.columns && raster_edge(&m->raster, column) < b)
		m->marks[column] = 1;
}

/* Is there a column without a mark that the span touches? */
static bool
span_wants(const struct marking *m, nsec a, nsec b)
{
	uint32_t column;

	if (a > b || b < m->raster.from || a > m->raster.to)
		return false;
	column = raster_column(&m->raster, a > m->raster.from ? a : m->raster.from);
	do {
		if (m->marks[column] == 0)
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
		mark_span(m, step->from[axis], step->to[axis]);
	/* Also a call that takes no time is one. */
	if (stackset_has(&m->open, step->after))
		mark_span(m, step->to[axis], step->to[axis]);
	return true;
}

/* Where each stretch that is known lies within one column. */
static void
stretches_mark(struct marking *m)
{
	/* The method may be entered by threads that are not asked for. */
	for (size_t i = 0; m->scope == NULL && i < presence_count(m->presence); i++) {
		struct stretch s = presence_of(m->presence, i, m->method);

		if (s.known && s.does && s.first >= m->raster.from && s.last < m->raster.to &&
		    raster_column(&m->raster, s.first) == raster_column(&m->raster, s.last))
			m->marks[raster_column(&m->raster, s.first)] = 1;
	}
}

/* What is open all through a part. */
static void
part_mark(struct marking *m, size_t part)
{
	for (uint32_t t = 0; t < m->profile->stack_count; t++) {
		struct part_info info;

		if (!scope_has(m->scope, t))
			continue;
		info = replay_part_info(m->profile, part, t);
		if (info.active && stackset_has(&m->open, info.low))
			mark_span(m, info.from, info.to);
	}
}

/*
 * May the method be entered in a part, where a mark is missing, or comes to be missing before
 * the part's last time?
 */
static bool
part_enters(const struct marking *m, size_t part, nsec last)
{
	size_t end;

	for (size_t i = presence_part(m->presence, part, &end); i < end; i++) {
		struct stretch s = presence_of(m->presence, i, m->method);

		if (!s.known || (!s.empty && s.may && span_wants(m, s.first, last > s.last ? last : s.last)))
			return true;
	}
	return false;
}

/* Is there anything to be found by decoding a part? */
static bool
part_wants(const struct marking *m, size_t part)
{
	const struct profile *p = m->profile;
	bool touched = false;
	nsec last = INT64_MIN;

	for (uint32_t t = 0; t < p->stack_count; t++) {
		struct part_info info;

		if (!scope_has(m->scope, t))
			continue;
		info = replay_part_info(p, part, t);
		if (info.active && info.to > last)
			last = info.to;
		if (!info.active || !span_wants(m, info.from, info.to))
			continue;
		touched = true;
		/* A call that ends in it. */
		if (m->presence == NULL ||
		    (stackset_has(&m->open, replay_part_start(p, part, t)) &&
			!stackset_has(&m->open, info.low)))
			return true;
	}
	return touched && part_enters(m, part, last);
}

/* What is known. */
static void
known_mark(struct marking *m)
{
	for (size_t part = 0; part < m->profile->checkpoint_count; part++)
		part_mark(m, part);
	if (m->presence != NULL)
		stretches_mark(m);
}

/* And what is not. */
static bool
rest_mark(struct marking *m, const atomic_bool *cancel)
{
	const struct profile *p = m->profile;
	struct replay *r = replay_new(p, m->scope, cancel);
	bool whole = true;

	for (size_t part = 0; part < p->checkpoint_count && whole; part++) {
		whole = cancel == NULL || !atomic_load(cancel);
		if (whole && part_wants(m, part))
			whole = replay_part(r, part, mark_step, m);
	}
	replay_free(r);
	return whole;
}

/* `rest`: also what is not known. */
static bool
marks_find(struct marking *m, const struct overview *overview, bool rest,
    const atomic_bool *cancel)
{
	bool whole;

	for (uint32_t c = 0; c < m->raster.columns; c++)
		m->marks[c] = 0;
	if (m->raster.columns == 0 || m->raster.from >= m->raster.to)
		return true;
	if (overview != NULL)
		m->presence = overview_presence(overview);
	m->open = stackset_new(&m->profile->tree, m->method);
	known_mark(m);
	whole = !rest || rest_mark(m, cancel);
	stackset_release(&m->open);
	return whole;
}

bool
timeline_marks(const struct profile *p, const struct overview *overview,
    const struct scope *scope, nsec from, nsec to, uint32_t columns, uint32_t method,
    uint8_t *marks, const atomic_bool *cancel)
{
	struct marking m = {.profile = p, .scope = scope, .method = method,
	    .raster = {from, to, columns}, .marks = marks};

	return marks_find(&m, overview, true, cancel);
}

void
timeline_marks_known(const struct profile *p, const struct overview *overview,
    const struct scope *scope, nsec from, nsec to, uint32_t columns, uint32_t method,
    uint8_t *marks)
{
	struct marking m = {.profile = p, .scope = scope, .method = method,
	    .raster = {from, to, columns}, .marks = marks};

	(void)marks_find(&m, overview, false, NULL);
}
