// SPDX-License-Identifier: Apache-2.0
/*
 * htmldiff: the comparison of two traces as a page: what got slower and faster and why, the flame
 * graph of B in the colours of the change, and the lists of methods.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/flame/picture.h"
#include "report/text/diffreport.h"
#include "report/text/htmlparts.h"
#include "view/diff/columns.h"

enum {
	VERDICTS_MAX = 5, /* of each direction */
	GRAPH_BYTES = 700 << 10,
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
		sbuf_text(p->out, "<div class=\"dim\">");
		html_text(p->out, str_from(part_words(p, sbuf_cstr(&why))));
		sbuf_text(p->out, "</div></td></tr>\n");
	}
	if (count > 0)
		sbuf_text(p->out, "</table>\n");
	if (count > VERDICTS_MAX)
		sbuf_printf(p->out, "<p class=\"dim\">and %" PRIu32 " more</p>\n", count - VERDICTS_MAX);
	sbuf_release(&why);
	mem_free(order);
}

/* The flame graph ------------------------------------------------------------------ */

/* Call paths of a trace without waiting, all threads as one. */
struct side {
	struct report_options options;
	struct report report;
};

static bool
side_open(struct side *s, const struct diffreport *d, int side, const atomic_bool *cancel)
{
	struct err e = {.kind = ERR_NONE};

	s->options = d->options[side];
	s->options.transforms = (struct transforms){.list = NULL};
	transforms_copy(&s->options.transforms, &d->options[side].transforms);
	s->options.together = true;
	return transforms_add_text(&s->options.transforms, TRANSFORM_IDLE, STR(""), &e) &&
	       report_open(&s->report, d->side[side].profile, &s->options, cancel, &e);
}

static void
side_release(struct side *s)
{
	report_release(&s->report);
	transforms_release(&s->options.transforms);
}

/* Returns the time that each path of B had in A, -1 where it was not; mem_free.  Linear. */
static nsec *
before_make(const struct diffreport *d, const struct paths *a, const struct paths *b)
{
	const struct diff *diff = &d->table.diff;
	uint32_t *in_a = mem_alloc(((size_t)b->method_count + 1) * sizeof(*in_a)); /* by method of B */
	uint32_t *slot = mem_alloc(((size_t)a->method_count + 1) * sizeof(*slot)); /* by method of A */
	uint32_t *path = mem_alloc(((size_t)b->count + 1) * sizeof(*path)); /* of A, by that of B */
	nsec *before = mem_alloc(((size_t)b->count + 1) * sizeof(*before));

	for (uint32_t m = 0; m < b->method_count; m++)
		in_a[m] = METHOD_NONE;
	for (uint32_t m = 0; m < a->method_count; m++)
		slot[m] = PATH_NONE;
	for (uint32_t i = 0; i < diff->count; i++)
		if (diff->rows[i].sum[DIFF_B].method < b->method_count)
			in_a[diff->rows[i].sum[DIFF_B].method] = diff->rows[i].sum[DIFF_A].method;
	for (uint32_t id = 0; id < b->roots; id++)
		path[id] = id < a->roots ? id : PATH_NONE;
	for (uint32_t id = 0; id < b->count; id++) {
		const struct path *now = &b->items[id];
		const struct path *was = path[id] != PATH_NONE ? &a->items[path[id]] : NULL;

		before[id] = was != NULL ? was->inclusive[d->table.by.clock] : -1;
		for (uint32_t c = 0; was != NULL && c < was->children; c++)
			slot[a->items[was->child + c].method] = was->child + c;
		for (uint32_t c = 0; c < now->children; c++) {
			uint32_t method = in_a[b->items[now->child + c].method];
			uint32_t at = method < a->method_count ? slot[method] : PATH_NONE;

			path[now->child + c] = was != NULL && at != PATH_NONE &&
				a->items[at].parent == path[id] ? at : PATH_NONE;
		}
	}
	mem_free(in_a);
	mem_free(slot);
	mem_free(path);
	return before;
}

static void
graph_write(struct page *p, struct diffreport *d)
{
	struct side sides[DIFF_SIDES] = {{.report = {.options = NULL}}};
	struct flame_options options;
	struct flame flame = {.paths = NULL};
	struct paths *a = NULL;
	nsec *before = NULL;
	struct err e = {.kind = ERR_NONE};
	const atomic_bool *cancel = p->sink->cancel;

	flame_options_init(&options);
	options.title = "Flame graph of B";
	if (side_open(&sides[DIFF_A], d, DIFF_A, cancel) && side_open(&sides[DIFF_B], d, DIFF_B, cancel) &&
	    (a = report_paths(&sides[DIFF_A].report, true, cancel)) != NULL &&
	    flame_make(&flame, &sides[DIFF_B].report, &options, cancel, &e)) {
		flame.before = before = before_make(d, a, flame.paths);
		p->flame = &flame;
		part_begin(p, "flame", "Flame graph of B");
		sbuf_printf(p->out, "<p>All threads, %s time%s. "
		    "<span class=\"key more\">slower or new</span> <span class=\"key less\">faster than in A"
		    "</span> <span class=\"key same\">as long</span></p>\n",
		    d->table.by.clock == CLOCK_CPU ? "CPU" : "wall",
		    d->table.by.clock == CLOCK_CPU ? "" : " without waiting");
		(void)part_graph(p, PATH_NONE, GRAPH_BYTES);
		sbuf_text(p->out, part_words(p, "<p class=\"dim\">Each frame is a call path of B, as wide "
		    "as its time there; the colour is stronger the more of it changed. What only A has "
		    "is in the list below.</p>\n</section>\n"));
		p->flame = NULL;
	}
	mem_free(before);
	paths_free(a);
	flame_release(&flame);
	side_release(&sides[DIFF_A]);
	side_release(&sides[DIFF_B]);
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
		    .caption = "A title sorts by its column",
		    .rows = ROWS_MAX, .bytes = LIST_BYTES});
	sbuf_text(p->out, "</section>\n");
	sbuf_release(&title);
}

void
diffreport_html(struct sink *sink, struct diffreport *d)
{
	struct page p = {.sink = sink, .out = &sink->text, .report = &d->side[DIFF_B]};
	struct htmlpage page = {.script = picture_script, .skip_to = "verdicts"};
	struct sbuf css = {0}, title = {0};

	sbuf_printf(&title, "%s, compared with %s", trace_title(d->side[DIFF_B].trace),
	    trace_title(d->side[DIFF_A].trace));
	sbuf_text(&css, report_style);
	sbuf_text(&css, picture_style);
	page.title = sbuf_view(&title);
	page.style = sbuf_cstr(&css);
	htmlpage_begin(p.out, &page);
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
	sbuf_printf(p.out, "<p>%s: %" PRIu32 "</p>\n</main>\n", diff_changes[DIFF_UNCHANGED].title,
	    d->matched[DIFF_UNCHANGED]);
	htmlpage_end(p.out, &page);
	sbuf_release(&css);
	sbuf_release(&title);
}
