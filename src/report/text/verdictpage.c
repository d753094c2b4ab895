// SPDX-License-Identifier: Apache-2.0
/*
 * verdictpage: verdicts on several runs as a page: the lists of methods, and the flame graph of the call paths
 * of both sides (verdicts.h).
 */
#include <config.h>

#include "base/escape.h"
#include "report/pathdiff.h"
#include "report/text/htmlparts.h"
#include "report/text/verdicts.h"

enum { ROWS_MAX = 500 /* of a list */ };

static void
cell_put(struct sbuf *out, const char *text)
{
	sbuf_printf(out, "<td class=\"n\">%s</td>", text);
}

static void
heads_put(struct sbuf *out, const struct runset *r)
{
	const char *unit = unit_name(verdicts_unit(r));

	sbuf_text(out, "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr>");
	for (int side = 0; side < DIFF_SIDES; side++)
		sbuf_printf(out, "<th scope=\"col\" class=\"n\">%s %s</th>", side == DIFF_A ? "Base" : "New", unit);
	sbuf_text(out, "<th scope=\"col\" class=\"n\">Change %</th>");
	if (verdicts_ranged(r))
		sbuf_text(out, "<th scope=\"col\" class=\"n\">95 % from</th><th scope=\"col\" class=\"n\">to</th>");
	if (r->gated || !verdicts_ranged(r))
		sbuf_text(out, "<th scope=\"col\">Gate</th>");
	sbuf_text(out, "<th scope=\"col\" class=\"n\">Calls</th><th scope=\"col\">Method</th></tr></thead>\n<tbody>\n");
}

static void
row_put(struct sbuf *out, const struct runset *r, const struct runs_row *row)
{
	const struct decide_row *d = &row->decided;
	int side = row->method[DIFF_B] != METHOD_NONE ? DIFF_B : DIFF_A;
	bool change = verdicts_changed(d);
	struct sbuf origin = {0};

	sbuf_text(out, "<tr>");
	cell_put(out, verdicts_time(r, FMT_BUF, d->a));
	cell_put(out, verdicts_time(r, FMT_BUF, d->b));
	sbuf_printf(out, "<td class=\"n %s\">%s</td>",
	    !change ? "" : verdicts_slower(r, d) ? "worse" : verdicts_faster(r, d) ? "better" : "",
	    change ? verdicts_percent(FMT_BUF, d->change) : "");
	if (verdicts_ranged(r)) {
		cell_put(out, change ? verdicts_percent(FMT_BUF, d->low) : "");
		cell_put(out, change ? verdicts_percent(FMT_BUF, d->high) : "");
	}
	if (r->gated || !verdicts_ranged(r))
		sbuf_printf(out, "<td>%s</td>", d->suspect ? "?" : verdicts_gates[d->gate]);
	cell_put(out, verdicts_calls_text(r, row, FMT_BUF));
	sbuf_text(out, "<td>");
	html_name(out, names_shown(r->names[side], row->method[side]));
	diff_put_origin(&origin, &row->pair,
	    (const struct trace *[]){r->side[DIFF_A].trace, r->side[DIFF_B].trace}, r->names);
	html_name(out, sbuf_view(&origin));
	if (row->cause_count > 0)
		html_name_between(out, "<div class=\"dim\">in ", row->cause[row->cause_count - 1].shown,
		    "</div>");
	sbuf_text(out, "</td></tr>\n");
	sbuf_release(&origin);
}

static void
list_put(const struct page *p, const struct runset *r, const struct verdict_list *list, size_t count)
{
	struct sbuf *out = p->out;
	size_t most = r->options->limit < ROWS_MAX ? r->options->limit : ROWS_MAX, told = 0;

	sbuf_printf(out, "<h3>%s (%zu)</h3>\n", verdicts_title(r, list), count);
	if (list->all && !r->how->all)
		return;
	heads_put(out, r);
	for (size_t i = 0; i < r->count && told < most && sink_row(p->sink); i++) {
		if (!list->has(r, &r->rows[i].decided))
			continue;
		row_put(out, r, &r->rows[i]);
		told++;
	}
	sbuf_text(out, "</tbody></table></div>\n");
	if (told < count)
		sbuf_printf(out, "<p class=\"dim\">and %zu more</p>\n", count - told);
}

void
verdicts_html(struct sink *sink, const struct runset *r)
{
	struct report report = {.options = r->options, .trace = r->side[DIFF_B].trace,
	    .figures.names = r->names[DIFF_B]};
	struct page p = {.sink = sink, .out = &sink->text, .report = &report};
	struct sbuf head = {0}, title = {0};

	sbuf_printf(&title, "%zu %s compared with %zu of the base", r->decide.b,
	    runs_of_blocks(r) ? "blocks" : "runs", r->decide.a);
	page_begin(&p, sbuf_view(&title), "verdicts");
	sbuf_text(p.out, "<main>\n<pre>");
	verdicts_head(&head, r);
	for (struct str rest = sbuf_view(&head); rest.n > 0;)
		html_between(p.out, "", str_cut(&rest, '\n'), "\n");
	sbuf_text(p.out, "</pre>\n");
	part_begin(&p, "verdicts", "What changed");
	for (size_t k = 0; k < verdict_list_count; k++) {
		size_t count = 0;

		for (size_t i = 0; i < r->count; i++)
			count += verdict_lists[k].has(r, &r->rows[i].decided);
		if (count > 0 && sink_wanted(sink))
			list_put(&p, r, &verdict_lists[k], count);
	}
	sbuf_text(p.out, "</section>\n");
	if (r->paths != NULL)
		pathdiff_graph(&p, r->paths);
	page_end(&p);
	sbuf_release(&head);
	sbuf_release(&title);
}
