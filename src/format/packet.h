/*
 * packet: what stands between the records of a streaming trace.
 *
 * A thread id of 0 announces one; then u1 opcode, and
 *   1 method   u2 length, a line as in the methods section
 *   2 thread   u2 thread id, u2 length, its name
 *   3 summary  u4 length, the text that classic files begin with; ends the file
 * Layout: ART runtime/trace.cc, Trace::FlushStreamingBuffer and its releases' likes.
 */
#ifndef SLOWTOP_FORMAT_PACKET_H
#define SLOWTOP_FORMAT_PACKET_H

#include "base/bytes.h"
#include "base/str.h"

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
