// SPDX-License-Identifier: Apache-2.0
/*
 * modes: the ways to record: one table, with the commands of each on the device.
 *
 * Words that come from the command line are checked here before anything runs, and quoted by
 * blanks_fill all the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "record/device.h"
#include "record/failures.h"
#include "record/whole.h"

/* Abilities of a mode. */
enum mode_takes {
	TAKES_APP = 1 << 0,      /* and needs it */
	TAKES_INTERVAL = 1 << 1,
	TAKES_CLOCK = 1 << 2,
	TAKES_VERSION = 1 << 3,  /* of the output */
	TAKES_ACTIVITY = 1 << 4,
	TAKES_TAGS = 1 << 5,
	TAKES_CONFIG = 1 << 6,
	TAKES_KEEP = 1 << 7,
	TAKES_FILTER = 1 << 8,   /* may be about one app */
	GROWS = 1 << 9,          /* its file, while it is recorded */
	TAKES_LIVE = 1 << 10,
};

/* On devices of different age. */
enum { PROGRAM_NAMES = 2 };

struct mode {
	const char *word, *help;
	enum device_tool tool;
	unsigned takes;
	const char *folder, *suffix; /* of the file on the device */
	unsigned buffer;             /* KB unless given; 0: the system's */
	const char *tags;            /* unless given; those that the device has */
	/* Command lines (blanks_fill); NULL: none. */
	const char *programs[PROGRAM_NAMES]; /* {program}: the first of them that is there */
	const char *list_tags;
	const char *start, *stop;
	const char *discard;         /* NULL: as stop */
	const char *started, *stopped; /* what success prints; NULL: judged by status and text */
	const char *live;            /* prints the recording while it is made, until it is ended */
	bool live_started;           /* once `start` was run */
	const char *gone;            /* succeeds once the file is whole; NULL: its content tells */
	whole_check *whole;
};

extern const struct mode modes[];
extern const int mode_count;

enum { CLOCK_WORDS = 3, KEEP_WORDS = 2 };
extern const char *const clock_choices[CLOCK_WORDS], *const keep_choices[KEEP_WORDS];

/* A recording as the command line asks for it; texts are borrowed. */
struct recording {
	const struct mode *mode; /* NULL: not chosen */
	const char *app;         /* package, process or its number; NULL: none */
	const char *activity, *tags, *config; /* the latter's text */
	unsigned interval;       /* us; 0: not given */
	uint64_t buffer;         /* bytes; 0: not given */
	int clock, version, keep; /* index of the words + 1, number, index + 1; 0: not given */
	int64_t time;            /* ns; 0: until it is stopped */
	bool live;               /* shown while it is made */
};

/* The mode for a device when none is asked for; live ones without an app need none. */
const struct mode *mode_usual(enum device_tool, const struct recording *);

/* Appends the value of {options}; mode_config: the text that perfetto reads, else nothing. */
void mode_options(const struct recording *, struct sbuf *out);
void mode_config(const struct recording *, struct str tags, struct sbuf *out);
/* KB of the buffer. */
uint64_t mode_buffer(const struct recording *);
