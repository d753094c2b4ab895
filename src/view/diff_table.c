#include <config.h>

#include "view/diff_table.h"

#include "base/mem.h"
#include "base/pattern.h"
#include "view/diff_list.h"
#include "view/hits.h"

void
diff_table_init(struct diff_table *t, struct table *table)
{
	*t = (struct diff_table){.table = table, .sort = DIFF_COLUMN_DELTA};
	filters_init(&t->filters);
}

static void
forget(struct diff_table *t)
{
	diff_release(&t->diff);
	diff_names_release(&t->pairs);
	fold_free(t->fold);
	names_free(t->names);
	filters_release(&t->filters);
	filters_init(&t->filters);
	t->fold = NULL;
	t->names = NULL;
	t->made = false;
	for (int change = 0; change < DIFF_CHANGES; change++) {
		t->lists[change].at = (struct scroll){.height = t->lists[change].at.height};
		t->lists[change].settled = false;
	}
}

void
diff_table_release(struct diff_table *t)
{
	forget(t);
	filters_release(&t->filters);
	for (int change = 0; change < DIFF_CHANGES; change++)
		mem_free(t->lists[change].rows);
}

void
diff_table_begin(struct diff_table *t, const struct trace *trace, bool utf8)
{
	forget(t);
	t->trace = trace;
	t->now = DIFF_SLOWER;
	if (trace != NULL)
		t->names = names_new(trace, utf8);
}

void
diff_table_set_fold(struct diff_table *t, struct fold *fold)
{
	fold_free(t->fold);
	t->fold = fold;
	t->fold_a++;
}

/* Names --------------------------------------------------------------------------- */

struct names *
diff_table_names(const struct diff_table *t, const struct diff_row *r, uint32_t *method)
{
	int side = r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

	*method = r->sum[side].method;
	return side == DIFF_B ? t->table->figures.names : t->names;
}

struct str
diff_table_raw(const struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	struct names *names = diff_table_names(t, r, &method);

	return names_raw(names, method);
}

struct str
diff_table_name(const struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	struct names *names = diff_table_names(t, r, &method);

	return names_full(names, method);
}

/* Lists --------------------------------------------------------------------------- */

static uint64_t
identity(const struct diff_row *r)
{
	return (uint64_t)r->sum[DIFF_B].method << 32 | r->sum[DIFF_A].method;
}

static bool
passes(struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	struct names *names = diff_table_names(t, r, &method);

	return filters_pass(
	    names == t->names ? &t->filters : &t->table->filters, names, method);
}

/* After a change of rows or order: the cursor to its method, on its line if possible. */
static void
keep(const struct diff_table *t, struct diff_list *l)
{
	size_t line = scroll_line(&l->at);

	for (size_t i = 0; l->settled && i < l->at.count; i++) {
		if (identity(&t->diff.rows[l->rows[i]]) == l->wish) {
			scroll_put(&l->at, i, line);
			return;
		}
	}
	scroll_keep(&l->at);
}

static void
make_ready(struct diff_table *t, struct diff_list *l)
{
	if (!l->sorted) {
		diff_list_sort(t, l);
		l->sorted = true;
		keep(t, l);
	}
	if (!l->measured)
		diff_list_measure(t, l);
	l->measured = true;
}

/* After a key only that list which is looked at is put in order. */
static void
list_ready(struct diff_table *t)
{
	make_ready(t, &t->lists[t->now]);
}

static void
lists_make(struct diff_table *t)
{
	const struct filters *filters = &t->table->filters;

	filters_copy(&t->filters, filters);
	for (int change = 0; change < DIFF_CHANGES; change++)
		t->lists[change].at.count = 0;
	for (uint32_t i = 0; i < t->diff.count; i++) {
		const struct diff_row *r = &t->diff.rows[i];
		struct diff_list *l = &t->lists[diff_change(r, &t->by)];

		if (!passes(t, r))
			continue;
		MEM_GROW(l->rows, l->room, l->at.count + 1);
		l->rows[l->at.count++] = i;
	}
	for (int change = 0; change < DIFF_CHANGES; change++)
		t->lists[change].sorted = t->lists[change].measured = false;
}

/* Clock and least change as they are now. */
static void
settle(struct diff_table *t)
{
	enum clock_id wanted = t->table->figures.clock;

	t->by.clock = wanted;
	t->lacks = (t->diff.clocks & 1u << wanted) == 0;
	if (t->lacks)
		t->by.clock = wanted == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	if (!t->min_given)
		t->by.min = diff_min_default(&t->diff, t->by.clock);
}

static bool
by_equal(const struct diff_by *a, const struct diff_by *b)
{
	return a->value == b->value && a->clock == b->clock && a->min == b->min;
}

void
diff_table_follow(struct diff_table *t, unsigned fold_b)
{
	const struct fold *b = t->table->figures.fold;
	bool folds = !t->made || t->of.fold_a != t->fold_a || t->of.fold_b != fold_b;

	if (t->trace == NULL || t->fold == NULL || b == NULL)
		return;
	t->fold_b = fold_b;
	if (folds) {
		diff_release(&t->diff);
		diff_names_update(&t->pairs, t->trace, t->table->figures.trace);
		diff_make(&t->diff, &t->pairs, t->fold, b);
		t->made = true;
		/* What fitting names needs to know of all of them is made now, not at a key. */
		(void)names_fit(
		    t->names, trace_method_count(t->trace) - 1, 1, ELISION_SHORT);
	}
	settle(t);
	if (folds || t->of.filters != t->table->filter_changes || !by_equal(&t->of.by, &t->by) ||
	    t->of.auto_units != t->table->figures.auto_units)
		lists_make(t);
	t->of.fold_a = t->fold_a;
	t->of.fold_b = fold_b;
	t->of.filters = t->table->filter_changes;
	t->of.by = t->by;
	t->of.auto_units = t->table->figures.auto_units;
	/* News are no key: all of them, so that none takes long then. */
	for (int change = 0; folds && change < DIFF_CHANGES; change++)
		make_ready(t, &t->lists[change]);
	list_ready(t);
}

bool
diff_table_known(const struct diff_table *t)
{
	return t->made && t->diff.clocks != 0;
}

/* Cursor -------------------------------------------------------------------------- */

const struct diff_row *
diff_table_row(const struct diff_table *t)
{
	const struct diff_list *l = diff_table_list(t);

	return diff_table_known(t) && l->at.cursor < l->at.count
	    ? &t->diff.rows[l->rows[l->at.cursor]]
	    : NULL;
}

uint32_t
diff_table_method(const struct diff_table *t)
{
	const struct diff_row *r = diff_table_row(t);

	return r != NULL ? r->sum[DIFF_B].method : METHOD_NONE;
}

static void
wish(struct diff_table *t)
{
	const struct diff_row *r = diff_table_row(t);

	if (r == NULL)
		return;
	t->lists[t->now].wish = identity(r);
	t->lists[t->now].settled = true;
}

bool
diff_table_go(struct diff_table *t, uint32_t method)
{
	for (int change = 0; diff_table_known(t) && change < DIFF_CHANGES; change++) {
		struct diff_list *l = &t->lists[change];

		for (size_t i = 0; i < l->at.count; i++) {
			if (t->diff.rows[l->rows[i]].sum[DIFF_B].method != method)
				continue;
			t->now = (enum diff_change)change;
			l->wish = identity(&t->diff.rows[l->rows[i]]);
			l->settled = true;
			list_ready(t);
			keep(t, l);
			return true;
		}
	}
	return false;
}

/* Which columns can be seen is another matter than before. */
static void
unmeasure(struct diff_table *t)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		t->lists[change].measured = false;
	if (diff_table_known(t))
		list_ready(t);
}

void
diff_table_set_size(struct diff_table *t, size_t rows, int columns)
{
	if (t->columns != columns) {
		t->columns = columns;
		unmeasure(t);
	}
	for (int change = 0; change < DIFF_CHANGES; change++) {
		struct scroll *at = &t->lists[change].at;

		if (at->height != rows) {
			at->height = rows;
			scroll_keep(at);
		}
	}
}

bool
diff_table_move(struct diff_table *t, int64_t rows)
{
	bool moved = scroll_move(&t->lists[t->now].at, rows);

	wish(t);
	return moved;
}

bool
diff_table_centre(struct diff_table *t)
{
	return scroll_centre(&t->lists[t->now].at);
}

void
diff_table_step(struct diff_table *t, int direction)
{
	t->now = (enum diff_change)(((int)t->now + direction + DIFF_CHANGES) % DIFF_CHANGES);
	if (diff_table_known(t))
		list_ready(t);
}

void
diff_table_sort(struct diff_table *t, enum diff_column column, bool rising)
{
	t->sort = column;
	t->rising = rising;
	for (int change = 0; change < DIFF_CHANGES; change++)
		t->lists[change].sorted = false;
	/* The column that is sorted by is seen in any case. */
	unmeasure(t);
}

void
diff_table_show(struct diff_table *t, enum diff_column column, enum column_shown shown)
{
	t->shown[column] = shown;
	unmeasure(t);
}

bool
diff_table_visible(const struct diff_table *t, enum diff_column column, int columns)
{
	if (t->shown[column] == SHOWN_NO)
		return column == DIFF_COLUMN_METHOD;
	return t->shown[column] == SHOWN_YES || column == t->sort ||
	    columns >= diff_columns[column].from;
}

/* Search -------------------------------------------------------------------------- */

bool
diff_table_is_hit(const struct diff_table *t, size_t row)
{
	const struct diff_row *r = &t->diff.rows[diff_table_list(t)->rows[row]];

	if (t->table->search == NULL)
		return false;
	if (r->sum[DIFF_B].method != METHOD_NONE)
		return table_is_hit(t->table, r->sum[DIFF_B].method);
	return pattern_match(t->table->search, diff_table_raw(t, r), NULL, NULL) == PATTERN_MATCH;
}

static bool
is_hit(const void *list, size_t row)
{
	return diff_table_is_hit(list, row);
}

enum table_found
diff_table_search_next(struct diff_table *t, int direction)
{
	const struct scroll *at = &diff_table_list(t)->at;
	size_t to = at->cursor;
	enum table_found found = TABLE_NOT_FOUND;

	if (diff_table_known(t))
		found = hits_next(t, is_hit, at->count, at->cursor, direction, &to);
	if (found != TABLE_NOT_FOUND)
		diff_table_move(t, (int64_t)to - (int64_t)at->cursor);
	return found;
}

void
diff_table_search_position(const struct diff_table *t, size_t *n, size_t *of)
{
	const struct scroll *at = &diff_table_list(t)->at;

	*n = *of = 0;
	if (diff_table_known(t))
		hits_position(t, is_hit, at->count, at->cursor, n, of);
}
