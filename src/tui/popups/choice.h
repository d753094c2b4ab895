// SPDX-License-Identifier: Apache-2.0
/*
 * choice: which slices and processes of a text log are shown.
 *
 * Levels and tags decide which slices are read, so that another choice reads the log again
 * while the screen stays; processes are a choice of threads.  All of it can be undone.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "trace/log.h"

struct app;

/* Reads the log again when this is another choice than the one in force. */
void choice_set(struct app *, const struct log_choice *);
/* True if a level or tags are chosen, or the threads in scope are those of whole processes. */
bool choice_any(const struct app *);
/* "level info and above, tags app, process 100 main". */
void choice_text(struct sbuf *, const struct app *);
