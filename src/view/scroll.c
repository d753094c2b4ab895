#include <config.h>

#include "view/scroll.h"

void
scroll_keep(struct scroll *s)
{
	size_t margin = s->height >= 8 ? 2 : 0;
	size_t last = s->count > s->height ? s->count - s->height : 0;

	if (s->cursor >= s->count)
		s->cursor = s->count > 0 ? s->count - 1 : 0;
	if (s->height == 0) {
		s->top = s->cursor;
		return;
	}
	if (s->top + margin > s->cursor)
		s->top = s->cursor > margin ? s->cursor - margin : 0;
	if (s->cursor + margin >= s->top + s->height)
		s->top = s->cursor + margin + 1 - s->height;
	if (s->top > last)
		s->top = last;
}

bool
scroll_move(struct scroll *s, int64_t rows)
{
	size_t cursor = s->cursor, top = s->top;

	if (rows < 0 && 0 - (uint64_t)rows > s->cursor)
		s->cursor = 0;
	else
		s->cursor += (size_t)rows;
	scroll_keep(s);
	return s->cursor != cursor || s->top != top;
}

void
scroll_put(struct scroll *s, size_t row, size_t line)
{
	s->cursor = row;
	s->top = row > line ? row - line : 0;
	scroll_keep(s);
}

bool
scroll_centre(struct scroll *s)
{
	size_t before = s->top;

	scroll_put(s, s->cursor, s->height / 2);
	return s->top != before;
}
