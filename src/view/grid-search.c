/* The search in a grid. */
#include <config.h>

#include "base/pattern.h"
#include "base/sbuf.h"
#include "view/grid.h"
#include "view/hits.h"

bool
grid_is_hit(const struct grid *g, const struct pattern *search, size_t shown)
{
	struct sbuf text = {0};
	bool hit;

	if (search == NULL)
		return false;
	grid_row_text(g, g->shown[shown], &text);
	hit = pattern_match(search, sbuf_view(&text), NULL, NULL) == PATTERN_MATCH;
	sbuf_release(&text);
	return hit;
}

struct searched {
	const struct grid *grid;
	const struct pattern *search;
};

static bool
is_hit(const void *list, size_t row)
{
	const struct searched *s = list;

	return grid_is_hit(s->grid, s->search, row);
}

enum table_found
grid_search_next(struct grid *g, const struct pattern *search, int direction)
{
	const struct searched s = {g, search};
	size_t to = g->at.cursor;
	enum table_found found =
	    hits_next(&s, is_hit, g->at.count, g->at.cursor, direction, &to);

	if (found != TABLE_NOT_FOUND)
		grid_move(g, (int64_t)to - (int64_t)g->at.cursor);
	return found;
}

void
grid_search_position(
    const struct grid *g, const struct pattern *search, size_t *n, size_t *of)
{
	const struct searched s = {g, search};

	hits_position(&s, is_hit, g->at.count, g->at.cursor, n, of);
}
