// SPDX-License-Identifier: Apache-2.0
/*
 * The command line: a command by its name and what it takes; a row, a time or a range without
 * a name.  A line is read whole before anything of it runs.
 */
#include <config.h>

#include <stdio.h>

#include "base/number.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/complete.h"

/* Where a line without a name goes ---------------------------------------------------- */

static void
go_to_row(struct app *app, uint64_t row)
{
	struct list *list = screens_list(app);
	size_t rows = 0;

	if (app_context(app) == IN_TABLE) {
		list_move(list, (int64_t)row - 1 - (int64_t)list->at.cursor);
		return;
	}
	/* Rows count from 1, as in any view. */
	(void)screens_position(app, &rows);
	if (row > rows)
		row = rows;
	cmd_move(app, -MOVE_END);
	for (size_t i = 1; i < row; i++)
		cmd_move(app, MOVE_LINE);
}

bool
cmd_go(struct app *app, const struct argument *to, struct err *e)
{
	struct axis *axis = &app->s->timeline.axis;

	if (to->text.n == 0)
		return err_set(e, ERR_MALFORMED, "expected a row, a time or a range");
	if (to->row > 0)
		go_to_row(app, to->row);
	else if (to->time.from >= axis->end)
		return err_set(e, ERR_MALFORMED, "the trace ends at %s%s",
		    axis_time(FMT_BUF, axis->end, 1000, &app->s->scale),
		    timescale_unit(&app->s->scale));
	else if (to->time.to > to->time.from)
		app_limit(app, window_around(to->time, to->time, app->s->now.begin,
		    app->s->now.end));
	else {
		axis_move_to(axis, nsec_max(to->time.from, axis->begin));
		app_say(app, "time cursor at %s%s",
		    axis_time(FMT_BUF, axis->cursor, 1000, &app->s->scale),
		    timescale_unit(&app->s->scale));
	}
	return true;
}

/* Reading --------------------------------------------------------------------------- */

/* "14s-14.1s", "1.2-1.3 s", "14:03:05-14:03:06": the unit of the second is the first's, too. */
static bool
read_range(const struct app *app, struct str from, struct str to, struct range *out, struct err *e)
{
	struct str unit = timetext_unit(to);

	if (unit.n == 0 && memchr(to.p, ':', to.n) == NULL)
		return err_set(e, ERR_MALFORMED, "a range needs a unit: 14s-14.1s");
	if (!timescale_parse(&app->s->scale, from, unit, &out->from, e) ||
	    !timescale_parse(&app->s->scale, to, unit, &out->to, e))
		return false;
	return out->from < out->to ||
	    err_set(e, ERR_MALFORMED, "the range ends before it begins");
}

/* A row, a time, as the axis has it or with a unit, or a range. */
static bool
read_place(const struct app *app, struct argument *a, struct err *e)
{
	const char *end = a->text.p + a->text.n;
	struct str to = a->text, from = str_trim(str_cut(&to, '-'));

	if (digits_take(a->text.p, end, 18, &a->row) == end)
		return true;
	a->row = 0;
	if (to.p != NULL)
		return read_range(app, from, str_trim(to), &a->time, e);
	if (!timescale_parse(&app->s->scale, from,
		str_from(axis_unit(&app->s->timeline.axis, timeline_pane_cells(&app->s->timeline),
		    &app->s->scale)),
		&a->time.from, e))
		return false;
	a->time.to = a->time.from;
	return true;
}

static bool
read_argument(const struct app *app, const struct command *command, struct argument *a,
    struct err *e)
{
	if (a->text.n == 0)
		return true;
	if (command->takes == ARG_NONE)
		return err_set(e, ERR_MALFORMED, "%s takes no argument", command->name);
	if (command->takes == ARG_PLACE)
		return read_place(app, a, e);
	if (command->takes == ARG_TIME && !str_equal(a->text, STR("all")))
		return timetext_parse(a->text, &a->time.from, e);
	return true;
}

/* The command of a line, and its argument; NULL and `e`: it cannot be. */
static const struct command *
read_line(const struct app *app, struct str line, struct argument *a, struct err *e)
{
	struct str rest = line, word = str_cut(&rest, ' ');
	const struct command *named, *command;
	const char *why;

	if (is_digit(word.p[0])) {
		rest = line;
		word = STR("go");
	}
	named = commands_named(app->s->names, word, e);
	if (named == NULL)
		return NULL;
	/* A view is opened by its name from everywhere. */
	command = named->with == cmd_view ? named : commands_find_in(named->name, app_context(app));
	why = command == NULL ? "does nothing in this view" : command_lacks(app, command);
	if (why != NULL) {
		err_set(e, ERR_UNSUPPORTED, command == NULL ? "%s %s" : "%s: %s", named->name, why);
		return NULL;
	}
	/* A command that would ask for a text gets the rest of the line as it is. */
	a->text = rest.p == NULL ? STR("") : command->line != NULL ? str_trim(rest) : rest;
	a->arg = command->arg;
	return read_argument(app, command, a, e) ? command : NULL;
}

/* The prompt ----------------------------------------------------------------------------- */

static bool
accepted(struct app *app)
{
	char text[PROMPT_MAX + 1];
	struct argument a = {.text = {NULL, 0}};
	const struct command *command;
	struct str line;
	struct err e = {0};

	/* The command may open another prompt. */
	snprintf(text, sizeof(text), "%.*s", STR_ARG(prompt_text(&app->prompt)));
	line = str_trim_left(str_from(text));
	if (line.n == 0)
		return true;
	command = read_line(app, line, &a, &e);
	if (command == NULL || (command->line != NULL && !command->line(app, &a, &e))) {
		prompt_error(&app->prompt, app->prompt.n, e.what);
		return false;
	}
	if (command->line != NULL)
		return true;
	command_do(app, command);
	if (a.text.n > 0 && app->ask != NULL) {
		app_ask(app, app->ask, a.text);
		app_accept(app);
	}
	return true;
}

static const struct ask ask_line = {
    .label = ":", .accepted = accepted, .complete = complete_line, .kind = ':'};

void
cmd_line(struct app *app)
{
	app_ask(app, &ask_line, STR(""));
}
