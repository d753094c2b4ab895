#include <config.h>

#include <stdio.h>

#include "base/utf8.h"
#include "view/title.h"

enum { GAP = 2 };

static int
draw_position(struct canvas *c, int row, const struct footer *f)
{
	char text[200];
	int at;

	if (f->rows == 0)
		return c->columns;
	snprintf(text, sizeof text, "%.*s%s%zu/%zu %d%%", STR_ARG(f->marks),
	    f->marks.n > 0 ? "  " : "", f->position, f->rows,
	    (int)((double)f->position * 100 / (double)f->rows));
	at = c->columns - (int)strlen(text);
	canvas_text(c, row, at > 0 ? at : 0, c->columns, str_from(text), ROLE_FOOTER);
	return at > GAP ? at - GAP : 0;
}

void
footer_draw(struct canvas *c, int row, const struct footer *f)
{
	int column = 0, limit;

	canvas_fill(c, row, 0, c->columns, ' ', ROLE_FOOTER);
	/* A message is worth more than the position. */
	if (f->message.n > 0) {
		size_t width = utf8_width(f->message);

		limit = draw_position(c, row, f);
		if (width > (size_t)limit) {
			canvas_fill(c, row, 0, c->columns, ' ', ROLE_FOOTER);
			limit = c->columns;
		}
		column = canvas_text(c, row, 0, limit, f->message, f->message_look);
		if (width > (size_t)limit && limit > 0)
			canvas_put(
			    c, row, limit - 1, c->utf8 ? 0x2026 : '~', f->message_look);
		return;
	}
	limit = draw_position(c, row, f);
	for (size_t i = 0; i < f->hint_count; i++) {
		struct str key = str_from(f->hints[i].key),
			   text = str_from(f->hints[i].text);

		if ((size_t)column + utf8_width(key) + 1 + utf8_width(text) >
		    (size_t)limit)
			break;
		column = canvas_text(c, row, column, limit, key, ROLE_KEY);
		column = canvas_text(c, row, column + 1, limit, text, ROLE_FOOTER) + GAP;
	}
}
