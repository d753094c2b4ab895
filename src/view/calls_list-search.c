/* Searching the list of calls: by who called and on which thread. */
#include <config.h>

#include "base/mem.h"
#include "view/calls_list.h"
#include "view/hits.h"

uint32_t
calls_list_caller(const struct calls_list *l, const struct call_row *row)
{
	const struct calls *c = l->calls;
	uint32_t caller = c->frames[row->frame].caller;

	return caller != FRAME_NONE ? c->frames[caller].method : METHOD_TOPLEVEL;
}

/* A search through the rows, with the threads matched once. */
struct looking {
	const struct calls_list *list;
	const struct table *search;
	uint8_t *threads; /* 1: a hit */
};

static bool
is_hit(const void *looking, size_t place)
{
	const struct looking *look = looking;
	const struct call_row *row = calls_list_at(look->list, place);

	return look->threads[row->thread] != 0 ||
	       table_is_hit(look->search, calls_list_caller(look->list, row));
}

static struct looking
look_for(const struct calls_list *l, const struct table *search)
{
	uint32_t count = trace_thread_count(l->trace);
	struct looking look = {l, search, mem_zero((size_t)count + 1, 1)};

	for (uint32_t i = 0; i < count; i++)
		look.threads[i] = table_is_thread_hit(search, i);
	return look;
}

enum table_found
calls_list_search_next(struct calls_list *l, const struct table *search, int direction)
{
	struct looking look = look_for(l, search);
	size_t at;
	enum table_found found =
	    hits_next(&look, is_hit, calls_list_count(l), l->cursor, direction, &at);

	if (found != TABLE_NOT_FOUND)
		calls_list_move(l, (int64_t)at - (int64_t)l->cursor);
	mem_free(look.threads);
	return found;
}

void
calls_list_search_position(
    const struct calls_list *l, const struct table *search, size_t *n, size_t *of)
{
	struct looking look = look_for(l, search);

	hits_position(&look, is_hit, calls_list_count(l), l->cursor, n, of);
	mem_free(look.threads);
}
