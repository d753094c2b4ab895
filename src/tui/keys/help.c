// SPDX-License-Identifier: Apache-2.0
/*
 * help: the keys that work here, from the table of commands, as a popup.
 */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/keymap.h"
#include "tui/keys/key.h"

/* clang-format off */
const struct legend_row legend[] = {
	{ IN_PANES, false, "▂ to █", ". to #",
	    "on the timeline: the share of the time it ran" },
	{ IN_PANES, false, "▁", "_", "asleep within a call; blank: no call is open" },
	{ IN_PANES, false, "^", NULL, "below them: calls of the table's method" },
	{ IN_PANES, false, "[name---]", NULL, "a call, from where it begins to where it ends" },
	{ IN_PANES, true, "R r", NULL, "state of a thread: running; waiting for a core" },
	{ IN_PANES, true, "S T", NULL, "asleep; stopped" },
	{ IN_PANES, true, "D d", NULL, "blocked for I/O; blocked otherwise" },
	{ IN_PANES, true, "0 to 9", NULL, "of a core: how deep it slept" },
	{ IN_PANES, true, "?", NULL, "of a core: what it did is not known" },
	{ IN_PANES, true, "~NAME", NULL, "asynchronous slices" },
	{ IN_PANES, true, "* #", NULL, "below a thread: a marker of a moment; several" },
	{ IN_TABLE, false, "< <r", NULL, "a parent; one of recursive calls" },
	{ IN_TABLE, false, "= self", NULL, "time in the method itself" },
	{ IN_TABLE, false, "> >r", NULL, "a child; one of recursive calls" },
	{ IN_TREE, false, "+ -", NULL, "what is below is not shown; is shown" },
	{ IN_TREE, false, "a / b", NULL, "calls that each make only the next one" },
	{ IN_TREE | IN_FLAME, false, "+ ++ +++", NULL, "compared: B takes 5 %, 20 %, 50 % more, or is new" },
	{ IN_TREE | IN_FLAME, false, "- -- ---", NULL, "compared: A took so much more, or it is gone" },
	{ IN_CALLS, false, "!", NULL, "longer than the frame budget" },
	{ IN_CALLS, false, "+", NULL, "cut by the range, or by the trace" },
	{ IN_DIFF, false, "^ v", NULL, "more time; less time" },
	{ IN_DIFF, false, "n x", NULL, "in B only; in A only" },
	{ IN_DIFF, false, "=", NULL, "no change" },
	{ IN_ROWS | IN_CALLS, false, "5+2", NULL, "calls, and recursive calls" },
	{ IN_LINES, false, "v ^", NULL, "after a title: descending; ascending" },
	{ IN_TABLE | IN_CALLS, false, "*", NULL, "marked with Space" },
};
/* clang-format on */

const size_t legend_count = sizeof(legend) / sizeof(*legend);

enum { KEYS_WIDTH = 22, KEYS_WIDTH_NARROW = 10, WIDE = 60 };

/*
 * Rows of the popup: number << 2 and one of these.  The text is keys and help, each with a TAB
 * after it, and the heading.
 */
enum help_row { HELP_PLAIN, HELP_HEADING, HELP_CHANGED /* by the configuration */ };

static void
add(struct app *app, enum help_row row, const char *keys, const char *help, const char *heading)
{
	popup_add(app, app->popup.count << 2 | row, "", "%s\t%s\t%s", keys,
	    names_words(app->s->names, help), names_words(app->s->names, heading));
}

/* The commands of views, or the others. */
static void
add_commands(struct app *app, bool in_views)
{
	const char *heading = NULL, *now = NULL;

	for (const struct command *c = tui_commands; c < tui_commands + tui_command_count; c++) {
		unsigned context = command_in_views(c) ? app_context(app) : c->contexts;
		char found[200], keys[80];
		bool changed;

		heading = c->group != NULL ? c->group : heading;
		if (command_in_views(c) != in_views || c->help == NULL || !command_suits(app, c))
			continue;
		changed = keymap_keys(app->keymap, context, c->name, found, sizeof(found));
		keys_label(found, keys, sizeof(keys));
		if (keys[0] == '\0' && c->usage != NULL)
			snprintf(keys, sizeof(keys), ":%s", c->usage);
		if (keys[0] == '\0')
			continue;
		if (now != heading)
			add(app, HELP_HEADING, "", "", now = heading);
		add(app, changed ? HELP_CHANGED : HELP_PLAIN, keys, c->help, heading);
	}
}

static void
add_legend(struct app *app)
{
	bool headed = false;

	for (const struct legend_row *l = legend; l < legend + legend_count; l++) {
		if ((l->contexts & app_context(app)) == 0 || (l->log && app->s->trace->log == NULL))
			continue;
		if (!headed)
			add(app, HELP_HEADING, "", "", "SIGNS");
		headed = true;
		add(app, HELP_PLAIN, l->ascii == NULL || app->canvas.utf8 ? l->sign : l->ascii,
		    l->help, "SIGNS");
	}
}

static void
fill(struct app *app)
{
	add_commands(app, true);
	add_legend(app);
	add_commands(app, false);
}

static void
draw(struct app *app, struct canvas *c, struct rect r, const struct popup_row *row)
{
	int limit = r.column + r.columns;
	int width = r.columns >= WIDE ? KEYS_WIDTH : KEYS_WIDTH_NARROW;
	struct str rest = str_from(row->text), keys = str_cut(&rest, '\t');
	struct str help = str_cut(&rest, '\t');
	int column;

	if ((row->id & 3) == HELP_HEADING) {
		canvas_text(c, r.row, r.column, limit, rest, ROLE_HEADER);
		return;
	}
	if ((row->id & 3) == HELP_CHANGED)
		canvas_put(c, r.row, r.column, '*', ROLE_MARK);
	column = canvas_text(c, r.row, r.column + 1, limit, keys, ROLE_KEY);
	if (column < r.column + width)
		column = r.column + width;
	canvas_text(c, r.row, column + 1, limit, help, ROLE_POPUP);
}

/* "nothing here; flame graph: v (value): widths" */
static void
tell(struct app *app, const char *name, const struct context_row *row)
{
	const struct command *c = commands_find(name);
	bool here = row->context == app_context(app), suits = command_suits(app, c);
	char keys[200], labels[200];

	keymap_keys(app->keymap, row->context, name, keys, sizeof(keys));
	keys_label(keys, labels, sizeof(labels));
	app_tell(app, ROLE_FOOTER, "%s%s%s%s%s(%s): %s",
	    !suits ? "not for this trace" : here ? "" : "nothing here; ",
	    here || !suits ? "" : names_words(app->s->names, row->name), here && suits ? "" : ": ",
	    labels, labels[0] != '\0' ? " " : "", name, names_words(app->s->names, c->help));
}

static void
help_key(struct app *app, const char *key)
{
	const struct context_row *row = context_find(app_context(app));
	const struct command *c = keymap_find(app->keymap, row->context, key);
	char label[32];

	/* Else the first place where it does something. */
	for (const struct context_row *r = context_table; c == NULL && r->context != 0; r++) {
		row = r;
		c = keymap_find(app->keymap, r->context, key);
		c = c != NULL && command_suits(app, c) ? c : NULL;
	}
	keys_label(key, label, sizeof(label));
	if (c != NULL)
		tell(app, c->name, row);
	else
		app_say(app, "%s does nothing", label);
}

/* In place of what the help is about: the next key is asked about, whatever it does here. */
static const char any_key[] = "which key?";

static void
set_about(struct app *app)
{
	app->popup.about = names_words(app->s->names, context_find(app_context(app))->name);
}

/*
 * A key that does nothing in this list, nor quits, tells what it does in the view; after the
 * key of the help any does.
 */
static bool
key(struct app *app, const char *name)
{
	const struct command *c = keymap_find(app->keymap, IN_LIST, name);
	const struct command *view = keymap_find(app->keymap, app_context(app), name);
	bool asked = app->popup.about == any_key;

	if (!asked && ((c != NULL && c->with != cmd_list_act) ||
			  (view != NULL && (view->flags & QUITS) != 0)))
		return false;
	set_about(app);
	if (!asked && view != NULL && view->line == cmd_help)
		app->popup.about = any_key;
	else
		help_key(app, name);
	return true;
}

static const struct popup_ops ops = {
    .title = "help: ", .width = 74, .least = 64, .fill = fill, .draw = draw, .key = key};

/* A key as the help has it, "Enter", or as the configuration does; else a command. */
bool
cmd_help(struct app *app, const struct argument *a, struct err *e)
{
	const struct context_row *row = context_find(app_context(app));
	const struct command *command;
	char key[32], named[48];

	snprintf(named, sizeof(named), "<%.*s>", STR_ARG(a->text));
	if (a->text.n == 0) {
		popup_open(app, &ops, 0);
		set_about(app);
		app_say(app, "press a key to see what it does here; ? before a key of this list");
		return true;
	}
	if (key_name_read(a->text, key, NULL) || key_name_read(str_from(named), key, NULL)) {
		help_key(app, key);
		return true;
	}
	command = commands_named(app->s->names, a->text, e);
	if (command == NULL)
		return false;
	if (commands_find_in(command->name, row->context) == NULL)
		for (row = context_table; commands_find_in(command->name, row->context) == NULL;)
			row++;
	tell(app, command->name, row);
	return true;
}
