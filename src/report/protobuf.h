/*
 * protobuf: messages of protobuf-c as fields of one that is too large for memory.
 *
 * The outer message is never made: its fields are written one after the other, each as
 * its key, its length and its bytes (Protocol Buffers' documentation, "Encoding").
 * Zero-initialise, protobuf_release.
 */
#ifndef SLOWTOP_REPORT_PROTOBUF_H
#define SLOWTOP_REPORT_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>

#include "base/sbuf.h"

struct protobuf {
	uint8_t *packed; /* scratch */
	size_t room;
};

void protobuf_release(struct protobuf *);
/*
 * A field that is a message, of at most `most` bytes when that is known (0: not), which
 * saves counting them first.
 */
void protobuf_message(struct protobuf *, struct sbuf *out, unsigned field,
    const ProtobufCMessage *, size_t most);
/* A field that is a string or bytes. */
void protobuf_bytes(struct sbuf *out, unsigned field, struct str);
/* A field that is a number. */
void protobuf_number(struct sbuf *out, unsigned field, uint64_t);

/* Borrows. */
static inline ProtobufCBinaryData
protobuf_borrow(const struct sbuf *text)
{
	return (ProtobufCBinaryData){text->n, (uint8_t *)text->p};
}

#endif
