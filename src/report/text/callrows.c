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
#include <stdlib.h>

#include "base/mem.h"
#include "report/tables.h"
#include "report/text/views.h"
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
	if (!table_sort(&l->list, r->options, e))
		return false;
	good = methods_hidden(r, &hidden, cancel, e);
	keys = mem_zero(METHODS_MAX + 1, sizeof(*keys));
	for (uint32_t m = 1; m < r->fold->method_count && good; m++) {
		if (!r->fold->methods[m].present || hidden[m])
			continue;
		if (r->count == METHODS_MAX)
			good = err_set(e, ERR_LIMIT, "more than %d methods match", METHODS_MAX);
		else
			keys[r->count++] = (struct ranked){
			    .key = r->fold->methods[m].inclusive[r->figures.clock], .index = m};
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

static enum clock_id
other(const struct report *r)
{
	return clock_other(r->figures.clock);
}

/* Text ---------------------------------------------------------------------------- */

static void
text_clock(struct sbuf *out, const struct calls *c, const struct report *r,
    enum clock_id clock)
{
	const struct spread *s = &c->spread[clock];

	if (!trace_has_clock(r->trace, clock))
		return;
	sbuf_printf(out, "  %-5s sum %s  own %s  min %s  mean %s  max %s ms\n       ",
	    clock_names[clock], fmt_ms(FMT_BUF, c->inclusive[clock]),
	    fmt_ms(FMT_BUF, c->exclusive[clock]), fmt_ms(FMT_BUF, s->min),
	    fmt_ms(FMT_BUF, spread_mean(s)), fmt_ms(FMT_BUF, s->max));
	for (int i = 0; i < PERCENTILES; i++)
		sbuf_printf(out, " %s %s ", percentiles[i].title,
		    fmt_ms(FMT_BUF, calls_percentile(c, clock, percentiles[i].permille)));
	sbuf_text(out, "ms\n");
}

static void
text_head(struct sbuf *out, const struct calls_list *l, const struct report *r)
{
	const struct calls *c = l->calls;
	const struct spread *s = &c->spread[c->clock];
	const char *clock = clock_names[other(r)];

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
	text_clock(out, c, r, other(r));
	for (int i = 0; i < SPREAD_BUCKETS; i++) {
		if (s->bucket[i] == 0)
			continue;
		sbuf_printf(out, "  up to %12s ms  %10" PRIu64 "\n",
		    i + 1 < SPREAD_BUCKETS ? fmt_ms(FMT_BUF, spread_bound(i)) : "more", s->bucket[i]);
	}
	sbuf_printf(out, "\n%8s  %11s  %11s   %11s  ", "#", "Start s", "Dur ms", "Excl ms");
	if (trace_has_clock(r->trace, other(r)))
		sbuf_printf(out, "%*s%s ms  %*s%s ms  ", clock[0] == 'c' ? 6 : 5, "Dur ", clock,
		    clock[0] == 'c' ? 6 : 5, "Excl ", clock);
	sbuf_text(out, names_words(r->figures.names, "Depth  Thread                Caller\n"));
}

static void
text_thread(struct sbuf *out, const struct report *r, uint32_t thread)
{
	struct sbuf text = {0};

	sbuf_printf(&text, "%" PRIu32 " ", trace_thread(r->trace, thread)->id);
	sbuf_str(&text, names_thread(r->figures.names, thread));
	cell_text(out, names_head(r->figures.names, sbuf_view(&text), 20), 20, true);
	sbuf_text(out, "  ");
	sbuf_release(&text);
}

static void
text_row(struct sbuf *out, const struct calls_list *l, const struct report *r,
    const struct call_row *row)
{
	const struct calls *c = l->calls;
	uint32_t number = calls_list_number(l, row);

	if (number > 0)
		sbuf_printf(out, "%8" PRIu32, number);
	else
		sbuf_text(out, "        ");
	sbuf_printf(out, "  %11s  %11s%c%c %11s  ", fmt_time(FMT_BUF, row->start, FMT_S, 6),
	    fmt_ms(FMT_BUF, row->time[c->clock]),
	    (row->flags & (CALL_BEFORE | CALL_BEYOND)) != 0 ? '+' : ' ',
	    calls_list_is_over(l, row) ? '!' : ' ', fmt_ms(FMT_BUF, row->exclusive[c->clock]));
	if (trace_has_clock(r->trace, other(r)))
		sbuf_printf(out, "%12s  %12s  ", fmt_ms(FMT_BUF, row->time[other(r)]),
		    fmt_ms(FMT_BUF, row->exclusive[other(r)]));
	sbuf_printf(out, "%5" PRIu32 "  ", c->frames[row->frame].depth);
	text_thread(out, r, row->thread);
	sbuf_str(out, names_shown(r->figures.names, calls_list_caller(l, row)));
	sbuf_char(out, '\n');
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
	    {"kept", value_count(c->row_count)});
	member_bool(j, "exact_percentiles", calls_all_kept(c));
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
		for (size_t k = 0; k < l->list.at.count && sink_row(sink); k++)
			text_row(&sink->text, l, r, calls_list_at(l, &l->list.rows[k]));
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
