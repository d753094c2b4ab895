// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/sum/paths.h"

enum {
#define COLUMN(number, ...) number,
#include "view/threads.def"
#undef COLUMN
};

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/threads.def"
#undef COLUMN
    {.id = NULL},
};

static nsec
span(const struct fold_thread *sum, enum clock_id clock)
{
	return sum->last[clock] - sum->first[clock];
}

/* The rows may be of a fold before this one. */
static const struct fold_thread *
sum_of(const struct threads *t, uint32_t thread)
{
	static const struct fold_thread none;
	const struct fold *fold = t->display->figures.fold;

	return fold != NULL && thread < fold->thread_count ? &fold->threads[thread] : &none;
}

/* What passes the filters ----------------------------------------------------------- */

static bool
is_filtered(const struct threads *t)
{
	return t->paths != NULL && filters_active(&t->display->filters);
}

static nsec
passed(const struct threads *t, uint32_t thread)
{
	return is_filtered(t) && thread < t->passed_room ? t->passed[thread] : 0;
}

/* The time of the outermost paths of each thread that pass: time is in it once. */
static void
passed_sum(struct threads *t)
{
	const struct paths *paths = t->paths;
	struct display *display = t->display;
	enum clock_id clock = display->figures.clock;
	uint32_t *threads; /* of a path; THREAD_NONE: within one that passes */

	if (!is_filtered(t))
		return;
	MEM_GROW(t->passed, t->passed_room, trace_thread_count(display->figures.trace));
	memset(t->passed, 0, t->passed_room * sizeof(*t->passed));
	t->passed_total = 0;
	threads = mem_alloc(((size_t)paths->count + 1) * sizeof(*threads));
	for (uint32_t i = 0; i < paths->count; i++) {
		const struct path *path = &paths->items[i];

		threads[i] = i < paths->roots ? paths->root_thread[i] : threads[path->parent];
		if (i < paths->roots || threads[i] >= t->passed_room ||
		    !filters_pass(&display->filters, display->figures.names, path->method))
			continue;
		t->passed[threads[i]] += path->inclusive[clock];
		t->passed_total += path->inclusive[clock];
		threads[i] = THREAD_NONE;
	}
	mem_free(threads);
}

/* Rows ------------------------------------------------------------------------------ */

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct threads *t = of;
	const struct figures *f = &t->display->figures;
	uint32_t thread = row->item;
	const struct fold_thread *sum = sum_of(t, thread);

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/threads.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

static bool
has(const void *of, int column)
{
	const struct threads *t = of;
	const struct trace *trace = t->display->figures.trace;

	if (column == THREAD_PASSED || column == THREAD_SPREAD || column == THREAD_PART)
		return is_filtered(t);
	if (column == THREAD_WALL || column == THREAD_BUSY)
		return trace_has_clock(trace, CLOCK_WALL);
	return column != THREAD_CPU || trace_has_clock(trace, CLOCK_CPU);
}

/* The one that ran longest first. */
static int
ran_compare(const void *a, const void *b, void *context)
{
	const uint32_t *x = a, *y = b;
	nsec ran = span(sum_of(context, *x), CLOCK_CPU), other = span(sum_of(context, *y), CLOCK_CPU);

	return ran != other ? (ran < other ? 1 : -1) : (*x > *y) - (*x < *y);
}

/* The main thread, the others of its process, of a log, that have slices, all others. */
static void
children(void *of, struct list *l, const struct list_row *row)
{
	struct threads *t = of;
	const struct trace *trace = t->display->figures.trace;
	const struct fold *fold = t->display->figures.fold;
	uint32_t count = fold != NULL ? fold->thread_count : 0, ahead = 0;
	uint32_t main_thread = trace_main_thread(trace);
	uint32_t *first = mem_alloc(((size_t)count + 1) * sizeof(*first));

	if (main_thread < count && fold->threads[main_thread].records > 0)
		first[ahead++] = main_thread;
	for (uint32_t i = 0; i < count; i++) {
		if (i != main_thread && fold->threads[i].covered > 0 &&
		    trace_is_beside(trace, main_thread, i))
			first[ahead++] = i;
	}
	if (ahead > 1)
		qsort_r(first + 1, ahead - 1, sizeof(*first), ran_compare, t);
	for (uint32_t i = 0; i < ahead; i++)
		list_add(l, (struct list_id){first[i], 0}, first[i])->flags = LIST_AHEAD;
	for (uint32_t i = 0; i < count; i++) {
		if (fold->threads[i].records > 0 && i != main_thread &&
		    (fold->threads[i].covered == 0 || !trace_is_beside(trace, main_thread, i)))
			list_add(l, (struct list_id){i, 0}, i);
	}
	mem_free(first);
}

static bool
passes(void *of, const struct list_row *row)
{
	const struct threads *t = of;

	return !is_filtered(t) || passed(t, row->item) > 0;
}

static bool
hit(const void *of, const struct list_row *row)
{
	return display_is_thread_hit(((const struct threads *)of)->display, row->item);
}

/* No call is cut: nothing to say. */
static const char *
text(const void *of, const struct list_row *row, int column, struct value v,
    char out[static FMT_SIZE])
{
	const struct threads *t = of;

	out[0] = '\0';
	if (column != THREAD_OPEN || v.a > 0)
		value_format(&t->display->figures, v, FMT_SIZE, out);
	return out;
}

static void
draw_gutter(const void *of, struct canvas *c, struct rect r, const struct list_row *row)
{
	const struct threads *t = of;
	bool in = row != NULL && scope_has(*t->scope, row->item);

	if (row == NULL)
		canvas_text(c, r.row, r.column + 1, r.column + r.columns, STR("in"),
		    ROLE_HEADER | LOOK_BOLD);
	else
		canvas_format(c, r.row, r.column + 1, r.column + r.columns, ROLE_TEXT, "[%c]",
		    in ? 'x' : ' ');
}

const struct list_source threads_source = {
    .word = "threads",
    .empty = "no threads with records",
    .columns = columns,
    .sort = THREAD_CPU,
    .gutter = 5, /* ">[x] " */
    .name_least = 12,
    .get = get,
    .children = children,
    .has = has,
    .passes = passes,
    .hit = hit,
    .text = text,
    .draw_gutter = draw_gutter,
};

void
threads_init(struct threads *t, struct display *display, struct scope *const *scope)
{
	*t = (struct threads){.display = display, .scope = scope};
	list_init(&t->list, &threads_source, t, &display->figures);
	if (!has(t, THREAD_CPU))
		t->list.sort = THREAD_WALL;
	list_update(&t->list);
}

void
threads_release(struct threads *t)
{
	list_release(&t->list);
	mem_free(t->passed);
}

void
threads_follow(struct threads *t)
{
	if ((display_changed(t->display, &t->seen) & ~(unsigned)CHANGED_SEARCH) == 0)
		return;
	passed_sum(t);
	list_update(&t->list);
}

void
threads_set_paths(struct threads *t, const struct paths *paths)
{
	t->paths = paths;
	passed_sum(t);
	list_update(&t->list);
}

uint32_t
threads_cursor(const struct threads *t)
{
	const struct list_row *row = list_row(&t->list);

	return row != NULL ? row->item : THREAD_NONE;
}

bool
threads_go(struct threads *t, uint32_t thread)
{
	return list_go(&t->list, (struct list_id){thread, 0}, scroll_line(&t->list.at));
}
