// SPDX-License-Identifier: Apache-2.0
/*
 * settings: what can be configured: one table of names, types, defaults and help.
 *
 * `:set`, completion, the configuration file, slowtop-config(5) and the tests all go by
 * the table.  Settings that take a name of their own (a key, a column, a colour, a
 * package group) are sections, as in the file; anywhere else they are written with a dot,
 * "keys.down".
 *
 * The values are those of the file with what the command line says on top.  What the user
 * changes later is noted, and only that is written, by settings_save.  Owns all it points
 * to; settings_release.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "trace/event.h"
#include "tui/keys/keymap.h"
#include "tui/term/theme.h"
#include "profile/findings/findings.h"
#include "profile/sum/idle.h"
#include "view/names/groups.h"
#include "view/display.h"

enum clock_choice { CLOCK_AUTO, CLOCK_CHOOSE_CPU, CLOCK_CHOOSE_WALL };
enum footer_choice { FOOTER_KEYS, FOOTER_FKEYS };

struct sort_choice {
	enum column_id column; /* COLUMNS: as the list begins */
	bool ascending;
};

/* Lists with columns to choose. */
enum column_list { LIST_PROFILE, LIST_CALLS, LIST_THREADS, COLUMN_LISTS };

/* Changes made after the file was read, the last one of each name. */
struct setting_changes {
	struct setting_change {
		char *section, *name, *value;
	} *list;
	size_t count, room;
};

struct settings {
	bool ascii, fold_names, history, lowbw, mouse;
	int base, clock, color, elision, footer, hue, theme, thread_order, time, units;
	int escape_time, rate_interval; /* milliseconds */
	int timeline;    /* rows; 0: by the screen */
	unsigned timeline_rows; /* kinds of them: 1 << enum track_kind */
	nsec frame_budget;
	struct sort_choice sort;
	char *clipboard, *sources, *frames;

	struct keymap *keymap;
	struct columnset columns[COLUMN_LISTS];
	struct setting_changes colors; /* on top of the theme */
	struct groups groups;
	struct idle_rules idle;
	struct finding_rules findings;
	struct sbuf finding_lines; /* the same as text, for queries: "stall=250ms", a line each */

	char *path; /* of the file; NULL: there is none, and none is wanted */
	struct setting_changes changes;
	int faults;          /* lines of the file that say nothing that can be done */
	char fault[300];     /* the first */
};

struct app;
struct setting;

struct setting_type {
	/* The value of a field from text; false and nothing changed when it cannot be. */
	bool (*read)(const struct setting *, void *field, struct str, struct err *);
	void (*write)(const struct setting *, const void *field, struct sbuf *);
};

extern const struct setting_type setting_switch, setting_word, setting_number,
    setting_time, setting_sort, setting_text, setting_rows;

struct setting {
	const char *name;
	const struct setting_type *type;
	size_t field;          /* offset in struct settings */
	const char *otherwise; /* the default, as text */
	const char *help;      /* one line, no full stop */
	const char *values;    /* what can be given, in words; NULL: see `words` */
	/* Words allowed, then NULL; of a number, for 0, -1 and so on; NULL: it has no words. */
	const char *const *words;
	int least, most; /* of a number */
	/* Checks a text, and says why it is malformed. */
	bool (*check)(struct str, struct err *);
	/* Makes the program so; NULL: it is looked at when needed. */
	void (*apply)(struct app *);
	/* Where keys change it, too: the value in force now; NULL: it is in the field. */
	void (*look)(const struct app *, struct settings *);
	size_t in_force; /* or where that is, an int in struct app */
	bool at_start; /* changes are seen at the next start */
};

extern const struct setting setting_table[];
extern const size_t setting_count;

struct setting_section {
	const char *name, *also; /* another spelling, or NULL */
	const char *entry;       /* what its lines are: "ACTION = KEY..." */
	const char *help;
	bool (*set)(const struct setting_section *, struct settings *, struct str name,
	    struct str value, struct err *);
	/* The names that there can be, one after the other, then NULL; NULL: any. */
	const char *(*name_at)(const struct setting_section *, int i);
	/* The value of a name in force, as text. */
	void (*get)(const struct setting_section *, const struct settings *, struct str name,
	    struct sbuf *);
	void (*apply)(struct app *);
	enum column_list list; /* of columns: in this list */
};

extern const struct setting_section setting_sections[];
extern const size_t setting_section_count;

void settings_init(struct settings *);
void settings_release(struct settings *);

/* NULL when there is none of that name. */
const struct setting *settings_find(struct str name);
const struct setting_section *settings_find_section(struct str name);

/* False when there is no such name (section empty: of the table), or no such value. */
bool settings_set(struct settings *, struct str section, struct str name, struct str value,
    struct err *);
/* The value as text. */
void settings_get(const struct settings *, const struct setting *, struct sbuf *);
/* Returns the section of "keys.down", with the name "down"; NULL of "theme", which is in none. */
const struct setting_section *settings_split(struct str whole, struct str *name);

/* A colour on top of the theme. */
void settings_note_color(struct settings *, struct str role, struct str words);
/* Takes the text of a file; `tell` hears of each line that is wrong. */
void settings_read(struct settings *, struct str text,
    void (*tell)(void *context, int line, const char *what), void *context);
/* Sets as settings_set, and notes that for settings_save; settings_note only notes what was set. */
bool settings_change(struct settings *, struct str section, struct str name, struct str value,
    struct err *);
void settings_note(
    struct settings *, struct str section, struct str name, struct str value);
/*
 * Merges what was changed since into the file's present content, whole or not at all,
 * with comments kept; makes the folders above it.  After that no change is pending.
 */
bool settings_save(struct settings *, struct err *);

/* The theme with the changes of [colors]. */
void settings_theme(const struct settings *, struct theme *);

void setting_apply(struct app *, const struct setting *);
void settings_apply(struct app *);                              /* all, at the start */
void settings_collect(const struct app *, struct settings *); /* notes what keys changed */

/*
 * state.c: what is kept between runs and is no setting, in files that only their owner may
 * read: the path of one, a new string; NULL when there is no place for them.
 */
char *state_path(const char *name);
/*
 * Appends our folder in the one that a variable of the environment names (XDG_DATA_HOME and
 * the like), else in `otherwise` below HOME; false: there is none.
 */
bool state_folder(struct sbuf *, const char *variable, const char *otherwise);
/*
 * Lines of the prompts: taken from the file at the start; new ones are appended at the
 * end, after those of other sessions meanwhile.  Failures are silent: the screen is gone
 * by then.  Nothing without the setting `history`.
 */
void state_load(struct app *);
void state_save(struct app *);
