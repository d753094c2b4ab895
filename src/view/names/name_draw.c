#include <config.h>

#include "view/names/name_draw.h"

#include <stdio.h>

#include "base/pattern.h"
#include "base/utf8.h"

/*
 * Underlines what is left of a match in a fitted name that was drawn at `column`; the
 * whole name when nothing is.
 */
static void
draw_hit(struct canvas *c, int row, int right, const struct display *t, uint32_t method,
    struct name_fit fit, int column)
{
	const uint32_t *source = fit.source;
	struct str rest = fit.text;
	size_t from = 0, to = 0;
	bool any = false;
	int at = column;

	pattern_match(t->search, names_full(t->figures.names, method), &from, &to);
	while (rest.n > 0) {
		size_t place = source[fit.text.n - rest.n];
		uint32_t letter = utf8_next(&rest);
		int width = utf8_char_width(letter);

		width = width < 0 ? 1 : width;
		if (place != NAME_ADDED && place >= from && place < to && at < right) {
			canvas_add_look(c, row, at, at + width, LOOK_HIT);
			any = true;
		}
		at += width;
	}
	if (!any)
		canvas_add_look(c, row, column, column + fit.width, LOOK_HIT);
}

int
name_draw(struct canvas *c, int row, int column, int right, const struct display *t,
    uint32_t method, enum elision elision, look style)
{
	struct names *names = t->figures.names;
	struct name_fit fit;
	int end;

	if (t->name_skip == NAME_FITTED)
		fit = names_fit(names, method, right - column, elision);
	else
		fit = names_part(names, method, t->name_skip, right - column);
	end = canvas_text(c, row, column, right, fit.text, style);
	if (display_is_hit(t, method))
		draw_hit(c, row, right, t, method, fit, column);
	return end;
}

struct str
name_short(struct names *names, uint32_t method, int room, char *out, size_t size)
{
	struct str class_name = names_class(names, method), name = names_method(names, method);
	size_t from = class_name.n;
	int n;

	while (from > 0 && class_name.p[from - 1] != '.')
		from--;
	n = snprintf(out, size, "%.*s%s%.*s", (int)(class_name.n - from), class_name.p + from,
	    class_name.n > 0 ? "." : "", STR_ARG(name));
	if (n > 0 && (size_t)n < size && utf8_width(str_from(out)) <= (size_t)room)
		return str_from(out);
	return names_fit(names, method, room, ELISION_SHORT).text;
}
