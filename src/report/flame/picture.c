// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "report/flame/picture.h"
#include "view/display.h"
#include "view/names/looks.h"

enum {
	LIGHTER = 10, /* per cent of white in hues, for calm areas, */
	SHADE = 12,   /* and of each shade */
};

/* FNV-1a, with its high bits mixed down: short names differ there only. */
static uint32_t
hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)(s.p[i] == '/' ? '.' : s.p[i])) * 0x100000001b3u;
	return (uint32_t)(h >> 32 ^ h);
}

uint32_t
picture_colour(struct names *names, uint32_t method)
{
	look l = looks_method(names_looks(names), method);
	unsigned hue, white, colour = 0;

	if (l < ROLE_HUE)
		return PICTURE_MUTED;
	hue = palette_rgb(looks_hues[l - ROLE_HUE]);
	white = LIGHTER + hash(names_full(names, method)) % 4 * SHADE;
	for (int shift = 16; shift >= 0; shift -= 8) {
		unsigned part = hue >> shift & 255;

		colour = colour << 8 | (part + (255 - part) * white / 100);
	}
	return colour;
}

#define CHAR_WIDTH 6.65

enum {
	COLUMNS_MIN = 4, /* fewer tell nothing */
	BORDER_MIN = 2,  /* pixels; of narrower frames a border would leave nothing */
};

const char picture_style[] =
#include "report/flame/picture_style.inc"
    ;

static uint32_t
top_of(const struct picture *p, uint32_t row)
{
	return (p->inside ? 1 : PICTURE_TOP) + row * PICTURE_ROW;
}

static uint32_t
height(const struct picture *p)
{
	return top_of(p, p->rows) + (p->inside ? 1 : PICTURE_BELOW);
}

/* Thousandths of a pixel, without what adds nothing. */
static void
number(struct sbuf *out, double value)
{
	sbuf_printf(out, "%.3f", value);
	while (out->p[out->n - 1] == '0')
		out->n--;
	if (out->p[out->n - 1] == '.')
		out->n--;
}

static void
text(struct sbuf *out, const char *class_name, int x, uint32_t y, struct str s)
{
	sbuf_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%u\">", class_name, x, y);
	html_text(out, s);
	sbuf_text(out, "</text>\n");
}

/* HTML controls of a picture in a page; an SVG file of its own draws them itself. */
static const char page_tools[] =
    "<div class=\"graph\" tabindex=\"-1\"><p class=\"js tools\"><input type=\"search\" "
    "placeholder=\"search: regular expression\" aria-label=\"Search frames\"> "
    "<button type=\"button\" class=\"reset\">Reset zoom</button> "
    "<output class=\"matched\"></output></p>\n";

/* Writes the choice of widths; the script knows the words. */
static void
widths_put(struct sbuf *out)
{
	static const char *const words[][2] = {{"both", "time in A and B together"}, {"new", "time in B"},
	    {"base", "time in A"}, {"change", "what became more or less, not taken off one another"}};

	sbuf_text(out, "<p class=\"js widths\" role=\"radiogroup\" aria-label=\"Width of frames\">Width");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sbuf_printf(out, " <label title=\"%s\"><input type=\"radio\" name=\"widths\" value=\"%s\"%s>%s</label>",
		    words[i][1], words[i][0], i == 0 ? " checked" : "", words[i][0]);
	sbuf_text(out, "</p>\n");
}

/* The title, and what the script makes use of. */
static void
tools_draw(const struct picture *p)
{
	struct sbuf *out = p->out;

	sbuf_text(out, "<rect class=\"ground\" x=\"-10\" width=\"100%\" height=\"100%\"/>\n");
	text(out, "title", PICTURE_WIDTH / 2, 22, p->title);
	text(out, "subtitle", PICTURE_WIDTH / 2, 40, p->subtitle);
	sbuf_printf(out,
	    "<text class=\"js reset\" role=\"button\" tabindex=\"0\" x=\"0\" y=\"20\">"
	    "Reset zoom</text>\n"
	    "<foreignObject class=\"js\" x=\"%d\" y=\"6\" width=\"200\" height=\"24\">"
	    "<input xmlns=\"http://www.w3.org/1999/xhtml\" type=\"search\" "
	    "placeholder=\"search: regular expression\" aria-label=\"Search frames\"/>"
	    "</foreignObject>\n"
	    "<text class=\"js matched end\" aria-live=\"polite\" x=\"%d\" y=\"46\"></text>\n",
	    PICTURE_WIDTH - 200, PICTURE_WIDTH);
}

void
picture_begin(const struct picture *p)
{
	struct sbuf *out = p->out;

	sbuf_text(out, p->inside ? page_tools : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	if (p->switched)
		widths_put(out);
	if (p->inside)
		sbuf_text(out, "<p class=\"js details\"></p>\n");
	sbuf_printf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%d\" "
	    "height=\"%u\" viewBox=\"-10 0 %d %u\" data-width=\"%d\" role=\"group\"",
	    PICTURE_WIDTH + 20, height(p), PICTURE_WIDTH + 20, height(p), PICTURE_WIDTH);
	html_between(out, " aria-label=\"", p->title, "\">\n");
	if (!p->inside) {
		html_between(out, "<title>", p->title, "</title>\n<style>\n");
		sbuf_text(out, picture_style);
		sbuf_text(out, "</style>\n");
		tools_draw(p);
	}
	sbuf_text(out, "<g>\n");
}

/* True if white text is easier to read on it than black. */
static bool
is_dark(uint32_t colour)
{
	enum { RED = 299, GREEN = 587, BLUE = 114, DARK = 100000 }; /* what of each is seen */

	return (colour >> 16 & 255) * RED + (colour >> 8 & 255) * GREEN + (colour & 255) * BLUE < DARK;
}

void
picture_frame(const struct picture *p, const struct picture_frame *f)
{
	struct sbuf *out = p->out;
	uint32_t y = top_of(p, f->row);

	sbuf_printf(out, "<g class=\"f%s%s%s%s%s\"", f->plain ? " t" : "",
	    f->colour == PICTURE_MUTED ? " i" : "", f->width < BORDER_MIN ? " n" : "",
	    is_dark(f->colour) ? " w" : "", f->dashed ? " g" : "");
	if (f->mark != NULL)
		sbuf_printf(out, " data-mark=\"%s\"", f->mark);
	if (p->switched)
		sbuf_printf(out, " data-sides=\"%.*s\"", STR_ARG(f->sides));
	if (p->switched && f->above != UINT32_MAX)
		sbuf_printf(out, " data-above=\"%u\"", f->above);
	html_between(out, "><title>", f->name, "\n");
	html_between(out, "", f->info, "</title><rect x=\"");
	number(out, f->x);
	sbuf_printf(out, "\" y=\"%u\" width=\"", y);
	number(out, f->width);
	sbuf_printf(out, "\" height=\"%d\" fill=\"#%06x\"/>", PICTURE_ROW - 1, f->colour);
	if (f->label.n > 0) {
		sbuf_text(out, "<text x=\"");
		number(out, f->x + 3);
		sbuf_printf(out, "\" y=\"%u\">", y + 12);
		html_text(out, f->label);
		sbuf_text(out, "</text>");
	}
	sbuf_text(out, "</g>\n");
}

void
picture_end(const struct picture *p, struct str note)
{
	struct sbuf *out = p->out;
	uint32_t y = height(p);

	sbuf_text(out, "</g>\n");
	if (p->inside) {
		html_between(out, "</svg>\n<p class=\"dim\">", note, "</p></div>\n");
		return;
	}
	sbuf_printf(out, "<text class=\"js details\" x=\"0\" y=\"%u\"></text>\n", y - 26);
	text(out, "js note", 0, y - 8,
	    STR("Click or Enter: zoom, Esc: back, 0: all, arrows: move, /: search, "
		"n N: next and previous match"));
	if (note.n > 0)
		text(out, "note end", PICTURE_WIDTH, y - 8, note);
	sbuf_text(out, "<script><![CDATA[\n");
	sbuf_text(out, picture_script);
	sbuf_text(out, "]]></script>\n</svg>\n");
}

int
picture_columns(double width)
{
	int columns = (int)((width - 6) / CHAR_WIDTH);

	return width > 6 && columns >= COLUMNS_MIN ? columns : 0;
}

struct str
picture_label(struct names *names, uint32_t method, int columns, char out[static PICTURE_LABEL])
{
	struct str full = names_shown(names, method);

	if (columns == 0)
		return STR("");
	return (int)utf8_width(full) <= columns ? full
					   : name_short(names, method, columns, out, PICTURE_LABEL);
}

/* The script that makes the picture interactive. */

/*
 * Positions are read from what is drawn, in pixels of the whole picture; `view` is the
 * part of them that is shown.  Only text is ever made of names.
 */
const char picture_script[] =
#include "report/flame/picture_script.inc"
    ;
