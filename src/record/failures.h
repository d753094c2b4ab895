// SPDX-License-Identifier: Apache-2.0
/*
 * failures: what goes wrong between here and a device, in words: one table.
 *
 * Adb and hdc tell little by their exit status, and what they print differs between versions.
 * So a failure is known by texts; a row has what is said of it, and what helps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "base/str.h"

/* A {name} in a command, a message or a configuration, and its value. */
struct blank {
	const char *name;
	struct str value;
};

enum { BLANKS_MAX = 64 }; /* more than there are names */

/* Zero-initialise; release the arena. */
struct blanks {
	struct blank list[BLANKS_MAX];
	size_t count;
	struct arena arena; /* values */
};

/* The value is copied; the last of a name counts. */
void blanks_set(struct blanks *, const char *name, struct str value);
struct str blanks_get(const struct blanks *, struct str name);
/*
 * Appends the template with its blanks filled; those without a value are empty.  `quoted`: for
 * the device's shell, as the one place where words are quoted for it; {=name} is not quoted, for
 * what we made of words that are.
 */
void blanks_fill(const struct blanks *, const char *template, bool quoted, struct sbuf *out);
/* A word as a device's shell has to be given it: in '', whatever is in it. */
void shell_word(struct sbuf *out, struct str word);

enum failure_id {
#define FAILURE(id, what, help) FAILURE_##id,
#include "record/failures.def"
#undef FAILURE
	FAILURES
};

struct failure {
	const char *what, *help; /* with blanks; may be NULL */
};

extern const struct failure failures[FAILURES];

/* Which one the text tells of, and in `line` the line that does; else FAILURE_OTHER, the last. */
enum failure_id failure_find(struct str text, struct str *line);
