/* The sections: keys, columns, colours, package groups. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "tui/bindings.h"
#include "tui/settings-apply.h"
#include "view/calls_list.h"
#include "view/threads.h"

/* Keys ------------------------------------------------------------------------------ */

bool
set_key(struct settings *s, struct str name, struct str value, struct err *e)
{
	return keymap_set(s->keymap, name, value, e);
}

void
get_key(const struct settings *s, struct str name, struct sbuf *out)
{
	char command[80], keys[200];

	snprintf(command, sizeof(command), "%.*s", STR_ARG(name));
	keymap_keys(s->keymap, ~0u, command, keys, sizeof(keys));
	sbuf_text(out, keys);
}

const char *
action_name(int i)
{
	return i >= 0 && (size_t)i < tui_command_count ? tui_commands[i].name : NULL;
}

/* Columns --------------------------------------------------------------------------- */

static const char *const shown_words[] = {
    [SHOWN_AUTO] = "auto", [SHOWN_YES] = "on", [SHOWN_NO] = "off"};

const char *const column_sections[COLUMN_LISTS] = {
    [LIST_PROFILE] = "columns",
    [LIST_CALLS] = "calls-columns",
    [LIST_THREADS] = "threads-columns",
};

/* NULL: the profile. */
static const struct list_source *const column_sources[COLUMN_LISTS] = {
    [LIST_CALLS] = &calls_source,
    [LIST_THREADS] = &threads_source,
};

const char *
list_column_word(enum column_list list, int i)
{
	struct columnset columns;

	if (column_sources[list] != NULL) {
		list_source_columns(column_sources[list], &columns);
		return i < columns.count ? column_sources[list]->columns[i].id : NULL;
	}
	return i < COLUMNS ? column_table[i].id : NULL;
}

/* Those that always stay, of which only some have a width. */
static bool
stays(enum column_list list, int column)
{
	if (column_sources[list] != NULL)
		return (column_sources[list]->columns[column].flags & LIST_STAYS) != 0;
	return column == COLUMN_METHOD;
}

/* Its number; -1 when there is none of that name. */
static int
find_column(enum column_list list, struct str word, struct err *e)
{
	const char *name;

	for (int i = 0; (name = list_column_word(list, i)) != NULL; i++)
		if (str_equal(word, str_from(name)))
			return i;
	err_set(e, ERR_MALFORMED, "no column is named '%.*s'", (int)(word.n < 40 ? word.n : 40),
	    word.p);
	return -1;
}

/* The columns named first, the others behind them as they were. */
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
	int n = 0;

	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] < '0' || word.p[i] > '9' || n > COLUMN_WIDTH_MAX)
			return false;
		n = n * 10 + word.p[i] - '0';
	}
	*width = n;
	return n >= COLUMN_WIDTH_MIN && n <= COLUMN_WIDTH_MAX;
}

static bool
set_list_column(struct settings *s, enum column_list list, struct str name, struct str value,
    struct err *e)
{
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
			    "want auto, on or off, and a width from %d to %d", COLUMN_WIDTH_MIN,
			    COLUMN_WIDTH_MAX);
	}
	if (!any)
		return err_set(e, ERR_MALFORMED, "want auto, on or off");
	if (id == set->last && choice.width != 0)
		return err_set(e, ERR_MALFORMED, "the last column takes what is left");
	if (stays(list, id) && choice.shown == SHOWN_NO)
		return err_set(e, ERR_MALFORMED, "this column always stays");
	set->of[id] = choice;
	return true;
}

void
list_column_get(
    const struct settings *s, enum column_list list, struct str name, struct sbuf *out)
{
	const struct columnset *set = &s->columns[list];
	int id = find_column(list, name, NULL);

	if (id < 0) {
		for (int i = 0; i < set->count; i++)
			sbuf_printf(out, "%s%s", i > 0 ? " " : "",
			    list_column_word(list, set->order[i]));
		return;
	}
	sbuf_text(out, shown_words[set->of[id].shown]);
	if (set->of[id].width > 0)
		sbuf_printf(out, " %d", set->of[id].width);
}

static const char *
list_column_name(enum column_list list, int i)
{
	const char *word = i >= 0 ? list_column_word(list, i) : NULL;

	if (word != NULL || i < 0)
		return word;
	return i == 0 || list_column_word(list, i - 1) != NULL ? "order" : NULL;
}

/* A section each. */
#define COLUMN_SECTION(set, get, name, list)                                             \
	bool set(struct settings *s, struct str column, struct str value, struct err *e) \
	{                                                                                \
		return set_list_column(s, list, column, value, e);                       \
	}                                                                                \
	void get(const struct settings *s, struct str column, struct sbuf *out)          \
	{                                                                                \
		list_column_get(s, list, column, out);                                   \
	}                                                                                \
	const char *name(int i)                                                          \
	{                                                                                \
		return list_column_name(list, i);                                        \
	}

COLUMN_SECTION(set_column, get_column, column_name, LIST_PROFILE)
COLUMN_SECTION(set_calls_column, get_calls_column, calls_column_name, LIST_CALLS)
COLUMN_SECTION(set_threads_column, get_threads_column, threads_column_name, LIST_THREADS)

/* Colours --------------------------------------------------------------------------- */

bool
set_color(struct settings *s, struct str name, struct str value, struct err *e)
{
	struct theme theme;

	theme_load(&theme, s->theme);
	if (!theme_set(&theme, name, value, e))
		return false;
	settings_note_color(s, name, value);
	return true;
}

void
get_color(const struct settings *s, struct str name, struct sbuf *out)
{
	for (size_t i = 0; i < s->color_count; i++)
		if (str_equal(str_from(s->colors[i].name), name))
			sbuf_text(out, s->colors[i].value);
}

void
settings_theme(const struct settings *s, struct theme *theme)
{
	theme_load(theme, s->theme);
	for (size_t i = 0; i < s->color_count; i++)
		theme_set(theme, str_from(s->colors[i].name),
		    str_from(s->colors[i].value), NULL);
	if (s->lowbw) {
		theme->mono = true;
		theme->roles[ROLE_HEADER].mono_bits = 0;
	}
}

/* Groups ---------------------------------------------------------------------------- */

bool
set_group(struct settings *s, struct str name, struct str value, struct err *e)
{
	return groups_set(&s->groups, name, value, e);
}

void
get_group(const struct settings *s, struct str name, struct sbuf *out)
{
	for (size_t i = 0; i < s->groups.count; i++)
		if (str_equal(str_from(s->groups.list[i].name), name))
			sbuf_text(out, s->groups.list[i].packages);
}
