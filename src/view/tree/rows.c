// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/tree/rows.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/worker.h"
#include "view/tree/calltree.h"

enum {
	CANCEL_ROWS = 1024,
	/* Limits of what all callers cost, in paths; a path takes some 12 ns. */
	COST_LEAST = 64 << 20,
	COST_DEPTH = 64, /* and so much more for each path */
	/* Callers that are made, a hundred bytes each with their rows. */
	CALLERS_LEAST = 1 << 20,
	CALLERS_PATH = 4, /* and so many more for each path */
};

struct choosing {
	struct tree_rows *t;
	uint8_t *kept;   /* by path: passes the filters, or leads to one; NULL: all */
	nsec least;
	const atomic_bool *cancel;
};

/* Returns a path's time on a clock: with callees, or for callers the topmost's own. */
static nsec
path_time(const struct tree_rows *t, const struct path *path, enum clock_id clock)
{
	return t->callers == NULL ? path->inclusive[clock] : path->exclusive[clock];
}

const struct path *
tree_rows_path(const struct tree_rows *t, const struct tree_row *row)
{
	return &t->tree->items[row->path];
}

uint32_t
tree_rows_thread(const struct tree_rows *t, const struct tree_row *row)
{
	return t->callers != NULL || tree_rows_path(t, row)->parent != PATH_NONE
	    ? THREAD_NONE : t->ask.paths->root_thread[row->path];
}

static struct value
path_value(const struct tree_rows *t, enum clock_id clock, enum column_id column, const struct path *path)
{
	struct figures figures = t->figures;
	const nsec *total = t->figures.fold->total;
	struct sums sums = {.own = true, .rank = RANK_NONE, .calls = value_count(path->calls),
	    .call_count = path->calls, .method = path->method, .threads = path->threads,
	    .longest = path->longest, .longest_at = path->longest_at};

	memcpy(sums.inclusive, path->inclusive, sizeof(sums.inclusive));
	memcpy(sums.exclusive, path->exclusive, sizeof(sums.exclusive));
	memcpy(sums.base, total, sizeof(sums.base));
	memcpy(sums.exclusive_base, total, sizeof(sums.base));
	figures.clock = clock;
	return sums_value(&figures, (int)column, &sums);
}

struct value
tree_rows_value(const struct tree_rows *t, enum column_id column, const struct tree_row *row)
{
	return path_value(t, t->figures.clock, column, tree_rows_path(t, row));
}

static struct path_key
key_of(const void *of, const struct path *path)
{
	const struct tree_rows *t = of;

	return (struct path_key){.figure = value_key(path_value(t, t->figures.clock, t->ask.sort, path))};
}

/* Filters ------------------------------------------------------------------------- */

/* Keeps paths that pass and those above them; of callers the topmost that pass. */
static void
filters_apply(struct choosing *c)
{
	const struct paths *tree = c->t->tree;

	if (c->t->ask.hidden == NULL)
		return;
	c->kept = mem_zero((size_t)tree->count + 1, 1);
	for (uint32_t id = tree->count; id-- > 0;) {
		const struct path *path = &tree->items[id];

		c->kept[id] |= !c->t->ask.hidden[path->method];
		if (c->kept[id] && path->parent != PATH_NONE)
			c->kept[path->parent] = 1;
	}
}

/* Callers that are made later were no paths when the filters were applied. */
static bool
is_kept(const struct choosing *c, uint32_t id, uint32_t depth)
{
	return c->kept == NULL || (c->t->callers != NULL && depth > 0) || c->kept[id];
}

/* Rows ---------------------------------------------------------------------------- */

static void
fold_away(const struct choosing *c, struct tree_row *row, const struct path *path)
{
	row->folded++;
	for (int k = 0; k < CLOCKS; k++)
		row->folded_time[k] += path_time(c->t, path, (enum clock_id)k);
}

static bool
is_small(const struct choosing *c, const struct path *path)
{
	return path_time(c->t, path, c->t->figures.clock) < c->least;
}

static bool
is_row(const struct choosing *c, uint32_t id, uint32_t depth)
{
	const struct path *path = &c->t->tree->items[id];

	/* The bottom of the stack as the only caller goes without saying. */
	return !is_small(c, path) && is_kept(c, id, depth) &&
	    ((path->flags & CALLER_LAST) == 0 || c->t->callers == NULL ||
		path->parent == PATH_NONE || c->t->tree->items[path->parent].children != 1);
}

/* Level by level, so that each method's callers are known as far up as any other's. */
static bool
callers_make(struct choosing *c)
{
	struct tree_rows *t = c->t;
	const struct paths *tree = t->tree;
	uint64_t cost = 0, most = COST_LEAST + (uint64_t)t->ask.paths->count * COST_DEPTH;
	uint32_t from = 0, to = tree->roots;

	t->callers_max = CALLERS_LEAST + (uint64_t)t->ask.paths->count * CALLERS_PATH;
	for (uint32_t depth = 0; from < to && tree->count < t->callers_max; depth++) {
		for (uint32_t id = from; id < to; id++)
			cost += is_row(c, id, depth) ? callers_cost(t->callers, id) : 0;
		if (cost > most) {
			t->depth_max = depth;
			return true;
		}
		for (uint32_t id = from; id < to && tree->count < t->callers_max; id++) {
			if (is_row(c, id, depth))
				callers_expand(t->callers, id);
			if (id % CANCEL_ROWS == 0 && is_cancelled(c->cancel))
				return false;
		}
		from = to;
		to = tree->count;
	}
	return true;
}

static bool
rows_fill(struct choosing *c, const struct path_order *order)
{
	struct tree_rows *t = c->t;
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
		if (t->count == UINT32_MAX - 1)
			break;
		MEM_GROW(t->rows, t->room, (size_t)t->count + 1);
		MEM_GROW(above, above_room, (size_t)depth + 1);
		above[depth] = t->count;
		t->rows[t->count++] = (struct tree_row){.path = id, .depth = depth};
		if (t->callers != NULL && callers_cost(t->callers, id) > 0) {
			t->rows[above[depth]].deeper = true;
			t->deeper++;
		}
		if (t->count % CANCEL_ROWS == 0)
			good = !is_cancelled(c->cancel);
	}
	pathwalk_release(&walk);
	mem_free(above);
	return good;
}

bool
tree_rows_make(struct tree_rows *t, const struct tree_rows_ask *ask, const atomic_bool *cancel)
{
	struct choosing c = {.t = t, .cancel = cancel};
	const struct path_order order = {.clock = ask->figures->clock,
	    .names = ask->sort == COLUMN_METHOD,
	    .reverse = ask->reverse,
	    .trace = ask->figures->trace,
	    .key = key_of,
	    .of = t};
	bool good;

	*t = (struct tree_rows){.ask = *ask, .figures = *ask->figures, .depth_max = UINT32_MAX};
	c.least = (nsec)((double)t->figures.fold->total[t->figures.clock] * ask->min_percent / 100 /
			 TREE_PERCENT_UNIT);
	if (ask->callers)
		t->callers = callers_new(ask->paths, NULL);
	for (uint32_t id = 0; ask->callers && id < ask->paths->count; id++) {
		const struct path *path = &ask->paths->items[id];

		/* (toplevel) is no topmost method. */
		for (int k = 0; k < CLOCKS && path->method == METHOD_TOPLEVEL; k++)
			t->outside[k] += path->exclusive[k];
	}
	t->tree = ask->callers ? &t->callers->tree : ask->paths;
	filters_apply(&c);
	good = (!ask->callers || callers_make(&c)) && rows_fill(&c, &order);
	mem_free(c.kept);
	return good;
}

void
tree_rows_release(struct tree_rows *t)
{
	callers_free(t->callers);
	mem_free(t->rows);
}

/* In files ------------------------------------------------------------------------- */

enum { DEPTH, TID, THREAD, KIND, ID, SIGNATURE = ID + 3, FOLDED, FOLDED_TIME,
	DEEPER = FOLDED_TIME + CLOCKS, FIGURES /* CLOCKS * column + clock */ };

/* JSON has what is folded where something is. */
static const char *const keys[FIGURES] = {"depth", "?tid", "?thread", "?{kind", "?id",
    "?class", "?name", "?signature", "?folded", "?folded_cpu_us", "?folded_wall_us", "?deeper"};

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct tree_rows *t = s->model;
	const struct tree_row *row = &t->rows[at];
	const struct path *path = tree_rows_path(t, row);
	uint32_t index = tree_rows_thread(t, row);
	bool root = index != THREAD_NONE;
	const struct thread *thread = trace_thread(t->figures.trace, root ? index : 0);
	int of = s->columns[column].of;

	if (of >= ID && of <= SIGNATURE)
		return value_if(!root, figures_field(&t->figures, path->method, of - ID));
	switch (of) {
	case DEPTH:
		return value_count(row->depth);
	case TID:
		return value_if(root, value_count(thread->id));
	case THREAD:
		return value_if(root, value_text(thread->name));
	case KIND:
		return value_if(root && t->figures.trace->log != NULL,
		    value_text(str_from(thread_kind_words[thread->kind])));
	case FOLDED:
		return value_if(row->folded > 0, value_count(row->folded));
	case DEEPER:
		return value_if(row->deeper, value_bool(true));
	default:
		break;
	}
	if (of < FIGURES)
		return value_if(row->folded > 0, value_time(row->folded_time[of - FOLDED_TIME]));
	return path_value(t, (enum clock_id)((of - FIGURES) % CLOCKS),
	    (enum column_id)((of - FIGURES) / CLOCKS), path);
}

static void
field_add(struct sheet *s, int of, const char *key)
{
	struct sheet_column *c = &s->columns[s->column_count++];

	snprintf(c->key, sizeof(c->key), "%s", key);
	c->of = of;
	c->zero = of >= FOLDED && of < FIGURES;
}

/* Adds the figures of paths: first those that are no times, then the times on each clock. */
static void
figures_add(struct sheet *s)
{
	static const char *const units[] = {"_cpu_us", "_wall_us"};

	for (int clock = -1; clock < CLOCKS; clock++) {
		enum column_id by_place[COLUMNS];
		int count = 0;

		for (enum column_id id = 0; id < COLUMNS; id++) {
			const struct column *c = &column_table[id];
			int at = count;

			if ((c->flags & (LIST_TREES | LIST_CSV)) != (LIST_TREES | LIST_CSV) ||
			    (c->kind == VALUE_TIME) != (clock >= 0) ||
			    !column_exists(c, s->figures->trace))
				continue;
			for (count++; at > 0 && column_table[by_place[at - 1]].place > c->place; at--)
				by_place[at] = by_place[at - 1];
			by_place[at] = id;
		}
		for (int i = 0; i < count; i++) {
			const struct column *c = &column_table[by_place[i]];

			field_add(s, FIGURES + CLOCKS * (int)by_place[i] + (clock < 0 ? 0 : clock),
			    output_key(c->field != NULL ? c->field : c->id, c->kind,
				clock < 0 ? "" : units[clock], FMT_BUF));
		}
	}
}

void
tree_rows_sheet(struct sheet *s, const struct tree_rows *t, uint32_t count)
{
	*s = (struct sheet){.view = t->callers != NULL ? "bottom-up" : "tree", .rows = count,
	    .cursor = count, .figures = &t->figures, .model = t, .cell = cell};
	for (int i = DEPTH; i < FOLDED; i++)
		field_add(s, i, keys[i]);
	figures_add(s);
	for (int i = FOLDED; i < (t->callers == NULL ? DEEPER : FIGURES); i++)
		field_add(s, i, keys[i]);
}

static void
rows_free(void *rows)
{
	tree_rows_release(rows);
	mem_free(rows);
}

void
tree_rows_of(struct sheet *s, struct calltree *c)
{
	struct tree_rows *t = mem_alloc(sizeof(*t));
	struct tree_rows_ask ask = {.paths = c->paths, .figures = &c->display->figures,
	    .callers = c->callers != NULL, .min_percent = TREE_MIN_PERCENT,
	    .sort = (enum column_id)c->list.sort,
	    .reverse = c->list.ascending != column_ascends(&column_table[c->list.sort])};
	uint32_t count = trace_method_count(ask.figures->trace);
	uint8_t *hidden = mem_zero((size_t)count + 1, 1);

	for (uint32_t m = 0; m < count && filters_active(&c->display->filters); m++)
		hidden[m] = !filters_pass(&c->display->filters, ask.figures->names, m);
	if (filters_active(&c->display->filters))
		ask.hidden = hidden;
	(void)tree_rows_make(t, &ask, NULL);
	mem_free(hidden);
	tree_rows_sheet(s, t, t->count);
	s->own = t;
	s->free_own = rows_free;
}
