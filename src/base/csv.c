#include <config.h>

#include "base/csv.h"

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

static bool
is_formula(struct str field)
{
	return field.n > 0 && memchr("=+-@\t\r\n", field.p[0], 7) != NULL &&
	    !(memchr("+-", field.p[0], 2) != NULL && is_number(field));
}

void
csv_field(struct sbuf *out, struct str field)
{
	const char *mark = is_formula(field) ? "'" : "";

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
