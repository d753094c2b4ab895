// SPDX-License-Identifier: Apache-2.0
/* App starts of Android: launches that the system server tells of; without any, activities that resume. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "profile/log/start_search.h"
#include "trace/log.h"

enum {
	COMPLETED_WITHIN = 1000000000, /* ns after the launch ended its moment is written, at most */
	/* Most that are looked at. */
	CANDIDATES = 16, /* processes of the package */
	LAUNCHES = 1024,
};

/* Displays ---------------------------------------------------------------------------- */

/* Returns when the frame's slices ended, those that draw it, too. */
static nsec
frame_end(const struct jank_frame *f)
{
	return f->drawn.to > f->called.to ? f->drawn.to : f->called.to;
}

/* Finds when the app drew first, and when it drew first after it said that it is drawn in full. */
static void
displays_find(struct start_search *s, struct app_start *start)
{
	struct scope *main = start_threads(s, start->thread, false);
	struct jank *reported =
	    start_slices(s, main, (struct range){start->from, s->profile->end}, "^(?:H:)?reportFullyDrawn");
	const struct jank *frames = start_frames(s);
	const struct jank_frame *f;

	for (uint32_t n = 0; !s->failed && (start->initial < 0 || (reported->count > 0 && start->full < 0)) &&
	     (f = start_frame_next(frames, start->process, start->from, &n)) != NULL;) {
		if (f->drawn_first == 0)
			continue;
		if (start->initial < 0) {
			start->initial = f->drawn_first - start->from;
			start_part_set(start, START_FIRST_FRAME, f->called.to > 0 ? f->called.from : f->drawn.from,
			    frame_end(f));
		}
		if (reported->count > 0 && f->thread == start->thread && frame_end(f) > reported->frames[0].start)
			start->full = f->drawn_first - start->from;
	}
	jank_free(reported);
	scope_free(main);
}

/* Launches ---------------------------------------------------------------------------- */

static const char resumes[] = "^(?:H:)?activityResume\\b";

/* The first such slice of the main thread within the start becomes a part; false: there is none. */
static bool
part_find(struct start_search *s, struct app_start *start, enum start_phase phase, const char *pattern,
    bool process)
{
	struct scope *scope = start_threads(s, start->thread, process);
	struct jank *found = start_slices(s, scope, (struct range){start->from, start->to}, pattern);
	bool any = found != NULL && found->count > 0;

	scope_free(scope);
	if (any && phase == START_LAUNCH_DELAY)
		start_part_set(start, phase, start->from, found->frames[0].start);
	else if (any)
		start_part_set(start, phase, found->frames[0].start, start_slice_end(&found->frames[0]));
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

/* The process whose main thread that is; 0: it is none's. */
static uint32_t
process_of_main(const struct start_search *s, uint32_t t)
{
	const struct thread *thread = trace_thread(s->trace, t);
	const struct log_process *p =
	    thread->process > 0 ? seg_at(&s->trace->log->processes, thread->process - 1) : NULL;

	return p != NULL && thread->kind == THREAD_TASK && thread->id == p->pid ? thread->process : 0;
}

/* Finds the process that has the package's name, or begins with it, and resumes an activity then. */
static void
process_find(struct start_search *s, struct app_start *start)
{
	struct str package = str_from(start->package);
	int candidates = 0;

	for (uint32_t t = 0; package.n > 0 && t < s->profile->stack_count && !s->failed &&
	     candidates < CANDIDATES; t++) {
		const uint32_t process = process_of_main(s, t);
		struct app_start as = *start;

		as.thread = t;
		if (process == 0 || !is_named(s, seg_at(&s->trace->log->processes, process - 1), t, package))
			continue;
		candidates++;
		if (!profile_met(s->profile, t) || !part_find(s, &as, START_RESUME, resumes, false))
			continue;
		*start = as;
		start->process = process;
		return;
	}
}

/* Finds process, type and phases of a start; one whose process is known has no delay. */
static void
android_parts(struct start_search *s, struct app_start *start)
{
	const bool known = start->thread != THREAD_NONE;
	bool bound, started;

	if (known)
		(void)part_find(s, start, START_RESUME, resumes, false);
	else
		process_find(s, start);
	if (start->thread == THREAD_NONE)
		return;
	bound = part_find(s, start, START_BIND, "^(?:H:)?bindApplication\\b", false);
	started = part_find(s, start, START_ACTIVITY, "^(?:H:)?activityStart\\b", false);
	if (!known)
		(void)part_find(s, start, START_LAUNCH_DELAY, ".", true);
	if (start->type == START_UNTOLD)
		start->type = !started ? START_HOT : bound ? START_COLD : START_WARM;
	displays_find(s, start);
}

static void
parts_find(struct start_search *s)
{
	for (size_t i = 0; !s->failed && i < s->starts->count; i++)
		android_parts(s, &s->starts->items[i]);
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
	const nsec until = start_slice_end(launch) + COMPLETED_WITHIN;
	struct log_detail d;

	for (uint64_t n = 0; n < log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&log->instants, n);

		if (i->at > until)
			return false;
		if (i->at < launch->start || i->process != process || !log->detail(log, i->offset, &d))
			continue;
		if (completed_parse(d.name, start_slice_name(s, launch), package, type))
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
		struct str name = start_slice_name(s, &found->frames[i]);
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
		struct str name = start_slice_name(s, &found->frames[i]);

		if (i > launch && str_starts(name, intent))
			break;
		launches += i > launch && str_starts(name, STR("launching: "));
		finished = str_starts(name, STR("MetricsLogger:launchObserverNotifyActivityLaunchFinished"));
	}
	if (!told)
		return f->start;
	return from >= 0 && launches == 1 && finished ? from : -1;
}

bool
starts_of_android(struct start_search *s)
{
	bool any = false;
	struct jank *found = start_slices(s, NULL, start_whole(s),
	    "^(?:H:)?(?:launchingActivity#\\d+$|launching: |"
	    "MetricsLogger:launchObserverNotify(?:IntentStarted|ActivityLaunchFinished))");

	for (int form = 0; !s->failed && form < 2 && s->starts->count == 0; form++) {
		uint32_t launches = 0;

		for (uint32_t i = 0; i < found->count && launches < LAUNCHES; i++) {
			const struct jank_frame *f = &found->frames[i];
			struct str name = start_slice_name(s, f), package = {NULL, 0};
			enum start_type type = START_UNTOLD;
			nsec from = f->start;

			any |= str_starts(name, STR("launching"));
			if (f->cut || !str_starts(name, form == 0 ? STR("launchingActivity#") : STR("launching: ")))
				continue;
			launches++;
			if (form == 0 && !completed_find(s, f, &package, &type))
				continue;
			if (form == 1) {
				package = (struct str){name.p + 11, name.n - 11};
				from = intent_start(s, found, i);
			}
			if (from >= 0)
				(void)start_add(s, from, start_slice_end(f), package, type);
		}
	}
	jank_free(found);
	parts_find(s);
	return any;
}

/* Resumes ----------------------------------------------------------------------------- */

/* A process that resumed an activity, until it draws. */
struct resumed {
	uint32_t call; /* index + 1 of the call; 0: none */
	nsec until;    /* what it resumes before is of the start before */
};

/* Adds the start of a process that resumed, which the frame ends; false: there are enough. */
static bool
resumed_add(struct start_search *s, const struct jank_frame *resume, const struct jank_frame *f)
{
	const struct log_process *p = seg_at(&s->trace->log->processes, f->process - 1);
	struct str name = p->name.n > 0 ? p->name : trace_thread(s->trace, resume->thread)->name;
	nsec to = frame_end(f) > start_slice_end(f) ? frame_end(f) : start_slice_end(f);
	struct app_start *start = start_add(s, resume->start, to, name, START_HOT);

	if (start == NULL)
		return false;
	start->thread = resume->thread;
	start->process = f->process;
	return true;
}

void
starts_of_resumes(struct start_search *s)
{
	struct jank *calls = start_slices(s, NULL, start_whole(s), resumes);
	const struct jank *frames = calls != NULL && calls->count > 0 ? start_frames(s) : NULL;
	struct resumed *all =
	    mem_zero((size_t)seg_count(&s->trace->log->processes) + 1, sizeof(*all));
	bool room = frames != NULL;

	for (uint32_t i = 0, next = 0; room && i < frames->count; i++) {
		const struct jank_frame *f = &frames->frames[i];

		for (; next < calls->count && calls->frames[next].start <= f->start; next++) {
			struct resumed *r = &all[process_of_main(s, calls->frames[next].thread)];

			if (r->call == 0 && calls->frames[next].start >= r->until)
				r->call = next + 1;
		}
		if (f->process == 0 || f->drew != 1 || all[f->process].call == 0)
			continue;
		room = resumed_add(s, &calls->frames[all[f->process].call - 1], f);
		if (room)
			all[f->process] = (struct resumed){.until = s->starts->items[s->starts->count - 1].to};
	}
	mem_free(all);
	jank_free(calls);
	parts_find(s);
}
