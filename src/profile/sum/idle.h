// SPDX-License-Identifier: Apache-2.0
/*
 * idle: calls in which a thread waits and does not work, by rules about their names.
 *
 * The rules that the program has are about Android, Java, Kotlin, OpenHarmony and the C library.
 * Users add their own and switch any of them off.  A rule is a pattern of full names of methods
 * and slices; the transform "idle" removes the calls that match, with their time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "trace/trace.h"

struct idle_rule {
	char *name, *pattern;
	const char *help; /* what the thread waits for; "" of the user's */
	bool on;
};

/* Owns the texts of its rules. */
struct idle_rules {
	struct idle_rule *list;
	size_t count, room;
};

/* The rules of the program. */
void idle_init(struct idle_rules *);
void idle_release(struct idle_rules *);
struct idle_rule *idle_find(const struct idle_rules *, struct str name); /* NULL: none */
/* `value` is "on", "off" or a pattern; a new name is a new rule.  False when it is none. */
bool idle_set(struct idle_rules *, struct str name, struct str value, struct err *);
/* One pattern of all rules that are on; nothing when none is. */
void idle_pattern(const struct idle_rules *, struct sbuf *out);

/*
 * Calls that wait have up to 8 % of their time on the CPU, by what the clocks and the sampler
 * add; those that work and wait from 13 % on.
 */
enum { IDLE_SHARE = 10, IDLE_LEAST = 100000 };

/* True if idle: less than a tenth busy, and long enough for the clocks to tell. */
static inline bool
idle_time(nsec busy, nsec time)
{
	return busy < time / IDLE_SHARE && time - busy >= IDLE_LEAST;
}
