// SPDX-License-Identifier: Apache-2.0
/*
 * document: a report as text, CSV and JSON, and what its documents have in common; and what a
 * trace is, without a method of it: `slowtop info`.
 *
 * The text of `info` is that of the terminal program's view (view/pages/info.h).  The form of
 * its JSON is in slowtop(1) and stays.
 */
#include <config.h>

#include "report/text/views.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/conf.h"
#include "base/escape.h"
#include "base/filemap.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "report/report.h"
#include "trace/log.h"
#include "view/list/list.h"
#include "view/names/processes.h"
#include "view/pages/info.h"

/* Text ---------------------------------------------------------------------------- */

/* Threads named one by one; more are only counted. */
enum { THREADS_NAMED = 8 };

/* True if the row has the name of the one before it. */
static bool
is_repeated(const struct info *info, size_t i)
{
	return i > 0 && str_equal(info->rows[i].name, info->rows[i - 1].name);
}

void
facts_text(struct sbuf *out, const struct info *info)
{
	for (size_t i = 0; i < info->count; i++) {
		const struct info_row *row = &info->rows[i];
		size_t from = out->n;

		sbuf_printf(out, "%-10.*s", is_repeated(info, i) ? 0 : (int)row->name.n, row->name.p);
		out->p[from] = (char)toupper((unsigned char)out->p[from]);
		sbuf_str(out, row->value);
		sbuf_char(out, '\n');
	}
}

void
facts_html(struct sbuf *out, const struct info *info)
{
	bool list = false;

	for (size_t i = 0; i < info->count; i++) {
		const struct info_row *row = &info->rows[i];
		bool heading = row->kind == INFO_HEADING, note = row->kind == INFO_NOTE;

		if (row->kind == INFO_BLANK)
			continue;
		if (list == heading)
			sbuf_text(out, list ? "</dl>\n" : "<dl>\n");
		list = !heading;
		sbuf_text(out, heading ? "<h3>" : "<dt>");
		html_text(out, note || is_repeated(info, i) ? STR("") : row->name);
		if (!heading) {
			sbuf_text(out, row->kind == INFO_DAMAGE ? "</dt><dd class=\"lost\">" : "</dt><dd>");
			html_text(out, note ? row->name : row->value);
		}
		sbuf_text(out, heading ? "</h3>\n" : "</dd>\n");
	}
	sbuf_text(out, list ? "</dl>\n" : "");
}

void
facts_chosen(struct info *info, const struct report *r)
{
	const struct report_options *o = r->options;

	for (size_t i = 0; i < o->filters.count; i++)
		info_pair(info, "filter", "%s", o->filters.list[i].text);
	for (size_t i = 0; i < o->where.count; i++)
		info_pair(info, "where", "%s", o->where.list[i]);
	for (size_t i = 0; i < o->transforms.count; i++) {
		sbuf_printf(&info->text, "%s ", transform_kinds[o->transforms.list[i].id].name);
		transform_argument_text(&info->text, &o->transforms.list[i], r->trace);
		info_add(info, "transform");
	}
}

/*
 * The range of the figures.  An open end is left open, but for a view of one thread, which tells
 * its window always: there it is the end of the trace.
 */
static struct range
report_window(const struct report *r)
{
	struct range range = r->fold->range;

	if (r->options->view->one_thread && range.from == INT64_MIN)
		range.from = r->profile->begin;
	if (r->options->view->one_thread && range.to == INT64_MAX)
		range.to = r->profile->end;
	return range;
}

void
facts_window(struct info *info, const struct report *r)
{
	const struct range range = report_window(r);
	const struct profile *p = r->profile;

	if (!range_is_all(&range))
		info_pair(info, "window", "%s to %s",
		    unit_figure(&r->trace->unit, FMT_BUF, range.from == INT64_MIN ? p->begin : range.from),
		    unit_text(&r->trace->unit, FMT_BUF, range.to == INT64_MAX ? p->end : range.to));
}

static void
facts_trace(struct info *info, const struct report *r)
{
	enum clock_id clock = r->figures.clock, other = clock_other(clock);
	bool both = trace_has_clock(r->trace, other);

	info_pair(info, "file", "%s", trace_file(r->trace));
	info_format(info);
	info_recorded(info, &r->profile->sampled, r->profile->records > 0);
	if (unit_counts(&r->trace->unit)) {
		info_pair(info, "unit", "%s", r->trace->unit.name);
		return;
	}
	info_pair(info, "clock", "%s%s%s%s", clock_names[clock], both ? " (the trace has " : "",
	    both ? clock_names[other] : "", both ? ", too)" : "");
}

static void
facts_times(struct info *info, const struct report *r)
{
	enum clock_id clock = r->figures.clock, other = clock_other(clock);

	if (!r->trace->own_axes) /* else no two threads have a time in common */
		info_pair(info, "length", "%s", unit_text(&r->trace->unit, FMT_BUF, r->profile->end - r->profile->begin));
	facts_window(info, r);
	sbuf_text(&info->text, unit_text(&r->trace->unit, FMT_BUF, r->fold->total[clock]));
	if (trace_has_clock(r->trace, other))
		sbuf_printf(&info->text, ", %s %s ms", clock_names[other],
		    fmt_ms(FMT_BUF, r->fold->total[other]));
	info_pair(info, "total", ": the sum over %s%s threads%s, which percentages are of",
	    r->trace->log != NULL ? "the slices of " : "", r->scope == NULL ? "all" : "the chosen",
	    range_is_all(&r->fold->range) ? "" : " in the window");
}

static void
facts_counts(struct info *info, const struct report *r)
{
	uint32_t named = 0;

	if (r->scope == NULL)
		info_pair(info, "threads", "%" PRIu32, r->threads_met);
	for (uint32_t i = 0; r->scope != NULL && i < r->scope->count; i++) {
		if (!scope_has(r->scope, i))
			continue;
		if (named++ == THREADS_NAMED) {
			sbuf_text(&info->text, ", ...");
			break;
		}
		sbuf_printf(&info->text, "%s%" PRIu32 " ", named > 1 ? ", " : "",
		    trace_thread(r->trace, i)->id);
		sbuf_str(&info->text, names_thread(r->figures.names, i));
	}
	if (r->scope != NULL)
		info_pair(info, "threads", " (%" PRIu32 " of %" PRIu32 ")", scope_size(r->scope),
		    r->trace->threads.count);
	if (r->trace->log != NULL)
		info_slices(info, &r->trace->log->choice);
	info_pair(info, "records", "%" PRIu64, r->profile->records);
	info_pair(info, "methods", "%" PRIu32, r->methods_met);
}

/* Writes what the rows of the callers leave out. */
static void
facts_outside(struct info *info, const struct report *r)
{
	const struct tree_rows *tree = r->tree;
	enum clock_id clock = r->figures.clock;

	if (tree == NULL || tree->callers == NULL)
		return;
	if (tree->outside[clock] != 0)
		info_pair(info, "left out", "(toplevel), where no call was open: %s, %s %%",
		    unit_text(&r->trace->unit, FMT_BUF, tree->outside[clock]),
		    fmt_percent(FMT_BUF, tree->outside[clock], r->fold->total[clock]));
	if (tree->deeper == 0)
		return;
	if (tree->depth_max != UINT32_MAX)
		sbuf_printf(&info->text, names_words(r->figures.names,
			"callers more than %" PRIu32 " calls above"), tree->depth_max);
	else
		sbuf_printf(&info->text, names_words(r->figures.names,
			"callers beyond the first %" PRIu64), tree->callers_max);
	info_pair(info, "left out", ", of %" PRIu32 " row%s", tree->deeper,
	    tree->deeper == 1 ? "" : "s");
}

/* Writes what was asked for, and how much of it is here. */
static void
facts_asked(struct info *info, const struct report *r)
{
	const struct report_options *o = r->options;
	bool asked = o->filters.count + o->where.count + o->methods.count > 0;

	if ((o->view->takes & TAKES_CUT) != 0) {
		sbuf_us(&info->text, o->min_percent); /* thousandths, too */
		info_pair(info, "cut-off", " %% of the total; less is folded");
	}
	facts_outside(info, r);
	facts_chosen(info, r);
	for (size_t i = 0; i < o->methods.count; i++)
		info_pair(info, "method", "%s", o->methods.list[i].text);
	if ((!asked && r->count == r->matched) || o->view->choose == callrows_choose)
		return;
	sbuf_printf(&info->text, "%" PRIu32, r->count);
	if (r->count < r->matched)
		sbuf_printf(&info->text, " of %" PRIu32 "%s", r->matched, asked ? " that match" : "");
	info_add(info, "rows");
}

static void
facts_damage(struct info *info, const struct report *r)
{
	const struct damage *damage = &r->profile->damage;
	const struct trace *t = r->trace;
	char edges[DAMAGE_SIZE];

	for (size_t i = 0; i < t->note_count; i++)
		info_pair(info, "notes", "%.*s", STR_ARG(t->notes[i]));
	if (t->log != NULL && log_deep_put(t, &t->log->summary, &info->text))
		info_add(info, "notes");
	if (damage_edges(damage, edges) != NULL)
		info_pair(info, "edges", "%s", names_words(r->figures.names, edges));
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (!damage_met(damage, i))
			continue;
		info_pair(info, "damage", "%s: %s", damage_kinds[i].name,
		    damage_text(damage, (enum damage_kind)i, DAMAGE_BUF));
		info_pair(info, "damage", "  (%s)",
		    names_words(r->figures.names, damage_kinds[i].help));
	}
	if (damage_count(damage) == 0)
		info_pair(info, "damage", "none");
}

void
report_text(struct sink *sink, const struct report *r)
{
	struct info info = {0};

	info_begin(&info, r->trace, r->figures.names);
	facts_trace(&info, r);
	facts_times(&info, r);
	facts_counts(&info, r);
	facts_asked(&info, r);
	facts_damage(&info, r);
	facts_text(&sink->text, &info);
	if (!report_is_empty(r)) {
		sbuf_char(&sink->text, '\n');
		r->options->view->text(sink, r);
	} else if (r->profile->records == 0) {
		sbuf_text(&sink->text, "\nNo records.\n");
		if (r->trace->log != NULL && log_left_put(r->trace->log, &info.text))
			sbuf_printf(&sink->text, "Not read: %s.\n", sbuf_cstr(&info.text));
	} else if (r->options->view->none != NULL &&
	    r->options->filters.count + r->options->where.count + r->options->methods.count == 0) {
		sbuf_printf(&sink->text, "\n%s\n", r->options->view->none);
	} else {
		sbuf_printf(&sink->text, "\nNo %s.\n",
		    (r->options->view->takes & TAKES_RELATIONS) != 0 ? "method matches"
									: "row matches");
	}
	info_release(&info);
}

/* CSV ----------------------------------------------------------------------------- */

void
report_csv(struct sink *sink, const struct report *r)
{
	r->options->view->write(sink, NULL, r);
}

void
report_lines(struct sink *sink, const struct report *r)
{
	sink->lines = true;
	r->options->view->write(sink, NULL, r);
}

/* JSON ---------------------------------------------------------------------------- */

const char *const member_span_keys[CLOCKS] = {"cpu_us", "wall_us"};

void
member_times(struct json *j, unsigned clocks, const char *const keys[CLOCKS],
    const nsec times[CLOCKS])
{
	for (int c = 0; c < CLOCKS; c++)
		if ((clocks & 1u << c) != 0)
			member_us(j, keys[c], times[c]);
}

/* An object has a key once: of several properties of a name the last holds. */
static void
members_properties(struct json *j, const struct trace *t)
{
	bool *last = mem_zero(t->property_count + 1, sizeof(*last));
	struct intern names = {0};

	for (size_t i = t->property_count; i-- > 0;) {
		size_t known = names.count;

		last[i] = intern_add(&names, t->properties[i].key, 0) == known;
	}
	member_object(j, "properties");
	for (size_t i = 0; i < t->property_count; i++) {
		if (!last[i])
			continue;
		json_key_str(j, t->properties[i].key);
		json_str(j, t->properties[i].value);
	}
	json_end(j);
	intern_release(&names);
	mem_free(last);
}

/* Members of the object "trace". */
static void
members_trace(struct json *j, const struct report *r)
{
	const struct trace *t = r->trace;

	MEMBERS(j, {"file", value_text(str_from(trace_file(t)))},
	    {"format", value_text(str_from(t->format))},
	    {"version", value_if(t->version != 0, value_number(t->version))}); /* logs have none */
	member_array(j, "clocks");
	for (int c = 0; c < CLOCKS; c++)
		if (trace_has_clock(t, (enum clock_id)c))
			json_str(j, str_from(clock_names[c]));
	json_end(j);
	if (unit_counts(&t->unit))
		member_str(j, "unit", str_from(t->unit.name));
	MEMBERS(j, {"records", value_count(r->profile->records)},
	    {"threads", value_count(r->threads_met)}, {"methods", value_count(r->methods_met)},
	    {"sample_interval_us", value_if(r->profile->sampled.yes,
		value_time(r->profile->sampled.interval / 1000 * 1000))});
	members_properties(j, t);
}

/* Levels and tags of a log's slices. */
static void
members_choice(struct json *j, const struct log_choice *c)
{
	struct sbuf name = {0};

	if (c->level != 0)
		member_str(j, "level", str_from(log_levels[log_level_rank(c->level)].name));
	if (c->tags == 0)
		return;
	member_array(j, "tags");
	for (int tag = 0; tag < LOG_TAGS; tag++) {
		if ((c->tags >> tag & 1) == 0)
			continue;
		sbuf_clear(&name);
		log_tag_text(&name, tag);
		json_str(j, sbuf_view(&name));
	}
	json_end(j);
	sbuf_release(&name);
}

/* Writes what was chosen of the trace, if anything was: total, calls and times are of that. */
static void
members_scope(struct json *j, const struct report *r)
{
	static const struct log_choice all;
	const struct log_choice *choice = r->trace->log != NULL ? &r->trace->log->choice : &all;
	const struct range range = report_window(r);

	if (r->scope == NULL && range_is_all(&range) && log_choice_equal(choice, &all))
		return;
	member_object(j, "scope");
	if (r->scope != NULL) {
		member_array(j, "threads");
		for (uint32_t i = 0; i < r->scope->count; i++)
			if (scope_has(r->scope, i))
				json_uint(j, trace_thread(r->trace, i)->id);
		json_end(j);
	}
	MEMBERS(j, {"from_us", value_if(range.from != INT64_MIN, value_time(range.from))},
	    {"to_us", value_if(range.to != INT64_MAX, value_time(range.to))});
	members_choice(j, choice);
	json_end(j);
}

static void
members_kinds(struct json *j, const char *name, const struct damage *damage, bool edges)
{
	member_array(j, name);
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0 || damage_kinds[i].edge != edges)
			continue;
		OBJECT(j, {"kind", value_text(str_from(damage_kinds[i].name))},
		    {"count", value_count(damage->kind[i].count)},
		    {"unit", value_text(str_from(damage_kinds[i].unit))},
		    {"offset", value_count(damage->kind[i].offset)},
		    {"help", value_text(str_from(damage_kinds[i].help))});
	}
	json_end(j);
}

void
members_damage(struct json *j, const struct damage *damage)
{
	members_kinds(j, "damage", damage, false);
	members_kinds(j, "edges", damage, true);
}

/* Writes of a log's thread: its process, its kind of row, and where and how long it ran. */
static void
members_log_thread(struct json *j, const struct report *r, const struct processes *processes,
    uint32_t index)
{
	const struct trace *t = r->trace;
	const struct thread *thread = trace_thread(t, index);
	const struct usage *u = r->usage;

	member_str(j, "kind", str_from(thread_kind_words[thread->kind]));
	if (thread->process > 0) {
		const struct process *of = &processes->items[thread->process];

		MEMBERS(j, {"pid", value_count(of->pid)}, {"process", value_text(of->name)});
	}
	if (!t->log->has_sched || thread->kind != THREAD_TASK || index >= u->thread_count)
		return;
	MEMBERS(j, {"running_us", value_time(u->threads[index].ran)},
	    {"running_count", value_count(u->threads[index].runs)});
	member_array(j, "cpus");
	for (size_t i = u->threads[index].share; i != 0; i = u->shares[i - 1].next) {
		const struct usage_share *s = &u->shares[i - 1];

		OBJECT(j, {"cpu", value_count(s->cpu)}, {"us", value_time(s->ran)},
		    {"count", value_count(s->runs)});
	}
	json_end(j);
}

static void
members_thread(struct json *j, const struct report *r, const struct processes *processes,
    uint32_t index, bool whole)
{
	static const char *const first_keys[CLOCKS] = {"first_cpu_us", "first_wall_us"};
	static const char *const last_keys[CLOCKS] = {"last_cpu_us", "last_wall_us"};
	static const struct fold_thread none;
	const struct thread *thread = trace_thread(r->trace, index);
	const struct fold_thread *sum =
	    index < r->fold->thread_count ? &r->fold->threads[index] : &none;
	nsec spans[CLOCKS];

	for (int c = 0; c < CLOCKS; c++)
		spans[c] = sum->last[c] - sum->first[c];
	MEMBERS(j, {"tid", value_count(thread->id)}, {"thread", value_text(thread->name)});
	if (r->trace->log != NULL)
		members_log_thread(j, r, processes, index);
	member_times(j, r->trace->clocks, member_span_keys, spans);
	MEMBERS(j, {"unknown_us", value_if(sum->unknown > 0 && thread->kind != THREAD_ASYNC,
		value_time(sum->unknown))}, {"records", value_count(sum->records)},
	    {"was", value_if(whole && thread->was.n > 0, value_text(thread->was))});
	if (!whole || sum->records == 0)
		return;
	MEMBERS(j, {"calls", value_count(sum->calls)}, {"open", value_count(sum->open)});
	for (int c = 0; c < CLOCKS; c++) {
		if (!trace_has_clock(r->trace, (enum clock_id)c))
			continue;
		member_us(j, first_keys[c], sum->first[c]);
		member_us(j, last_keys[c], sum->last[c]);
	}
}

/* The threads of the trace, or only those in scope. */
static void
json_threads(struct json *j, struct sink *sink, const struct report *r, const struct scope *scope,
    bool whole)
{
	struct processes processes = {0};

	if (r->trace->log != NULL)
		processes_make(&processes, r->trace);
	member_array(j, "threads");
	for (uint32_t i = 0; i < r->trace->threads.count && sink_row(sink); i++) {
		if (!scope_has(scope, i))
			continue;
		json_object(j);
		members_thread(j, r, &processes, i, whole);
		json_end(j);
	}
	json_end(j);
	processes_release(&processes);
}

void
members_begin(struct json *j, struct sink *sink, const struct trace *t)
{
	sink->terminal = false;
	json_init(j, &sink->text, 2);
	j->unit = t->unit.name;
	json_object(j);
}

void
members_end(struct json *j, struct sink *sink)
{
	if (!sink_wanted(sink))
		return;
	json_end(j);
	json_finish(j);
}

/* Writes the transforms in force, in order, if there are any. */
static void
json_transforms(struct json *j, const struct report *r)
{
	const struct transforms *list = &r->options->transforms;
	struct sbuf text = {0};

	if (list->count == 0)
		return;
	member_array(j, "transforms");
	for (size_t i = 0; i < list->count; i++) {
		sbuf_clear(&text);
		transform_argument_text(&text, &list->list[i], r->trace);
		OBJECT(j, {"name", value_text(str_from(transform_kinds[list->list[i].id].name))},
		    {"argument", value_text(sbuf_view(&text))});
	}
	json_end(j);
	sbuf_release(&text);
}

void
report_json(struct sink *sink, const struct report *r)
{
	struct json j;

	members_begin(&j, sink, r->trace);
	member_object(&j, "trace");
	members_trace(&j, r);
	json_end(&j);
	members_damage(&j, &r->profile->damage);
	members_scope(&j, r);
	json_transforms(&j, r);
	member_object(&j, "total");
	member_times(&j, r->trace->clocks, member_span_keys, r->fold->total);
	json_end(&j);
	if (r->options->view->has_threads)
		json_threads(&j, sink, r, NULL, false);
	r->options->view->write(sink, &j, r);
	logs_json(sink, &j, r);
	members_end(&j, sink);
}

/* Facts about a trace ------------------------------------------------------------- */

static void
text_row(struct sbuf *out, const struct info_row *row, int names)
{
	if (row->kind != INFO_HEADING && row->kind != INFO_BLANK)
		sbuf_text(out, "  ");
	if ((row->kind == INFO_PAIR || row->kind == INFO_DAMAGE) && row->value.n > 0)
		cell_text(out, row->name, names, true);
	else if (row->kind != INFO_BLANK)
		sbuf_str(out, row->name);
	if (row->kind == INFO_TITLES || row->kind == INFO_FIGURES || row->value.n > 0)
		sbuf_text(out, "  ");
	sbuf_str(out, row->value);
	sbuf_char(out, '\n');
}

void
info_text(struct sink *sink, const struct report *r)
{
	struct info info = {0};
	struct load_status status = {0};
	int names;

	load_status_of(&status, r->profile, 1);
	info.starts = r->usage != NULL ? &r->usage->starts : NULL;
	info_build(&info, r->trace, r->figures.names, &status, r->fold, r->scope);
	names = info_name_columns(&info);
	for (size_t i = 0; i < info.count && sink_row(sink); i++)
		text_row(&sink->text, &info.rows[i], names);
	info_release(&info);
}

static void
members_start(struct json *j, const struct trace *t)
{
	char date[TRACE_DATE], utc[TRACE_DATE + 1];

	if (t->start_us == 0)
		return;
	member_uint(j, "start_us", t->start_us);
	if (!trace_start_date(t, 'T', date))
		return;
	snprintf(utc, sizeof(utc), "%sZ", date);
	member_str(j, "start_date", str_from(utc));
}

static void
recorded_take(void *context, const struct conf_entry *entry)
{
	OBJECT(context, {"name", value_text(entry->key)}, {"value", value_text(entry->value)});
}

static void
info_trace(struct json *j, const struct report *r)
{
	struct sbuf deep = {0};
	const struct trace *t = r->trace;
	uint64_t open = 0;

	member_object(j, "trace");
	members_trace(j, r);
	MEMBERS(j, {"record_size", value_if(t->record_size > 0, value_count(t->record_size))},
	    {"data_bytes", value_count(source_bytes(t->source))},
	    {"compressed", value_bool(t->compressed != NULL)},
	    {"text_apart", value_bool(t->text_apart)},
	    {"threads_by_turns", value_bool(t->source->by_thread)},
	    {"overflow", value_bool(t->overflow)});
	members_start(j, t);
	MEMBERS(j, {"begin_us", value_if(!t->own_axes, value_time(r->profile->begin))},
	    {"end_us", value_if(!t->own_axes, value_time(r->profile->end))});
	for (uint32_t i = 0; i < r->fold->thread_count; i++)
		open += r->fold->threads[i].open;
	MEMBERS(j, {"elapsed_us", value_if(t->elapsed > 0, value_time(t->elapsed))},
	    {"calls", value_count(r->fold->calls)}, {"open", value_count(open)},
	    {"methods_named", value_count(trace_methods_named(t))},
	    {"threads_named", value_count(t->threads_listed)});
	member_array(j, "options");
	for (size_t i = 0; i < t->property_count; i++) {
		OBJECT(j, {"name", value_text(t->properties[i].key)},
		    {"value", value_text(t->properties[i].value)});
	}
	json_end(j);
	if (t->recorded.n > 0) {
		member_array(j, "recorded");
		conf_read(t->recorded, recorded_take, j);
		json_end(j);
	}
	member_array(j, "notes");
	for (size_t i = 0; i < t->note_count; i++)
		json_str(j, t->notes[i]);
	if (t->log != NULL && log_deep_put(t, &t->log->summary, &deep))
		json_str(j, sbuf_view(&deep));
	sbuf_release(&deep);
	json_end(j);
	json_end(j);
}

void
info_json(struct sink *sink, const struct report *r)
{
	struct json j;

	members_begin(&j, sink, r->trace);
	info_trace(&j, r);
	members_damage(&j, &r->profile->damage);
	members_scope(&j, r);
	logs_json(sink, &j, r);
	json_threads(&j, sink, r, r->scope, true);
	members_end(&j, sink);
}

/* Adds the hash of the file; what is no file, as a pipe, has none. */
static void
member_hash(struct json *j, const struct trace *t)
{
	char text[SHA256_TEXT];
	struct filemap map;

	if (!filemap_open(&map, t->path, NULL))
		return;
	sha256_text(map.bytes, map.size, text);
	filemap_close(&map);
	member_str(j, "sha256", str_from(text));
}

/* Writes the trace as a row of a table of traces. */
void
info_lines(struct sink *sink, const struct report *r)
{
	const struct trace *t = r->trace;
	const struct sampled *sampled = &r->profile->sampled;
	struct json j;

	sink->terminal = false;
	json_init(&j, &sink->text, 0);
	j.unit = t->unit.name;
	json_object(&j);
	MEMBERS(&j, {"run", value_text(str_from(sink->runs->name))},
	    {"file", value_text(str_from(trace_file(t)))}, {"format", value_text(str_from(t->format))},
	    {"version", value_if(t->version != 0, value_number(t->version))},
	    {"sampled", value_bool(sampled->yes)},
	    {"interval_us", value_if(sampled->yes, value_time(sampled->interval / 1000 * 1000))});
	member_times(&j, t->clocks, member_span_keys, r->fold->total);
	member_uint(&j, "damage", (uint64_t)damage_count(&r->profile->damage));
	member_hash(&j, t);
	json_end(&j);
	json_finish(&j);
}
