// SPDX-License-Identifier: Apache-2.0
/* App starts of OpenHarmony: a slice for each phase, and the frames after the launch. */
#include <config.h>

#include "profile/log/start_search.h"

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
	const struct jank *frames = start_frames(s);
	uint32_t next = 0;
	const struct jank_frame *f = frames != NULL ? start_frame_next(frames, start->process, launch, &next) : NULL;

	if (f == NULL)
		return;
	start->to = f->shown >= 0 ? f->shown : start_slice_end(f);
	start->initial = start->to - start->from;
	start_part_set(start, START_APP_FRAME, f->start, start_slice_end(f));
	if (f->shown >= 0)
		start_part_set(start, START_RENDER_FRAME, f->drawn.from, f->shown);
}

/* Cuts each phase where the next one begins. */
static void
harmony_cut(struct app_start *start)
{
	nsec next = start_has_part(&start->parts[START_APP_FRAME]) ? start->parts[START_APP_FRAME].from : -1;

	for (int i = HARMONY_PHASES; i-- > 0;) {
		struct start_part *p = &start->parts[phases[i].phase];

		if (!start_has_part(p))
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
	struct str package = package_of(start_slice_name(s, launch));
	struct app_start *start = start_add(s, launch->start, start_slice_end(launch), package, START_UNTOLD);
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
				str_equal(package_of(start_slice_name(s, at)), package))) {
				f = at;
			}
		}
		if (f == NULL)
			continue;
		start->from = nsec_min(start->from, f->start);
		if (start_slice_end(f) > start->to && f->start >= launch->start)
			start->to = start_slice_end(f);
		start->parts[phases[i].phase] = (struct start_part){.from = f->start, .to = start_slice_end(f)};
		if (phases[i].phase == START_ATTACH)
			before = f->start;
	}
	harmony_frames(s, start, launch->start);
	harmony_cut(start);
}

bool
starts_of_harmony(struct start_search *s)
{
	bool any;
	struct jank *found[HARMONY_PHASES] = {NULL}, *launches = start_slices(s, NULL, start_whole(s), phases[4].pattern);

	for (int i = 0; !s->failed && launches->count > 0 && i < HARMONY_PHASES; i++)
		found[i] = start_slices(s, NULL, start_whole(s), phases[i].pattern);
	for (uint32_t i = 0; !s->failed && i < launches->count; i++)
		harmony_start(s, found, &launches->frames[i]);
	any = launches != NULL && launches->count > 0;
	for (int i = 0; i < HARMONY_PHASES; i++)
		jank_free(found[i]);
	jank_free(launches);
	return any;
}
