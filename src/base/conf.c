// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/conf.h"

enum line_kind { LINE_EMPTY, LINE_HEADING, LINE_ENTRY, LINE_FAULT };

struct line {
	enum line_kind kind;
	struct str whole; /* without its end */
	struct str key, value;
	const char *fault;
};

static struct line
read_line(struct str whole)
{
	struct line line = {.whole = whole};
	struct str text = str_trim(whole);

	if (text.n == 0 || text.p[0] == '#') {
		line.kind = LINE_EMPTY;
	} else if (text.p[0] == '[' && memchr(text.p, '=', text.n) == NULL) {
		line.kind = LINE_HEADING;
		line.key = str_trim((struct str){text.p + 1, text.n - 1 - (text.n > 1)});
		if (text.p[text.n - 1] != ']' || line.key.n == 0) {
			line.kind = LINE_FAULT;
			line.fault = "a heading is [name]";
		}
	} else {
		line.kind = LINE_ENTRY;
		line.value = text;
		line.key = str_trim(str_cut(&line.value, '='));
		if (line.value.p == NULL || line.key.n == 0) {
			line.kind = LINE_FAULT;
			line.fault = "expected 'key = value'";
		}
		line.value = str_trim(line.value);
	}
	return line;
}

/* The next line of `rest`; false at the end. */
static bool
next_line(struct str *rest, struct line *line)
{
	if (rest->p == NULL || rest->n == 0)
		return false;
	*line = read_line(str_cut(rest, '\n'));
	return true;
}

void
conf_read(
    struct str text, void (*take)(void *context, const struct conf_entry *), void *context)
{
	struct str section = STR("");
	struct line line;

	for (int number = 1; next_line(&text, &line); number++) {
		struct conf_entry entry = {.section = section,
		    .key = line.key,
		    .value = line.value,
		    .line = number,
		    .fault = line.fault};

		if (line.kind == LINE_HEADING)
			section = line.key;
		else if (line.kind != LINE_EMPTY)
			take(context, &entry);
	}
}

void
conf_set(struct sbuf *text, struct str section, struct str key, struct str value)
{
	struct str all = sbuf_view(text), rest = all, here = STR("");
	/* Offsets: the line to replace, or where to insert a new one. */
	size_t from = 0, to = 0, insert = 0;
	bool found = false, known = section.n == 0;
	struct sbuf out = {0};
	struct line line;

	while (next_line(&rest, &line)) {
		size_t start = (size_t)(line.whole.p - all.p);
		size_t end = start + line.whole.n;

		if (line.kind == LINE_HEADING)
			here = line.key;
		if (!str_equal(here, section))
			continue;
		if (line.kind == LINE_HEADING)
			known = true;
		if (str_trim(line.whole).n > 0)
			insert = end + (end < all.n);
		if (line.kind == LINE_ENTRY && str_equal(line.key, key)) {
			from = start;
			to = end;
			found = true;
		}
	}
	if (!found)
		from = to = known ? insert : all.n;
	sbuf_bytes(&out, all.p, from);
	if (!found && out.n > 0 && out.p[out.n - 1] != '\n')
		sbuf_char(&out, '\n');
	if (!known) {
		if (out.n > 0)
			sbuf_char(&out, '\n');
		sbuf_printf(&out, "[%.*s]\n", STR_ARG(section));
	}
	sbuf_str(&out, key);
	sbuf_text(&out, " = ");
	sbuf_str(&out, value);
	if (!found)
		sbuf_char(&out, '\n');
	if (to < all.n)
		sbuf_bytes(&out, all.p + to, all.n - to);
	sbuf_clear(text);
	sbuf_str(text, sbuf_view(&out));
	sbuf_release(&out);
}
