// SPDX-License-Identifier: Apache-2.0
/*
 * str: a borrowed run of bytes.
 *
 * Points into the mapped file, an arena or a literal; never owns, never ends in
 * a NUL by assumption.  Valid as long as what it points into.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf's "%.*s". */
#define STR_ARG(s) (int)((s).n > 0x7fffffff ? 0x7fffffff : (s).n), (s).p

static inline struct str
str_from(const char *text)
{
	return (struct str){text, strlen(text)};
}

/* The name of a file without its folders; all of a path that ends with a slash. */
static inline const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* path_base of a text. */
static inline struct str
str_base(struct str path)
{
	for (size_t i = path.n; i > 0 && path.p[path.n - 1] != '/'; i--) {
		if (path.p[i - 1] == '/')
			return (struct str){path.p + i, path.n - i};
	}
	return path;
}

static inline bool
str_equal(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || a.p == b.p || memcmp(a.p, b.p, a.n) == 0);
}

/* Bytewise order, a prefix before longer texts: <0, 0 or >0. */
static inline int
str_compare(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

	if (order != 0)
		return order;
	return (a.n > b.n) - (a.n < b.n);
}

static inline bool
str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 ||
	    (s.p[0] == prefix.p[0] && memcmp(s.p, prefix.p, prefix.n) == 0));
}

static inline bool
str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && (suffix.n == 0 ||
	    memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

static inline struct str
str_head(struct str s, size_t most)
{
	return (struct str){s.p, s.n < most ? s.n : most};
}

/* ASCII only, in any locale. */
static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The number of the first digits, at most `most` and 18; returns where they end. */
static inline const char *
digits_take(const char *p, const char *end, unsigned most, uint64_t *value)
{
	uint64_t n = 0;

	for (end = (size_t)(end - p) > most ? p + most : end; p < end && is_digit(*p); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*value = n;
	return p;
}

/* Reads hexadecimal digits in small letters, at most 16; returns where they end. */
static inline const char *
hex_digits_take(const char *at, const char *end, uint64_t *value)
{
	const char *begin = at;

	for (*value = 0; at < end && at < begin + 16; at++) {
		char c = *at;

		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			break;
		*value = *value << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	return at;
}

/*
 * Cuts `*rest` at the first `mark`: returns what is before it and leaves what is after it
 * in `*rest`.  Without a mark returns all and leaves p NULL, which tells "no more fields"
 * from "one more, empty".
 */
static inline struct str
str_cut(struct str *rest, char mark)
{
	const char *at = rest->n > 0 ? memchr(rest->p, mark, rest->n) : NULL;
	struct str head = *rest;

	if (at == NULL) {
		*rest = (struct str){NULL, 0};
		return head;
	}
	head.n = (size_t)(at - head.p);
	*rest = (struct str){at + 1, rest->n - head.n - 1};
	return head;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline const char *
blanks_skip(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* Without blanks and carriage returns at its beginning; at both ends. */
static inline struct str
str_trim_left(struct str s)
{
	for (; s.n > 0 && (is_blank(*s.p) || *s.p == '\r'); s.n--)
		s.p++;
	return s;
}

static inline struct str
str_trim(struct str s)
{
	s = str_trim_left(s);
	while (s.n > 0 && (is_blank(s.p[s.n - 1]) || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

/* Cuts off the next word of those with blanks between; empty at the end. */
static inline struct str
str_word(struct str *rest)
{
	struct str word = str_trim_left(*rest);

	for (*rest = word; rest->n > 0 && !is_blank(*rest->p); rest->n--)
		rest->p++;
	word.n -= rest->n;
	return word;
}
