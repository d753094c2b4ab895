// SPDX-License-Identifier: Apache-2.0
/*
 * signals: what happened outside, as flags; and the way out of a crash.
 *
 * Handlers only set flags.  While installed, signals that do not end the program are
 * blocked in this thread except inside signals_wait: none is lost between looking at the
 * flags and going to sleep, and none interrupts anything else.  Those that ask the
 * program to end come in at any time, interrupt what blocks, and are a deadline: a
 * program that has not called signals_restore within a second ends by the signal, with
 * the terminal restored.  So does at once whatever other signal ends a program by
 * default.  There is one terminal a process, so the state is the process's.
 */
#pragma once

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum signal_event {
	SIGNAL_RESIZE = 1 << 0,
	SIGNAL_SUSPEND = 1 << 1,  /* another process asks us to stop (SIGTSTP) */
	SIGNAL_CONTINUE = 1 << 2, /* we were stopped, and go on */
	SIGNAL_END = 1 << 3,
};

struct signals {
	sigset_t mask; /* of the thread, before */
	struct sigaction old[NSIG];
	bool taken[NSIG];
};

void signals_install(struct signals *);
void signals_restore(const struct signals *);

/*
 * poll(2) with the signals let in.  `timeout_ms` < 0: for ever.  Returns poll's result;
 * -1 with EINTR after a signal.
 */
int signals_wait(const struct signals *, struct pollfd *, nfds_t, int timeout_ms);
/* The events (enum signal_event) since the last call. */
unsigned signals_take(void);
/* The signal that asked us to end, or 0. */
int signals_ended_by(void);
/* Stops the job as the terminal's suspend key would; returns when it goes on. */
void signals_stop_job(const struct signals *);

/* While another program has the terminal. */
struct signals_lent {
	struct sigaction interrupt, quit, stop;
	sigset_t mask;
};

/*
 * Keys that signal are for the other program: those that would end us are ignored, and
 * one that stops it stops us, too.  In the thread that waits for it.
 */
void signals_lend(struct signals_lent *);
void signals_take_back(const struct signals_lent *);

/*
 * From now on a signal that ends the program at once and signals_crash_now write these
 * bytes to `fd` and give its line settings back; NULL: not any more.  All is copied;
 * of the bytes at most 255, and none if there are more.
 */
void signals_on_crash(int fd, const struct termios *, const char *bytes, size_t count);
/* Safe at any time, from any thread, in a handler; waits for no terminal. */
void signals_crash_now(void);
