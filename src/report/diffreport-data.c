/* The differences of two traces, for programs. */
#include <config.h>

#include <inttypes.h>

#include "report/diffreport.h"
#include "report/fields.h"
#include "report/members.h"
#include "report/names.h"

/* As the report names them, by value and clock. */
static const char *const time_keys[DIFF_VALUES][CLOCKS] = {
    [DIFF_INCLUSIVE] = {"incl_cpu_us", "incl_wall_us"},
    [DIFF_EXCLUSIVE] = {"excl_cpu_us", "excl_wall_us"},
};
static const char *const side_words[DIFF_SIDES] = {"a", "b"};
static const char *const change_keys[DIFF_CHANGES] = {
    "slower", "faster", "only_b", "only_a", "unchanged"};

static int
side_of(const struct diff_row *r)
{
	return r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;
}

static bool
has_clock(const struct diffreport *d, int clock)
{
	return (d->diff.clocks & 1u << clock) != 0;
}

/* CSV ----------------------------------------------------------------------------- */

static void
csv_titles(struct sbuf *out, const struct diffreport *d)
{
	sbuf_text(out, "change,class,name,signature,calls_a,calls_b,");
	for (int c = 0; c < CLOCKS; c++)
		for (int v = 0; v < DIFF_VALUES; v++)
			if (has_clock(d, c))
				sbuf_printf(out, "%s_a,%s_b,%s_delta,", time_keys[v][c],
				    time_keys[v][c], time_keys[v][c]);
	sbuf_text(out, "by_calls_us,by_time_us,class_in_a,name_in_a,signature_in_a,");
	field_line_end(out);
}

static void
csv_us(struct sbuf *out, nsec time)
{
	char text[FMT_SIZE];

	field_put(out, str_from(fmt_us(text, time)));
}

/* What a method is called in A, where that is another name than in B. */
static void
csv_name_in_a(struct sbuf *out, const struct diffreport *d, const struct diff_row *r)
{
	const struct trace *a = d->side[DIFF_A].trace;
	const struct method *m = r->renamed ? trace_method(a, r->sum[DIFF_A].method) : NULL;

	field_put(out, m != NULL ? m->class_name : STR(""));
	field_put(out, m != NULL ? m->name : STR(""));
	field_put(out, m != NULL ? m->signature : STR(""));
}

/* Nothing where the method is not there. */
static void
csv_row(struct sbuf *out, const struct diffreport *d, enum diff_change change,
    const struct diff_row *r)
{
	const struct report *of = &d->side[side_of(r)];
	const struct method *method = trace_method(of->trace, r->sum[side_of(r)].method);
	struct diff_cause cause = diff_cause(r, &d->by);
	char id[NAME_ID_SIZE];

	field_put(out, str_from(diff_changes[change].word));
	field_put(out, method->class_name);
	field_put(out, method->known ? method->name
	    : name_id(id, of->trace, r->sum[side_of(r)].method));
	field_put(out, method->signature);
	for (int side = 0; side < DIFF_SIDES; side++) {
		if (r->sum[side].method != METHOD_NONE)
			field_count(out, r->sum[side].calls);
		else
			field_put(out, STR(""));
	}
	for (int c = 0; c < CLOCKS; c++) {
		for (int v = 0; v < DIFF_VALUES && has_clock(d, c); v++) {
			struct diff_by by = {.value = v, .clock = c};

			for (int side = 0; side < DIFF_SIDES; side++) {
				if (r->sum[side].method != METHOD_NONE)
					csv_us(out, diff_time(r, side, &by));
				else
					field_put(out, STR(""));
			}
			csv_us(out, diff_delta(r, &by));
		}
	}
	csv_us(out, cause.by_calls);
	csv_us(out, cause.by_time);
	csv_name_in_a(out, d, r);
	field_line_end(out);
}

void
diffreport_csv(struct sink *sink, const struct diffreport *d)
{
	csv_titles(&sink->text, d);
	for (int change = 0; change < DIFF_UNCHANGED; change++) {
		const struct diffreport_list *list = &d->lists[change];

		for (uint32_t i = 0; i < list->count && sink_row(sink); i++)
			csv_row(&sink->text, d, (enum diff_change)change,
			    &d->diff.rows[list->rows[i]]);
	}
}

/* JSON ---------------------------------------------------------------------------- */

static void
json_sum(struct json *j, const struct diffreport *d, const struct diff_row *r, int side)
{
	const struct diff_sum *s = &r->sum[side];
	char id[NAME_ID_SIZE];

	json_key(j, side_words[side]);
	if (s->method == METHOD_NONE) {
		json_null(j);
		return;
	}
	json_object(j);
	member_str(j, "id", name_id(id, d->side[side].trace, s->method));
	if (r->renamed && side == DIFF_A) {
		const struct method *m = trace_method(d->side[side].trace, s->method);

		member_str(j, "class", m->class_name);
		member_str(j, "name", m->name);
		member_str(j, "signature", m->signature);
	}
	member_uint(j, "calls", s->calls - s->recursive_calls);
	member_uint(j, "recursive_calls", s->recursive_calls);
	for (int c = 0; c < CLOCKS; c++)
		for (int v = 0; v < DIFF_VALUES; v++)
			member_time(j, d->side[side].trace, time_keys[v], (enum clock_id)c,
			    s->time[v][c]);
	json_end(j);
}

static void
json_delta(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	json_key(j, "delta");
	json_object(j);
	json_key(j, "calls");
	json_int(j, diff_cause(r, &d->by).calls);
	for (int c = 0; c < CLOCKS; c++) {
		for (int v = 0; v < DIFF_VALUES && has_clock(d, c); v++) {
			struct diff_by by = {.value = v, .clock = c};

			member_us(j, time_keys[v][c], diff_delta(r, &by));
		}
	}
	json_end(j);
}

static void
json_row(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	const struct trace *t = d->side[side_of(r)].trace;
	const struct method *method = trace_method(t, r->sum[side_of(r)].method);
	struct diff_cause cause = diff_cause(r, &d->by);

	json_object(j);
	member_str(j, "class", method->class_name);
	member_str(j, "name", method->name);
	member_str(j, "signature", method->signature);
	for (int side = 0; side < DIFF_SIDES; side++)
		json_sum(j, d, r, side);
	json_delta(j, d, r);
	member_us(j, "by_calls_us", cause.by_calls);
	member_us(j, "by_time_us", cause.by_time);
	json_end(j);
}

static void
json_list(struct json *j, struct sink *sink, const struct diffreport *d, enum diff_change change)
{
	const struct diffreport_list *list = &d->lists[change];

	json_key(j, change_keys[change]);
	json_array(j);
	for (uint32_t i = 0; i < list->count && j->error == 0 && sink_wanted(sink); i++)
		json_row(j, d, &d->diff.rows[list->rows[i]]);
	json_end(j);
}

static void
json_trace(struct json *j, const struct diffreport *d, int side)
{
	const struct report *r = &d->side[side];

	json_key(j, side_words[side]);
	json_object(j);
	member_str(j, "file", str_from(r->trace->path));
	member_str(j, "format", str_from(r->trace->format));
	json_key(j, "total");
	json_object(j);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, member_span_keys, (enum clock_id)c, d->diff.total[side][c]);
	json_end(j);
	members_damage(j, &r->profile->damage);
	json_end(j);
}

/* How many there are in all. */
static void
json_counts(struct json *j, const struct diffreport *d)
{
	json_key(j, "methods");
	json_object(j);
	for (int change = 0; change < DIFF_CHANGES; change++)
		member_uint(j, change_keys[change], d->lists[change].matched);
	json_end(j);
}

void
diffreport_json(struct sink *sink, const struct diffreport *d)
{
	struct json j;

	json_init(&j, sink->file, 2);
	json_object(&j);
	for (int side = 0; side < DIFF_SIDES; side++)
		json_trace(&j, d, side);
	member_str(&j, "clock", str_from(d->by.clock == CLOCK_CPU ? "cpu" : "wall"));
	member_str(&j, "value", str_from(diff_value_words[d->by.value]));
	member_us(&j, "min_us", d->by.min);
	json_counts(&j, d);
	json_key(&j, "toplevel");
	json_object(&j);
	for (int side = 0; side < DIFF_SIDES; side++)
		json_sum(&j, d, &d->diff.toplevel, side);
	json_delta(&j, d, &d->diff.toplevel);
	json_end(&j);
	for (int change = 0; change < DIFF_UNCHANGED; change++)
		json_list(&j, sink, d, (enum diff_change)change);
	members_end(&j, sink);
}
