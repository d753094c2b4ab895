// SPDX-License-Identifier: Apache-2.0
/*
 * framerows: the view of the frames of the display: a row each, as on the screen
 * (view/frames.h), in order of time unless another one is asked for.
 *
 * Above those of a log is a line for each process and source: how many it drew, how many were slow
 * and why, their lengths.  --method says what a frame is.  Filters look at its thread, its method and the one that
 * took most of it.
 */
#include <config.h>

#include "report/text/views.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/tables.h"
#include "trace/log.h"

/* All frames; NULL when cancelled, or a pattern is bad or too costly. */
static struct jank *
find(const struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_patterns *methods = &r->options->methods;
	struct jank_query q = {.scope = r->scope, .range = r->fold->range,
	    .budget = !r->options->budget_given  ? 0
		: r->options->budget > 0 ? r->options->budget
					 : JANK_NO_BUDGET};
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
	if ((jank = find(r, cancel, e)) == NULL)
		return false;
	frames_set(f, jank);
	return table_take(r, &f->list, false, e);
}

/* Rows before the limit, and slow ones of these: that SurfaceFlinger tells of, or others. */
struct counts {
	uint32_t rows[2], slow[2];
};

static struct counts
count(const struct report *r)
{
	const struct frames *f = &r->tables->frames;
	struct counts c = {{0}, {0}};

	for (uint32_t i = 0; i < r->matched; i++) {
		const struct jank_frame *row = frames_at(f, &f->list.rows[i]);

		c.rows[jank_is_told(row)]++;
		c.slow[jank_is_told(row)] += row->slow;
	}
	return c;
}

/* Lines about processes -------------------------------------------------------------- */

enum { LINES_MOST = 4 };

/* Frames of a process that one source tells of. */
struct frame_group {
	const struct jank_frame **rows;
	uint32_t count, drew, slow, open;
	uint32_t causes[LOG_JANKS];
};

/* True if a frame's length counts: after those of open ones, and those that drew nothing. */
static int
rank(const struct jank_frame *f)
{
	return f->open ? 0 : f->drew == 0 ? 1 : 2;
}

static int
group_row_order(const void *left, const void *right)
{
	const struct jank_frame *a = *(const struct jank_frame *const *)left;
	const struct jank_frame *b = *(const struct jank_frame *const *)right;

	return order_then(order_then(ORDER(a->process, b->process), ORDER(a->source, b->source)),
	    order_then(rank(a) - rank(b), ORDER(a->time[CLOCK_WALL], b->time[CLOCK_WALL])));
}

/* The largest first. */
static int
group_order(const void *left, const void *right)
{
	const struct frame_group *a = left, *b = right;

	return order_then(ORDER(b->count, a->count), group_row_order(&a->rows[0], &b->rows[0]));
}

static void
group_count(struct frame_group *g)
{
	for (uint32_t i = 0; i < g->count; i++) {
		const struct jank_frame *row = g->rows[i];

		g->drew += row->drew > 0;
		g->open += row->open;
		if (!row->slow)
			continue;
		g->slow++;
		for (int k = 0; k < LOG_JANKS; k++)
			g->causes[k] += (row->janks & log_janks[k].bit) != 0;
	}
}

/* "739 frames, 61 slow (App Deadline Missed 16, Buffer Stuffing 50), 1 open, median ..." */
static void
group_put(struct sbuf *out, const struct frame_group *g, const struct frames *f)
{
	const struct jank_frame *row = g->rows[0];
	const bool told = jank_is_told(row);
	const char *gap = " (";
	uint32_t first = g->count - 1, last = first;
	nsec worst = 0, over;
	bool known = false;

	sbuf_str(out, row->process > 0 ? f->processes.items[row->process].name : STR("no process"));
	sbuf_printf(out, "  %" PRIu32 " %s%s", g->count,
	    row->source == JANK_DISPLAY ? "of the display" : "frame",
	    row->source != JANK_DISPLAY && g->count != 1 ? "s" : "");
	if (!told && row->drew >= 0)
		sbuf_printf(out, ", %" PRIu32 " drew", g->drew);
	sbuf_printf(out, ", %" PRIu32 " %s", g->slow, told ? "slow" : "late");
	for (int i = 0; i < LOG_JANKS; i++) {
		if (g->causes[i] == 0)
			continue;
		sbuf_printf(out, "%s%s %" PRIu32, gap, log_janks[i].name, g->causes[i]);
		gap = ", ";
	}
	sbuf_text(out, gap[0] == ',' ? ")" : "");
	if (g->open > 0)
		sbuf_printf(out, ", %" PRIu32 " open", g->open);
	while (first > 0 && rank(g->rows[first - 1]) == rank(g->rows[last]))
		first--;
	if (rank(g->rows[last]) > 0)
		sbuf_printf(out, ", median %s ms, longest %s ms",
		    fmt_ms(FMT_BUF, g->rows[first + (last - first) / 2]->time[CLOCK_WALL]),
		    fmt_ms(FMT_BUF, g->rows[last]->time[CLOCK_WALL]));
	for (uint32_t i = first; i <= last; i++) {
		if (!frames_over(f, g->rows[i], &over) || (known && over <= worst))
			continue;
		worst = over;
		known = true;
	}
	if (known)
		sbuf_printf(out, ", worst over %s ms", fmt_ms(FMT_BUF, worst));
	sbuf_text(out, "\n");
}

/* Writes a line a process and source, those with most frames first; the rest in one. */
static void
groups_put(struct sbuf *out, const struct report *r)
{
	const struct frames *f = &r->tables->frames;
	const struct jank_frame **rows = mem_alloc(r->matched * sizeof(*rows) + 1);
	struct frame_group *groups = NULL, rest = {.rows = NULL};
	size_t count = 0, room = 0;

	for (uint32_t i = 0; i < r->matched; i++)
		rows[i] = frames_at(f, &f->list.rows[i]);
	qsort(rows, r->matched, sizeof(*rows), group_row_order);
	for (uint32_t i = 0; i < r->matched; i++) {
		if (i == 0 || rows[i]->process != rows[i - 1]->process ||
		    rows[i]->source != rows[i - 1]->source)
			*MEM_ADD(groups, count, room) = (struct frame_group){.rows = rows + i};
		groups[count - 1].count++;
	}
	for (size_t i = 0; i < count; i++)
		group_count(&groups[i]);
	qsort(groups, count, sizeof(*groups), group_order);
	for (size_t i = 0; i < count; i++) {
		if (i < LINES_MOST) {
			group_put(out, &groups[i], f);
			continue;
		}
		rest.count += groups[i].count;
		rest.slow += groups[i].slow;
	}
	if (rest.count > 0)
		sbuf_printf(out, "others  %" PRIu32 " frame%s, %" PRIu32 " slow\n", rest.count,
		    rest.count == 1 ? "" : "s", rest.slow);
	mem_free(rows);
	mem_free(groups);
}

/* All --------------------------------------------------------------------------------- */

void
framerows_text(struct sink *sink, const struct report *r)
{
	const struct jank *jank = r->tables->frames.jank;
	const bool log = r->tables->frames.log;
	const struct counts c = count(r);

	sbuf_printf(&sink->text, "%" PRIu32 " frame%s", r->matched, r->matched == 1 ? "" : "s");
	if (c.rows[true] > 0)
		sbuf_printf(&sink->text, ", %" PRIu32 " slow", c.slow[true]);
	if (jank->budget < JANK_NO_BUDGET && log && (c.rows[false] > 0 || jank->set)) {
		sbuf_printf(&sink->text, ", %" PRIu32 " late (", c.slow[false]);
		jank_budget_put(&sink->text, jank);
		sbuf_text(&sink->text, ")");
	} else if (jank->budget < JANK_NO_BUDGET && !log) {
		sbuf_printf(&sink->text, ", %" PRIu32 " over %s ms", c.slow[false],
		    fmt_ms(FMT_BUF, jank->budget));
	}
	if (jank->count < jank->total)
		sbuf_printf(&sink->text, "; of %" PRIu64 " only the longest %" PRIu32 " are kept",
		    jank->total, jank->count);
	sbuf_text(&sink->text, "\n");
	if (log && r->matched > 0)
		groups_put(&sink->text, r);
	sbuf_text(&sink->text, "\n");
	table_text(sink, r);
}

void
framerows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct jank *jank = r->tables->frames.jank;
	const struct counts c = count(r);

	if (j != NULL)
		MEMBERS(j, {"budget_us", value_time(jank->budget < JANK_NO_BUDGET ? jank->budget : 0)},
		    {"found", value_count(jank->total)},
		    {"over_budget", value_count((uint64_t)c.slow[true] + c.slow[false])});
	table_report(sink, j, r);
}
