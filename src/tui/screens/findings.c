// SPDX-License-Identifier: Apache-2.0
/* The view of findings: what is slow, each with its place. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/screens/screens.h"
#include "tui/settings/settings.h"
#include "view/findings_list.h"

void
findings_ask(struct app *app, struct asked *asked)
{
	query_ask(asked, QUERY_FINDINGS)->pattern = sbuf_view(&app->settings->finding_lines);
}

static void
findings_layout(struct app *app, struct layout *l, struct rect body)
{
	layout_list(app, l, body);
	findings_list_begin(&app->s->findings);
}

static int
findings_draw(struct app *app)
{
	int eye = list_draw(&app->canvas, app->layout.table, &app->s->findings.list);

	findings_list_draw_whole(&app->s->findings, &app->canvas, app->layout.table);
	return eye;
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
	command_do(app, commands_find(views_of(VIEW_FRAMES)->command));
}

/* ", 71 % in all its calls": of the method that the cursor is on one path may have less. */
static const char *
finding_share(const struct finding *f, uint32_t method, char out[static FMT_SIZE])
{
	const struct finding_cause *c = &f->cause;
	nsec time = c->by == CAUSE_CLASS ? c->method_time : c->time;

	out[0] = '\0';
	if (method != METHOD_NONE && c->method == method && c->whole > 0)
		snprintf(out, FMT_SIZE, ", %u %% in all its calls", finding_percent(time, c->whole));
	return out;
}

/*
 * To where it is: in the tree of its thread and time, open down to the cause; a method in the
 * profile of its thread; another thread or process among the threads.
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
	/* The method that explains it: the end of the path that its sentence names. */
	if (to.method == METHOD_NONE && f->cause.part_count > 0)
		to.method = f->cause.parts[0].method;
	to.method = session_listed(app->s, to.method);
	if (to.thread != THREAD_NONE && !thread && to.length >= 0) {
		app_jump_to(app, to.thread, THREAD_NONE, finding_span(&to), to.method);
	} else {
		app_jump(app, thread ? VIEW_THREADS : VIEW_PROFILE);
		if (to.method != METHOD_NONE)
			selection_set_method(&app->s->selected, to.method);
		if (to.thread != THREAD_NONE)
			timeline_pane_select_thread(&app->s->timeline, to.thread);
		if (to.thread != THREAD_NONE && !thread) {
			struct scope *scope = scope_new(trace_thread_count(app->s->trace), false);

			scope->in[to.thread] = true;
			app_choose_scope(app, scope);
		}
	}
	app_say(app, "finding %" PRIu32 " of %" PRIu32 "%s (q: back to the list, u: all of the trace)",
	    at + 1, app->s->findings.found->count, finding_share(&to, to.method, FMT_BUF));
}

const struct screen screen_findings = {
    .again = findings_again,
    .ask = findings_ask,
    .layout = findings_layout,
    .draw = findings_draw,
    .subject = findings_subject,
};
