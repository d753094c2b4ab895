/* What a key does: in a prompt, in a list, or as a command. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/keymap.h"
#include "tui/mouse.h"

void
app_ask(struct app *app, const struct ask *ask, struct str text,
    struct prompt_history *history)
{
	app->ask = ask;
	prompt_open(&app->prompt, ask->label, text, history);
	app->prompt.kept = ask->kept;
	if (text.n > 0 && ask->changed != NULL)
		ask->changed(app);
}

void
app_accept(struct app *app)
{
	const struct ask *ask = app->ask;
	struct prompt_history *history = app->prompt.history;
	struct sbuf line = {0};

	/* What is accepted may open another prompt. */
	prompt_pattern(&app->prompt, &line);
	app->ask = NULL;
	if (!ask->accepted(app))
		app->ask = ask;
	else if (history != NULL && line.n <= PROMPT_MAX)
		prompt_history_add(history, sbuf_view(&line));
	sbuf_release(&line);
}

/* What was typed, or done to it, is told to who asked. */
static void
take_answer(struct app *app, enum prompt_answer answer)
{
	const struct ask *ask = app->ask;

	if (answer == PROMPT_COMPLETE && ask->complete != NULL && ask->complete(app))
		answer = PROMPT_CHANGED;
	switch (answer) {
	case PROMPT_CHANGED:
		if (ask->changed != NULL)
			ask->changed(app);
		break;
	case PROMPT_ACCEPTED:
		app_accept(app);
		break;
	case PROMPT_CANCELLED:
		app->ask = NULL;
		ask->cancelled(app);
		break;
	case PROMPT_MOVED:
	case PROMPT_COMPLETE:
		break;
	}
}

void
cmd_type(struct app *app, int act)
{
	take_answer(app, prompt_do(&app->prompt, (enum type_act)act));
}

/* What a key does to what stands over the view; NULL: nothing, or there is only the view. */
static const struct command *
command_above(const struct app *app, const struct key *key)
{
	unsigned context = app->ask != NULL ? IN_PROMPT
	    : app->popup.ops != NULL        ? IN_LIST
					    : 0;

	return context != 0 ? keymap_find(app->keymap, context, key->name) : NULL;
}

/* As the help names the key, with the key that helps. */
static void
complain_unbound(struct app *app, const char *key)
{
	char name[64], help[32];
	bool list = app->popup.ops != NULL;

	bindings_label(key, name, sizeof(name));
	if (keymap_key(app->keymap, list ? IN_LIST : app_context(app),
		list ? "list-close" : "help", false, help)[0] == '\0')
		snprintf(help, sizeof(help), "%s", list ? "nothing" : ":help");
	app_complain(app, list ? "%s does nothing in this list (%s closes it)"
			       : "%s does nothing here (%s for help)",
	    name, help);
}

void
app_key(struct app *app, const struct key *key)
{
	const struct command *command =
	    keymap_find(app->keymap, app_context(app), key->name);
	const struct command *above = command_above(app, key);
	bool everywhere = above == NULL && command != NULL &&
			  (command->run == cmd_redraw || command->run == cmd_suspend);
	struct key plain;

	if (writing_alone(app)) {
		writing_key(app, key);
		return;
	}
	if (key->mouse != MOUSE_NONE) {
		mouse_event(app, key);
		return;
	}
	/* Esc and a key that arrived together, unless it is a key of its own. */
	if (command == NULL && above == NULL && key_without_meta(key, &plain)) {
		struct key escape = {.name = "<Escape>", .pasted = key->pasted};

		app_key(app, &escape);
		app_key(app, &plain);
		return;
	}
	if (everywhere && !key->pasted) {
		command->run(app, command->arg);
		return;
	}
	if (app->layout.too_small) {
		if (command != NULL && !key->pasted &&
		    (command->run == cmd_quit || command->run == cmd_close))
			cmd_quit(app, 0);
		return;
	}
	if (!key->pasted || app->ask != NULL)
		app->message[0] = '\0';
	if (app->ask != NULL) {
		if (key->text[0] != '\0' || key->pasted)
			take_answer(app, prompt_type(&app->prompt, key));
		else if (above != NULL)
			above->run(app, above->arg);
		return;
	}
	if (key->pasted) {
		app_complain(app, "what is pasted is no command (Esc ends a paste)");
		return;
	}
	if (app->popup.ops != NULL && popup_key(app, key))
		return;
	if (app->popup.ops != NULL && (command == NULL || command->run != cmd_quit)) {
		complain_unbound(app, key->name);
		return;
	}
	/* What needs no rows does not go anywhere among them. */
	if (command != NULL && (command->need != NEED_NOTHING || command->run == cmd_pane))
		start_moved(app);
	if (command != NULL)
		views_run(app, command->run, command->arg);
	else
		complain_unbound(app, key->name);
}
