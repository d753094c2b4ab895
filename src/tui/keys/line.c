// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/outfile.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
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
		return err_set(e, ERR_MALFORMED, "expected name=value (Tab shows names)");
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
	return pick_bookmarks(app) ||
	    err_set(e, ERR_MALFORMED, "no bookmarks in this trace (m sets one)");
}

static bool line_help(struct app *, struct str rest, struct err *);

static bool
run_quit(struct app *app, struct str rest, struct err *e)
{
	cmd_quit(app);
	return true;
}

static bool
write_file(struct app *app, struct str rest, bool over, struct err *e)
{
	struct err why = {0};
	char path[PROMPT_MAX + 1];

	if (rest.n == 0)
		return err_set(e, ERR_MALFORMED, "expected the name of a file");
	snprintf(path, sizeof(path), "%.*s", STR_ARG(rest));
	if (export_file(app, path, over, &why))
		return true;
	if (!over && outfile_exists(path))
		return err_set(e, ERR_SYSTEM, "the file exists; write! overwrites it");
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

	if (rest.n == 0 && !compare_is_on(app))
		return err_set(e, ERR_MALFORMED, "expected the earlier trace");
	if (rest.n == 0) {
		compare_end(app);
		app_say(app, "comparison closed");
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

	if (!compare_is_on(app))
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
	return follow_again(app, e) && reload_begin(app, false, e);
}

static bool
run_follow(struct app *app, struct str rest, struct err *e)
{
	return follow_start(app, e);
}

static bool
run_nofollow(struct app *app, struct str rest, struct err *e)
{
	return follow_stop(app, e);
}

static bool
run_window(struct app *app, struct str rest, struct err *e)
{
	nsec window = 0;

	if (rest.n > 0 && !str_equal(rest, STR("all")) && !timetext_parse(rest, &window, e))
		return false;
	return follow_window(app, window > 0 ? window : 0, e);
}

/* clang-format off */
const struct line_word line_words[] = {
	{ "set", LINE_SETTING, "set NAME=VALUE",
	    "change a setting; NAME alone or NAME? shows it", line_set },
	{ "save", LINE_NOTHING, "save", "write the changed settings into their file",
	    line_save },
	{ "write", LINE_FILE, "write FILE",
	    "write the view; .csv .json .folded, else as text", run_write },
	{ "write!", LINE_FILE, "write! FILE", "the same, overwriting an existing file",
	    run_write_over },
	{ "diff", LINE_FILE, "diff FILE",
	    "compare with that older trace; alone: end that", run_diff },
	{ "min", LINE_TEXT, "min TIME",
	    "smaller changes do not count; alone: default", run_min },
	{ "reload", LINE_NOTHING, "reload",
	    "load the file again; selections stay", run_reload },
	{ "follow", LINE_NOTHING, "follow",
	    "go on with what is appended to the file", run_follow },
	{ "nofollow", LINE_NOTHING, "nofollow",
	    "stop that; the figures stay", run_nofollow },
	{ "window", LINE_TEXT, "window TIME",
	    "follow: figures of the last TIME; all", run_window },
	{ "level", LINE_LEVEL, "level LEVEL",
	    "logs: slices of this level and above; all", choice_line_level },
	{ "tag", LINE_TAG, "tag TAG,TAG",
	    "logs: slices with any of these tags; all", choice_line_tags },
	{ "process", LINE_PROCESS, "process PROCESS",
	    "logs: one process, by id or name; all", choice_line_process },
	{ "marks", LINE_NOTHING, "marks", "list the bookmarks of the trace", run_marks },
	{ "help", LINE_TEXT, "help KEY",
	    "what a key or an action does; alone: all keys", line_help },
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
			err_set(e, ERR_MALFORMED, "'%.*s' is ambiguous: %s, %s, ... (Tab)",
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

static bool
is_of_log(enum line_takes takes)
{
	return takes == LINE_LEVEL || takes == LINE_TAG || takes == LINE_PROCESS;
}

bool
line_word_suits(const struct app *app, const struct line_word *word)
{
	return (!is_of_log(word->takes) || app->trace->log != NULL) &&
	    (word->run != run_min || compare_is_on(app));
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
		return err_set(e, ERR_MALFORMED, "%s takes no argument", command->name);
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

/* A key as the help has it, "Enter", or as the configuration does; else an action. */
static bool
line_help(struct app *app, struct str rest, struct err *e)
{
	const struct command *command;
	char key[32], named[48];

	snprintf(named, sizeof(named), "<%.*s>", STR_ARG(rest));
	if (rest.n == 0) {
		help_open(app);
		return true;
	}
	if (key_name_read(rest, key, NULL) || key_name_read(str_from(named), key, NULL)) {
		help_key(app, key);
		return true;
	}
	command = find_action(rest, e);
	if (command != NULL)
		help_command(app, command->name);
	return command != NULL;
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
		return err_set(e, ERR_MALFORMED, "%s takes no argument", found->name);
	if (is_of_log(found->takes) && app->trace->log == NULL)
		return err_set(
		    e, ERR_UNSUPPORTED, "a method trace has no levels, tags and processes");
	return found->run(app, rest, e);
}

/* Words that Tab offers ------------------------------------------------------------- */

/* Words that begin with a stem, each once, in their order in the alphabet. */
struct offer {
	struct str stem;
	struct sbuf *words;
	size_t count, room;
};

static void
add_parts(struct offer *o, struct str before, struct str word)
{
	struct sbuf text = {0};

	sbuf_str(&text, before);
	sbuf_str(&text, word);
	if (!str_starts(sbuf_view(&text), o->stem)) {
		sbuf_release(&text);
		return;
	}
	MEM_GROW(o->words, o->room, o->count + 1);
	o->words[o->count++] = text;
}

static void
add(struct offer *o, const char *word)
{
	add_parts(o, STR(""), str_from(word));
}

static int
by_text(const void *a, const void *b)
{
	return str_compare(sbuf_view(a), sbuf_view(b));
}

/* Hands them to the prompt. */
static bool
give(struct app *app, struct offer *o, size_t from)
{
	struct sbuf all = {0};
	struct str last = {NULL, 0};
	bool changed;

	if (o->count > 0)
		qsort(o->words, o->count, sizeof(o->words[0]), by_text);
	for (size_t i = 0; i < o->count && all.n < PROMPT_OFFER; i++) {
		struct str word = sbuf_view(&o->words[i]);

		if (last.p == NULL || !str_equal(word, last)) {
			sbuf_str(&all, word);
			sbuf_char(&all, '\n');
		}
		last = word;
	}
	changed = prompt_offer(&app->prompt, from, sbuf_view(&all));
	if (o->count == 0)
		app_complain(app, "no completion");
	for (size_t i = 0; i < o->count; i++)
		sbuf_release(&o->words[i]);
	mem_free(o->words);
	sbuf_release(&all);
	return changed;
}

/* Packages ---------------------------------------------------------------------- */

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || (c & 0x80) != 0 ||
	       (c != '\0' && strchr("._$", c) != NULL);
}

bool
complete_package(struct app *app)
{
	const struct prompt *p = &app->prompt;
	size_t from = p->at;
	struct offer o = {0};
	uint32_t count = trace_method_count(app->trace);

	while (from > 0 && is_name(p->text[from - 1]))
		from--;
	o.stem = (struct str){p->text + from, p->at - from};
	for (uint32_t i = 1; i < count; i++) {
		struct str name = names_class(app->names, i), rest;
		size_t n;

		if (!str_starts(name, o.stem))
			continue;
		/* Up to the next dot. */
		rest = (struct str){name.p + o.stem.n, name.n - o.stem.n};
		str_cut(&rest, '.');
		n = rest.p != NULL ? (size_t)(rest.p - name.p) : name.n;
		if (o.count > 0 && str_equal(sbuf_view(&o.words[o.count - 1]),
				       (struct str){name.p, n}))
			continue;
		add_parts(&o, STR(""), (struct str){name.p, n});
	}
	return give(app, &o, from);
}

/* Words of the command line ---------------------------------------------------------------- */

static void
add_settings(struct offer *o)
{
	for (size_t i = 0; i < setting_count; i++)
		add(o, setting_table[i].name);
	for (size_t i = 0; i < setting_section_count; i++) {
		const struct setting_section *s = &setting_sections[i];
		char before[40];

		snprintf(before, sizeof(before), "%s.", s->name);
		add(o, before);
		for (int k = 0; s->name_at != NULL && s->name_at(s, k) != NULL; k++)
			if (str_starts(o->stem, str_from(before)))
				add_parts(o, str_from(before), str_from(s->name_at(s, k)));
	}
}

static void
add_values(struct offer *o, const struct settings *now, struct str whole)
{
	struct str section, name;
	const struct setting *s;
	const struct setting_section *in;
	struct sbuf value = {0};

	settings_split(whole, &section, &name);
	s = settings_find(whole);
	in = settings_find_section(section);
	for (int i = 0; s != NULL && s->words != NULL && s->words[i] != NULL; i++)
		add(o, s->words[i]);
	if (s != NULL && s->type == &setting_switch) {
		add(o, "on");
		add(o, "off");
	} else if (s != NULL && s->words == NULL) {
		settings_get(now, s, &value);
	} else if (in != NULL) {
		in->get(in, now, name, &value);
	}
	if (value.n > 0)
		add(o, value.p);
	sbuf_release(&value);
}

/* Names in the folder of an unfinished path. */
static void
add_files(struct offer *o)
{
	struct str folder = o->stem;
	char path[PROMPT_MAX + 1];
	struct dirent *entry;
	DIR *dir;

	while (folder.n > 0 && folder.p[folder.n - 1] != '/')
		folder.n--;
	snprintf(path, sizeof(path), "%.*s", STR_ARG(folder));
	dir = opendir(folder.n > 0 ? path : ".");
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		bool hidden = entry->d_name[0] == '.' && o->stem.n == folder.n;

		if (!hidden && strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    strchr(entry->d_name, '\n') == NULL)
			add_parts(o, folder, str_from(entry->d_name));
	}
	if (dir != NULL)
		closedir(dir);
}

bool
complete_file(struct app *app)
{
	struct offer o = {.stem = {app->prompt.text, app->prompt.at}};

	add_files(&o);
	return give(app, &o, 0);
}

/* Offers a log's levels, tags (for the last of several) and processes. */
static void
add_choices(struct offer *o, const struct app *app, enum line_takes takes)
{
	const struct log *log = app->trace->log;
	struct str before = o->stem;

	while (before.n > 0 && before.p[before.n - 1] != ',')
		before.n--;
	add(o, "all");
	for (int i = 0; takes == LINE_LEVEL && i < LOG_LEVELS; i++)
		add(o, log_levels[i].name);
	for (int tag = 0; takes == LINE_TAG && tag < LOG_TAGS; tag++) {
		struct sbuf name = {0};

		log_tag_text(&name, tag);
		if (app->now.log.tags[tag] > 0)
			add_parts(o, before, sbuf_view(&name));
		sbuf_release(&name);
	}
	for (uint32_t i = 0; takes == LINE_PROCESS && i < seg_count(&log->processes); i++) {
		const struct log_process *p = seg_at(&log->processes, i);
		char id[16];

		snprintf(id, sizeof(id), "%" PRIu32, p->pid);
		add(o, id);
		if (p->name.n > 0)
			add_parts(o, STR(""), names_clean(app->names, p->name));
	}
}

static bool
complete_line(struct app *app)
{
	const struct prompt *p = &app->prompt;
	struct str text = {p->text, p->at}, word, rest = text;
	struct offer o = {0};
	const struct line_word *known;
	enum line_takes takes;

	word = str_cut(&rest, ' ');
	if (rest.p == NULL) {
		o.stem = word;
		for (size_t i = 0; i < line_word_count; i++)
			add(&o, line_words[i].name);
		for (size_t i = 0; i < tui_command_count; i++)
			if (command_in_views(&tui_commands[i]))
				add(&o, tui_commands[i].name);
		return give(app, &o, 0);
	}
	known = find_word(word);
	takes = known != NULL ? known->takes : LINE_TEXT;
	o.stem = rest;
	if (takes == LINE_SETTING) {
		const char *equals = memchr(rest.p, '=', rest.n);

		if (equals == NULL) {
			add_settings(&o);
		} else {
			o.stem = (struct str){
			    equals + 1, (size_t)(rest.p + rest.n - equals) - 1};
			add_values(&o, app->settings,
			    (struct str){rest.p, (size_t)(equals - rest.p)});
		}
	} else if (takes == LINE_FILE) {
		add_files(&o);
	} else if (is_of_log(takes) && app->trace->log != NULL) {
		add_choices(&o, app, takes);
	}
	return give(app, &o, (size_t)(o.stem.p - p->text));
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
