/* table-marks: rows that the user marked, and what they come to together. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "view/table.h"

bool
table_is_marked(const struct table *t, const struct row *row)
{
	return row->kind == ROW_METHOD && row->method < t->marked_room &&
	       t->marked[row->method] != 0;
}

static uint8_t *
mark_of(struct table *t, uint32_t method)
{
	size_t room = t->marked_room;

	MEM_GROW(t->marked, t->marked_room, (size_t)method + 1);
	if (t->marked_room > room)
		memset(t->marked + room, 0, t->marked_room - room);
	return &t->marked[method];
}

void
table_mark_method(struct table *t, uint32_t method)
{
	*mark_of(t, method) = 1;
}

bool
table_mark(struct table *t)
{
	const struct row *row = table_row(t);

	if (row == NULL || row->kind != ROW_METHOD || row->method == METHOD_TOPLEVEL)
		return false;
	*mark_of(t, row->method) ^= 1;
	table_move(t, 1);
	return true;
}

bool
table_unmark(struct table *t)
{
	bool any = false;

	for (size_t i = 0; i < t->marked_room; i++)
		any |= t->marked[i] != 0;
	if (t->marked_room > 0)
		memset(t->marked, 0, t->marked_room);
	return any;
}

struct table_marks
table_marks(const struct table *t)
{
	const struct fold *fold = t->figures.fold;
	enum clock_id clock = t->figures.clock;
	struct table_marks sum = {0};

	for (uint32_t m = 1; fold != NULL && m < fold->method_count && m < t->marked_room; m++) {
		const struct method_sum *s = &fold->methods[m];

		if (t->marked[m] == 0 || !s->present)
			continue;
		sum.count++;
		sum.inclusive += s->inclusive[clock];
		sum.exclusive += s->exclusive[clock];
		sum.calls += s->calls + s->recursive_calls;
	}
	return sum;
}
