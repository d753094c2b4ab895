// SPDX-License-Identifier: Apache-2.0
/*
 * treerows: the views of call paths: the call tree, and upside down the callers.
 *
 * A row is a path with its depth, in the order in which a tree is read; children are
 * below their caller, largest first unless asked otherwise.  Children under the least
 * share of the total (report.h) are folded: the row counts them and sums their time;
 * folded roots are in `rest`.
 *
 * Each level of callers costs the paths of that depth, so a recursion as deep as the
 * trace is long would cost the square of its length.  Callers therefore end at a depth
 * that is chosen by that cost, and at a number; rows with more callers say so.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"
#include "report/text/views.h"

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

/* What counts of a path on a clock: with callees, or of callers the topmost's own. */
static nsec
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

static enum column_id
sort_of(const struct report *r)
{
	return !r->options->sort_given && r->tree->callers != NULL ? COLUMN_EXCL
								   : r->options->sort;
}

static struct value
path_value(const struct report *r, enum column_id column, const struct path *path)
{
	struct sums sums = {.own = true, .longest = path->longest,
	    .longest_at = path->longest_at, .calls = value_count(path->calls),
	    .call_count = path->calls};

	memcpy(sums.inclusive, path->inclusive, sizeof(sums.inclusive));
	memcpy(sums.exclusive, path->exclusive, sizeof(sums.exclusive));
	memcpy(sums.base, r->fold->total, sizeof(sums.base));
	memcpy(sums.exclusive_base, r->fold->total, sizeof(sums.base));
	return sums_value(&r->figures, (int)column, &sums);
}

static struct path_key
key_of(const void *of, const struct path *path)
{
	return (struct path_key){.figure = value_key(path_value(of, sort_of(of), path))};
}

static bool
order_find(const struct report *r, struct path_order *order, struct err *e)
{
	static const enum column_id columns[] = {
	    COLUMN_INCL, COLUMN_EXCL, COLUMN_CALLS, COLUMN_PER_CALL, COLUMN_METHOD};
	const struct report_options *o = r->options;
	enum column_id sort = sort_of(r);

	*order = (struct path_order){.clock = r->figures.clock,
	    .names = sort == COLUMN_METHOD,
	    .reverse = o->sort_given && o->ascending != column_ascends(&column_table[sort]),
	    .trace = r->trace,
	    .key = key_of,
	    .of = r};
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (columns[i] == sort)
			return true;
	return err_set(e, ERR_UNSUPPORTED,
	    "a tree is sorted by incl, excl, calls, avg or method, not by '%s'",
	    column_table[sort].id);
}

/* Filters ------------------------------------------------------------------------- */

/* Keeps paths that pass and those above them; of callers the topmost that pass. */
static bool
filters_apply(struct choosing *c)
{
	const struct paths *tree = c->t->tree;
	const struct report_options *o = c->r->options;
	uint8_t *hidden;
	bool good;

	if (o->filters.count + o->methods.count == 0)
		return true;
	good = methods_hidden(c->r, &hidden, c->cancel, c->e);
	c->kept = mem_zero((size_t)tree->count + 1, 1);
	for (uint32_t id = tree->count; id-- > 0;) {
		const struct path *path = &tree->items[id];

		c->kept[id] |= !hidden[path->method];
		if (c->kept[id] && path->parent != PATH_NONE)
			c->kept[path->parent] = 1;
	}
	mem_free(hidden);
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
		for (uint32_t id = from; id < to; id++)
			cost += is_row(c, id, depth) ? callers_cost(t->callers, id) : 0;
		if (cost > most) {
			t->depth_max = depth;
			return true;
		}
		for (uint32_t id = from; id < to && tree->count < t->callers_max; id++) {
			if (is_row(c, id, depth))
				callers_expand(t->callers, id);
			if (id % CANCEL_ROWS == 0 && !report_goes_on(c->cancel, c->e))
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
		if (c->r->count % CANCEL_ROWS == 0)
			good = report_goes_on(c->cancel, c->e);
	}
	pathwalk_release(&walk);
	mem_free(above);
	return good;
}

bool
treerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	bool callers = r->options->view->callers, together = callers || r->options->together;
	struct choosing c = {.r = r, .cancel = cancel, .e = e};
	struct path_order order;
	bool good;

	c.t = r->tree = mem_zero(1, sizeof(*r->tree));
	c.least = (nsec)((double)r->fold->total[r->figures.clock] * r->options->min_percent / 100 /
			 REPORT_PERCENT_UNIT);
	c.t->paths = report_paths(r, together, cancel);
	if (c.t->paths == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (callers) {
		c.t->callers = callers_new(c.t->paths);
		c.t->depth_max = UINT32_MAX;
	}
	for (uint32_t id = 0; callers && id < c.t->paths->count; id++) {
		const struct path *path = &c.t->paths->items[id];

		/* (toplevel) is no topmost method. */
		for (int k = 0; k < CLOCKS && path->method == METHOD_TOPLEVEL; k++)
			c.t->outside[k] += path->exclusive[k];
	}
	c.t->tree = callers ? &c.t->callers->tree : c.t->paths;
	good = order_find(r, &order, e) && filters_apply(&c) &&
	    (!callers || callers_make(&c)) && rows_fill(&c, &order);
	mem_free(c.kept);
	if (good)
		rows_cut(r);
	return good;
}

static const struct path *
path_of(const struct report *r, const struct tree_row *row)
{
	return &r->tree->tree->items[row->path];
}

/* THREAD_NONE for paths that are no thread's root. */
static uint32_t
thread_of(const struct report *r, const struct tree_row *row)
{
	const struct path *path = path_of(r, row);

	if (r->tree->callers != NULL || path->parent != PATH_NONE)
		return THREAD_NONE;
	return r->tree->paths->root_thread[row->path];
}

/* Text ---------------------------------------------------------------------------- */

/* Deeper rows are indented no further, but say how deep they are. */
enum { INDENT_MAX = 60 };

static struct value
row_value(const struct report *r, enum column_id column, const void *row)
{
	return path_value(r, column, path_of(r, row));
}

static void
indent(struct sbuf *out, uint32_t depth)
{
	for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
		sbuf_text(out, "  ");
	if (depth > INDENT_MAX)
		sbuf_printf(out, "%" PRIu32 ": ", depth);
}

static void
name(struct sbuf *out, const struct report *r, const struct tree_row *row)
{
	uint32_t thread = thread_of(r, row);

	if (thread == THREAD_NONE) {
		sbuf_str(out, names_full(r->figures.names, path_of(r, row)->method));
		return;
	}
	sbuf_char(out, '[');
	sbuf_str(out, names_thread(r->figures.names, thread));
	sbuf_char(out, ']');
}

static void
folded_line(const struct figure_columns *t, struct sbuf *out, const struct tree_row *row,
    uint32_t depth)
{
	const struct report *r = t->report;
	enum clock_id clock = r->figures.clock;

	columns_blank(&t->columns, out);
	indent(out, depth);
	sbuf_printf(out, "(%" PRIu32 " below the cut-off, ", row->folded);
	sbuf_printf(out, "together %s %%)\n",
	    fmt_percent(FMT_BUF, row->folded_time[clock], r->fold->total[clock]));
}

/* What was folded below a row follows all other rows below it. */
static void
folded_lines(const struct figure_columns *t, struct sbuf *out, const uint32_t *open,
    uint32_t *depth, uint32_t to)
{
	while (*depth > to) {
		const struct report *r = t->report;
		const struct tree_row *row = &r->tree->rows[open[--*depth]];

		if (row->folded > 0)
			folded_line(t, out, row, row->depth + 1);
	}
}

void
treerows_text(struct sink *sink, const struct report *r)
{
	/* Of callers what the topmost has itself comes first. */
	static const enum column_id tree[] = {COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_EXCL,
	    COLUMN_OTHER_INCL, COLUMN_OTHER_EXCL, COLUMN_CALLS, COLUMNS};
	static const enum column_id callers[] = {COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_INCL,
	    COLUMN_OTHER_EXCL, COLUMN_OTHER_INCL, COLUMN_CALLS, COLUMNS};
	struct figure_columns t;
	uint32_t *open = NULL, depth = 0; /* by depth: the row above */
	size_t room = 0;

	figure_columns_init(&t, r, r->tree->callers != NULL ? callers : tree, row_value);
	for (uint32_t i = 0; i < r->count; i++)
		columns_fit(&t.columns, &r->tree->rows[i]);
	columns_text(&t.columns, &sink->text, NULL);
	sbuf_text(&sink->text, names_words(r->figures.names, r->tree->callers != NULL
		? "Method, below it its callers\n" : "Call tree\n"));
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct tree_row *row = &r->tree->rows[i];
		uint32_t at = row->depth;

		folded_lines(&t, &sink->text, open, &depth, at);
		MEM_GROW(open, room, (size_t)at + 1);
		open[at] = i;
		depth = at + 1;
		columns_text(&t.columns, &sink->text, row);
		indent(&sink->text, at);
		name(&sink->text, r, row);
		sbuf_char(&sink->text, '\n');
		if (!row->deeper)
			continue;
		columns_blank(&t.columns, &sink->text);
		indent(&sink->text, at + 1);
		sbuf_text(&sink->text, names_words(r->figures.names,
		    "(callers that are not followed)\n"));
	}
	if (r->count == r->matched) {
		folded_lines(&t, &sink->text, open, &depth, 0);
		if (r->tree->rest.folded > 0)
			folded_line(&t, &sink->text, &r->tree->rest, 0);
	}
	mem_free(open);
}

/* CSV and JSON -------------------------------------------------------------------- */

static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};
static const char *const folded_keys[CLOCKS] = {"folded_cpu_us", "folded_wall_us"};

/* A thread's root, or a method. */
static void
names_write(struct fields *f, const struct report *r, const struct tree_row *row)
{
	uint32_t index = thread_of(r, row);
	bool root = index != THREAD_NONE, log = r->trace->log != NULL;
	const struct thread *thread = root ? trace_thread(r->trace, index) : NULL;

	fields_put(f, root ? value_count(thread->id) : VALUE_NONE);
	fields_put(f, root && log ? value_text(str_from(thread_kind_words[thread->kind])) : VALUE_NONE);
	if (!root) {
		fields_method(f, r->trace, path_of(r, row)->method);
		return;
	}
	fields_put(f, VALUE_NONE);
	fields_put(f, VALUE_NONE);
	fields_put(f, value_text(thread->name));
	fields_put(f, VALUE_NONE);
}

static void
members_folded(struct json *j, const struct report *r, const struct tree_row *row)
{
	if (row->folded == 0)
		return;
	member_uint(j, "folded", row->folded);
	member_times(j, r->trace->clocks, folded_keys, row->folded_time);
}

static void
row_write(struct fields *f, const struct report *r, const struct tree_row *row)
{
	const struct path *path = path_of(r, row);

	fields_row(f);
	fields_put(f, value_count(row->depth));
	names_write(f, r, row);
	fields_put(f, value_count(path->calls));
	fields_times(f, path->inclusive, path->exclusive, NULL);
	fields_put(f, value_count(row->folded));
	fields_times(f, row->folded_time, NULL, NULL);
	if (f->json != NULL)
		members_folded(f->json, r, row);
	if (r->tree->callers != NULL)
		fields_bool(f, row->deeper);
	fields_end(f);
}

#define TREE_FIELDS                                                                              \
	"depth", "?thread", "?{kind", "?id", "?class", "name", "?signature", "calls", FIELDS_TIMES, \
	    ",folded", ",folded_cpu_us", ",folded_wall_us"

void
treerows_write(struct sink *sink, struct json *j, const struct report *r)
{
	static const char *const tree_fields[] = {TREE_FIELDS, NULL};
	static const char *const caller_fields[] = {TREE_FIELDS, "?deeper", NULL};
	const struct treerows *t = r->tree;
	struct fields f;

	if (j != NULL)
		member_array(j, t->callers != NULL ? "bottom_up" : "tree");
	fields_init(&f, &sink->text, j, r->trace->clocks,
	    t->callers != NULL ? caller_fields : tree_fields, NULL);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		row_write(&f, r, &t->rows[i]);
	if (j == NULL)
		return;
	json_end(j);
	members_folded(j, r, &t->rest);
	if (t->callers == NULL)
		return;
	if (t->deeper > 0 && t->depth_max != UINT32_MAX)
		member_uint(j, "depth_max", t->depth_max);
	else if (t->deeper > 0)
		member_uint(j, "callers_max", t->callers_max);
	member_object(j, "toplevel");
	member_times(j, r->trace->clocks, exclusive_keys, t->outside);
	json_end(j);
}
