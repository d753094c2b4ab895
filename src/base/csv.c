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

void
csv_field(struct sbuf *out, struct str field)
{
	if (!needs_quotes(field)) {
		sbuf_str(out, field);
		return;
	}
	sbuf_char(out, '"');
	for (size_t i = 0; i < field.n; i++) {
		if (field.p[i] == '"')
			sbuf_char(out, '"');
		sbuf_char(out, field.p[i]);
	}
	sbuf_char(out, '"');
}
