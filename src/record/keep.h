// SPDX-License-Identifier: Apache-2.0
/*
 * keep: where recordings are kept, and under which names.
 *
 * A recording is copied into a folder of its own beside its place, which other users cannot enter,
 * because adb removes whatever has the name that it writes.  It gets its name when it is whole:
 * 20261122-101503_com.example.app_Pixel-8_sampled.trace, "-2" and so on after those of the same
 * second.  No file is ever replaced, unless it was named and that was asked for.
 *
 * The folder for the part is locked: the next recording removes those of killed processes.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/sbuf.h"

struct keep {
	bool named, force;   /* a file that the user named; replaced if it is there */
	struct sbuf folder;  /* with a slash at its end */
	struct sbuf stem, suffix; /* of the name */
	struct sbuf inside, part; /* the folder of its own, and the file in it; empty: none */
	int lock;                 /* on that folder, if there is one; -1: cannot be locked */
};

/*
 * `output`: a folder, or the name of a file; NULL: the `usual` folder.  Makes the folder.  False
 * when that cannot be, or a file of that name exists.  Release in both cases.
 */
bool keep_begin(struct keep *, const char *output, const char *usual, bool force, struct err *);
/* The time that it is, as part of a name or to read. */
enum { KEEP_TIME = 64 };
const char *keep_time(char out[static KEEP_TIME], bool name);
/* Names the recording, unless the user has: what of these is no letter, digit . _ - becomes -. */
void keep_name(struct keep *, const char *app, const char *device, const char *mode,
    const char *suffix);
/* Appends the path of the newest recording with the same name but for the date; false: none. */
bool keep_last(const struct keep *, struct sbuf *path);
/* Makes the folder for the part, and removes those that are lost; `nonce` is a name that no other program uses. */
bool keep_part(struct keep *, const char *nonce, struct err *);
/* Gives the part its name, which is appended to `path`. */
bool keep_take(struct keep *, bool partial, struct sbuf *path, struct err *);
/* Removes what was not taken. */
void keep_release(struct keep *);
