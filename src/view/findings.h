// SPDX-License-Identifier: Apache-2.0
/*
 * findings: findings (profile/findings/findings.h) as sentences that people read.
 *
 * Sentences are appended whole, in clean text (base/utf8.h); to cut them is the caller's.  Times
 * are milliseconds with one decimal, places in time seconds.  Borrows all.
 */
#pragma once

#include "profile/findings/findings.h"
#include "view/names/names.h"

struct finding_words {
	const struct trace *trace;
	const struct findings *findings;
	struct names *names;
};

enum { FINDING_EVIDENCE = 3 }; /* lines at most */

void finding_text(struct sbuf *, const struct finding_words *, const struct finding *);
/* Line `i` of what shows it; false: there are no more. */
bool finding_evidence(struct sbuf *, const struct finding_words *, const struct finding *, int i);
void finding_limit_text(struct sbuf *, const struct finding_words *, enum finding_limit);
/* Decimals of milliseconds that tell such a time. */
unsigned finding_decimals(nsec);
/* The judged thread, what it did, and how long: "main [1]: 323 messages, ..."; nothing without one. */
void finding_judged(struct sbuf *, const struct finding_words *);
/* How the judged app started: "com.feed started in 156.5 ms (warm) at 0.470 s"; false: it did not. */
bool finding_startup(struct sbuf *, const struct finding_words *);

/* A method as its class and its name, without packages; a slice as it is. */
void finding_name(struct sbuf *, struct names *, const struct trace *, uint32_t method);
/* Name of a process of a log, by index + 1; empty: none is known. */
struct str finding_process(const struct finding_words *, uint32_t process);
