#include <config.h>

#include "format/unnamed.h"

#include <stdlib.h>

#include "base/mem.h"

void
unnamed_count(struct unnamed *u, uint32_t row, uint64_t records, enum damage_kind kind,
    struct damage *damage, uint64_t offset)
{
	uint32_t at = idmap_get(&u->of_row, row);

	damage_add(damage, kind, records, offset);
	if (at == IDMAP_NONE) {
		at = (uint32_t)u->count;
		MEM_GROW(u->items, u->room, u->count + 1);
		u->items[u->count++] = (struct unnamed_row){.offset = offset, .row = row};
		idmap_put(&u->of_row, row, at);
	}
	if (offset < u->items[at].offset)
		u->items[at].offset = offset;
	u->items[at].records += records;
}

static int
row_order(const void *left, const void *right)
{
	const struct unnamed_row *a = left, *b = right;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

void
unnamed_settle(struct unnamed *u)
{
	if (u->settled == u->count)
		return;
	qsort(u->items + u->settled, u->count - u->settled, sizeof(*u->items), row_order);
	for (; u->settled < u->count; u->settled++)
		idmap_put(&u->of_row, u->items[u->settled].row, (uint32_t)u->settled);
}

void
unnamed_named(struct unnamed *u, uint32_t row, enum damage_kind kind, struct damage *damage)
{
	uint32_t at = idmap_get(&u->of_row, row);
	uint64_t records;

	if (at == IDMAP_NONE)
		return;
	records = u->items[at].records;
	u->items[at].records = 0;
	while (u->first < u->count && u->items[u->first].records == 0)
		u->first++;
	damage_subtract(damage, kind, records,
	    u->first < u->count ? u->items[u->first].offset : 0);
}

void
unnamed_release(struct unnamed *u)
{
	idmap_release(&u->of_row);
	mem_free(u->items);
	*u = (struct unnamed){0};
}
