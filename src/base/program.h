// SPDX-License-Identifier: Apache-2.0
/*
 * program: another program, run to its end and heard out.
 *
 * It gets a list of arguments, never a line for a shell, and is a process group of its own, so
 * that keys of the terminal do not reach it and all of it can be ended.  What it prints is kept
 * up to `kept` bytes of each stream; the rest is read and dropped.  Nothing of it is left
 * when program_run returns, whatever the result.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sbuf.h"

enum { PROGRAM_KEPT = 1 << 20 };

struct program {
	const char *const *argv; /* NULL after the last; the first is searched in PATH */
	struct str input;        /* its standard input */
	size_t kept;             /* bytes of each stream; 0: PROGRAM_KEPT */
	int64_t limit;           /* ms that it may take; 0: for ever */
	/* Called every 100 ms or so; false ends the program.  May be NULL. */
	bool (*go_on)(void *context);
	void *context;
};

enum program_end {
	PROGRAM_ENDED,     /* by itself: `status`, as a shell has it (128 + signal) */
	PROGRAM_LATE,      /* at the limit */
	PROGRAM_CANCELLED, /* by go_on */
	PROGRAM_MISSING,   /* there is no such program */
	PROGRAM_FAILED,    /* it cannot be run: see the error */
};

struct program_result {
	enum program_end end;
	int status;
	struct sbuf out, err; /* what it printed, also when it was ended */
};

/* Appends to the result's texts, zero-initialised by the caller; release them always. */
void program_run(const struct program *, struct program_result *, struct err *);
void program_release(struct program_result *);

/*
 * Only starts it: with these descriptors as its first three (-1: ours), blocked signals, and
 * those that are handled as usual; `group`: of its own.  0 or an errno.
 */
int program_spawn(const char *const *argv, const int files[3], const sigset_t *mask,
    const sigset_t *usual, bool group, pid_t *child);

/* Starts it as program_run does: a group of its own, all signals as usual.  0 or an errno. */
int program_start(const char *const *argv, const int files[3], pid_t *child);
