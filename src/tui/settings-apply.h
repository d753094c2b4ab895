/*
 * settings-apply: what the rows of the settings' tables do; for the settings' own files.
 */
#ifndef SLOWTOP_TUI_SETTINGS_APPLY_H
#define SLOWTOP_TUI_SETTINGS_APPLY_H

#include "tui/settings.h"

void settings_note_color(struct settings *, struct str role, struct str words);

/* settings-sections.c */
bool set_key(struct settings *, struct str, struct str, struct err *);
bool set_column(struct settings *, struct str, struct str, struct err *);
bool set_calls_column(struct settings *, struct str, struct str, struct err *);
bool set_threads_column(struct settings *, struct str, struct str, struct err *);
bool set_color(struct settings *, struct str, struct str, struct err *);
bool set_group(struct settings *, struct str, struct str, struct err *);
void get_key(const struct settings *, struct str, struct sbuf *);
void get_column(const struct settings *, struct str, struct sbuf *);
void get_calls_column(const struct settings *, struct str, struct sbuf *);
void get_threads_column(const struct settings *, struct str, struct sbuf *);
void get_color(const struct settings *, struct str, struct sbuf *);
void get_group(const struct settings *, struct str, struct sbuf *);
const char *action_name(int i);
const char *column_name(int i);
const char *calls_column_name(int i);
const char *threads_column_name(int i);
/* What a list's columns are called; NULL behind the last. */
const char *list_column_word(enum column_list, int i);
extern const char *const column_sections[COLUMN_LISTS];
void list_column_get(const struct settings *, enum column_list, struct str name, struct sbuf *);

/* settings-apply.c */
void apply_base(struct app *);
void apply_clock(struct app *);
void apply_columns(struct app *);
void apply_elision(struct app *);
void apply_escape_time(struct app *);
void apply_groups(struct app *);
void apply_mouse(struct app *);
void apply_sort(struct app *);
void apply_theme(struct app *);
void apply_thread_order(struct app *);
void apply_time(struct app *);
void apply_timeline(struct app *);
void apply_timeline_rows(struct app *); /* pick-rows.c, with the next */
void apply_units(struct app *);
void look_base(const struct app *, struct settings *);
void look_clock(const struct app *, struct settings *);
void look_elision(const struct app *, struct settings *);
void look_sort(const struct app *, struct settings *);
void look_thread_order(const struct app *, struct settings *);
void look_timeline(const struct app *, struct settings *);
void look_timeline_rows(const struct app *, struct settings *);
void look_units(const struct app *, struct settings *);

#endif
