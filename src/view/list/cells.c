#include <config.h>

#include "view/list/cells.h"

#include <string.h>

void
cells_init(struct cells *c, const struct figures *figures)
{
	*c = (struct cells){.figures = figures};
}

void
cells_release(struct cells *c)
{
	list_release(&c->list);
	arena_release(&c->arena);
	mem_free(c->values);
	mem_free(c->rows);
}

void
cells_begin(struct cells *c, const struct list_source *source)
{
	if (c->list.source != source) {
		list_release(&c->list);
		list_init(&c->list, source, c, c->figures);
	}
	arena_release(&c->arena);
	c->count = 0;
}

struct value *
cells_add(struct cells *c, uint64_t identity)
{
	size_t columns = (size_t)c->list.count, at = c->count++;
	struct value *values;

	MEM_GROW(c->rows, c->row_room, c->count);
	MEM_GROW(c->values, c->value_room, c->count * columns);
	c->rows[at] = (struct cells_row){identity, 0};
	values = c->values + at * columns;
	memset(values, 0, columns * sizeof(*values));
	return values;
}

void
cells_depth(struct cells *c, uint32_t depth)
{
	c->rows[c->count - 1].depth = depth;
}

struct str
cells_keep(struct cells *c, struct str text)
{
	return arena_str(&c->arena, text);
}

void
cells_end(struct cells *c)
{
	list_update(&c->list);
}

struct value
cells_get(const void *of, const struct list_row *row, int column)
{
	const struct cells *c = of;

	return c->values[row->item * (size_t)c->list.count + (size_t)column];
}

void
cells_children(void *of, struct list *l, const struct list_row *row)
{
	const struct cells *c = of;

	(void)row;
	for (size_t i = 0; i < c->count; i++)
		list_add(l, (struct list_id){c->rows[i].identity, 0}, (uint32_t)i)->depth =
		    c->rows[i].depth;
}

size_t
cells_cursor(const struct cells *c)
{
	const struct list_row *row = list_row(&c->list);

	return row != NULL ? row->item : SIZE_MAX;
}
