// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <wchar.h>

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

/* Columns ------------------------------------------------------------------------- */

/* clang-format off */
/*
 * Default_Ignorable_Code_Point (Unicode 15.0, DerivedCoreProperties), controls from
 * DEL on, line and paragraph separator, bidirectional embeddings, interlinear marks,
 * noncharacters (the last two of each plane are tested for by value).  Ascending.
 */
static const struct {
	uint32_t first, last;
} hidden[] = {
    {0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},
    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfdd0, 0xfdef},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};
/* clang-format on */

static bool
find_hidden(uint32_t c)
{
	size_t low = 0, count = sizeof(hidden) / sizeof(*hidden), high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c > hidden[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && c >= hidden[low].first;
}

bool
utf8_hidden(uint32_t c)
{
	if (c < 0x7f)
		return c < 0x20;
	return (c & 0xfffe) == 0xfffe || find_hidden(c);
}

static bool
is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

static locale_t unicode; /* (locale_t)0: this system has none */

static void
unicode_open(void)
{
	unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* The width that the C library gives in a UTF-8 locale, in any locale. */
static int
unicode_width(uint32_t c)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	locale_t old;
	int width;

	pthread_once(&once, unicode_open);
	if (unicode == (locale_t)0)
		return 1;
	old = uselocale(unicode);
	width = wcwidth((wchar_t)c);
	uselocale(old);
	return width < 0 ? 1 : width; /* not known to it */
}

int
utf8_char_width(uint32_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return 1;
	if (is_control(c) || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return -1;
	/* wchar_t is taken to hold Unicode, which is so wherever curses shows UTF-8. */
	return utf8_locale() ? wcwidth((wchar_t)c) : unicode_width(c);
}

/* Texts --------------------------------------------------------------------------- */

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

/* Safe in a terminal -------------------------------------------------------------- */

/* The surrogate that three bytes at `at` encode, or 0. */
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
	skip(rest, length);
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
		size_t n = 0; /* bytes that are copied unchanged */

		while (n < in.n && in.p[n] >= 0x20 && in.p[n] < 0x7f)
			n++;
		if (n > 0) {
			sbuf_bytes(out, in.p, n);
			skip(&in, n);
			marks = 0;
		} else {
			clean_char(out,
			    (flags & CLEAN_MUTF8) != 0 ? modified_next(&in)
						       : utf8_next(&in),
			    (flags & CLEAN_ASCII) != 0, &marks);
		}
	}
}
