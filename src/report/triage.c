// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/triage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/tables.h"
#include "trace/log.h"

enum { LIMIT_TEXT = 18 };

const char *const triage_formats[TRIAGE_FORMATS] = {"text", "json", "csv", "line"};

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static bool
wanted(const struct triage *t, const struct finding *f)
{
	return t->kinds == 0 || (t->kinds >> f->kind & 1) != 0;
}

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

	sbuf_printf(&text, "%s  ", base_name(file));
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
		if (!wanted(t, &f->list[i]))
			continue;
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
member_method(struct json *j, const char *key, const struct trace *trace, uint32_t method)
{
	struct sbuf full = {0};
	const struct method *m;

	if (method == METHOD_NONE) {
		member_null(j, key);
		return;
	}
	m = trace_method(trace, method);
	if (m->class_name.n > 0) {
		for (size_t i = 0; i < m->class_name.n; i++)
			sbuf_char(&full, m->class_name.p[i] == '/' ? '.' : m->class_name.p[i]);
		sbuf_char(&full, '.');
		sbuf_str(&full, m->name);
	} else {
		sbuf_str(&full, finding_name_of(m));
	}
	member_str(j, key, sbuf_view(&full));
	sbuf_release(&full);
}

static void
member_name(struct json *j, const char *key, struct str name)
{
	if (name.n > 0)
		member_str(j, key, name);
	else
		member_null(j, key);
}

static void
json_thread(struct json *j, const struct finding_words *w, uint32_t thread, uint32_t process)
{
	if (thread != THREAD_NONE) {
		member_uint(j, "tid", trace_thread(w->trace, thread)->id);
		member_str(j, "thread", trace_thread(w->trace, thread)->name.n > 0
			? trace_thread(w->trace, thread)->name : names_thread(w->names, thread));
	} else {
		member_null(j, "tid");
		member_null(j, "thread");
	}
	member_name(j, "process", finding_process(w, process));
}

static void
json_place(struct json *j, const struct finding_words *w, const struct finding *f)
{
	const struct trace *trace = w->trace;
	const bool log = trace->log != NULL;

	member_object(j, "place");
	json_thread(j, w, f->thread, f->process);
	if (f->length >= 0) {
		member_us(j, "start_us", f->start);
		member_us(j, "time_us", f->length);
	} else {
		member_null(j, "start_us");
		member_null(j, "time_us");
	}
	member_method(j, "method", trace, log ? METHOD_NONE : f->method);
	member_method(j, "slice", trace, log ? f->method : METHOD_NONE);
	json_end(j);
}

static void
json_cause(struct json *j, const struct trace *trace, const struct finding_cause *c)
{
	static const char *const words[] = {[CAUSE_CLASS] = "class", [CAUSE_OWN] = "app",
	    [CAUSE_PATH] = "path", [CAUSE_SPLIT] = "split"};

	if (c->by == CAUSE_NONE) {
		member_null(j, "cause");
		return;
	}
	member_object(j, "cause");
	member_str(j, "by", str_from(words[c->by]));
	if (c->by == CAUSE_CLASS)
		member_str(j, "kind", str_from(finding_kinds[c->kind].word));
	member_us(j, "time_us", c->time);
	member_method(j, "name", trace, c->method);
	if (c->by == CAUSE_CLASS) {
		member_us(j, "name_us", c->method_time);
		member_method(j, "caller", trace, c->caller);
		if (c->caller != METHOD_NONE)
			member_us(j, "caller_us", c->caller_time);
		json_end(j);
		return;
	}
	if (c->by == CAUSE_SPLIT)
		member_method(j, "under", trace, c->under);
	member_array(j, "parts");
	for (uint32_t i = 0; i < c->part_count; i++) {
		json_object(j);
		member_method(j, "name", trace, c->parts[i].method);
		member_us(j, "time_us", c->parts[i].time);
		if (c->parts[i].kind != FINDING_KINDS)
			member_str(j, "kind", str_from(finding_kinds[c->parts[i].kind].word));
		else
			member_null(j, "kind");
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

/* Times of a kind that may be 0 and are then of no meaning are left out. */
static void
member_time(struct json *j, const char *key, nsec time)
{
	if (time > 0)
		member_us(j, key, time);
}

static void
json_figures(struct json *j, const struct finding_words *w, const struct finding *f)
{
	static const char *const states[JANK_STATES] = {
	    [JANK_RUNNING] = "running_us", [JANK_RUNNABLE] = "runnable_us",
	    [JANK_SLEEPING] = "asleep_us", [JANK_BLOCKED] = "blocked_us"};
	const struct trace *trace = w->trace;

	member_object(j, "figures");
	if (f->count > 0 || f->of > 0)
		member_uint(j, "count", f->count);
	if ((f->kind == FINDING_FRAMES || f->kind == FINDING_NONE) && f->of > 0)
		member_uint(j, "of", f->of);
	member_time(j, "longest_us", f->length);
	member_time(j, "cpu_us", f->cpu);
	member_time(j, "tracing_us", f->tracing);
	member_time(j, "net_us", f->net);
	member_time(j, "of_us", f->whole);
	for (int i = 0; i < JANK_STATES; i++)
		member_time(j, states[i], f->state[i]);
	if (f->method_time > 0) {
		member_method(j, "most_in", trace, f->method);
		member_us(j, "most_us", f->method_time);
	}
	if (f->caller != METHOD_NONE) {
		member_method(j, "caller", trace, f->caller);
		member_us(j, "caller_us", f->caller_time);
	}
	if (f->kind == FINDING_ANR || f->kind == FINDING_STALL || f->kind == FINDING_LATE) {
		member_uint(j, "blocked", f->blocked);
		member_uint(j, "frames", f->framed);
	} else if (f->kind == FINDING_FRAMES) {
		member_uint(j, "in_stalls", f->framed);
	}
	if (f->cause.whole > 0)
		json_cause(j, trace, &f->cause);
	json_end(j);
}

static void
json_finding(struct json *j, const struct finding_words *w, const struct finding *f, uint32_t rank)
{
	struct sbuf text = {0};

	json_object(j);
	member_uint(j, "rank", rank);
	member_str(j, "kind", str_from(finding_kinds[f->kind].word));
	member_us(j, "late_us", f->late);
	member_us(j, "user_us", f->late); /* its old name */
	member_us(j, "time_us", f->time);
	finding_text(&text, w, f);
	member_str(j, "text", sbuf_view(&text));
	sbuf_clear(&text);
	member_array(j, "evidence");
	for (int i = 0; i < FINDING_EVIDENCE && finding_evidence(&text, w, f, i); i++) {
		json_str(j, sbuf_view(&text));
		sbuf_clear(&text);
	}
	json_end(j);
	json_place(j, w, f);
	json_figures(j, w, f);
	json_end(j);
	sbuf_release(&text);
}

static void
json_facts(const struct triage *t, struct json *j, const char *file, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	const struct trace *trace = w->trace;

	member_uint(j, "version", 1);
	member_str(j, "file", str_from(base_name(file)));
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
	json_thread(j, w, f->thread, trace_thread(trace, f->thread)->process);
	member_bool(j, "is_main", f->is_main);
	json_end(j);
	member_object(j, "messages");
	member_uint(j, "count", f->messages);
	member_us(j, "busy_us", f->busy);
	member_uint(j, "late", f->late_messages);
	member_us(j, "late_us", f->late);
	member_us(j, "judged_us", f->judged);
	member_us(j, "longest_us", f->longest);
	member_us(j, "budget_us", f->budget);
	json_end(j);
	member_object(j, "frames");
	member_uint(j, "count", f->frames);
	member_uint(j, "late", f->frames_late);
	member_us(j, "late_us", f->frames_over);
	member_us(j, "budget_us", f->frame_budget);
	json_end(j);
	if (f->startup.time == 0)
		return;
	member_object(j, "startup");
	member_us(j, "at_us", f->startup.start);
	member_us(j, "time_us", f->startup.time);
	member_str(j, "type", str_from(start_type_names[f->startup.start_type]));
	json_end(j);
}

static void
json_write(struct triage *t, const char *file, const struct finding_words *w)
{
	const struct findings *f = w->findings;
	struct sbuf text = {0};
	struct json j;
	uint32_t rank = 0;

	json_init(&j, &t->sink->text, 2);
	json_object(&j);
	json_facts(t, &j, file, w);
	member_array(&j, "findings");
	for (uint32_t i = 0; i < f->count; i++) {
		if (wanted(t, &f->list[i]) && (t->limit == 0 || rank < t->limit))
			json_finding(&j, w, &f->list[i], ++rank);
	}
	json_end(&j);
	member_array(&j, "limits");
	for (int i = 0; i < FINDING_LIMITS; i++) {
		if (!f->limits.set[i])
			continue;
		json_object(&j);
		member_str(&j, "limit", str_from(finding_limits[i]));
		if (i == LIMIT_TRACING) {
			member_us(&j, "time_us", f->limits.tracing);
			member_us(&j, "of_us", f->limits.of);
		}
		finding_limit_text(&text, w, (enum finding_limit)i);
		member_str(&j, "text", sbuf_view(&text));
		sbuf_clear(&text);
		json_end(&j);
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

/* CSV ----------------------------------------------------------------------------- */

static void
csv_write(struct triage *t, const char *file, const struct finding_words *w)
{
	const struct trace *trace = w->trace;
	struct sbuf *out = &t->sink->text, text = {0};
	uint32_t rank = 0;

	for (uint32_t i = 0; i < w->findings->count; i++) {
		const struct finding *f = &w->findings->list[i];

		if (!wanted(t, f) || (t->limit > 0 && rank == t->limit))
			continue;
		csv_field(out, str_from(base_name(file)));
		sbuf_printf(out, ",%" PRIu32 ",%s,", ++rank, finding_kinds[f->kind].word);
		sbuf_us(out, f->late);
		sbuf_char(out, ',');
		sbuf_us(out, f->time);
		sbuf_char(out, ',');
		if (f->thread != THREAD_NONE) {
			sbuf_printf(out, "%" PRIu32 ",", trace_thread(trace, f->thread)->id);
			csv_field(out, trace_thread(trace, f->thread)->name);
		} else {
			sbuf_char(out, ',');
		}
		sbuf_char(out, ',');
		csv_field(out, finding_process(w, f->process));
		sbuf_char(out, ',');
		if (f->length >= 0) {
			sbuf_us(out, f->start);
			sbuf_char(out, ',');
			sbuf_us(out, f->length);
		} else {
			sbuf_char(out, ',');
		}
		sbuf_char(out, ',');
		if (f->method != METHOD_NONE)
			name_raw(&text, trace, f->method);
		csv_field(out, sbuf_view(&text));
		sbuf_char(out, ',');
		sbuf_clear(&text);
		finding_text(&text, w, f);
		csv_field(out, sbuf_view(&text));
		sbuf_clear(&text);
		sbuf_char(out, ',');
		sbuf_us(out, f->late);
		sbuf_text(out, "\r\n");
	}
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

	clean_append(out, str_from(base_name(file)), 0);
	sbuf_printf(out, "\t%s\t%s trace\t%s\t%s\t",
	    fmt_duration(FMT_BUF, t->profile->end - t->profile->begin),
	    w->trace->log != NULL ? "system" : "method", w->trace->format,
	    damage_count(&t->profile->damage) > 0 ? "damaged" : "");
	clean_append(out, app, 0);
	sbuf_char(out, '\t');
	for (uint32_t i = 0; i < f->count && text.n == 0; i++)
		if (wanted(t, &f->list[i]))
			finding_text(&text, w, &f->list[i]);
	clean_append(out, sbuf_view(&text), 0);
	sbuf_char(out, '\n');
	sbuf_release(&text);
}

/* Files --------------------------------------------------------------------------- */

void
triage_begin(struct triage *t)
{
	if (t->format == TRIAGE_CSV)
		sbuf_text(&t->sink->text, "file,rank,kind,user_us,time_us,tid,thread,process,start_us,"
		    "place_us,name,text,late_us\r\n");
	else if (t->format == TRIAGE_JSON && t->many)
		sbuf_text(&t->sink->text, "[\n");
}

void
triage_add(struct triage *t, const char *file, const struct profile *p, const struct findings *f)
{
	struct finding_words w = {p->trace, f, names_new(p->trace, !t->ascii)};

	t->profile = p;
	if (t->format == TRIAGE_JSON) {
		if (t->files > 0)
			sbuf_text(&t->sink->text, ",\n");
		json_write(t, file, &w);
	} else if (t->format == TRIAGE_CSV) {
		csv_write(t, file, &w);
	} else if (t->format == TRIAGE_LINE) {
		line_write(t, file, &w);
	} else {
		text_write(t, file, &w);
	}
	t->files++;
	t->found += f->count > 0 && f->list[0].kind != FINDING_NONE;
	names_free(w.names);
	(void)sink_row(t->sink);
}

void
triage_failed(struct triage *t, const char *file, const char *why)
{
	if (t->format != TRIAGE_TEXT || !t->many)
		return;
	sbuf_printf(&t->sink->text, "%s%s  %s\n", t->files > 0 ? "\n" : "", base_name(file), why);
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
