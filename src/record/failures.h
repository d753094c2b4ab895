// SPDX-License-Identifier: Apache-2.0
/*
 * failures: what goes wrong between here and a device, in words: one table.
 *
 * Adb and hdc tell little by their exit status, and what they print differs between versions.
 * A row has the texts by which a failure is known, what is said of it, and what helps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/sbuf.h"
#include "base/str.h"

/* What {name} in a command, a message or a configuration stands for. */
struct blank {
	const char *name;
	struct str value;
	bool plain; /* in a command: made by us of quoted words, not to be quoted again */
};

enum { BLANKS_MAX = 32 };

struct blanks {
	struct blank list[BLANKS_MAX];
	size_t count;
};

/* Values are borrowed; the last of a name counts. */
void blanks_set(struct blanks *, const char *name, struct str value);
/*
 * Appends the template with its blanks filled; those without a value are empty.  `quoted`: for
 * the device's shell, as the one place where words are quoted for it.
 */
void blanks_fill(const struct blanks *, const char *template, bool quoted, struct sbuf *out);
/* A word as a device's shell has to be given it: in '', whatever is in it. */
void shell_word(struct sbuf *out, struct str word);

enum failure_id {
	/* Known by what was printed, in this order. */
	FAILURE_SERVER,
	FAILURE_NO_DEVICE,
	FAILURE_MANY,
	FAILURE_GONE,
	FAILURE_UNAUTHORIZED,
	FAILURE_OFFLINE,
	FAILURE_NOT_DEBUGGABLE,
	FAILURE_UNKNOWN_PROCESS,
	FAILURE_CANNOT_WRITE,
	FAILURE_NO_SPACE,
	FAILURE_NO_OPTION,
	FAILURE_BUSY,
	FAILURE_BAD_TAG,
	FAILURE_NO_ACTIVITY,
	FAILURE_NO_TOOL,
	FAILURES_KNOWN,
	/* Found out otherwise. */
	FAILURE_OTHER = FAILURES_KNOWN,
	FAILURE_NO_PROGRAM,
	FAILURE_CANNOT_RUN,
	FAILURE_OLD_SERVER,
	FAILURE_NO_PERMISSION,
	FAILURE_IN_STATE,
	FAILURE_NO_SUCH,
	FAILURE_NO_APP,
	FAILURE_NOT_RUNNING,
	FAILURE_APP_ENDED,
	FAILURE_NOTHING,
	FAILURE_EMPTY,
	FAILURE_OVERFLOW,
	FAILURE_PARTIAL,
	FAILURE_DEVICE_SPACE,
	FAILURE_EARLIER,
	FAILURE_LOST,
	FAILURE_LEFT,
	FAILURE_PULL,
	FAILURE_LATE,
	FAILURE_UNDO,
	FAILURE_LOCAL,
	FAILURE_NAME,
	FAILURE_TAG,
	FAILURE_NOT_OF_MODE,
	FAILURES
};

struct failure {
	const char *seen[4];
	const char *what, *help; /* with blanks; help may be NULL */
};

extern const struct failure failures[FAILURES];

/* Which one the text tells of, and in `line` the line that does; else FAILURE_OTHER, the last. */
enum failure_id failure_find(struct str text, struct str *line);
