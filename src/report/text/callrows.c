// SPDX-License-Identifier: Apache-2.0
/*
 * callrows: the view of single calls: for each method asked for its figures, and its
 * calls a row each, the longest first.
 *
 * Methods are searched one by one while the report is written, so that memory is that of
 * one (profile/timeline/calls.h).  The limit is for the calls of each method.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "report/tables.h"
#include "report/text/views.h"
#include "trace/folded.h"
#include "view/calls_list.h"

enum { METHODS_MAX = 256, PERCENTILES = 5 };

static const struct {
	unsigned permille;
	const char *title, *key;
} percentiles[PERCENTILES] = {{500, "p50", "p50_us"}, {900, "p90", "p90_us"},
    {950, "p95", "p95_us"}, {990, "p99", "p99_us"}, {999, "p99.9", "p999_us"}};

bool
callrows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct calls_list *l = &r->tables->calls;
	struct ranked *keys;
	uint8_t *hidden;
	bool good;

	if (r->options->methods.count == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the view 'calls' is about methods: name them with --method or --calls");
	calls_list_init(l, &r->tables->display.figures, NULL);
	if (!table_where(r, &l->list, e) || !table_sort(&l->list, r->options, e))
		return false;
	good = methods_hidden(r, &hidden, cancel, e);
	keys = mem_zero(METHODS_MAX + 1, sizeof(*keys));
	for (uint32_t m = 1; m < r->fold->method_count && good; m++) {
		uint32_t next = m;

		if (!r->fold->methods[m].present || hidden[m])
			continue;
		/* Where a folded name is not what was asked for, those in it that are. */
		while (next != METHOD_NONE && good) {
			bool passes = false;

			good = method_passes(r, next, &passes, e);
			if (good && passes && r->count == METHODS_MAX)
				good = err_set(e, ERR_LIMIT, "more than %d methods match", METHODS_MAX);
			else if (good && passes)
				keys[r->count++] = (struct ranked){.index = next,
				    .key = r->fold->methods[next].inclusive[r->figures.clock]};
			next = passes && next == m ? METHOD_NONE : trace_stands_next(r->trace, next);
		}
	}
	mem_free(hidden);
	r->rows = mem_alloc(((size_t)r->count + 1) * sizeof(*r->rows));
	ranked_sort(keys, r->count, false, r->rows);
	r->matched = r->count;
	return good;
}

/* Lists the calls of the i-th method; false when cancelled. */
static bool
calls_of(struct sink *sink, const struct report *r, uint32_t i)
{
	struct calls_list *l = &r->tables->calls;
	const struct calls_query q = {
	    .scope = r->scope,
	    .range = r->fold->range,
	    .method = r->rows[i],
	    .clock = r->figures.clock,
	    .budget = r->options->budget,
	};
	struct calls *calls = calls_find(r->profile, &q, NULL, sink->cancel);

	if (calls == NULL)
		return sink_wanted(sink);
	calls_list_set(l, calls);
	if (l->list.at.count > r->options->limit)
		l->list.at.count = r->options->limit;
	return true;
}

/* Text ---------------------------------------------------------------------------- */

static void
text_clock(struct sbuf *out, const struct calls *c, const struct report *r,
    enum clock_id clock)
{
	const struct trace_unit *u = &r->trace->unit;
	const struct spread *s = &c->spread[clock];

	if (!trace_has_clock(r->trace, clock))
		return;
	sbuf_printf(out, "  %-5s sum %s  own %s  min %s  mean %s  max %s %s\n       ",
	    unit_counts(u) ? "" : clock_names[clock], unit_figure(u, FMT_BUF, c->inclusive[clock]),
	    unit_figure(u, FMT_BUF, c->exclusive[clock]), unit_figure(u, FMT_BUF, s->min),
	    unit_figure(u, FMT_BUF, spread_mean(s)), unit_figure(u, FMT_BUF, s->max), unit_name(u));
	for (int i = 0; i < PERCENTILES; i++)
		sbuf_printf(out, " %s %s ", percentiles[i].title,
		    unit_figure(u, FMT_BUF, calls_percentile(c, clock, percentiles[i].permille)));
	sbuf_printf(out, "%s\n", unit_name(u));
}

static void
text_head(struct sbuf *out, const struct calls_list *l, const struct report *r)
{
	const struct calls *c = l->calls;
	const struct spread *s = &c->spread[c->clock];

	sbuf_str(out, names_shown(r->figures.names, c->method));
	sbuf_char(out, '\n');
	sbuf_printf(out, names_words(r->figures.names, "  %" PRIu64 " call%s"), c->count, c->count == 1 ? "" : "s");
	if (c->recursive > 0)
		sbuf_printf(out, ", %" PRIu64 " of them recursive", c->recursive);
	if (c->cut > 0)
		sbuf_printf(out, ", %" PRIu64 " cut (+)", c->cut);
	if (c->budget > 0)
		sbuf_printf(out, ", %" PRIu64 " over %s ms (!)", c->over,
		    fmt_ms(FMT_BUF, c->budget));
	if (!calls_all_kept(c))
		sbuf_printf(out, "; the longest %" PRIu32 " are kept, percentiles are off by less than 0.4%%",
		    c->row_count);
	sbuf_char(out, '\n');
	text_clock(out, c, r, r->figures.clock);
	text_clock(out, c, r, clock_other(r->figures.clock));
	for (int i = 0; i < SPREAD_BUCKETS; i++) {
		if (s->bucket[i] == 0)
			continue;
		sbuf_printf(out, "  up to %12s %s  %10" PRIu64 "\n", i + 1 < SPREAD_BUCKETS
			? unit_figure(&r->trace->unit, FMT_BUF, spread_bound(i)) : "more",
		    unit_name(&r->trace->unit), s->bucket[i]);
	}
	sbuf_char(out, '\n');
}

/* Returns the list's cell; after how long a call took, + where it is cut and ! where too long. */
static struct value
marked_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct sheet *list = s->context;
	const struct calls_list *l = ((const struct list *)s->model)->of;
	const struct call_row *row = calls_list_at(l, &l->list.rows[at]);
	struct value v = list->cell(s, at, column, raw);

	if (s->columns[column].of != CALLS_TIME)
		return v;
	sbuf_char(s->scratch, (row->flags & (CALL_BEFORE | CALL_BEYOND)) != 0 ? '+' : ' ');
	sbuf_char(s->scratch, calls_list_is_over(l, row) ? '!' : ' ');
	return value_text(sbuf_view(s->scratch));
}

static void
text_rows(struct sink *sink, const struct calls_list *l)
{
	struct sheet sheet, list;

	list_sheet(&sheet, &l->list, false);
	list = sheet;
	sheet.cell = marked_cell;
	sheet.context = &list;
	for (int c = 0; c < sheet.column_count; c++)
		if (sheet.columns[c].of == CALLS_TIME)
			snprintf(sheet.columns[c].title, FMT_SIZE, "%.40s  ", list.columns[c].title);
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
}

/* CSV and JSON ----------------------------------------------------------------------- */

static void
json_clock(struct json *j, const struct calls *c, enum clock_id clock)
{
	const struct spread *s = &c->spread[clock];

	member_object(j, clock_names[clock]);
	MEMBERS(j, {"sum_us", value_time(c->inclusive[clock])},
	    {"own_us", value_time(c->exclusive[clock])}, {"min_us", value_time(s->min)},
	    {"mean_us", value_time(spread_mean(s))}, {"max_us", value_time(s->max)});
	for (int i = 0; i < PERCENTILES; i++)
		member_us(j, percentiles[i].key, calls_percentile(c, clock, percentiles[i].permille));
	member_array(j, "histogram");
	for (int i = 0; i < SPREAD_BUCKETS; i++) {
		if (s->bucket[i] == 0)
			continue;
		json_object(j);
		if (i + 1 < SPREAD_BUCKETS)
			member_us(j, "to_us", spread_bound(i));
		else
			member_null(j, "to_us");
		member_uint(j, "calls", s->bucket[i]);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void
json_head(struct json *j, const struct calls *c, const struct report *r)
{
	const struct method *method = trace_method(r->trace, c->method);

	MEMBERS(j, {"id", value_text(NAME_ID(r->trace, c->method))},
	    {"class", value_text(method->class_name)}, {"name", value_text(method->name)},
	    {"signature", value_text(method->signature)}, {"file", value_text(method->file)},
	    {"calls", value_count(c->count - c->recursive)},
	    {"recursive_calls", value_count(c->recursive)}, {"cut_calls", value_count(c->cut)},
	    {"budget_us", value_time(c->budget)}, {"over_budget", value_count(c->over)},
	    {"kept", value_count(c->row_count)}, {"exact_percentiles", value_bool(calls_all_kept(c))});
	for (int k = 0; k < CLOCKS; k++)
		if (trace_has_clock(r->trace, (enum clock_id)k))
			json_clock(j, c, (enum clock_id)k);
}

/* All ------------------------------------------------------------------------------- */

void
callrows_text(struct sink *sink, const struct report *r)
{
	const struct calls_list *l = &r->tables->calls;

	for (uint32_t i = 0; i < r->count && calls_of(sink, r, i); i++) {
		if (i > 0)
			sbuf_char(&sink->text, '\n');
		text_head(&sink->text, l, r);
		text_rows(sink, l);
	}
}

void
callrows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct calls_list *l = &r->tables->calls;

	if (j != NULL)
		member_array(j, "methods");
	else
		table_write(sink, NULL, &l->list, NULL, NULL);
	for (uint32_t i = 0; i < r->count && calls_of(sink, r, i); i++) {
		if (j != NULL) {
			json_object(j);
			json_head(j, l->calls, r);
		}
		table_write(sink, j, &l->list, "rows", &(struct sheet){.goes_on = true});
		if (j != NULL)
			json_end(j);
	}
	if (j != NULL)
		json_end(j);
}
