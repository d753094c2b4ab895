#include <config.h>

#include "view/columnset.h"

void
columnset_init(struct columnset *s, int count, int last)
{
	*s = (struct columnset){.count = count, .last = last};
	for (int i = 0; i < count; i++)
		s->order[i] = i;
}

bool
columnset_move(struct columnset *s, int column, int direction,
    bool (*has)(const void *context, int column), const void *context)
{
	int from = 0, to;

	while (s->order[from] != column)
		from++;
	for (to = from + direction; to >= 0 && to < s->count; to += direction)
		if (has(context, s->order[to]))
			break;
	if (column == s->last || to < 0 || to >= s->count || s->order[to] == s->last)
		return false;
	/* Those passed over keep their place among the others. */
	for (int i = from; i != to; i += direction)
		s->order[i] = s->order[i + direction];
	s->order[to] = column;
	return true;
}

bool
columnset_widen(struct columnset *s, int column, int now, int least, int by)
{
	int width = now + by;

	if (width < least || width < COLUMN_WIDTH_MIN || width > COLUMN_WIDTH_MAX)
		return false;
	s->of[column].width = width;
	return true;
}
