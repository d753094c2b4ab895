#include <config.h>

#include "view/hits.h"

enum table_found
hits_next(const void *list, hits_is is_hit, size_t count, size_t from, int direction,
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
			return wrapped ? TABLE_FOUND_WRAPPED : TABLE_FOUND;
		}
	}
	return TABLE_NOT_FOUND;
}

void
hits_position(
    const void *list, hits_is is_hit, size_t count, size_t row, size_t *n, size_t *of)
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
