// SPDX-License-Identifier: Apache-2.0
/*
 * run: a recording under way; what the files of this folder that make it share.
 */
#pragma once

#include "base/mem.h"
#include "base/worker.h"
#include "record/record.h"

enum { UNDO_MAX = 4 };

struct run {
	const struct record *how;
	struct host host;
	struct reply reply; /* the last one */
	struct blanks blanks;
	struct arena arena; /* values of these, and commands */
	struct record_progress progress;
	int64_t since;      /* when the phase began, ms */
	int patience;       /* as many stops end the command that runs */
	bool key;           /* one was pressed while a command ran */
	bool silent;        /* the device was lost, which was said */
	char *file;         /* on the device */
	char *undo[UNDO_MAX];
	size_t undo_count;
	bool leave_file;    /* on the device: it could not be copied */
	/* While the file is copied: the last change of its size, ms; none for too long. */
	bool copying, stalled;
	int64_t grown;
};

void run_phase(struct run *, enum record_phase);
/* Sets a blank to a copy of the value. */
void run_set(struct run *, const char *name, struct str value);
void run_say(struct run *, enum failure_id);
/* Runs a command of the mode's; false when the device did not answer, which is said. */
bool run_ask(struct run *, const char *template, struct str input);
/* The same; false as well when the command failed. */
bool run_do(struct run *, const char *template, struct str input, const char *success);
/* The tool on the device has ended: nothing of it is to be undone but its file. */
void run_ended(struct run *);
/* Is the app no longer there?  Not known is no. */
bool run_app_gone(struct run *);
bool run_is_number(const char *app);

/* Finds out what the device can do, and whether the recording can be.  Sets the blanks. */
bool run_prepare(struct run *);
/* Waits until the file on the device is whole, and copies it. */
enum record_end run_fetch(struct run *);
/* The size of the file on the device; -1: none, -2: the device did not answer, which was said. */
int64_t run_remote_size(struct run *);
/* Bytes of the copy so far. */
uint64_t fetch_local_size(const struct run *);
