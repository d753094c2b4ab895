// SPDX-License-Identifier: Apache-2.0
/*
 * traces: the traces that a command is given, one after the other: files, and those of folders by
 * name, not below.
 *
 * Of a folder what is no trace is passed over; a folder without any is an error.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct options;

struct traces {
	const struct options *options;
	const atomic_bool *cancel;
	void *context; /* the command's */
	/*
	 * Does the command's work for a trace, and returns its status; `among`: it is of a folder.
	 * Counts those that are traces in `taken`.
	 */
	int (*one)(struct traces *, const char *path, bool among);
	uint32_t taken;
};

/* True if there is more than one operand, or a folder. */
bool traces_many(const struct options *);
/* One of them, or those of a folder. */
int traces_one(struct traces *, const char *path);
/* All operands, `first` in the place of the first; the worst status. */
int traces_each(struct traces *, const char *first);
/* The statuses of traces: trouble wins over what failed, that over damage. */
int status_worse(int a, int b);
