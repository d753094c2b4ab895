// SPDX-License-Identifier: Apache-2.0
/* A finding in JSON: its sentences, place, figures and cause. */
#include <config.h>

#include "base/json.h"
#include "trace/log.h"
#include "view/findings.h"

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

void
finding_thread(struct json *j, const struct finding_words *w, uint32_t thread, uint32_t process)
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
	finding_thread(j, w, f->thread, f->process);
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

void
finding_members(struct json *j, const struct finding_words *w, const struct finding *f)
{
	struct sbuf text = {0};

	member_array(j, "evidence");
	for (int i = 0; i < FINDING_EVIDENCE && finding_evidence(&text, w, f, i); i++) {
		json_str(j, sbuf_view(&text));
		sbuf_clear(&text);
	}
	json_end(j);
	json_place(j, w, f);
	json_figures(j, w, f);
	sbuf_release(&text);
}
