#include <config.h>

#include "base/clean.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"

/* Bytes at the start that stay as they are. */
static size_t
plain_run(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f)
		n++;
	return n;
}

/* The surrogate that three bytes at `at` stand for, or 0. */
static uint32_t
surrogate(struct str s, size_t at)
{
	const unsigned char *p = (const unsigned char *)s.p + at;

	if (s.n < at + 3 || p[0] != 0xed || p[1] < 0xa0 || p[1] > 0xbf || p[2] < 0x80 ||
	    p[2] > 0xbf)
		return 0;
	return 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

static uint32_t
modified_next(struct str *rest)
{
	uint32_t high = surrogate(*rest, 0), low = surrogate(*rest, 3), c;
	size_t length;

	if (str_starts(*rest, STR("\xc0\x80"))) {
		length = 2;
		c = 0;
	} else if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00) {
		length = 6;
		c = 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
	} else if (high != 0) {
		length = 3;
		c = UTF8_MALFORMED;
	} else {
		return utf8_next(rest);
	}
	rest->p += length;
	rest->n -= length;
	return c;
}

/* One character, which is not plain; `*marks` are those on the last base so far. */
static void
clean_char(struct sbuf *out, uint32_t c, bool ascii, int *marks)
{
	int width = utf8_char_width(c);
	bool bad = c == UTF8_MALFORMED || width < 0 || utf8_hidden(c);
	char bytes[4];

	if (c < 0x20 || c == 0x7f) {
		sbuf_char(out, '^');
		sbuf_char(out, (char)(c ^ 0x40));
		*marks = 0;
	} else if (ascii) {
		sbuf_char(out, '?');
	} else if (bad || (width == 0 && *marks == CLEAN_MARKS_MAX)) {
		sbuf_text(out, UTF8_REPLACEMENT);
		*marks = bad ? 0 : CLEAN_MARKS_MAX + 1;
	} else if (width > 0 || *marks < CLEAN_MARKS_MAX) {
		sbuf_bytes(out, bytes, utf8_put(bytes, c));
		*marks = width > 0 ? 0 : *marks + 1;
	}
}

void
clean_append(struct sbuf *out, struct str in, unsigned flags)
{
	int marks = CLEAN_MARKS_MAX; /* there is no base yet */

	while (in.n > 0) {
		size_t n = plain_run(in);

		if (n > 0) {
			sbuf_bytes(out, in.p, n);
			in.p += n;
			in.n -= n;
			marks = 0;
		} else {
			clean_char(out,
			    (flags & CLEAN_MUTF8) != 0 ? modified_next(&in)
						       : utf8_next(&in),
			    (flags & CLEAN_ASCII) != 0, &marks);
		}
	}
}
