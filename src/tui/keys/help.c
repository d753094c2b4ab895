#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/help.h"
#include "tui/keys/keymap.h"
#include "tui/keys/line.h"

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
	{ IN_CALLS, false, "!", NULL, "longer than the frame budget" },
	{ IN_CALLS, false, "+", NULL, "cut by the range, or by the trace" },
	{ IN_DIFF, false, "^ v", NULL, "slower; faster" },
	{ IN_DIFF, false, "n x", NULL, "in B only; in A only" },
	{ IN_DIFF, false, "=", NULL, "no change" },
	{ IN_ROWS | IN_CALLS, false, "5+2", NULL, "calls, and recursive calls" },
	{ IN_LINES, false, "v ^", NULL, "behind a title: largest first; smallest first" },
	{ IN_TABLE | IN_CALLS, false, "*", NULL, "marked with Space" },
};
/* clang-format on */

const size_t legend_count = sizeof(legend) / sizeof(*legend);

enum { KEYS_WIDTH = 22, KEYS_WIDTH_NARROW = 10, WIDE = 60 };

/* All keys of a command here; empty when it has none.  Returns whether they were changed. */
static bool
command_keys(const struct app *app, const struct command *command, char *out, size_t size)
{
	char keys[200];
	unsigned context = command->group == GROUP_LIST ? IN_LIST
	    : command->group == GROUP_PROMPT            ? IN_PROMPT
							: app_context(app);
	bool changed = keymap_keys(app->keymap, context, command->name, keys, sizeof(keys));

	keys_label(keys, out, size);
	return changed;
}

static struct help_row *
add(struct help_rows *rows, const char *keys, const char *help)
{
	struct help_row *row;

	MEM_GROW(rows->rows, rows->room, rows->count + 1);
	row = &rows->rows[rows->count++];
	*row = (struct help_row){.help = help, .under = rows->heading};
	snprintf(row->keys, sizeof(row->keys), "%s", keys);
	return row;
}

static void
add_heading(struct help_rows *rows, const char *heading)
{
	rows->heading = heading;
	add(rows, "", "")->heading = true;
}

/* The commands of some groups, from one to before another. */
static void
add_commands(struct help_rows *rows, const struct app *app, int from, int to)
{
	for (int group = from; group < to; group++) {
		bool headed = false;

		for (size_t i = 0; i < tui_command_count; i++) {
			const struct command *c = &tui_commands[i];
			char keys[80];
			bool changed;

			if ((int)c->group != group || c->help == NULL)
				continue;
			changed = command_keys(app, c, keys, sizeof(keys));
			if (keys[0] == '\0')
				continue;
			if (!headed)
				add_heading(rows, command_groups[group]);
			headed = true;
			add(rows, keys, c->help)->changed = changed;
		}
	}
}

static void
add_legend(struct help_rows *rows, const struct app *app)
{
	bool headed = false;

	for (const struct legend_row *l = legend; l < legend + legend_count; l++) {
		if ((l->contexts & app_context(app)) == 0 || (l->log && app->trace->log == NULL))
			continue;
		if (!headed)
			add_heading(rows, "SIGNS");
		headed = true;
		add(rows, l->ascii == NULL || app->canvas.utf8 ? l->sign : l->ascii, l->help);
	}
}

static void
add_line(struct help_rows *rows)
{
	add_heading(rows, "COMMAND LINE");
	add(rows, ":1.25s :42", "to a time, to a row");
	for (size_t i = 0; i < line_word_count; i++) {
		char usage[80];

		snprintf(usage, sizeof(usage), ":%s", line_words[i].usage);
		add(rows, usage, line_words[i].help);
	}
	add(rows, ":ACTION", "any action by its name; Tab completes");
}

static size_t
count(struct app *app)
{
	return app->help.count;
}

static void
draw(struct app *app, struct canvas *c, struct rect r, size_t item)
{
	int limit = r.column + r.columns;
	int keys = r.columns >= WIDE ? KEYS_WIDTH : KEYS_WIDTH_NARROW;
	const struct help_row *row = &app->help.rows[item];
	int column;

	if (row->heading) {
		canvas_text(c, r.row, r.column, limit, str_from(row->under), ROLE_HEADER);
		return;
	}
	if (row->changed)
		canvas_put(c, r.row, r.column, '*', ROLE_MARK);
	column = canvas_text(c, r.row, r.column + 1, limit, str_from(row->keys), ROLE_KEY);
	if (column < r.column + keys)
		column = r.column + keys;
	canvas_text(c, r.row, column + 1, limit, str_from(row->help), ROLE_POPUP);
}

/* A hit in a heading finds all rows under it. */
static void
text(struct app *app, size_t item, char *out, size_t size)
{
	const struct help_row *row = &app->help.rows[item];

	snprintf(out, size, "%s %s %s", row->keys, row->help, row->under);
}

static const struct popup_ops ops = {
    .title = "help: ", .width = 74, .least = 64, .count = count, .draw = draw, .text = text};

void
help_open(struct app *app)
{
	struct help_rows *rows = &app->help;

	rows->count = 0;
	add_commands(rows, app, 0, GROUP_LIST);
	add_legend(rows, app);
	add_commands(rows, app, GROUP_LIST, COMMAND_GROUPS);
	add_line(rows);
	popup_open(app, &ops, 0);
	app->popup.about = context_find(app_context(app))->name;
}

void
help_release(struct help_rows *rows)
{
	mem_free(rows->rows);
	*rows = (struct help_rows){0};
}
