#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/sbuf.h"
#include "view/hits.h"
#include "view/table_rows.h"

enum { UNKNOWN, HIT, NO_HIT };

/* Room for so many verdicts; those that are new are not known. */
static void
make_room(uint8_t **verdicts, size_t *room, size_t count)
{
	size_t before = *room;

	if (count > before) {
		MEM_GROW(*verdicts, *room, count);
		memset(*verdicts + before, UNKNOWN, *room - before);
	}
}

static uint8_t
look_at(struct table *t, struct str text)
{
	enum pattern_result result = pattern_match(t->search, text, NULL, NULL);

	if (result == PATTERN_TOO_COSTLY)
		err_set(&t->search_err, ERR_LIMIT, "too costly a pattern, gave up");
	return result == PATTERN_MATCH ? HIT : NO_HIT;
}

/* By id and name. */
static void
look_at_threads(struct table *t)
{
	uint32_t threads = trace_thread_count(t->figures.trace);
	struct sbuf text = {0};

	make_room(&t->thread_hits, &t->thread_hit_room, threads);
	for (uint32_t i = 0; i < threads && t->search_err.kind == ERR_NONE; i++) {
		if (t->thread_hits[i] != UNKNOWN)
			continue;
		sbuf_clear(&text);
		sbuf_printf(&text, "%" PRIu32 " ", trace_thread(t->figures.trace, i)->id);
		sbuf_str(&text, names_thread(t->figures.names, i));
		t->thread_hits[i] = look_at(t, sbuf_view(&text));
	}
	sbuf_release(&text);
}

void
table_search_extend(struct table *t)
{
	uint32_t methods = t->fold != NULL ? t->fold->method_count : 0;

	if (t->search == NULL)
		return;
	make_room(&t->hits, &t->hit_room, methods);
	for (uint32_t m = 0; m < methods && t->search_err.kind == ERR_NONE; m++)
		if (t->fold->methods[m].present && t->hits[m] == UNKNOWN)
			t->hits[m] = look_at(t, names_raw(t->figures.names, m));
	look_at_threads(t);
}

void
table_search(struct table *t, struct pattern *pattern)
{
	pattern_free(t->search);
	t->search = pattern;
	t->figures.search = pattern;
	t->search_err = (struct err){0};
	t->search_changes++;
	if (t->hit_room > 0)
		memset(t->hits, UNKNOWN, t->hit_room);
	if (t->thread_hit_room > 0)
		memset(t->thread_hits, UNKNOWN, t->thread_hit_room);
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
	return t->search != NULL && thread < t->thread_hit_room && t->thread_hits[thread] == HIT;
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
	    hits_next(t, row_is_hit, t->at.count, t->at.cursor, direction, &at);

	if (found != TABLE_NOT_FOUND)
		table_move_to(t, at);
	return found;
}

void
table_search_position(const struct table *t, size_t *n, size_t *of)
{
	hits_position(t, row_is_hit, t->at.count, t->at.cursor, n, of);
}
