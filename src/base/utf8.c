#include <config.h>

#include "base/utf8.h"

#include <langinfo.h>

bool
utf8_locale(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/*
 * Well-formed sequences by first byte (Unicode table 3-7).  The second byte's range
 * keeps overlong forms, surrogates and what is above U+10FFFF out; later bytes are
 * 80..bf always.
 */
static const struct lead {
	unsigned char first, last, length, low, high;
} leads[] = {
    {0xc2, 0xdf, 2, 0x80, 0xbf},
    {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f},
    {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf},
    {0xf1, 0xf3, 4, 0x80, 0xbf},
    {0xf4, 0xf4, 4, 0x80, 0x8f},
};

static const struct lead *
find_lead(unsigned char byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(*leads); i++) {
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	}
	return NULL;
}

static void
skip(struct str *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

uint32_t
utf8_next(struct str *rest)
{
	const unsigned char *p = (const unsigned char *)rest->p;
	const struct lead *lead;
	uint32_t c = p[0];
	size_t i = 1;

	if (c >= 0x80) {
		unsigned char low, high;

		lead = find_lead(p[0]);
		if (lead == NULL) {
			skip(rest, 1);
			return UTF8_MALFORMED;
		}
		c &= 0x7fu >> lead->length;
		for (low = lead->low, high = lead->high; i < lead->length; i++) {
			if (i >= rest->n || p[i] < low || p[i] > high) {
				c = UTF8_MALFORMED;
				break;
			}
			c = c << 6 | (p[i] & 0x3fu);
			low = 0x80;
			high = 0xbf;
		}
	}
	skip(rest, i);
	return c;
}

size_t
utf8_put(char out[static 4], uint32_t c)
{
	size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	for (size_t i = length; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(length == 1 ? c : c | (0xf00u >> length & 0xff));
	return length;
}

/* Takes one cluster off `rest` and returns its columns. */
static size_t
next_cluster(struct str *rest)
{
	int width = utf8_char_width(utf8_next(rest));

	/* Nothing in ASCII is without width. */
	while (rest->n > 0 && (unsigned char)rest->p[0] >= 0x80) {
		struct str after = *rest;

		if (utf8_char_width(utf8_next(&after)) != 0)
			break;
		*rest = after;
	}
	return width < 0 ? 1 : (size_t)width;
}

size_t
utf8_width(struct str s)
{
	size_t width = 0;

	while (s.n > 0)
		width += next_cluster(&s);
	return width;
}

struct str
utf8_head(struct str s, size_t columns, size_t *used)
{
	struct str rest = s, after = s;
	size_t width = 0, more;

	while (rest.n > 0 && (more = next_cluster(&after)) <= columns - width) {
		width += more;
		rest = after;
	}
	if (used != NULL)
		*used = width;
	return (struct str){s.p, s.n - rest.n};
}

struct str
utf8_tail(struct str s, size_t columns, size_t *used)
{
	size_t width = utf8_width(s);

	while (width > columns)
		width -= next_cluster(&s);
	if (used != NULL)
		*used = width;
	return s;
}
