// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/triage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/tables.h"
#include "trace/log.h"

enum { LIMIT_TEXT = 18 };

const char *const triage_formats[TRIAGE_FORMATS] = {"text", "json", "csv", "line"};

/* Text ---------------------------------------------------------------------------- */

/* A line from a column on, cut at the end; empties the text. */
static void
line(struct triage *t, struct names *names, const char *lead, struct sbuf *text)
{
	struct sbuf *out = &t->sink->text;

	sbuf_text(out, lead);
	sbuf_str(out, t->width == 0 ? names_clean(names, sbuf_view(text))
	    : names_head(names, names_clean(names, sbuf_view(text)), t->width - (int)strlen(lead)));
	sbuf_char(out, '\n');
	sbuf_clear(text);
}

static void
text_head(struct triage *t, const char *file, const struct finding_words *w)
{
	const struct trace *trace = w->trace;
	const struct findings *f = w->findings;
	struct sbuf text = {0};
	nsec length = f->range.to - f->range.from;

	sbuf_printf(&text, "%s  ", path_base(file));
	if (unit_counts(&trace->unit))
		sbuf_text(&text, unit_text(&trace->unit, FMT_BUF, length));
	else
		sbuf_printf(&text, "%s s", fmt_time(FMT_BUF, length, FMT_S, 3));
	if (unit_counts(&trace->unit))
		sbuf_text(&text, t->profile->sampled.yes ? ", sampled" : ", traced");
	else if (trace->log != NULL)
		sbuf_printf(&text, ", %" PRIu64 " records, %" PRIu64 " switches", t->profile->records,
		    trace->log->sched.switches);
	else
		sbuf_printf(&text, ", %s, %s",
		    trace_has_clock(trace, CLOCK_WALL) ? "wall clock" : "CPU clock only",
		    t->profile->sampled.yes ? "sampled" : "traced");
	line(t, w->names, "", &text);
	finding_judged(&text, w);
	if (text.n > 0)
		line(t, w->names, "", &text);
	if (finding_startup(&text, w))
		line(t, w->names, "", &text);
	sbuf_release(&text);
}

static void
text_finding(struct triage *t, const struct finding_words *w, const struct finding *f,
    uint32_t rank)
{
	struct sbuf text = {0};
	const struct trace_unit *unit = &w->trace->unit;
	nsec time = f->late > 0 ? f->late : f->time;
	char lead[128];

	finding_text(&text, w, f);
	snprintf(lead, sizeof(lead), "%2" PRIu32 "  %8s %s  %-8s ", rank, unit_counts(unit)
		? unit_figure(unit, FMT_BUF, time) : fmt_time(FMT_BUF, time, FMT_MS, finding_decimals(time)), unit_name(unit),
	    finding_kinds[f->kind].word);
	line(t, w->names, lead, &text);
	for (int i = 0; i < FINDING_EVIDENCE && finding_evidence(&text, w, f, i); i++)
		line(t, w->names, "        ", &text);
	sbuf_release(&text);
}

static void
text_write(struct triage *t, const char *file, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	struct sbuf text = {0};
	bool late = false, costs = false;
	uint32_t rank = 0, left = 0;
	char lead[LIMIT_TEXT + 8];

	if (t->files > 0)
		sbuf_char(&t->sink->text, '\n');
	text_head(t, file, w);
	sbuf_char(&t->sink->text, '\n');
	for (uint32_t i = 0; i < f->count; i++) {
		if (t->limit > 0 && rank == t->limit) {
			left++;
			continue;
		}
		if (late && !costs && f->list[i].late <= 0) {
			sbuf_text(&t->sink->text, "Costs, not late by themselves:\n");
			costs = true;
		}
		late |= f->list[i].late > 0;
		text_finding(t, w, &f->list[i], ++rank);
	}
	if (left > 0)
		sbuf_printf(&t->sink->text, "        %" PRIu32 " more: --limit=0\n", left);
	if (rank > 0)
		sbuf_char(&t->sink->text, '\n');
	for (int i = 0; i < FINDING_LIMITS; i++) {
		if (!f->limits.set[i])
			continue;
		finding_limit_text(&text, w, (enum finding_limit)i);
		snprintf(lead, sizeof(lead), " ?  %-12s", finding_limits[i]);
		line(t, w->names, lead, &text);
	}
	sbuf_release(&text);
}

/* JSON ---------------------------------------------------------------------------- */

static void
json_facts(const struct triage *t, struct json *j, const char *file, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	const struct trace *trace = w->trace;

	MEMBERS(j, {"version", value_count(1)}, {"file", value_text(str_from(path_base(file)))});
	member_array(j, "clocks");
	for (int c = 0; c < CLOCKS; c++) {
		if (trace_has_clock(trace, (enum clock_id)c))
			json_str(j, str_from(clock_names[c]));
	}
	json_end(j);
	member_bool(j, "sampled", t->profile->sampled.yes);
	member_us(j, "length_us", f->range.to > f->range.from ? f->range.to - f->range.from : 0);
	if (f->thread == THREAD_NONE) {
		member_null(j, "main");
		return;
	}
	member_object(j, "main");
	finding_thread(j, w, f->thread, trace_thread(trace, f->thread)->process);
	member_bool(j, "is_main", f->is_main);
	json_end(j);
	member_object(j, "messages");
	MEMBERS(j, {"count", value_count(f->messages)}, {"busy_us", value_time(f->busy)},
	    {"late", value_count(f->late_messages)}, {"late_us", value_time(f->late)},
	    {"judged_us", value_time(f->judged)}, {"longest_us", value_time(f->longest)},
	    {"budget_us", value_time(f->budget)});
	json_end(j);
	member_object(j, "frames");
	MEMBERS(j, {"count", value_count(f->frames)}, {"late", value_count(f->frames_late)},
	    {"late_us", value_time(f->frames_over)}, {"budget_us", value_time(f->frame_budget)});
	json_end(j);
	if (f->startup.time == 0)
		return;
	member_object(j, "startup");
	MEMBERS(j, {"at_us", value_time(f->startup.start)}, {"time_us", value_time(f->startup.time)},
	    {"type", value_text(str_from(start_type_names[f->startup.start_type]))});
	json_end(j);
}

/* Writes the rows: those of the list of findings. */
static void
rows_write(struct triage *t, const char *file, struct json *j, const struct list *l)
{
	struct sheet_runs runs = {.word = "file", .name = path_base(file), .at = -1};

	t->sink->runs = j == NULL ? &runs : NULL;
	table_write(t->sink, j, l, "findings", &(struct sheet){.goes_on = t->files > 0});
	t->sink->runs = NULL;
	sbuf_release(&runs.heading);
}

static void
json_write(struct triage *t, const char *file, const struct finding_words *w, const struct list *l)
{
	const struct findings *f = w->findings;
	struct sbuf text = {0};
	struct json j;

	json_init(&j, &t->sink->text, 2);
	json_object(&j);
	json_facts(t, &j, file, w);
	rows_write(t, file, &j, l);
	member_array(&j, "limits");
	for (int i = 0; i < FINDING_LIMITS; i++) {
		if (!f->limits.set[i])
			continue;
		finding_limit_text(&text, w, (enum finding_limit)i);
		OBJECT(&j, {"limit", value_text(str_from(finding_limits[i]))},
		    {"time_us", value_if(i == LIMIT_TRACING, value_time(f->limits.tracing))},
		    {"of_us", value_if(i == LIMIT_TRACING, value_time(f->limits.of))},
		    {"text", value_text(sbuf_view(&text))});
		sbuf_clear(&text);
	}
	json_end(&j);
	member_array(&j, "off");
	for (int k = 0; k < FINDING_KINDS; k++) {
		if (t->rules->kinds[k].off)
			json_str(&j, str_from(finding_kinds[k].word));
	}
	json_end(&j);
	json_end(&j);
	json_finish(&j);
	sbuf_release(&text);
}

/* A line -------------------------------------------------------------------------- */

static void
line_write(struct triage *t, const char *file, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	struct sbuf *out = &t->sink->text, text = {0};
	struct str app = f->thread == THREAD_NONE ? STR("")
	    : finding_process(w, trace_thread(w->trace, f->thread)->process);

	clean_append(out, str_from(path_base(file)), 0);
	sbuf_printf(out, "\t%s\t%s trace\t%s\t%s\t",
	    fmt_duration(FMT_BUF, t->profile->end - t->profile->begin),
	    w->trace->log != NULL ? "system" : "method", w->trace->format,
	    damage_count(&t->profile->damage) > 0 ? "damaged" : "");
	clean_append(out, app, 0);
	sbuf_char(out, '\t');
	if (f->count > 0)
		finding_text(&text, w, &f->list[0]);
	clean_append(out, sbuf_view(&text), 0);
	sbuf_char(out, '\n');
	sbuf_release(&text);
}

/* Files --------------------------------------------------------------------------- */

void
triage_begin(struct triage *t)
{
	if (t->format == TRIAGE_JSON && t->many)
		sbuf_text(&t->sink->text, "[\n");
}

/* Leaves only the findings that are wanted. */
static void
keep_wanted(const struct triage *t, struct findings *f)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->count; i++)
		if (t->kinds == 0 || (t->kinds >> f->list[i].kind & 1) != 0)
			f->list[count++] = f->list[i];
	f->count = count;
}

void
triage_add(struct triage *t, const char *file, const struct profile *p, struct findings *f)
{
	struct finding_words w = {p->trace, f, names_new(p->trace, !t->ascii)};
	struct findings_list list;
	struct display display;

	t->profile = p;
	t->found += f->count > 0 && f->list[0].kind != FINDING_NONE;
	keep_wanted(t, f);
	display_init(&display, p->trace, w.names);
	findings_list_init(&list, &display);
	list_for_files(&list.list);
	findings_list_set(&list, f);
	if (t->limit > 0 && list.list.at.count > t->limit)
		list.list.at.count = t->limit;
	if (t->format == TRIAGE_JSON) {
		if (t->files > 0)
			sbuf_text(&t->sink->text, ",\n");
		json_write(t, file, &w, &list.list);
	} else if (t->format == TRIAGE_CSV) {
		rows_write(t, file, NULL, &list.list);
	} else if (t->format == TRIAGE_LINE) {
		line_write(t, file, &w);
	} else {
		text_write(t, file, &w);
	}
	t->files++;
	findings_list_release(&list);
	display_release(&display);
	names_free(w.names);
	(void)sink_row(t->sink);
}

void
triage_failed(struct triage *t, const char *file, const char *why)
{
	if (t->format != TRIAGE_TEXT || !t->many)
		return;
	sbuf_printf(&t->sink->text, "%s%s  %s\n", t->files > 0 ? "\n" : "", path_base(file), why);
	t->files++;
}

void
triage_end(struct triage *t)
{
	if (t->format == TRIAGE_JSON && t->many)
		sbuf_text(&t->sink->text, "]\n");
	else if (t->format == TRIAGE_TEXT && t->many)
		sbuf_printf(&t->sink->text, "\n%" PRIu32 " files: %" PRIu32 " with findings\n", t->files,
		    t->found);
}

/* As a view of a report ------------------------------------------------------------ */

bool
findings_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	static const struct finding_rules rules;
	struct finding_query q = {.rules = &rules, .range = r->options->range,
	    .budget = r->options->budget_given ? r->options->budget : 0};
	struct findings_list *f = &r->tables->findings;
	struct findings *found;

	finding_scope(&q, r->profile, r->scope, r->options->threads.count == 0);
	found = findings_find(r->profile, &q, cancel, e);
	if (found == NULL)
		return e->kind != ERR_NONE ? false : err_set(e, ERR_CANCELLED, "interrupted");
	findings_list_init(f, &r->tables->display);
	findings_list_set(f, found);
	return table_take(r, &f->list, false, e);
}
