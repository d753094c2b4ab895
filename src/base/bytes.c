#include <config.h>

#include "base/bytes.h"

#include <string.h>

static const uint8_t *
bytes_take(struct bytes *b, size_t need, struct err *e, const char *what)
{
	const uint8_t *at = b->p;

	if (bytes_left(b) < need) {
		err_at(e, ERR_TRUNCATED, b->offset, "truncated %s (need %zu bytes, have %zu)", what,
		    need, bytes_left(b));
		return NULL;
	}
	b->p += need;
	b->offset += need;
	return at;
}

bool
bytes_u16(struct bytes *b, uint16_t *value, struct err *e, const char *what)
{
	const uint8_t *at = bytes_take(b, 2, e, what);

	if (at == NULL)
		return false;
	*value = get_u16(at);
	return true;
}

bool
bytes_u32(struct bytes *b, uint32_t *value, struct err *e, const char *what)
{
	const uint8_t *at = bytes_take(b, 4, e, what);

	if (at == NULL)
		return false;
	*value = get_u32(at);
	return true;
}

bool
bytes_u64(struct bytes *b, uint64_t *value, struct err *e, const char *what)
{
	const uint8_t *at = bytes_take(b, 8, e, what);

	if (at == NULL)
		return false;
	*value = get_u64(at);
	return true;
}

bool
bytes_skip(struct bytes *b, size_t count, struct err *e, const char *what)
{
	return bytes_take(b, count, e, what) != NULL;
}

bool
bytes_line(struct bytes *b, struct str *line)
{
	const uint8_t *feed;
	size_t left = bytes_left(b), taken;

	if (left == 0)
		return false;
	feed = memchr(b->p, '\n', left);
	taken = feed != NULL ? (size_t)(feed - b->p) + 1 : left;
	*line = (struct str){(const char *)b->p, feed != NULL ? taken - 1 : taken};
	if (line->n > 0 && line->p[line->n - 1] == '\r')
		line->n--;
	b->p += taken;
	b->offset += taken;
	return true;
}
