// SPDX-License-Identifier: Apache-2.0
/*
 * pattern: a regular expression (PCRE2) compiled for many short, hostile subjects.
 *
 * Owns everything it needs, match data too, so one pattern serves one thread at a
 * time; threads that match at once compile one each.  The text is not kept.
 *
 * Subjects may be any bytes: malformed UTF-8 matches nothing, but text around it still
 * can.  Smart case: letters match in either case unless the text has an upper-case letter
 * that matches itself (not the W of \W, not the name of a group).  No pattern can hang or
 * exhaust memory: matching has limits, and a subject on which they are hit is reported as
 * such, never as "no match".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"

enum pattern_flags {
	PATTERN_LITERAL = 1 << 0, /* the text is what to find, not an expression */
};

enum pattern_result {
	PATTERN_NO,
	PATTERN_MATCH,
	PATTERN_TOO_COSTLY, /* gave up: stop the scan and say so once */
};

enum { PATTERN_MAX = 4096 }; /* bytes of text */

struct pattern;

/*
 * False with `*out` NULL when the text is no pattern: ERR_MALFORMED with the byte
 * offset in the text at which it was noticed, or ERR_LIMIT when it is too long.
 */
bool pattern_compile(struct str text, unsigned flags, struct pattern **out, struct err *);
/* The expression that matches just this text. */
void pattern_quote(struct sbuf *out, struct str text);
void pattern_free(struct pattern *); /* NULL is fine */

/*
 * Matches that begin more than so many milliseconds from now are PATTERN_TOO_COSTLY, so that a scan
 * of many subjects ends in time; 0: all are tried again.
 */
void pattern_hurry(struct pattern *, int ms);
/* True if that limit refused a subject since it was set. */
bool pattern_was_late(const struct pattern *);

/* The leftmost match is bytes [*from, *to) of the subject; either may be NULL. */
enum pattern_result pattern_match(
    const struct pattern *, struct str subject, size_t *from, size_t *to);
