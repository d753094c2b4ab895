#include <config.h>

#include "view/grid.h"

#include <string.h>

#include "base/msort.h"
#include "base/pattern.h"
#include "base/sbuf.h"
#include "base/utf8.h"

void
grid_init(struct grid *g, const struct figures *figures)
{
	*g = (struct grid){.figures = figures};
}

static void
filter_drop(struct grid *g)
{
	pattern_free(g->filter);
	mem_free(g->filter_text);
	g->filter = NULL;
	g->filter_text = NULL;
	g->filter_out = false;
	g->err = (struct err){0};
}

void
grid_release(struct grid *g)
{
	filter_drop(g);
	arena_release(&g->arena);
	mem_free(g->cells);
	mem_free(g->lines);
	mem_free(g->shown);
}

/* Filling ----------------------------------------------------------------------- */

void
grid_begin(struct grid *g, const struct grid_columns *of)
{
	if (g->of != of) {
		g->of = of;
		g->count = 0;
		while (g->count < GRID_COLUMNS_MAX && of->columns[g->count].id != NULL)
			g->count++;
		g->sort = of->sort;
		g->rising = grid_sort_rises(g, of->sort);
		g->settled = false;
		memset(g->choice, 0, sizeof(g->choice));
		filter_drop(g);
	}
	arena_release(&g->arena);
	g->line_count = 0;
	g->at.count = 0;
}

struct value *
grid_add(struct grid *g, uint64_t identity)
{
	size_t at = g->line_count++;
	struct value *cells;

	MEM_GROW(g->lines, g->line_room, g->line_count);
	MEM_GROW(g->cells, g->cell_room, g->line_count * (size_t)g->count);
	g->lines[at] = (struct grid_line){.identity = identity, .number = (uint32_t)at};
	cells = g->cells + at * (size_t)g->count;
	memset(cells, 0, (size_t)g->count * sizeof(*cells));
	return cells;
}

void
grid_depth(struct grid *g, uint32_t depth)
{
	g->lines[g->line_count - 1].depth = depth;
}

struct str
grid_keep(struct grid *g, struct str text)
{
	return arena_str(&g->arena, text);
}

struct value
grid_time(nsec ns)
{
	return (struct value){.kind = VALUE_TIME, .a = ns};
}

struct value
grid_percent(nsec part, nsec of)
{
	return (struct value){.kind = VALUE_PERCENT, .a = part, .b = of};
}

struct value
grid_count(uint64_t count)
{
	return (struct value){
	    .kind = VALUE_COUNT, .a = count > INT64_MAX ? INT64_MAX : (int64_t)count};
}

struct value
grid_number(int64_t number)
{
	return (struct value){.kind = VALUE_COUNT, .a = number};
}

struct value
grid_decimal(double number)
{
	struct value v = {.kind = VALUE_DECIMAL};

	if (!(number > -9.2e18))
		v.a = INT64_MIN;
	else if (number > 9.2e18)
		v.a = INT64_MAX;
	else
		v.a = (int64_t)number - ((double)(int64_t)number > number);
	/* Beyond these there are no thousandths in a double. */
	if (v.a > -1000000000000000 && v.a < 1000000000000000)
		v.b = (int64_t)((number - (double)v.a) * 1000);
	return v;
}

struct value
grid_text(struct str text)
{
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

static const struct value *
cell(const struct grid *g, uint32_t line, int column)
{
	return &g->cells[g->lines[line].number * (size_t)g->count + (size_t)column];
}

void
grid_row_text(const struct grid *g, uint32_t line, struct sbuf *out)
{
	sbuf_clear(out);
	for (int i = 0; i < g->count; i++) {
		const struct value *v = cell(g, line, i);

		if (v->kind != VALUE_TEXT)
			continue;
		if (out->n > 0)
			sbuf_char(out, ' ');
		sbuf_str(out, v->text);
	}
}

/* Order and filter -------------------------------------------------------------- */

struct ordering {
	const struct grid *grid;
	int column;
};

static int
line_order(const void *left, const void *right, const void *context)
{
	const struct ordering *o = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct value *x = cell(o->grid, a, o->column), *y = cell(o->grid, b, o->column);
	int64_t p = value_key(*x), q = value_key(*y);
	int order;

	if (x->kind == VALUE_TEXT && y->kind == VALUE_TEXT)
		order = str_compare(x->text, y->text);
	else if (p != q)
		order = p < q ? -1 : 1;
	else
		order = (x->b > y->b) - (x->b < y->b);
	return o->grid->rising ? order : -order;
}

static void
order(struct grid *g)
{
	const struct ordering by = {g, g->sort};
	uint32_t **items = mem_alloc((g->at.count + 1) * sizeof(*items));
	uint32_t *sorted = mem_alloc((g->at.count + 1) * sizeof(*sorted));
	size_t line = scroll_line(&g->at);

	for (size_t i = 0; i < g->at.count; i++)
		items[i] = &g->shown[i];
	msort((void **)(void *)items, g->at.count, line_order, &by);
	for (size_t i = 0; i < g->at.count; i++)
		sorted[i] = *items[i];
	mem_free(items);
	mem_free(g->shown);
	g->shown = sorted;
	g->shown_room = g->at.count + 1;
	for (size_t i = 0; g->settled && i < g->at.count; i++) {
		if (g->lines[g->shown[i]].identity == g->wish) {
			scroll_put(&g->at, i, line);
			return;
		}
	}
	scroll_keep(&g->at);
}

static bool
passes(struct grid *g, uint32_t line, struct sbuf *text)
{
	enum pattern_result result;

	if (g->filter == NULL || g->err.kind != ERR_NONE)
		return true;
	grid_row_text(g, line, text);
	result = pattern_match(g->filter, sbuf_view(text), NULL, NULL);
	if (result == PATTERN_TOO_COSTLY)
		return err_set(&g->err, ERR_LIMIT, "too costly a pattern, filters no more");
	return (result == PATTERN_MATCH) != g->filter_out;
}

/* Rows as they were added, those that pass. */
static void
choose(struct grid *g)
{
	struct sbuf text = {0};

	do {
		g->at.count = 0;
		for (size_t i = 0; i < g->line_count; i++) {
			bool failed = g->err.kind != ERR_NONE;

			if (passes(g, (uint32_t)i, &text)) {
				MEM_GROW(g->shown, g->shown_room, g->at.count + 1);
				g->shown[g->at.count++] = (uint32_t)i;
			}
			/* Gave up in the middle: once more, with all rows. */
			if (!failed && g->err.kind != ERR_NONE) {
				g->at.count = SIZE_MAX;
				break;
			}
		}
	} while (g->at.count == SIZE_MAX);
	sbuf_release(&text);
	order(g);
}

void
grid_end(struct grid *g)
{
	for (int i = 0; i < g->count; i++) {
		char out[FMT_SIZE];

		g->width[i] = (int)strlen(g->of->columns[i].title) + 1;
		for (size_t k = 0; k < g->line_count; k++) {
			const struct value *v = cell(g, (uint32_t)k, i);
			int width = (int)utf8_width(value_format(g->figures, *v, FMT_SIZE, out));

			if (width > g->width[i])
				g->width[i] = width;
		}
	}
	choose(g);
}

bool
grid_filter(struct grid *g, struct str line, struct err *e)
{
	bool out = line.n > 0 && line.p[0] == '!';
	struct str text = {line.p + out, line.n - out};
	struct pattern *pattern = NULL;

	if (text.n > 0 && !pattern_compile(text, 0, &pattern, e)) {
		e->offset += out;
		return false;
	}
	filter_drop(g);
	g->filter = pattern;
	g->filter_out = out;
	if (pattern != NULL)
		g->filter_text = mem_text(line);
	choose(g);
	return true;
}

bool
grid_sort_rises(const struct grid *g, int column)
{
	const struct grid_column *c = &g->of->columns[column];

	return c->rises || c->kind == SHEET_TEXT;
}

void
grid_sort_by(struct grid *g, int column, bool rising)
{
	g->sort = column;
	g->rising = rising;
	order(g);
}

bool
grid_sort_step(struct grid *g, int direction, int columns)
{
	int to = g->sort;

	do
		to += direction < 0 ? -1 : 1;
	while (to >= 0 && to < g->count && !grid_visible(g, to, columns));
	if (to < 0 || to >= g->count)
		return false;
	grid_sort_by(g, to, grid_sort_rises(g, to));
	return true;
}

/* Cursor ------------------------------------------------------------------------ */

size_t
grid_cursor(const struct grid *g)
{
	return g->at.cursor < g->at.count ? g->lines[g->shown[g->at.cursor]].number : SIZE_MAX;
}

void
grid_set_height(struct grid *g, size_t rows)
{
	if (g->at.height != rows) {
		g->at.height = rows;
		scroll_keep(&g->at);
	}
}

bool
grid_move(struct grid *g, int64_t rows)
{
	bool moved = scroll_move(&g->at, rows);

	if (g->at.cursor < g->at.count) {
		g->wish = g->lines[g->shown[g->at.cursor]].identity;
		g->settled = true;
	}
	return moved;
}

void
grid_centre(struct grid *g)
{
	scroll_put(&g->at, g->at.cursor, g->at.height / 2);
}
