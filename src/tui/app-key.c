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

static void
answer(struct app *app, const struct key *key)
{
	const struct ask *ask = app->ask;
	enum prompt_answer answer = prompt_key(&app->prompt, key);

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
	case PROMPT_NONE:
	case PROMPT_MOVED:
	case PROMPT_COMPLETE:
		break;
	}
}

/* As the help names the key, with the key that shows the help. */
static void
complain_unbound(struct app *app, const char *key)
{
	char name[64], help[32];

	bindings_label(key, name, sizeof(name));
	if (keymap_key(app->keymap, app_context(app), "help", false, help)[0] == '\0')
		snprintf(help, sizeof(help), ":help");
	app_complain(app, "%s does nothing here (%s for help)", name, help);
}

void
app_key(struct app *app, const struct key *key)
{
	const struct command *command =
	    keymap_find(app->keymap, app_context(app), key->name);
	bool everywhere = command != NULL &&
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
	if (command == NULL && key_without_meta(key, &plain)) {
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
		answer(app, key);
		return;
	}
	if (key->pasted) {
		app_complain(app, "what is pasted is no command (Esc ends a paste)");
		return;
	}
	if (app->popup.ops != NULL && popup_key(app, key))
		return;
	if (app->popup.ops != NULL && (command == NULL || command->run != cmd_quit)) {
		char name[64];

		bindings_label(key->name, name, sizeof(name));
		app_complain(app, "%s does nothing in this list (q closes it)", name);
		return;
	}
	start_moved(app);
	if (command != NULL)
		views_run(app, command->run, command->arg);
	else
		complain_unbound(app, key->name);
}
