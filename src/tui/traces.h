// SPDX-License-Identifier: Apache-2.0
/*
 * traces: the list of several traces, from which one is opened, or some are compared.
 *
 * A thread looks at the traces, one after the other, while the list is on the screen; what it has
 * found stays in the rows, which are the caller's.  The terminal is taken for the list alone.
 */
#pragma once

#include "profile/load/profile.h"
#include "tui/settings/settings.h"

enum tui_trace_state { TRACE_WAITS, TRACE_READ, TRACE_FAILED, TRACE_NONE /* no trace: no row */ };

enum tui_trace_mark { TRACE_UNMARKED, TRACE_A /* the base of a comparison */, TRACE_B };

struct tui_trace {
	const char *path, *name; /* borrowed */
	_Atomic(enum tui_trace_state) state;
	enum tui_trace_mark mark;
	/* Once it was read. */
	const char *format;
	struct trace_unit unit;
	nsec length, busy; /* busy: its main thread */
	char *text;        /* the first finding, or why it cannot be read; mem_free */
};

struct tui_traces {
	struct tui_trace *rows;
	size_t count, cursor, top;
	/* Fills in a row, on the thread; true when it is done, false when cancelled. */
	bool (*look)(void *context, struct tui_trace *, const atomic_bool *cancel);
	void *context;
};

enum tui_traces_end { TRACES_QUIT, TRACES_OPEN, TRACES_COMPARE, TRACES_TROUBLE };

/* Shows the list until a row is chosen, by the cursor or marks of both kinds, or the user quits. */
enum tui_traces_end tui_traces(struct tui_traces *, const struct settings *);
