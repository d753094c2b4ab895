// SPDX-License-Identifier: Apache-2.0
/*
 * undo: filters, transforms, threads, time windows and choices of slices as they were, to go
 * back to and forth again.
 */
#include <config.h>

#include <string.h>

#include "tui/app.h"
#include "tui/popups/choice.h"

static void
state_release(struct undo_state *s)
{
	filters_release(&s->filters);
	subset_release(&s->subset);
}

void
undo_release(struct undo *u)
{
	for (int i = 0; i < u->count; i++)
		state_release(&u->states[i]);
	u->at = u->count = 0;
}

void
app_note(struct app *app)
{
	struct undo *u = &app->undo;
	struct undo_state *now;

	while (u->count > u->at)
		state_release(&u->states[--u->count]);
	if (u->at == UNDO_MAX) {
		state_release(&u->states[0]);
		memmove(u->states, u->states + 1, (UNDO_MAX - 1) * sizeof(*u->states));
		u->at--;
	}
	now = &u->states[u->at++];
	u->count = u->at;
	*now = (struct undo_state){.subset = subset_copy(&app->subset), .choice = app->choice};
	filters_copy(&now->filters, &app->display.filters);
}

/* Exchanges the present state with the one before (-1) or after it (1). */
void
cmd_undo(struct app *app, int direction)
{
	struct undo *u = &app->undo;
	struct undo_state now = {app->display.filters, app->subset, app->choice}, *to;

	if (direction < 0 ? u->at == 0 : u->at == u->count) {
		app_complain(app, direction < 0 ? "nothing to undo" : "nothing to redo");
		return;
	}
	to = &u->states[direction < 0 ? --u->at : u->at++];
	app->calls_stopped &= scope_equal(to->subset.scope, now.subset.scope);
	app->display.filters = to->filters;
	app->subset = to->subset;
	choice_set(app, &to->choice);
	if (!range_equal(&app->subset.range, &now.subset.range))
		app_zoom_to_range(app);
	*to = now;
	filters_changed(&app->display.filters);
	app->display.refilters++;
	app_say(app, direction < 0 ? "undone (^R redoes)" : "redone");
}
