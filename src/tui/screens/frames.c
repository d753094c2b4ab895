// SPDX-License-Identifier: Apache-2.0
/* Frames of the display, those over the budget marked. */
#include <config.h>

#include "tui/app.h"
#include "tui/screens/screens.h"
#include "tui/settings/settings.h"
#include "view/frames.h"

/* Threads that are chosen have their rows, whatever they are of. */
static void
frames_follow(struct app *app)
{
	frames_set_front(&app->s->frames, scope_chosen(app->s->subset.scope) == NULL);
}

static void
frames_ask(struct app *app, struct asked *asked)
{
	struct query *q = query_ask(asked, QUERY_FRAMES);

	q->pattern = str_from(app->settings->frames);
	q->budget = app->settings->frame_budget;
}

static struct range
frames_span(const struct app *app, const struct jank_frame *frame)
{
	nsec end = frame->start + frame->time[trace_default_clock(app->s->trace)];

	return (struct range){frame->start, frame->open ? app->s->now.end : end};
}

/* Sets the subject to the method that took most of the frame, with the frame's thread and span. */
static void
frames_subject(const struct app *app, struct subject *to)
{
	const struct jank_frame *frame = frames_cursor(&app->s->frames);

	to->thread = THREAD_NONE;
	if (frame != NULL)
		*to = (struct subject){frame->heaviest, frame->thread, frames_span(app, frame)};
}

void
cmd_frames_step(struct app *app, int direction)
{
	if (!frames_step(&app->s->frames, direction))
		app_complain(app, direction > 0 ? "no later slow frame"
						: "no earlier slow frame");
}

/*
 * The tree of the frame's threads, the one that draws it, too, and its time, open down to the method that
 * took most of it.
 */
void
cmd_frames_open(struct app *app)
{
	const struct jank_frame *frame = frames_cursor(&app->s->frames);
	struct deadline until;

	if (frame == NULL)
		return;
	until = (struct deadline){frames_span(app, frame),
	    app->s->frames.log ? frame->deadline : -1};
	/* From the vsync on, where that is known and came first. */
	if ((!jank_is_told(frame) || frame->deadline >= 0) && frame->expected < until.range.from)
		until.range.from = nsec_max(frame->expected, app->s->now.begin);
	app_jump_to(app, frame->thread, frame->drawn_first > 0 ? frame->drawer : THREAD_NONE, until.range,
	    frame->heaviest);
	app->s->deadline = until;
}

/* All that is known of the frame; of calls of a method trace, of the method as elsewhere. */
void
cmd_frame_details(struct app *app)
{
	if (!app->s->frames.log) {
		cmd_details(app);
		return;
	}
	app->s->told = (struct details_of){.method = METHOD_NONE, .thread = THREAD_NONE,
	    .frame = frames_cursor_id(&app->s->frames)};
	app_show(app, VIEW_DETAILS);
}

static look
frames_found(const struct app *app, struct sbuf *out)
{
	return frames_summary(&app->s->frames, out);
}

const struct screen screen_frames = {
    .found = frames_found,
    .follow = frames_follow,
    .ask = frames_ask,
    .subject = frames_subject,
};
