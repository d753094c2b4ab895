// SPDX-License-Identifier: Apache-2.0
/*
 * rows: what each thread did along time, as an SVG picture for a page: a row of cells for
 * each, in the colours of the methods that had most of them, as high as they were busy; and
 * which packages the colours are of.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "profile/timeline/timeline.h"
#include "report/flame/flame.h"
#include "report/flame/picture.h"
#include "view/names/looks.h"

enum {
	COLUMNS_OF_TIME = 250,
	CELL = 4,     /* pixels; so are those below */
	NAMES = 180,  /* for names before the cells */
	NAME_CHARS = 24,
	ROW = 18,
	HIGH = 14,    /* a cell that was busy all the time */
	LOW = 2,      /* one that was not */
	AXIS = 20,
	MARK = 5,     /* height of one */
	LABEL = 90,   /* room for a time */
	CHAR = 7,     /* as wide is a letter of it */
	TITLE_CHARS = 120,
	GROUPS_MAX = 256,
	LEGEND = 12,  /* of them that are told */
};

#define SECONDS INT64_C(5000000000) /* from which on times are seconds */

/* Cells of one method and height are drawn together; high 0: nothing. */
struct shown_cell {
	uint32_t method, colour;
	int high;
};

static struct shown_cell
cell_shown(struct names *names, const struct cell *cell)
{
	struct shown_cell s = {.method = cell->method};
	bool idle;

	if (cell->method == METHOD_NONE)
		return s;
	s.colour = picture_colour(names, cell->method);
	idle = s.colour == PICTURE_MUTED || cell->busy == 0;
	s.high = idle ? LOW : LOW + (int)cell->busy * (HIGH - LOW) / CELL_FULL;
	return s;
}

/* All cells of a row that have the method of the `first` one. */
static void
method_draw(struct sbuf *out, struct names *names, const struct shown_cell *cells, uint32_t first,
    int bottom)
{
	uint32_t method = cells[first].method;

	if (cells[first].colour == PICTURE_MUTED)
		sbuf_text(out, "<path class=\"i\" d=\"");
	else
		sbuf_printf(out, "<path fill=\"#%06" PRIx32 "\" d=\"", cells[first].colour);
	for (uint32_t c = first, to; c < COLUMNS_OF_TIME; c = to) {
		int high = cells[c].high;

		for (to = c + 1; to < COLUMNS_OF_TIME && cells[to].method == cells[c].method &&
		     cells[to].high == high; to++)
			;
		if (cells[c].method == method)
			sbuf_printf(out, "M%" PRIu32 " %dv-%dh%" PRIu32 "v%dz", NAMES + c * CELL, bottom,
			    high, (to - c) * CELL, high);
	}
	html_between(out, "\"><title>", names_head(names, names_shown(names, method), TITLE_CHARS),
	    "</title></path>");
}

static void
row_draw(struct sbuf *out, struct names *names, uint32_t thread, const struct cell *cells,
    int top)
{
	struct shown_cell shown[COLUMNS_OF_TIME];
	struct str name = names_thread(names, thread);

	html_between(out, "<g><title>", name, "</title>");
	sbuf_printf(out, "<text x=\"0\" y=\"%d\">", top + HIGH - 2);
	html_between(out, "", names_head(names, name, NAME_CHARS), "</text>");
	for (uint32_t c = 0; c < COLUMNS_OF_TIME; c++)
		shown[c] = cell_shown(names, &cells[c]);
	for (uint32_t c = 0; c < COLUMNS_OF_TIME; c++) {
		uint32_t before = 0;

		while (before < c && shown[before].method != shown[c].method)
			before++;
		if (before == c && shown[c].high > 0)
			method_draw(out, names, shown, c, top + HIGH);
	}
	sbuf_text(out, "</g>\n");
}

/* The legend ----------------------------------------------------------------------- */

struct legend_group {
	struct str name;
	uint32_t colour, cells;
};

static int
legend_order(const void *left, const void *right)
{
	const struct legend_group *a = left, *b = right;

	return a->cells != b->cells ? (a->cells < b->cells) - (a->cells > b->cells)
				    : str_compare(a->name, b->name);
}

/* The packages that cells are of, those with the most first. */
static void
legend_write(struct sbuf *out, struct names *names, const struct cell *cells, size_t count)
{
	struct legend_group groups[GROUPS_MAX];
	size_t n = 0, g;

	for (size_t i = 0; i < count; i++) {
		struct str name;

		if (cells[i].method == METHOD_NONE)
			continue;
		name = looks_group(names_looks(names), cells[i].method);
		for (g = 0; g < n && !str_equal(groups[g].name, name); g++)
			;
		if (g == n && n < GROUPS_MAX)
			groups[n++] = (struct legend_group){name, picture_colour(names, cells[i].method), 0};
		if (g < n)
			groups[g].cells++;
	}
	qsort(groups, n, sizeof(*groups), legend_order);
	sbuf_text(out, "<ul class=\"legend\">");
	for (g = 0; g < n && g < LEGEND; g++) {
		sbuf_printf(out, groups[g].colour == PICTURE_MUTED ? "<li><i class=\"idle\"></i>"
			: "<li><i style=\"background:#%06" PRIx32 "\"></i>", groups[g].colour);
		html_name(out, names_head(names, names_clean(names, groups[g].name), TITLE_CHARS));
		sbuf_text(out, "</li>");
	}
	if (n > LEGEND)
		sbuf_printf(out, "<li>and %zu%s more</li>", n - LEGEND, n == GROUPS_MAX ? " or" : "");
	sbuf_text(out, "</ul>\n");
}

/* Marks ---------------------------------------------------------------------------- */

static void
marks_draw(struct sbuf *out, nsec from, nsec to, const struct flame_mark *marks, uint32_t count)
{
	double scale = (double)COLUMNS_OF_TIME * CELL / (double)(to - from);

	for (uint32_t i = 0; i < count; i++) {
		nsec begin = marks[i].from > from ? marks[i].from : from;
		nsec end = marks[i].to < to ? marks[i].to : to;
		double width = (double)(end - begin) * scale;

		sbuf_printf(out, "<rect class=\"mark\" id=\"at%" PRIu32 "\" x=\"%.1f\" y=\"%d\" width=\"%.1f\""
		    " height=\"%d\"><title>", marks[i].number, NAMES + (double)(begin - from) * scale,
		    AXIS - MARK, width > CELL ? width : CELL, MARK);
		html_text(out, marks[i].text);
		sbuf_text(out, "</title></rect>\n");
	}
}

/* The picture ---------------------------------------------------------------------- */

/* Times in whole, where there is room for them. */
static void
axis_draw(struct sbuf *out, const struct trace_unit *u, nsec from, nsec to, int high)
{
	enum fmt_unit unit = unit_counts(u) ? FMT_US : to - from >= SECONDS ? FMT_S : FMT_MS;
	struct ticks ticks = ticks_make(from, to, COLUMNS_OF_TIME * CELL, LABEL, unit);

	for (uint32_t i = 0; i < ticks.count; i++) {
		int64_t time = ticks.first + (int64_t)i * ticks.step;
		double x = NAMES + (double)(time - from) * COLUMNS_OF_TIME * CELL / (double)(to - from);
		const char *text = fmt_time(FMT_BUF, time, unit, ticks.decimals);

		sbuf_printf(out, "<path class=\"tick\" d=\"M%.1f 0v%d\"/>", x, high);
		if (x + 3 + (double)(strlen(text) + 3) * CHAR <= NAMES + COLUMNS_OF_TIME * CELL)
			sbuf_printf(out, "<text x=\"%.1f\" y=\"12\">%s %s</text>", x + 3, text,
			    unit_counts(u) ? "" : unit == FMT_S ? "s" : "ms");
		sbuf_char(out, '\n');
	}
}

void
flamerows_inside(struct sbuf *out, const struct flame *flame, const uint32_t *threads,
    uint32_t count, const struct flame_mark *marks, uint32_t mark_count)
{
	const struct report *r = flame->report;
	const struct range *range = &r->options->range;
	nsec from = range->from > r->profile->begin ? range->from : r->profile->begin;
	nsec to = range->to < r->profile->end ? range->to : r->profile->end;
	int high = AXIS + (int)count * ROW;
	struct cell *cells =
	    mem_zero((size_t)count * COLUMNS_OF_TIME + 1, sizeof(*cells));
	struct overview *overview = range_is_all(range) && timeline_wants_overview(r->profile)
	    ? overview_new(r->profile, OVERVIEW_BYTES) : NULL;
	size_t at = 0;

	while (overview != NULL && overview_advance(overview, UINT64_MAX) &&
	       !is_cancelled(flame->cancel))
		;
	if (timeline_draw(r->profile, overview, from, to, COLUMNS_OF_TIME, threads, count, cells,
		flame->cancel)) {
		legend_write(out, r->figures.names, cells, (size_t)count * COLUMNS_OF_TIME);
		sbuf_printf(out, "<div class=\"wide\" tabindex=\"0\"><svg class=\"rows\" "
		    "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Timeline\">\n",
		    NAMES + COLUMNS_OF_TIME * CELL, high);
		axis_draw(out, &r->trace->unit, from, to, high);
		marks_draw(out, from, to, marks, mark_count);
		for (uint32_t i = 0; i < count; i++, at += COLUMNS_OF_TIME)
			row_draw(out, r->figures.names, threads[i], &cells[at], AXIS + (int)i * ROW);
		sbuf_text(out, "</svg></div>\n");
	}
	overview_free(overview);
	mem_free(cells);
}
