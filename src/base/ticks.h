/*
 * ticks: where the labels of a time axis go.
 *
 * The step is the smallest of 1, 2 or 5 times a power of ten nanoseconds that gives a
 * label at least the room wanted; labels stand at its multiples.
 */
#ifndef SLOWTOP_BASE_TICKS_H
#define SLOWTOP_BASE_TICKS_H

#include <stdint.h>

#include "base/fmt.h"

struct ticks {
	int64_t first;  /* ns: the first multiple of step that is not before the range */
	int64_t step;   /* ns, at least 1 */
	int64_t minor;  /* ns between minor ticks, a fifth of step; 0 under 5 ns */
	uint32_t count; /* labels in the range: first + i * step for i below this */
	unsigned decimals; /* that tell labels apart when they are in `unit` */
};

/*
 * For the range [from, to) drawn in `width` cells with `cells` wanted for a label.  An
 * empty range or no width has no labels.
 */
struct ticks ticks_make(
    int64_t from, int64_t to, unsigned width, unsigned cells, enum fmt_unit unit);

#endif
