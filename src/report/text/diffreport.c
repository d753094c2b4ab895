// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/text/diffreport.h"
#include "report/text/views.h"

void
diffreport_options_init(struct diffreport_options *o)
{
	*o = (struct diffreport_options){
	    .format = &diffreport_formats[0], .sort = DIFF_COLUMN_DELTA};
}

bool
diffreport_clock(const struct report_options *o, const struct trace *a, const struct trace *b,
    enum clock_id *clock, struct err *e)
{
	unsigned both = a->clocks & b->clocks;

	if (o->clock_given)
		return report_clock(o, a, clock, e) && report_clock(o, b, clock, e);
	*clock = (both & 1u << CLOCK_WALL) != 0 ? CLOCK_WALL : CLOCK_CPU;
	if (both != 0)
		return true;
	return err_set(e, ERR_UNSUPPORTED, "the traces have no clock in common: %s only in A, %s only in B",
	    clock_names[trace_default_clock(a)],
	    clock_names[trace_default_clock(b)]);
}

/* Rows ---------------------------------------------------------------------------- */

/* The trace that has the method, B before A. */
static int
side_of(const struct diff_row *r)
{
	return r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;
}

struct str
diffreport_name(const struct diffreport *d, const struct diff_row *r)
{
	int side = side_of(r);

	return names_shown(d->side[side].figures.names, r->sum[side].method);
}

static void
sort_list(const struct diffreport *d, struct diffreport_list *list)
{
	const struct diffreport_options *o = d->how;
	struct ranked *keys = mem_zero((size_t)list->count + 1, sizeof(*keys));

	for (uint32_t i = 0; i < list->count; i++) {
		const struct diff_row *r = &d->diff.rows[list->rows[i]];

		keys[i].index = list->rows[i];
		keys[i].name = diffreport_name(d, r);
		if (o->sort == DIFF_COLUMN_METHOD)
			keys[i].text = keys[i].name;
		else
			keys[i].key = list_key(
			    &diff_columns[o->sort], diff_column_value(o->sort, r, &d->by));
	}
	ranked_sort(keys, list->count, o->ascending, list->rows);
	list->matched = list->count;
	if (list->count > d->options[DIFF_B].limit)
		list->count = d->options[DIFF_B].limit;
}

/* A row passes when the method does, in a trace that has it. */
static void
choose(struct diffreport *d, uint8_t *const hidden[DIFF_SIDES])
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		d->lists[change].rows =
		    mem_alloc(((size_t)d->diff.count + 1) * sizeof(*d->lists[change].rows));
	for (uint32_t i = 0; i < d->diff.count; i++) {
		const struct diff_row *r = &d->diff.rows[i];
		struct diffreport_list *list = &d->lists[diff_change(r, &d->by)];
		int side = side_of(r);

		if (hidden[side][r->sum[side].method] == 0)
			list->rows[list->count++] = i;
	}
	for (int change = 0; change < DIFF_CHANGES; change++)
		sort_list(d, &d->lists[change]);
}

/* Making --------------------------------------------------------------------------- */

static bool
side_make(struct diffreport *d, int side, const struct profile *p, uint8_t **hidden,
    const atomic_bool *cancel, struct err *e)
{
	struct report *r = &d->side[side];
	struct fold_query q = {.range = &d->options[side].range};

	if (!report_open(r, p, &d->options[side], cancel, e))
		return false;
	q.scope = r->scope;
	q.sums = r->sums.counts != NULL ? &r->sums : NULL;
	q.of = r->of;
	r->fold = fold_make(p, &q, cancel);
	if (r->fold == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	r->figures.fold = r->fold;
	return methods_hidden(r, hidden, cancel, e);
}

bool
diffreport_make(struct diffreport *d, const struct profile *a, const struct profile *b,
    const struct report_options *o, const struct diffreport_options *how,
    const atomic_bool *cancel, struct err *e, int *failed)
{
	const struct profile *profiles[DIFF_SIDES] = {a, b};
	uint8_t *hidden[DIFF_SIDES] = {NULL, NULL};
	bool good = true;

	*d = (struct diffreport){.how = how};
	*failed = -1;
	if (!diffreport_clock(o, a->trace, b->trace, &d->by.clock, e))
		return false;
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		d->options[side] = *o;
		d->options[side].clock_given = true;
		d->options[side].clock = d->by.clock;
		good = side_make(d, side, profiles[side], &hidden[side], cancel, e);
		if (!good)
			*failed = side;
	}
	if (good) {
		diff_names_update(&d->names, a->trace, b->trace);
		diff_make(&d->diff, &d->names, d->side[DIFF_A].fold, d->side[DIFF_B].fold);
		d->by.value = how->value;
		d->by.min = how->min_given ? how->min : diff_min_default(&d->diff, d->by.clock);
		choose(d, hidden);
	}
	for (int side = 0; side < DIFF_SIDES; side++)
		mem_free(hidden[side]);
	return good;
}

void
diffreport_release(struct diffreport *d)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		mem_free(d->lists[change].rows);
	diff_release(&d->diff);
	diff_names_release(&d->names);
	for (int side = 0; side < DIFF_SIDES; side++)
		report_release(&d->side[side]);
	*d = (struct diffreport){.how = NULL};
}

int
diffreport_write(const struct diffreport *d, FILE *file, const atomic_bool *cancel)
{
	struct sink sink = sink_to(file, cancel);

	d->how->format->write(&sink, d);
	return sink_end(&sink);
}

bool
diffreport_is_gate(const struct diffreport *d)
{
	return d->how->fail_time_given || d->how->fail_percent_given;
}

bool
diffreport_compared(const struct diffreport *d)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		if (d->lists[change].matched > 0)
			return true;
	return false;
}

uint32_t
diffreport_regressions(const struct diffreport *d, uint32_t *worst)
{
	static const enum diff_change lists[] = {DIFF_SLOWER, DIFF_ONLY_B};
	const struct diffreport_options *o = d->how;
	uint32_t count = 0;

	if (!diffreport_is_gate(d))
		return 0;
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		const struct diffreport_list *list = &d->lists[lists[l]];

		for (uint32_t i = 0; i < list->matched; i++) {
			const struct diff_row *r = &d->diff.rows[list->rows[i]];

			if ((o->fail_time_given && diff_delta(r, &d->by) <= o->fail_time) ||
			    (o->fail_percent_given && !diff_exceeds(r, &d->by, o->fail_percent)))
				continue;
			if (count++ == 0 || diff_delta(r, &d->by) >
				diff_delta(&d->diff.rows[*worst], &d->by))
				*worst = list->rows[i];
		}
	}
	return count;
}

/* Text -------------------------------------------------------------------------- */

/* Columns that only methods in both have something in. */
static const bool of_both[DIFF_COLUMNS] = {[DIFF_COLUMN_PERCENT] = true, [DIFF_COLUMN_A] = true,
    [DIFF_COLUMN_B] = true, [DIFF_COLUMN_BY_CALLS] = true, [DIFF_COLUMN_BY_TIME] = true};

static struct str
diff_cell(const void *of, int column, const void *row, char out[static FMT_SIZE])
{
	const struct diffreport *d = of;

	if ((diff_columns[column].flags & LIST_REPORT) == 0)
		return (struct str){NULL, 0};
	return str_from(row == NULL ? diff_column_title(column, &d->by, false, out)
				    : diff_column_text(column, row, &d->by, false, out));
}

static void
list_text(struct sink *sink, const struct diffreport *d, enum diff_change change)
{
	const struct diffreport_list *list = &d->lists[change];
	bool both = change == DIFF_SLOWER || change == DIFF_FASTER;
	struct columns t = {.of = d, .count = DIFF_COLUMNS, .cell = diff_cell};
	struct sbuf *out = &sink->text;

	sbuf_printf(out, "\n%s (%u", diff_changes[change].title, (unsigned)list->count);
	if (list->count < list->matched)
		sbuf_printf(out, " of %u", (unsigned)list->matched);
	sbuf_text(out, ")\n");
	if (list->count == 0)
		return;
	columns_fit(&t, NULL);
	for (uint32_t i = 0; i < list->count; i++)
		columns_fit(&t, &d->diff.rows[list->rows[i]]);
	for (int c = 0; c < DIFF_COLUMNS; c++)
		t.width[c] = both || !of_both[c] ? t.width[c] : 0;
	columns_text(&t, out, NULL);
	sbuf_text(out, "Method\n");
	for (uint32_t i = 0; i < list->count && sink_row(sink); i++) {
		const struct diff_row *r = &d->diff.rows[list->rows[i]];

		columns_text(&t, out, r);
		sbuf_str(out, diffreport_name(d, r));
		if (r->renamed) {
			sbuf_text(out, "  (in A ");
			sbuf_str(out, names_shown(d->side[DIFF_A].figures.names,
					  r->sum[DIFF_A].method));
			sbuf_char(out, ')');
		}
		sbuf_char(out, '\n');
	}
}

static void
side_facts(struct facts *f, int side)
{
	const char *label = side == DIFF_A ? "A" : "B";
	const struct damage *damage = &f->report->profile->damage;
	char text[128];

	FACT(f, label, "%s", f->report->trace->path);
	if (f->report->profile->sampled.yes)
		FACT(f, label, "sampled: calls are what the samples saw");
	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage_met(damage, i))
			FACT(f, label, "damaged, %s: %s", damage_kinds[i].name,
			    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
}

static void
chosen_facts(struct facts *f)
{
	const struct report_options *o = f->report->options;

	if (!range_is_all(&o->range))
		FACT(f, "Window", "%s to %s ms",
		    o->range.from == INT64_MIN ? "start" : fmt_ms(FMT_BUF, o->range.from),
		    o->range.to == INT64_MAX ? "end" : fmt_ms(FMT_BUF, o->range.to));
	for (size_t i = 0; i < o->threads.count; i++)
		FACT(f, "Threads", "%s", o->threads.list[i]);
	for (size_t i = 0; i < o->processes.count; i++)
		FACT(f, "Processes", "%s", o->processes.list[i]);
	facts_chosen(f);
}

static void
diffreport_text(struct sink *sink, const struct diffreport *d)
{
	nsec a = d->diff.total[DIFF_A][d->by.clock], b = d->diff.total[DIFF_B][d->by.clock];
	struct facts f = {.out = &sink->text};
	uint32_t renamed = 0;

	for (int side = 0; side < DIFF_SIDES; side++) {
		f.report = &d->side[side];
		side_facts(&f, side);
	}
	sbuf_printf(&f.text, "%s, %s clock", diff_value_names[d->by.value], clock_names[d->by.clock]);
	if (d->by.min > 0)
		sbuf_printf(&f.text, "; changes below %s are none", diff_min_text(d->by.min, FMT_BUF));
	fact(&f, "Times");
	sbuf_printf(&f.text, "A %s ms, B %s ms: %s ms", fmt_ms(FMT_BUF, a), fmt_ms(FMT_BUF, b),
	    diff_time_text(diff_between(a, b), false, FMT_BUF));
	if (a > 0)
		sbuf_printf(&f.text, ", %s %%", diff_percent_text(a, b, FMT_BUF));
	fact(&f, "Total");
	chosen_facts(&f);
	for (uint32_t i = 0; i < d->diff.count; i++)
		renamed += d->diff.rows[i].renamed;
	if (renamed > 0)
		FACT(&f, "Renamed",
		    "%" PRIu32 " method%s with a name that compilers make up, another one in A", renamed,
		    renamed == 1 ? "" : "s");
	sbuf_release(&f.text);
	for (int change = 0; change < DIFF_UNCHANGED; change++)
		list_text(sink, d, (enum diff_change)change);
	sbuf_printf(&sink->text, "\n%s (%u)\n", diff_changes[DIFF_UNCHANGED].title,
	    (unsigned)d->lists[DIFF_UNCHANGED].matched);
}

static const char *const side_words[DIFF_SIDES] = {"a", "b"};
static const char *const change_keys[DIFF_CHANGES] = {
    "slower", "faster", "only_b", "only_a", "unchanged"};

/* CSV ----------------------------------------------------------------------------- */

#define TIME_FIELDS(key) key "_a", key "_b", key "_delta"

static const char *const csv_fields[] = {"change", "class", "name", "signature", "calls_a",
    "calls_b", TIME_FIELDS("incl_cpu_us"), TIME_FIELDS("excl_cpu_us"), TIME_FIELDS("incl_wall_us"),
    TIME_FIELDS("excl_wall_us"), "by_calls_us", "by_time_us", "class_in_a", "name_in_a",
    "signature_in_a", NULL};

/* Nothing where the method is not there. */
static void
csv_row(struct fields *f, const struct diffreport *d, enum diff_change change,
    const struct diff_row *r)
{
	const struct report *of = &d->side[side_of(r)];
	uint32_t index = r->sum[side_of(r)].method;
	const struct method *method = trace_method(of->trace, index);
	struct diff_cause cause = diff_cause(r, &d->by);
	bool there[DIFF_SIDES];

	fields_row(f);
	fields_put(f, value_text(str_from(diff_changes[change].word)));
	fields_put(f, value_text(method->class_name));
	fields_put(f, value_text(method->known ? method->name : NAME_ID(of->trace, index)));
	fields_put(f, value_text(method->signature));
	for (int side = 0; side < DIFF_SIDES; side++) {
		there[side] = r->sum[side].method != METHOD_NONE;
		fields_put(f, value_if(there[side], value_count(r->sum[side].calls)));
	}
	for (int k = 0; k < CLOCKS * DIFF_VALUES; k++) {
		struct diff_by by = {.value = k % DIFF_VALUES, .clock = k / DIFF_VALUES};

		for (int side = 0; side < DIFF_SIDES; side++)
			fields_put(f, value_if(there[side], value_time(diff_time(r, side, &by))));
		fields_put(f, value_time(diff_delta(r, &by)));
	}
	fields_put(f, value_time(cause.by_calls));
	fields_put(f, value_time(cause.by_time));
	/* What a method is called in A, where that is another name than in B. */
	method = trace_method(d->side[DIFF_A].trace, r->renamed ? r->sum[DIFF_A].method : 0);
	fields_put(f, value_if(r->renamed, value_text(method->class_name)));
	fields_put(f, value_if(r->renamed, value_text(method->name)));
	fields_put(f, value_if(r->renamed, value_text(method->signature)));
	fields_end(f);
}

static void
diffreport_csv(struct sink *sink, const struct diffreport *d)
{
	struct fields f;

	fields_init(&f, &sink->text, NULL, d->diff.clocks, csv_fields, NULL);
	for (int change = 0; change < DIFF_UNCHANGED; change++) {
		const struct diffreport_list *list = &d->lists[change];

		for (uint32_t i = 0; i < list->count && sink_row(sink); i++)
			csv_row(&f, d, (enum diff_change)change,
			    &d->diff.rows[list->rows[i]]);
	}
}

/* JSON ---------------------------------------------------------------------------- */

/* The report's names of times, by value and clock. */
static const char *const time_keys[DIFF_VALUES][CLOCKS] = {
    [DIFF_INCLUSIVE] = {"incl_cpu_us", "incl_wall_us"},
    [DIFF_EXCLUSIVE] = {"excl_cpu_us", "excl_wall_us"},
};
/* `side` DIFF_SIDES: the difference. */
static void
members_of_times(struct json *j, unsigned clocks, const struct diff_row *r, int side)
{
	for (int k = 0; k < CLOCKS * DIFF_VALUES; k++) {
		struct diff_by by = {.value = k % DIFF_VALUES, .clock = k / DIFF_VALUES};

		if ((clocks & 1u << by.clock) != 0)
			member_us(j, time_keys[by.value][by.clock],
			    side < DIFF_SIDES ? diff_time(r, side, &by) : diff_delta(r, &by));
	}
}

static void
members_names(struct json *j, const struct method *m)
{
	MEMBERS(j, {"class", value_text(m->class_name)}, {"name", value_text(m->name)},
	    {"signature", value_text(m->signature)});
}

static void
json_sum(struct json *j, const struct diffreport *d, const struct diff_row *r, int side)
{
	const struct diff_sum *s = &r->sum[side];

	json_key(j, side_words[side]);
	if (s->method == METHOD_NONE) {
		json_null(j);
		return;
	}
	json_object(j);
	member_str(j, "id", NAME_ID(d->side[side].trace, s->method));
	if (r->renamed && side == DIFF_A) {
		const struct method *m = trace_method(d->side[side].trace, s->method);

		members_names(j, m);
	}
	MEMBERS(j, {"calls", value_count(s->calls - s->recursive_calls)},
	    {"recursive_calls", value_count(s->recursive_calls)});
	members_of_times(j, d->side[side].trace->clocks, r, side);
	json_end(j);
}

static void
json_delta(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	member_object(j, "delta");
	member_int(j, "calls", diff_cause(r, &d->by).calls);
	members_of_times(j, d->diff.clocks, r, DIFF_SIDES);
	json_end(j);
}

static void
json_row(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	const struct trace *t = d->side[side_of(r)].trace;
	const struct method *method = trace_method(t, r->sum[side_of(r)].method);
	struct diff_cause cause = diff_cause(r, &d->by);

	json_object(j);
	members_names(j, method);
	for (int side = 0; side < DIFF_SIDES; side++)
		json_sum(j, d, r, side);
	json_delta(j, d, r);
	member_us(j, "by_calls_us", cause.by_calls);
	member_us(j, "by_time_us", cause.by_time);
	json_end(j);
}

static void
diffreport_json(struct sink *sink, const struct diffreport *d)
{
	struct json json, *j = &json;

	members_begin(j, sink);
	for (int side = 0; side < DIFF_SIDES; side++) {
		const struct report *r = &d->side[side];

		member_object(j, side_words[side]);
		MEMBERS(j, {"file", value_text(str_from(r->trace->path))},
		    {"format", value_text(str_from(r->trace->format))});
		member_object(j, "total");
		member_times(j, r->trace->clocks, member_span_keys, d->diff.total[side]);
		json_end(j);
		members_damage(j, &r->profile->damage);
		json_end(j);
	}
	MEMBERS(j, {"clock", value_text(str_from(clock_names[d->by.clock]))},
	    {"value", value_text(str_from(diff_value_words[d->by.value]))},
	    {"min_us", value_time(d->by.min)});
	member_object(j, "methods");
	for (int change = 0; change < DIFF_CHANGES; change++)
		member_uint(j, change_keys[change], d->lists[change].matched);
	json_end(j);
	member_object(j, "toplevel");
	for (int side = 0; side < DIFF_SIDES; side++)
		json_sum(j, d, &d->diff.toplevel, side);
	json_delta(j, d, &d->diff.toplevel);
	json_end(j);
	for (int change = 0; change < DIFF_UNCHANGED; change++) {
		const struct diffreport_list *list = &d->lists[change];

		member_array(j, change_keys[change]);
		for (uint32_t i = 0; i < list->count && sink_row(sink); i++)
			json_row(j, d, &d->diff.rows[list->rows[i]]);
		json_end(j);
	}
	members_end(j, sink);
}

const struct diffreport_format diffreport_formats[] = {
    {"text", "tables to read", diffreport_text},
    {"csv", "comma-separated values, one line a method", diffreport_csv},
    {"json", "everything, for programs", diffreport_json},
};
const int diffreport_format_count =
    (int)(sizeof(diffreport_formats) / sizeof(diffreport_formats[0]));
