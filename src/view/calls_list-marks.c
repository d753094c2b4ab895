/* calls_list-marks: calls that the user marked, and what they come to together. */
#include <config.h>

#include "base/mem.h"
#include "view/calls_list.h"

/* The place of a call among the marked ones; their number when it is not. */
static size_t
mark_of(const struct calls_list *l, const struct call_row *row)
{
	size_t i = 0;

	while (i < l->marked_count && (l->marked[i].order != row->order ||
	    l->marked[i].thread != row->thread || l->marked[i].start != row->start))
		i++;
	return i;
}

bool
calls_list_is_marked(const struct calls_list *l, const struct call_row *row)
{
	return mark_of(l, row) < l->marked_count;
}

bool
calls_list_mark(struct calls_list *l)
{
	const struct call_row *row = calls_list_row(l);
	size_t at;

	if (row == NULL)
		return false;
	at = mark_of(l, row);
	if (at < l->marked_count) {
		l->marked[at] = l->marked[--l->marked_count];
	} else {
		MEM_GROW(l->marked, l->marked_room, at + 1);
		l->marked[l->marked_count++] =
		    (struct call_place){row->start, row->thread, row->order};
	}
	calls_list_move(l, 1);
	return true;
}

bool
calls_list_unmark(struct calls_list *l)
{
	bool any = l->marked_count > 0;

	l->marked_count = 0;
	return any;
}

uint32_t
calls_list_marks(const struct calls_list *l, nsec *time, nsec *exclusive)
{
	uint32_t count = 0;

	*time = *exclusive = 0;
	for (size_t i = 0; l->marked_count > 0 && i < calls_list_count(l); i++) {
		const struct call_row *row = &l->calls->rows[i];

		if (!calls_list_is_marked(l, row))
			continue;
		count++;
		*time += row->time[l->clock];
		*exclusive += row->exclusive[l->clock];
	}
	return count;
}
