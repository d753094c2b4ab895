#include <config.h>

#include "view/table.h"

#include "base/mem.h"
#include "base/pattern.h"
#include "view/table_rows.h"

void
table_init(struct table *t, const struct trace *trace, struct names *names)
{
	*t = (struct table){
	    .figures = {.trace = trace,
		.names = names,
		.clock = trace_default_clock(trace)},
	    .sort = COLUMN_INCL_PERCENT,
	    .name_skip = NAME_FITTED,
	    .guest = METHOD_NONE,
	};
	filters_init(&t->filters);
	columnset_init(&t->columns, COLUMNS, COLUMN_METHOD);
	for (int i = 0; i < COLUMNS; i++)
		t->widths[i] = column_table[i].width;
}

void
table_release(struct table *t)
{
	fold_free(t->fold);
	filters_release(&t->filters);
	mem_free(t->rows);
	mem_free(t->open);
	pattern_free(t->search);
	mem_free(t->hits);
	mem_free(t->thread_hits);
	mem_free(t->marked);
}

static bool
is_seen(const struct table *t, enum column_id id)
{
	bool seen = t->columns.of[id].shown == SHOWN_YES || id == t->sort ||
	    (t->columns.of[id].shown == SHOWN_AUTO && column_table[id].from < COLUMN_ASKED);

	return seen && column_exists(id, t->figures.trace->clocks);
}

static void
measure(struct table *t)
{
	unsigned seen = 0;

	for (int i = 0; i < COLUMNS; i++)
		seen |= is_seen(t, (enum column_id)i) ? 1u << i : 0;
	column_widths(&t->figures, seen, t->widths);
	for (int i = 0; i < COLUMNS; i++) {
		int least = t->columns.of[i].width;

		if ((seen & 1u << i) != 0 && least > 0 &&
		    (column_is_text(&column_table[i]) || least > t->widths[i]))
			t->widths[i] = least;
	}
}

/* Cursor and scroll -------------------------------------------------------------- */

static void
rebuild(struct table *t)
{
	struct identity id = table_selected(t);
	size_t line = scroll_line(&t->at), at = t->at.cursor;

	if (t->fold == NULL)
		return;
	table_rows_build(t);
	table_search_extend(t);
	measure(t);
	if (!t->settled) {
		at = table_rows_first(t);
		scroll_put(&t->at, at, at);
		t->wanted = table_selected(t);
		return;
	}
	if (!table_rows_find(t, t->wanted, &at))
		table_rows_nearest(t, id, &at);
	scroll_put(&t->at, at, line);
}

static void
settle(struct table *t)
{
	t->settled = t->settled || t->at.count > 0;
}

static void
change(struct table *t)
{
	settle(t);
	rebuild(t);
}

void
table_set_fold(struct table *t, struct fold *fold)
{
	struct fold *old = t->fold;

	/* Not more of the trace, but another part: the user's choice. */
	if (old != NULL && old->records == fold->records && t->at.count > 0)
		t->settled = true;
	t->fold = fold;
	t->figures.fold = fold;
	fold_free(old);
	rebuild(t);
}

void
table_set_height(struct table *t, size_t rows)
{
	if (t->at.height != rows) {
		t->at.height = rows;
		scroll_keep(&t->at);
	}
}

void
table_set_clock(struct table *t, enum clock_id clock)
{
	t->figures.clock = clock;
	change(t);
}

void
table_set_base(struct table *t, enum percent_base base)
{
	t->figures.base = base;
	change(t);
}

void
table_set_auto_units(struct table *t, bool on)
{
	t->figures.auto_units = on;
	change(t);
}

void
table_refilter(struct table *t)
{
	t->guest = METHOD_NONE;
	t->filter_changes++;
	change(t);
}

void
table_sort(struct table *t, enum column_id id, bool ascending)
{
	t->sort = id;
	t->ascending = ascending;
	change(t);
}

void
table_sort_by(struct table *t, enum column_id id)
{
	table_sort(t, id, column_ascends(&column_table[id]));
}

void
table_invert(struct table *t)
{
	table_sort(t, t->sort, !t->ascending);
}

void
table_set_columns(struct table *t, const struct columnset *columns)
{
	t->columns = *columns;
	t->first_column = 0;
	if (t->fold != NULL)
		measure(t);
}

void
table_column_show(struct table *t, enum column_id id, enum column_shown shown)
{
	t->columns.of[id].shown = shown;
	t->first_column = 0;
	if (t->fold != NULL)
		measure(t);
}

bool
table_column_widen(struct table *t, enum column_id id, int by)
{
	int before = t->widths[id], least = t->columns.of[id].width;

	if (id == COLUMN_METHOD || t->fold == NULL || before + by < COLUMN_WIDTH_MIN ||
	    before + by > COLUMN_WIDTH_MAX)
		return false;
	t->columns.of[id].width = before + by;
	measure(t);
	if (t->widths[id] != before)
		return true;
	t->columns.of[id].width = least;
	return false;
}

/* Cursor ------------------------------------------------------------------------- */

const struct row *
table_row(const struct table *t)
{
	return t->at.cursor < t->at.count ? &t->rows[t->at.cursor] : NULL;
}

struct identity
table_selected(const struct table *t)
{
	const struct row *row = table_row(t);

	if (row == NULL)
		return (struct identity){ROW_METHOD, METHOD_NONE, METHOD_NONE};
	return (struct identity){row->kind, row->method, row->of};
}

uint32_t
table_method(const struct table *t)
{
	return table_selected(t).method;
}

bool
table_move(struct table *t, int64_t rows)
{
	bool moved = scroll_move(&t->at, rows);

	settle(t);
	if (t->at.count > 0)
		t->wanted = table_selected(t);
	return moved;
}

bool
table_move_to(struct table *t, size_t row)
{
	return table_move(t, (int64_t)row - (int64_t)t->at.cursor);
}

bool
table_centre(struct table *t)
{
	return scroll_centre(&t->at);
}

size_t
table_position(const struct table *t, size_t *of)
{
	bool top_row = t->at.count > 0 && t->rows[0].of == METHOD_TOPLEVEL;

	*of = t->at.count - top_row;
	return t->at.count == 0 ? 0 : t->at.cursor + !top_row;
}

void
table_restore(struct table *t, struct identity id, size_t line)
{
	size_t at = t->at.cursor;

	table_rows_nearest(t, id, &at);
	scroll_put(&t->at, at, line);
	settle(t);
	t->wanted = id;
}

/* Expansion ---------------------------------------------------------------------- */

bool
table_is_open(const struct table *t, uint32_t method)
{
	for (size_t i = 0; i < t->open_count; i++)
		if (t->open[i] == method)
			return true;
	return false;
}

bool
table_set_open(struct table *t, uint32_t method, bool open)
{
	size_t end;

	if (table_is_open(t, method) == open)
		return false;
	if (open) {
		MEM_GROW(t->open, t->open_room, t->open_count + 1);
		t->open[t->open_count++] = method;
	} else {
		for (size_t i = 0; i < t->open_count; i++)
			if (t->open[i] == method)
				t->open[i] = t->open[--t->open_count];
	}
	change(t);
	/* What came out should be seen, as far as the cursor stays in view. */
	for (end = t->at.cursor; end < t->at.count && t->rows[end].of == method; end++)
		;
	if (open && t->at.height > 0 && end > t->at.top + t->at.height) {
		t->at.top = end - t->at.height < t->at.cursor ? end - t->at.height : t->at.cursor;
		scroll_keep(&t->at);
	}
	return true;
}

static bool
has_row(const struct table *t, uint32_t method)
{
	const struct fold *fold = t->fold;

	return fold != NULL && method < fold->method_count &&
	       fold->methods[method].present;
}

static bool
go(struct table *t, uint32_t method, size_t line)
{
	if (!has_row(t, method))
		return false;
	if (!filters_pass(&t->filters, t->figures.names, method))
		t->guest = method;
	rebuild(t);
	table_restore(t, (struct identity){ROW_METHOD, method, method}, line);
	return true;
}

bool
table_go(struct table *t, uint32_t method)
{
	if (!has_row(t, method))
		return false;
	MEM_GROW(t->open, t->open_room, 1);
	t->open[0] = method;
	t->open_count = 1;
	return go(t, method, 0);
}

bool
table_select(struct table *t, uint32_t method)
{
	return go(t, method, scroll_line(&t->at));
}
