// SPDX-License-Identifier: Apache-2.0
/*
 * framerows: the view of the frames of the display: a row each, as on the screen
 * (view/frames.h), in order of time unless another one is asked for.
 *
 * --method says what a frame is.  Filters look at its thread, its method and the one that
 * took most of it.
 */
#include <config.h>

#include "report/text/views.h"

#include <inttypes.h>

#include "report/tables.h"

/* All frames; NULL when cancelled, or a pattern is bad or too costly. */
static struct jank *
find(const struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_patterns *methods = &r->options->methods;
	struct jank_query q = {.scope = r->scope, .range = r->fold->range};
	struct err why = {0};
	struct sbuf any = {0};
	struct jank *j;

	for (size_t i = 0; i < methods->count; i++)
		sbuf_printf(&any, "%s%s", i > 0 ? "|" : "", methods->list[i].text);
	q.pattern = sbuf_view(&any);
	j = jank_find(r->profile, &q, cancel, &why);
	sbuf_release(&any);
	if (j == NULL) {
		err_set(e, ERR_CANCELLED, "interrupted");
	} else if (why.kind != ERR_NONE) {
		*e = why;
		jank_free(j);
		j = NULL;
	}
	return j;
}

bool
framerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct frames *f = &r->tables->frames;
	struct jank *jank;

	frames_init(f, &r->tables->display);
	frames_set_budget(f, r->options->budget > 0 ? r->options->budget : INT64_MAX);
	if ((jank = find(r, cancel, e)) == NULL)
		return false;
	frames_set(f, jank);
	return table_take(r, &f->list, false, e);
}

/* Rows over the budget, before the limit. */
static uint32_t
over(const struct report *r)
{
	const struct frames *f = &r->tables->frames;
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->matched; i++)
		count += frames_is_over(f, frames_at(f, &f->list.rows[i]));
	return count;
}

void
framerows_text(struct sink *sink, const struct report *r)
{
	const struct jank *jank = r->tables->frames.jank;

	sbuf_printf(&sink->text, "%" PRIu32 " frame%s", r->matched, r->matched == 1 ? "" : "s");
	if (r->options->budget > 0)
		sbuf_printf(&sink->text, ", %" PRIu32 " over %s ms", over(r),
		    fmt_ms(FMT_BUF, r->options->budget));
	if (jank->count < jank->total)
		sbuf_printf(&sink->text, "; of %" PRIu64 " only the longest %" PRIu32 " are kept",
		    jank->total, jank->count);
	sbuf_text(&sink->text, "\n\n");
	table_text(sink, r);
}

void
framerows_write(struct sink *sink, struct json *j, const struct report *r)
{
	if (j != NULL)
		MEMBERS(j, {"budget_us", value_time(r->options->budget)},
		    {"found", value_count(r->tables->frames.jank->total)},
		    {"over_budget", value_count(over(r))});
	table_report(sink, j, r);
}
