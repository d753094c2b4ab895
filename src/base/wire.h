/*
 * wire: messages of Protocol Buffers, written field by field.
 *
 * A message is written while it is made, without a copy of it: its fields are what comes
 * between wire_begin and wire_end, messages within it likewise.  Numbers of fields are the
 * caller's; ascending, as other writers have them.  Source: Protocol Buffers' documentation,
 * "Encoding".
 */
#ifndef SLOWTOP_BASE_WIRE_H
#define SLOWTOP_BASE_WIRE_H

#include "base/sbuf.h"

/* A field that is a message, bytes or packed numbers.  wire_end takes what it returns. */
size_t wire_begin(struct sbuf *, unsigned field);
void wire_end(struct sbuf *, size_t begun);
/* A field that is a number; negative ones of any type as 64 bits. */
void wire_number(struct sbuf *, unsigned field, uint64_t);
/* A packed number. */
void wire_packed(struct sbuf *, uint64_t);

#endif
