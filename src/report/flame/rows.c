// SPDX-License-Identifier: Apache-2.0
/*
 * rows: what each thread did along time, as an SVG picture for a page: a row of cells for
 * each, in the colours of the methods that had most of them, as high as they were busy.
 */
#include <config.h>

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "profile/timeline/timeline.h"
#include "report/flame/flame.h"
#include "report/flame/picture.h"

enum {
	COLUMNS_OF_TIME = 250,
	CELL = 4,     /* pixels; so are those below */
	NAMES = 180,  /* for names before the cells */
	NAME_CHARS = 24,
	ROW = 18,
	HIGH = 14,    /* a cell that was busy all the time */
	LOW = 2,      /* one that was not */
	AXIS = 20,
	LABEL = 90,   /* room for a time */
};

/* Cells of one colour and height are drawn together; 0: nothing. */
static uint32_t
cell_key(struct names *names, const struct cell *cell)
{
	uint32_t colour;
	bool idle;

	if (cell->method == METHOD_NONE)
		return 0;
	colour = picture_colour(names, cell->method);
	idle = colour == PICTURE_MUTED || cell->busy == 0;
	return colour << 8 | (uint32_t)(idle ? LOW : LOW + cell->busy * (HIGH - LOW) / CELL_FULL);
}

static void
colour_draw(struct sbuf *out, const uint32_t *keys, uint32_t colour, int bottom)
{
	sbuf_printf(out, colour == PICTURE_MUTED ? "<path class=\"i\" d=\""
						  : "<path fill=\"#%06" PRIx32 "\" d=\"", colour);
	for (uint32_t c = 0, to; c < COLUMNS_OF_TIME; c = to) {
		uint32_t high = keys[c] & 255;

		for (to = c + 1; to < COLUMNS_OF_TIME && keys[to] == keys[c]; to++)
			;
		if (keys[c] != 0 && keys[c] >> 8 == colour)
			sbuf_printf(out, "M%" PRIu32 " %dv-%" PRIu32 "h%" PRIu32 "v%" PRIu32 "z",
			    NAMES + c * CELL, bottom, high, (to - c) * CELL, high);
	}
	sbuf_text(out, "\"/>");
}

static void
row_draw(struct sbuf *out, struct names *names, uint32_t thread, const struct cell *cells,
    int top)
{
	uint32_t keys[COLUMNS_OF_TIME];
	struct str name = names_thread(names, thread);

	sbuf_text(out, "<g><title>");
	html_text(out, name);
	sbuf_printf(out, "</title><text x=\"0\" y=\"%d\">", top + HIGH - 2);
	html_text(out, names_head(names, name, NAME_CHARS));
	sbuf_text(out, "</text>");
	for (uint32_t c = 0; c < COLUMNS_OF_TIME; c++)
		keys[c] = cell_key(names, &cells[c]);
	for (uint32_t c = 0; c < COLUMNS_OF_TIME; c++) {
		uint32_t before = 0;

		while (before < c && keys[before] >> 8 != keys[c] >> 8)
			before++;
		if (before == c && keys[c] != 0)
			colour_draw(out, keys, keys[c] >> 8, top + HIGH);
	}
	sbuf_text(out, "</g>\n");
}

void
flamerows_inside(struct sbuf *out, const struct flame *flame, const uint32_t *threads,
    uint32_t count)
{
	const struct report *r = flame->report;
	const struct range *range = &r->options->range;
	nsec from = range->from > r->profile->begin ? range->from : r->profile->begin;
	nsec to = range->to < r->profile->end ? range->to : r->profile->end;
	struct ticks ticks = ticks_make(from, to, COLUMNS_OF_TIME * CELL, LABEL, FMT_MS);
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
		sbuf_printf(out, "<svg class=\"rows\" viewBox=\"0 0 %d %d\" role=\"img\" "
		    "aria-label=\"Timeline\">\n", NAMES + COLUMNS_OF_TIME * CELL, high);
		for (uint32_t i = 0; i < ticks.count; i++) {
			int64_t time = ticks.first + (int64_t)i * ticks.step;
			double x = NAMES +
			    (double)(time - from) * COLUMNS_OF_TIME * CELL / (double)(to - from);

			sbuf_printf(out, "<path class=\"tick\" d=\"M%.1f 0v%d\"/>"
			    "<text x=\"%.1f\" y=\"12\">%s ms</text>\n", x, high, x + 3,
			    fmt_time(FMT_BUF, time, FMT_MS, ticks.decimals));
		}
		for (uint32_t i = 0; i < count; i++, at += COLUMNS_OF_TIME)
			row_draw(out, r->figures.names, threads[i], &cells[at], AXIS + (int)i * ROW);
		sbuf_text(out, "</svg>\n");
	}
	overview_free(overview);
	mem_free(cells);
}
