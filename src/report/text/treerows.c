#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/names.h"
#include "report/pathwalk.h"
#include "report/text/fields.h"
#include "report/text/figuretext.h"
#include "report/text/members.h"
#include "report/text/rows.h"
#include "report/text/treerows.h"

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
	    .reverse = o->ascending != column_ascends(&column_table[sort]), .trace = r->trace};
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

static const struct path *
path_at(const struct report *r, uint32_t row)
{
	return &r->tree->tree->items[r->tree->rows[row].path];
}

/* THREAD_NONE for paths that are no thread's root. */
static uint32_t
thread_at(const struct report *r, uint32_t row)
{
	const struct path *path = path_at(r, row);

	if (r->tree->callers != NULL || path->parent != PATH_NONE)
		return THREAD_NONE;
	return r->tree->paths->root_thread[r->tree->rows[row].path];
}

/* Text ---------------------------------------------------------------------------- */

/* Deeper rows stand no further to the right, but say how deep they are. */
enum { INDENT_MAX = 60 };

static enum clock_id
other(const struct report *r)
{
	return r->figures.clock == CLOCK_WALL ? CLOCK_CPU : CLOCK_WALL;
}

static const char *
figure_share(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	enum clock_id clock = r->figures.clock;

	return fmt_percent(
	    out, treerows_time(r, path_at(r, row), clock), r->fold->total[clock]);
}

static const char *
figure_incl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->inclusive[r->figures.clock]);
}

static const char *
figure_excl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->exclusive[r->figures.clock]);
}

static const char *
figure_other_incl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->inclusive[other(r)]);
}

static const char *
figure_other_excl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->exclusive[other(r)]);
}

static const char *
figure_calls(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, path_at(r, row)->calls, "");
}

#define BOTH (FIGURE_CPU | FIGURE_WALL)

/* By the clock that is the other one. */
#define FIGURES(word)                                                                    \
	{                                                                                \
		{"Incl%", 0, figure_share}, {"Incl ms", 0, figure_incl},                 \
		    {"Excl ms", 0, figure_excl},                                         \
		    {"Incl " word " ms", BOTH, figure_other_incl},                       \
		    {"Excl " word " ms", BOTH, figure_other_excl},                       \
		    {"Calls", 0, figure_calls},                                          \
	}
#define CALLER_FIGURES(word)                                                             \
	{                                                                                \
		{"Excl%", 0, figure_share}, {"Excl ms", 0, figure_excl},                 \
		    {"Incl ms", 0, figure_incl},                                         \
		    {"Excl " word " ms", BOTH, figure_other_excl},                       \
		    {"Incl " word " ms", BOTH, figure_other_incl},                       \
		    {"Calls", 0, figure_calls},                                          \
	}

static const struct figure tree_figures[CLOCKS][6] = {
    [CLOCK_CPU] = FIGURES("cpu"), [CLOCK_WALL] = FIGURES("wall")};
static const struct figure caller_figures[CLOCKS][6] = {
    [CLOCK_CPU] = CALLER_FIGURES("cpu"), [CLOCK_WALL] = CALLER_FIGURES("wall")};

static void
indent(struct sbuf *out, uint32_t depth)
{
	for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
		sbuf_text(out, "  ");
	if (depth > INDENT_MAX)
		sbuf_printf(out, "%" PRIu32 ": ", depth);
}

static void
name(struct sbuf *out, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row);

	if (thread == THREAD_NONE) {
		sbuf_str(out, names_full(r->figures.names, path_at(r, row)->method));
		return;
	}
	sbuf_char(out, '[');
	sbuf_str(out, names_thread(r->figures.names, thread));
	sbuf_char(out, ']');
}

static void
folded_line(const struct figuretext *t, struct sbuf *out, const struct tree_row *row,
    uint32_t depth)
{
	const struct report *r = t->report;
	enum clock_id clock = r->figures.clock;
	char number[FMT_SIZE];

	figuretext_blank(t, out);
	indent(out, depth);
	sbuf_printf(out, "(%" PRIu32 " below the cut-off, ", row->folded);
	sbuf_printf(out, "together %s %%)\n",
	    fmt_percent(number, row->folded_time[clock], r->fold->total[clock]));
}

static void
deeper_line(const struct figuretext *t, struct sbuf *out, const struct tree_row *row)
{
	figuretext_blank(t, out);
	indent(out, row->depth + 1);
	sbuf_text(out, "(callers that are not followed)\n");
}

/* What was folded below a row stands behind all that is below it. */
static void
folded_lines(const struct figuretext *t, struct sbuf *out, uint32_t *open, uint32_t *depth,
    uint32_t to)
{
	while (*depth > to) {
		const struct tree_row *row = &t->report->tree->rows[open[--*depth]];

		if (row->folded > 0)
			folded_line(t, out, row, row->depth + 1);
	}
}

void
treerows_text(struct sink *sink, const struct report *r)
{
	struct figuretext t;
	uint32_t *open = NULL, depth = 0; /* by depth: the row above */
	size_t room = 0;

	figuretext_init(&t, r,
	    r->tree->callers != NULL ? caller_figures[other(r)] : tree_figures[other(r)],
	    (int)(sizeof(tree_figures[0]) / sizeof(tree_figures[0][0])));
	figuretext_titles(&t, &sink->text);
	sbuf_text(&sink->text, r->tree->callers != NULL ? "Method, below it its callers\n"
							: "Call tree\n");
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		uint32_t at = r->tree->rows[i].depth;

		folded_lines(&t, &sink->text, open, &depth, at);
		MEM_GROW(open, room, (size_t)at + 1);
		open[at] = i;
		depth = at + 1;
		figuretext_line(&t, &sink->text, i);
		indent(&sink->text, at);
		name(&sink->text, r, i);
		sbuf_char(&sink->text, '\n');
		if (r->tree->rows[i].deeper)
			deeper_line(&t, &sink->text, &r->tree->rows[i]);
	}
	if (r->count == r->matched) {
		folded_lines(&t, &sink->text, open, &depth, 0);
		if (r->tree->rest.folded > 0)
			folded_line(&t, &sink->text, &r->tree->rest, 0);
	}
	mem_free(open);
}

/* CSV ----------------------------------------------------------------------------- */

static const char *const folded_keys[CLOCKS] = {"folded_cpu_us", "folded_wall_us"};

static void
headings(struct sbuf *out, const struct report *r)
{
	sbuf_text(out, "depth,thread,id,class,name,signature,calls,");
	field_time_names(out, r, true);
	sbuf_text(out, "folded,");
	for (int c = 0; c < CLOCKS; c++)
		if (trace_has_clock(r->trace, (enum clock_id)c))
			field_put(out, str_from(folded_keys[c]));
	if (r->tree->callers != NULL)
		field_put(out, STR("deeper"));
	field_line_end(out);
}

static void
names_put(struct sbuf *out, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row), method = path_at(r, row)->method;
	const struct method *m = trace_method(r->trace, method);
	char id[NAME_ID_SIZE];

	if (thread != THREAD_NONE) {
		field_count(out, trace_thread(r->trace, thread)->id);
		sbuf_text(out, ",,");
		field_put(out, trace_thread(r->trace, thread)->name);
		sbuf_char(out, ',');
		return;
	}
	sbuf_char(out, ',');
	field_put(out, name_id(id, r->trace, method));
	field_put(out, m->class_name);
	field_put(out, m->name);
	field_put(out, m->signature);
}

void
treerows_csv(struct sink *sink, const struct report *r)
{
	struct sbuf *out = &sink->text;

	headings(out, r);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct tree_row *row = &r->tree->rows[i];
		const struct path *path = path_at(r, i);

		field_count(out, row->depth);
		names_put(out, r, i);
		field_count(out, path->calls);
		field_times(out, r, path->inclusive, path->exclusive);
		field_count(out, row->folded);
		field_times(out, r, row->folded_time, NULL);
		if (r->tree->callers != NULL)
			field_count(out, row->deeper);
		field_line_end(out);
	}
}

/* JSON ---------------------------------------------------------------------------- */

static void
members_name(struct json *j, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row), method = path_at(r, row)->method;
	const struct method *m = trace_method(r->trace, method);
	char id[NAME_ID_SIZE];

	if (thread != THREAD_NONE) {
		member_uint(j, "thread", trace_thread(r->trace, thread)->id);
		if (r->trace->log != NULL)
			member_str(j, "kind",
			    str_from(name_thread_kind(trace_thread(r->trace, thread))));
		member_str(j, "name", trace_thread(r->trace, thread)->name);
		return;
	}
	member_str(j, "id", name_id(id, r->trace, method));
	member_str(j, "class", m->class_name);
	member_str(j, "name", m->name);
	member_str(j, "signature", m->signature);
}

static const char *const inclusive_keys[CLOCKS] = {"incl_cpu_us", "incl_wall_us"};
static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};

static void
members_folded(struct json *j, const struct report *r, const struct tree_row *row)
{
	if (row->folded == 0)
		return;
	member_uint(j, "folded", row->folded);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, folded_keys, (enum clock_id)c, row->folded_time[c]);
}

static void
row_write(struct json *j, const struct report *r, uint32_t i)
{
	const struct tree_row *row = &r->tree->rows[i];
	const struct path *path = path_at(r, i);

	json_object(j);
	member_uint(j, "depth", row->depth);
	members_name(j, r, i);
	member_uint(j, "calls", path->calls);
	for (int c = 0; c < CLOCKS; c++) {
		member_time(
		    j, r->trace, inclusive_keys, (enum clock_id)c, path->inclusive[c]);
		member_time(
		    j, r->trace, exclusive_keys, (enum clock_id)c, path->exclusive[c]);
	}
	members_folded(j, r, row);
	if (row->deeper)
		member_bool(j, "deeper", true);
	json_end(j);
}

void
treerows_json(struct json *j, struct sink *sink, const struct report *r)
{
	json_key(j, r->tree->callers != NULL ? "bottom_up" : "tree");
	json_array(j);
	for (uint32_t i = 0; i < r->count && j->error == 0 && sink_wanted(sink); i++)
		row_write(j, r, i);
	json_end(j);
	members_folded(j, r, &r->tree->rest);
	if (r->tree->callers == NULL)
		return;
	if (r->tree->deeper > 0 && r->tree->depth_max != UINT32_MAX)
		member_uint(j, "depth_max", r->tree->depth_max);
	else if (r->tree->deeper > 0)
		member_uint(j, "callers_max", r->tree->callers_max);
	json_key(j, "toplevel");
	json_object(j);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, exclusive_keys, (enum clock_id)c, r->tree->outside[c]);
	json_end(j);
}
