// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/scroll.h"

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

enum hits_found
hits_next(const void *list, hits_is *is_hit, size_t count, size_t from, int direction,
    size_t *to)
{
	size_t step = direction < 0 ? count - 1 : 1, at = from;

	for (size_t i = 0; i < count; i++) {
		if (direction != 0 || i > 0)
			at = (at + step) % count;
		if (is_hit(list, at)) {
			bool wrapped = direction < 0   ? at >= from
				       : direction > 0 ? at <= from
						       : at < from;

			*to = at;
			return wrapped ? HITS_WRAPPED : HITS_FOUND;
		}
	}
	return HITS_NONE;
}

void
hits_position(
    const void *list, hits_is *is_hit, size_t count, size_t row, size_t *n, size_t *of)
{
	*n = *of = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_hit(list, i))
			continue;
		++*of;
		if (i == row)
			*n = *of;
	}
}
