/*
 * logline: one record of a Linux ftrace text log, as `cat trace`, atrace, hitrace and
 * trace-cmd report print it:
 *
 *	comm-tid  ( tgid) [cpu] flags  seconds.fraction: function: payload
 *
 * Everything but comm, tid, cpu, time and function may be missing.  Layout: the kernel's
 * kernel/trace/trace_output.c (trace_print_context) and trace-cmd's tep_print_event.
 */
#ifndef SLOWTOP_FORMAT_LOGLINE_H
#define SLOWTOP_FORMAT_LOGLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum {
	LOGLINE_CPUS = 4096, /* LOG_CPUS of trace/log.h */
	LOGLINE_MEMORIES = 2,
	LOGLINE_FUNCS = 64 * LOGLINE_MEMORIES + 1,
};

/* Borrows the line. */
struct logline {
	struct str comm;    /* blanks around it removed; may be "<...>": not known */
	struct str flags;   /* empty without the column */
	struct str func;
	struct str payload; /* blanks around it removed */
	uint64_t ns;        /* as stated, from the log's own zero */
	uint32_t tid;
	uint32_t cpu;
	uint32_t tgid;
	bool has_tgid;
	/*
	 * By logline_recall: lines of the same number have the same bytes before the core, or
	 * the same function; 0: not told.
	 */
	uint8_t func_number; /* less than LOGLINE_FUNCS */
	uint32_t writer;
};

/*
 * `text` is a line without its end.  False when it is no record.  comm may hold anything,
 * also what looks like a later column.
 */
bool logline_parse(struct logline *, struct str text);

/*
 * The same, sooner: what stands before the core is written again and again, and is known
 * by its bytes.  A memory is for one thread at a time; `index`, less than LOGLINE_MEMORIES,
 * keeps the numbers of several apart.
 */
struct logline_memory;

struct logline_memory *logline_memory_new(unsigned index);
void logline_memory_free(struct logline_memory *);
bool logline_recall(struct logline_memory *, struct logline *, struct str text);

/*
 * A record that is none of the traced system: systrace ends a page of old with a clock
 * marker at time 0 (trace_event_clock_sync) of the thread "dummy".
 */
bool logline_excluded(const struct logline *);

/* The tail that some containers leave on each line: CR, NUL, blanks, `\n\` or `\n`. */
struct str logline_trim(struct str text);

#endif
