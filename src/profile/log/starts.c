// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/log/starts.h"

#include <stdlib.h>
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

enum {
	COMPLETED_WITHIN = 1000000000, /* ns after the launch ended its moment is written, at most */
	/* Bounds of what a start may cost. */
	CANDIDATES = 16, /* processes of the package */
};

struct start_search {
	const struct profile *profile;
	const struct trace *trace;
	struct starts *starts;
	struct jank *frames; /* of the trace; NULL until they are asked for */
	const atomic_bool *cancel;
	bool failed; /* cancelled */
};

/* Slices ------------------------------------------------------------------------- */

/* The outermost calls that match, or frames, in order of time; NULL: cancelled, which is noted. */
static struct jank *
slices(struct start_search *s, const struct scope *scope, struct range range, const char *pattern)
{
	struct jank_query q = {.scope = scope, .range = range, .pattern = str_from(pattern)};
	struct err e = {0};
	struct jank *found = s->failed ? NULL : jank_find(s->profile, &q, s->cancel, &e);

	s->failed |= found == NULL;
	return found;
}

static struct range
whole(const struct start_search *s)
{
	return (struct range){s->profile->begin, s->profile->end};
}

static struct str
slice_name(const struct start_search *s, const struct jank_frame *f)
{
	struct str name = trace_method(s->trace, f->method)->name;

	return str_starts(name, STR("H:")) ? (struct str){name.p + 2, name.n - 2} : name;
}

static nsec
slice_end(const struct jank_frame *f)
{
	return f->start + f->time[CLOCK_WALL];
}

/* The one thread, or all tasks of its process. */
static struct scope *
threads_of(const struct start_search *s, uint32_t main, bool process)
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

static uint32_t
main_thread(const struct start_search *s, uint32_t process)
{
	const struct log_process *p = seg_at(&s->trace->log->processes, process - 1);

	for (uint32_t t = 0; t < s->profile->stack_count; t++) {
		const struct thread *thread = trace_thread(s->trace, t);

		if (thread->process == process && thread->kind == THREAD_TASK && thread->id == p->pid)
			return t;
	}
	return THREAD_NONE;
}

/* Parts ---------------------------------------------------------------------------- */

static struct app_start *
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

static void
part_set(struct app_start *start, enum start_phase phase, nsec from, nsec to)
{
	struct start_part *part = &start->parts[phase];

	if (from < start->from)
		from = start->from;
	if (to > start->to)
		to = start->to;
	if (to >= from)
		*part = (struct start_part){.from = from, .to = to, .time = to - from};
}

static bool
part_is_there(const struct start_part *part)
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

/* The states of all parts, and of what is in none of them. */
static void
parts_end(struct start_search *s, struct app_start *start)
{
	struct start_part *other = &start->parts[START_OTHER];
	nsec at = start->from;

	states_add(s, start->thread, start->from, start->to, start->state);
	for (int i = 0; i < START_OTHER; i++) {
		struct start_part *p = &start->parts[i];

		if (part_is_there(p))
			states_add(s, start->thread, p->from, p->to, p->state);
	}
	*other = (struct start_part){.from = start->from, .to = start->to};
	while (at < start->to) {
		nsec next = start->to, end = at;

		for (int i = 0; i < START_OTHER; i++) {
			const struct start_part *p = &start->parts[i];

			if (!part_is_there(p))
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

/* The trace's frames, found once; NULL: cancelled. */
static const struct jank *
all_frames(struct start_search *s)
{
	if (s->frames == NULL)
		s->frames = slices(s, NULL, whole(s), "");
	return s->frames;
}

/* The first frame of a process from `at` on among those from `*next`, which steps over it; NULL: none. */
static const struct jank_frame *
frame_next(const struct jank *frames, uint32_t process, nsec at, uint32_t *next)
{
	while (*next < frames->count) {
		const struct jank_frame *f = &frames->frames[(*next)++];

		if (f->start >= at && f->process == process && process > 0)
			return f;
	}
	return NULL;
}

/* When the frame's slices ended, those that draw it, too. */
static nsec
frame_end(const struct jank_frame *f)
{
	return f->drawn.to > f->called.to ? f->drawn.to : f->called.to;
}

/* When the app drew first, and when it drew first after it said that it is drawn in full. */
static void
displays_find(struct start_search *s, struct app_start *start)
{
	struct scope *main = threads_of(s, start->thread, false);
	struct jank *reported =
	    slices(s, main, (struct range){start->from, s->profile->end}, "^(?:H:)?reportFullyDrawn");
	const struct jank *frames = all_frames(s);
	const struct jank_frame *f;

	for (uint32_t n = 0; !s->failed && (start->initial < 0 || (reported->count > 0 && start->full < 0)) &&
	     (f = frame_next(frames, start->process, start->from, &n)) != NULL;) {
		if (f->drawn_first == 0)
			continue;
		if (start->initial < 0) {
			start->initial = f->drawn_first - start->from;
			part_set(start, START_FIRST_FRAME, f->called.to > 0 ? f->called.from : f->drawn.from,
			    frame_end(f));
		}
		if (reported->count > 0 && f->thread == start->thread && frame_end(f) > reported->frames[0].start)
			start->full = f->drawn_first - start->from;
	}
	jank_free(reported);
	scope_free(main);
}

/* Android ------------------------------------------------------------------------------ */

/* The first such slice of the main thread within the start becomes a part; false: there is none. */
static bool
part_find(struct start_search *s, struct app_start *start, enum start_phase phase, const char *pattern,
    bool process)
{
	struct scope *scope = threads_of(s, start->thread, process);
	struct jank *found = slices(s, scope, (struct range){start->from, start->to}, pattern);
	bool any = found != NULL && found->count > 0;

	scope_free(scope);
	if (any && phase == START_LAUNCH_DELAY)
		part_set(start, phase, start->from, found->frames[0].start);
	else if (any)
		part_set(start, phase, found->frames[0].start, slice_end(&found->frames[0]));
	jank_free(found);
	return any;
}

/* A process without a name has that of its main thread, of which the kernel keeps the last 15 bytes. */
static bool
is_named(const struct start_search *s, const struct log_process *p, uint32_t main, struct str package)
{
	enum { COMM = 15 };
	struct str name = trace_thread(s->trace, main)->name;

	if (p->name.n > 0 || package.n <= COMM)
		return str_starts(p->name.n > 0 ? p->name : name, package);
	return name.n == COMM && memcmp(name.p, package.p + package.n - COMM, COMM) == 0;
}

/* The process that has the package's name, or begins with it, and resumes an activity then. */
static void
process_find(struct start_search *s, struct app_start *start)
{
	struct str package = str_from(start->package);
	int candidates = 0;

	for (uint32_t i = 1; package.n > 0 && i <= seg_count(&s->trace->log->processes) && !s->failed &&
	     candidates < CANDIDATES; i++) {
		const struct log_process *p = seg_at(&s->trace->log->processes, i - 1);
		struct app_start as = *start;

		as.thread = main_thread(s, i);
		if (as.thread == THREAD_NONE || !is_named(s, p, as.thread, package))
			continue;
		candidates++;
		if (!profile_met(s->profile, as.thread) ||
		    !part_find(s, &as, START_RESUME, "^(?:H:)?activityResume\\b", false))
			continue;
		*start = as;
		start->process = i;
		return;
	}
}

static void
android_parts(struct start_search *s, struct app_start *start)
{
	bool bound, started;

	process_find(s, start);
	if (start->thread == THREAD_NONE)
		return;
	bound = part_find(s, start, START_BIND, "^(?:H:)?bindApplication\\b", false);
	started = part_find(s, start, START_ACTIVITY, "^(?:H:)?activityStart\\b", false);
	(void)part_find(s, start, START_LAUNCH_DELAY, ".", true);
	if (start->type == START_UNTOLD)
		start->type = !started ? START_HOT : bound ? START_COLD : START_WARM;
	displays_find(s, start);
}

/* "launchingActivity#28:completed-warm:PACKAGE" of the slice's name gives package and type. */
static bool
completed_parse(struct str text, struct str launch, struct str *package, enum start_type *type)
{
	static const struct {
		struct str text;
		enum start_type type;
	} forms[] = {{STR(":completed:"), START_UNTOLD}, {STR(":completed-cold:"), START_COLD},
	    {STR(":completed-warm:"), START_WARM}, {STR(":completed-hot:"), START_HOT}};
	struct str rest;

	if (!str_starts(text, launch))
		return false;
	rest = (struct str){text.p + launch.n, text.n - launch.n};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!str_starts(rest, forms[i].text))
			continue;
		*package = (struct str){rest.p + forms[i].text.n, rest.n - forms[i].text.n};
		*type = forms[i].type;
		return true;
	}
	return false;
}

/* Looks for the moment that tells how the launch ended, in its process. */
static bool
completed_find(const struct start_search *s, const struct jank_frame *launch, struct str *package,
    enum start_type *type)
{
	const struct log *log = s->trace->log;
	const uint32_t process = trace_thread(s->trace, launch->thread)->process;
	const nsec until = slice_end(launch) + COMPLETED_WITHIN;
	struct log_detail d;

	for (uint64_t n = 0; n < log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&log->instants, n);

		if (i->at > until)
			return false;
		if (i->at < launch->start || i->process != process || !log->detail(log, i->offset, &d))
			continue;
		if (completed_parse(d.name, slice_name(s, launch), package, type))
			return true;
	}
	return false;
}

/*
 * When the launch of "launching: PACKAGE" began: with the intent where that is told and no other
 * launch comes in between; -1: the intent's launch did not finish.
 */
static nsec
intent_start(const struct start_search *s, const struct jank *found, uint32_t launch)
{
	const struct jank_frame *f = &found->frames[launch];
	const struct str intent = STR("MetricsLogger:launchObserverNotifyIntentStarted");
	nsec from = -1;
	uint32_t launches = 0;
	bool told = false, finished = false;

	for (uint32_t i = 0; i < found->count; i++) {
		struct str name = slice_name(s, &found->frames[i]);
		bool is_intent = str_starts(name, intent);

		told |= is_intent;
		if (is_intent && found->frames[i].start > f->start)
			break;
		if (is_intent) {
			from = found->frames[i].start;
			launches = 0;
		}
		launches += str_starts(name, STR("launching: "));
	}
	for (uint32_t i = launch; i < found->count && !finished; i++) {
		struct str name = slice_name(s, &found->frames[i]);

		if (i > launch && str_starts(name, intent))
			break;
		launches += i > launch && str_starts(name, STR("launching: "));
		finished = str_starts(name, STR("MetricsLogger:launchObserverNotifyActivityLaunchFinished"));
	}
	if (!told)
		return f->start;
	return from >= 0 && launches == 1 && finished ? from : -1;
}

static void
android_find(struct start_search *s)
{
	struct jank *found = slices(s, NULL, whole(s),
	    "^(?:H:)?(?:launchingActivity#\\d+$|launching: |"
	    "MetricsLogger:launchObserverNotify(?:IntentStarted|ActivityLaunchFinished))");

	for (int form = 0; !s->failed && form < 2 && s->starts->count == 0; form++) {
		for (uint32_t i = 0; i < found->count; i++) {
			const struct jank_frame *f = &found->frames[i];
			struct str name = slice_name(s, f), package = {NULL, 0};
			enum start_type type = START_UNTOLD;
			nsec from = f->start;

			if (f->cut || !str_starts(name, form == 0 ? STR("launchingActivity#") : STR("launching: ")))
				continue;
			if (form == 0 && !completed_find(s, f, &package, &type))
				continue;
			if (form == 1) {
				package = (struct str){name.p + 11, name.n - 11};
				from = intent_start(s, found, i);
			}
			if (from >= 0)
				(void)start_add(s, from, slice_end(f), package, type);
		}
	}
	jank_free(found);
	for (size_t i = 0; !s->failed && i < s->starts->count; i++)
		android_parts(s, &s->starts->items[i]);
}

/* OpenHarmony -------------------------------------------------------------------------- */

/* Phases that last until the next one; the last such slice before the launch, after it the first. */
static const struct {
	enum start_phase phase;
	const char *pattern;
} phases[] = {
	{START_TOUCH, "^(?:H:)?client dispatch touchId:"},
	{START_BY_SCB, "^(?:H:)?OHOS::ErrCode OHOS::AAFwk::AbilityManagerClient::StartUIAbilityBySCB"},
	{START_LOAD_ABILITY, "^(?:H:)?virtual void OHOS::AppExecFwk::AppMgrServiceInner::LoadAbility"},
	{START_ATTACH, "^(?:H:)?virtual void OHOS::AppExecFwk::AppMgrServiceInner::AttachApplication\\("},
	{START_LAUNCH_ABILITY, "^(?:H:)?void OHOS::AppExecFwk::MainThread::HandleLaunchAbility\\(.*##"},
	{START_FOREGROUND, "^(?:H:)?void OHOS::AbilityRuntime::(?:UIAbilityThread::HandleAbilityTransaction|"
	    "FAAbilityThread::HandleAbilityTransaction\\()"},
};

enum { HARMONY_PHASES = sizeof(phases) / sizeof(phases[0]) };

static struct str
package_of(struct str name)
{
	for (size_t i = 0; i + 2 < name.n; i++)
		if (name.p[i] == '#' && name.p[i + 1] == '#')
			return (struct str){name.p + i + 2, name.n - i - 2};
	return (struct str){NULL, 0};
}

/* The frames come after the launch; with them the start ends. */
static void
harmony_frames(struct start_search *s, struct app_start *start, nsec launch)
{
	const struct jank *frames = all_frames(s);
	uint32_t next = 0;
	const struct jank_frame *f = frames != NULL ? frame_next(frames, start->process, launch, &next) : NULL;

	if (f == NULL)
		return;
	start->to = f->shown >= 0 ? f->shown : slice_end(f);
	start->initial = start->to - start->from;
	part_set(start, START_APP_FRAME, f->start, slice_end(f));
	if (f->shown >= 0)
		part_set(start, START_RENDER_FRAME, f->drawn.from, f->shown);
}

/* Cuts each phase where the next one begins. */
static void
harmony_cut(struct app_start *start)
{
	nsec next = part_is_there(&start->parts[START_APP_FRAME]) ? start->parts[START_APP_FRAME].from : -1;

	for (int i = HARMONY_PHASES; i-- > 0;) {
		struct start_part *p = &start->parts[phases[i].phase];

		if (!part_is_there(p))
			continue;
		if (next >= 0)
			p->to = next;
		p->time = p->to - p->from;
		next = p->from;
	}
}

/* The start whose launch is a slice of the app's main thread. */
static void
harmony_start(struct start_search *s, struct jank *const found[HARMONY_PHASES], const struct jank_frame *launch)
{
	struct str package = package_of(slice_name(s, launch));
	struct app_start *start = start_add(s, launch->start, slice_end(launch), package, START_UNTOLD);
	nsec before = launch->start;

	if (start == NULL)
		return;
	start->thread = launch->thread;
	start->process = trace_thread(s->trace, launch->thread)->process;
	for (int i = HARMONY_PHASES; i-- > 0;) {
		const struct jank_frame *f = NULL;

		for (uint32_t k = 0; k < found[i]->count; k++) {
			const struct jank_frame *at = &found[i]->frames[k];

			if (phases[i].phase == START_FOREGROUND) {
				if (f == NULL && at->start > launch->start &&
				    trace_thread(s->trace, at->thread)->process == start->process)
					f = at;
			} else if (phases[i].phase == START_LAUNCH_ABILITY) {
				f = launch;
			} else if (at->start <= before && (phases[i].phase != START_ATTACH ||
				str_equal(package_of(slice_name(s, at)), package))) {
				f = at;
			}
		}
		if (f == NULL)
			continue;
		if (f->start < start->from)
			start->from = f->start;
		if (slice_end(f) > start->to && f->start >= launch->start)
			start->to = slice_end(f);
		start->parts[phases[i].phase] = (struct start_part){.from = f->start, .to = slice_end(f)};
		if (phases[i].phase == START_ATTACH)
			before = f->start;
	}
	harmony_frames(s, start, launch->start);
	harmony_cut(start);
}

static void
harmony_find(struct start_search *s)
{
	struct jank *found[HARMONY_PHASES] = {NULL}, *launches = slices(s, NULL, whole(s), phases[4].pattern);

	for (int i = 0; !s->failed && launches->count > 0 && i < HARMONY_PHASES; i++)
		found[i] = slices(s, NULL, whole(s), phases[i].pattern);
	for (uint32_t i = 0; !s->failed && i < launches->count; i++)
		harmony_start(s, found, &launches->frames[i]);
	for (int i = 0; i < HARMONY_PHASES; i++)
		jank_free(found[i]);
	jank_free(launches);
}

/* All ------------------------------------------------------------------------------------ */

static int
start_order(const void *left, const void *right)
{
	const struct app_start *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

bool
starts_find(const struct profile *p, const struct range *range, struct starts *starts,
    const atomic_bool *cancel)
{
	struct start_search s = {.profile = p, .trace = p->trace, .starts = starts, .cancel = cancel};
	size_t kept = 0;

	*starts = (struct starts){.items = NULL};
	if (p->trace->log == NULL ||
	    !jank_any(p->trace, STR("^(?:H:)?launching(?:Activity#|: )|MainThread::HandleLaunchAbility\\(.*##")))
		return true;
	starts->items = mem_zero(STARTS_MAX, sizeof(*starts->items));
	android_find(&s);
	if (starts->count == 0)
		harmony_find(&s);
	for (size_t i = 0; !s.failed && i < starts->count; i++) {
		struct app_start *start = &starts->items[i];

		if (start->from < range->from || start->from >= range->to)
			continue;
		parts_end(&s, start);
		starts->items[kept++] = *start;
	}
	starts->count = kept;
	if (kept > 0)
		qsort(starts->items, kept, sizeof(*starts->items), start_order);
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
