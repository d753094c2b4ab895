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

#include "base/sbuf.h"
#include "record/device.h"
#include "record/failures.h"
#include "record/keep.h"
#include "record/modes.h"

enum record_phase {
	RECORD_PREPARING,
	RECORD_RUNNING,
	RECORD_STOPPING,
	RECORD_COPYING,
	RECORD_UNDOING,
};

struct record_progress {
	enum record_phase phase;
	int64_t ms;            /* in the phase */
	uint64_t bytes, total; /* so far, of the file; 0: not known */
};

struct record_ui {
	void *context;
	/* `help` may be NULL.  Both may have any bytes. */
	void (*say)(void *context, const char *what, const char *help);
	/* Shows it, waits for so long, less when a key comes; true then. */
	bool (*look)(void *context, const struct record_progress *, int ms);
	/*
	 * How often the user has asked to stop: the first stops the recording and keeps it, the
	 * second drops it, the third leaves the device as it is.
	 */
	int (*stops)(void *context);
};

struct record {
	struct recording what; /* checked; with a mode */
	struct host host;      /* begun; its function is set here */
	const struct device *device;
	struct keep *keep;     /* begun and named */
	const struct record_ui *ui;
};

enum record_end {
	RECORD_KEPT,
	RECORD_EMPTY,      /* kept, but there is no record in it */
	RECORD_INCOMPLETE, /* kept, but the end is missing; its name says so */
	RECORD_NOTHING,    /* which was said, but for what the user stopped */
};

/* Appends the path of the file to `path`. */
enum record_end record_run(const struct record *, struct sbuf *path);

/* Tells of a failure, its blanks filled. */
void record_say(const struct record_ui *, enum failure_id, const struct blanks *);
/* The failure that a reply tells of, FAILURES for none; sets the blank "line", borrowed. */
enum failure_id reply_failure(const struct reply *, struct blanks *);
