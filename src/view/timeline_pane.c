#include <config.h>

#include "view/timeline_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/timeline_rows.h"

enum {
	LABEL_MIN = 11,  /* columns of `id name` */
	LABEL_SHARE = 8, /* at most this part of a wide screen */
	NARROW = 30,     /* columns; below, labels get a third */
};

const char *const thread_order_names[THREAD_ORDERS] = {
    [ORDER_COVERAGE] = "coverage",
    [ORDER_CPU] = "cpu",
    [ORDER_NAME] = "name",
    [ORDER_ID] = "id",
};

void
timeline_pane_init(
    struct timeline_pane *p, const struct trace *trace, struct names *names)
{
	*p =
	    (struct timeline_pane){.trace = trace, .names = names, .thread = THREAD_NONE,
		.kinds = TRACKS_ALL};
	axis_init(&p->axis);
}

void
timeline_pane_release(struct timeline_pane *p)
{
	mem_free(p->threads);
	mem_free(p->facts);
	engine_timeline_free(p->cells);
	engine_marks_free(p->marks);
	engine_tracks_free(p->tracks);
	mem_free(p->rows);
	mem_free(p->wanted);
	mem_free(p->wanted_threads);
	mem_free(p->folded);
	processes_release(&p->processes);
}

/* Threads ------------------------------------------------------------------------ */

struct item {
	int class;       /* main, pinned, others */
	nsec key;        /* larger stands first */
	struct str name; /* where names decide */
	uint32_t id, index;
};

static int
item_compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = x->class - y->class;

	if (order == 0)
		order = (x->key < y->key) - (x->key > y->key);
	if (order == 0)
		order = str_compare(x->name, y->name);
	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

/* The thread that has the process's id, else the first one called main. */
static uint32_t
find_main(const struct timeline_pane *p)
{
	uint32_t named = THREAD_NONE;

	for (size_t i = p->fact_count; i-- > 0;) {
		const struct thread *t = trace_thread(p->trace, (uint32_t)i);

		if (p->facts[i].records == 0)
			continue;
		if (p->trace->pid != 0 && t->id == p->trace->pid)
			return (uint32_t)i;
		if (str_equal(t->name, STR("main")))
			named = (uint32_t)i;
	}
	return named;
}

/* Who wrote some is known when they were met. */
static void
instants_note(struct timeline_pane *p)
{
	const struct log *log = p->trace->log;

	for (uint32_t i = 0; log != NULL && i < seg_count(&log->instant_threads); i++) {
		uint32_t thread = *(const uint32_t *)seg_at(&log->instant_threads, i);

		if (thread < p->fact_count)
			p->facts[thread].instants = true;
	}
}

static void
order_threads(struct timeline_pane *p)
{
	struct item *items = mem_alloc(p->fact_count * sizeof *items);
	uint32_t main_thread = find_main(p);
	size_t count = 0;

	instants_note(p);
	for (size_t i = 0; i < p->fact_count; i++) {
		const struct thread_facts *facts = &p->facts[i];

		if (facts->records == 0 && !facts->instants)
			continue;
		items[count++] = (struct item){
		    .class = i == main_thread ? 0
			     : facts->pinned  ? 1
					      : 2,
		    .key = p->by == ORDER_COVERAGE ? facts->covered
			   : p->by == ORDER_CPU    ? facts->cpu
						   : 0,
		    .name = p->by == ORDER_NAME ? names_thread(p->names, (uint32_t)i)
						: STR(""),
		    .id = trace_thread(p->trace, (uint32_t)i)->id,
		    .index = (uint32_t)i,
		};
	}
	qsort(items, count, sizeof *items, item_compare);
	MEM_GROW(p->threads, p->thread_room, count);
	p->thread_count = count;
	for (size_t i = 0; i < count; i++)
		p->threads[i] = items[i].index;
	mem_free(items);
	if (count > 0 && !p->settled)
		p->thread = p->threads[0];
	timeline_rows_build(p);
}

void
timeline_pane_set_fold(struct timeline_pane *p, const struct fold *fold)
{
	MEM_GROW(p->facts, p->fact_room, fold->thread_count);
	for (size_t i = 0; i < fold->thread_count; i++) {
		const struct fold_thread *t = &fold->threads[i];
		bool known = i < p->fact_count, pinned = known && p->facts[i].pinned;

		/* A window changes no order. */
		if (known && !range_is_all(&fold->range)) {
			p->facts[i].records = t->records;
			continue;
		}
		p->facts[i] = (struct thread_facts){
		    .records = t->records,
		    .covered = t->covered,
		    .cpu = t->last[CLOCK_CPU] - t->first[CLOCK_CPU],
		    .pinned = pinned,
		    .open = known && p->facts[i].open,
		    .depth = known ? p->facts[i].depth : 0,
		    .depth_in = known ? p->facts[i].depth_in : RANGE_ALL,
		};
	}
	p->fact_count = fold->thread_count;
	order_threads(p);
}

void
timeline_pane_set_order(struct timeline_pane *p, enum thread_order by)
{
	p->by = by;
	order_threads(p);
}

bool
timeline_pane_pin(struct timeline_pane *p)
{
	bool pinned;

	if (p->thread >= p->fact_count)
		return false;
	pinned = p->facts[p->thread].pinned = !p->facts[p->thread].pinned;
	p->settled = true;
	order_threads(p);
	return pinned;
}

/* Size and time ------------------------------------------------------------------ */

void
timeline_pane_set_size(struct timeline_pane *p, int lines, int columns)
{
	bool full = timeline_rows_grouped(p);

	p->lines = lines;
	p->columns = columns;
	if (full != timeline_rows_grouped(p)) {
		timeline_rows_build(p);
		p->top = 0;
	}
	timeline_rows_keep(p);
}

void
timeline_pane_set_span(struct timeline_pane *p, nsec begin, nsec end)
{
	axis_set_whole(&p->axis, begin, end);
}

int
timeline_pane_rows(const struct timeline_pane *p)
{
	/* Axis above; the last line only when threads can be seen beside it. */
	return p->lines >= 3 ? p->lines - 2 : p->lines > 1 ? p->lines - 1 : 0;
}

int
timeline_pane_id_width(const struct timeline_pane *p)
{
	uint32_t largest = 99;
	char text[16];

	for (size_t i = 0; i < p->thread_count; i++) {
		uint32_t id = trace_thread(p->trace, p->threads[i])->id;

		largest = id > largest ? id : largest;
	}
	return snprintf(text, sizeof text, "%u", (unsigned)largest);
}

int
timeline_pane_label_width(const struct timeline_pane *p)
{
	int longest = 0, wanted, most = p->columns / LABEL_SHARE;

	if (p->columns < NARROW)
		return p->columns / 3;
	if (most <= LABEL_MIN)
		return LABEL_MIN;
	for (size_t i = 0; i < p->thread_count; i++) {
		size_t width = utf8_width(names_thread(p->names, p->threads[i]));

		if (width > (size_t)longest)
			longest = width < (size_t)most ? (int)width : most;
	}
	wanted = timeline_pane_id_width(p) + 1 + longest + 1;
	return wanted < LABEL_MIN ? LABEL_MIN : wanted < most ? wanted : most;
}

int
timeline_pane_cells(const struct timeline_pane *p)
{
	int cells = p->columns - timeline_pane_label_width(p);

	return cells > 0 ? cells : 0;
}

bool
timeline_pane_move_cells(struct timeline_pane *p, int64_t by)
{
	return axis_move(&p->axis, by, timeline_pane_cells(p));
}

bool
timeline_pane_cell(const struct timeline_pane *p, struct range *cell)
{
	const struct axis *a = &p->axis;
	int cells = timeline_pane_cells(p);
	int at = axis_cell(a->from, a->to, a->cursor, cells);

	if (at < 0)
		return false;
	cell->from = axis_cell_start(a->from, a->to, at, cells);
	cell->to = axis_cell_start(a->from, a->to, at + 1, cells);
	return true;
}

bool
timeline_pane_here(const struct timeline_pane *p, struct range *here)
{
	if (!timeline_pane_cell(p, here))
		return false;
	if (p->axis.exact)
		*here = (struct range){p->axis.cursor, p->axis.cursor};
	return true;
}
