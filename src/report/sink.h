// SPDX-License-Identifier: Apache-2.0
/*
 * sink: where a report is written: a buffer, emptied into a stream row by row.
 *
 * Forms append to `text` and call sink_row after each row.  The first write that
 * fails is remembered with its errno, which later calls of stdio would lose.
 *
 * Forms for programs hold names as the file has them, escape sequences too.  On its way to a
 * terminal each line is cleaned (base/utf8.h), whatever form it is of; tabs stay.  Only JSON
 * does without (base/json.h): all that harms is escaped in it.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/sbuf.h"

struct sheet_runs;

struct sink {
	struct sbuf text;
	FILE *file; /* NULL: all stays in `text`, without sink_end */
	const atomic_bool *cancel; /* may be NULL */
	int error;                 /* errno; ECANCELED when cancelled */
	bool terminal;             /* `file` is one */
	struct sheet_runs *runs; /* of rows for programs (view/sheet.h); borrowed; may be NULL */
	bool lines; /* rows for programs are JSON objects, a line each */
};

struct sink sink_to(FILE *, const atomic_bool *cancel);

/* False when a write failed or it was cancelled; for forms that write by themselves. */
bool sink_wanted(struct sink *);
/* False when nothing more is wanted: a write failed or it was cancelled. */
bool sink_row(struct sink *);
/* Writes the rest and releases the buffer; returns `error`. */
int sink_end(struct sink *);
