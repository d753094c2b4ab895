// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/table.h"

#include <stdio.h>

#include "base/pattern.h"
#include "profile/sum/origins.h"

/* Source of a list ------------------------------------------------------------------ */

static const struct diff_row *
diff_row_of(const struct diff_list *l, const struct list_row *row)
{
	return &l->table->diff.rows[row->item];
}

/* Returns the display that has the row's method: that of B, unless only A has it. */
static struct display *
display_of(const struct diff_table *t, const struct diff_row *r, uint32_t *method)
{
	int side = r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

	*method = r->sum[side].method;
	return side == DIFF_B ? t->display : t->before;
}

struct str
diff_table_name(const struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	struct names *names = display_of(t, r, &method)->figures.names;

	return names_shown(names, method);
}

struct str
diff_table_raw(const struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	struct names *names = display_of(t, r, &method)->figures.names;

	return names_raw(names, method);
}

static struct str
raw(const void *of, const struct list_row *row)
{
	const struct diff_list *l = of;

	return diff_table_raw(l->table, diff_row_of(l, row));
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct diff_list *l = of;
	const struct diff_row *r = diff_row_of(l, row);

	if (column != DIFF_COLUMN_METHOD)
		return diff_column_value((enum diff_column)column, r, &l->table->by);
	return value_text(diff_table_name(l->table, r));
}

void
diff_put_origin(struct sbuf *out, const struct diff_row *r,
    const struct trace *const traces[DIFF_SIDES], struct names *const names[DIFF_SIDES])
{
	struct method m;
	int side = origin_find(r, traces, &m);
	const struct method *now;
	struct sbuf full = {0};

	/* All methods of a mapped trace have other names there. */
	if (side == DIFF_SIDES || r->why == DIFF_BY_MAPPING)
		return;
	if (r->why == DIFF_BY_RENAME) {
		now = trace_method(traces[side], r->sum[side].method);
		if (str_equal(now->class_name, m.class_name) && str_equal(now->name, m.name))
			return; /* only its signature changed */
		m.signature = STR("");
		(void)method_full_name(&full, &m);
	}
	sbuf_printf(out, "  (%sin %c ", r->why == DIFF_MOVED ? "moved? " : "", "AB"[side]);
	if (r->why == DIFF_BY_RENAME)
		sbuf_str(out, names_clean(names[side], sbuf_view(&full)));
	else
		sbuf_str(out, names_shown(names[side],
		    r->why == DIFF_MOVED ? r->moved : r->sum[side].method));
	sbuf_char(out, ')');
	sbuf_release(&full);
}

static void
put_name(const void *of, const struct list_row *row, bool own, struct sbuf *out)
{
	const struct diff_table *t = ((const struct diff_list *)of)->table;
	const struct diff_row *r = diff_row_of(of, row);

	sbuf_str(out, own ? diff_table_raw(t, r) : diff_table_name(t, r));
	if (!own)
		diff_put_origin(out, r,
		    (const struct trace *[]){t->before->figures.trace, t->display->figures.trace},
		    (struct names *[]){t->before->figures.names, t->display->figures.names});
}

static struct list_id
id_of(const struct diff_table *t, const struct diff_row *r)
{
	uint32_t method;
	const struct display *in = display_of(t, r, &method);

	return (struct list_id){identity_method(in->figures.identities, method),
	    in == t->display ? DIFF_B : DIFF_A};
}

static void
children(void *of, struct list *list, const struct list_row *row)
{
	const struct diff_list *l = of;
	const struct diff *d = &l->table->diff;

	for (uint32_t i = 0; i < d->count; i++)
		if (diff_change(&d->rows[i], &l->table->by) == l->change)
			list_add(list, id_of(l->table, &d->rows[i]), i);
}

static bool
passes(void *of, const struct list_row *row)
{
	const struct diff_list *l = of;
	uint32_t method;
	struct display *in = display_of(l->table, diff_row_of(l, row), &method);

	return filters_pass(&in->filters, in->figures.names, method);
}

static bool
hit(const void *of, const struct list_row *row)
{
	const struct diff_list *l = of;
	const struct diff_row *r = diff_row_of(l, row);

	if (r->sum[DIFF_B].method != METHOD_NONE)
		return display_is_hit(l->table->display, r->sum[DIFF_B].method);
	return pattern_match(l->table->display->search, diff_table_raw(l->table, r), NULL,
		   NULL) == PATTERN_MATCH;
}

static const char *
title(const void *of, int column, char out[static FMT_SIZE])
{
	const struct diff_table *t = ((const struct diff_list *)of)->table;

	return diff_column_title(
	    (enum diff_column)column, &t->by, t->display->figures.auto_units, out);
}

static const char *
text(const void *of, const struct list_row *row, int column, struct value v,
    char out[static FMT_SIZE])
{
	const struct diff_list *l = of;

	return diff_column_text((enum diff_column)column, diff_row_of(l, row), &l->table->by,
	    l->table->display->figures.auto_units, out);
}

/* Names of A are not the display's: what the search found of them is marked whole. */
static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct diff_list *l = of;
	int from = r.column + diff_columns[column].room, end = r.column + r.columns;
	look found = list_is_hit(&l->list, row) ? LOOK_HIT : 0;
	uint32_t method;
	struct names *names = display_of(l->table, diff_row_of(l, row), &method)->figures.names;

	canvas_text(c, r.row, r.column, end, str_from(diff_changes[l->change].mark), ROLE_TEXT);
	if (from < end)
		canvas_text(c, r.row, from, end,
		    names_fit(names, method, end - from, l->table->display->elision).text,
		    ROLE_TEXT | found);
	return true;
}

static void
draw_empty(const void *of, struct canvas *c, struct rect r)
{
	static const char *const none[DIFF_CHANGES] = {
	    [DIFF_SLOWER] = "no method takes more time",
	    [DIFF_FASTER] = "no method takes less time",
	    [DIFF_ONLY_B] = "no method is in B only",
	    [DIFF_ONLY_A] = "no method is in A only",
	    [DIFF_UNCHANGED] = "every method has changed",
	};
	const struct diff_list *l = of;
	int end = r.column + r.columns;
	int at = canvas_text(
	    c, r.row, r.column + 1, end, str_from(none[l->change]), ROLE_TEXT);

	if (filters_active(&l->table->display->filters))
		canvas_text(c, r.row, at, end,
		    STR(" that the filters leave (& edit, u undo)"), ROLE_TEXT);
}

static const struct list_source diff_source = {
    .word = "diff",
    .columns = diff_columns,
    .sort = DIFF_COLUMN_DELTA,
    .name_least = 16,
    .by_name = true,
    .get = get,
    .children = children,
    .passes = passes,
    .hit = hit,
    .raw = raw,
    .put_name = put_name,
    .title = title,
    .text = text,
    .draw = draw,
    .draw_empty = draw_empty,
};

/* In files -------------------------------------------------------------------------- */

enum { CHANGE, CLASS, NAME, SIGNATURE, CALLS, TIMES = CALLS + DIFF_SIDES, PARTS = DIFF_SIDES + 1,
	BY_CALLS = TIMES + PARTS * DIFF_VALUES * CLOCKS, BY_TIME, CLASS_A, NAME_A, SIGNATURE_A,
	FILE_COLUMNS };

#define TIME_KEYS(key) key "_a", key "_b", key "_delta"

/* Keys of the fields in files; those in A are for names that differ from those in B. */
static const char *const keys[FILE_COLUMNS] = {"change", "class", "name", "signature", "calls_a",
    "calls_b", TIME_KEYS("incl_cpu_us"), TIME_KEYS("excl_cpu_us"), TIME_KEYS("incl_wall_us"),
    TIME_KEYS("excl_wall_us"), "by_calls_us", "by_time_us", "?class_in_a", "?name_in_a",
    "?signature_in_a"};

static struct diff_by
times_by(int column)
{
	int i = (column - TIMES) / PARTS;

	return (struct diff_by){.value = i % DIFF_VALUES, .clock = i / DIFF_VALUES};
}

/* A pair's name in A; empty if it is the same. */
static struct value
name_in_a(const struct diff_table *t, const struct diff_row *r, int column)
{
	struct method m;
	int side = origin_find(r,
	    (const struct trace *[]){t->before->figures.trace, t->display->figures.trace}, &m);

	if (side == DIFF_SIDES || r->why == DIFF_MOVED)
		return VALUE_NONE;
	return value_text(column == CLASS_A ? m.class_name : column == NAME_A ? m.name : m.signature);
}

static struct value
file_name(const struct diff_table *t, const struct diff_row *r, int column)
{
	uint32_t method;
	const struct figures *f = &display_of(t, r, &method)->figures;
	const struct method *m = trace_method(f->trace, method);

	if (column == NAME)
		return value_text(m->known ? m->name : names_id(f->names, method));
	return value_text(column == CLASS ? m->class_name : m->signature);
}

static struct value
file_cell(const struct sheet *s, size_t at, int column, bool own)
{
	const struct diff_table *t = s->model;
	const struct diff_list *l = t->lists;
	const struct diff_row *r;
	struct diff_by by;

	for (; at >= l->list.at.count; l++)
		at -= l->list.at.count;
	r = diff_row_of(l, &l->list.rows[at]);
	column = s->columns[column].of;
	if (column >= TIMES && column < BY_CALLS) {
		int side = (column - TIMES) % PARTS;

		by = times_by(column);
		if (side == DIFF_SIDES)
			return value_time(diff_delta(r, &by));
		return value_if(r->sum[side].method != METHOD_NONE, value_time(diff_time(r, side, &by)));
	}
	switch (column) {
	case CHANGE:
		return value_text(str_from(diff_changes[l->change].word));
	case CALLS:
	case CALLS + DIFF_B:
		return diff_column_value(column == CALLS ? DIFF_COLUMN_CALLS_A : DIFF_COLUMN_CALLS_B,
		    r, &t->by);
	case BY_CALLS:
		return value_time(diff_cause(r, &t->by).by_calls);
	case BY_TIME:
		return value_time(diff_cause(r, &t->by).by_time);
	case CLASS_A:
	case NAME_A:
	case SIGNATURE_A:
		return name_in_a(t, r, column);
	default:
		return file_name(t, r, column);
	}
}

void
diff_table_sheet(struct sheet *s, const struct diff_table *t)
{
	*s = (struct sheet){.view = diff_source.word, .figures = &t->display->figures, .model = t,
	    .cell = file_cell};
	for (int change = 0; change < DIFF_UNCHANGED; change++)
		s->rows += t->lists[change].list.at.count;
	s->cursor = s->rows;
	for (int i = 0; i < FILE_COLUMNS; i++) {
		struct sheet_column *c = &s->columns[s->column_count];

		if (i >= TIMES && i < BY_CALLS && (t->diff.clocks & 1u << times_by(i).clock) == 0)
			continue;
		snprintf(c->key, sizeof(c->key), "%s", keys[i]);
		c->of = i;
		s->column_count++;
	}
}

/* Lists ----------------------------------------------------------------------------- */

void
diff_table_init(struct diff_table *t, struct display *display)
{
	*t = (struct diff_table){.display = display};
	for (int change = 0; change < DIFF_CHANGES; change++) {
		struct diff_list *l = &t->lists[change];

		l->table = t;
		l->change = (enum diff_change)change;
		list_init(&l->list, &diff_source, l, &display->figures);
		l->list.columns = t->lists[0].list.columns;
	}
}

static void
forget(struct diff_table *t)
{
	diff_release(&t->diff);
	diff_names_release(&t->pairs);
	t->made = false;
	for (int change = 0; change < DIFF_CHANGES; change++)
		list_clear(&t->lists[change].list);
}

void
diff_table_set_display(struct diff_table *t, struct display *display)
{
	t->display = display;
	for (int i = 0; i < DIFF_CHANGES; i++)
		t->lists[i].list.figures = &display->figures;
	diff_names_release(&t->pairs);
	t->made = false;
}

void
diff_table_release(struct diff_table *t)
{
	forget(t);
	for (int change = 0; change < DIFF_CHANGES; change++)
		list_release(&t->lists[change].list);
}

void
diff_table_begin(struct diff_table *t, struct display *before)
{
	forget(t);
	t->before = before;
	if (before != NULL)
		t->by.unit = before->figures.trace->unit;
	t->now = DIFF_SLOWER;
}

/* The present clock and least change. */
static void
settle(struct diff_table *t)
{
	enum clock_id wanted = t->display->figures.clock;

	t->by.clock = wanted;
	t->lacks = (t->diff.clocks & 1u << wanted) == 0;
	if (t->lacks)
		t->by.clock = clock_other(wanted);
	if (!t->min_given)
		t->by.min = diff_min_default(&t->diff, t->by.clock);
}

void
diff_table_follow(struct diff_table *t)
{
	const struct fold *b = t->display->fold;
	struct display *before = t->before;
	unsigned changed;
	bool figures;

	if (before == NULL || before->fold == NULL || b == NULL)
		return;
	changed = display_changed(t->display, &t->seen);
	figures = !t->made ||
	    ((changed | display_changed(before, &t->seen_before)) & CHANGED_FOLD) != 0;
	if (figures) {
		diff_release(&t->diff);
		diff_names_update(&t->pairs, before->figures.trace, t->display->figures.trace);
		diff_make(&t->diff, &t->pairs, before->fold, b);
		t->made = true;
		/* Prepares the fitting of names now rather than at a key. */
		(void)names_fit(before->figures.names,
		    trace_method_count(before->figures.trace) - 1, 1, ELISION_SHORT);
	}
	settle(t);
	figures |= t->made_by.value != t->by.value || t->made_by.clock != t->by.clock ||
	    t->made_by.min != t->by.min;
	if (figures || (changed & CHANGED_FILTERS) != 0) {
		filters_copy(&before->filters, &t->display->filters);
		for (int change = 0; change < DIFF_CHANGES; change++)
			(figures ? list_update : list_refilter)(&t->lists[change].list);
	}
	t->made_by = t->by;
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
	const struct diff_list *l = &t->lists[t->now];
	const struct list_row *row = diff_table_known(t) ? list_row(&l->list) : NULL;

	return row != NULL ? diff_row_of(l, row) : NULL;
}

uint32_t
diff_table_method(const struct diff_table *t)
{
	const struct diff_row *r = diff_table_row(t);

	return r != NULL ? r->sum[DIFF_B].method : METHOD_NONE;
}

/* Changes to another list, with the order and columns of this one. */
static void
change_to(struct diff_table *t, enum diff_change change)
{
	const struct list *from = diff_table_list(t);
	struct list *to = &t->lists[change].list;

	t->now = change;
	if (to->sort != from->sort || to->ascending != from->ascending)
		list_sort(to, from->sort, from->ascending);
}

bool
diff_table_go(struct diff_table *t, uint32_t method)
{
	struct list_id wanted = {identity_method(t->display->figures.identities, method), DIFF_B};

	for (int change = 0; diff_table_known(t) && change < DIFF_CHANGES; change++) {
		const struct list *l = &t->lists[change].list;

		for (size_t i = 0; i < l->at.count; i++) {
			struct list_id id = l->rows[i].id;

			if (!list_id_equal(id, wanted))
				continue;
			change_to(t, (enum diff_change)change);
			return list_go(diff_table_list(t), id, scroll_line(&l->at));
		}
	}
	return false;
}

void
diff_table_set_size(struct diff_table *t, int rows, int columns)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		list_set_size(&t->lists[change].list, rows, columns);
}

void
diff_table_step(struct diff_table *t, int direction)
{
	change_to(t, (enum diff_change)(((int)t->now + direction + DIFF_CHANGES) % DIFF_CHANGES));
}
