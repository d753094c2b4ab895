// SPDX-License-Identifier: Apache-2.0
/* triage: what is slow in traces, and the status that build servers end with. */
#include <config.h>

#include "report/triage.h"

#include "base/number.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "format/input.h"

/* The statuses of files: trouble wins over what failed, that over damage. */
static int
worse(int a, int b)
{
	static const int order[] = {STATUS_INTERRUPTED, STATUS_TROUBLE, STATUS_DIFFERENT, STATUS_DAMAGED};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return STATUS_OK;
}

/* The thread asked for. */
static bool
thread_of(const struct options *o, const struct profile *p, uint32_t *thread, struct err *e)
{
	struct scope *scope = NULL;
	bool good = report_scope(&o->report, p->trace, &scope, e);

	*thread = finding_thread(p, scope);
	scope_free(scope);
	return good;
}

/* What --fail-on says about a finding; false when it is allowed. */
static bool
fails(const struct options *o, const struct triage_fail *fail, const struct finding *f, nsec *value,
    nsec *allowed)
{
	const struct finding_rule *rule = &o->triage.rules.kinds[f->kind];
	const bool any = fail->kind == FINDING_KINDS;
	const bool anr = fail->kind == FINDING_STALL && f->kind == FINDING_ANR;

	if (!any && !anr && f->kind != fail->kind)
		return false;
	*value = fail->longest ? f->length : any || f->user > 0 ? f->user : f->time;
	*allowed = fail->given ? fail->most : any ? 1
	    : rule->given ? rule->least : finding_kinds[f->kind].least * INT64_C(1000000);
	return *value >= *allowed && (!any || f->user > 0);
}

static int
judge(const struct options *o, const char *path, const struct findings *f)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < o->triage.fail_count; i++) {
		for (uint32_t k = 0; k < f->count; k++) {
			nsec value, allowed;

			if (!fails(o, &o->triage.fails[i], &f->list[k], &value, &allowed))
				continue;
			(void)say_trouble("triage", "%s: %s %s ms, allowed %s", input_name(path),
			    finding_kinds[f->list[k].kind].word, fmt_time(FMT_BUF, value, FMT_MS, 1),
			    fmt_time(FMT_BUF, allowed, FMT_MS, 1));
			status = STATUS_DIFFERENT;
		}
	}
	return status;
}

static int
one(const struct options *o, struct triage *t, const char *path, const atomic_bool *cancel)
{
	struct load load = {.options = o, .side = DIFF_B};
	struct finding_query q = {.rules = &o->triage.rules, .range = o->report.range,
	    .budget = o->report.budget_given ? o->report.budget : 0};
	struct err e = {.kind = ERR_NONE};
	struct findings *f = NULL;
	int status = STATUS_OK;
	char text[256];

	if (load_trace(&load, path, cancel, &e) && report_range(&o->report, load.profile, cancel, &e) &&
	    thread_of(o, load.profile, &q.thread, &e))
		f = findings_find(load.profile, &q, cancel, &e);
	if (f != NULL) {
		triage_add(t, path, load.profile, f);
		status = judge(o, path, f);
		if (o->strict)
			status = worse(status, load_say_damage(&load, path, ~0u));
	} else {
		if (e.kind == ERR_NONE)
			err_set(&e, ERR_CANCELLED, "interrupted");
		status = load_say(path, &e);
		triage_failed(t, path, err_text(&e, text, sizeof(text)));
	}
	findings_free(f);
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
	    .many = o->operand_count > 1, .limit = o->triage.limit_given ? o->triage.limit : 10,
	    .kinds = o->triage.kinds, .rules = &o->triage.rules};
	int status = STATUS_OK, written;

	if (!output_open(&out, o->output, o->force, 0))
		return STATUS_TROUBLE;
	sink = sink_to(out.file, cancel);
	triage_begin(&t);
	status = one(o, &t, path, cancel);
	for (int i = 1; i < o->operand_count && status != STATUS_INTERRUPTED; i++)
		status = worse(status, one(o, &t, o->operands[i], cancel));
	triage_end(&t);
	written = output_close(&out, sink_end(&sink), cancel);
	return worse(status, written);
}
