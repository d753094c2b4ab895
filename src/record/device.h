// SPDX-License-Identifier: Apache-2.0
/*
 * device: phones and tablets as adb and hdc show them, and commands that run there.
 *
 * Neither program can be believed by its exit status: adb ends with 0 when the device goes
 * away, hdc always does.  So each command on a device ends in a line of our own, with a number
 * only slowtop knows and the command's status; without that line the connection was lost.
 *
 * What a device says is data: lists and names are as they came, to be cleaned where shown.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/program.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "record/failures.h"

enum device_tool { TOOL_ADB, TOOL_HDC, TOOLS };

/* Words for a program and its device, where the programs differ. */
struct tool {
	const char *name, *serial; /* the option before a serial */
	const char *list[3];       /* words after the program's name */
	const char *stream;        /* word before a command whose output comes as it is, byte by byte */
	const char *pull[2];
	const char *pull_text;     /* with blanks: what a person would type */
	const char *versions;      /* commands on the device: what it is (prepare.c), */
	const char *apps, *all_apps, *app_mark; /* and apps, each in a line after the mark */
};

extern const struct tool tools[TOOLS];

/* How programs are run here. */
struct host {
	const char *program[TOOLS]; /* names or paths */
	int64_t limit;              /* ms for an answer */
	bool (*go_on)(void *context);
	void *context;
	char nonce[17];             /* what no other program uses */
};

struct device {
	enum device_tool tool;
	char *serial, *state, *model;
};

/* Texts and list are owned. */
struct devices {
	struct device *list;
	size_t count, room;
};

/* A program's reply.  Zero-initialise; release the text. */
struct reply {
	enum failure_id failure; /* FAILURE_NONE: it reached the device, and this is the command's: */
	int status;
	struct sbuf text; /* what was printed, without CR: standard output, then errors */
	size_t printed;   /* the former's bytes */
	enum failure_id known; /* what the text tells of, whatever the status; FAILURE_OTHER: nothing */
	struct str line;       /* which does, else the last; borrowed */
};

static inline struct str
reply_out(const struct reply *r)
{
	return (struct str){r->text.p, r->printed};
}

/*
 * Appends the devices of one program.  No failure also without any; the serial of an Android
 * device may be given as $ANDROID_SERIAL to adb, which lists all in any case.
 */
void devices_read(struct devices *, const struct host *, enum device_tool, struct reply *);
/* Returns what keeps the device from being used. */
enum failure_id device_trouble(const struct device *);

/* Runs a command line on the device; words of others in it have to be quoted (failures.h). */
void device_run(const struct host *, const struct device *, struct str command, struct str input,
    struct reply *);
/* Copies a file from the device, for as long as go_on lets it. */
void device_pull(const struct host *, const struct device *, const char *from, const char *to,
    struct reply *);

/* Names of apps, one a line, those that a user installed; of hdc all bundles. */
void device_apps(const struct host *, const struct device *, bool all, struct reply *);
