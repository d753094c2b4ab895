#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "view/hits.h"
#include "view/table_rows.h"

enum { UNKNOWN, HIT, NO_HIT };

void
table_search_extend(struct table *t)
{
	uint32_t methods = t->fold != NULL ? t->fold->method_count : 0;

	if (t->search == NULL)
		return;
	if (methods > t->hit_room) {
		size_t room = t->hit_room;

		MEM_GROW(t->hits, t->hit_room, methods);
		memset(t->hits + room, UNKNOWN, t->hit_room - room);
	}
	for (uint32_t m = 0; m < methods && t->search_err.kind == ERR_NONE; m++) {
		enum pattern_result result;

		if (!t->fold->methods[m].present || t->hits[m] != UNKNOWN)
			continue;
		result =
		    pattern_match(t->search, names_raw(t->figures.names, m), NULL, NULL);
		t->hits[m] = result == PATTERN_MATCH ? HIT : NO_HIT;
		if (result == PATTERN_TOO_COSTLY)
			err_set(
			    &t->search_err, ERR_LIMIT, "too costly a pattern, gave up");
	}
}

void
table_search(struct table *t, struct pattern *pattern)
{
	pattern_free(t->search);
	t->search = pattern;
	t->search_err = (struct err){0};
	t->search_changes++;
	if (t->hit_room > 0)
		memset(t->hits, UNKNOWN, t->hit_room);
	table_search_extend(t);
}

bool
table_is_hit(const struct table *t, uint32_t method)
{
	return t->search != NULL && method < t->hit_room && t->hits[method] == HIT;
}

bool
table_is_thread_hit(const struct table *t, uint32_t thread)
{
	struct str name = names_thread(t->figures.names, thread);
	char text[320];

	if (t->search == NULL)
		return false;
	snprintf(text, sizeof(text), "%" PRIu32 " %.*s",
	    trace_thread(t->figures.trace, thread)->id,
	    (int)(name.n < 300 ? name.n : 300), name.p);
	return pattern_match(t->search, str_from(text), NULL, NULL) == PATTERN_MATCH;
}

static bool
row_is_hit(const void *table, size_t at)
{
	const struct table *t = table;

	return t->rows[at].kind != ROW_SELF && table_is_hit(t, t->rows[at].method);
}

enum table_found
table_search_next(struct table *t, int direction)
{
	size_t at;
	enum table_found found =
	    hits_next(t, row_is_hit, t->row_count, t->cursor, direction, &at);

	if (found != TABLE_NOT_FOUND)
		table_move_to(t, at);
	return found;
}

void
table_search_position(const struct table *t, size_t *n, size_t *of)
{
	hits_position(t, row_is_hit, t->row_count, t->cursor, n, of);
}
