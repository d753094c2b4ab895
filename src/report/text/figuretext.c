#include <config.h>

#include "report/text/figuretext.h"

#include <string.h>

void
figuretext_init(struct figuretext *t, const struct report *r, const struct figure *figures,
    int count)
{
	char text[FMT_SIZE];

	*t = (struct figuretext){.report = r, .figures = figures, .count = count};
	for (int c = 0; c < count; c++) {
		if ((figures[c].clocks & ~r->trace->clocks) != 0)
			continue;
		t->width[c] = (int)strlen(figures[c].title);
		for (uint32_t i = 0; i < r->count; i++) {
			int n = (int)strlen(figures[c].get(r, i, text));

			t->width[c] = n > t->width[c] ? n : t->width[c];
		}
	}
}

static void
cell(struct sbuf *out, int width, const char *text)
{
	for (int n = width - (int)strlen(text); n > 0; n--)
		sbuf_char(out, ' ');
	sbuf_text(out, text);
	sbuf_text(out, "  ");
}

void
figuretext_titles(const struct figuretext *t, struct sbuf *out)
{
	for (int c = 0; c < t->count; c++)
		if (t->width[c] > 0)
			cell(out, t->width[c], t->figures[c].title);
}

void
figuretext_line(const struct figuretext *t, struct sbuf *out, uint32_t row)
{
	char text[FMT_SIZE];

	for (int c = 0; c < t->count; c++)
		if (t->width[c] > 0)
			cell(out, t->width[c], t->figures[c].get(t->report, row, text));
}

void
figuretext_blank(const struct figuretext *t, struct sbuf *out)
{
	for (int c = 0; c < t->count; c++)
		if (t->width[c] > 0)
			cell(out, t->width[c], "");
}
