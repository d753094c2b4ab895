// SPDX-License-Identifier: Apache-2.0
/*
 * htmlfound: what is slow, and the frames that are late, as parts of the report's page.
 */
#include <config.h>

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/tables.h"
#include "report/text/htmlparts.h"
#include "report/text/views.h"

enum {
	LATE_MAX = 50, /* frames of the table */
	LATE_BYTES = 60 << 10,
};

/* Making -------------------------------------------------------------------------- */

/* The frames of what the page shows; rows only of those that are late. */
static struct report *
frames_make(const struct page *p)
{
	struct report_options *options = mem_zero(1, sizeof(*options));
	struct report *frames = mem_zero(1, sizeof(*frames));
	struct err e = {.kind = ERR_NONE};
	const struct frames *f;
	struct list *l;
	uint32_t late = 0;

	report_options_init(options);
	options->view = report_views;
	while (options->view->choose != framerows_choose)
		options->view++;
	options->range = p->report->options->range;
	options->sort = "over";
	*frames = *p->report;
	frames->options = options;
	frames->tables = tables_new(frames);
	if (!framerows_choose(frames, p->sink->cancel, &e))
		return frames;
	f = &frames->tables->frames;
	l = frames->tables->list;
	for (size_t i = 0; i < l->at.count; i++)
		if (frames_at(f, &l->rows[i])->slow)
			l->rows[late++] = l->rows[i];
	frames->count = late;
	l->at.count = late;
	return frames;
}

void
found_make(struct page *p)
{
	static const struct finding_rules rules;
	const struct report *r = p->report;
	struct finding_query q = {.rules = &rules, .range = r->options->range};
	struct err e = {.kind = ERR_NONE};

	finding_scope(&q, r->profile, r->scope, r->options->threads.count == 0);
	p->found = findings_find(r->profile, &q, p->sink->cancel, &e);
	if (p->found == NULL)
		return;
	p->frames = frames_make(p);
	if (p->frames->tables->list == NULL || p->frames->matched == 0) {
		found_release(&(struct page){.frames = p->frames});
		p->frames = NULL;
	}
}

void
found_release(struct page *p)
{
	findings_free((struct findings *)(uintptr_t)p->found);
	if (p->frames == NULL)
		return;
	tables_free(p->frames->tables);
	mem_free((void *)(uintptr_t)p->frames->options);
	mem_free(p->frames);
}

static void
method_add(uint32_t method, uint32_t *methods, uint32_t *count, uint32_t most)
{
	if (method != METHOD_NONE && *count < most)
		methods[(*count)++] = method;
}

void
found_methods(const struct page *p, uint32_t *methods, uint32_t *count, uint32_t most)
{
	const struct frames *f = p->frames != NULL ? &p->frames->tables->frames : NULL;

	for (uint32_t i = 0; p->found != NULL && i < p->found->count; i++) {
		method_add(p->found->list[i].cause.whole > 0 ? p->found->list[i].cause.method
			: METHOD_NONE, methods, count, most);
		method_add(p->found->list[i].method, methods, count, most);
	}
	for (uint32_t i = 0; f != NULL && i < p->frames->count; i++)
		method_add(frames_at(f, &f->list.rows[i])->heaviest, methods, count, most);
}

/* True if the finding can be marked in the timeline. */
static bool
is_placed(const struct finding *f)
{
	return f->late > 0 && f->length > 0;
}

uint32_t
found_marks(const struct page *p, struct flame_mark *marks, uint32_t most, struct sbuf *texts)
{
	struct finding_words w = {p->report->trace, p->found, p->report->figures.names};
	uint32_t count = 0;

	for (uint32_t i = 0; p->found != NULL && i < p->found->count && count < most; i++) {
		const struct finding *f = &p->found->list[i];

		if (!is_placed(f))
			continue;
		finding_text(&texts[count], &w, f);
		marks[count] = (struct flame_mark){.from = f->start, .to = f->start + f->length,
		    .number = i, .text = sbuf_view(&texts[count])};
		count++;
	}
	return count;
}

/* Findings ------------------------------------------------------------------------ */

/* Writes a text between pieces of HTML, and clears it. */
static void
text_take(struct sbuf *out, const char *before, struct sbuf *text, const char *after)
{
	html_name_between(out, before, sbuf_view(text), after);
	sbuf_clear(text);
}

/* Where the page tells more of it. */
static void
finding_link(const struct page *p, const struct finding *f)
{
	uint32_t method = f->cause.method != METHOD_NONE && f->cause.whole > 0 ? f->cause.method
	    : f->method;
	struct sbuf name = {0};

	sbuf_text(p->out, "<div class=\"to\">");
	if (p->timeline && is_placed(f))
		sbuf_printf(p->out, "<a href=\"#at%td\">Timeline</a> ", f - p->found->list);
	if (method != METHOD_NONE && part_has_block(p, method)) {
		sbuf_printf(p->out, "<a href=\"#m%" PRIu32 "\">", method);
		finding_name(&name, p->report->figures.names, p->report->trace, method);
		text_take(p->out, "", &name, "</a>");
	} else if (f->kind == FINDING_FRAMES && p->frames != NULL) {
		sbuf_text(p->out, "<a href=\"#frames\">Frames</a>");
	} else if (f->kind == FINDING_THREAD || f->kind == FINDING_PROCESS) {
		sbuf_text(p->out, "<a href=\"#threads\">Threads</a>");
	}
	sbuf_text(p->out, "</div>");
	sbuf_release(&name);
}

static void
finding_row(const struct page *p, const struct finding_words *w, const struct finding *f)
{
	nsec time = f->late > 0 ? f->late : f->time;
	struct sbuf text = {0};

	sbuf_printf(p->out, "<tr%s><td class=\"n\">%s</td><td>%s</td><td>",
	    f->late > 0 ? " class=\"late\"" : f->kind == FINDING_NONE ? " class=\"good\"" : "",
	    time > 0 ? fmt_time(FMT_BUF, time, FMT_MS, 1) : "", finding_kinds[f->kind].word);
	finding_text(&text, w, f);
	text_take(p->out, "", &text, "");
	for (int i = 0; i < FINDING_EVIDENCE && finding_evidence(&text, w, f, i); i++)
		text_take(p->out, "<div class=\"dim\">", &text, "</div>");
	finding_link(p, f);
	sbuf_text(p->out, "</td></tr>\n");
	sbuf_release(&text);
}

/* Rows, those that are late first, as the list has them. */
static void
finding_rows(const struct page *p, const struct finding_words *w)
{
	const struct findings *found = w->findings;
	bool late = false, costs = false;

	sbuf_printf(p->out, "<table class=\"found\"><thead><tr><th scope=\"col\" class=\"n\">%s ms"
	    "</th><th scope=\"col\">Kind</th><th scope=\"col\">Finding</th></tr></thead>\n<tbody>\n",
	    found->count > 0 && found->list[0].late > 0 ? "Late" : "Time");
	for (uint32_t i = 0; i < found->count; i++) {
		if (late && !costs && found->list[i].late <= 0) {
			sbuf_text(p->out, "<tr><th class=\"n\">Time ms</th><th colspan=\"2\">Costs, not "
			    "late by themselves</th></tr>\n");
			costs = true;
		}
		late |= found->list[i].late > 0;
		finding_row(p, w, &found->list[i]);
	}
	sbuf_text(p->out, "</tbody></table>\n");
}

void
page_findings(const struct page *p)
{
	const struct findings *found = p->found;
	struct finding_words w = {p->report->trace, found, p->report->figures.names};
	struct sbuf text = {0};

	part_begin(p, "findings", "Findings");
	finding_judged(&text, &w);
	if (text.n > 0)
		text_take(p->out, "<p>", &text, "</p>\n");
	if (finding_startup(&text, &w))
		text_take(p->out, "<p>", &text, "</p>\n");
	if (found->count > 0)
		finding_rows(p, &w);
	for (int i = 0; i < FINDING_LIMITS; i++) {
		if (!found->limits.set[i])
			continue;
		finding_limit_text(&text, &w, (enum finding_limit)i);
		text_take(p->out, "<p class=\"dim\">", &text, "</p>\n");
	}
	sbuf_text(p->out, "</section>\n");
	sbuf_release(&text);
}

/* Frames --------------------------------------------------------------------------- */

/* Frames of a log have a process and a cause; not all of them are calls, which have the other columns. */
static void
columns_choose(struct frames *f)
{
	static const enum frames_column calls[] = {FRAME_NUMBER, FRAME_START, FRAME_TIME, FRAME_OVER,
	    FRAME_CPU, FRAME_RUNNING, FRAME_RUNNABLE, FRAME_THREAD, FRAME_METHOD, FRAME_HEAVIEST_TIME,
	    FRAME_HEAVIEST};
	static const enum frames_column logged[] = {FRAME_NUMBER, FRAME_START, FRAME_TIME, FRAME_OVER,
	    FRAME_PROCESS, FRAME_THREAD, FRAME_CAUSE, FRAME_HEAVIEST};
	const enum frames_column *shown = f->log ? logged : calls;
	size_t count = f->log ? sizeof(logged) / sizeof(*logged) : sizeof(calls) / sizeof(*calls);
	const char *words[sizeof(calls) / sizeof(*calls) + 1] = {NULL};

	for (size_t i = 0; i < count; i++)
		words[i] = frames_source.columns[shown[i]].id;
	table_columns(&f->list, words);
}

void
page_frames(const struct page *p)
{
	const struct report *r = p->frames;
	const struct jank *jank = r->tables->frames.jank;
	const bool log = r->tables->frames.log, told = r->tables->frames.told;

	columns_choose(&r->tables->frames);
	part_begin(p, "frames", "Frames");
	sbuf_printf(p->out, "<p%s>%" PRIu32 " frame%s%s, %" PRIu32,
	    r->count == 0 ? " class=\"good\"" : "", r->matched, r->matched == 1 ? "" : "s",
	    log ? " of the display" : "", r->count);
	if (told) {
		sbuf_text(p->out, " slow</p>\n");
	} else if (log) {
		sbuf_text(p->out, " late (");
		jank_budget_put(p->out, jank);
		sbuf_text(p->out, ")</p>\n");
	} else {
		sbuf_printf(p->out, " over %s ms</p>\n", fmt_ms(FMT_BUF, jank->budget));
	}
	if (!log)
		sbuf_text(p->out, "<p class=\"dim\">Whole frames and starts of activities, of all "
		    "threads. Findings count frames of the one thread they judge, with those that the "
		    "recording cuts.</p>\n");
	if (r->count > 0)
		part_table(p, r->tables->list, &(struct part_table){.what = "late frames",
		    .caption = "Late frames, the longest first; click a heading to sort",
		    .rows = LATE_MAX, .bytes = LATE_BYTES});
	sbuf_text(p->out, "</section>\n");
}
