// SPDX-License-Identifier: Apache-2.0
/*
 * htmldiff: the comparison of two traces as a page: what got slower and faster and why, the flame
 * graph of both, and the lists of methods.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/pathdiff.h"
#include "report/text/diffreport.h"
#include "report/text/htmlparts.h"
#include "view/diff/columns.h"

enum {
	VERDICTS_MAX = 5, /* of each direction */
	ROWS_MAX = 500, /* of a list */
	LIST_BYTES = 200 << 10,
};

/* Verdicts ------------------------------------------------------------------------- */

/* Methods whose own time changed most: of all rows that pass the filters, whatever the limit. */
static uint32_t *
verdicts_order(const struct diffreport *d, const struct diff_by *own, bool slower, uint32_t *count)
{
	uint32_t *order = mem_alloc(((size_t)d->table.diff.count + 1) * sizeof(*order));
	struct ranked *list = mem_zero((size_t)d->table.diff.count + 1, sizeof(*list));

	*count = 0;
	for (int change = 0; change < DIFF_CHANGES; change++) {
		for (uint32_t i = 0; i < d->matched[change]; i++) {
			uint32_t item = d->table.lists[change].list.rows[i].item;
			nsec delta = diff_delta(&d->table.diff.rows[item], own);

			if ((slower ? delta > 0 : delta < 0) && (slower ? delta : -delta) >= own->min)
				list[(*count)++] = (struct ranked){
				    .key = slower ? delta : -delta, .id = item, .index = item};
		}
	}
	ranked_sort(list, *count, false, order);
	return order;
}

static void
verdicts_write(const struct page *p, struct diffreport *d, bool slower)
{
	const struct diff_by own = {.value = DIFF_EXCLUSIVE, .clock = d->table.by.clock,
	    .min = d->table.by.min, .unit = d->table.by.unit};
	struct sbuf why = {0};
	uint32_t count, *order = verdicts_order(d, &own, slower, &count);

	sbuf_printf(p->out, "<h3>%s</h3>\n", diff_changes[slower ? DIFF_SLOWER : DIFF_FASTER].title);
	if (count == 0)
		sbuf_printf(p->out, part_words(p, "<p class=\"%s\">No method by itself.</p>\n"),
		    slower ? "good" : "dim");
	else
		sbuf_text(p->out, "<table class=\"found\">\n");
	for (uint32_t i = 0; i < count && i < VERDICTS_MAX; i++) {
		const struct diff_row *r = &d->table.diff.rows[order[i]];
		char percent[FMT_SIZE];

		(void)diff_column_text(DIFF_COLUMN_PERCENT, r, &own, false, percent);
		sbuf_printf(p->out, "<tr><td class=\"n %s\">%s</td><td class=\"n\">%s%s</td><td>",
		    slower ? "worse" : "better", diff_time_text(&own.unit, diff_delta(r, &own), true, FMT_BUF),
		    percent, is_digit(percent[strlen(percent) - 1]) ? " %" : "");
		html_name(p->out, diff_table_name(&d->table, r));
		sbuf_clear(&why);
		diff_cause_text(&why, r, &own);
		html_between(p->out, "<div class=\"dim\">", str_from(part_words(p, sbuf_cstr(&why))),
		    "</div></td></tr>\n");
	}
	if (count > 0)
		sbuf_text(p->out, "</table>\n");
	if (count > VERDICTS_MAX)
		sbuf_printf(p->out, "<p class=\"dim\">and %" PRIu32 " more</p>\n", count - VERDICTS_MAX);
	sbuf_release(&why);
	mem_free(order);
}

/* The flame graph ------------------------------------------------------------------ */

/* All threads as one: pools give theirs other names in each run. */
static void
graph_write(struct page *p, struct diffreport *d)
{
	struct report_options o = d->options[DIFF_B];
	struct pathdiff paths;
	struct err e = {.kind = ERR_NONE};
	const atomic_bool *cancel = p->sink->cancel;
	bool good = true;

	o.together = true;
	o.filters = (struct report_patterns){.count = 0};
	pathdiff_init(&paths, &o);
	paths.hue = d->how->hue;
	paths.busy = o.clock == CLOCK_WALL;
	for (int side = 0; side < DIFF_SIDES && good; side++)
		good = pathdiff_add(&paths, side, d->side[side].profile, cancel, &e);
	if (good && pathdiff_finish(&paths, cancel, &e))
		pathdiff_graph(p, &paths);
	pathdiff_release(&paths);
}

/* The page ------------------------------------------------------------------------- */

static void
list_write(const struct page *p, struct diffreport *d, enum diff_change change)
{
	static const char *const ids[DIFF_UNCHANGED] = {"slower", "faster", "only-b", "only-a"};
	struct sbuf title = {0};

	diffreport_title(&title, d, change);
	part_begin(p, ids[change], sbuf_cstr(&title));
	if (d->table.lists[change].list.at.count > 0)
		part_table(p, diffreport_list(d, change), &(struct part_table){.what = "methods",
		    .caption = "Click a heading to sort",
		    .rows = ROWS_MAX, .bytes = LIST_BYTES});
	sbuf_text(p->out, "</section>\n");
	sbuf_release(&title);
}

void
diffreport_html(struct sink *sink, struct diffreport *d)
{
	struct page p = {.sink = sink, .out = &sink->text, .report = &d->side[DIFF_B]};
	struct sbuf title = {0};

	sbuf_printf(&title, "%s, compared with %s", trace_title(d->side[DIFF_B].trace),
	    trace_title(d->side[DIFF_A].trace));
	page_begin(&p, sbuf_view(&title), "verdicts");
	sbuf_text(p.out, "<main>\n");
	diffreport_facts(p.out, d, true);
	part_begin(&p, "verdicts", "What changed");
	sbuf_text(p.out, part_words(&p, "<p>Methods by the time that they took themselves.</p>\n"));
	verdicts_write(&p, d, true);
	verdicts_write(&p, d, false);
	sbuf_text(p.out, "</section>\n");
	graph_write(&p, d);
	for (int change = 0; change < DIFF_UNCHANGED && sink_wanted(sink); change++)
		list_write(&p, d, (enum diff_change)change);
	sbuf_printf(p.out, "<p>%s: %" PRIu32 "</p>\n", diff_changes[DIFF_UNCHANGED].title,
	    d->matched[DIFF_UNCHANGED]);
	page_end(&p);
	sbuf_release(&title);
}
