// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/utf8.h"

void
json_init(struct json *j, struct sbuf *out, unsigned lines)
{
	*j = (struct json){.out = out, .lines = lines};
}

void
json_finish(struct json *j)
{
	assert(j->depth == 0 && !j->after_key);
	sbuf_char(j->out, '\n');
}

static uint32_t
level(const struct json *j)
{
	return UINT32_C(1) << (j->depth - 1);
}

static void
new_line(struct json *j)
{
	if (j->depth <= j->lines)
		sbuf_printf(j->out, "\n%*s", (int)j->depth, "");
}

/* Writes the comma and the line break before an item. */
static void
next_item(struct json *j)
{
	if (j->depth == 0)
		return;
	if ((j->nonempty & level(j)) != 0)
		sbuf_char(j->out, ',');
	j->nonempty |= level(j);
	new_line(j);
}

static void
next_value(struct json *j)
{
	assert(j->depth == 0 || j->after_key == ((j->objects & level(j)) != 0));
	if (!j->after_key)
		next_item(j);
	j->after_key = false;
}

static void
begin(struct json *j, char bracket)
{
	next_value(j);
	assert(j->depth < JSON_DEPTH_MAX);
	sbuf_char(j->out, bracket);
	j->depth++;
	j->nonempty &= ~level(j);
	j->objects &= ~level(j);
}

void
json_object(struct json *j)
{
	begin(j, '{');
	j->objects |= level(j);
}

void
json_array(struct json *j)
{
	begin(j, '[');
}

void
json_end(struct json *j)
{
	assert(j->depth > 0 && !j->after_key);
	bool object = (j->objects & level(j)) != 0,
	     nonempty = (j->nonempty & level(j)) != 0;

	j->depth--;
	if (nonempty && j->depth < j->lines)
		sbuf_printf(j->out, "\n%*s", (int)j->depth, "");
	sbuf_char(j->out, object ? '}' : ']');
}

static void
put_escape(struct sbuf *out, uint32_t c)
{
	static const char shorthand[][3] = {['\b'] = "\\b",
	    ['\t'] = "\\t",
	    ['\n'] = "\\n",
	    ['\f'] = "\\f",
	    ['\r'] = "\\r",
	    ['"'] = "\\\"",
	    ['\\'] = "\\\\"};

	if (c < sizeof(shorthand) / sizeof(*shorthand) && shorthand[c][0] != '\0')
		sbuf_text(out, shorthand[c]);
	else if (c < 0x10000)
		sbuf_printf(out, "\\u%04" PRIx32, c);
	else /* a pair of surrogates */
		sbuf_printf(out, "\\u%04" PRIx32 "\\u%04" PRIx32,
		    0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
}

void
json_quoted(struct sbuf *out, struct str s)
{
	const char *plain = s.p; /* from here on nothing needed care so far */

	sbuf_char(out, '"');
	while (s.n > 0) {
		const char *at = s.p;
		uint32_t c = utf8_next(&s);

		if (c != '"' && c != '\\' && c != UTF8_MALFORMED && !utf8_hidden(c))
			continue;
		sbuf_bytes(out, plain, (size_t)(at - plain));
		plain = s.p;
		if (c == UTF8_MALFORMED)
			sbuf_text(out, UTF8_REPLACEMENT);
		else
			put_escape(out, c);
	}
	sbuf_bytes(out, plain, (size_t)(s.p - plain));
	sbuf_char(out, '"');
}

void
json_key_str(struct json *j, struct str key)
{
	assert(j->depth > 0 && (j->objects & level(j)) != 0 && !j->after_key);
	next_item(j);
	json_quoted(j->out, key);
	sbuf_char(j->out, ':');
	j->after_key = true;
}

void
json_key(struct json *j, const char *key)
{
	char out[JSON_KEY];

	json_key_str(j, str_from(json_unit_key(j->unit, key, out)));
}

const char *
json_unit_key(const char *unit, const char *key, char out[static JSON_KEY])
{
	size_t n = strlen(key);

	if (unit == NULL || n < 3 || n > JSON_KEY / 2 || strcmp(key + n - 3, "_us") != 0)
		return key;
	n -= 3;
	if (n >= 3 && memcmp(key + n - 3, "cpu", 3) == 0)
		n -= 3;
	else
		n++; /* with the line */
	memcpy(out, key, n);
	for (const char *p = unit; *p != '\0' && n < JSON_KEY - 1; p++)
		out[n++] = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || is_digit(*p) ? *p : '_';
	out[n] = '\0';
	return out;
}

void
json_null(struct json *j)
{
	next_value(j);
	sbuf_text(j->out, "null");
}

void
json_bool(struct json *j, bool value)
{
	next_value(j);
	sbuf_text(j->out, value ? "true" : "false");
}

void
json_str(struct json *j, struct str s)
{
	next_value(j);
	json_quoted(j->out, s);
}

void
json_int(struct json *j, int64_t value)
{
	next_value(j);
	sbuf_printf(j->out, "%" PRId64, value);
}

void
json_uint(struct json *j, uint64_t value)
{
	next_value(j);
	sbuf_printf(j->out, "%" PRIu64, value);
}

void
json_us(struct json *j, int64_t ns)
{
	next_value(j);
	sbuf_us(j->out, ns);
}

static void
real_put(struct json *j, double number)
{
	sbuf_text(j->out, isfinite(number) ? fmt_real(FMT_BUF, number) : "null");
}

void
json_decimal(struct json *j, double number)
{
	const double exact = 9e15; /* whole numbers up to there have all their digits */
	double thousandths = number * 1000, half = number < 0 ? -0.5 : 0.5;

	next_value(j);
	if (thousandths > -exact && thousandths < exact)
		sbuf_us(j->out, (int64_t)(thousandths + half));
	else if (number > -9.2e18 && number < 9.2e18)
		sbuf_printf(j->out, "%" PRId64, (int64_t)(number + half));
	else
		real_put(j, number);
}

void
json_real(struct json *j, double number)
{
	next_value(j);
	real_put(j, number);
}
