#include <config.h>

#include "report/protobuf.h"

#include <string.h>

#include "base/mem.h"

enum wire { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

/* At most ten bytes; returns where it ends. */
static uint8_t *
varint(uint8_t *to, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (uint8_t)(n | 0x80);
	*to++ = (uint8_t)n;
	return to;
}

void
protobuf_release(struct protobuf *p)
{
	mem_free(p->packed);
	*p = (struct protobuf){0};
}

void
protobuf_message(struct protobuf *p, struct sbuf *out, unsigned field,
    const ProtobufCMessage *message, size_t most)
{
	uint8_t head[20], *end;
	size_t size, before;

	if (most == 0)
		most = protobuf_c_message_get_packed_size(message);
	MEM_GROW(p->packed, p->room, most + sizeof(head));
	size = protobuf_c_message_pack(message, p->packed + sizeof(head));
	end = varint(varint(head, field << 3 | WIRE_LENGTH), size);
	before = (size_t)(end - head);
	memcpy(p->packed + sizeof(head) - before, head, before);
	sbuf_bytes(out, p->packed + sizeof(head) - before, before + size);
}

void
protobuf_bytes(struct sbuf *out, unsigned field, struct str s)
{
	uint8_t head[20], *at = varint(head, field << 3 | WIRE_LENGTH);

	at = varint(at, s.n);
	sbuf_bytes(out, head, (size_t)(at - head));
	sbuf_str(out, s);
}

void
protobuf_number(struct sbuf *out, unsigned field, uint64_t n)
{
	uint8_t head[20], *at = varint(head, field << 3 | WIRE_VARINT);

	at = varint(at, n);
	sbuf_bytes(out, head, (size_t)(at - head));
}
