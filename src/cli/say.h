// SPDX-License-Identifier: Apache-2.0
/*
 * say: what the program tells on standard error, and the status to end with.
 *
 * Every line starts with the program's name, one line for one trouble.  File names and
 * arguments may hold anything and are shown cleaned (base/utf8.h).
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum status {
	STATUS_OK = 0,
	STATUS_DIFFERENT = 1, /* --fail-above or --fail-on was met */
	STATUS_TROUBLE = 2,
	STATUS_UNSURE = 4,    /* a limit that the runs do not suffice for */
	STATUS_DAMAGED = 3, /* --strict, and the trace was damaged */
	STATUS_INTERRUPTED = 130,
};

/* "slowtop: SUBJECT: ..."; returns STATUS_TROUBLE.  `subject` may be NULL. */
int say_trouble(const char *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the columns of a terminal; 0: it is none. */
int terminal_columns(int fd);

/*
 * Names the help of a command, or of all (NULL): after the line on wrong use, not on wrong
 * files.
 */
void say_hint(const char *command);
/* Both. */
int say_usage(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The status to end with after trouble with that errno, 0: none.  For the server that started this
 * process it tells how the system failed (serve/serve.h); else it is STATUS_TROUBLE.
 */
int say_status(int error);

/*
 * Signals to end while the terminal program is not running.
 *
 * SIGINT, SIGTERM and SIGHUP raise a flag that long work checks, so that nothing half
 * done is left; a second one ends the process, in case the work does not check.  Signals
 * that are ignored when the program starts (nohup, background jobs) stay ignored.
 */

/*
 * From now on a write beyond the limit of file sizes (ulimit -f) fails, as on a full
 * disk, and does not end the process.
 */
void interrupt_limits(void);
/* The flag, valid for the life of the process. */
const atomic_bool *interrupt_watch(void);
/*
 * Instead: the signals are only counted, for work that has a way out of its own for each.
 */
const atomic_int *interrupt_count(void);
/* True if the last of them was that of a key, SIGINT. */
bool interrupt_was_key(void);
/* As if none had come; signals mean again what interrupt_watch says. */
void interrupt_forget(void);
/*
 * The status to end the process with.  When SIGTERM or SIGHUP interrupted the work it
 * raises that signal and does not return.
 */
int interrupt_status(int status);
