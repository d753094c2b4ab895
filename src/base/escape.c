// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/escape.h"

#include "base/utf8.h"

/* CSV ----------------------------------------------------------------------------- */

static bool
needs_quotes(struct str field)
{
	for (size_t i = 0; i < field.n; i++) {
		if (memchr(",\"\r\n", field.p[i], 4) != NULL)
			return true;
	}
	return false;
}

/* A sign, digits, a point between them. */
static bool
is_number(struct str field)
{
	bool digit = false, point = false;

	for (size_t i = 1; i < field.n; i++) {
		if (field.p[i] == '.' && digit && !point)
			point = true;
		else if (is_digit(field.p[i]))
			digit = true;
		else
			return false;
	}
	return digit;
}

void
csv_field(struct sbuf *out, struct str field)
{
	bool formula = field.n > 0 && memchr("=+-@\t\r\n", field.p[0], 7) != NULL &&
	    !(memchr("+-", field.p[0], 2) != NULL && is_number(field));
	const char *mark = formula ? "'" : "";

	if (!needs_quotes(field)) {
		sbuf_text(out, mark);
		sbuf_str(out, field);
		return;
	}
	sbuf_char(out, '"');
	sbuf_text(out, mark);
	for (size_t i = 0; i < field.n; i++) {
		if (field.p[i] == '"')
			sbuf_char(out, '"');
		sbuf_char(out, field.p[i]);
	}
	sbuf_char(out, '"');
}

/* HTML ---------------------------------------------------------------------------- */

void
html_text(struct sbuf *out, struct str in)
{
	static const char *const references[] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;",
	    ['"'] = "&quot;", ['\''] = "&#39;"};
	struct sbuf clean = {0};
	size_t from = 0;

	clean_append(&clean, in, 0);
	for (size_t i = 0; i < clean.n; i++) {
		unsigned char c = (unsigned char)clean.p[i];
		const char *text = c <= '>' ? references[c] : NULL;

		if (text == NULL)
			continue;
		sbuf_bytes(out, clean.p + from, i - from);
		sbuf_text(out, text);
		from = i + 1;
	}
	if (clean.n > from)
		sbuf_bytes(out, clean.p + from, clean.n - from);
	sbuf_release(&clean);
}

/* True if a line may break before the `i`-th byte. */
static bool
breaks(struct str s, size_t i)
{
	char before = s.p[i - 1], c = s.p[i];

	if (is_digit(c) && (before == '.' || before == ','))
		return false;
	if (strchr("./$_:,-", before) != NULL && before != '\0')
		return strchr("./$_:,- ", c) == NULL || c == '\0';
	return c >= 'A' && c <= 'Z' && ((before >= 'a' && before <= 'z') || is_digit(before));
}

void
html_name(struct sbuf *out, struct str name)
{
	size_t from = 0;

	for (size_t i = 1; i < name.n; i++) {
		if (!breaks(name, i))
			continue;
		html_text(out, (struct str){name.p + from, i - from});
		sbuf_text(out, "<wbr>");
		from = i;
	}
	html_text(out, (struct str){name.p + from, name.n - from});
}

void
html_between(struct sbuf *out, const char *before, struct str text, const char *after)
{
	sbuf_text(out, before);
	html_text(out, text);
	sbuf_text(out, after);
}

void
html_name_between(struct sbuf *out, const char *before, struct str name, const char *after)
{
	sbuf_text(out, before);
	html_name(out, name);
	sbuf_text(out, after);
}

/* Base64 -------------------------------------------------------------------------- */

void
base64_append(struct sbuf *out, struct str bytes)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
		unsigned long three = 0;

		for (size_t k = 0; k < 3; k++)
			three = three << 8 | (k < n ? (unsigned char)bytes.p[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			sbuf_char(out,
			    k <= n ? digits[three >> (18 - 6 * k) & 0x3f] : '=');
	}
}
