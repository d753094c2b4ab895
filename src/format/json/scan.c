// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/json/scan.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"

/* Finding --------------------------------------------------------------------------- */

enum { OTHER, QUOTE, OPEN, CLOSE };

static const struct jscan_value nothing = {0, STR("")};

static const uint8_t classes[256] = {
    ['"'] = QUOTE, ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE, [']'] = CLOSE};

char
jscan_peek(struct jscan *j)
{
	while (j->at < j->end && ((unsigned char)*j->at <= ' ' || *j->at == ','))
		j->at++;
	return j->at < j->end ? *j->at : 0;
}

/* Returns the quote that ends a string; NULL when the text ends before. */
static const char *
string_end(const char *at, const char *end)
{
	const char *begin = at;

	while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
		const char *slash = at;

		while (slash > begin && slash[-1] == '\\')
			slash--;
		if ((at - slash) % 2 == 0)
			return at;
		begin = ++at;
	}
	return NULL;
}

/* Returns what comes after an object or array; NULL when the text ends before. */
static const char *
nested_end(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		uint8_t class = classes[(unsigned char)*at++];

		if (class == OTHER)
			continue;
		if (class == OPEN)
			depth++;
		else if (class == CLOSE && --depth == 0)
			return at;
		else if (class == QUOTE && (at = string_end(at, end)) == NULL)
			return NULL;
		else if (class == QUOTE)
			at++;
	}
	return NULL;
}

static const char *
word_end(const char *at, const char *end)
{
	while (at < end && (unsigned char)*at > ' ' && *at != ',' && *at != ':' &&
	    classes[(unsigned char)*at] == OTHER)
		at++;
	return at;
}

enum jscan_result
jscan_value(struct jscan *j, struct jscan_value *v)
{
	char first = jscan_peek(j);
	const char *from = j->at, *to;

	*v = nothing;
	if (first == 0 && from == j->end)
		return JSCAN_CUT;
	if (first == ']' || first == '}') {
		j->at++;
		return JSCAN_CLOSED;
	}
	if (first == '"') {
		to = string_end(++from, j->end);
	} else if (first == '{' || first == '[') {
		to = nested_end(from, j->end);
	} else {
		first = '0';
		to = word_end(from, j->end);
		if (to == from)
			return JSCAN_BAD;
		if (to == j->end) /* it may go on */
			to = NULL;
	}
	if (to == NULL) {
		j->at = j->end;
		return JSCAN_CUT;
	}
	*v = (struct jscan_value){first, {from, (size_t)(to - from)}};
	j->at = to + (first == '"');
	return JSCAN_TAKEN;
}

enum jscan_result
jscan_key(struct jscan *j, struct str *key)
{
	const char *to;

	*key = (struct str){"", 0};
	switch (jscan_peek(j)) {
	case '"':
		break;
	case '}':
		j->at++;
		return JSCAN_CLOSED;
	default:
		return j->at == j->end ? JSCAN_CUT : JSCAN_BAD;
	}
	to = string_end(j->at + 1, j->end);
	if (to == NULL) {
		j->at = j->end;
		return JSCAN_CUT;
	}
	*key = (struct str){j->at + 1, (size_t)(to - j->at) - 1};
	j->at = to + 1;
	if (jscan_peek(j) != ':')
		return j->at == j->end ? JSCAN_CUT : JSCAN_BAD;
	j->at++;
	return JSCAN_TAKEN;
}

enum jscan_result
jscan_member(struct jscan *j, struct str *key, struct jscan_value *v)
{
	enum jscan_result result = jscan_key(j, key);

	*v = nothing;
	if (result != JSCAN_TAKEN)
		return result;
	result = jscan_value(j, v);
	if (result != JSCAN_CLOSED)
		return result;
	j->at--;
	return JSCAN_BAD;
}

struct jscan
jscan_inside(struct str s)
{
	bool nested = s.n > 0 && classes[(unsigned char)*s.p] == OPEN;

	return (struct jscan){s.p + nested, nested ? s.p + s.n : s.p};
}

bool
jscan_members(struct str object, const char *const *names, size_t count, struct jscan_value *values)
{
	struct jscan j = jscan_inside(object);
	enum jscan_result result;
	struct jscan_value v;
	struct str key;

	for (size_t i = 0; i < count; i++)
		values[i] = nothing;
	while ((result = jscan_member(&j, &key, &v)) == JSCAN_TAKEN) {
		for (size_t i = 0; i < count; i++) {
			if (str_equal(key, str_from(names[i])))
				values[i] = v;
		}
	}
	return result == JSCAN_CLOSED;
}

struct jscan_value
jscan_find(struct str object, const char *name)
{
	struct jscan_value v;

	(void)jscan_members(object, &name, 1, &v);
	return v;
}

/* Meaning ---------------------------------------------------------------------------- */

/* Takes four hexadecimal digits; false when they are none. */
static bool
hex_take(const char **at, const char *end, uint32_t *c)
{
	*c = 0;
	if (end - *at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char digit = (*at)[i];
		char low = (char)(digit | 0x20);

		if (!is_digit(digit) && (low < 'a' || low > 'f'))
			return false;
		*c = *c << 4 | (uint32_t)(is_digit(digit) ? digit - '0' : low - 'a' + 10);
	}
	*at += 4;
	return true;
}

static void
unicode_take(struct sbuf *out, const char **at, const char *end)
{
	char bytes[4];
	const char *second;
	uint32_t c, low;
	size_t n = 0;

	if (hex_take(at, end, &c)) {
		second = *at + 2;
		if (c >= 0xd800 && c < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' &&
		    (*at)[1] == 'u' && hex_take(&second, end, &low) && low >= 0xdc00 &&
		    low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			*at = second;
		}
		n = utf8_put(bytes, c);
	}
	if (n > 0)
		sbuf_bytes(out, bytes, n);
	else
		sbuf_text(out, UTF8_REPLACEMENT);
}

void
jscan_unescape(struct sbuf *out, struct str s)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *at = s.p, *end = s.p + s.n, *slash, *letter;

	while (at < end && (slash = memchr(at, '\\', (size_t)(end - at))) != NULL) {
		sbuf_bytes(out, at, (size_t)(slash - at));
		at = slash + 1;
		if (at == end)
			return;
		if (*at == 'u') {
			at++;
			unicode_take(out, &at, end);
			continue;
		}
		letter = *at != 0 ? strchr(letters, *at) : NULL;
		sbuf_char(out, letter != NULL ? meant[letter - letters] : *at);
		at++;
	}
	if (at < end)
		sbuf_bytes(out, at, (size_t)(end - at));
}

struct str
jscan_text(struct arena *arena, struct str s)
{
	struct sbuf text = {0};

	jscan_unescape(&text, s);
	s = arena_str(arena, sbuf_view(&text));
	sbuf_release(&text);
	return s;
}

enum { DIGITS_MOST = 40, EXPONENT_MOST = 400 };

/* Takes "e+12"; false when there is no number after the letter. */
static bool
exponent_take(const char **at, const char *end, int *exponent)
{
	uint64_t number;
	bool minus;
	const char *p;

	if (*at == end || (**at | 0x20) != 'e')
		return true;
	p = *at + 1;
	minus = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	*at = digits_take(p, end, 4, &number);
	if (*at == p)
		return false;
	*exponent += minus ? -(int)number : (int)number;
	return true;
}

bool
jscan_scaled(struct str s, int power, int64_t *scaled)
{
	const char *at = s.p, *end = s.p + s.n;
	bool minus = s.n > 0 && *at == '-', point = false, up = false;
	int exponent = power, digits = 0;
	uint64_t n = 0;

	for (at += minus; at < end && digits <= DIGITS_MOST; at++) {
		if (*at == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(*at))
			break;
		digits++;
		/* Further digits than these do not count. */
		if (n >= UINT64_MAX / 10 - 1) {
			exponent += !point;
			continue;
		}
		n = n * 10 + (uint64_t)(*at - '0');
		exponent -= point;
	}
	if (digits == 0 || digits > DIGITS_MOST || !exponent_take(&at, end, &exponent) || at < end)
		return false;
	for (; exponent > 0 && n > 0; exponent--) {
		if (n > INT64_MAX / 10)
			return false;
		n *= 10;
	}
	for (; exponent < 0 && (n > 0 || up); exponent++) {
		up = n % 10 >= 5;
		n /= 10;
	}
	n += up;
	if (n > INT64_MAX)
		return false;
	*scaled = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

bool
jscan_ns(struct str s, int64_t *ns)
{
	return jscan_scaled(s, 3, ns);
}

bool
jscan_real(struct str s, double *value)
{
	char text[64], *end;

	/* Words that strtod takes, and hexadecimal numbers, are none. */
	if (s.n == 0 || s.n >= sizeof(text) || (!is_digit(*s.p) && *s.p != '-' && *s.p != '.') ||
	    memchr(s.p, 'x', s.n) != NULL)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*value = strtod(text, &end);
	return end == text + s.n && isfinite(*value);
}
