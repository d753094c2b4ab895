#include <config.h>

#include "trace/plain.h"

uint64_t
plain_gaps_before(const struct plain *b, uint32_t record)
{
	uint32_t low = 0, high = b->gap_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (b->gaps[middle].record <= record)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? b->gaps[low - 1].bytes : 0;
}
