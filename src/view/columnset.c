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

/* What all but the rest take, of the first `n` in order. */
static int
taken(const struct columnset *s, const int widths[COLUMNSET_MAX], int rest, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		if (s->order[i] != rest && widths[s->order[i]] > 0)
			sum += widths[s->order[i]] + 1;
	return sum;
}

int
columnset_layout(const struct columnset *s, const int widths[COLUMNSET_MAX], int rest,
    int least, int at, int limit, struct column_slot out[COLUMNSET_MAX], bool *more)
{
	int n = s->count, count = 0, room;

	*more = false;
	if (least > widths[rest])
		least = widths[rest];
	/* The first one always stays: rows without any would say nothing. */
	while (n > 1 && at + taken(s, widths, rest, n) + least > limit) {
		n--;
		*more |= s->order[n] != rest && widths[s->order[n]] > 0;
	}
	room = limit - at - taken(s, widths, rest, n);
	for (int i = 0; i < s->count; i++) {
		int column = s->order[i], width = widths[column];

		if (width == 0 || (i >= n && column != rest))
			continue;
		if (column == rest && width > room)
			width = room > 0 ? room : 0;
		out[count++] = (struct column_slot){column, at, width};
		at += width + 1;
	}
	return count;
}
