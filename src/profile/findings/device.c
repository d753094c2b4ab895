// SPDX-License-Identifier: Apache-2.0
/* Kinds of findings that the system tells of: app starts, ANRs, cores without rest. */
#include <config.h>

#include "profile/findings/kinds.h"

#include <string.h>

#include "base/mem.h"
#include "profile/log/starts.h"
#include "trace/log.h"

static uint32_t
judged_process(const struct judge *j)
{
	return j->judged && j->profile->trace->log != NULL
	    ? trace_thread(j->profile->trace, j->f->thread)->process : 0;
}

/* ANR ------------------------------------------------------------------------------ */

/* "ErrorId:com.app 1203#d3b07384": the system server counts one when it decides on an ANR. */
static bool
is_error_of(struct str name, uint32_t pid)
{
	const struct str key = STR("ErrorId:");
	const char *at = str_starts(name, key) ? memchr(name.p, ' ', name.n) : NULL;
	const char *end = name.p + name.n, *after;
	uint64_t of;

	if (at == NULL)
		return false;
	after = digits_take(++at, end, 10, &of);
	return after > at && after < end && *after == '#' && of == pid;
}

/* When the counter got its first value in the range; -1: not in it. */
static nsec
first_sample(const struct judge *j, uint32_t counter)
{
	const struct log *log = j->profile->trace->log;

	for (uint64_t n = 0; n < log->samples.count; n++) {
		const struct log_sample *s = spool_peek(&log->samples, n);

		if (s->counter == counter && s->at >= j->f->range.from && s->at <= j->f->range.to)
			return s->at;
	}
	return -1;
}

bool
find_anr(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const uint32_t process = judged_process(j);
	const struct log *log = j->profile->trace->log;
	const nsec least = judge_least(j, kind);
	nsec at = -1;

	if (find_messages(j, kind, f))
		return true;
	for (uint32_t i = 0; process != 0 && at < 0 && i < seg_count(&log->counters); i++) {
		const struct log_counter *c = seg_at(&log->counters, i);
		const struct log_process *p = seg_at(&log->processes, process - 1);

		if (is_error_of(c->name, p->pid))
			at = first_sample(j, i);
	}
	if (at < 0)
		return false;
	/* The time that the system waited for an answer. */
	f->told = true;
	f->start = at - least > j->f->range.from ? at - least : j->f->range.from;
	f->time = f->length = at - f->start;
	f->late = f->length > j->f->budget ? f->length - j->f->budget : 0;
	return true;
}

/* App start -------------------------------------------------------------------------- */

/* The longest start of the judged process. */
bool
find_startup(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const uint32_t process = judged_process(j);
	const nsec least = judge_least(j, kind);
	const struct app_start *most = NULL;
	struct starts own = {.items = NULL}, *all = j->usage != NULL ? &j->usage->starts : &own;

	if (process == 0 || (j->usage == NULL && !starts_find(j->profile, &j->f->range, &own, j->cancel)))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		const struct app_start *s = &all->items[i];

		if (s->process == process && (most == NULL || s->to - s->from > most->to - most->from))
			most = s;
	}
	if (most != NULL) {
		f->time = f->length = most->to - most->from;
		f->start = most->from;
		f->late = f->time > least ? f->time - least : 0;
		f->start_type = most->type;
		for (int i = 0; i < START_PHASES; i++)
			f->phase[i] = most->parts[i].to >= most->parts[i].from ? most->parts[i].time : 0;
		j->f->startup = *f;
	}
	starts_release(&own);
	return f->late > 0;
}

/* Cores ------------------------------------------------------------------------------- */

/* Running time of each core in equal steps of the range. */
struct core_steps {
	nsec from, step;
	size_t count;
	uint32_t cores;
	nsec *ran; /* core by core */
};

enum { CORE_STEP = 100000000, CORE_STEPS = 1 << 16, CORES_MOST = 256 };

static bool
steps_take(const struct judge *j, struct core_steps *s)
{
	const struct range *r = &j->f->range;
	const struct sched *sched = &j->profile->trace->log->sched;
	const struct interval *i;

	s->from = r->from;
	s->step = (r->to - r->from) / CORE_STEPS + 1 > CORE_STEP ? (r->to - r->from) / CORE_STEPS + 1 : CORE_STEP;
	s->count = (size_t)((r->to - r->from) / s->step);
	s->cores = j->usage->core_count < CORES_MOST ? j->usage->core_count : CORES_MOST;
	s->ran = mem_zero(s->count * s->cores + 1, sizeof(*s->ran));
	for (uint64_t n = 0; (i = sched_within(sched, &n, r->from, r->to)) != NULL; n++) {
		if (sched_stopped(j->cancel, n))
			return false;
		if (i->state != TASK_RUNNING || i->cpu >= s->cores)
			continue;
		for (nsec at = i->from > s->from ? i->from : s->from; at < i->to;) {
			size_t k = (size_t)((at - s->from) / s->step);
			nsec end = s->from + (nsec)(k + 1) * s->step;

			if (k >= s->count)
				break;
			end = nsec_min(end, i->to);
			s->ran[i->cpu * s->count + k] += end - at;
			at = end;
		}
	}
	return true;
}

/* True if all cores ran for 90 % of a step. */
static bool
is_full(const struct judge *j, const struct core_steps *s, size_t step)
{
	bool any = false;

	for (uint32_t c = 0; c < s->cores; c++) {
		if (!j->usage->cores[c].switched)
			continue;
		any = true;
		if (10 * s->ran[c * s->count + step] < 9 * s->step)
			return false;
	}
	return any;
}

/* The longest stretch in which all cores are full, and the process that ran most in it. */
static bool
full_find(const struct judge *j, const struct core_steps *s, struct finding *f)
{
	struct range stretch;
	struct usage *usage;
	size_t run = 0;

	for (size_t i = 0; i < s->count; i++) {
		run = is_full(j, s, i) ? run + 1 : 0;
		if ((nsec)run * s->step > f->time) {
			f->time = f->length = (nsec)run * s->step;
			f->start = s->from + (nsec)(i + 1) * s->step - f->time;
		}
	}
	if (f->time < judge_least(j, f->kind))
		return false;
	for (uint32_t c = 0; c < s->cores; c++)
		f->count += j->usage->cores[c].switched;
	stretch = (struct range){f->start, f->start + f->length};
	usage = usage_new(j->profile, NULL, &stretch, NULL, j->cancel);
	if (usage == NULL)
		return false;
	f->process = 0;
	for (uint32_t p = 1; p < usage->process_count; p++) {
		if (usage->processes[p].ran > f->cpu) {
			f->process = p;
			f->cpu = usage->processes[p].ran;
		}
	}
	f->whole = usage->ran;
	usage_free(usage);
	return true;
}

/* The core whose highest frequency is lowest in the last half, compared with the first. */
static bool
throttled_find(const struct judge *j, const struct core_steps *s, struct finding *f)
{
	const struct log *log = j->profile->trace->log;
	const struct range *r = &j->f->range;
	const nsec middle = r->from + (r->to - r->from) / 2;
	uint32_t (*most)[2] = mem_zero(s->cores + (size_t)1, sizeof(*most));
	uint32_t *now = mem_zero(s->cores + (size_t)1, sizeof(*now));
	bool any = false;

	for (uint64_t n = 0; n < log->steps.count; n++) {
		const struct log_step *step = spool_peek(&log->steps, n);

		if (step->idle || step->cpu >= s->cores || step->at >= r->to)
			continue;
		/* The frequency before holds until this one. */
		if (step->at > middle && now[step->cpu] > most[step->cpu][1])
			most[step->cpu][1] = now[step->cpu];
		now[step->cpu] = step->value;
		if (step->value > most[step->cpu][step->at >= middle])
			most[step->cpu][step->at >= middle] = step->value;
	}
	for (uint32_t c = 0; c < s->cores; c++) {
		nsec ran = 0;

		if (now[c] > most[c][1])
			most[c][1] = now[c];
		for (size_t i = s->count / 2; i < s->count; i++)
			ran += s->ran[c * s->count + i];
		if (most[c][0] == 0 || 10 * (uint64_t)most[c][1] > 9 * (uint64_t)most[c][0] ||
		    2 * ran <= r->to - middle || ran <= f->cpu)
			continue;
		any = true;
		f->count = c;
		f->cpu = ran;
		f->frequency[0] = most[c][0];
		f->frequency[1] = most[c][1];
	}
	mem_free(most);
	mem_free(now);
	if (!any || r->to - middle < judge_least(j, f->kind))
		return false;
	f->start = middle;
	f->time = f->length = r->to - middle;
	return true;
}

bool
find_cpu(struct judge *j, enum finding_kind kind, struct finding *f)
{
	const struct finding none = *f;
	struct core_steps s = {.ran = NULL};
	bool found;

	if (j->usage == NULL || j->query->named != NAMED_NONE)
		return false;
	found = steps_take(j, &s) && full_find(j, &s, f);
	if (!found) {
		*f = none;
		found = s.ran != NULL && throttled_find(j, &s, f);
	}
	mem_free(s.ran);
	return found;
}
