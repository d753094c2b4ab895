// SPDX-License-Identifier: Apache-2.0
/*
 * line: one record of a Linux ftrace text log, as `cat trace`, atrace, hitrace and
 * trace-cmd report print it:
 *
 *	comm-tid  ( tgid) [cpu] flags  seconds.fraction: function: payload
 *
 * Everything but comm, tid, cpu, time and function may be missing.  Flags may touch the time.
 * Clocks that do not count nanoseconds (counter, x86-tsc) print whole numbers.  Layout: the kernel's
 * kernel/trace/trace_output.c (trace_print_context) and trace-cmd's tep_print_event.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum {
	LOGLINE_CPUS = 4096, /* LOG_CPUS of trace/log.h */
	LOGLINE_WRITERS = 256,
	LOGLINE_FUNCS = 64,
	LOGLINE_LEFT = 44, /* bytes before the core that are remembered */
};

/* In place of a thread that is not told. */
#define LOGLINE_NOBODY UINT32_MAX

/* Borrows the line. */
struct logline {
	struct str comm;    /* blanks around it removed; may be "<...>": not known */
	struct str flags;   /* empty without the column */
	struct str func;
	struct str payload; /* blanks around it removed */
	uint64_t ns;        /* as stated, from the log's own zero; or ticks */
	uint32_t tid;
	uint32_t cpu;
	uint32_t tgid;
	bool has_tgid;
	bool ticks;         /* the time is a whole number of a unit that is not told */
};

/*
 * `text` is a line without its end.  False when it is no record.  comm may hold anything,
 * also what looks like a later column.
 */
bool logline_parse(struct logline *, struct str text);

/*
 * Parses a line faster: most lines begin, up to their core, with the same bytes as an
 * earlier line, which are parsed already.  For one thread at a time; zero-initialise.
 */
struct kernel_event;

struct logline_memory {
	struct logline_left {
		char text[LOGLINE_LEFT];
		uint8_t n;            /* of the text; 0: free */
		uint8_t comm, comm_n; /* where comm is */
		bool has_tgid;
		uint32_t tid, tgid;
	} left[LOGLINE_WRITERS];
	/* The event of a function, as met last (kernel.h). */
	struct logline_func {
		struct str name;
		const struct kernel_event *event;
	} funcs[LOGLINE_FUNCS];
};

bool logline_recall(struct logline_memory *, struct logline *, struct str text);

/*
 * A record that is none of the traced system: systrace ends a page of old with a clock
 * marker at time 0 (trace_event_clock_sync) of the thread "dummy".
 */
bool logline_excluded(const struct logline *);

/* The tail that some containers leave on each line: CR, NUL, blanks, `\n\` or `\n`. */
struct str logline_trim(struct str text);
