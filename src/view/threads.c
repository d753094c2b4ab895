#include <config.h>

#include "view/threads.h"

#include "base/mem.h"
#include "base/msort.h"
#include "view/hits.h"

const struct fold_thread *
threads_sum(const struct threads *t, uint32_t thread)
{
	static const struct fold_thread none;
	const struct fold *fold = t->table->figures.fold;

	return fold != NULL && thread < fold->thread_count ? &fold->threads[thread] : &none;
}

bool
threads_has(const struct threads *t, enum thread_column c)
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
	if (!threads_has(t, THREAD_CPU))
		t->sort = THREAD_WALL;
	columnset_init(&t->columns, THREAD_COLUMNS, -1);
	threads_measure(t);
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
	const struct fold_thread *sum = threads_sum(t, thread);

	switch (t->sort) {
	case THREAD_ID:
		return trace_thread(t->table->figures.trace, thread)->id;
	case THREAD_CPU:
	case THREAD_BUSY:
		return threads_span(sum, CLOCK_CPU);
	case THREAD_WALL:
		return threads_span(sum, CLOCK_WALL);
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
	int order = (x > y) - (x < y);

	if (t->sort == THREAD_NAME)
		order = str_compare(names_thread(t->table->figures.names, a),
		    names_thread(t->table->figures.names, b));
	if (order == 0)
		return (a > b) - (a < b);
	return t->rising ? order : -order;
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
	threads_measure(t);
	sort(t);
}

void
threads_sort(struct threads *t, enum thread_column column, bool rising)
{
	t->sort = column;
	t->rising = rising;
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

bool
threads_is_hit(const struct threads *t, size_t at)
{
	return table_is_thread_hit(t->table, t->items[at]);
}

static bool
is_hit(const void *threads, size_t at)
{
	return threads_is_hit(threads, at);
}

enum table_found
threads_search_next(struct threads *t, int direction)
{
	size_t at;
	enum table_found found =
	    hits_next(t, is_hit, t->at.count, t->at.cursor, direction, &at);

	if (found != TABLE_NOT_FOUND)
		threads_move(t, (int64_t)at - (int64_t)t->at.cursor);
	return found;
}

void
threads_search_position(const struct threads *t, size_t *n, size_t *of)
{
	hits_position(t, is_hit, t->at.count, t->at.cursor, n, of);
}
