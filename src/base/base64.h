/*
 * base64: bytes in 64 printing characters (RFC 4648, section 4), padded, on one line.
 */
#ifndef SLOWTOP_BASE_BASE64_H
#define SLOWTOP_BASE_BASE64_H

#include "base/sbuf.h"
#include "base/str.h"

void base64_append(struct sbuf *out, struct str bytes);

#endif
