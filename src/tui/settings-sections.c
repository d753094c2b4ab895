/* The sections: keys, columns, colours, package groups. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "tui/bindings.h"
#include "tui/settings-apply.h"

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

static struct str
next_word(struct str *rest)
{
	struct str word = {NULL, 0};

	while (rest->n > 0 && word.n == 0)
		word = str_cut(rest, ' ');
	return word;
}

static bool
no_column(struct str id, struct err *e)
{
	return err_set(e, ERR_MALFORMED, "no column is named '%.*s'",
	    (int)(id.n < 40 ? id.n : 40), id.p);
}

/* The columns named first, the others behind them as they were. */
static bool
set_order(struct settings *s, struct str value, struct err *e)
{
	enum column_id order[COLUMNS];
	bool used[COLUMNS] = {[COLUMN_METHOD] = true};
	int count = 0;
	struct str word;

	while ((word = next_word(&value)).n > 0) {
		enum column_id id = columns_find(word);

		if (id == COLUMNS)
			return no_column(word, e);
		if (!used[id])
			order[count++] = id;
		used[id] = true;
	}
	for (int i = 0; i < COLUMNS; i++)
		if (!used[i])
			order[count++] = (enum column_id)i;
	order[count] = COLUMN_METHOD;
	memcpy(s->order, order, sizeof(order));
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

bool
set_column(struct settings *s, struct str name, struct str value, struct err *e)
{
	enum column_id id = columns_find(name);
	struct column_choice choice = {SHOWN_AUTO, 0};
	struct str word;
	bool any = false;

	if (str_equal(name, STR("order")))
		return set_order(s, value, e);
	if (id == COLUMNS)
		return no_column(name, e);
	while ((word = next_word(&value)).n > 0) {
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
	if (id == COLUMN_METHOD && (choice.shown == SHOWN_NO || choice.width != 0))
		return err_set(e, ERR_MALFORMED, "the method's name takes what is left");
	s->columns[id] = choice;
	return true;
}

void
get_column(const struct settings *s, struct str name, struct sbuf *out)
{
	enum column_id id = columns_find(name);

	if (id == COLUMNS) {
		for (int i = 0; i < COLUMNS; i++)
			sbuf_printf(out, "%s%s", i > 0 ? " " : "",
			    column_table[s->order[i]].id);
		return;
	}
	sbuf_text(out, shown_words[s->columns[id].shown]);
	if (s->columns[id].width > 0)
		sbuf_printf(out, " %d", s->columns[id].width);
}

const char *
column_name(int i)
{
	if (i < 0 || i > COLUMNS)
		return NULL;
	return i < COLUMNS ? column_table[i].id : "order";
}

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
