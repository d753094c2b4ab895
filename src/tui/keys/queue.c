// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/keys/queue.h"

#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/keymap.h"

enum { SLOW_MS = 100 };

/* Prompts ----------------------------------------------------------------------------- */

struct prompt_history *
app_lines(struct app *app, char kind)
{
	const char *at = kind != '\0' ? strchr(prompt_kinds, kind) : NULL;

	return at != NULL ? &app->lines[at - prompt_kinds] : NULL;
}

void
app_ask(struct app *app, const struct ask *ask, struct str text)
{
	app->ask = ask;
	prompt_open(&app->prompt, ask->label, text, app_lines(app, ask->kind));
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

	/* Accepting may open another prompt. */
	prompt_pattern(&app->prompt, &line);
	app->ask = NULL;
	if (ask->accepted != NULL && !ask->accepted(app))
		app->ask = ask;
	else if (history != NULL && line.n <= PROMPT_MAX)
		prompt_history_add(history, sbuf_view(&line));
	sbuf_release(&line);
}

/* Tells the opener of the prompt about a change or an answer. */
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
		if (ask->cancelled != NULL)
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

/* Effects of keys ------------------------------------------------------------------------ */

/* Commands that a key runs here. */
struct found {
	const struct command *command; /* of the view; NULL: none */
	const struct command *above;   /* of a prompt or a list over it */
};

static struct found
find(const struct app *app, const struct key *key)
{
	unsigned context = app_context(app);
	unsigned above = app->ask != NULL ? IN_PROMPT
	    : app->popup.ops != NULL      ? IN_LIST
					  : 0;
	struct found f = {.command = keymap_find(app->keymap, context, key->name)};

	if (above != 0)
		f.above = keymap_find(app->keymap, above, key->name);
	return f;
}

/* True if the view's command has one of the flags. */
static bool
is(const struct found *f, unsigned flags)
{
	return f->command != NULL && (f->command->flags & flags) != 0;
}

/* Names the key as the help does, with the key that opens the help. */
static void
complain_unbound(struct app *app, const char *key)
{
	char name[64], help[32];
	bool list = app->popup.ops != NULL;

	keys_label(key, name, sizeof(name));
	if (keymap_key(app->keymap, list ? IN_LIST : app_context(app),
		list ? "list-close" : "help", false, help)[0] == '\0')
		snprintf(help, sizeof(help), "%s", list ? "nothing" : ":help");
	app_complain(app, list ? "%s does nothing in this list (%s closes it)"
			       : "%s does nothing here (%s for help)",
	    name, help);
}

static void
do_found(struct app *app, const struct key *key, const struct found *f)
{
	const struct command *command = f->command;

	app_changed(app);
	/* While output is written, keys only stop it, quit, or act at once. */
	if (app->writing.active) {
		if (!key->pasted && is(f, INTERRUPTS | ESCAPES))
			(void)writing_interrupt(app);
		else if (!key->pasted && is(f, QUITS | AT_ONCE))
			command_do(app, command);
		return;
	}
	if (key->mouse != MOUSE_NONE) {
		mouse_event(app, key);
		return;
	}
	if (f->above == NULL && !key->pasted && is(f, AT_ONCE)) {
		command_do(app, command);
		return;
	}
	if (app->layout.too_small) {
		if (!key->pasted && is(f, QUITS | CLOSES))
			cmd_quit(app);
		return;
	}
	if (!key->pasted || app->ask != NULL)
		app->message[0] = '\0';
	if (app->ask != NULL) {
		if (key->text[0] != '\0' || key->pasted)
			take_answer(app, prompt_type(&app->prompt, key));
		else if (f->above != NULL)
			command_do(app, f->above);
		return;
	}
	if (key->pasted) {
		app_complain(app, "pasted text is not a command (Esc ends a paste)");
		return;
	}
	if (app->popup.ops != NULL && popup_key(app, key, f->above))
		return;
	if (app->popup.ops != NULL && !is(f, QUITS)) {
		complain_unbound(app, key->name);
		return;
	}
	/* A command that needs no rows does not move among them. */
	if (command != NULL && (command->flags & NEEDS) >= NEED_METHODS)
		start_moved(app);
	if (command != NULL)
		command_do(app, command);
	else
		complain_unbound(app, key->name);
}

void
queue_do(struct app *app, const struct key *key)
{
	const struct found f = find(app, key);

	app_lay_out(app);
	do_found(app, key, &f);
}

/* Needs of keys ---------------------------------------------------------------------- */

/* True if the queries of now that the command depends on are answered. */
static bool
ready(struct app *app, const struct command *command)
{
	unsigned need = command->flags & NEEDS, kinds = 0;
	bool timeline = app_context(app) == IN_TIMELINE;

	if (need == NEED_NOTHING)
		return true;
	app_follow(app);
	if (need == NEED_WIDTHS)
		return app->s->display.fold != NULL ||
		    !engine_pending(app->s->engine, 1u << QUERY_METHODS);
	kinds |= 1u << QUERY_METHODS | (views_now(app)->answers & 1u << QUERY_PATHS);
	if (need >= NEED_ROWS)
		kinds |= views_now(app)->answers;
	if (timeline && (need >= NEED_POINT || (command->with == cmd_view && timeline_chosen(app))))
		kinds |= 1u << QUERY_POINT;
	if (need >= NEED_SCREEN)
		kinds = ~0u;
	if (engine_pending(app->s->engine, kinds))
		return false;
	if (need < NEED_ROWS)
		return true;
	if (app->view == VIEW_DIFF && compare_pending(app))
		return false;
	if ((app->view == VIEW_TREE || app->view == VIEW_FLAME) && compare_paths_pending(app))
		return false;
	/* Rows of calls come with their cells. */
	return !timeline || !engine_pending(app->s->engine, 1u << QUERY_TRACKS) ||
	    (timeline_pane_rows_known(&app->s->timeline) &&
		(need < NEED_POINT || timeline_pane_step_known(&app->s->timeline)));
}

/* True if the key can do its work now, and need not wait for answers or for earlier keys. */
static bool
can_do(struct app *app, const struct key *key, const struct found *f)
{
	/* The key does not go to a command, or goes to one that waits for nothing. */
	if (app->writing.active || app->layout.too_small || app->ask != NULL ||
	    app->popup.ops != NULL || key->pasted || key->mouse != MOUSE_NONE ||
	    is(f, AT_ONCE | INTERRUPTS))
		return true;
	/* A request of earlier keys comes before the next key. */
	if (app->s->near.waiting || app->s->copying != METHOD_NONE || reload_waited(app) ||
	    app->writing.wanted)
		return false;
	return f->command == NULL || ready(app, f->command);
}

/* The queue --------------------------------------------------------------------------- */

static void
hold(struct app *app, const struct key *key)
{
	struct key_queue *q = &app->keys;

	if (q->count == QUEUE_MAX) {
		app_complain(app, "too many keys wait: %s is lost", key->name);
		return;
	}
	if (q->count == 0)
		q->since_ms = clock_ms();
	q->keys[(q->first + q->count++) % QUEUE_MAX] = *key;
}

/* ^C, or Esc that answers the last line. */
static bool
drops(const struct app *app, const struct key *key, const struct found *f)
{
	char text[100];

	return !key->pasted && (is(f, INTERRUPTS) ||
		(is(f, ESCAPES) && queue_text(app, text, sizeof(text))));
}

void
queue_key(struct app *app, const struct key *key)
{
	const struct found f = find(app, key);
	struct key plain;

	/* Esc and a key that arrived together, unless that is a key of its own somewhere. */
	if (key_without_meta(key, &plain) && keymap_find(app->keymap, ~0u, key->name) == NULL) {
		queue_key(app, &(struct key){.name = "<Escape>", .pasted = key->pasted});
		queue_key(app, &plain);
		return;
	}
	app_lay_out(app);
	if (queue_waits(app) && drops(app, key, &f)) {
		app_say(app, "%zu key%s dropped", app->keys.count, app->keys.count == 1 ? "" : "s");
		app->keys.count = 0;
	} else if (queue_waits(app) ? !key->pasted && is(&f, AT_ONCE) : can_do(app, key, &f)) {
		do_found(app, key, &f);
	} else {
		hold(app, key);
	}
}

bool
queue_run(struct app *app)
{
	struct key_queue *q = &app->keys;
	bool any = false;

	while (q->count > 0 && !app->quit && !app->writing.active) {
		const struct key key = q->keys[q->first];
		const struct found f = find(app, &key);

		app_lay_out(app);
		if (!can_do(app, &key, &f))
			break;
		q->first = (q->first + 1) % QUEUE_MAX;
		q->count--;
		q->since_ms = clock_ms();
		do_found(app, &key, &f);
		any = true;
	}
	return any;
}

bool
queue_waits(const struct app *app)
{
	return app->keys.count > 0;
}

bool
queue_text(const struct app *app, char *out, size_t size)
{
	size_t count = app->keys.count;

	if (count == 0 || clock_ms() - app->keys.since_ms < SLOW_MS)
		return false;
	snprintf(out, size, "%zu key%s wait%s (Esc drops %s)", count,
	    count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "it" : "them");
	return true;
}
