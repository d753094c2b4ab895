/*
 * processes: those of a text log, named.
 *
 * A value, made from what is known at the time; the names point into the file.
 */
#ifndef SLOWTOP_VIEW_NAMES_PROCESSES_H
#define SLOWTOP_VIEW_NAMES_PROCESSES_H

#include "trace/log.h"
#include "trace/trace.h"

struct process {
	uint32_t pid;
	uint32_t threads; /* that the log has of it */
	struct str name;  /* as a list has it, else its main thread's; may be empty */
};

struct processes {
	struct process *items; /* by index + 1 of the log's; 0: of threads without one */
	uint32_t count;
};

/* Linear in threads and processes. */
void processes_make(struct processes *, const struct trace *);
void processes_release(struct processes *);

#endif
