/*
 * layout: how large the records of a streaming trace with one clock are.
 *
 * Its header says 10 bytes.  ART 6 to 13 wrote 14 all the same, the last four without
 * meaning; since 14 it is 10.  Both are tried over the whole file, and the one that
 * makes sense of it is taken.
 */
#ifndef SLOWTOP_FORMAT_LAYOUT_H
#define SLOWTOP_FORMAT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct layout {
	uint32_t record; /* bytes: 10 or 14 */
	bool starts_at_zero; /* each thread's first time is 0, as thread-cpu clocks start */
};

/* `p`: from the first record to the end of the file, or to its summary. */
struct layout layout_find(const uint8_t *p, uint64_t left);

#endif
