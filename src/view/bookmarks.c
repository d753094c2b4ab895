// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/bookmarks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum field { TRACE, LETTER, VIEW, THREAD, CURSOR, FROM, TO, RANGE_FROM, RANGE_TO, METHOD, FIELDS };

void
bookmark_put(struct bookmark *b, struct bookmark now)
{
	sbuf_release(&b->method);
	*b = now;
}

void
bookmarks_release(struct bookmarks *b)
{
	for (int i = 0; i < BOOKMARKS; i++)
		sbuf_release(&b->items[i].method);
	sbuf_release(&b->before.method);
}

/* Text ----------------------------------------------------------------------------- */

static void
put_text(struct sbuf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c > ' ' && c < 0x7f && c != '%')
			sbuf_char(out, (char)c);
		else
			sbuf_printf(out, "%%%02X", c);
	}
}

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool
get_text(struct str field, struct sbuf *out)
{
	for (size_t i = 0; i < field.n; i++) {
		if (field.p[i] != '%') {
			sbuf_char(out, field.p[i]);
			continue;
		}
		if (i + 2 >= field.n || digit(field.p[i + 1]) < 0 || digit(field.p[i + 2]) < 0)
			return false;
		sbuf_char(out, (char)(digit(field.p[i + 1]) * 16 + digit(field.p[i + 2])));
		i += 2;
	}
	return true;
}

static bool
get_number(struct str field, int64_t *out)
{
	char text[24], *end;

	if (field.n == 0 || field.n >= sizeof(text))
		return false;
	memcpy(text, field.p, field.n);
	text[field.n] = '\0';
	*out = strtoll(text, &end, 10);
	return *end == '\0';
}

static bool
split(struct str line, struct str fields[FIELDS])
{
	for (int i = 0; i < FIELDS; i++) {
		if (line.p == NULL)
			return false;
		fields[i] = str_cut(&line, '\t');
	}
	return line.p == NULL && fields[LETTER].n == 1 && fields[LETTER].p[0] >= 'a' &&
	    fields[LETTER].p[0] <= 'z' && fields[VIEW].n == 1;
}

static bool
of_trace(const struct str fields[FIELDS], struct str trace)
{
	struct sbuf name = {0};
	bool same = get_text(fields[TRACE], &name) && str_equal(sbuf_view(&name), trace);

	sbuf_release(&name);
	return same;
}

static void
take(struct bookmark *b, const struct str fields[FIELDS])
{
	struct sbuf method = {0};
	int64_t number[METHOD] = {0};
	bool good = get_text(fields[METHOD], &method);

	for (int i = THREAD; i < METHOD; i++)
		good = good && get_number(fields[i], &number[i]);
	if (!good || number[RANGE_FROM] >= number[RANGE_TO]) {
		sbuf_release(&method);
		return;
	}
	bookmark_put(b, (struct bookmark){true, fields[VIEW].p[0], (uint32_t)number[THREAD],
	    number[CURSOR], number[FROM] == number[TO]
		? RANGE_ALL : (struct range){number[FROM], number[TO]},
	    {number[RANGE_FROM], number[RANGE_TO]}, method});
}

void
bookmarks_read(struct bookmarks *b, struct str text, struct str trace)
{
	while (text.n > 0) {
		struct str fields[FIELDS];

		if (split(str_cut(&text, '\n'), fields) && of_trace(fields, trace))
			take(&b->items[fields[LETTER].p[0] - 'a'], fields);
	}
}

void
bookmarks_write(const struct bookmarks *b, int index, struct str text, struct str trace,
    struct sbuf *out)
{
	const struct bookmark *mark = &b->items[index];
	bool whole = range_is_all(&mark->shown);
	struct str rest = text;
	size_t lines = 0;

	for (; rest.n > 0; lines++)
		(void)str_cut(&rest, '\n');
	for (; text.n > 0; lines--) {
		struct str line = str_cut(&text, '\n'), fields[FIELDS];

		if (lines >= BOOKMARK_LINES || !split(line, fields) ||
		    (fields[LETTER].p[0] == 'a' + index && of_trace(fields, trace)))
			continue;
		sbuf_str(out, line);
		sbuf_char(out, '\n');
	}
	if (!mark->set)
		return;
	put_text(out, trace);
	sbuf_printf(out, "\t%c\t%c\t%" PRIu32 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64
	    "\t%" PRId64 "\t", 'a' + index, mark->view, mark->thread, mark->cursor,
	    whole ? 0 : mark->shown.from, whole ? 0 : mark->shown.to, mark->window.from, mark->window.to);
	put_text(out, sbuf_view(&mark->method));
	sbuf_char(out, '\n');
}
