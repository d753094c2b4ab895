// SPDX-License-Identifier: Apache-2.0
/*
 * verdictfiles.c: verdicts on several runs for programs (verdicts.h).
 */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "base/escape.h"
#include "report/text/verdicts.h"
#include "view/sheet.h"

/* CSV ---------------------------------------------------------------------------------- */

static void
field_real(struct sbuf *out, bool is, double number)
{
	sbuf_char(out, ',');
	if (is && isfinite(number))
		sbuf_printf(out, "%.9g", number);
}

/* p with four significant digits. */
static void
field_p(struct sbuf *out, bool is, double p)
{
	sbuf_char(out, ',');
	if (is)
		sbuf_printf(out, "%.4g", p);
}

static void
row_csv(struct sbuf *out, const struct runset *r, const struct runs_row *row, const struct decide_row *d,
    const char *name)
{
	bool change = verdicts_changed(d), interval = change && verdicts_ranged(r);

	sbuf_text(out, verdicts_word(d));
	sbuf_char(out, ',');
	if (row != NULL)
		csv_field(out, row->of->class_name);
	sbuf_char(out, ',');
	csv_field(out, row != NULL ? row->of->name : str_from(name));
	sbuf_char(out, ',');
	if (row != NULL)
		csv_field(out, row->of->signature);
	field_real(out, true, d->a);
	field_real(out, true, d->b);
	field_real(out, change, d->change);
	field_real(out, interval, d->low);
	field_real(out, interval, d->high);
	field_p(out, interval, d->p_slower);
	field_p(out, interval, d->p_faster);
	field_real(out, change, d->delta);
	sbuf_printf(out, ",%s", verdicts_gates[d->gate]);
	field_real(out, d->gated && d->limit.percent_given, d->limit.percent * 100);
	field_real(out, d->gated && d->limit.time_given, d->limit.time);
	sbuf_char(out, ',');
	if (d->more_runs > 0)
		sbuf_printf(out, "%u", d->more_runs);
	if (row != NULL && row->calls != CALLS_UNKNOWN)
		sbuf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%s", verdicts_calls(r, row, DIFF_A, true),
		    verdicts_calls(r, row, DIFF_B, true), verdicts_call_words[row->calls]);
	else
		sbuf_text(out, ",,,");
	sbuf_text(out, "\r\n");
}

void
verdicts_csv(struct sink *sink, const struct runset *r)
{
	static const char heading[] = "verdict,class,name,signature,a_us,b_us,change,lo,hi,p_slower,"
	    "p_faster,delta_us,gate,limit_percent,limit_us,more_runs,calls_a,calls_b,calls";
	struct sbuf *out = &sink->text;

	sbuf_printf(out, "%s\r\n", heading);
	row_csv(out, r, NULL, &r->decide.run, "(run)");
	if (r->decide.has_speed)
		row_csv(out, r, NULL, &r->decide.speeds, "(common)");
	for (size_t i = 0; i < r->count && sink_row(sink); i++)
		row_csv(out, r, &r->rows[i], &r->rows[i].decided, NULL);
}

/* JSON --------------------------------------------------------------------------------- */

static void
side_json(struct json *j, const struct runset *r, int side)
{
	json_array(j);
	for (size_t i = 0; i < r->side[side].count; i++) {
		const struct runs_run *run = &r->side[side].runs[i];

		json_object(j);
		MEMBERS(j, {"file", value_text(str_from(run->path))},
		    {"format", value_text(str_from(run->format))},
		    {"sampled", value_bool(run->sampled.yes)},
		    {"interval_us", value_if(run->sampled.yes && run->sampled.interval > 0,
			value_time(run->sampled.interval))},
		    {"total_us", value_time(run->total[r->clock])},
		    {"per_calls", value_if(run->calls > 0, value_count(run->calls))});
		if (r->decide.has_speed)
			member_real(j, "speed",
			    expm1(r->decide.speed[side == DIFF_A ? i : i + r->decide.a]));
		json_end(j);
	}
	json_end(j);
}

static void
test_json(struct json *j, const struct runset *r)
{
	const struct decide *d = &r->decide;
	size_t same = 0;

	for (size_t i = 0; i < r->count; i++)
		same += r->rows[i].decided.verdict == VERDICT_SAME;
	member_object(j, "test");
	member_real(j, "alpha", d->alpha);
	member_array(j, "runs");
	json_uint(j, d->a);
	json_uint(j, d->b);
	json_end(j);
	member_int(j, "d", (int64_t)(d->a + d->b) - 2);
	member_real(j, "d0", d->prior_freedom);
	member_real(j, "s0", sqrt(d->prior_spread));
	member_real(j, "noise", d->noise);
	MEMBERS(j, {"normalize", value_text(str_from(d->common ? "common" : "none"))},
	    {"value", value_text(str_from(r->diff->value == DIFF_EXCLUSIVE ? "excl" : "incl"))},
	    {"clock", value_text(str_from(r->clock == RUNS_CPU ? "cpu" : "wall"))},
	    {"idle", value_bool(r->clock == RUNS_WALL)});
	if (runs_per(r) != NULL)
		MEMBERS(j, {"per", value_text(str_from(runs_per(r)))}, {"blocks", value_bool(runs_of_blocks(r))});
	if (runs_first(r) < DIFF_SIDES)
		member_str(j, "recorded_first", str_from(runs_first(r) == DIFF_A ? "base" : "new"));
	MEMBERS(j, {"tested", value_count(d->tested)}, {"same", value_count(same)});
	json_end(j);
}

static void
gate_json(struct json *j, const struct runset *r)
{
	member_object(j, "gate");
	MEMBERS(j, {"verdict", value_text(str_from(runs_word(r)))},
	    {"status", value_number(runs_status(r))}, {"failed", value_count(r->failed)},
	    {"open", value_count(r->open)}, {"suspects", value_count(r->suspects)});
	member_array(j, "unused");
	for (size_t i = 0; i < r->how->limit_count; i++)
		if (!r->how->limits[i].used)
			json_str(j, str_from(r->how->limits[i].text));
	json_end(j);
	json_end(j);
}

/* Writes the times of a side's runs. */
static void
runs_json(struct json *j, const char *key, const struct runset *r, int side, const double *time)
{
	const struct runs_side *s = &r->side[side];

	member_array(j, key);
	for (size_t i = 0; i < s->count; i++)
		json_decimal(j, s->runs[i].calls > 0 ? time[i] / (double)s->runs[i].calls : time[i]);
	json_end(j);
}

static void
row_json(struct json *j, const struct runset *r, const struct runs_row *row, const struct decide_row *d,
    const char *name)
{
	bool change = verdicts_changed(d), interval = change && verdicts_ranged(r);

	json_object(j);
	if (row != NULL)
		MEMBERS(j, {"class", value_text(row->of->class_name)}, {"name", value_text(row->of->name)},
		    {"signature", value_text(row->of->signature)});
	else
		member_str(j, "name", str_from(name));
	member_str(j, "verdict", str_from(verdicts_word(d)));
	member_decimal(j, "a_us", d->a);
	member_decimal(j, "b_us", d->b);
	if (row != NULL) {
		runs_json(j, "runs_a_us", r, DIFF_A, d->time);
		runs_json(j, "runs_b_us", r, DIFF_B, d->time + r->decide.a);
	}
	if (change) {
		member_real(j, "change", d->change);
		member_decimal(j, "delta_us", d->delta);
	}
	if (interval) {
		member_real(j, "lo", d->low);
		member_real(j, "hi", d->high);
		member_real(j, "p_slower", d->p_slower);
		member_real(j, "p_faster", d->p_faster);
	}
	if (d->suspect)
		member_bool(j, "suspect", true);
	if (d->gate != GATE_NONE) {
		member_str(j, "gate", str_from(d->gate == GATE_FAILS ? "fail" : verdicts_gates[d->gate]));
		member_object(j, "limit");
		if (d->limit.percent_given)
			member_real(j, "percent", d->limit.percent * 100);
		if (d->limit.time_given)
			member_decimal(j, "us", d->limit.time);
		if (row != NULL && row->limit != NULL)
			member_str(j, "allow", str_from(row->limit->text));
		json_end(j);
	}
	if (d->more_runs > 0)
		member_uint(j, "more_runs", d->more_runs);
	if (row != NULL && row->calls != CALLS_UNKNOWN)
		MEMBERS(j, {"calls_a", value_count(verdicts_calls(r, row, DIFF_A, true))},
		    {"calls_b", value_count(verdicts_calls(r, row, DIFF_B, true))},
		    {"calls", value_text(str_from(verdicts_call_words[row->calls]))});
	if (row != NULL && row->cause_count > 0) {
		member_array(j, "cause");
		for (size_t i = 0; i < row->cause_count; i++)
			json_str(j, row->cause[i].name);
		json_end(j);
	}
	if (row != NULL)
		diffreport_origin(j, &row->pair,
		    (const struct trace *[]){r->side[DIFF_A].trace, r->side[DIFF_B].trace});
	json_end(j);
}

void
verdicts_json(struct sink *sink, const struct runset *r)
{
	struct json json, *j = &json;

	json_init(j, &sink->text, 2);
	j->unit = verdicts_unit(r)->name;
	json_object(j);
	member_object(j, "sides");
	json_key(j, "a");
	side_json(j, r, DIFF_A);
	json_key(j, "b");
	side_json(j, r, DIFF_B);
	json_end(j);
	test_json(j, r);
	gate_json(j, r);
	member_array(j, "rows");
	row_json(j, r, NULL, &r->decide.run, "(run)");
	if (r->decide.has_speed)
		row_json(j, r, NULL, &r->decide.speeds, "(common)");
	for (size_t i = 0; i < r->count && sink_row(sink); i++)
		row_json(j, r, &r->rows[i], &r->rows[i].decided, NULL);
	if (!sink_wanted(sink))
		return;
	json_end(j);
	json_end(j);
	json_finish(j);
}
