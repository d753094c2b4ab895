// SPDX-License-Identifier: Apache-2.0
/*
 * pty: a program in a terminal that is a program too.
 *
 * Starts the program as a job of a small session leader, as a shell does, so that
 * suspending and hanging up work as at a prompt; what it writes goes through libvterm
 * and can be read as lines of text.  Waiting is for a condition, with a limit that only
 * a failure reaches.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct pty_options {
	const char *term;       /* TERM; NULL: xterm-256color */
	const char *locale;     /* LC_ALL; NULL: C.UTF-8 */
	const char *const *env; /* further NAME=VALUE, up to NULL; or NULL */
	int rows, columns;      /* 0: 24, 80 */
	const char *input;      /* standard input from this file; NULL: the terminal */
};

struct pty;

/* Ends the test program when there is no pty to be had. */
struct pty *pty_start(const struct pty_options *, const char *const *argv);
/* Kills what still runs. */
void pty_free(struct pty *);

/* Keys by name: "j", "<Down>", "<C-f>", "<Enter>", "<lt>"; anything else literally. */
void pty_keys(struct pty *, const char *keys);
void pty_bytes(struct pty *, const char *bytes, size_t count);

/* Reads until for `quiet_ms` nothing came and the job only slept; returns the bytes that came. */
size_t pty_settle(struct pty *, int quiet_ms);
/* Until the screen shows `text`, at most some seconds. */
bool pty_expect(struct pty *, const char *text);
bool pty_expect_gone(struct pty *, const char *text);
/* Until the screen is `lines` (as pty_screen gives it). */
bool pty_expect_screen(struct pty *, const char *lines);
/* Says which lines of the screen are others than these. */
void pty_compare(struct pty *, const char *want);

/* All rows without trailing blanks, each with a line feed; valid until the next call. */
const char *pty_screen(struct pty *);
/* One row from 0, without the line feed; valid as above. */
const char *pty_row(struct pty *, int row);
bool pty_shows(struct pty *, const char *text);
/* All cells of the first place that shows `text` are bold, reverse, coloured, ... */
enum pty_look { PTY_BOLD = 1, PTY_REVERSE = 2, PTY_UNDERLINE = 4, PTY_COLOUR = 8 };
unsigned pty_look_of(struct pty *, const char *text);
struct pty_cell {
	char text[40]; /* UTF-8; empty: the right half of a wide one */
	unsigned look; /* enum pty_look */
	int colour;    /* of the text, 0xRRGGBB; -1: the terminal's own */
};
void pty_cell(struct pty *, int row, int column, struct pty_cell *);
/* Any cell has a colour of its own. */
bool pty_any_colour(struct pty *);
bool pty_alternate(struct pty *); /* the alternate screen is shown */
bool pty_cursor_visible(struct pty *);
size_t pty_total(struct pty *); /* bytes since the start */
/* Whether the bytes written so far hold `text`. */
bool pty_wrote(struct pty *, const char *text);

void pty_resize(struct pty *, int rows, int columns);
void pty_signal(struct pty *, int signal);
/* Until the program stopped; until it ended: its wait status. */
bool pty_stopped(struct pty *);
void pty_continue(struct pty *);
bool pty_ended(struct pty *, int *status);
/* The same while the terminal takes nothing: its output is not read. */
bool pty_ended_unread(struct pty *, int *status);
/* Writes until it waits for room in a terminal that is not read. */
void pty_fill(struct pty *);
/* The other side goes away without a word: with SIGHUP to the job, or only end of file.
 */
void pty_hangup(struct pty *);
/* Line settings are those from before the start. */
bool pty_restored(struct pty *);
