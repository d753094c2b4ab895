#include <config.h>

#include <stdio.h>

#include "base/number.h"
#include "base/outfile.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/complete.h"
#include "tui/keys/line.h"
#include "tui/popups/choice.h"
#include "tui/writing.h"

/* Settings ---------------------------------------------------------------------------- */

static void
say_setting(struct app *app, struct str whole, const char *more)
{
	struct str section, name;
	const struct setting *s = settings_find(whole);
	const struct setting_section *in;
	struct sbuf value = {0};

	settings_split(whole, &section, &name);
	in = settings_find_section(section);
	if (s != NULL)
		settings_get(app->settings, s, &value);
	else if (in != NULL)
		in->get(in, app->settings, name, &value);
	app_say(app, "%.*s=%s%s", STR_ARG(whole), sbuf_cstr(&value), more);
	sbuf_release(&value);
}

static bool
change(struct app *app, struct str whole, struct str value, struct err *e)
{
	struct str section, name;
	const struct setting_section *in;
	const struct setting *s;

	settings_split(whole, &section, &name);
	if (!settings_set(app->settings, section, name, value, e))
		return false;
	settings_note(app->settings, section, name, value);
	in = settings_find_section(section);
	s = in == NULL ? settings_find(name) : NULL;
	if (in != NULL && in->apply != NULL)
		in->apply(app);
	if (s != NULL)
		setting_apply(app, s);
	/* Unless it has said itself what came of it. */
	if (app->message[0] == '\0')
		say_setting(app, whole,
		    s != NULL && s->at_start ? " at the next start, if you :save"
					     : " (:save keeps it)");
	return true;
}

/* "name=value", "name" and "noname" for switches, "name?" or "name" for the value. */
static bool
line_set(struct app *app, struct str rest, struct err *e)
{
	struct str value = rest, name = str_trim(str_cut(&value, '='));
	const struct setting *s = settings_find(name);

	if (name.n == 0)
		return err_set(e, ERR_MALFORMED, "want name=value (Tab shows names)");
	if (value.p != NULL)
		return change(app, name, str_trim(value), e);
	/* Settings that keys changed are in force, too. */
	settings_collect(app, app->settings);
	if (name.p[name.n - 1] == '?') {
		name.n--;
		s = settings_find(name);
	} else if (s != NULL && s->type == &setting_switch) {
		return change(app, name, STR("on"), e);
	} else if (s == NULL && str_starts(name, STR("no"))) {
		struct str positive = {name.p + 2, name.n - 2};

		s = settings_find(positive);
		if (s != NULL && s->type == &setting_switch)
			return change(app, positive, STR("off"), e);
		s = NULL;
	}
	if (s == NULL) {
		struct str section, inner;

		settings_split(name, &section, &inner);
		if (section.n == 0)
			return err_set(e, ERR_MALFORMED, "there is no setting '%.*s'",
			    (int)(name.n < 40 ? name.n : 40), name.p);
	}
	say_setting(app, name, "");
	return true;
}

static bool
line_save(struct app *app, struct str rest, struct err *e)
{
	size_t changes;

	(void)rest;
	settings_collect(app, app->settings);
	changes = app->settings->changes.count;
	if (changes == 0 && app->settings->path != NULL) {
		app_say(app, "nothing was changed");
		return true;
	}
	if (!settings_save(app->settings, e))
		return false;
	app_say(app, "%zu setting%s saved in %s", changes, changes == 1 ? "" : "s",
	    app->settings->path);
	return true;
}

static bool
run_marks(struct app *app, struct str rest, struct err *e)
{
	(void)rest;
	return pick_bookmarks(app) ||
	    err_set(e, ERR_MALFORMED, "no bookmarks in this trace (m sets one)");
}

static bool
run_quit(struct app *app, struct str rest, struct err *e)
{
	(void)rest;
	(void)e;
	cmd_quit(app);
	return true;
}

static bool
write_file(struct app *app, struct str rest, bool over, struct err *e)
{
	struct err why = {0};
	char path[PROMPT_MAX + 1];

	if (rest.n == 0)
		return err_set(e, ERR_MALFORMED, "want the name of a file");
	snprintf(path, sizeof(path), "%.*s", STR_ARG(rest));
	if (export_file(app, path, over, &why))
		return true;
	if (!over && outfile_exists(path))
		return err_set(e, ERR_SYSTEM, "the file is there; write! writes over it");
	*e = why;
	return false;
}

static bool
run_write(struct app *app, struct str rest, struct err *e)
{
	return write_file(app, rest, false, e);
}

static bool
run_write_over(struct app *app, struct str rest, struct err *e)
{
	return write_file(app, rest, true, e);
}

static bool
run_diff(struct app *app, struct str rest, struct err *e)
{
	char path[PROMPT_MAX + 1];

	if (rest.n == 0 && app->compare.state == COMPARE_NONE)
		return err_set(e, ERR_MALFORMED, "want the trace that was before");
	if (rest.n == 0) {
		compare_end(app);
		app_say(app, "compared no more");
		return true;
	}
	snprintf(path, sizeof(path), "%.*s", STR_ARG(rest));
	return compare_open(app, path, e);
}

/* The view follows when it is drawn. */
static bool
run_min(struct app *app, struct str rest, struct err *e)
{
	struct diff_table *t = &app->compare.table;
	nsec min = 0;

	if (app->compare.state == COMPARE_NONE)
		return err_set(e, ERR_MALFORMED, "min is of a comparison (:diff FILE)");
	if (rest.n > 0 && !timetext_parse(rest, &min, e))
		return false;
	t->min_given = rest.n > 0;
	t->by.min = min; /* unless given, found anew */
	return true;
}

static bool
run_reload(struct app *app, struct str rest, struct err *e)
{
	(void)rest;
	return reload_begin(app, e);
}

/* clang-format off */
const struct line_word line_words[] = {
	{ "set", LINE_SETTING, "set NAME=VALUE",
	    "change a setting; NAME alone or NAME? shows it", line_set },
	{ "save", LINE_NOTHING, "save", "write the changed settings into their file",
	    line_save },
	{ "write", LINE_FILE, "write FILE",
	    "write the view; .csv .json .folded, else as text", run_write },
	{ "write!", LINE_FILE, "write! FILE", "the same, also over a file that is there",
	    run_write_over },
	{ "diff", LINE_FILE, "diff FILE",
	    "compare with that older trace; alone: end that", run_diff },
	{ "min", LINE_TEXT, "min TIME",
	    "less is no change of two traces; alone: default", run_min },
	{ "reload", LINE_NOTHING, "reload",
	    "load the file again; what is chosen stays", run_reload },
	{ "level", LINE_LEVEL, "level LEVEL",
	    "of a log slices of this level and above; all", choice_line_level },
	{ "tag", LINE_TAG, "tag TAG,TAG",
	    "of a log slices with any of these tags; all", choice_line_tags },
	{ "process", LINE_PROCESS, "process PROCESS",
	    "of a log one process, by id or name; all", choice_line_process },
	{ "marks", LINE_NOTHING, "marks", "list the bookmarks of the trace", run_marks },
	{ "q", LINE_NOTHING, "q", "quit", run_quit },
};
/* clang-format on */

const size_t line_word_count = sizeof(line_words) / sizeof(line_words[0]);

/* Lines ------------------------------------------------------------------------------ */

static void
go_to_row(struct app *app, uint64_t row)
{
	struct list *list = views_list(app);
	size_t rows = 0;

	if (app_context(app) == IN_TABLE) {
		list_move(list, (int64_t)row - (int64_t)list->at.cursor);
		return;
	}
	/* Rows count from 1, as in any view. */
	(void)views_position(app, &rows);
	if (row > rows)
		row = rows;
	cmd_move(app, -MOVE_END);
	for (size_t i = 1; i < row; i++)
		cmd_move(app, MOVE_LINE);
}

static void
go_to_time(struct app *app, nsec at)
{
	struct axis *axis = &app->timeline.axis;
	char text[FMT_SIZE];

	if (at >= axis->end) {
		app_complain(app, "the trace ends at %s%s",
		    axis_time(text, axis->end, 1000, &app->scale),
		    timescale_unit(&app->scale));
		return;
	}
	if (at < axis->begin)
		at = axis->begin;
	axis_move_to(axis, at);
	app_say(app, "time cursor at %s%s", axis_time(text, at, 1000, &app->scale),
	    timescale_unit(&app->scale));
}

/* An action by its name, or by a beginning that only one has. */
static const struct command *
find_action(struct str word, struct err *e)
{
	const struct command *found = NULL;

	for (size_t i = 0; i < tui_command_count; i++) {
		struct str name = str_from(tui_commands[i].name);

		if (!command_in_views(&tui_commands[i]))
			continue;
		if (str_equal(name, word))
			return &tui_commands[i];
		if (!str_starts(name, word))
			continue;
		if (found != NULL && !str_equal(str_from(found->name), name)) {
			err_set(e, ERR_MALFORMED, "'%.*s' can be %s, %s, ... (Tab)",
			    (int)(word.n < 40 ? word.n : 40), word.p, found->name,
			    tui_commands[i].name);
			return NULL;
		}
		found = &tui_commands[i];
	}
	if (found == NULL)
		err_set(e, ERR_MALFORMED, "there is no action '%.*s' (Tab shows all)",
		    (int)(word.n < 40 ? word.n : 40), word.p);
	return found;
}

/* An action that asks gets its answer from the line. */
static bool
run_action(struct app *app, struct str word, struct str rest, struct err *e)
{
	const struct command *command = find_action(word, e), *here;

	if (command == NULL)
		return false;
	here = commands_find_in(command->name, app_context(app));
	if (here == NULL)
		return err_set(e, ERR_MALFORMED, "%s does nothing in this view",
		    command->name);
	command_do(app, here);
	if (rest.n == 0)
		return true;
	if (app->ask == NULL)
		return err_set(e, ERR_MALFORMED, "%s takes nothing", command->name);
	app_ask(app, app->ask, rest);
	app_accept(app);
	return true;
}

static const struct line_word *
find_word(struct str word)
{
	for (size_t i = 0; i < line_word_count; i++)
		if (str_equal(str_from(line_words[i].name), word))
			return &line_words[i];
	return NULL;
}

enum line_takes
line_takes(struct str word)
{
	const struct line_word *found = find_word(word);

	return found != NULL ? found->takes : LINE_TEXT;
}

/* Does what a line says; false, and why, when it cannot be. */
static bool
line_run(struct app *app, struct str line, struct err *e)
{
	struct str rest = str_trim(line), all = rest, word = str_cut(&rest, ' ');
	const struct line_word *found = find_word(word);
	uint64_t row;
	nsec at;

	if (all.n == 0)
		return true;
	rest = str_trim(rest);
	if (digits_take(all.p, all.p + all.n, 18, &row) == all.p + all.n) {
		go_to_row(app, row);
		return true;
	}
	if (is_digit(all.p[0])) {
		if (!timescale_parse(&app->scale, all, &at, e))
			return false;
		go_to_time(app, at);
		return true;
	}
	if (found == NULL)
		return run_action(app, word, rest, e);
	if (found->takes == LINE_NOTHING && rest.n > 0)
		return err_set(e, ERR_MALFORMED, "%s takes nothing", found->name);
	return found->run(app, rest, e);
}

/* The prompt ----------------------------------------------------------------------------- */

static bool
accepted(struct app *app)
{
	struct err e = {0};
	char line[PROMPT_MAX + 1];

	/* The line may open another prompt. */
	snprintf(line, sizeof(line), "%.*s", STR_ARG(prompt_text(&app->prompt)));
	if (line_run(app, str_from(line), &e))
		return true;
	if (app->ask == NULL)
		prompt_error(&app->prompt, app->prompt.n, e.what);
	return false;
}

static const struct ask ask_line = {
    .label = ":", .accepted = accepted, .complete = complete_line, .kind = ':'};

void
cmd_line(struct app *app)
{
	app_ask(app, &ask_line, STR(""));
}
