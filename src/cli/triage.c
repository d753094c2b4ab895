// SPDX-License-Identifier: Apache-2.0
/* triage: what is slow in traces, and the status that build servers end with. */
#include <config.h>

#include "report/triage.h"

#include "base/number.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "cli/traces.h"
#include "format/input.h"

/* The thread asked for. */
static bool
thread_of(const struct options *o, const struct profile *p, struct finding_query *q, struct err *e)
{
	struct scope *scope = NULL;
	bool good = report_scope(&o->report, p->trace, &scope, e);

	finding_scope(q, p, scope, o->report.threads.count == 0);
	scope_free(scope);
	return good;
}

/*
 * Does --fail-on refuse a finding?  Without a figure of its own the kind's threshold holds, which is
 * of the longest message, and of late ms or time for others.
 */
static bool
fails(const struct options *o, const struct triage_fail *fail, const struct finding *f, nsec *value,
    nsec *allowed, const char **what)
{
	const struct finding_rule *rule = &o->triage.rules.kinds[fail->kind % FINDING_KINDS];
	const bool any = fail->kind == FINDING_KINDS;
	const bool anr = fail->kind == FINDING_STALL && f->kind == FINDING_ANR;
	const bool length = fail->longest || (!any && !fail->given && fail->kind <= FINDING_LATE);
	const bool late = !length && (any || f->late > 0);

	if (!any && !anr && f->kind != fail->kind)
		return false;
	*what = length ? "long" : late ? "late" : "in all";
	*value = length ? f->length : late ? f->late : f->time;
	*allowed = fail->given ? fail->most : any || finding_kinds[fail->kind].least == 0 ? 1
	    : rule->given ? rule->least : finding_kinds[fail->kind].least * INT64_C(1000000);
	return *value >= *allowed && (!any || f->late > 0);
}

static int
judge(const struct options *o, const char *path, const struct findings *f)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < o->triage.fail_count; i++) {
		for (uint32_t k = 0; k < f->count; k++) {
			nsec value, allowed;
			const char *what;

			if (!fails(o, &o->triage.fails[i], &f->list[k], &value, &allowed, &what))
				continue;
			(void)say_trouble("triage", "%s: %s %s ms %s, allowed %s", input_name(path),
			    finding_kinds[f->list[k].kind].word, fmt_time(FMT_BUF, value, FMT_MS, 1), what,
			    fmt_time(FMT_BUF, allowed, FMT_MS, 1));
			status = STATUS_DIFFERENT;
		}
	}
	return status;
}

static int
one(struct traces *traces, const char *path, bool among)
{
	const struct options *o = traces->options;
	const atomic_bool *cancel = traces->cancel;
	struct triage *t = traces->context;
	struct load load = {.options = o, .side = DIFF_B};
	struct finding_query q = {.rules = &o->triage.rules, .range = o->report.range,
	    .budget = o->report.budget_given ? o->report.budget : 0};
	struct err e = {.kind = ERR_NONE};
	struct findings *f = NULL;
	int status = STATUS_OK;

	if (load_trace(&load, path, cancel, &e) &&
	    report_range(&o->report, load.profile, cancel, &e) && thread_of(o, load.profile, &q, &e))
		f = findings_find(load.profile, &q, cancel, &e);
	if (f != NULL) {
		status = judge(o, path, f);
		triage_add(t, input_name(path), load.profile, f);
		if (o->strict)
			status = status_worse(status, load_say_damage(&load, path, ~0u));
	} else if (!among || load.trace != NULL || e.kind != ERR_UNSUPPORTED) {
		if (e.kind == ERR_NONE)
			err_set(&e, ERR_CANCELLED, "interrupted");
		status = load_say(path, &e);
		triage_failed(t, input_name(path), err_text(&e, ERR_BUF));
	}
	traces->taken = t->files;
	load_release(&load);
	return status;
}

int
triage(const struct options *o, const char *path)
{
	const atomic_bool *cancel = interrupt_watch();
	struct output out;
	struct sink sink;
	struct triage t = {.sink = &sink, .format = o->triage.format, .ascii = o->report.ascii,
	    .many = traces_many(o), .limit = o->triage.limit_given ? o->triage.limit : 10,
	    .kinds = o->triage.kinds, .rules = &o->triage.rules};
	struct traces traces = {.options = o, .cancel = cancel, .context = &t, .one = one};
	int status = output_open(&out, o->output, o->force, 0), written;

	if (status != STATUS_OK)
		return status;
	sink = sink_to(out.file, cancel);
	t.width = terminal_columns(fileno(out.file)); /* of no terminal: lines are whole */
	triage_begin(&t);
	status = traces_each(&traces, path);
	triage_end(&t);
	written = output_close(&out, sink_end(&sink), cancel);
	return status_worse(status, written);
}
