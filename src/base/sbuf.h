// SPDX-License-Identifier: Apache-2.0
/*
 * sbuf: a byte string that grows.
 *
 * Zero-initialise; owns its bytes until sbuf_release.  It may hold any byte; a NUL that
 * does not count follows the last.  Bytes to append must not lie in the buffer itself.
 * Appending is O(1) a byte in the long run and cannot fail.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct sbuf {
	char *p; /* NULL until the first byte */
	size_t n;
	size_t room;
};

void sbuf_bytes(struct sbuf *, const void *, size_t n);
void sbuf_str(struct sbuf *, struct str);
void sbuf_text(struct sbuf *, const char *text);
void sbuf_char(struct sbuf *, char);
/* Right-aligned in at least `width` (at most 32) columns; much faster than printf. */
void sbuf_number(struct sbuf *, int64_t number, int width);
/* Appends a number with a point before its last `decimals` digits: 1234 and 3 is 1.234. */
void sbuf_decimal(struct sbuf *, int64_t number, int decimals);
/* Appends nanoseconds as microseconds, exact: 12 or 12.345. */
void sbuf_us(struct sbuf *, int64_t ns);
void sbuf_printf(struct sbuf *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sbuf_vprintf(struct sbuf *, const char *format, va_list)
    __attribute__((format(printf, 2, 0)));

/* sbuf_view and sbuf_cstr borrow: valid until the next append, clear or release. */
static inline struct str
sbuf_view(const struct sbuf *b)
{
	return (struct str){b->p, b->n};
}

static inline const char *
sbuf_cstr(const struct sbuf *b)
{
	return b->p != NULL ? b->p : "";
}

/* Keeps the first `n` bytes. */
static inline void
sbuf_cut(struct sbuf *b, size_t n)
{
	if (n < b->n)
		b->p[b->n = n] = '\0';
}

/* Empty, memory kept. */
void sbuf_clear(struct sbuf *);
void sbuf_release(struct sbuf *);
