#include <config.h>

#include "tui/help.h"

#include <stdio.h>
#include <string.h>

#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/keymap.h"
#include "tui/legend.h"
#include "tui/line.h"

/*
 * One row: a heading, a command with all its keys, or a sign.  Rows are found by walking the
 * tables anew: they are short, and nothing can then differ from them.
 */
struct help_row {
	const char *heading;
	bool changed; /* by the configuration */
	char keys[80];
	const char *help;
};

enum { KEYS_WIDTH = 22, KEYS_WIDTH_NARROW = 10, WIDE = 60 };

/* All keys of a command here; empty when it has none.  Returns whether they were changed. */
static bool
command_keys(const struct app *app, const struct command *command, char *out, size_t size)
{
	char keys[200];
	bool changed =
	    keymap_keys(app->keymap, app_context(app), command->name, keys, sizeof(keys));

	bindings_label(keys, out, size);
	return changed;
}

/* Fills row `index` if it is among those walked; counts `*at` on. */
static bool
take(size_t *at, size_t index, struct help_row *row, const char *heading,
    const char *keys, const char *help)
{
	if ((*at)++ != index)
		return false;
	row->heading = heading;
	row->changed = false;
	row->help = help;
	snprintf(row->keys, sizeof(row->keys), "%s", keys);
	return true;
}

static bool
command_rows(const struct app *app, size_t *at, size_t index, struct help_row *row)
{
	for (int group = 0; group < COMMAND_GROUPS; group++) {
		bool headed = false;

		for (size_t i = 0; i < tui_command_count; i++) {
			char keys[80];
			bool changed;

			if ((int)tui_commands[i].group != group)
				continue;
			changed = command_keys(app, &tui_commands[i], keys, sizeof(keys));
			if (keys[0] == '\0')
				continue;
			if (!headed &&
			    take(at, index, row, command_groups[group], "", ""))
				return true;
			headed = true;
			if (take(at, index, row, NULL, keys, tui_commands[i].help)) {
				row->changed = changed;
				return true;
			}
		}
	}
	return false;
}

static bool
legend_rows(const struct app *app, size_t *at, size_t index, struct help_row *row)
{
	bool headed = false;

	for (const struct legend_row *l = legend; l < legend + legend_count; l++) {
		if ((l->contexts & app_context(app)) == 0 || (l->log && app->trace->log == NULL))
			continue;
		if (!headed && take(at, index, row, "SIGNS", "", ""))
			return true;
		headed = true;
		if (take(at, index, row, NULL,
			l->ascii == NULL || app->canvas.utf8 ? l->sign : l->ascii, l->help))
			return true;
	}
	return false;
}

static bool
list_rows(size_t *at, size_t index, struct help_row *row)
{
	char keys[80];

	if (take(at, index, row, "IN A LIST", "", ""))
		return true;
	for (const struct popup_binding *b = popup_bindings; b->keys != NULL; b++) {
		bindings_label(b->keys, keys, sizeof(keys));
		if (take(at, index, row, NULL, keys, b->help))
			return true;
	}
	return false;
}

/* Bindings of one meaning stand together in the table, and on one line here. */
static bool
prompt_rows(size_t *at, size_t index, struct help_row *row)
{
	char keys[80];

	if (take(at, index, row, "WHILE TYPING", "", ""))
		return true;
	for (const struct prompt_binding *b = prompt_bindings; b->key != NULL;) {
		const struct prompt_binding *first = b;
		size_t used = 0;

		keys[0] = '\0';
		for (; b->key != NULL && b->act == first->act; b++) {
			if (used > 0)
				used += (size_t)snprintf(
				    keys + used, sizeof(keys) - used, " ");
			bindings_label(b->key, keys + used, sizeof(keys) - used);
			used += strlen(keys + used);
		}
		if (take(at, index, row, NULL, keys, first->help))
			return true;
	}
	return false;
}

static bool
line_rows(size_t *at, size_t index, struct help_row *row)
{
	if (take(at, index, row, "COMMAND LINE", "", "") ||
	    take(at, index, row, NULL, ":1.25s :42", "to a time, to a row"))
		return true;
	for (size_t i = 0; i < line_word_count; i++) {
		char usage[80];

		snprintf(usage, sizeof(usage), ":%s", line_words[i].usage);
		if (take(at, index, row, NULL, usage, line_words[i].help))
			return true;
	}
	return take(at, index, row, NULL, ":ACTION", "any action by its name; Tab completes");
}

/* False when there are not so many; `*at` is how many there are then. */
static bool
find(const struct app *app, size_t index, struct help_row *row, size_t *at)
{
	*at = 0;
	return command_rows(app, at, index, row) || legend_rows(app, at, index, row) ||
	       list_rows(at, index, row) || prompt_rows(at, index, row) ||
	       line_rows(at, index, row);
}

static size_t
count(struct app *app)
{
	struct help_row row;
	size_t at;

	find(app, SIZE_MAX, &row, &at);
	return at;
}

static void
draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	int limit = r.column + r.columns;
	int keys = r.columns >= WIDE ? KEYS_WIDTH : KEYS_WIDTH_NARROW;
	struct help_row row;
	size_t at;
	int column;

	(void)selected;
	if (!find(app, item, &row, &at))
		return;
	if (row.heading != NULL) {
		canvas_text(
		    c, r.row, r.column, limit, str_from(row.heading), ROLE_HEADER);
		return;
	}
	if (row.changed)
		canvas_put(c, r.row, r.column, '*', ROLE_MARK);
	column = canvas_text(c, r.row, r.column + 1, limit, str_from(row.keys), ROLE_KEY);
	if (column < r.column + keys)
		column = r.column + keys;
	canvas_text(c, r.row, column + 1, limit, str_from(row.help), ROLE_POPUP);
}

/* Headings are in no hit: with a filter, lines stand for themselves. */
static void
text(struct app *app, size_t item, char *out, size_t size)
{
	struct help_row row;
	size_t at;

	out[0] = '\0';
	if (find(app, item, &row, &at) && row.heading == NULL)
		snprintf(out, size, "%s %s", row.keys, row.help);
}

static const struct popup_ops ops = {
    .title = "help: ", .width = 74, .least = 64, .count = count, .draw = draw, .text = text};

void
help_open(struct app *app)
{
	popup_open(app, &ops, 0);
	app->popup.about = context_find(app_context(app))->name;
}
