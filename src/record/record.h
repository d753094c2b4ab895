// SPDX-License-Identifier: Apache-2.0
/*
 * record: a recording on a device, from its start to the file here.
 *
 * Probe the device, start the mode's tool there, wait, stop it, wait until the file is whole,
 * copy it, undo.  What was done on the device is undone on every way out, in the reverse order,
 * except that a recording which could not be copied stays there, and it is said how to get it.
 *
 * It speaks with the user through functions, so that it knows no terminal.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sbuf.h"
#include "base/watch.h"
#include "base/worker.h"
#include "record/device.h"
#include "record/failures.h"
#include "record/keep.h"
#include "record/modes.h"

enum record_phase {
	RECORD_CHOOSING, /* device and app */
	RECORD_PREPARING,
	RECORD_RUNNING,
	RECORD_STOPPING,
	RECORD_COPYING,
	RECORD_UNDOING,
};

struct record;

/* The user. */
struct record_ui {
	void *context;
	/* `help` may be NULL.  Both may have any bytes. */
	void (*say)(void *context, const char *what, const char *help);
	/* One of the lines, `chosen`; false: none.  NULL: there is no terminal to ask at. */
	bool (*choose)(void *context, const char *title, struct str lines, struct str *chosen);
	/* Shows how far it is, waits for so long, less when a key comes; true then. */
	bool (*look)(void *context, const struct record *, int ms);
	/*
	 * How often the user has asked to stop: the first stops the recording and keeps it, the
	 * second drops it, the third leaves the device as it is.
	 */
	int (*stops)(void *context);
};

/* In the order in which it was done, and the reverse of which it is undone. */
enum record_undo { UNDO_PROPERTY, UNDO_FILE, UNDO_TOOL, UNDO_LIVE, UNDOS };

struct record {
	/* The caller's. */
	struct recording what; /* checked; with a mode from device_choose on */
	struct host host;      /* its programs and limit; begun by record_begin */
	struct record_ui ui;
	struct keep *keep;     /* begun, with a part, for record_run */

	/* Chosen. */
	struct devices devices;
	const struct device *device;
	char *app;

	/* The recording under way. */
	struct str input;   /* of the next command */
	struct reply reply; /* the last one */
	struct blanks blanks;
	enum record_phase phase;
	int64_t since, ms;  /* when the phase began, and how long it is */
	uint64_t bytes, total; /* so far, of the file; 0: not known */
	int patience;       /* as many stops end the command that runs */
	bool key;           /* one was pressed while a command ran */
	bool lost;          /* the device, which was said */
	pid_t live;              /* the program that copies a live recording here; 0: none */
	const char *undo[UNDOS]; /* commands; NULL: nothing is to be undone */
	/* While the file is copied: the last change of its size, ms; none for too long. */
	bool copying, stalled;
	int64_t grown;
};

bool record_begin(struct record *, struct err *);
/* Asks the programs that the mode, if one is chosen, is for; false: there is no device, said. */
bool record_devices(struct record *);
/* Appends a line for each. */
void record_devices_text(const struct record *, struct sbuf *out);
/*
 * Takes the device that is named, the only usable one, or the one that the user chooses, and a
 * mode for it unless there is one; false: none, said.
 */
bool record_choose_device(struct record *, const char *serial);
/* The app that the user chooses of those on the device; false: none, said. */
bool record_choose_app(struct record *);
/* Leaves those that users install, or all, in the reply, one a line; false: said. */
bool record_apps(struct record *, bool all);
/* False: the words are wrong, said. */
bool record_check(struct record *);
/* Appends the path of the file to `path`.  WHOLE_NOTHING: said, but for what the user stopped. */
enum wholeness record_run(struct record *, struct sbuf *path);
/*
 * Begins a recording that is read while it is made, from `pipe`, which the caller closes.  False:
 * said, and undone.  The other ends it: what came by the pipe is kept, or the file on the device.
 */
bool record_live_begin(struct record *, int *pipe);
enum wholeness record_live_end(struct record *, struct watch *, struct sbuf *path);
void record_release(struct record *);

/* Shared by the files of this folder ------------------------------------------------------ */

void record_phase(struct record *, enum record_phase);
/* Tells of a failure, its blanks filled; returns false. */
bool record_say(struct record *, enum failure_id);
/* Like record_say for a failure that the last reply tells; sets {line}. */
bool record_tell(struct record *, enum failure_id);
/* Runs a command of the mode's; false when the device did not answer, which is said. */
bool record_ask(struct record *, const char *template);
/* Leaves on the device a file that could not be copied, and says so, unless it is dropped. */
enum wholeness record_leave(struct record *);
/* The last line of what a command printed that has the part; empty: none. */
struct str record_line(const struct record *, const char *part);
/* True if the word, of the command line or the device, is made of letters, digits and `others`. */
bool record_is_word(struct str word, const char *others);
/* Reads a number; false if the word is not one. */
bool record_number(struct str word, uint64_t *);
/* True if the app is no longer there; false also when that is not known. */
bool record_app_gone(struct record *);
bool record_stopped(const struct record *, int times);

/* Starts the mode's tool; false: said. */
bool record_start(struct record *);
/* Stops it.  The file tells where it can if the tool ended well, or had ended before. */
bool record_stop(struct record *);
/* Gives what was copied its name. */
enum wholeness record_keep(struct record *, enum wholeness, struct sbuf *path);
/* Undoes all, the last first; when the device no longer answers, it is said what is left. */
void record_undo_all(struct record *);
/* Sets the state of the recording, and says what is wrong with it. */
enum wholeness record_came(struct record *, enum wholeness);

/* Finds out what the device can do, and whether the recording can be.  Sets the blanks. */
bool record_prepare(struct record *);
/* Waits until the file on the device is whole, and copies it. */
enum wholeness record_fetch(struct record *);
/* Sets a blank to the time that it is. */
void record_moment(struct record *, const char *name);
/* Writes beside the file what the blanks say of it; it is said when that cannot be. */
void record_describe(struct record *, const struct sbuf *path);
/* The size of the file on the device; -1: none, -2: the device did not answer, which was said. */
int64_t record_remote_size(struct record *);
/* Bytes of the copy so far. */
uint64_t record_local_size(const struct record *);
