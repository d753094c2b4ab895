#include <config.h>

#include "profile/timeline.h"

#include "base/mem.h"
#include "profile/gap.h"
#include "profile/replay.h"

/* Columns over a window. */
struct grid {
	nsec from, to;
	uint32_t columns;
};

static nsec
grid_edge(const struct grid *g, uint32_t column)
{
	nsec span = g->to - g->from;

	return g->from + span / g->columns * column + span % g->columns * column / g->columns;
}

static uint32_t
grid_column(const struct grid *g, nsec at)
{
	nsec width = (g->to - g->from) / g->columns;
	nsec guess = width > 0 ? (at - g->from) / (width + 1) : 0;
	uint32_t column = guess < g->columns ? (uint32_t)guess : g->columns - 1;

	/* The guess is never too large; narrow columns are found by stepping. */
	if (width == 0)
		column = (uint32_t)((at - g->from) * g->columns / (g->to - g->from));
	while (column + 1 < g->columns && grid_edge(g, column + 1) <= at)
		column++;
	return column < g->columns ? column : g->columns - 1;
}

/* What a method had of the cell that is being filled. */
struct share {
	uint32_t method;
	nsec run, sleep;
};

struct row {
	struct cell *cells;
	uint32_t column; /* of the open cell */
	nsec begin, end; /* its edges */
	struct share *shares;
	size_t count, room;
	uint32_t *place; /* by method: where its share was last; checked before use */
	nsec busy, asleep;
};

struct drawing {
	const struct profile *profile;
	struct grid grid;
	struct row *rows;
	uint32_t *row_of; /* by thread: row + 1, 0 for none */
	bool sleeps;      /* both clocks are there */
};

static uint16_t
cell_share(nsec part, nsec whole)
{
	if (part >= whole)
		return CELL_FULL;
	/* Never 0 when there is something. */
	return part == 0 ? 0 : (uint16_t)(1 + (double)part / (double)whole * (CELL_FULL - 1));
}

static void
cell_close(struct row *row)
{
	const struct share *best = NULL;
	struct cell *cell = &row->cells[row->column];
	nsec width = row->end - row->begin;

	for (size_t i = 0; i < row->count; i++) {
		const struct share *s = &row->shares[i];

		if (best == NULL || s->run > best->run ||
		    (s->run == best->run && s->run == 0 && s->sleep > best->sleep))
			best = s;
	}
	if (best != NULL)
		*cell = (struct cell){best->method, cell_share(row->busy, width),
		    cell_share(row->asleep, width)};
	row->count = 0;
	row->busy = row->asleep = 0;
}

static struct share *
share_find(const struct drawing *d, struct row *row, uint32_t method)
{
	uint32_t place;

	if (row->place == NULL)
		row->place = mem_zero(trace_method_count(d->profile->trace), sizeof(*row->place));
	place = row->place[method];
	if (place < row->count && row->shares[place].method == method)
		return &row->shares[place];
	MEM_GROW(row->shares, row->room, row->count + 1);
	row->place[method] = (uint32_t)row->count;
	row->shares[row->count] = (struct share){.method = method};
	return &row->shares[row->count++];
}

static void
cell_open(const struct drawing *d, struct row *row, uint32_t column)
{
	row->column = column;
	row->begin = grid_edge(&d->grid, column);
	row->end = grid_edge(&d->grid, column + 1);
}

/* `method` from `a` to `b`, asleep or with `busy` of every `b - a` on the CPU. */
static void
segment_add(const struct drawing *d, struct row *row, uint32_t method, nsec a, nsec b,
    bool asleep, nsec busy)
{
	nsec length = b - a;
	nsec begin = a > d->grid.from ? a : d->grid.from;
	nsec end = b < d->grid.to ? b : d->grid.to;

	while (begin < end) {
		struct share *share;
		nsec piece;

		if (begin >= row->end) {
			cell_close(row);
			cell_open(d, row, grid_column(&d->grid, begin));
		}
		piece = (row->end < end ? row->end : end) - begin;
		share = share_find(d, row, method);
		if (asleep) {
			share->sleep += piece;
			row->asleep += piece;
		} else {
			share->run += piece;
			row->busy += busy >= length ? piece
			    : piece == length       ? busy
						    : (nsec)((double)piece / (double)length * (double)busy);
		}
		begin += piece;
	}
}

static bool
draw_step(void *context, const struct step *step)
{
	struct drawing *d = context;
	const struct profile *p = d->profile;
	uint32_t row_index = d->row_of[step->thread];
	uint32_t method = p->tree.nodes[step->before].method;
	nsec a = step->from[p->axis], b = step->to[p->axis];
	struct gap gap = {step->from[CLOCK_WALL], step->to[CLOCK_WALL], step->from[CLOCK_CPU],
	    step->to[CLOCK_CPU]};
	struct row *row;

	if (row_index == 0 || step->first || a == b || method == METHOD_TOPLEVEL)
		return true;
	row = &d->rows[row_index - 1];
	if (!d->sleeps) {
		segment_add(d, row, method, a, b, false, b - a);
	} else if (gap_sleeps(&gap)) {
		segment_add(d, row, method, a, a + gap_head(&gap), false, b - a);
		segment_add(d, row, method, a + gap_head(&gap), b - gap_tail(&gap), true, 0);
		segment_add(d, row, method, b - gap_tail(&gap), b, false, b - a);
	} else {
		segment_add(d, row, method, a, b, false, gap.cpu_to - gap.cpu_from);
	}
	return true;
}

bool
timeline_draw(const struct profile *p, nsec from, nsec to, uint32_t columns,
    const uint32_t *threads, uint32_t rows, struct cell *cells, const atomic_bool *cancel)
{
	struct drawing d = {.profile = p, .grid = {from, to, columns}};
	struct scope *scope = scope_new(p->lane_count, false);
	bool whole = true;

	d.sleeps = trace_has_clock(p->trace, CLOCK_CPU) && trace_has_clock(p->trace, CLOCK_WALL);
	for (size_t i = 0; i < (size_t)columns * rows; i++)
		cells[i] = (struct cell){METHOD_NONE, 0, 0};
	d.rows = mem_zero(rows, sizeof(*d.rows));
	d.row_of = mem_zero(p->lane_count, sizeof(*d.row_of));
	for (uint32_t r = 0; r < rows; r++) {
		d.rows[r].cells = cells + (size_t)r * columns;
		if (columns > 0 && from < to)
			cell_open(&d, &d.rows[r], 0);
		if (threads[r] >= p->lane_count)
			continue;
		d.row_of[threads[r]] = r + 1;
		scope->in[threads[r]] = 1;
	}
	if (columns > 0 && from < to) {
		whole = replay_window(p, scope, from, to, draw_step, &d, cancel);
		for (uint32_t r = 0; r < rows; r++)
			cell_close(&d.rows[r]);
	}
	for (uint32_t r = 0; r < rows; r++) {
		mem_free(d.rows[r].shares);
		mem_free(d.rows[r].place);
	}
	mem_free(d.rows);
	mem_free(d.row_of);
	scope_free(scope);
	return whole;
}

struct marking {
	const struct profile *profile;
	struct grid grid;
	uint8_t *open; /* by node: the method is on its stack */
	uint8_t *marks;
};

static void
mark_span(struct marking *m, nsec a, nsec b)
{
	uint32_t column;

	if (b < m->grid.from || a > m->grid.to)
		return;
	column = grid_column(&m->grid, a > m->grid.from ? a : m->grid.from);
	m->marks[column] = 1;
	while (++column < m->grid.columns && grid_edge(&m->grid, column) < b)
		m->marks[column] = 1;
}

static bool
mark_step(void *context, const struct step *step)
{
	struct marking *m = context;
	enum clock_id axis = m->profile->axis;

	if (m->open[step->before] != 0 && !step->first)
		mark_span(m, step->from[axis], step->to[axis]);
	/* Also a call that takes no time is one. */
	if (m->open[step->after] != 0)
		mark_span(m, step->to[axis], step->to[axis]);
	return true;
}

/* A frame's stack holds the method when it is its own or its caller's does. */
static uint8_t *
nodes_with(const struct profile *p, uint32_t method)
{
	const struct tree *tree = &p->tree;
	uint8_t *open = mem_zero(tree->count, 1);

	/* Callers of roots and adopted frames are younger than these, of others older. */
	for (uint32_t n = tree->count; n-- > 1;) {
		if (tree_is_bottom(tree, n))
			open[n] = tree->nodes[n].method == method || open[tree->nodes[n].parent] != 0;
	}
	for (uint32_t n = 1; n < tree->count; n++) {
		if (!tree_is_bottom(tree, n))
			open[n] = tree->nodes[n].method == method || open[tree->nodes[n].parent] != 0;
	}
	return open;
}

bool
timeline_marks(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    uint32_t columns, uint32_t method, uint8_t *marks, const atomic_bool *cancel)
{
	struct marking m = {.profile = p, .grid = {from, to, columns}, .marks = marks};
	bool whole;

	for (uint32_t c = 0; c < columns; c++)
		marks[c] = 0;
	if (columns == 0 || from >= to)
		return true;
	m.open = nodes_with(p, method);
	whole = replay_window(p, scope, from, to, mark_step, &m, cancel);
	mem_free(m.open);
	return whole;
}
