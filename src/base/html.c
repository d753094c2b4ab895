#include <config.h>

#include "base/html.h"

#include "base/clean.h"

static const char *
reference(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void
html_text(struct sbuf *out, struct str in)
{
	struct sbuf clean = {0};
	size_t from = 0;

	clean_append(&clean, in, 0);
	for (size_t i = 0; i < clean.n; i++) {
		const char *text = reference(clean.p[i]);

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
