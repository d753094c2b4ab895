// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/transform_text.h"

enum { METHOD_COLUMNS = 32 };

void
transform_text(struct sbuf *out, const struct transform *t, struct names *names,
    const struct trace *trace)
{
	struct sbuf argument = {0};

	sbuf_text(out, transform_kinds[t->id].name);
	transform_argument_text(&argument, t, trace);
	if (argument.n > 0)
		sbuf_char(out, ' ');
	else if (t->id == TRANSFORM_IDLE)
		sbuf_text(out, " hidden");
	sbuf_str(out, names_clean(names, sbuf_view(&argument)));
	sbuf_release(&argument);
}

void
transforms_text(struct sbuf *out, const struct transforms *list, struct names *names,
    const struct trace *trace)
{
	bool first = true;

	for (size_t i = 0; i < list->count; i++) {
		const struct transform *t = &list->list[i];

		if (t->off)
			continue;
		if (!first)
			sbuf_text(out, ", ");
		first = false;
		if (t->depth == 0) {
			transform_text(out, t, names, trace);
			continue;
		}
		sbuf_text(out, transform_kinds[t->id].name);
		sbuf_char(out, ' ');
		sbuf_str(out, names_fit(names, t->methods[t->depth - 1], METHOD_COLUMNS,
				  ELISION_AUTO).text);
	}
}
