#include <config.h>

#include "view/threads.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/msort.h"
#include "base/pattern.h"

static const struct fold_thread *
sum_of(const struct threads *t, uint32_t thread)
{
	static const struct fold_thread none;
	const struct fold *fold = t->table->figures.fold;

	return fold != NULL && thread < fold->thread_count ? &fold->threads[thread] : &none;
}

static nsec
span(const struct fold_thread *sum, enum clock_id clock)
{
	return sum->last[clock] - sum->first[clock];
}

static bool
has(const struct threads *t, enum thread_column c)
{
	const struct trace *trace = t->table->figures.trace;

	switch (c) {
	case THREAD_CPU:
	case THREAD_BUSY:
		return trace_has_clock(trace, CLOCK_CPU);
	case THREAD_WALL:
		return trace_has_clock(trace, CLOCK_WALL);
	default:
		return true;
	}
}

void
threads_init(struct threads *t, const struct table *table)
{
	*t = (struct threads){.table = table, .wish = THREAD_NONE, .sort = THREAD_CPU};
	if (!has(t, THREAD_CPU))
		t->sort = THREAD_WALL;
}

void
threads_release(struct threads *t)
{
	mem_free(t->items);
}

/* Order --------------------------------------------------------------------------- */

static int64_t
key(const struct threads *t, uint32_t thread)
{
	const struct fold_thread *sum = sum_of(t, thread);

	switch (t->sort) {
	case THREAD_ID:
		return trace_thread(t->table->figures.trace, thread)->id;
	case THREAD_CPU:
	case THREAD_BUSY:
		return span(sum, CLOCK_CPU);
	case THREAD_WALL:
		return span(sum, CLOCK_WALL);
	case THREAD_CALLS:
		return sum->calls > INT64_MAX ? INT64_MAX : (int64_t)sum->calls;
	case THREAD_DEPTH:
		return sum->deepest;
	case THREAD_OPEN:
		return sum->open;
	case THREAD_NAME:
	case THREAD_COLUMNS:
		break;
	}
	return 0;
}

static int
thread_order(const void *left, const void *right, const void *context)
{
	const struct threads *t = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t x = key(t, a), y = key(t, b);
	int order = (x < y) - (x > y);

	if (t->sort == THREAD_NAME)
		order = str_compare(names_thread(t->table->figures.names, a),
		    names_thread(t->table->figures.names, b));
	else if (t->sort == THREAD_ID)
		order = -order;
	if (order == 0)
		return (a > b) - (a < b);
	return t->rising ? -order : order;
}

static void
sort(struct threads *t)
{
	uint32_t **order = mem_alloc((t->at.count + 1) * sizeof(*order));
	uint32_t *items = mem_alloc((t->at.count + 1) * sizeof(*items));
	size_t line = scroll_line(&t->at);

	for (size_t i = 0; i < t->at.count; i++)
		order[i] = &t->items[i];
	msort((void **)(void *)order, t->at.count, thread_order, t);
	for (size_t i = 0; i < t->at.count; i++)
		items[i] = *order[i];
	mem_free(order);
	mem_free(t->items);
	t->items = items;
	t->room = t->at.count + 1;
	for (size_t i = 0; i < t->at.count; i++) {
		if (t->items[i] == t->wish) {
			scroll_put(&t->at, i, line);
			return;
		}
	}
	scroll_keep(&t->at);
}

void
threads_follow(struct threads *t)
{
	const struct fold *fold = t->table->figures.fold;

	if (fold == t->fold || fold == NULL)
		return;
	t->fold = fold;
	t->at.count = 0;
	for (uint32_t i = 0; i < fold->thread_count; i++) {
		if (fold->threads[i].records == 0)
			continue;
		MEM_GROW(t->items, t->room, t->at.count + 1);
		t->items[t->at.count++] = i;
	}
	sort(t);
}

bool
threads_sort_step(struct threads *t, int direction)
{
	int to = (int)t->sort;

	do
		to += direction;
	while (to >= 0 && to < THREAD_COLUMNS && !has(t, (enum thread_column)to));
	if (to < 0 || to >= THREAD_COLUMNS)
		return false;
	t->sort = (enum thread_column)to;
	t->rising = false;
	sort(t);
	return true;
}

void
threads_invert(struct threads *t)
{
	t->rising = !t->rising;
	sort(t);
}

/* Cursor and search ---------------------------------------------------------------- */

void
threads_set_height(struct threads *t, size_t rows)
{
	if (t->at.height != rows) {
		t->at.height = rows;
		scroll_keep(&t->at);
	}
}

uint32_t
threads_cursor(const struct threads *t)
{
	return t->at.cursor < t->at.count ? t->items[t->at.cursor] : THREAD_NONE;
}

bool
threads_move(struct threads *t, int64_t rows)
{
	bool moved = scroll_move(&t->at, rows);

	t->wish = threads_cursor(t);
	return moved;
}

bool
threads_go(struct threads *t, uint32_t thread)
{
	for (size_t i = 0; i < t->at.count; i++) {
		if (t->items[i] == thread) {
			threads_move(t, (int64_t)i - (int64_t)t->at.cursor);
			return true;
		}
	}
	return false;
}

static bool
is_hit(const struct threads *t, size_t at)
{
	uint32_t thread = t->items[at];
	struct str name = names_thread(t->table->figures.names, thread);
	char text[320];

	if (t->table->search == NULL)
		return false;
	snprintf(text, sizeof(text), "%" PRIu32 " %.*s",
	    trace_thread(t->table->figures.trace, thread)->id,
	    (int)(name.n < 300 ? name.n : 300), name.p);
	return pattern_match(t->table->search, str_from(text), NULL, NULL) == PATTERN_MATCH;
}

enum table_found
threads_search_next(struct threads *t, int direction)
{
	size_t count = t->at.count, at = t->at.cursor;

	for (size_t i = 0; i < count; i++) {
		if (direction != 0 || i > 0)
			at = (at + (direction < 0 ? count - 1 : 1)) % count;
		if (is_hit(t, at)) {
			bool wrapped = direction < 0 ? at >= t->at.cursor
			    : direction > 0	     ? at <= t->at.cursor
						     : at < t->at.cursor;

			threads_move(t, (int64_t)at - (int64_t)t->at.cursor);
			return wrapped ? TABLE_FOUND_WRAPPED : TABLE_FOUND;
		}
	}
	return TABLE_NOT_FOUND;
}

void
threads_search_position(const struct threads *t, size_t *n, size_t *of)
{
	*n = *of = 0;
	for (size_t i = 0; i < t->at.count; i++) {
		if (!is_hit(t, i))
			continue;
		++*of;
		if (i == t->at.cursor)
			*n = *of;
	}
}

/* Drawing -------------------------------------------------------------------------- */

/* `need`: for widths of the screen from which on the column is shown. */
static const struct {
	const char *title;
	int width, need;
} columns[THREAD_COLUMNS] = {
	[THREAD_ID] = {"Tid", 7, 0},
	[THREAD_NAME] = {"Name", 0, 0},
	[THREAD_CPU] = {"CPU ms", 11, 0},
	[THREAD_WALL] = {"Wall ms", 11, 60},
	[THREAD_BUSY] = {"Busy%", 7, 70},
	[THREAD_CALLS] = {"Calls", 10, 50},
	[THREAD_DEPTH] = {"Depth", 6, 76},
	[THREAD_OPEN] = {"Open", 6, 80},
};

enum { IN = 5 }; /* ">[x] " */

static bool
visible(const struct threads *t, enum thread_column c, int screen)
{
	return has(t, c) && (screen >= columns[c].need || c == t->sort);
}

const char *
threads_sort_name(const struct threads *t)
{
	return columns[t->sort].title;
}

/* Where a column ends, counted from the right edge; the name begins behind the id. */
static int
column_end(const struct threads *t, enum thread_column c, int screen)
{
	int end = screen;

	for (int i = THREAD_COLUMNS - 1; i > (int)c; i--) {
		if (i > THREAD_NAME && visible(t, (enum thread_column)i, screen))
			end -= columns[i].width;
	}
	return c == THREAD_ID ? IN + columns[c].width - 1 : end;
}

static void
put(struct canvas *c, int row, int end, struct str text, look style)
{
	canvas_text(c, row, end - (int)text.n, end, text, style);
}

static void
draw_header(struct canvas *c, struct rect r, const struct threads *t)
{
	look style = ROLE_HEADER | LOOK_BOLD;

	canvas_fill(c, r.row, r.column, r.column + r.columns, ' ', style);
	canvas_text(c, r.row, r.column + 1, r.column + r.columns, STR("in"), style);
	for (int i = 0; i < THREAD_COLUMNS; i++) {
		char title[20];

		if (!visible(t, (enum thread_column)i, r.columns))
			continue;
		snprintf(title, sizeof(title), "%s%s", columns[i].title,
		    i != (int)t->sort ? ""
			: t->rising   ? "^"
				      : "v");
		if (i == THREAD_NAME)
			canvas_text(c, r.row, r.column + IN + columns[THREAD_ID].width,
			    r.column + r.columns, str_from(title), style);
		else
			put(c, r.row, r.column + column_end(t, (enum thread_column)i, r.columns),
			    str_from(title), style);
	}
}

/* From the first event of any thread to the last, on the clock they share. */
static nsec
trace_length(const struct threads *t)
{
	enum clock_id clock = trace_default_clock(t->table->figures.trace);
	nsec first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < t->at.count; i++) {
		const struct fold_thread *sum = sum_of(t, t->items[i]);

		if (span(sum, clock) == 0)
			continue;
		if (sum->first[clock] < first)
			first = sum->first[clock];
		if (sum->last[clock] > last)
			last = sum->last[clock];
	}
	return last > first ? last - first : 0;
}

static struct str
figure(const struct threads *t, uint32_t thread, enum thread_column c, nsec length,
    char out[static FMT_SIZE])
{
	const struct fold_thread *sum = sum_of(t, thread);

	out[0] = '\0';
	switch (c) {
	case THREAD_ID:
		snprintf(out, FMT_SIZE, "%" PRIu32,
		    trace_thread(t->table->figures.trace, thread)->id);
		break;
	case THREAD_CPU:
		fmt_ms(out, span(sum, CLOCK_CPU));
		break;
	case THREAD_WALL:
		fmt_ms(out, span(sum, CLOCK_WALL));
		break;
	case THREAD_BUSY:
		fmt_percent(out, span(sum, CLOCK_CPU), length);
		break;
	case THREAD_CALLS:
		snprintf(out, FMT_SIZE, "%" PRIu64, sum->calls);
		break;
	case THREAD_DEPTH:
		snprintf(out, FMT_SIZE, "%" PRIu32, sum->deepest);
		break;
	case THREAD_OPEN:
		if (sum->open > 0)
			snprintf(out, FMT_SIZE, "%" PRIu32, sum->open);
		break;
	case THREAD_NAME:
	case THREAD_COLUMNS:
		break;
	}
	return str_from(out);
}

static void
draw_row(struct canvas *c, struct rect r, const struct threads *t, size_t at, nsec length,
    bool chosen)
{
	uint32_t thread = t->items[at];
	int name = r.column + IN + columns[THREAD_ID].width, right = r.column + r.columns;
	int name_end = r.column + column_end(t, THREAD_NAME, r.columns);
	char out[FMT_SIZE];
	struct str text;

	canvas_format(c, r.row, r.column, right, ROLE_TEXT, "%c[%c]",
	    at == t->at.cursor ? '>' : ' ', chosen ? 'x' : ' ');
	for (int i = 0; i < THREAD_COLUMNS; i++) {
		if (i != THREAD_NAME && visible(t, (enum thread_column)i, r.columns))
			put(c, r.row, r.column + column_end(t, (enum thread_column)i, r.columns),
			    figure(t, thread, (enum thread_column)i, length, out), ROLE_TEXT);
	}
	text = names_thread(t->table->figures.names, thread);
	text = names_head(t->table->figures.names, text, name_end - name);
	canvas_text(c, r.row, name, name_end, text, ROLE_TEXT | (is_hit(t, at) ? LOOK_HIT : 0));
	if (at == t->at.cursor)
		canvas_add_look(c, r.row, r.column, right, LOOK_SELECTED);
}

int
threads_draw(struct canvas *c, struct rect r, const struct threads *t,
    const struct scope *scope)
{
	nsec length = trace_length(t);

	draw_header(c, r, t);
	for (int i = 1; i < r.rows; i++) {
		struct rect line = {r.row + i, r.column, 1, r.columns};
		size_t at = t->at.top + (size_t)i - 1;

		canvas_fill(c, line.row, r.column, r.column + r.columns, ' ', ROLE_TEXT);
		if (at < t->at.count)
			draw_row(c, line, t, at, length, scope_has(scope, t->items[at]));
		else if (at == 0)
			canvas_text(c, line.row, r.column + 1, r.column + r.columns,
			    STR("no threads with records"), ROLE_TEXT);
	}
	return t->at.count > 0 ? r.row + 1 + (int)scroll_line(&t->at) : -1;
}
