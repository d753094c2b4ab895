/*
 * layout: how large the records of a streaming trace with one clock are.
 *
 * Its header says 10 bytes.  ART 6 to 13 wrote 14 all the same, the last four without
 * meaning; since 14 it is 10.  Both are tried.  The one that leads to the end of the
 * records without an impossible action is taken; where both do, or neither, the one that
 * makes sense of more of the file.  One of them mostly comes to nothing within a few
 * records; then the other need not go on.  Pages of the file that both are through with are given back.
 */
#ifndef SLOWTOP_FORMAT_LAYOUT_H
#define SLOWTOP_FORMAT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/filemap.h"
#include "trace/trace.h"

struct layout {
	uint32_t record; /* bytes: 10 or 14 */
	/* Each thread's first time is 0, as thread-cpu clocks start; if that was asked for. */
	bool starts_at_zero;
};

/*
 * `from`: of the first record; `to`: the end of the file, or its summary.  Threads that the
 * trace has by then are known, beside those that packets name.
 */
struct layout layout_find(
    const struct filemap *, const struct trace *, uint64_t from, uint64_t to, bool ask_zero);

#endif
