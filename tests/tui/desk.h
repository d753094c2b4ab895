// SPDX-License-Identifier: Apache-2.0
/*
 * desk: where the tests of the terminal program work, and how they begin and end it.
 *
 * The working folder becomes one of the test's own below the build directory, so that
 * traces and whatever else is written has a short name, the same on every machine, and
 * nothing of it is left.  What fails here ends the test program.
 */
#pragma once

#include "tui/pty.h"

enum {
	DESK_PATH = 4096,
	DESK_AT_ONCE = 4 /* programs for tap_each: they mostly wait */
};

/* First of all; ends a test that is not run by make check. */
void desk_begin(const char *test);
/* Last of all: as tap_done. */
int desk_end(void);

/* Makes a trace, by options of tracegen as one would type them; a log by those of loggen; or */
void desk_trace(const char *name, const char *options);
void desk_log(const char *name, const char *options);
/* from a description in tests/tui. */
void desk_sample(const char *name, const char *description);
/* A file of tests/tui under another name. */
void desk_copy(const char *name, const char *file);
/* The name of a file of the source tree in `out`. */
void desk_source(char out[static DESK_PATH], const char *name);

/* One file as another, by options of slowtop convert. */
void desk_convert(const char *name, const char *from, const char *options);

/* Text of a file: "" when it is not there, and at most 64 KB; free() it. */
char *desk_read(const char *name);
void desk_write(const char *name, const char *text);

/* slowtop with these words, blanks between. */
struct pty *desk_start(const struct pty_options *, const char *words);
/* Ends it by these keys: with status 0, and the terminal is as it was.  Whether so. */
bool desk_quit(struct pty *, const char *keys, const char *name);
