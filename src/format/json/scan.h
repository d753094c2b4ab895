// SPDX-License-Identifier: Apache-2.0
/*
 * scan: JSON text, read a member at a time, whatever is wrong with it.
 *
 * Values are found, not kept: each is the run of its bytes, which borrows the text, and what
 * is not asked for is skipped at the speed of memory.  Nothing recurses.  Extra commas, control
 * characters in strings and texts that break off are fine; the reader decides what they mean.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "base/str.h"

struct jscan {
	const char *at, *end;
};

struct jscan_value {
	char kind;       /* '"', '{', '[', or '0' for numbers and words; 0: none */
	struct str text; /* of a string what is between the quotes, with its escapes */
};

enum jscan_result {
	JSCAN_TAKEN,
	JSCAN_CLOSED, /* the object or array ends here */
	JSCAN_CUT,    /* the text ends inside of it */
	JSCAN_BAD,    /* something else stands here, and was not passed */
};

/* The next byte that is neither blank, control character nor comma; 0 at the end. */
char jscan_peek(struct jscan *);
/* The next value of an array, or after a colon. */
enum jscan_result jscan_value(struct jscan *, struct jscan_value *);
/* The key of an object's next member, from after its bracket on; then its value comes. */
enum jscan_result jscan_key(struct jscan *, struct str *key);
/* Both: the next member of an object, from after its bracket on. */
enum jscan_result jscan_member(struct jscan *, struct str *key, struct jscan_value *);

/* Returns the inside of an object or array, after its bracket; nothing of other values. */
struct jscan jscan_inside(struct str);
/*
 * The values of an object's members of these names, in their order; of those that are not there,
 * or not whole, `kind` is 0.  False when the object ends too early.
 */
bool jscan_members(struct str object, const char *const *names, size_t count, struct jscan_value *);
/* The value of one member; `kind` is 0 without it. */
struct jscan_value jscan_find(struct str object, const char *name);

/* Appends a string without its escapes; a lone surrogate is U+FFFD. */
void jscan_unescape(struct sbuf *, struct str);
/* A string without its escapes, in an arena. */
struct str jscan_text(struct arena *, struct str);
/* A decimal number times a power of ten, exact to the half; false when it is none, or too large. */
bool jscan_scaled(struct str, int power, int64_t *);
/* A number in microseconds as nanoseconds. */
bool jscan_ns(struct str, int64_t *ns);
/* A number of any form. */
bool jscan_real(struct str, double *);
