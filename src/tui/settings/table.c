// SPDX-License-Identifier: Apache-2.0
/* All settings and their effects on the program; slowtop-config(5) describes them. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/settings/settings.h"
#include "tui/tui.h"
#include "view/calls_list.h"
#include "view/threads.h"
#include "view/timeline/pane.h"

/* Keys ------------------------------------------------------------------------------ */

static bool
set_key(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	return keymap_set(s->keymap, name, value, e);
}

static void
get_key(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	char command[80], keys[200];

	snprintf(command, sizeof(command), "%.*s", STR_ARG(name));
	keymap_keys(s->keymap, ~0u, command, keys, sizeof(keys));
	sbuf_text(out, keys);
}

static const char *
action_name(const struct setting_section *section, int i)
{
	/* Rows of one name follow each other. */
	for (size_t k = 0; k < tui_command_count; k++)
		if ((k == 0 || strcmp(tui_commands[k].name, tui_commands[k - 1].name) != 0) && i-- == 0)
			return tui_commands[k].name;
	return NULL;
}

/* Columns --------------------------------------------------------------------------- */

static const char *const shown_words[] = {
    [SHOWN_AUTO] = "auto", [SHOWN_YES] = "on", [SHOWN_NO] = "off"};

static const struct {
	const struct list_source *source;
	size_t list; /* in struct app */
} column_lists[COLUMN_LISTS] = {
    [LIST_PROFILE] = {&methods_source, offsetof(struct session, methods.list)},
    [LIST_CALLS] = {&calls_source, offsetof(struct session, calls.list)},
    [LIST_THREADS] = {&threads_source, offsetof(struct session, threads.list)},
};

/* The number of the column; -1 when there is none of that name. */
static int
find_column(enum column_list list, struct str word, struct err *e)
{
	const struct column *columns = column_lists[list].source->columns;

	char text[FMT_SIZE];

	snprintf(text, sizeof(text), "%.*s", STR_ARG(word));
	for (int i = 0; columns[i].id != NULL; i++)
		if ((columns[i].flags & LIST_FOR_PROGRAMS) == 0 && column_is(&columns[i], text))
			return i;
	err_set(e, ERR_MALFORMED, "no column is named '%.*s'", (int)(word.n < 40 ? word.n : 40),
	    word.p);
	return -1;
}

/* The named columns first, the others after them in their old order. */
static bool
set_order(struct columnset *set, enum column_list list, struct str value, struct err *e)
{
	int order[COLUMNSET_MAX], count = 0;
	bool used[COLUMNSET_MAX] = {false};
	struct str word;

	if (set->last >= 0)
		used[set->last] = true;
	while ((word = str_word(&value)).n > 0) {
		int i = find_column(list, word, e);

		if (i < 0)
			return false;
		if (!used[i])
			order[count++] = i;
		used[i] = true;
	}
	for (int i = 0; i < set->count; i++)
		if (!used[i])
			order[count++] = i;
	if (set->last >= 0)
		order[count++] = set->last;
	memcpy(set->order, order, (size_t)count * sizeof(*order));
	return true;
}

static bool
read_width(struct str word, int *width)
{
	const char *end = word.p + word.n;
	uint64_t n;

	if (digits_take(word.p, end, 9, &n) != end || n < COLUMN_WIDTH_MIN || n > COLUMN_WIDTH_MAX)
		return false;
	*width = (int)n;
	return true;
}

static bool
set_column(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	enum column_list list = section->list;
	struct columnset *set = &s->columns[list];
	struct column_choice choice = {SHOWN_AUTO, 0};
	struct str word;
	bool any = false;
	int id;

	if (str_equal(name, STR("order")))
		return set_order(set, list, value, e);
	id = find_column(list, name, e);
	if (id < 0)
		return false;
	while ((word = str_word(&value)).n > 0) {
		int i = SHOWN_AUTO;

		any = true;
		while (i <= SHOWN_NO && !str_equal(word, str_from(shown_words[i])))
			i++;
		if (i <= SHOWN_NO)
			choice.shown = (enum column_shown)i;
		else if (!read_width(word, &choice.width))
			return err_set(e, ERR_MALFORMED,
			    "expected auto, on or off, and a width from %d to %d", COLUMN_WIDTH_MIN,
			    COLUMN_WIDTH_MAX);
	}
	if (!any)
		return err_set(e, ERR_MALFORMED, "expected auto, on or off");
	if (id == set->last && choice.width != 0)
		return err_set(e, ERR_MALFORMED, "the last column takes the remaining width");
	if ((column_lists[list].source->columns[id].flags & LIST_STAYS) != 0 &&
	    choice.shown == SHOWN_NO)
		return err_set(e, ERR_MALFORMED, "this column cannot be hidden");
	set->of[id] = choice;
	return true;
}

static void
get_column(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	enum column_list list = section->list;
	const struct columnset *set = &s->columns[list];
	int id = find_column(list, name, NULL);

	if (id < 0) {
		for (int i = 0; i < set->count; i++) {
			const struct column *c = &column_lists[list].source->columns[set->order[i]];

			if ((c->flags & LIST_FOR_PROGRAMS) == 0)
				sbuf_printf(out, "%s%s", out->n > 0 ? " " : "", c->id);
		}
		return;
	}
	sbuf_text(out, shown_words[set->of[id].shown]);
	if (set->of[id].width > 0)
		sbuf_printf(out, " %d", set->of[id].width);
}

static const char *
column_name(const struct setting_section *section, int i)
{
	const struct column *c = column_lists[section->list].source->columns;

	for (; c->id != NULL; c++)
		if ((c->flags & LIST_FOR_PROGRAMS) == 0 && i-- == 0)
			return c->id;
	return i == 0 ? "order" : NULL;
}

/* Colours --------------------------------------------------------------------------- */

static bool
set_color(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	struct theme theme;

	theme_load(&theme, s->theme);
	if (!theme_set(&theme, name, value, e))
		return false;
	settings_note_color(s, name, value);
	return true;
}

static void
get_color(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	for (size_t i = 0; i < s->colors.count; i++)
		if (str_equal(str_from(s->colors.list[i].name), name))
			sbuf_text(out, s->colors.list[i].value);
}

static const char *
role_name(const struct setting_section *section, int i)
{
	return theme_role(i);
}

void
settings_theme(const struct settings *s, struct theme *theme)
{
	theme_load(theme, s->theme);
	for (size_t i = 0; i < s->colors.count; i++)
		theme_set(theme, str_from(s->colors.list[i].name),
		    str_from(s->colors.list[i].value), NULL);
	if (s->lowbw) {
		theme->mono = true;
		theme->roles[ROLE_HEADER].mono_bits = 0;
	}
}

/* Groups ---------------------------------------------------------------------------- */

static bool
set_group(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	return groups_set(&s->groups, name, value, e);
}

static void
get_group(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	for (size_t i = 0; i < s->groups.count; i++)
		if (str_equal(str_from(s->groups.list[i].name), name))
			sbuf_text(out, s->groups.list[i].packages);
}

static bool
set_idle(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	return idle_set(&s->idle, name, value, e);
}

static void
get_idle(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	const struct idle_rule *rule = idle_find(&s->idle, name);

	if (rule != NULL)
		sbuf_text(out, rule->on ? rule->pattern : "off");
}

static bool
set_finding(const struct setting_section *section, struct settings *s, struct str name,
    struct str value, struct err *e)
{
	if (!finding_rules_set(&s->findings, name, value, e))
		return false;
	sbuf_printf(&s->finding_lines, "%.*s=%.*s\n", STR_ARG(name), STR_ARG(value));
	return true;
}

static const char *
rule_name(const struct setting_section *section, int i)
{
	return i < FINDING_KINDS ? finding_kinds[i].word
	    : i == FINDING_KINDS ? "app" : i == FINDING_KINDS + 1 ? "glue" : NULL;
}

/* Writes the value that was given last. */
static void
get_finding(const struct setting_section *section, const struct settings *s, struct str name,
    struct sbuf *out)
{
	struct str lines = sbuf_view(&s->finding_lines), last = STR("");

	while (lines.n > 0) {
		struct str value = str_cut(&lines, '\n'), of = str_cut(&value, '=');

		if (str_equal(of, name))
			last = value;
	}
	sbuf_str(out, last);
}

/* Between the settings and the state of the program ------------------------------------- */

static enum clock_id
clock_of(const struct app *app, int choice)
{
	enum clock_id id = choice == CLOCK_CHOOSE_CPU	 ? CLOCK_CPU
			   : choice == CLOCK_CHOOSE_WALL ? CLOCK_WALL
							 : session_auto_clock(app->s);

	return app->s->trace->clocks & 1u << id ? id : session_auto_clock(app->s);
}

static void
apply_clock(struct app *app)
{
	app->s->display.clock_chosen = app->settings->clock != CLOCK_AUTO;
	app->s->display.figures.clock = clock_of(app, app->settings->clock);
}

static void
look_clock(const struct app *app, struct settings *s)
{
	if (app->s->display.figures.clock != clock_of(app, s->clock))
		s->clock = app->s->display.figures.clock == CLOCK_CPU ? CLOCK_CHOOSE_CPU
								 : CLOCK_CHOOSE_WALL;
}

static struct list *
column_list(const struct app *app, int list)
{
	return (struct list *)((uintptr_t)app->s + column_lists[list].list);
}

static void
apply_columns(struct app *app)
{
	for (int i = 0; i < COLUMN_LISTS; i++)
		list_set_columns(column_list(app, i), &app->settings->columns[i]);
}

static void
apply_escape_time(struct app *app)
{
	term_set_key_wait(app->term, app->settings->escape_time);
}

static void
apply_groups(struct app *app)
{
	names_set_groups(app->s->names, &app->settings->groups);
	if (app->compare.before != NULL)
		names_set_groups(app->compare.before->names, &app->settings->groups);
}

static void
apply_mouse(struct app *app)
{
	term_set_mouse(app->term, app->settings->mouse);
}

static void
apply_sort(struct app *app)
{
	const struct sort_choice *sort = &app->settings->sort;

	if (sort->column == COLUMNS)
		list_sort_auto(&app->s->methods.list);
	else if (column_exists(&column_table[sort->column], app->s->trace))
		list_sort(&app->s->methods.list, (int)sort->column, sort->ascending);
}

static void
look_sort(const struct app *app, struct settings *s)
{
	const struct list *l = &app->s->methods.list;

	if (l->sorted)
		s->sort = (struct sort_choice){(enum column_id)l->sort, l->ascending};
	else if (s->sort.column == COLUMNS || column_exists(&column_table[s->sort.column], app->s->trace))
		s->sort = (struct sort_choice){COLUMNS, false};
}

static void
apply_fold_names(struct app *app)
{
	app->s->subset.folded = app->settings->fold_names && app->s->trace->log != NULL;
}

static void
look_fold_names(const struct app *app, struct settings *s)
{
	if (app->s->trace->log != NULL)
		s->fold_names = app->s->subset.folded;
}

static void
apply_theme(struct app *app)
{
	struct theme theme;

	settings_theme(app->settings, &theme);
	term_set_theme(app->term, (enum tui_colour)app->settings->color, &theme);
}

static void
apply_thread_order(struct app *app)
{
	timeline_pane_set_order(
	    &app->s->timeline, (enum thread_order)app->settings->thread_order);
}

static void
apply_time(struct app *app)
{
	bool absolute = app->settings->time != 0;

	app_follow_times(app);
	/* Not at the start: then the user has not just asked for it. */
	if (absolute && app->s->scale.kind == TIMES_RELATIVE && app->s->engine != NULL)
		app_complain(app, "the trace does not tell when it began, on a clock of all threads");
}

static void
apply_hue(struct app *app)
{
	app->s->tree.hue = app->settings->hue != 0 ? HUE_SELF : HUE_ALL;
}

static void
apply_timeline_rows(struct app *app)
{
	timeline_pane_set_kinds(&app->s->timeline, app->settings->timeline_rows);
}

/* All ----------------------------------------------------------------------------------- */

void
setting_apply(struct app *app, const struct setting *s)
{
	if (s->apply != NULL)
		s->apply(app);
	else if (s->in_force != 0)
		memcpy((char *)app->s + s->in_force, (char *)app->settings + s->field, sizeof(int));
}

void
settings_apply(struct app *app)
{
	for (size_t i = 0; i < setting_count; i++)
		setting_apply(app, &setting_table[i]);
	for (size_t i = 0; i < setting_section_count; i++)
		if (setting_sections[i].apply != NULL)
			setting_sections[i].apply(app);
}

/* Collects the column picker's changes in a list. */
static void
collect_columns(const struct app *app, struct settings *s, const struct setting_section *section)
{
	const struct columnset *now = column_list(app, (int)section->list)->columns;
	struct columnset before = s->columns[section->list];
	bool moved =
	    memcmp(before.order, now->order, (size_t)now->count * sizeof(*now->order)) != 0;
	struct sbuf value = {0};

	s->columns[section->list] = *now;
	for (int i = 0; i < now->count + moved; i++) {
		struct str name = i == now->count
		    ? STR("order") : str_from(column_lists[section->list].source->columns[i].id);

		if (i < now->count && before.of[i].shown == now->of[i].shown &&
		    before.of[i].width == now->of[i].width)
			continue;
		sbuf_clear(&value);
		get_column(section, s, name, &value);
		settings_note(s, str_from(section->name), name, sbuf_view(&value));
	}
	sbuf_release(&value);
}

void
settings_collect(const struct app *app, struct settings *s)
{
	for (size_t i = 0; i < setting_count; i++) {
		const struct setting *row = &setting_table[i];
		struct sbuf before = {0}, now = {0};

		if (row->look == NULL && row->in_force == 0)
			continue;
		settings_get(s, row, &before);
		if (row->look != NULL)
			row->look(app, s);
		else
			memcpy((char *)s + row->field, (const char *)app->s + row->in_force,
			    sizeof(int));
		settings_get(s, row, &now);
		if (!str_equal(sbuf_view(&before), sbuf_view(&now)))
			settings_note(s, STR(""), str_from(row->name), sbuf_view(&now));
		sbuf_release(&before);
		sbuf_release(&now);
	}
	for (size_t i = 0; i < setting_section_count; i++)
		if (setting_sections[i].set == set_column)
			collect_columns(app, s, &setting_sections[i]);
}

/* Checks of texts ------------------------------------------------------------------- */

static bool
check_clipboard(struct str s, struct err *e)
{
	if (str_equal(s, STR("osc52")) || str_equal(s, STR("off")) ||
	    (str_starts(s, STR("cmd:")) && s.n > 4))
		return true;
	return err_set(e, ERR_MALFORMED, "expected osc52, off or cmd:PROGRAM");
}

/* Tables ------------------------------------------------------------------------------ */

#define FIELD(name) offsetof(struct settings, name)
#define IN_FORCE(name) offsetof(struct session, name)
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}

/* clang-format off */
const struct setting setting_table[] = {
	{ .name = "ascii", .type = &setting_switch, .field = FIELD(ascii),
	    .otherwise = "off", .values = "on or off", .at_start = true,
	    .help = "draw with ASCII characters only (--ascii)" },
	{ .name = "base", .type = &setting_word, .field = FIELD(base),
	    .otherwise = "parent", .words = WORDS([BASE_PARENT] = "parent", [BASE_TRACE] = "trace",
		[BASE_WINDOW] = "window"),
	    .in_force = IN_FORCE(display.figures.base),
	    .help = "what percentages of callers and callees are of (key %)" },
	{ .name = "clipboard", .type = &setting_text, .field = FIELD(clipboard),
	    .otherwise = "osc52", .values = "osc52, off or cmd:PROGRAM",
	    .check = check_clipboard,
	    .help = "how y and Y copy text" },
	{ .name = "clock", .type = &setting_word, .field = FIELD(clock),
	    .otherwise = "auto", .words = WORDS([CLOCK_AUTO] = "auto", [CLOCK_CHOOSE_CPU] = "cpu",
		[CLOCK_CHOOSE_WALL] = "wall"),
	    .apply = apply_clock, .look = look_clock,
	    .help = "clock for all times; auto: CPU if it was recorded" },
	{ .name = "color", .type = &setting_word, .field = FIELD(color),
	    .otherwise = "auto", .words = WORDS([TUI_COLOUR_AUTO] = "auto", [TUI_COLOUR_NEVER] = "never",
		[TUI_COLOUR_ALWAYS] = "always"), .apply = apply_theme,
	    .help = "when to use colours (--color)" },
	{ .name = "elision", .type = &setting_word, .field = FIELD(elision),
	    .otherwise = "auto", .words = WORDS([ELISION_AUTO] = "auto", [ELISION_NONE] = "none",
		[ELISION_SHORT] = "short"),
	    .in_force = IN_FORCE(display.elision),
	    .help = "how long names are shortened (key p)" },
	{ .name = "escape-time", .type = &setting_number, .field = FIELD(escape_time),
	    .otherwise = "50", .values = "1 to 5000 milliseconds",
	    .least = 1, .most = 5000, .apply = apply_escape_time,
	    .help = "how long Esc waits for the rest of a key sequence (--escape-time)" },
	{ .name = "fold-names", .type = &setting_switch, .field = FIELD(fold_names),
	    .otherwise = "on", .values = "on or off", .apply = apply_fold_names,
	    .look = look_fold_names,
	    .help = "slices whose names differ in numbers are one row (key F9)" },
	{ .name = "footer", .type = &setting_word, .field = FIELD(footer),
	    .otherwise = "keys", .words = WORDS([FOOTER_KEYS] = "keys", [FOOTER_FKEYS] = "fkeys"),
	    .help = "keys on the last line: letters or function keys" },
	{ .name = "frame-budget", .type = &setting_time, .field = FIELD(frame_budget),
	    .otherwise = "auto", .values = "auto, none or a time with its unit",
	    .help = "mark frames and calls that take longer; auto: the display's period" },
	{ .name = "frames", .type = &setting_text, .field = FIELD(frames),
	    .otherwise = "", .values = "a regular expression",
	    .help = "pattern for calls and slices that are frames; empty: built-in names" },
	{ .name = "history", .type = &setting_switch, .field = FIELD(history),
	    .otherwise = "on", .values = "on or off",
	    .help = "remember prompt input between sessions" },
	{ .name = "hue", .type = &setting_word, .field = FIELD(hue),
	    .otherwise = "all", .words = WORDS("all", "self"), .apply = apply_hue,
	    .help = "what marks compared call paths: changes of all time, or of self time" },
	{ .name = "lowbw", .type = &setting_switch, .field = FIELD(lowbw),
	    .otherwise = "off", .values = "on or off", .at_start = true,
	    .help = "send less over slow lines: ASCII, no colours, small timeline" },
	{ .name = "mouse", .type = &setting_switch, .field = FIELD(mouse),
	    .otherwise = "on", .values = "on or off", .apply = apply_mouse,
	    .help = "use the mouse: clicks and the wheel (key M)" },
	{ .name = "rate-interval", .type = &setting_number, .field = FIELD(rate_interval),
	    .otherwise = "1000", .values = "100 to 60000 milliseconds",
	    .least = 100, .most = 60000,
	    .help = "following: the time that columns of now are of" },
	{ .name = "sort", .type = &setting_sort, .field = FIELD(sort),
	    .otherwise = "auto", .values = "auto, or a column, + or - before it",
	    .apply = apply_sort, .look = look_sort,
	    .help = "sort order of methods (--sort); auto: self time" },
	{ .name = "sources", .type = &setting_text, .field = FIELD(sources),
	    .otherwise = "", .values = "folders with : between",
	    .help = "directories where the key e looks for source files" },
	{ .name = "theme", .type = &setting_word, .field = FIELD(theme),
	    .otherwise = "default", .words = theme_names, .apply = apply_theme,
	    .help = "colour theme" },
	{ .name = "thread-order", .type = &setting_word, .field = FIELD(thread_order),
	    .otherwise = "cpu", .words = WORDS([ORDER_COVERAGE] = "coverage", [ORDER_CPU] = "cpu",
		[ORDER_NAME] = "name", [ORDER_ID] = "id"),
	    .in_force = IN_FORCE(timeline.by), .apply = apply_thread_order,
	    .help = "order of the timeline's threads" },
	{ .name = "time", .type = &setting_word, .field = FIELD(time),
	    .otherwise = "relative", .words = WORDS("relative", "absolute"), .apply = apply_time,
	    .help = "show times from the start of the trace, or the time of day" },
	{ .name = "timeline", .type = &setting_number, .field = FIELD(timeline),
	    .otherwise = "auto", .words = WORDS("auto", "off"),
	    .values = "rows; auto: above the profile a quarter of the screen, or five threads where that "
	    "is more, above other views a fifth from 30 rows on; off: above the profile alone",
	    .least = 0, .most = 100,
	    .help = "height of the timeline above other views" },
	{ .name = "timeline-rows", .type = &setting_rows, .field = FIELD(timeline_rows),
	    .otherwise = "all", .values = "all, none, or load, cores, frequency, idle, "
	    "processes, states, calls, async, counters, instants, of which some",
	    .in_force = IN_FORCE(timeline.kinds), .apply = apply_timeline_rows,
	    .help = "rows of the timeline besides threads (its key C)" },
	{ .name = "units", .type = &setting_word, .field = FIELD(units),
	    .otherwise = "ms", .words = WORDS("ms", "auto"),
	    .in_force = IN_FORCE(display.figures.auto_units),
	    .help = "exact times in ms, or four digits and a unit" },
};

const struct setting_section setting_sections[] = {
	{ "keys", NULL, "ACTION = KEY ...",
	    "keys that run an action, instead of all that it has",
	    set_key, action_name, get_key, NULL, 0 },
	{ "columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "which columns the table has, and how wide; order = COLUMN ...",
	    set_column, column_name, get_column, apply_columns, LIST_PROFILE },
	{ "calls-columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "the same of the calls of a method",
	    set_column, column_name, get_column, apply_columns, LIST_CALLS },
	{ "threads-columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "the same of the view of the threads",
	    set_column, column_name, get_column, apply_columns, LIST_THREADS },
	{ "colors", "colours", "ROLE = [STYLE ...] COLOUR",
	    "what one thing on the screen looks like, whatever the theme",
	    set_color, role_name, get_color, apply_theme, 0 },
	{ "packages", NULL, "NAME = PACKAGE ...",
	    "packages that belong together, under one name",
	    set_group, NULL, get_group, apply_groups, 0 },
	{ "idle", NULL, "NAME = on|off|REGEX",
	    "rules of idle time: the program's, or a regular expression of names of calls",
	    set_idle, NULL, get_idle, idle_changed, 0 },
	{ "findings", NULL, "KIND = on|off|TIME|+REGEX",
	    "from when on something is a finding, and more names of a class of work",
	    set_finding, rule_name, get_finding, NULL, 0 },
};
/* clang-format on */

const size_t setting_count = sizeof(setting_table) / sizeof(setting_table[0]);
const size_t setting_section_count =
    sizeof(setting_sections) / sizeof(setting_sections[0]);
