// SPDX-License-Identifier: Apache-2.0
/*
 * pathpictures: the call paths of two sides, compared, as a flame graph: a picture, a page, a part of one
 * (pathdiff.h).
 */
#include <config.h>

#include <inttypes.h>

#include "report/pathdiff.h"
#include "report/text/htmlparts.h"

enum { GRAPH_BYTES = 700 << 10 };

void
pathdiff_subtitle(struct sbuf *out, const struct pathdiff *d)
{
	const struct trace_unit *unit = &d->joined.trace->unit;

	sbuf_printf(out, "%s, as wide as A and B together; ",
	    unit_counts(unit) ? unit->name : runs_clock_names[d->clock]);
	pathdiff_totals(out, d, d->total);
	if (d->tested && d->decide.has_speed)
		sbuf_text(out, "; ");
	pathdiff_speeds(out, d);
	if (d->verdicts && d->hue == HUE_PROVED)
		sbuf_text(out, "; grey: not proved");
}

/* A flame graph of the joined paths, and what it borrows; release its title. */
struct graph {
	struct report report;
	struct paths paths;
	struct flame_options options;
	struct flame flame;
};

static void
graph_make(struct graph *g, const struct pathdiff *d, const atomic_bool *cancel)
{
	struct sbuf *title = &g->flame.title;

	*g = (struct graph){.report = {.options = d->options, .trace = d->joined.trace, .figures = d->figures},
	    .paths = d->paths, .flame = {.report = &g->report, .options = &g->options, .paths = &g->paths,
	    .sides = d, .cancel = cancel}};
	flame_options_init(&g->options);
	if (d->by_calls)
		sbuf_printf(title, "Calls over %s ms (B) against others (A), ", fmt_ms(FMT_BUF, d->calls.over));
	else
		sbuf_text(title, "Difference of ");
	for (int side = d->by_calls ? DIFF_B : DIFF_A; side < DIFF_SIDES; side++) {
		sbuf_text(title, side == DIFF_A || d->by_calls ? "" : " and ");
		if (d->run_count[side] > 1)
			sbuf_printf(title, "%zu %s, ", d->run_count[side], d->by_calls ? "traces" : "runs");
		sbuf_str(title, names_clean(d->figures.names, pathdiff_run_title(d, side, 0)));
	}
}

void
pathdiff_svg(struct sink *sink, const struct pathdiff *d)
{
	struct graph g;

	graph_make(&g, d, sink->cancel);
	flamegraph_write(sink, &g.flame);
	sbuf_release(&g.flame.title);
}

/* Writes the colours and what they are of. */
static void
legend_write(struct sbuf *out, const struct pathdiff *d)
{
	static const char *const words[PATHSTEP_HUES][PATHSTEPS] = {
	    [HUE_PROVED] = {"by less", "5 %", "20 %", "50 %"}, [HUE_ALL] = {"by less", "5 %", "20 %", "50 %"},
	    [HUE_SELF] = {"by less", "1/41 of the largest change", "1/11", "1/5"}};
	static const char *const sides[] = {"faster by ", "slower by "};

	sbuf_text(out, "<ul class=\"legend\">");
	for (int more = 1; more >= 0; more--)
		for (int step = STEP_SOME; step <= STEP_MOST; step++)
			sbuf_printf(out, "<li><i style=\"background:#%06" PRIx32 "\"></i>%s%s</li>",
			    pathstep_colour((enum pathstep)step, more != 0), step == STEP_SOME ? sides[more] : "",
			    words[d->hue][step]);
	sbuf_printf(out, "<li><i class=\"gone\" style=\"background:#%06" PRIx32 "\"></i>gone</li>",
	    pathstep_colour(STEP_ALL, false));
	sbuf_printf(out, "<li><i style=\"background:#%06" PRIx32 "\"></i>%s%s</li></ul>\n",
	    pathstep_colour(STEP_SAME, false), words[d->hue][STEP_SAME],
	    d->verdicts && d->hue == HUE_PROVED ? ", or not proved to differ" : "");
}

void
pathdiff_graph(struct page *p, const struct pathdiff *d)
{
	const struct trace_unit *unit = &d->joined.trace->unit;
	struct graph g;

	graph_make(&g, d, p->sink->cancel);
	p->flame = &g.flame;
	part_begin(p, "flame", "Flame graph of both");
	sbuf_printf(p->out, "<p>%s%s. ", d->options->together ? "All threads as one, " : "",
	    unit_counts(unit) ? unit->name : runs_clock_names[d->clock]);
	sbuf_text(p->out, part_words(p, d->hue == HUE_SELF
		? "A frame is a call path; its colour says what became of its self time from A to B.</p>\n"
		: "A frame is a call path; its colour says what became of its time, with what it calls, from A to "
		  "B.</p>\n"));
	legend_write(p->out, d);
	(void)part_graph(p, PATH_NONE, GRAPH_BYTES);
	sbuf_text(p->out, "</section>\n");
	p->flame = NULL;
	sbuf_release(&g.flame.title);
}

void
pathdiff_html(struct sink *sink, const struct pathdiff *d)
{
	struct graph g;
	struct page p = {.sink = sink, .out = &sink->text, .report = &g.report};

	graph_make(&g, d, sink->cancel);
	page_begin(&p, sbuf_view(&g.flame.title), "flame");
	sbuf_text(p.out, "<main>\n");
	pathdiff_facts(p.out, d, true);
	pathdiff_graph(&p, d);
	page_end(&p);
	sbuf_release(&g.flame.title);
}
