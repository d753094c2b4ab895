/*
 * layout: how large the records of a streaming trace with one clock are.
 *
 * Its header says 10 bytes.  ART 6 to 13 wrote 14 all the same, the last four without
 * meaning; since 14 it is 10.  Both are tried.  The one that leads to the end of the
 * records without an impossible action is taken; where both do, or neither, the one that
 * makes sense of more of the file.  One of them mostly comes to nothing within a few
 * records; then the other need not go on.  Pages of the file that both are through with are given back.
 */
#ifndef SLOWTOP_FORMAT_METHOD_LAYOUT_H
#define SLOWTOP_FORMAT_METHOD_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/filemap.h"
#include "base/str.h"
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

/*
 * What stands between the records of a streaming trace.  A thread id of 0 announces one; then
 * u1 opcode, and
 *   1 method   u2 length, a line as in the methods section
 *   2 thread   u2 thread id, u2 length, its name
 *   3 summary  u4 length, the text that classic files begin with; ends the file
 * Layout: ART runtime/trace.cc, Trace::FlushStreamingBuffer and its releases' likes.
 */
enum packet_kind { PACKET_METHOD = 1, PACKET_THREAD = 2, PACKET_SUMMARY = 3 };

enum packet_fit {
	PACKET_WHOLE,
	PACKET_CUT, /* the bytes end inside it */
	PACKET_BAD, /* no such opcode */
};

struct packet {
	enum packet_kind kind;
	uint32_t thread;  /* of PACKET_THREAD */
	struct str text;
	uint64_t size;    /* of all of it; when PACKET_WHOLE */
};

/* `p`: where the thread id of 0 stands. */
enum packet_fit packet_read(struct packet *, const uint8_t *p, uint64_t left);

/*
 * Looks for a summary that ends where the bytes do, or is only followed by a little
 * that does not belong there.  Returns the offset of its packet and fills it, or
 * UINT64_MAX.
 */
uint64_t packet_find_summary(struct packet *, const uint8_t *p, uint64_t size);

#endif
