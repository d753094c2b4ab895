// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/sbuf.h"

#include <stdio.h>

#include "base/mem.h"

/* Room for `more` bytes and the NUL; returns where they go. */
static char *
make_room(struct sbuf *b, size_t more)
{
	if (more >= SIZE_MAX - b->n)
		mem_exhausted(SIZE_MAX);
	MEM_GROW(b->p, b->room, b->n + more + 1);
	return b->p + b->n;
}

void
sbuf_bytes(struct sbuf *b, const void *bytes, size_t n)
{
	char *to = make_room(b, n);

	if (n > 0)
		memcpy(to, bytes, n);
	to[n] = '\0';
	b->n += n;
}

void
sbuf_str(struct sbuf *b, struct str s)
{
	sbuf_bytes(b, s.p, s.n);
}

void
sbuf_text(struct sbuf *b, const char *text)
{
	sbuf_bytes(b, text, strlen(text));
}

void
sbuf_char(struct sbuf *b, char c)
{
	char *to = make_room(b, 1);

	to[0] = c;
	to[1] = '\0';
	b->n++;
}

/* At most 19 digits, a point, a sign and the zeros before them that a point needs. */
static void
put_number(struct sbuf *b, int64_t number, int decimals, int width)
{
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	char text[64];
	int at = (int)sizeof(text);

	for (; decimals > 0; decimals--, rest /= 10) {
		text[--at] = (char)('0' + rest % 10);
		if (decimals == 1)
			text[--at] = '.';
	}
	do
		text[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (number < 0)
		text[--at] = '-';
	while ((int)sizeof(text) - at < width && at > 0)
		text[--at] = ' ';
	sbuf_bytes(b, text + at, sizeof(text) - (size_t)at);
}

void
sbuf_number(struct sbuf *b, int64_t number, int width)
{
	put_number(b, number, 0, width);
}

void
sbuf_decimal(struct sbuf *b, int64_t number, int decimals)
{
	put_number(b, number, decimals, 0);
}

void
sbuf_us(struct sbuf *b, int64_t ns)
{
	int decimals = 3;

	for (; decimals > 0 && ns % 10 == 0; decimals--)
		ns /= 10;
	put_number(b, ns, decimals, 0);
}

void
sbuf_vprintf(struct sbuf *b, const char *format, va_list args)
{
	char *to = make_room(b, 64);
	size_t room = b->room - b->n;
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(to, room, format, args);
	if (n >= 0 && (size_t)n >= room) {
		to = make_room(b, (size_t)n);
		n = vsnprintf(to, (size_t)n + 1, format, again);
	}
	va_end(again);
	if (n > 0)
		b->n += (size_t)n;
	b->p[b->n] = '\0';
}

void
sbuf_printf(struct sbuf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sbuf_vprintf(b, format, args);
	va_end(args);
}

void
sbuf_clear(struct sbuf *b)
{
	b->n = 0;
	if (b->p != NULL)
		b->p[0] = '\0';
}

void
sbuf_release(struct sbuf *b)
{
	mem_free(b->p);
	*b = (struct sbuf){0};
}
