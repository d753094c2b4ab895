#include <config.h>

#include "tui/typed.h"

#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/keymap.h"

enum {
	SLOW_MS = 100,
	ROUNDS = 8, /* answers that bring queries that are answered, at most */
};

/* Of the command that a key runs here. */
static const struct command *
command_of(const struct app *app, const struct key *key)
{
	const struct command *command =
	    keymap_find(app->keymap, app_context(app), key->name);
	struct key plain;

	if (command == NULL && key_without_meta(key, &plain))
		command = keymap_find(app->keymap, app_context(app), plain.name);
	return command;
}

/* They change nothing that keys before them could be about. */
static bool
runs_at_once(const struct command *command)
{
	return command != NULL &&
	    (command->run == cmd_redraw || command->run == cmd_suspend);
}

/* What was asked for in so many keys comes before the next. */
static bool
owes_answer(const struct app *app)
{
	return app->near.waiting || app->copying != METHOD_NONE || reload_pending(app);
}

/* Does the key go elsewhere than to a command, or to one that waits for nothing? */
static bool
needs_nothing(const struct app *app, const struct key *key)
{
	const struct command *command;

	if (writing_alone(app) || app->layout.too_small || app->ask != NULL ||
	    app->popup.ops != NULL || key->pasted || key->mouse != MOUSE_NONE)
		return true;
	command = command_of(app, key);
	if (command != NULL && (runs_at_once(command) || command->run == cmd_interrupt))
		return true;
	return !owes_answer(app) && (command == NULL || command->need == NEED_NOTHING);
}

/* Is something of the need still being looked for? */
static bool
is_pending(struct app *app, enum command_need need)
{
	bool timeline = app_context(app) == IN_TIMELINE;
	unsigned kinds = 0;

	if (need >= NEED_METHODS)
		kinds |= 1u << QUERY_METHODS | (views_now(app)->answers & 1u << QUERY_PATHS);
	if (need >= NEED_ROWS)
		kinds |= views_now(app)->answers;
	if (need >= NEED_POINT && timeline)
		kinds |= 1u << QUERY_POINT;
	if (need >= NEED_SCREEN)
		kinds = ~0u;
	if (engine_pending(app->engine, kinds) ||
	    (need >= NEED_ROWS && app->view == VIEW_DIFF && compare_pending(app)))
		return true;
	return need >= NEED_ROWS && timeline && engine_pending(app->engine, 1u << QUERY_TRACKS) &&
	    !(timeline_pane_rows_known(&app->timeline) &&
		(need < NEED_POINT || timeline_pane_step_known(&app->timeline)));
}

/* What was answered is taken first, since it may bring further queries. */
static bool
must_wait(struct app *app, const struct key *key)
{
	bool waits = false;

	for (int i = 0; i < ROUNDS && !needs_nothing(app, key); i++) {
		const struct command *command = command_of(app, key);
		enum command_need need = command != NULL ? command->need : NEED_NOTHING;
		bool took;

		app_layout(app, app->layout.rows, app->layout.columns);
		app_ask_engine(app);
		waits = is_pending(app, need);
		took = app_take(app);
		if (!took && !waits && !owes_answer(app))
			return false;
		/* What is answered only now is taken in the next round. */
		if (!took && (owes_answer(app) || is_pending(app, need)))
			return true;
	}
	return waits && !needs_nothing(app, key);
}

static bool
is_full(const struct typed *t)
{
	return t->count == TYPED_MAX;
}

static void
hold(struct app *app, const struct key *key)
{
	struct typed *t = &app->typed;

	if (is_full(t)) {
		app_complain(app, "too many keys wait: %s is lost", key->name);
		return;
	}
	if (t->count == 0)
		t->since_ms = app_clock_ms();
	t->keys[(t->first + t->count++) % TYPED_MAX] = *key;
}

/* ^C, or Esc that answers the last line. */
static bool
drops(const struct app *app, const struct key *key)
{
	const struct command *command =
	    keymap_find(app->keymap, app_context(app), key->name);
	char text[100];

	if (key->pasted || command == NULL)
		return false;
	return command->run == cmd_interrupt ||
	    (command->run == cmd_escape && typed_text(app, text, sizeof(text)) != NULL);
}

static void
drop(struct app *app)
{
	size_t count = app->typed.count;

	app->typed.count = 0;
	app_say(app, "%zu key%s dropped", count, count == 1 ? "" : "s");
}

void
typed_key(struct app *app, const struct key *key)
{
	if (typed_waits(app) && drops(app, key))
		drop(app);
	else if (typed_waits(app) && (key->pasted || !runs_at_once(command_of(app, key))))
		hold(app, key);
	else if (must_wait(app, key))
		hold(app, key);
	else
		app_key(app, key);
}

bool
typed_resume(struct app *app)
{
	struct typed *t = &app->typed;
	bool any = false;

	while (t->count > 0 && !app->quit && !app->writing.active &&
	    !must_wait(app, &t->keys[t->first])) {
		struct key key = t->keys[t->first];

		t->first = (t->first + 1) % TYPED_MAX;
		t->count--;
		t->since_ms = app_clock_ms();
		app_key(app, &key);
		app_layout(app, app->layout.rows, app->layout.columns);
		any = true;
	}
	return any;
}

bool
typed_waits(const struct app *app)
{
	return app->typed.count > 0;
}

const char *
typed_text(const struct app *app, char *out, size_t size)
{
	size_t count = app->typed.count;

	if (count == 0 || app_clock_ms() - app->typed.since_ms < SLOW_MS)
		return NULL;
	snprintf(out, size, "%zu key%s wait%s for this screen (Esc drops %s)", count,
	    count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "it" : "them");
	return out;
}
