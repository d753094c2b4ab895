/*
 * v2-packet: the packets of a V2 trace.
 *
 * A tag u1, then by tag:
 *   0 thread   u4 thread id, u2 length, name
 *   1 method   u8 method id, u2 length, class, name, signature and file between TABs
 *   2 block    u4 thread id, u3 count of records, u4 size, the records
 *   3 summary  u2 length, the options as text; ends the file
 */
#ifndef SLOWTOP_FORMAT_V2_PACKET_H
#define SLOWTOP_FORMAT_V2_PACKET_H

#include "base/bytes.h"
#include "base/str.h"

enum v2_tag { V2_THREAD, V2_METHOD, V2_BLOCK, V2_SUMMARY };

enum v2_fit {
	V2_WHOLE,
	V2_CUT, /* the bytes end inside it; of a block, `body` is what is there */
	V2_BAD, /* no such tag */
};

struct v2_packet {
	enum v2_tag tag;
	uint64_t id;     /* of the thread or method */
	struct str body; /* name, records or text; p NULL when it is cut before */
	uint64_t size;   /* of all of it, as far as the bytes go */
};

enum v2_fit v2_packet_read(struct v2_packet *, const uint8_t *p, uint64_t left);

/* The offset of a summary that ends where the bytes do, or UINT64_MAX. */
uint64_t v2_find_summary(struct v2_packet *, const uint8_t *p, uint64_t size);

#endif
