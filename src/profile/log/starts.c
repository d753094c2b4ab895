// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/start_search.h"

#include <string.h>

#include "base/mem.h"
#include "profile/log/usage.h"
#include "trace/log.h"

const char *const start_phase_names[START_PHASES] = {
    [START_LAUNCH_DELAY] = "launch delay",
    [START_BIND] = "bindApplication",
    [START_ACTIVITY] = "activityStart",
    [START_RESUME] = "activityResume",
    [START_FIRST_FRAME] = "first frame",
    [START_TOUCH] = "touch event",
    [START_BY_SCB] = "start by SCB",
    [START_LOAD_ABILITY] = "load ability",
    [START_ATTACH] = "application launch",
    [START_LAUNCH_ABILITY] = "ability launch",
    [START_FOREGROUND] = "to foreground",
    [START_APP_FRAME] = "first frame (app)",
    [START_RENDER_FRAME] = "first frame (render service)",
    [START_OTHER] = "other",
};

const char *const start_type_names[START_TYPES] = {
    [START_UNTOLD] = "", [START_COLD] = "cold", [START_WARM] = "warm", [START_HOT] = "hot"};

/* Slices ------------------------------------------------------------------------- */

struct jank *
start_slices(struct start_search *s, const struct scope *scope, struct range range, const char *pattern)
{
	struct jank_query q = {.scope = scope, .range = range, .pattern = str_from(pattern)};
	struct err e = {0};
	struct jank *found = s->failed ? NULL : jank_find(s->profile, &q, s->cancel, &e);

	s->failed |= found == NULL;
	return found;
}

struct range
start_whole(const struct start_search *s)
{
	return (struct range){s->profile->begin, s->profile->end};
}

struct str
start_slice_name(const struct start_search *s, const struct jank_frame *f)
{
	struct str name = trace_method(s->trace, f->method)->name;

	return str_starts(name, STR("H:")) ? (struct str){name.p + 2, name.n - 2} : name;
}

nsec
start_slice_end(const struct jank_frame *f)
{
	return f->start + f->time[CLOCK_WALL];
}

struct scope *
start_threads(const struct start_search *s, uint32_t main, bool process)
{
	struct scope *scope = scope_new(s->profile->stack_count, false);
	uint32_t of = trace_thread(s->trace, main)->process;

	for (uint32_t t = 0; process && t < s->profile->stack_count; t++) {
		const struct thread *thread = trace_thread(s->trace, t);

		scope->in[t] = thread->process == of && thread->kind == THREAD_TASK;
	}
	scope->in[main] = true;
	return scope;
}

/* Parts ---------------------------------------------------------------------------- */

struct app_start *
start_add(struct start_search *s, nsec from, nsec to, struct str package, enum start_type type)
{
	struct app_start *start = &s->starts->items[s->starts->count];
	size_t n = package.n < sizeof(start->package) ? package.n : sizeof(start->package) - 1;

	if (s->starts->count == STARTS_MAX)
		return NULL;
	s->starts->count++;
	*start = (struct app_start){.from = from, .to = to, .type = type, .thread = THREAD_NONE,
	    .initial = -1, .full = -1};
	memcpy(start->package, package.p, n);
	for (int i = 0; i < START_PHASES; i++)
		start->parts[i].to = -1;
	return start;
}

void
start_part_set(struct app_start *start, enum start_phase phase, nsec from, nsec to)
{
	struct start_part *part = &start->parts[phase];

	from = nsec_max(from, start->from);
	to = nsec_min(to, start->to);
	if (to >= from)
		*part = (struct start_part){.from = from, .to = to, .time = to - from};
}

bool
start_has_part(const struct start_part *part)
{
	return part->to >= part->from;
}

/* Adds what the main thread did in a stretch. */
static void
states_add(struct start_search *s, uint32_t thread, nsec from, nsec to, nsec state[JANK_STATES])
{
	static const int states[TASK_CLASSES] = {[TASK_CLASS_RUNNING] = JANK_RUNNING + 1,
	    [TASK_CLASS_RUNNABLE] = JANK_RUNNABLE + 1, [TASK_CLASS_SLEEP] = JANK_SLEEPING + 1,
	    [TASK_CLASS_BLOCKED] = JANK_BLOCKED + 1};
	const struct range range = {from, to};
	struct usage_split split;

	if (thread == THREAD_NONE || to <= from || s->failed || !s->trace->log->has_sched)
		return;
	if (!usage_split(s->profile, thread, &range, &split, s->cancel)) {
		s->failed = true;
		return;
	}
	for (int i = 0; i < TASK_STATES; i++)
		for (int io = IO_UNTOLD; states[task_states[i].class] > 0 && io <= IO_YES; io++)
			state[states[task_states[i].class] - 1] += split.time[i][io];
}

/* Finds what the main thread mostly waited for in a phase. */
static void
cause_find(struct start_search *s, const struct app_start *start, struct start_part *part)
{
	const struct range range = {part->from, part->to};
	struct critical path;

	if (start->thread == THREAD_NONE || s->failed || !s->trace->log->has_sched)
		return;
	s->failed = !critical_find(s->profile, start->thread, &range, &path, s->cancel);
	for (size_t i = 0; i < path.count && part->cause.time == 0; i++) {
		if (path.sums[i].is_cause && path.sums[i].cause != CRITICAL_RUNNING)
			part->cause = path.sums[i];
	}
	critical_release(&path);
}

/* Finds states and causes of all parts, and the states of what is in none of them. */
static void
parts_end(struct start_search *s, struct app_start *start)
{
	struct start_part *other = &start->parts[START_OTHER];
	nsec at = start->from;

	states_add(s, start->thread, start->from, start->to, start->state);
	for (int i = 0; i < START_OTHER; i++) {
		struct start_part *p = &start->parts[i];

		if (!start_has_part(p))
			continue;
		states_add(s, start->thread, p->from, p->to, p->state);
		cause_find(s, start, p);
	}
	*other = (struct start_part){.from = start->from, .to = start->to};
	while (at < start->to) {
		nsec next = start->to, end = at;

		for (int i = 0; i < START_OTHER; i++) {
			const struct start_part *p = &start->parts[i];

			if (!start_has_part(p))
				continue;
			if (p->from <= at && p->to > end)
				end = p->to;
			else if (p->from > at && p->from < next)
				next = p->from;
		}
		if (end == at) {
			other->time += next - at;
			states_add(s, start->thread, at, next, other->state);
			end = next;
		}
		at = end;
	}
	if (other->time == 0)
		other->to = other->from - 1;
}

/* Frames ------------------------------------------------------------------------------ */

const struct jank *
start_frames(struct start_search *s)
{
	if (s->frames == NULL)
		s->frames = start_slices(s, NULL, start_whole(s), "");
	return s->frames;
}

const struct jank_frame *
start_frame_next(const struct jank *frames, uint32_t process, nsec at, uint32_t *next)
{
	while (*next < frames->count) {
		const struct jank_frame *f = &frames->frames[(*next)++];

		if (f->start >= at && f->process == process && process > 0)
			return f;
	}
	return NULL;
}

/* All ------------------------------------------------------------------------------------ */

bool
starts_find(const struct profile *p, const struct range *range, struct starts *starts,
    const atomic_bool *cancel)
{
	struct start_search s = {.profile = p, .trace = p->trace, .starts = starts, .cancel = cancel};
	size_t kept = 0;

	*starts = (struct starts){.items = NULL};
	if (p->trace->log == NULL ||
	    !jank_any(p->trace, STR("^(?:H:)?(?:launching(?:Activity#|: )|activityResume\\b)|"
				    "MainThread::HandleLaunchAbility\\(.*##")))
		return true;
	starts->items = mem_zero(STARTS_MAX, sizeof(*starts->items));
	if (!starts_of_android(&s) && !starts_of_harmony(&s))
		starts_of_resumes(&s);
	for (size_t i = 0; !s.failed && i < starts->count; i++) {
		struct app_start *start = &starts->items[i];

		if (start->from < range->from || start->from >= range->to)
			continue;
		parts_end(&s, start);
		starts->items[kept++] = *start;
	}
	starts->count = kept;
	mem_sort(starts->items, kept, sizeof(*starts->items), mem_order_leading);
	jank_free(s.frames);
	if (s.failed)
		starts_release(starts);
	return !s.failed;
}

void
starts_release(struct starts *starts)
{
	mem_free(starts->items);
	*starts = (struct starts){.items = NULL};
}
