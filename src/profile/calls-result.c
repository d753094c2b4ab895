/* calls-result: what a search for calls found, as a value. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "profile/calls_search.h"

struct framing {
	struct calls *calls;
	const struct tree *tree;
	struct idmap of_node;
	size_t room;
};

/* The frame of a node, made together with those above it that are not there yet. */
static uint32_t
frame_of(struct framing *f, uint32_t node)
{
	const struct node *nodes = f->tree->nodes;
	struct calls *c = f->calls;
	uint32_t first = c->frame_count, n, known, depth;

	for (n = node; node_parent(&nodes[n]) != NODE_NONE; n = node_parent(&nodes[n])) {
		if (idmap_get(&f->of_node, n) != IDMAP_NONE)
			break;
		MEM_GROW(c->frames, f->room, (size_t)c->frame_count + 1);
		idmap_put(&f->of_node, n, c->frame_count);
		c->frames[c->frame_count] = (struct call_frame){.method = nodes[n].method,
		    .caller = c->frame_count + 1, .node = n};
		c->frame_count++;
	}
	known = node_parent(&nodes[n]) != NODE_NONE ? idmap_get(&f->of_node, n) : FRAME_NONE;
	if (c->frame_count == first)
		return known;
	c->frames[c->frame_count - 1].caller = known;
	depth = known != FRAME_NONE ? c->frames[known].depth : 0;
	for (uint32_t i = c->frame_count; i-- > first;)
		c->frames[i].depth = ++depth;
	return first;
}

static int
row_order(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int
time_order(const void *left, const void *right)
{
	const nsec *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The least worth keeping first. */
static int
worth_order(const void *left, const void *right, void *context)
{
	enum clock_id clock = *(const enum clock_id *)context;

	return call_row_less(clock, right, left) - call_row_less(clock, left, right);
}

static void
found_add(struct calls *c, const struct calls *more)
{
	c->whole &= more->whole;
	c->count += more->count;
	c->recursive += more->recursive;
	c->cut += more->cut;
	c->over += more->over;
	for (int k = 0; k < CLOCKS; k++) {
		c->inclusive[k] += more->inclusive[k];
		c->exclusive[k] += more->exclusive[k];
		spread_merge(&c->spread[k], &more->spread[k]);
	}
}

static void
rows_add(struct calls *c, const struct calls_search *s)
{
	if (s->row_count > 0)
		memcpy(c->rows + c->row_count, s->rows, s->row_count * sizeof(*c->rows));
	c->row_count += (uint32_t)s->row_count;
}

/* What all workers found. */
static void
rows_gather(struct calls *c, const struct calls_search *s)
{
	size_t room = s->row_count;
	enum clock_id clock = s->query.clock;

	for (unsigned i = 0; i < s->other_count; i++)
		room += s->others[i]->row_count;
	c->rows = mem_alloc(room * sizeof(*c->rows));
	rows_add(c, s);
	for (unsigned i = 0; i < s->other_count; i++) {
		rows_add(c, s->others[i]);
		found_add(c, &s->others[i]->found);
	}
	if (c->row_count <= s->keep)
		return;
	qsort_r(c->rows, c->row_count, sizeof(*c->rows), worth_order, &clock);
	memmove(c->rows, c->rows + (c->row_count - s->keep), s->keep * sizeof(*c->rows));
	c->row_count = (uint32_t)s->keep;
	c->rows = mem_resize(c->rows, c->row_count, sizeof(*c->rows));
}

struct calls *
calls_search_result(const struct calls_search *s)
{
	struct calls *c = mem_alloc(sizeof(*c));
	struct framing f = {.calls = c, .tree = &s->profile->tree};

	*c = s->found;
	c->progress = s->parts > 0 ? (double)s->part / (double)s->parts : 1;
	rows_gather(c, s);
	qsort(c->rows, c->row_count, sizeof(*c->rows), row_order);
	for (uint32_t i = 0; i < c->row_count; i++)
		c->rows[i].frame = frame_of(&f, c->rows[i].frame);
	idmap_release(&f.of_node);
	for (int k = 0; k < CLOCKS && calls_all_kept(c); k++) {
		c->sorted[k] = mem_alloc(c->row_count * sizeof(*c->sorted[k]));
		for (uint32_t i = 0; i < c->row_count; i++)
			c->sorted[k][i] = c->rows[i].time[k];
		qsort(c->sorted[k], c->row_count, sizeof(*c->sorted[k]), time_order);
	}
	return c;
}

struct calls *
calls_ref(struct calls *c)
{
	c->refs++;
	return c;
}

void
calls_free(struct calls *c)
{
	if (c == NULL || c->refs-- > 0)
		return;
	mem_free(c->rows);
	mem_free(c->frames);
	for (int k = 0; k < CLOCKS; k++)
		mem_free(c->sorted[k]);
	mem_free(c);
}

struct calls *
calls_find(const struct profile *p, const struct calls_query *q, share_done *done,
    const atomic_bool *cancel)
{
	struct calls_search *s = calls_search_new(p, q);
	struct calls *c = NULL;
	bool more, wanted = true;

	do {
		more = calls_search_step(s);
		if (done != NULL)
			atomic_store(done, (unsigned)((double)s->part / (double)(s->parts + 1) * SHARE_ALL));
		wanted = cancel == NULL || !atomic_load(cancel);
	} while (more && wanted);
	if (wanted)
		c = calls_search_result(s);
	calls_search_free(s);
	return c;
}

nsec
calls_percentile(const struct calls *c, enum clock_id clock, unsigned permille)
{
	if (c->row_count > 0 && c->sorted[clock] != NULL)
		return c->sorted[clock][spread_rank(c->row_count, permille)];
	return spread_percentile(&c->spread[clock], permille);
}
