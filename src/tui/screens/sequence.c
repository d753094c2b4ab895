// SPDX-License-Identifier: Apache-2.0
/* Calls of one thread in the order of time. */
#include <config.h>

#include "tui/app.h"
#include "tui/screens/screens.h"
#include "view/sequence_list.h"

static void
sequence_ask(struct app *app, struct asked *asked)
{
	const struct session *s = app->s;
	uint32_t thread = s->sequence_thread;

	if (thread == THREAD_NONE || !scope_has(s->subset.scope, thread))
		thread = sequence_thread(s->trace, s->display.figures.fold, s->subset.scope);

	if (thread != THREAD_NONE)
		query_ask(asked, QUERY_SEQUENCE)->point.index = thread;
}

/* A part of the trace that the row was about becomes the range. */
static void
sequence_come(struct app *app, const struct subject *from)
{
	const struct range span = from->span;
	const bool part = span.from < span.to &&
	    (span.from > app->s->now.begin || span.to < app->s->now.end);

	if (from->thread != THREAD_NONE)
		app->s->sequence_thread = from->thread;
	if (part)
		app->s->subset.range = span;
	if (part)
		app_zoom_to_range(app);
}

static struct range
sequence_span(const struct sequence_row *row)
{
	return (struct range){row->from, row->to};
}

static void
sequence_subject(const struct app *app, struct subject *to)
{
	const struct sequence_row *row = sequence_list_cursor(&app->s->sequence);

	to->thread = app->s->sequence.thread;
	if (row != NULL && row->calls > 0)
		*to = (struct subject){row->method, app->s->sequence.thread, sequence_span(row)};
}

void
cmd_sequence_range(struct app *app)
{
	const struct sequence_row *row = sequence_list_cursor(&app->s->sequence);

	if (row != NULL && row->calls > 0 && row->to > row->from)
		app_limit(app, sequence_span(row));
	else
		app_complain(app, "nothing in the row takes time");
}

void
cmd_sequence_open(struct app *app)
{
	const struct sequence_row *row = sequence_list_cursor(&app->s->sequence);
	struct list *l = &app->s->sequence.list;

	if (row != NULL && row->below == 0)
		cmd_sequence_range(app);
	else if (row != NULL && !list_open(l))
		(void)list_close(l);
}

const struct screen screen_sequence = {
    .come = sequence_come,
    .ask = sequence_ask,
    .subject = sequence_subject,
};
