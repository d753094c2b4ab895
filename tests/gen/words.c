// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
complain(struct complaint *c, const char *format, ...)
{
	va_list ap;
	int n;

	if (*c->text)
		return false;
	n = snprintf(c->text, COMPLAINT_SIZE, "line %u: ", c->line);
	va_start(ap, format);
	vsnprintf(c->text + n, COMPLAINT_SIZE - (size_t)n, format, ap);
	va_end(ap);
	return false;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Resolves the escapes of [from, end). */
static struct gen_bytes
unescape(const char *from, const char *end)
{
	static const char letters[] = "stnr\\", values[] = " \t\n\r\\";
	struct gen_bytes b = {gen_alloc((size_t)(end - from) + 1, 1), 0};
	const char *at;

	if (end - from == 2 && !memcmp(from, "\"\"", 2))
		return b;
	while (from < end) {
		if (*from != '\\' || from + 1 == end) {
			b.p[b.n++] = *from++;
		} else if (from[1] == 'x' && end - from >= 4 && hex_digit(from[2]) >= 0 &&
			   hex_digit(from[3]) >= 0) {
			b.p[b.n++] = (char)(hex_digit(from[2]) << 4 | hex_digit(from[3]));
			from += 4;
		} else if ((at = strchr(letters, from[1])) != NULL) {
			b.p[b.n++] = values[at - letters];
			from += 2;
		} else {
			b.p[b.n++] = *from++;
		}
	}
	return b;
}

bool
words_split(struct words *s, const char *text, struct complaint *r)
{
	s->n = 0;
	for (;;) {
		const char *from;

		text += strspn(text, " \t");
		if (!*text)
			return true;
		if (s->n == WORDS_MAX)
			return complain(r, "more than %d words", WORDS_MAX);
		from = text;
		text += strcspn(text, " \t");
		s->rest[s->n] = *text ? text + 1 : text;
		s->word[s->n++] = unescape(from, text);
	}
}

void
words_release(struct words *s)
{
	while (s->n)
		free(s->word[--s->n].p);
}

bool
words_number(struct gen_bytes word, uint64_t max, uint64_t *value, struct complaint *r)
{
	char *end;

	errno = 0;
	*value = strtoull(word.p, &end, 0);
	if (!isdigit((unsigned char)*word.p) || *end || errno || *value > max)
		return complain(r, "'%s' is not a number up to %llu", word.p,
		    (unsigned long long)max);
	return true;
}

bool
words_hex(const struct words *s, size_t first, struct gen_bytes *out, struct complaint *r)
{
	size_t i, k;

	*out = gen_bytes_copy("", 0);
	for (i = first; i < s->n; i++) {
		struct gen_bytes w = s->word[i];

		out->p = gen_realloc(out->p, out->n + w.n / 2 + 1, 1);
		for (k = 0;
		     k + 1 < w.n && hex_digit(w.p[k]) >= 0 && hex_digit(w.p[k + 1]) >= 0;
		     k += 2)
			out->p[out->n++] =
			    (char)(hex_digit(w.p[k]) << 4 | hex_digit(w.p[k + 1]));
		if (k != w.n) {
			free(out->p);
			return complain(
			    r, "'%s' is not pairs of hexadecimal digits", w.p);
		}
	}
	return true;
}

int
words_choice(struct gen_bytes word, const char *const *list, struct complaint *r)
{
	int i;

	for (i = 0; list[i]; i++)
		if (!strcmp(word.p, list[i]))
			return i;
	complain(r, "unknown word '%s'", word.p);
	return -1;
}

struct gen_bytes
words_text_after(const struct words *s, size_t word)
{
	const char *text = s->rest[word];

	return unescape(text, text + strlen(text));
}

bool
words_time(const char *text, int64_t *ns, const char **end, struct complaint *r)
{
	uint64_t us;
	int64_t unit = 1000;
	char *after;

	errno = 0;
	us = strtoull(text, &after, 10);
	if (!isdigit((unsigned char)*text) || errno || us > INT64_MAX / 1000 - 1)
		return complain(r, "'%s' is not a time in microseconds", text);
	*ns = (int64_t)us * 1000;
	if (*after == '.')
		for (after++; isdigit((unsigned char)*after) && unit > 1; after++)
			*ns += (*after - '0') * (unit /= 10);
	*end = after;
	return true;
}
