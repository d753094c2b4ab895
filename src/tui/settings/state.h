/*
 * state: what is kept between runs and is no setting: bookmarks, lines of prompts.
 *
 * Files in $XDG_STATE_HOME/slowtop, else in ~/.local/state/slowtop, that only their owner
 * may read.
 */
#ifndef SLOWTOP_TUI_SETTINGS_STATE_H
#define SLOWTOP_TUI_SETTINGS_STATE_H

struct app;

/* The path of a file there, a new string; NULL when there is no such place. */
char *state_path(const char *name);

/*
 * Lines of the prompts: taken from the file at the start; new ones are appended at the
 * end, after those of other sessions meanwhile.  Failures are silent: the screen is gone
 * by then.  Nothing without the setting `history`.
 */
void state_load(struct app *);
void state_save(struct app *);

#endif
