// SPDX-License-Identifier: Apache-2.0
/* What is slow, each finding with its place. */
#include <config.h>

#include <inttypes.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "view/findings_list.h"

static void
findings_ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_FINDINGS);
}

static struct range
finding_span(const struct finding *f)
{
	return f->length >= 0 ? (struct range){f->start, f->start + f->length}
			      : (struct range){0, INT64_MIN};
}

static void
findings_subject(const struct app *app, struct subject *to)
{
	const struct finding *f = findings_list_cursor(&app->s->findings);

	to->thread = THREAD_NONE;
	if (f != NULL)
		*to = (struct subject){f->method, f->thread, finding_span(f)};
}

/* The frames, as the key is theirs, too. */
static void
findings_again(struct app *app)
{
	if (app->s->has_frames)
		app_show(app, VIEW_FRAMES);
	else
		app_complain(app, "the trace has no frames of the display");
}

/*
 * To where it is: a time in the tree of its thread, or in a log on the timeline; a method in
 * the profile of its thread; what another thread or process did among the threads.
 */
void
cmd_finding_open(struct app *app)
{
	const struct finding *f = findings_list_cursor(&app->s->findings);
	const bool thread = f != NULL && (f->kind == FINDING_THREAD || f->kind == FINDING_PROCESS);
	struct finding to;
	uint32_t at;

	if (f == NULL)
		return;
	to = *f;
	at = (uint32_t)(f - app->s->findings.found->list);
	if (to.method != METHOD_NONE)
		selection_set_method(&app->s->selected, to.method);
	app_view(app, thread ? VIEW_THREADS
	    : to.length < 0   ? VIEW_PROFILE
	    : app->s->trace->log != NULL ? VIEW_TIMELINE : VIEW_TREE);
	if (to.thread != THREAD_NONE)
		timeline_pane_select_thread(&app->s->timeline, to.thread);
	if (to.thread != THREAD_NONE && !thread) {
		struct scope *scope = scope_new(trace_thread_count(app->s->trace), false);

		scope->in[to.thread] = true;
		app_choose_scope(app, scope);
	}
	if (to.length >= 0) {
		axis_move_to(&app->s->timeline.axis, to.start);
		app->s->subset.range = finding_span(&to);
		app_zoom_to_range(app);
	}
	app_say(app, "finding %" PRIu32 " of %" PRIu32 " (Backspace: back to the list, u: all of the trace)",
	    at + 1, app->s->findings.found->count);
}

const struct screen screen_findings = {
    .again = findings_again,
    .ask = findings_ask,
    .subject = findings_subject,
};
