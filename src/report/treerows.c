#include <config.h>

#include "report/treerows.h"

#include <string.h>

#include "base/mem.h"
#include "report/names.h"
#include "report/pathwalk.h"
#include "report/rows.h"

enum {
	CANCEL_ROWS = 1024,
	/* What all callers may cost, in paths; a path takes some 12 ns. */
	COST_LEAST = 64 << 20,
	COST_DEPTH = 64, /* or what paths of this mean depth do */
	/* Callers that are made, a hundred bytes each with their rows. */
	CALLERS_LEAST = 1 << 20,
	CALLERS_PATH = 4, /* or so many for each path */
};

struct choosing {
	struct report *r;
	struct treerows *t;
	uint8_t *kept;   /* by path: passes the filters, or leads to one; NULL: all */
	nsec least;
	const atomic_bool *cancel;
	struct err *e;
};

nsec
treerows_time(const struct report *r, const struct path *path, enum clock_id clock)
{
	return r->tree->callers == NULL ? path->inclusive[clock] : path->exclusive[clock];
}

void
treerows_free(struct treerows *t)
{
	if (t == NULL)
		return;
	callers_free(t->callers);
	paths_free(t->paths);
	mem_free(t->rows);
	mem_free(t);
}

/* The words of --sort that a tree can be sorted by. */
static bool
order_find(const struct report *r, struct path_order *order, struct err *e)
{
	static const struct {
		enum column_id column;
		enum path_key key;
	} keys[] = {
	    {COLUMN_INCL, PATH_BY_INCLUSIVE},
	    {COLUMN_EXCL, PATH_BY_EXCLUSIVE},
	    {COLUMN_CALLS, PATH_BY_CALLS},
	    {COLUMN_PER_CALL, PATH_BY_AVERAGE},
	    {COLUMN_METHOD, PATH_BY_NAME},
	};
	const struct report_options *o = r->options;
	enum column_id sort = o->sort;

	if (!o->sort_given && r->tree->callers != NULL)
		sort = COLUMN_EXCL;
	*order = (struct path_order){.clock = r->figures.clock,
	    .reverse = o->rising != column_table[sort].rises, .trace = r->trace};
	if (!o->sort_given)
		order->reverse = false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		order->key = keys[i].key;
		if (keys[i].column == sort)
			return true;
	}
	return err_set(e, ERR_UNSUPPORTED,
	    "a tree is sorted by incl, excl, calls, avg or method, not by '%s'",
	    column_table[sort].id);
}

static nsec
least_time(const struct report *r)
{
	return (nsec)((double)r->fold->total[r->figures.clock] *
		      r->options->min_percent / 100 / REPORT_PERCENT_UNIT);
}

/* Filters ------------------------------------------------------------------------- */

static bool
methods_pass(const struct choosing *c, uint8_t *passes)
{
	const struct report *r = c->r;
	struct sbuf raw = {0};
	bool good = true, yes = false;

	for (uint32_t m = 0; m < r->fold->method_count && good; m++) {
		if (!r->fold->methods[m].present)
			continue;
		sbuf_clear(&raw);
		name_raw(&raw, r->trace, m);
		good = rows_pass(r, names_full(r->figures.names, m), sbuf_view(&raw), &yes,
		    c->e);
		passes[m] = yes;
	}
	sbuf_release(&raw);
	return good;
}

/* Of the call tree paths that pass and what leads to them, of callers the topmost. */
static bool
filters_apply(struct choosing *c)
{
	const struct paths *tree = c->t->tree;
	const struct report_options *o = c->r->options;
	uint8_t *passes;
	bool good;

	if (o->filter_count + o->method_count == 0)
		return true;
	passes = mem_zero(c->r->fold->method_count, 1);
	good = methods_pass(c, passes);
	c->kept = mem_zero((size_t)tree->count + 1, 1);
	for (uint32_t id = tree->count; id-- > 0;) {
		const struct path *path = &tree->items[id];

		c->kept[id] |= passes[path->method];
		if (c->kept[id] && path->parent != PATH_NONE)
			c->kept[path->parent] = 1;
	}
	mem_free(passes);
	return good;
}

/* Callers that are made later were no paths when the filters were applied. */
static bool
is_kept(const struct choosing *c, uint32_t id, uint32_t depth)
{
	return c->kept == NULL || (c->t->callers != NULL && depth > 0) || c->kept[id];
}

/* Rows ---------------------------------------------------------------------------- */

/* The bottom of the stack as the only caller, which goes without saying. */
static bool
is_needless(const struct treerows *t, const struct path *path)
{
	return (path->flags & CALLER_LAST) != 0 && t->callers != NULL &&
	    path->parent != PATH_NONE && t->tree->items[path->parent].children == 1;
}

static void
fold_away(const struct choosing *c, struct tree_row *row, const struct path *path)
{
	row->folded++;
	for (int k = 0; k < CLOCKS; k++)
		row->folded_time[k] += treerows_time(c->r, path, (enum clock_id)k);
}

static bool
is_small(const struct choosing *c, const struct path *path)
{
	return treerows_time(c->r, path, c->r->figures.clock) < c->least;
}

static bool
is_row(const struct choosing *c, uint32_t id, uint32_t depth)
{
	const struct path *path = &c->t->tree->items[id];

	return !is_small(c, path) && is_kept(c, id, depth) && !is_needless(c->t, path);
}

static uint64_t
level_cost(const struct choosing *c, uint32_t from, uint32_t to, uint32_t depth)
{
	uint64_t cost = 0;

	for (uint32_t id = from; id < to; id++)
		cost += is_row(c, id, depth) ? callers_cost(c->t->callers, id) : 0;
	return cost;
}

/* Level by level, so that each method's callers are known as far up as any other's. */
static bool
callers_make(struct choosing *c)
{
	struct treerows *t = c->t;
	const struct paths *tree = t->tree;
	uint64_t cost = 0, most = COST_LEAST + (uint64_t)t->paths->count * COST_DEPTH;
	uint32_t from = 0, to = tree->roots;

	t->callers_max = CALLERS_LEAST + (uint64_t)t->paths->count * CALLERS_PATH;
	for (uint32_t depth = 0; from < to && tree->count < t->callers_max; depth++) {
		cost += level_cost(c, from, to, depth);
		if (cost > most) {
			t->depth_max = depth;
			return true;
		}
		for (uint32_t id = from; id < to && tree->count < t->callers_max; id++) {
			if (is_row(c, id, depth))
				callers_expand(t->callers, id);
			if (id % CANCEL_ROWS == 0 && c->cancel != NULL &&
			    atomic_load(c->cancel))
				return err_set(c->e, ERR_CANCELLED, "interrupted");
		}
		from = to;
		to = tree->count;
	}
	return true;
}

static bool
rows_fill(struct choosing *c, const struct path_order *order)
{
	struct treerows *t = c->t;
	struct pathwalk walk = {.paths = t->tree, .order = *order};
	uint32_t *above = NULL, id, depth; /* by depth: the row that is open there */
	size_t above_room = 0;
	bool good = true;

	while (good && (id = pathwalk_next(&walk, &depth)) != PATH_NONE) {
		const struct path *path = &t->tree->items[id];

		if (!is_row(c, id, depth)) {
			bool small = is_small(c, path);

			if (small && depth > 0)
				fold_away(c, &t->rows[above[depth - 1]], path);
			else if (small && is_kept(c, id, depth))
				fold_away(c, &t->rest, path);
			pathwalk_skip(&walk);
			continue;
		}
		if (c->r->count == UINT32_MAX - 1)
			break;
		MEM_GROW(t->rows, t->room, (size_t)c->r->count + 1);
		MEM_GROW(above, above_room, (size_t)depth + 1);
		above[depth] = c->r->count;
		t->rows[c->r->count++] = (struct tree_row){.path = id, .depth = depth};
		if (t->callers != NULL && callers_cost(t->callers, id) > 0) {
			t->rows[above[depth]].deeper = true;
			t->deeper++;
		}
		if (c->r->count % CANCEL_ROWS == 0 && c->cancel != NULL &&
		    atomic_load(c->cancel))
			good = err_set(c->e, ERR_CANCELLED, "interrupted");
	}
	pathwalk_release(&walk);
	mem_free(above);
	return good;
}

/* (toplevel) is no topmost method. */
static void
outside_sum(struct treerows *t)
{
	for (uint32_t id = 0; id < t->paths->count; id++) {
		const struct path *path = &t->paths->items[id];

		for (int k = 0; k < CLOCKS && path->method == METHOD_TOPLEVEL; k++)
			t->outside[k] += path->exclusive[k];
	}
}

static bool
choose(struct report *r, bool callers, const atomic_bool *cancel, struct err *e)
{
	bool together = callers || r->options->together;
	struct choosing c = {.r = r, .cancel = cancel, .e = e};
	struct path_order order;
	bool good;

	c.t = r->tree = mem_zero(1, sizeof(*r->tree));
	c.least = least_time(r);
	c.t->paths = report_paths(r, together, cancel);
	if (c.t->paths == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (callers) {
		c.t->callers = callers_new(c.t->paths, METHOD_NONE);
		c.t->depth_max = UINT32_MAX;
		outside_sum(c.t);
	}
	c.t->tree = callers ? &c.t->callers->tree : c.t->paths;
	good = order_find(r, &order, e) && filters_apply(&c) &&
	    (!callers || callers_make(&c)) && rows_fill(&c, &order);
	mem_free(c.kept);
	if (good)
		rows_cut(r);
	return good;
}

bool
treerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	return choose(r, false, cancel, e);
}

bool
treerows_choose_callers(struct report *r, const atomic_bool *cancel, struct err *e)
{
	return choose(r, true, cancel, e);
}
