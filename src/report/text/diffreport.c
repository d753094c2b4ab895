// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "profile/sum/origins.h"
#include "report/pathdiff.h"
#include "report/tables.h"
#include "report/text/diffreport.h"
#include "report/text/verdicts.h"
#include "report/text/views.h"

void
diffreport_options_init(struct diffreport_options *o)
{
	*o = (struct diffreport_options){
	    .format = &diffreport_formats[0], .sort = DIFF_COLUMN_DELTA};
}

const char *const diff_view_words[DIFF_VIEWS] = {
    [DIFF_BY_METHOD] = "methods", [DIFF_BY_PATH] = "tree"};

bool
diffreport_of_paths(const struct diffreport_options *o)
{
	return o->view == DIFF_BY_PATH || (o->format->write == NULL && o->format->runs == NULL);
}

bool
diffreport_clock(const struct report_options *o, const struct trace *a, const struct trace *b,
    enum clock_id *clock, struct err *e)
{
	unsigned both = a->clocks & b->clocks;

	if (strcmp(unit_name(&a->unit), unit_name(&b->unit)) != 0)
		return err_set(e, ERR_UNSUPPORTED, "the traces count different things: %s in A, %s in B",
		    unit_name(&a->unit), unit_name(&b->unit));
	if (o->clock_given)
		return report_clock(o, a, clock, e) && report_clock(o, b, clock, e);
	*clock = (both & 1u << CLOCK_CPU) != 0 ? CLOCK_CPU : CLOCK_WALL;
	return both != 0 ||
	    err_set(e, ERR_UNSUPPORTED,
		"the traces have no clock in common: %s only in A, %s only in B",
		clock_names[trace_default_clock(a)], clock_names[trace_default_clock(b)]);
}

/* Rows ---------------------------------------------------------------------------- */

/* A row passes when the method does, in a trace that has it. */
static void
choose(struct diffreport *d, uint8_t *const hidden[DIFF_SIDES])
{
	for (int change = 0; change < DIFF_CHANGES; change++) {
		struct list *l = &d->table.lists[change].list;
		size_t count = 0;

		list_sort(l, (int)d->how->sort, d->how->ascending);
		for (size_t i = 0; i < l->at.count; i++) {
			const struct diff_sum *sum = d->table.diff.rows[l->rows[i].item].sum;
			int side = sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

			if (hidden[side][sum[side].method] == 0)
				l->rows[count++] = l->rows[i];
		}
		d->matched[change] = (uint32_t)count;
		l->at.count = count < d->options[DIFF_B].limit ? count : d->options[DIFF_B].limit;
	}
}

/* Making --------------------------------------------------------------------------- */

struct report_options
diffreport_side_options(const struct report_options *options)
{
	struct report_options o = *options;

	if (o.names == NAMES_BY_FORM)
		o.names = NAMES_WRITTEN;
	o.numbers = !o.exact;
	return o;
}

bool
diffreport_fold(struct report *r, const struct profile *p, const struct report_options *o,
    bool ranked, uint8_t **hidden, const atomic_bool *cancel, struct err *e)
{
	if (!report_open(r, p, o, cancel, e))
		return false;
	r->source.unranked = !ranked;
	r->fold = fold_make(p, &r->source, cancel);
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
	enum clock_id clock;
	bool good = true;

	*d = (struct diffreport){.how = how};
	*failed = -1;
	if (!diffreport_clock(o, a->trace, b->trace, &clock, e))
		return false;
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		d->options[side] = diffreport_side_options(o);
		d->options[side].clock_given = true;
		d->options[side].clock = clock;
		good = diffreport_fold(&d->side[side], profiles[side], &d->options[side], true,
		    &hidden[side], cancel, e);
		if (!good)
			*failed = side;
	}
	if (good) {
		for (int side = 0; side < DIFF_SIDES; side++) {
			display_init(&d->display[side], profiles[side]->trace,
			    d->side[side].figures.names);
			d->display[side].figures.clock = clock;
			display_set_fold(&d->display[side], d->side[side].fold);
			d->side[side].fold = NULL;
		}
		diff_table_init(&d->table, &d->display[DIFF_B]);
		diff_table_begin(&d->table, &d->display[DIFF_A]);
		d->table.by = (struct diff_by){.value = how->value, .min = how->min,
		    .unit = d->side[DIFF_A].trace->unit};
		d->table.min_given = how->min_given;
		diff_table_follow(&d->table);
		choose(d, hidden);
	}
	for (int side = 0; side < DIFF_SIDES; side++)
		mem_free(hidden[side]);
	return good;
}

void
diffreport_release(struct diffreport *d)
{
	diff_table_release(&d->table);
	for (int side = 0; side < DIFF_SIDES; side++) {
		display_release(&d->display[side]);
		report_release(&d->side[side]);
	}
	*d = (struct diffreport){.how = NULL};
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
		if (d->matched[change] > 0)
			return true;
	return false;
}

uint32_t
diffreport_regressions(const struct diffreport *d, uint32_t *worst)
{
	static const enum diff_change lists[] = {DIFF_SLOWER, DIFF_ONLY_B};
	const struct diffreport_options *o = d->how;
	const struct diff_by *by = &d->table.by;
	uint32_t count = 0;

	if (!diffreport_is_gate(d))
		return 0;
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		const struct list_row *rows = d->table.lists[lists[l]].list.rows;

		for (uint32_t i = 0; i < d->matched[lists[l]]; i++) {
			const struct diff_row *r = &d->table.diff.rows[rows[i].item];

			if ((o->fail_time_given && diff_delta(r, by) <= o->fail_time) ||
			    (o->fail_percent_given && !diff_exceeds(r, by, o->fail_percent)))
				continue;
			if (count++ == 0 ||
			    diff_delta(r, by) > diff_delta(&d->table.diff.rows[*worst], by))
				*worst = rows[i].item;
		}
	}
	return count;
}

/* Text -------------------------------------------------------------------------- */

/* Columns that only methods in both have something in. */
static const bool of_both[DIFF_COLUMNS] = {[DIFF_COLUMN_PERCENT] = true, [DIFF_COLUMN_A] = true,
    [DIFF_COLUMN_B] = true, [DIFF_COLUMN_BY_CALLS] = true, [DIFF_COLUMN_BY_TIME] = true};

void
diffreport_title(struct sbuf *out, const struct diffreport *d, enum diff_change change)
{
	unsigned count = (unsigned)d->table.lists[change].list.at.count;

	sbuf_printf(out, "%s (%u", diff_changes[change].title, count);
	if (count < d->matched[change])
		sbuf_printf(out, " of %u", (unsigned)d->matched[change]);
	sbuf_char(out, ')');
}

struct list *
diffreport_list(struct diffreport *d, enum diff_change change)
{
	struct list *l = &d->table.lists[change].list;
	bool both = change == DIFF_SLOWER || change == DIFF_FASTER;

	for (int c = 0; c < DIFF_COLUMN_METHOD; c++)
		l->columns->of[c].shown = (diff_columns[c].flags & LIST_REPORT) != 0 &&
			(both || !of_both[c]) ? SHOWN_YES : SHOWN_NO;
	return l;
}

static void
list_text(struct sink *sink, struct diffreport *d, enum diff_change change)
{
	struct list *l = diffreport_list(d, change);
	struct sheet sheet;

	sbuf_char(&sink->text, '\n');
	diffreport_title(&sink->text, d, change);
	sbuf_char(&sink->text, '\n');
	list_sheet(&sheet, l, false);
	if (l->at.count > 0)
		table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
}

static void
side_facts(struct info *info, const struct report *r, const char *label)
{
	const struct damage *damage = &r->profile->damage;

	info_pair(info, label, "%s", info->shared ? trace_title(r->trace) : trace_file(r->trace));
	if (r->profile->sampled.yes)
		info_pair(info, label, "sampled: calls are what the samples saw");
	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage_met(damage, i))
			info_pair(info, label, "damaged, %s: %s", damage_kinds[i].name,
			    damage_text(damage, (enum damage_kind)i, DAMAGE_BUF));
}

void
diffreport_chosen(struct info *info, const struct report *r)
{
	const struct report_options *o = r->options;

	if (!range_is_all(&o->range))
		info_pair(info, "window", "%s to %s ms",
		    o->range.from == INT64_MIN ? "start" : fmt_ms(FMT_BUF, o->range.from),
		    o->range.to == INT64_MAX ? "end" : fmt_ms(FMT_BUF, o->range.to));
	for (size_t i = 0; i < o->threads.count; i++)
		info_pair(info, "threads", "%s", o->threads.list[i]);
	for (size_t i = 0; i < o->processes.count; i++)
		info_pair(info, "processes", "%s", o->processes.list[i]);
	facts_chosen(info, r);
}

void
diffreport_facts(struct sbuf *out, const struct diffreport *d, bool html)
{
	const struct diff *diff = &d->table.diff;
	const struct diff_by *by = &d->table.by;
	nsec a = diff->total[DIFF_A][by->clock], b = diff->total[DIFF_B][by->clock];
	const struct trace_unit *unit = &d->side[DIFF_A].trace->unit;
	struct info info = {.shared = html};
	uint32_t count[DIFF_WHYS] = {0};

	info_begin(&info, d->side[DIFF_A].trace, d->side[DIFF_A].figures.names);
	side_facts(&info, &d->side[DIFF_A], "A");
	info.names = d->side[DIFF_B].figures.names;
	side_facts(&info, &d->side[DIFF_B], "B");
	sbuf_printf(&info.text, "%s, %s", diff_value_names[by->value],
	    unit_counts(unit) ? unit->name : clock_names[by->clock]);
	sbuf_text(&info.text, unit_counts(unit) ? "" : " clock");
	if (by->min > 0)
		sbuf_printf(&info.text, "; changes below %s are none", unit_counts(unit)
			? unit_text(unit, FMT_BUF, by->min) : diff_min_text(by->min, FMT_BUF));
	info_add(&info, unit_counts(unit) ? "figures" : "times");
	sbuf_printf(&info.text, "A %s, B %s: %s %s", unit_text(unit, FMT_BUF, a),
	    unit_text(unit, FMT_BUF, b), diff_time_text(unit, diff_between(a, b), false, FMT_BUF),
	    unit_name(unit));
	if (a > 0)
		sbuf_printf(&info.text, ", %s %%", diff_percent_text(a, b, FMT_BUF));
	info_add(&info, "total");
	diffreport_chosen(&info, &d->side[DIFF_B]);
	for (uint32_t i = 0; i < diff->count; i++)
		count[diff->rows[i].why]++;
	if (count[DIFF_BY_FAMILY] > 0)
		info_pair(&info, "renamed", "%" PRIu32 " method%s with a name that compilers make up, "
		    "another one in A", count[DIFF_BY_FAMILY], count[DIFF_BY_FAMILY] == 1 ? "" : "s");
	if (count[DIFF_BY_RENAME] > 0)
		info_pair(&info, "renamed", "%" PRIu32 " method%s by --rename", count[DIFF_BY_RENAME],
		    count[DIFF_BY_RENAME] == 1 ? "" : "s");
	(html ? facts_html : facts_text)(out, &info);
	info_release(&info);
}

void
diffreport_unknown(struct sbuf *out, bool *told, int side, struct str name)
{
	if (!*told)
		sbuf_text(out, "\nNames unknown (--mapping of the other side names their classes)\n");
	*told = true;
	sbuf_printf(out, "  in %c  %.*s\n", "AB"[side], STR_ARG(name));
}

static void
diffreport_text(struct sink *sink, struct diffreport *d)
{
	bool told = false;

	diffreport_facts(&sink->text, d, false);
	for (int change = 0; change < DIFF_UNCHANGED; change++)
		list_text(sink, d, (enum diff_change)change);
	sbuf_printf(&sink->text, "\n%s (%u)\n", diff_changes[DIFF_UNCHANGED].title,
	    (unsigned)d->matched[DIFF_UNCHANGED]);
	for (int change = DIFF_ONLY_B; change <= DIFF_ONLY_A; change++) {
		const struct list *l = &d->table.lists[change].list;

		for (size_t i = 0; i < l->at.count; i++) {
			const struct diff_row *r = &d->table.diff.rows[l->rows[i].item];

			if (r->unknown)
				diffreport_unknown(&sink->text, &told, diff_only_in(r),
				    diff_table_name(&d->table, r));
		}
	}
}

static const char *const side_words[DIFF_SIDES] = {"a", "b"};
static const char *const change_keys[DIFF_CHANGES] = {
    "slower", "faster", "only_b", "only_a", "unchanged"};

/* CSV ----------------------------------------------------------------------------- */

static void
diffreport_csv(struct sink *sink, struct diffreport *d)
{
	struct sheet sheet;

	diff_table_sheet(&sheet, &d->table);
	table_sheet(sink, NULL, &sheet, NULL);
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

void
diffreport_origin(struct json *j, const struct diff_row *r,
    const struct trace *const traces[DIFF_SIDES])
{
	struct sbuf full = {0};
	struct method m;
	int side = origin_find(r, traces, &m);

	if (side == DIFF_SIDES)
		return;
	(void)method_full_name(&full, &m);
	member_object(j, side == DIFF_A ? "in_a" : "in_b");
	MEMBERS(j, {"name", value_text(sbuf_view(&full))}, {"why", value_text(str_from(origin_words[r->why]))});
	json_end(j);
	sbuf_release(&full);
}

static void
json_sum(struct json *j, const struct diffreport *d, const struct diff_row *r, int side)
{
	const struct trace *const traces[] = {d->side[DIFF_A].trace, d->side[DIFF_B].trace};
	const struct diff_sum *s = &r->sum[side];
	struct method m;

	json_key(j, side_words[side]);
	if (s->method == METHOD_NONE) {
		json_null(j);
		return;
	}
	json_object(j);
	member_str(j, "id", NAME_ID(d->side[side].trace, s->method));
	if (side == DIFF_A && origin_find(r, traces, &m) == DIFF_A)
		members_names(j, &m);
	MEMBERS(j, {"calls", value_count(s->calls - s->recursive_calls)},
	    {"recursive_calls", value_count(s->recursive_calls)});
	members_of_times(j, d->side[side].trace->clocks, r, side);
	json_end(j);
}

static void
json_delta(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	member_object(j, "delta");
	member_int(j, "calls", diff_cause(r, &d->table.by).calls);
	members_of_times(j, d->table.diff.clocks, r, DIFF_SIDES);
	json_end(j);
}

static void
json_row(struct json *j, const struct diffreport *d, const struct diff_row *r)
{
	int side = r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;
	const struct trace *t = d->side[side].trace;
	const struct method *method = trace_method(t, r->sum[side].method);
	const struct trace *const traces[] = {d->side[DIFF_A].trace, d->side[DIFF_B].trace};
	struct diff_cause cause = diff_cause(r, &d->table.by);

	json_object(j);
	members_names(j, method);
	diffreport_origin(j, r, traces);
	for (side = 0; side < DIFF_SIDES; side++)
		json_sum(j, d, r, side);
	json_delta(j, d, r);
	MEMBERS(j, {"by_calls_us", value_time(cause.by_calls)}, {"by_time_us", value_time(cause.by_time)});
	json_end(j);
}

static void
diffreport_json(struct sink *sink, struct diffreport *d)
{
	struct json json, *j = &json;

	members_begin(j, sink, d->side[DIFF_A].trace);
	for (int side = 0; side < DIFF_SIDES; side++) {
		const struct report *r = &d->side[side];

		member_object(j, side_words[side]);
		MEMBERS(j, {"file", value_text(str_from(trace_file(r->trace)))},
		    {"format", value_text(str_from(r->trace->format))});
		member_object(j, "total");
		member_times(j, r->trace->clocks, member_span_keys, d->table.diff.total[side]);
		json_end(j);
		members_damage(j, &r->profile->damage);
		json_end(j);
	}
	MEMBERS(j, {"clock", value_text(str_from(clock_names[d->table.by.clock]))},
	    {"value", value_text(str_from(diff_value_words[d->table.by.value]))},
	    {"min_us", value_time(d->table.by.min)});
	member_object(j, "methods");
	for (int change = 0; change < DIFF_CHANGES; change++)
		member_uint(j, change_keys[change], d->matched[change]);
	json_end(j);
	member_object(j, "toplevel");
	for (int side = 0; side < DIFF_SIDES; side++)
		json_sum(j, d, &d->table.diff.toplevel, side);
	json_delta(j, d, &d->table.diff.toplevel);
	json_end(j);
	for (int change = 0; change < DIFF_UNCHANGED; change++) {
		const struct list *l = &d->table.lists[change].list;

		member_array(j, change_keys[change]);
		for (size_t i = 0; i < l->at.count && sink_row(sink); i++)
			json_row(j, d, &d->table.diff.rows[l->rows[i].item]);
		json_end(j);
	}
	members_end(j, sink);
}

const struct diffreport_format diffreport_formats[] = {
    {"text", "tables to read", diffreport_text, false, verdicts_text, pathdiff_text,
	pathdiff_calls_text},
    {"csv", "comma-separated values, one line a method", diffreport_csv, false, verdicts_csv,
	pathdiff_csv, pathdiff_calls_csv},
    {"json", "everything, for programs", diffreport_json, false, verdicts_json, pathdiff_json,
	pathdiff_calls_json},
    {"html", "a page for a browser", diffreport_html, true, verdicts_html, pathdiff_html,
	pathdiff_html},
    {"markdown", "a comment for a merge request", NULL, false, verdicts_markdown, NULL, NULL},
    {"junit", "test cases for a build server (JUnit's XML)", NULL, false, verdicts_junit, NULL, NULL},
    {"folded", "stacks with both times, for flamegraph.pl", NULL, false, NULL, pathdiff_folded, NULL},
    {"svg", "the flame graph of the difference", NULL, false, NULL, pathdiff_svg, NULL},
};
const int diffreport_format_count =
    (int)(sizeof(diffreport_formats) / sizeof(diffreport_formats[0]));
