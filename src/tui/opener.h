// SPDX-License-Identifier: Apache-2.0
/*
 * opener: a trace that is opened on a thread of its own, since it may have to be
 * unpacked.
 *
 * How is the front end's to say (tui_options in tui.h).  Zero-initialise.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/worker.h"
#include "trace/trace.h"
#include "tui/tui.h"

struct opener {
	const struct tui_options *options; /* borrowed */
	enum tui_side side;
	char *path;          /* owned; NULL: nothing is being opened */
	struct watch *watch; /* borrowed; as in tui_options */
	struct worker_pool *thread;
	atomic_bool cancel;
	struct trace *found;
	struct err err;
};

/* Only where none is under way.  `ended` is posted when the thread has ended. */
bool opener_begin(struct opener *, const struct tui_options *, enum tui_side,
    const char *path, struct watch *, const struct notify *ended, struct err *);
/* The thread has ended: opener_take does not wait. */
bool opener_ended(const struct opener *);
/* The opened trace, owned by the caller; NULL, and why.  The path stays until opener_end. */
struct trace *opener_take(struct opener *, struct err *);
/* Gives up what is under way. */
void opener_end(struct opener *);
