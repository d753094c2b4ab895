#include <config.h>

#include "format/method/lowoverhead.h"

#include "base/bytes.h"

enum {
	TIMES = 3,        /* tag of a packet of two clocks */
	TIMES_SIZE = 17,
	BLOCK = 2,
	BLOCK_HEAD = 12,
	NAME_LONGEST = 4096,
};

/* A thread (0) or method (1) packet; 0 when it is none. */
static size_t
name_size(const uint8_t *p, size_t n)
{
	size_t head = p[0] == 0 ? 7 : 11, length;

	if (p[0] > 1 || n < head)
		return 0;
	length = get_u16(p + head - 2);
	if (length > NAME_LONGEST || length > n - head)
		return 0;
	/* Method lines end in a line feed. */
	return p[0] == 0 || (length > 0 && p[head + length - 1] == '\n') ? head + length : 0;
}

/*
 * A file that begins with a block or the clocks, and has sane packets from there to its
 * end.  The sizes of blocks are not set in one of the two kinds: then the first name
 * behind the blocks cannot be found, and the file is not known.
 */
bool
lowoverhead_is(const uint8_t *p, size_t n)
{
	if (n < BLOCK_HEAD || (p[0] != BLOCK && p[0] != TIMES))
		return false;
	while (n > 0) {
		size_t size = 0;

		if (p[0] == BLOCK && n >= BLOCK_HEAD && get_u32(p + 8) <= n - BLOCK_HEAD)
			size = BLOCK_HEAD + get_u32(p + 8);
		else if (p[0] == TIMES && n >= TIMES_SIZE)
			size = TIMES_SIZE;
		else if (p[0] < BLOCK)
			size = name_size(p, n);
		if (size == 0)
			return false;
		p += size;
		n -= size;
	}
	return true;
}
